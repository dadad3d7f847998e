//! The hooks by which [`crate::chaos`] and [`crate::one_thread`] reach the runtime of their thread.

use futures_util::future::BoxFuture;
use luna_actor_runtime::ActorError;
use luna_actor_runtime::hooks::{self, Hooks};

use crate::{chaos, one_thread};

struct Harness;

impl Hooks for Harness {
    fn before(
        &self,
        actor: &'static str,
        message: Option<&'static str>,
    ) -> Option<BoxFuture<'static, Result<(), ActorError>>> {
        chaos::before(actor, message)
    }

    fn is_one_thread(&self) -> bool {
        one_thread::is_on()
    }

    fn hangs(&self, what: &str) -> bool {
        one_thread::hangs(what)
    }
}

/// From now on the orders of this thread count. Without orders they change nothing, so they are never taken back.
pub(crate) fn install() {
    hooks::set(Some(&Harness));
}
