//! The synchronisation primitives of the mailbox: the standard library's, or loom's while loom checks it.

#[cfg(not(luna_loom))]
pub use std::sync::{Arc, Mutex, MutexGuard, atomic::AtomicBool, atomic::Ordering};

#[cfg(luna_loom)]
pub use loom::sync::{Arc, Mutex, MutexGuard, atomic::AtomicBool, atomic::Ordering};

/// Number of tries for a lock before the thread sleeps: about ten microseconds.
#[cfg(not(luna_loom))]
const TRIES: u32 = 400;

/// Locks `mutex`. Nothing that can panic runs under the locks of this crate, so a poisoned lock still guards a consistent value.
///
/// The locks are held for some ten nanoseconds at a time, by drainers that soon take them again. A thread that sleeps for such a lock loses it
/// repeatedly and wakes milliseconds later; in measurements, one urgent message in a hundred waited that long. So it spins for a while first.
#[cfg(not(luna_loom))]
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..TRIES {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Locks `mutex` as loom sees it.
#[cfg(luna_loom)]
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
