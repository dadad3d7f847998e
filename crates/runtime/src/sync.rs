//! The synchronisation that the core of the inbox is built of: the standard library's, or loom's while loom checks it.

#[cfg(not(loom))]
pub use std::sync::{Arc, Mutex, MutexGuard, atomic::AtomicBool, atomic::Ordering};

#[cfg(loom)]
pub use loom::sync::{Arc, Mutex, MutexGuard, atomic::AtomicBool, atomic::Ordering};

/// Locks `mutex`. Nothing that can panic runs under the locks of this crate, so a poisoned lock still guards a whole value.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
