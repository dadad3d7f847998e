//! The memory that models can have: the graphics card's, and the computer's (GPU-1, GPU-5).
//!
//! No card, or no library that tells of it, is nothing wrong: it means "without a card".

use std::sync::Arc;

/// Memory of a graphics card, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardMemory {
    /// The card's name.
    pub name: String,
    /// All that it has.
    pub total: u64,
    /// What nobody uses now.
    pub free: u64,
}

/// The computer's memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RamMemory {
    /// All that it has.
    pub total: u64,
    /// What programs can have without others being moved to the disk.
    pub available: u64,
}

/// Tells of the graphics card. Calls block: for less than a millisecond once the driver's library is loaded, the first one up to seconds where
/// the card sleeps.
pub trait Card: Send + Sync {
    /// The graphics card that models would live on, the one with most memory. `None`: without a card.
    fn memory(&self) -> Option<CardMemory>;
}

/// Tells of the computer's memory, in less than a millisecond.
pub trait Memory: Send + Sync {
    /// How much there is now. `None` if the system does not tell.
    fn memory(&self) -> Option<RamMemory>;
}

/// The card of this machine. It is looked for at each call as long as there is none, because one may come.
#[must_use]
pub fn system() -> Arc<dyn Card> {
    #[cfg(any(target_os = "linux", windows))]
    return Arc::new(nvidia::NvidiaCard::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoCard);
}

/// The memory of this machine.
#[must_use]
pub fn system_memory() -> Arc<dyn Memory> {
    #[cfg(any(target_os = "linux", windows))]
    return Arc::new(ram::SystemMemory);
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::UnknownMemory);
}

pub mod fault;
pub mod null;
#[cfg(any(target_os = "linux", windows))]
pub mod nvidia;
#[cfg(any(target_os = "linux", windows))]
pub mod ram;
