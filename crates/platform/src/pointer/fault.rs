//! A pointer that moves and fails on request, for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luna_messages::Point;

use super::{Pointer, Watch};
use crate::PlatformError;

/// A double of the pointer, moved by the test. Clones share the same pointer.
#[derive(Clone, Default)]
pub struct ScriptedPointer {
    state: Arc<Mutex<ScriptedPointerState>>,
}

#[derive(Default)]
struct ScriptedPointerState {
    at: Point,
    /// The error that all calls return while it is set.
    refusal: Option<PlatformError>,
    /// The current watchers, in the order of their registration.
    watchers: BTreeMap<u64, Arc<Mutex<Option<Watcher>>>>,
    next: u64,
}

struct Watcher {
    moved: Box<dyn Fn(Point) + Send>,
    lost: Box<dyn FnOnce(PlatformError) + Send>,
}

impl ScriptedPointer {
    /// A pointer at `at`.
    #[must_use]
    pub fn new(at: Point) -> Self {
        let pointer = Self::default();
        pointer.state().at = at;
        pointer
    }

    /// Moves the pointer; all watchers are called on this thread before the call returns.
    pub fn move_to(&self, at: Point) {
        self.state().at = at;
        for watcher in self.watchers() {
            if let Some(watcher) = lock(&watcher).as_ref() {
                (watcher.moved)(at);
            }
        }
    }

    /// Moves the pointer along `path` on a separate thread, pausing before each step; returns at once.
    pub fn play(&self, path: Vec<(Duration, Point)>) -> std::thread::JoinHandle<()> {
        let pointer = self.clone();
        std::thread::spawn(move || {
            for (pause, at) in path {
                std::thread::sleep(pause);
                pointer.move_to(at);
            }
        })
    }

    /// Answers calls and new watches with `error` from now on; `None` restores normal operation.
    pub fn refuse(&self, error: Option<PlatformError>) {
        self.state().refusal = error;
    }

    /// Simulates the loss of the display: every watcher gets `error` once and then no more calls.
    pub fn lose(&self, error: &PlatformError) {
        let watchers = std::mem::take(&mut self.state().watchers);
        for watcher in watchers.into_values() {
            let watcher = lock(&watcher).take();
            if let Some(watcher) = watcher {
                (watcher.lost)(error.clone());
            }
        }
    }

    /// The current number of watchers.
    #[must_use]
    pub fn watcher_count(&self) -> usize {
        self.state().watchers.len()
    }

    fn watchers(&self) -> Vec<Arc<Mutex<Option<Watcher>>>> {
        self.state().watchers.values().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, ScriptedPointerState> {
        lock(&self.state)
    }
}

impl Pointer for ScriptedPointer {
    fn position(&self) -> Result<Point, PlatformError> {
        let state = self.state();
        state.refusal.clone().map_or(Ok(state.at), Err)
    }

    fn watch(
        &self,
        moved: Box<dyn Fn(Point) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        let mut state = self.state();
        if let Some(error) = &state.refusal {
            return Err(error.clone());
        }
        let id = state.next;
        state.next += 1;
        state.watchers.insert(id, Arc::new(Mutex::new(Some(Watcher { moved, lost }))));
        let state = Arc::clone(&self.state);
        Ok(Watch::new(move || {
            lock(&state).watchers.remove(&id);
        }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn watchers_hear_of_moves_until_they_are_dropped_and_of_the_loss_once() {
        let pointer = ScriptedPointer::new(Point::new(1, 1));
        let (moves, heard) = channel();
        let (losses, lost) = channel();
        let watch = |moves: std::sync::mpsc::Sender<Point>, losses: std::sync::mpsc::Sender<PlatformError>| {
            pointer
                .watch(
                    Box::new(move |at| moves.send(at).unwrap_or_default()),
                    Box::new(move |error| losses.send(error).unwrap_or_default()),
                )
                .unwrap()
        };
        let first = watch(moves.clone(), losses.clone());
        pointer.move_to(Point::new(2, 2));
        assert_eq!(pointer.position(), Ok(Point::new(2, 2)));
        drop(first);
        pointer.move_to(Point::new(3, 3));
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [Point::new(2, 2)]);

        let _second = watch(moves, losses);
        pointer.lose(&PlatformError::Gone);
        pointer.lose(&PlatformError::Gone);
        assert_eq!(lost.try_iter().collect::<Vec<_>>(), [PlatformError::Gone]);
        assert_eq!(pointer.watcher_count(), 0);

        pointer.refuse(Some(PlatformError::Gone));
        assert_eq!(pointer.position(), Err(PlatformError::Gone));
    }
}
