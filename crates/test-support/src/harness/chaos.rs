//! Fault injection for actors, in tests of a whole tree whose actors have no faults of their own.
//!
//! Orders apply to the thread that gave them, so they need a single-threaded runtime.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use luna_actor_runtime::ActorError;
use luna_mailbox::sync::lock;
use tokio::time::Instant;

/// What an actor does instead of its work, on a test's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InjectedFault {
    /// Panics with [`InjectedPanic`] as payload.
    Panic,
    /// Returns an error.
    Error,
    /// Never returns.
    Hang,
    /// Waits this long, then continues normally.
    Slow(Duration),
}

/// When a fault happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// While the actor starts.
    Start,
    /// While the actor handles a message.
    Message,
    /// While the actor handles a message of this kind.
    MessageOf(&'static str),
}

/// The payload of an injected panic, so that a panic hook can distinguish it from a real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedPanic;

#[derive(Debug, Clone, Copy)]
struct ChaosOrder {
    actor: &'static str,
    moment: Moment,
    strike: InjectedFault,
}

#[derive(Debug, Default)]
struct ChaosState {
    waiting: VecDeque<ChaosOrder>,
    /// Time of each actor's last fault.
    struck: HashMap<&'static str, Instant>,
}

type Orders = Arc<Mutex<ChaosState>>;

thread_local! {
    static HERE: RefCell<Option<Orders>> = const { RefCell::new(None) };
}

/// The orders of this thread. Dropping it cancels orders that have not happened yet.
#[derive(Debug)]
pub struct Chaos(Orders);

impl Chaos {
    /// Starts without orders; cancels those of an earlier `Chaos` on this thread.
    #[must_use]
    pub fn here() -> Self {
        let orders = Orders::default();
        super::install();
        HERE.set(Some(orders.clone()));
        Self(orders)
    }

    /// Orders `strike` for the next `times` such moments of `actor`, after earlier orders.
    pub fn order(&self, actor: &'static str, moment: Moment, strike: InjectedFault, times: usize) {
        lock(&self.0).waiting.extend(std::iter::repeat_n(ChaosOrder { actor, moment, strike }, times));
    }

    /// Number of orders that have not happened yet.
    #[must_use]
    pub fn left(&self) -> usize {
        lock(&self.0).waiting.len()
    }

    /// Number of orders for that actor that have not happened yet.
    #[must_use]
    pub fn left_for(&self, actor: &str) -> usize {
        lock(&self.0).waiting.iter().filter(|order| order.actor == actor).count()
    }

    /// Time of that actor's last fault.
    #[must_use]
    pub fn struck(&self, actor: &str) -> Option<Instant> {
        lock(&self.0).struck.get(actor).copied()
    }

    /// Cancels orders that have not happened yet.
    pub fn clear(&self) {
        lock(&self.0).waiting.clear();
    }
}

impl Drop for Chaos {
    fn drop(&mut self) {
        HERE.set(None);
    }
}

fn take(actor: &str, message: Option<&str>) -> Option<InjectedFault> {
    HERE.with_borrow(|here| {
        let mut orders = lock(here.as_ref()?);
        let fits = |order: &ChaosOrder| {
            order.actor == actor
                && match order.moment {
                    Moment::Start => message.is_none(),
                    Moment::Message => message.is_some(),
                    Moment::MessageOf(kind) => message == Some(kind),
                }
        };
        let at = orders.waiting.iter().position(fits)?;
        let order = orders.waiting.remove(at)?;
        orders.struck.insert(order.actor, Instant::now());
        Some(order.strike)
    })
}

/// The fault ordered for this moment. `message` is the message's kind; `None` at the actor's start.
pub(super) fn before(actor: &str, message: Option<&str>) -> Option<BoxFuture<'static, Result<(), ActorError>>> {
    let strike = take(actor, message)?;
    Some(Box::pin(async move {
        match strike {
            InjectedFault::Panic => std::panic::panic_any(InjectedPanic),
            InjectedFault::Error => Err(ActorError::new("an error on order")),
            InjectedFault::Hang => std::future::pending().await,
            InjectedFault::Slow(time) => {
                tokio::time::sleep(time).await;
                Ok(())
            }
        }
    }))
}
