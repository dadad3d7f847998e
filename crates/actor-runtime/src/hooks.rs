//! Hooks with which a test harness interferes with everything on its thread: actors that fail on order, calls that hang. Never set in a product.
//!
//! They are set per thread, because trees are made deep inside the code under test: `luna::tree` does not pass on settings of a test.

use std::cell::Cell;

use futures_util::future::BoxFuture;

use crate::actor::ActorError;

/// A test harness.
pub trait Hooks {
    /// Runs before an actor starts (`message` is `None`) or handles a message of that kind. Returns `None` to run nothing.
    fn before(
        &self,
        actor: &'static str,
        message: Option<&'static str>,
    ) -> Option<BoxFuture<'static, Result<(), ActorError>>>;

    /// Whether work that normally has threads of its own runs as tasks of this thread's runtime, so that a paused clock controls it.
    fn is_one_thread(&self) -> bool;

    /// Whether calls to the target named `what` (see [`crate::blocking`]) never return.
    fn hangs(&self, what: &str) -> bool;
}

thread_local! {
    static HOOKS: Cell<Option<&'static dyn Hooks>> = const { Cell::new(None) };
}

/// Sets the hooks of this thread, for runtimes of one thread.
pub fn set(hooks: Option<&'static dyn Hooks>) {
    HOOKS.set(hooks);
}

/// See [`Hooks::before`].
pub(crate) async fn before(actor: &'static str, message: Option<&'static str>) -> Result<(), ActorError> {
    match HOOKS.get().and_then(|hooks| hooks.before(actor, message)) {
        Some(happens) => happens.await,
        None => Ok(()),
    }
}

/// See [`Hooks::is_one_thread`].
pub(crate) fn is_one_thread() -> bool {
    HOOKS.get().is_some_and(Hooks::is_one_thread)
}

/// See [`Hooks::hangs`].
pub(crate) fn hangs(what: &str) -> bool {
    HOOKS.get().is_some_and(|hooks| hooks.hangs(what))
}
