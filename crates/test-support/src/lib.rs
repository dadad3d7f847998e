//! Doubles and tiny models, for tests and benches only: no product code depends on this crate.
//!
//! For the tests of actors: run a handler without a tree, see what was posted, catch answers and events. For tests of a whole tree: everything on one
//! thread under a paused clock, actors that fail on order, engines without programs. For real engines: models of some kilobytes that they load.

#![forbid(unsafe_code)]

pub mod engine_double;
pub mod engines;
mod harness;
pub mod recorder;
pub mod tiny_models;
pub mod token_double;

pub use harness::{chaos, one_thread};

use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_actor_runtime::supervisor::{TreeEvent, TreeObserver};
use luna_actor_runtime::{ActorContext, Inbox, InboxSettings};
use luna_mailbox::sync::lock;
use luna_messages::{Message, NoReply, Reply};
use tokio::sync::oneshot;

/// An inbox that nobody reads; look into it with [`drain`].
#[must_use]
pub fn inbox<M: Message>() -> Inbox<M> {
    Inbox::new("test", InboxSettings::default())
}

/// A context for calling an actor's functions directly.
#[must_use]
pub fn context<M: Message>(inbox: &Inbox<M>) -> ActorContext<M> {
    ActorContext::detached(inbox.clone())
}

/// Takes out what waits, in the order in which an actor would get it.
pub fn drain<M: Message>(inbox: &Inbox<M>) -> Vec<M> {
    inbox.take_all()
}

/// Waits until a message is there, then takes out what waits; empty after `within`.
pub async fn drain_soon<M: Message>(inbox: &Inbox<M>, within: Duration) -> Vec<M> {
    let mut messages = drain(inbox);
    let until = tokio::time::Instant::now() + within;
    while messages.is_empty() && tokio::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(1)).await;
        messages = drain(inbox);
    }
    messages
}

/// A reply and where its answer arrives.
pub fn reply<T: Send + 'static>() -> (Reply<T>, oneshot::Receiver<Result<T, NoReply>>) {
    let (sender, answer) = oneshot::channel();
    let deliver = move |result| {
        // A test that no longer listens needs no answer.
        let _ = sender.send(result);
    };
    (Reply::new(deliver), answer)
}

/// Collects what a tree tells.
#[derive(Debug, Clone, Default)]
pub struct EventLog {
    events: Arc<Mutex<Vec<TreeEvent>>>,
}

impl EventLog {
    /// An observer that writes into this log.
    #[must_use]
    pub fn observer(&self) -> TreeObserver {
        let events = self.events.clone();
        Arc::new(move |event| lock(&events).push(event))
    }

    /// Everything so far.
    #[must_use]
    pub fn all(&self) -> Vec<TreeEvent> {
        lock(&self.events).clone()
    }

    /// Waits until an event satisfies `wanted`; `None` after `within`.
    pub async fn wait_for(&self, within: Duration, wanted: impl Fn(&TreeEvent) -> bool) -> Option<TreeEvent> {
        let until = tokio::time::Instant::now() + within;
        loop {
            if let Some(event) = self.all().into_iter().find(&wanted) {
                return Some(event);
            }
            if tokio::time::Instant::now() >= until {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}
