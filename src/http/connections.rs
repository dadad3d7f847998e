//! Limits the number of connections and chooses which to close (PRV-4).
//!
//! Any user of this machine can open connections, each of which costs a descriptor that engines and `luna ctl` need. Beyond the limit, a new
//! connection replaces the oldest that showed no token: a program that has a request sends it at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Priority of a connection; the smallest is closed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConnectionState {
    /// The client never showed the token.
    Unknown,
    /// The client showed the token and has no request now.
    Idle,
    /// The client showed the token and is being answered: never closed.
    Busy,
}

/// State of one connection. Requests carry it, so that the token check can record its outcome.
#[derive(Debug, Default)]
pub struct ConnectionInfo {
    trusted: AtomicBool,
    /// Requests with the token that are being answered, including event streams.
    answering: AtomicUsize,
    close: Notify,
}

impl ConnectionInfo {
    fn state(&self) -> ConnectionState {
        match (self.answering.load(Ordering::Relaxed), self.trusted.load(Ordering::Relaxed)) {
            (0, false) => ConnectionState::Unknown,
            (0, true) => ConnectionState::Idle,
            _ => ConnectionState::Busy,
        }
    }

    /// Records that the client showed the token; the connection is busy until the returned guard is dropped.
    pub fn trust(self: &Arc<Self>) -> Answering {
        self.trusted.store(true, Ordering::Relaxed);
        self.answering.fetch_add(1, Ordering::Relaxed);
        Answering(self.clone())
    }

    /// Resolves when the connection must close.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

/// Guard of a request with the token while it is answered.
#[derive(Debug)]
pub struct Answering(Arc<ConnectionInfo>);

impl Clone for Answering {
    fn clone(&self) -> Self {
        self.0.trust()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// All open connections, oldest first.
#[derive(Clone)]
pub struct Connections {
    inside: Arc<Mutex<ConnectionsState>>,
    limit: usize,
}

#[derive(Default)]
struct ConnectionsState {
    open: BTreeMap<u64, Arc<ConnectionInfo>>,
    /// Number of the next connection. Never reused: a closed connection keeps its number for a moment.
    next: u64,
}

/// A connection's slot; freed on drop.
pub struct ConnectionSlot {
    number: u64,
    connection: Arc<ConnectionInfo>,
    all: Connections,
}

impl Connections {
    /// Admits at most `limit` connections at a time.
    pub fn new(limit: usize) -> Self {
        Self { inside: Arc::default(), limit }
    }

    /// Admits a new connection. `None` if all are busy with trusted requests.
    pub fn admit(&self) -> Option<ConnectionSlot> {
        if self.lock().open.len() >= self.limit && !self.close_one() {
            return None;
        }
        let connection = Arc::<ConnectionInfo>::default();
        let mut inside = self.lock();
        let number = inside.next;
        inside.next += 1;
        inside.open.insert(number, connection.clone());
        drop(inside);
        Some(ConnectionSlot { number, connection, all: self.clone() })
    }

    /// Closes the least needed connection. Returns false if all are busy.
    pub fn close_one(&self) -> bool {
        let mut inside = self.lock();
        let states = inside.open.iter().map(|(number, connection)| (*number, connection.state()));
        let closing = next_to_close(states);
        let Some(connection) = closing.and_then(|number| inside.open.remove(&number)) else { return false };
        drop(inside);
        connection.close.notify_one();
        true
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionsState> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// State of the connection.
    pub fn connection(&self) -> &Arc<ConnectionInfo> {
        &self.connection
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.all.lock().open.remove(&self.number);
    }
}

/// The oldest connection of the lowest priority; never a busy one.
fn next_to_close(states: impl Iterator<Item = (u64, ConnectionState)>) -> Option<u64> {
    let idle = states.filter(|(_, state)| *state != ConnectionState::Busy);
    idle.min_by_key(|(number, state)| (*state, *number)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn strangers_go_first_and_the_oldest_of_them_prv_4() {
        use ConnectionState::{Busy, Idle, Unknown};
        for (states, expect) in [
            (vec![], None),
            (vec![Busy, Busy], None),
            (vec![Unknown, Unknown], Some(0)),
            (vec![Busy, Idle, Unknown, Unknown], Some(2)),
            (vec![Busy, Idle, Idle], Some(1)),
        ] {
            let all = states.iter().copied().enumerate();
            assert_eq!(next_to_close(all.map(|(n, state)| (n as u64, state))), expect, "{states:?}");
        }
    }

    // PRV-4
    #[test]
    fn there_are_never_more_than_the_limit_and_each_gives_its_place_back_prv_4() {
        let all = Connections::new(3);
        let mut places: Vec<_> = (0..100).map(|_| all.admit().unwrap()).collect();
        assert_eq!(all.lock().open.len(), 3);
        places.drain(..97);
        let answering: Vec<_> = places.iter().map(|place| place.connection().trust()).collect();
        assert!(all.admit().is_none() && !all.close_one());
        let streamed = answering[0].clone();
        drop(answering);
        // One connection still streams; of the other two the older is closed.
        drop(all.admit().unwrap());
        assert_eq!(all.lock().open.len(), 2);
        drop(streamed);
        drop(places);
        assert!(all.lock().open.is_empty());
    }
}
