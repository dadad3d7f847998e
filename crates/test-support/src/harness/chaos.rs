//! Faults that strike actors on order, for tests of a whole tree whose actors themselves do no wrong.
//!
//! Orders hold for the thread that gave them: for runtimes of one thread.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use luna_actor_runtime::ActorError;
use luna_mailbox::sync::lock;
use tokio::time::Instant;

/// What happens to an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strike {
    /// It panics, with [`OnOrder`] as its payload.
    Panic,
    /// It returns an error.
    Error,
    /// It waits for ever.
    Hang,
    /// It waits so long, then goes on as if nothing had been.
    Slow(Duration),
}

/// When it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// While it starts.
    Start,
    /// While it handles a message.
    Message,
    /// While it handles a message of this kind.
    MessageOf(&'static str),
}

/// The payload of a panic on order, by which a panic hook can tell it from a true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnOrder;

#[derive(Debug, Clone, Copy)]
struct ChaosOrder {
    actor: &'static str,
    moment: Moment,
    strike: Strike,
}

#[derive(Debug, Default)]
struct ChaosState {
    waiting: VecDeque<ChaosOrder>,
    /// When each actor was struck last.
    struck: HashMap<&'static str, Instant>,
}

type Orders = Arc<Mutex<ChaosState>>;

thread_local! {
    static HERE: RefCell<Option<Orders>> = const { RefCell::new(None) };
}

/// The orders of this thread. Dropping it takes back what did not happen yet.
#[derive(Debug)]
pub struct Chaos(Orders);

impl Chaos {
    /// No orders yet; those of an earlier one on this thread are gone.
    #[must_use]
    pub fn here() -> Self {
        let orders = Orders::default();
        super::install();
        HERE.set(Some(orders.clone()));
        Self(orders)
    }

    /// Orders `strike` for the next `times` such moments of `actor`, after those that were ordered before.
    pub fn order(&self, actor: &'static str, moment: Moment, strike: Strike, times: usize) {
        lock(&self.0).waiting.extend(std::iter::repeat_n(ChaosOrder { actor, moment, strike }, times));
    }

    /// How many orders did not happen yet.
    #[must_use]
    pub fn left(&self) -> usize {
        lock(&self.0).waiting.len()
    }

    /// How many orders for that actor did not happen yet.
    #[must_use]
    pub fn left_for(&self, actor: &str) -> usize {
        lock(&self.0).waiting.iter().filter(|order| order.actor == actor).count()
    }

    /// When that actor was struck last.
    #[must_use]
    pub fn struck(&self, actor: &str) -> Option<Instant> {
        lock(&self.0).struck.get(actor).copied()
    }

    /// Takes back what did not happen yet.
    pub fn clear(&self) {
        lock(&self.0).waiting.clear();
    }
}

impl Drop for Chaos {
    fn drop(&mut self) {
        HERE.set(None);
    }
}

fn take(actor: &str, message: Option<&str>) -> Option<Strike> {
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

/// What was ordered for this moment. `message`: its kind; `None` at the start.
pub(super) fn before(actor: &str, message: Option<&str>) -> Option<BoxFuture<'static, Result<(), ActorError>>> {
    let strike = take(actor, message)?;
    Some(Box::pin(async move {
        match strike {
            Strike::Panic => std::panic::panic_any(OnOrder),
            Strike::Error => Err(ActorError::new("an error on order")),
            Strike::Hang => std::future::pending().await,
            Strike::Slow(time) => {
                tokio::time::sleep(time).await;
                Ok(())
            }
        }
    }))
}
