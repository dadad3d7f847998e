//! What a test harness may put in the way of all that runs on its thread: actors that fail on order, calls that hang. Nobody sets it in a
//! product.
//!
//! It is the thread's and not a setting, because trees are made deep inside of what is tested: `luna::tree` hands no test a setting.

use std::cell::Cell;

use futures_util::future::BoxFuture;

use crate::actor::ActorError;

/// A harness.
pub trait Hooks {
    /// What happens before an actor starts (`message` is `None`) or handles a message of that kind; `None`: nothing.
    fn before(
        &self,
        actor: &'static str,
        message: Option<&'static str>,
    ) -> Option<BoxFuture<'static, Result<(), ActorError>>>;

    /// Whether what has threads of its own elsewhere runs as tasks of this thread's runtime, so that a paused clock rules it.
    fn is_one_thread(&self) -> bool;

    /// Whether calls to what [`crate::outside`] calls `what` never return.
    fn hangs(&self, what: &str) -> bool;
}

thread_local! {
    static HERE: Cell<Option<&'static dyn Hooks>> = const { Cell::new(None) };
}

/// Sets the hooks of this thread, for runtimes of one thread.
pub fn set(hooks: Option<&'static dyn Hooks>) {
    HERE.set(hooks);
}

/// As [`Hooks::before`].
pub(crate) async fn before(actor: &'static str, message: Option<&'static str>) -> Result<(), ActorError> {
    match HERE.get().and_then(|hooks| hooks.before(actor, message)) {
        Some(happens) => happens.await,
        None => Ok(()),
    }
}

/// As [`Hooks::is_one_thread`].
pub(crate) fn is_one_thread() -> bool {
    HERE.get().is_some_and(Hooks::is_one_thread)
}

/// As [`Hooks::hangs`].
pub(crate) fn hangs(what: &str) -> bool {
    HERE.get().is_some_and(|hooks| hooks.hangs(what))
}
