//! A card that appears, disappears and shrinks on request, for tests.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Card, CardMemory, Memory, RamMemory};

/// A double of the machine's memory, set by the test. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct ScriptedMemory {
    state: Arc<Mutex<ScriptedMemoryState>>,
}

#[derive(Debug, Default)]
struct ScriptedMemoryState {
    card: Option<CardMemory>,
    ram: Option<RamMemory>,
    /// How often the card was queried.
    query_count: usize,
}

impl ScriptedMemory {
    /// A machine with this card and this memory.
    #[must_use]
    pub fn new(card: Option<CardMemory>, ram: Option<RamMemory>) -> Self {
        Self { state: Arc::new(Mutex::new(ScriptedMemoryState { card, ram, query_count: 0 })) }
    }

    /// Replaces the card; `None` removes it.
    pub fn set_card(&self, card: Option<CardMemory>) {
        self.with(|state| state.card = card);
    }

    /// Replaces what the computer reports of its memory.
    pub fn set_ram(&self, ram: Option<RamMemory>) {
        self.with(|state| state.ram = ram);
    }

    /// How often the card was queried.
    #[must_use]
    pub fn query_count(&self) -> usize {
        self.with(|state| state.query_count)
    }

    fn with<T>(&self, work: impl FnOnce(&mut ScriptedMemoryState) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Card for ScriptedMemory {
    fn memory(&self) -> Option<CardMemory> {
        self.with(|state| {
            state.query_count += 1;
            state.card.clone()
        })
    }
}

impl Memory for ScriptedMemory {
    fn memory(&self) -> Option<RamMemory> {
        self.with(|state| state.ram)
    }
}
