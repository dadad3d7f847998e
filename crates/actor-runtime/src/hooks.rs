//! Where a test harness can interfere with all that runs on its thread: actors that fail on order, calls that hang. Never set in a product.
//!
//! Per thread and not a setting, because trees are made deep inside the code under test: `luna::tree` passes no setting of a test on.

use std::cell::Cell;

use futures_util::future::BoxFuture;

use crate::actor::ActorError;

/// A test harness.
pub trait Hooks {
    /// Runs before an actor starts (`message` is `None`) or handles a message of that kind; `None`: nothing runs.
    fn before(
        &self,
        actor: &'static str,
        message: Option<&'static str>,
    ) -> Option<BoxFuture<'static, Result<(), ActorError>>>;

    /// Whether work that normally has threads of its own runs as tasks of this thread's runtime, so that a paused clock controls it.
    fn is_one_thread(&self) -> bool;

    /// Whether calls to what [`crate::blocking`] calls `what` never return.
    fn hangs(&self, what: &str) -> bool;
}

thread_local! {
    static HERE: Cell<Option<&'static dyn Hooks>> = const { Cell::new(None) };
}

/// Sets the hooks of this thread, for runtimes of one thread.
pub fn set(hooks: Option<&'static dyn Hooks>) {
    HERE.set(hooks);
}

/// See [`Hooks::before`].
pub(crate) async fn before(actor: &'static str, message: Option<&'static str>) -> Result<(), ActorError> {
    match HERE.get().and_then(|hooks| hooks.before(actor, message)) {
        Some(happens) => happens.await,
        None => Ok(()),
    }
}

/// See [`Hooks::is_one_thread`].
pub(crate) fn is_one_thread() -> bool {
    HERE.get().is_some_and(Hooks::is_one_thread)
}

/// See [`Hooks::hangs`].
pub(crate) fn hangs(what: &str) -> bool {
    HERE.get().is_some_and(|hooks| hooks.hangs(what))
}
