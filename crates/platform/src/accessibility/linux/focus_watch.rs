//! Follows the keyboard focus by the events of the accessibility bus (ATT-2).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::element::State;
use luna_messages::focus::FocusChange;
use luna_messages::pick::Role;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::super::FocusMove;
use super::events::{FocusSignal, FocusSignals};
use super::focus_memory::FocusMemory;
use super::focus_query::{FocusQuery, FocusVerdict};
use super::focus_queue::{FocusHints, FocusQueue};
use super::{LinuxTree, allowance};
use crate::PlatformError;

/// Deadline of one query. A newer event ends it earlier.
const QUERY_DEADLINE: Duration = Duration::from_millis(700);

type RunningQuery = Pin<Box<dyn Future<Output = FocusVerdict> + Send>>;

/// Reports moves of the focus until `stop` is dropped or the bus is lost; then calls `lost`.
pub(super) async fn follow(
    tree: Arc<LinuxTree>,
    mut events: FocusSignals,
    moved: Box<dyn Fn(FocusMove) + Send>,
    lost: Box<dyn FnOnce(PlatformError) + Send>,
    mut stop: oneshot::Receiver<()>,
) {
    let mut queue = FocusQueue::default();
    let mut memory = FocusMemory::default();
    let mut query: Option<RunningQuery> = None;
    // When the newest event came, with the id of what it leads to.
    let mut newest = (Instant::now(), RequestId::next());
    loop {
        tokio::select! {
            _ = &mut stop => return events.close().await,
            event = events.next() => {
                let Some(event) = event else { break };
                memory.note(&event);
                if !matches!(event, FocusSignal::Deactivated(_)) {
                    newest = (Instant::now(), RequestId::next());
                }
                if queue.take(event, Instant::now()) {
                    query = None;
                }
            }
            verdict = end_of(&mut query) => {
                query = None;
                match verdict {
                    FocusVerdict::Moved(result) => {
                        let (change, known): (FocusChange, FocusMemory) = *result;
                        memory = known;
                        queue.finish();
                        let element = memory.element().filter(|_| !is_protected(&change));
                        let (event_at, id) = newest;
                        moved(FocusMove { id, change, event_at });
                        events.attend(element).await;
                    }
                    FocusVerdict::Left => {
                        memory.leave();
                        queue.finish();
                    }
                    FocusVerdict::Same | FocusVerdict::Nothing => queue.finish(),
                    FocusVerdict::NotYet => queue.retry(Instant::now()),
                    FocusVerdict::Unconnected => {
                        memory.forget_connection();
                        queue.retry(Instant::now());
                    }
                }
            }
            () = until(queue.due()), if query.is_none() => {
                let hints = queue.start();
                let has_patience = queue.has_patience();
                query = Some(Box::pin(ask(Arc::clone(&tree), memory.clone(), hints, has_patience)));
            }
        }
    }
    lost(bus_lost());
}

/// Whether nothing of the element's content may be received.
fn is_protected(change: &FocusChange) -> bool {
    let states = change.element.properties.states;
    change.element.role == Role::Protected || states.contains(State::Protected) || states.contains(State::Withheld)
}

/// Queries where the focus is.
async fn ask(tree: Arc<LinuxTree>, memory: FocusMemory, hints: FocusHints, has_patience: bool) -> FocusVerdict {
    let Ok(session) = tree.session().await else { return FocusVerdict::NotYet };
    let answer = async {
        let begun = Instant::now();
        let verdict = FocusQuery::new(&tree, &session, memory).run(hints, has_patience).await;
        tracing::debug!(calls = allowance::used_calls(), took = ?begun.elapsed(), "Asked where the keyboard focus is.");
        verdict
    };
    let (verdict, _) = allowance::within(QUERY_DEADLINE, answer).await;
    let verdict = verdict.unwrap_or(FocusVerdict::NotYet);
    if matches!(verdict, FocusVerdict::Nothing) && session.check().await.is_err() {
        // The connection for queries was lost; events still come.
        tree.drop_session(&session).await;
        return FocusVerdict::Unconnected;
    }
    verdict
}

/// Where the focus is now; `None` if no application tells.
pub(super) async fn focused(tree: Arc<LinuxTree>) -> Result<Option<FocusChange>, PlatformError> {
    let session = tree.session().await?;
    let query = FocusQuery::new(&tree, &session, FocusMemory::default()).anywhere();
    match allowance::within(QUERY_DEADLINE, query).await.0 {
        Some(Ok(found)) => Ok(found),
        Some(Err(_)) if session.check().await.is_err() => {
            tree.drop_session(&session).await;
            Err(bus_lost())
        }
        Some(Err(_)) | None => Err(PlatformError::NoAnswer),
    }
}

fn bus_lost() -> PlatformError {
    PlatformError::unavailable(
        "The accessibility bus went away.",
        "Luna connects again by itself; if it stays so, log out and in again.",
    )
}

async fn end_of(query: &mut Option<RunningQuery>) -> FocusVerdict {
    match query {
        Some(query) => query.await,
        None => std::future::pending().await,
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}
