//! How many connections there are, and which goes when there are too many (PRV-4).
//!
//! Anybody on this machine can open connections, each of which costs a descriptor that engines and `luna ctl` need. So there is a limit, and beyond
//! it the newcomer takes the place of who showed no token and has been here longest: a program that has something to ask does so at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Which goes first when there are too many: the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It never showed the token.
    Unknown,
    /// It showed the token and asks for nothing now.
    Idle,
    /// It showed the token and is being answered: it never goes.
    Busy,
}

/// What is known of one connection. Requests carry it, so that the check of the token can note its outcome.
#[derive(Debug, Default)]
pub struct ConnectionInfo {
    trusted: AtomicBool,
    /// Requests with the token that are being answered, streams of events among them.
    answering: AtomicUsize,
    close: Notify,
}

impl ConnectionInfo {
    fn standing(&self) -> Standing {
        match (self.answering.load(Ordering::Relaxed), self.trusted.load(Ordering::Relaxed)) {
            (0, false) => Standing::Unknown,
            (0, true) => Standing::Idle,
            _ => Standing::Busy,
        }
    }

    /// Notes that it showed the token; it is busy until the result is dropped.
    pub fn trust(self: &Arc<Self>) -> Answering {
        self.trusted.store(true, Ordering::Relaxed);
        self.answering.fetch_add(1, Ordering::Relaxed);
        Answering(self.clone())
    }

    /// Returns once it has to make room.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

/// A request with the token is being answered.
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
    most: usize,
}

#[derive(Default)]
struct ConnectionsState {
    open: BTreeMap<u64, Arc<ConnectionInfo>>,
    /// Never given twice: one that had to make room still has its number for a moment.
    next: u64,
}

/// A connection's place; given back when it is dropped.
pub struct ConnectionSlot {
    number: u64,
    connection: Arc<ConnectionInfo>,
    all: Connections,
}

impl Connections {
    /// None yet, and never more than `most`.
    pub fn new(most: usize) -> Self {
        Self { inside: Arc::default(), most }
    }

    /// A place for a new connection. `None` if all are busy for who has the token.
    pub fn admit(&self) -> Option<ConnectionSlot> {
        if self.lock().open.len() >= self.most && !self.close_one() {
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

    /// Closes the one that is needed least. False if there is none.
    pub fn close_one(&self) -> bool {
        let mut inside = self.lock();
        let standings = inside.open.iter().map(|(number, connection)| (*number, connection.standing()));
        let goes = first_to_go(standings);
        let Some(connection) = goes.and_then(|number| inside.open.remove(&number)) else { return false };
        drop(inside);
        connection.close.notify_one();
        true
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionsState> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// What is known of it.
    pub fn connection(&self) -> &Arc<ConnectionInfo> {
        &self.connection
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.all.lock().open.remove(&self.number);
    }
}

/// The oldest of those that are needed least; nobody who is being answered.
fn first_to_go(standings: impl Iterator<Item = (u64, Standing)>) -> Option<u64> {
    let idle = standings.filter(|(_, standing)| *standing != Standing::Busy);
    idle.min_by_key(|(number, standing)| (*standing, *number)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn strangers_go_first_and_the_oldest_of_them_prv_4() {
        use Standing::{Busy, Idle, Unknown};
        for (standings, expect) in [
            (vec![], None),
            (vec![Busy, Busy], None),
            (vec![Unknown, Unknown], Some(0)),
            (vec![Busy, Idle, Unknown, Unknown], Some(2)),
            (vec![Busy, Idle, Idle], Some(1)),
        ] {
            let all = standings.iter().copied().enumerate();
            assert_eq!(first_to_go(all.map(|(n, standing)| (n as u64, standing))), expect, "{standings:?}");
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
        // One of them still streams; of the others the older one goes.
        drop(all.admit().unwrap());
        assert_eq!(all.lock().open.len(), 2);
        drop(streamed);
        drop(places);
        assert!(all.lock().open.is_empty());
    }
}
