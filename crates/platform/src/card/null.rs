//! A machine without a graphics card, and one that does not report its memory.

use super::{Card, CardMemory, Memory, RamMemory};

/// Knows the memory of the machine, and no card.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoCard;

impl Card for NoCard {
    fn memory(&self) -> Option<CardMemory> {
        None
    }
}

/// Memory of which nothing is known.
#[derive(Debug, Default, Clone, Copy)]
pub struct UnknownMemory;

impl Memory for UnknownMemory {
    fn memory(&self) -> Option<RamMemory> {
        None
    }
}
