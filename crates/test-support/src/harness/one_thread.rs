//! Everything on one thread: what has threads of its own elsewhere runs as tasks, so that a paused clock rules it and each run is the same.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::marker::PhantomData;

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static HUNG: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// While it lives, [`luna_actor_runtime::pace`] and [`luna_actor_runtime::outside`] start no thread from here. For runtimes of one thread.
#[derive(Debug)]
#[must_use = "dropping it brings the threads back"]
pub struct OneThread {
    /// It counts for the thread that made it.
    _stays: PhantomData<*const ()>,
}

impl OneThread {
    /// From now on.
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

/// From now on calls to what [`luna_actor_runtime::outside`] calls `what` never return, or do again.
pub fn hang(what: &'static str, hangs: bool) {
    HUNG.with_borrow_mut(|hung| if hangs { hung.insert(what) } else { hung.remove(what) });
}

pub(super) fn hangs(what: &str) -> bool {
    HUNG.with_borrow(|hung| hung.contains(what))
}

pub(super) fn is_on() -> bool {
    ON.get()
}
