//! The memory available to models: the graphics card's and the computer's (GPU-1, GPU-5).
//!
//! A missing card or management library is not an error: it means "no card".

use std::sync::Arc;

/// Memory of a graphics card, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardMemory {
    pub name: String,
    pub total: u64,
    /// Memory that no program uses now.
    pub free: u64,
}

/// The computer's memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RamMemory {
    pub total: u64,
    /// Memory that programs can get without swapping others to disk.
    pub available: u64,
}

/// Reports the graphics card's memory. A call blocks for less than a millisecond once the driver's library is loaded;
/// the first call blocks for up to seconds if the card sleeps.
pub trait Card: Send + Sync {
    /// The card that models would use, which is the card with the most memory. `None` if there is no card.
    fn memory(&self) -> Option<CardMemory>;
}

/// Reports the computer's memory, in less than a millisecond.
pub trait Memory: Send + Sync {
    /// The current amounts; `None` if the system does not report them.
    fn memory(&self) -> Option<RamMemory>;
}

/// The card of this machine. As long as none is found, each query searches again, because a card may appear.
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
