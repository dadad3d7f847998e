//! Runs on one thread what otherwise has its own threads, so that a paused clock controls it and each run is the same.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::marker::PhantomData;

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static HUNG: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// While it exists, [`luna_actor_runtime::periodic_task`] and [`luna_actor_runtime::outside`] start no threads from this one. For single-threaded
/// runtimes.
#[derive(Debug)]
#[must_use = "dropping it brings the threads back"]
pub struct OneThread {
    /// Not `Send`: it applies to the thread that created it.
    _stays: PhantomData<*const ()>,
}

impl OneThread {
    /// Applies to the current thread.
    pub fn here() -> Self {
        super::install();
        ON.set(true);
        Self { _stays: PhantomData }
    }
}

impl Drop for OneThread {
    fn drop(&mut self) {
        ON.set(false);
        HUNG.with_borrow_mut(BTreeSet::clear);
    }
}

/// Sets whether calls to the [`luna_actor_runtime::outside`] resource named `what` hang.
pub fn hang(what: &'static str, hangs: bool) {
    HUNG.with_borrow_mut(|hung| if hangs { hung.insert(what) } else { hung.remove(what) });
}

pub(super) fn hangs(what: &str) -> bool {
    HUNG.with_borrow(|hung| hung.contains(what))
}

pub(super) fn is_on() -> bool {
    ON.get()
}
