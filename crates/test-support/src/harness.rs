//! The hooks of [`chaos`] and [`one_thread`] in the actor runtime.

pub mod chaos;
pub mod one_thread;

use futures_util::future::BoxFuture;
use luna_actor_runtime::ActorError;
use luna_actor_runtime::hooks::{self, Hooks};

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

/// Installs the hooks for this thread. They are never removed: without orders they have no effect.
fn install() {
    hooks::set(Some(&Harness));
}
