//! A machine without a graphics card, and one that does not report its memory.

use super::{Card, CardMemory, Memory, RamMemory};

/// A machine without a graphics card.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoCard;

impl Card for NoCard {
    fn memory(&self) -> Option<CardMemory> {
        None
    }
}

/// A machine that does not report its memory.
#[derive(Debug, Default, Clone, Copy)]
pub struct UnknownMemory;

impl Memory for UnknownMemory {
    fn memory(&self) -> Option<RamMemory> {
        None
    }
}
