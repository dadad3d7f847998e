//! Doubles and tiny models, for tests, benches and examples only: no product code depends on this crate.
//!
//! For tests of actors: run a handler without a tree, inspect posted messages, collect answers and events. For tests of a whole tree: everything on
//! one thread under a paused clock, actors that fail on demand, engines without programs. For real engines: loadable models of some kilobytes.

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

/// An inbox without an actor; read it with [`drain`].
#[must_use]
pub fn inbox<M: Message>() -> Inbox<M> {
    Inbox::new("test", InboxSettings::default())
}

/// A context for calling an actor's functions directly.
#[must_use]
pub fn context<M: Message>(inbox: &Inbox<M>) -> ActorContext<M> {
    ActorContext::detached(inbox.clone())
}

/// Removes all waiting messages, in the order in which an actor would receive them.
pub fn drain<M: Message>(inbox: &Inbox<M>) -> Vec<M> {
    inbox.take_all()
}

/// Waits for a message, then removes all waiting messages; empty if none arrives within `within`.
pub async fn drain_soon<M: Message>(inbox: &Inbox<M>, within: Duration) -> Vec<M> {
    let mut messages = drain(inbox);
    let until = tokio::time::Instant::now() + within;
    while messages.is_empty() && tokio::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(1)).await;
        messages = drain(inbox);
    }
    messages
}

/// A reply and the receiver of its answer.
pub fn reply<T: Send + 'static>() -> (Reply<T>, oneshot::Receiver<Result<T, NoReply>>) {
    let (sender, answer) = oneshot::channel();
    let deliver = move |result| {
        // A test that dropped the receiver needs no answer.
        let _ = sender.send(result);
    };
    (Reply::new(deliver), answer)
}

/// Collects the events of a tree.
#[derive(Debug, Clone, Default)]
pub struct EventLog {
    events: Arc<Mutex<Vec<TreeEvent>>>,
}

impl EventLog {
    /// An observer that writes to this log.
    #[must_use]
    pub fn observer(&self) -> TreeObserver {
        let events = self.events.clone();
        Arc::new(move |event| lock(&events).push(event))
    }

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
