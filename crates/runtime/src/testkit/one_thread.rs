//! Everything on one thread: what has threads of its own elsewhere runs as tasks, so that a paused clock rules it and each run is the same.

use std::cell::Cell;
use std::marker::PhantomData;

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, [`crate::pace`] and [`crate::task::blocking`] start no thread from here. For runtimes of one thread.
#[derive(Debug)]
#[must_use = "dropping it brings the threads back"]
pub struct OneThread {
    /// It counts for the thread that made it.
    _stays: PhantomData<*const ()>,
}

impl OneThread {
    /// From now on.
    pub fn here() -> Self {
        ON.set(true);
        Self { _stays: PhantomData }
    }
}

impl Drop for OneThread {
    fn drop(&mut self) {
        ON.set(false);
    }
}

pub(crate) fn is_on() -> bool {
    ON.get()
}
