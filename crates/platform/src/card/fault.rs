//! A card that comes, goes and shrinks on order, for tests.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Card, CardMemory, Memory, RamMemory};

/// A double of the machine's memory: the test says what there is. Clones are the same machine.
#[derive(Debug, Clone, Default)]
pub struct ScriptedMemory {
    state: Arc<Mutex<ScriptedMemoryState>>,
}

#[derive(Debug, Default)]
struct ScriptedMemoryState {
    card: Option<CardMemory>,
    ram: Option<RamMemory>,
    /// How often the card was asked for.
    asked: usize,
}

impl ScriptedMemory {
    /// A machine with that card and that memory.
    #[must_use]
    pub fn new(card: Option<CardMemory>, ram: Option<RamMemory>) -> Self {
        Self { state: Arc::new(Mutex::new(ScriptedMemoryState { card, ram, asked: 0 })) }
    }

    /// From now on this card is there, or none.
    pub fn set_card(&self, card: Option<CardMemory>) {
        self.with(|state| state.card = card);
    }

    /// From now on the computer tells this of its memory.
    pub fn set_ram(&self, ram: Option<RamMemory>) {
        self.with(|state| state.ram = ram);
    }

    /// How often somebody asked for the card.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.with(|state| state.asked)
    }

    fn with<T>(&self, work: impl FnOnce(&mut ScriptedMemoryState) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Card for ScriptedMemory {
    fn memory(&self) -> Option<CardMemory> {
        self.with(|state| {
            state.asked += 1;
            state.card.clone()
        })
    }
}

impl Memory for ScriptedMemory {
    fn memory(&self) -> Option<RamMemory> {
        self.with(|state| state.ram)
    }
}
