//! How the parts of a long answer reach its asker: in order, bounded, as fast as the asker takes them (KER-4).
//!
//! The asker's end says by being there that the answer is still wanted: dropping it cancels the work (KER-6).

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The asker has gone, and nobody wants the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nobody reads the answer any more")]
pub struct NobodyReads;

struct State<T> {
    waiting: VecDeque<T>,
    bound: usize,
    /// Wakes the reader for a part or the end.
    reader: Option<Waker>,
    /// Wakes the writer for room, and for the reader's end. Both of its waits are in one task.
    writer: Option<Waker>,
    reader_gone: bool,
    writer_gone: bool,
}

type Shared<T> = Arc<Mutex<State<T>>>;

fn lock<T>(shared: &Shared<T>) -> MutexGuard<'_, State<T>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end that the worker writes to.
pub struct Parts<T> {
    shared: Shared<T>,
}

/// The end that the asker reads from.
pub struct PartsReader<T> {
    shared: Shared<T>,
}

/// A stream of parts of which at most `bound` wait, at least 1.
#[must_use]
pub fn parts<T>(bound: usize) -> (Parts<T>, PartsReader<T>) {
    let state = State {
        waiting: VecDeque::new(),
        bound: bound.max(1),
        reader: None,
        writer: None,
        reader_gone: false,
        writer_gone: false,
    };
    let shared = Arc::new(Mutex::new(state));
    (Parts { shared: shared.clone() }, PartsReader { shared })
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Keeps the waker of a context, where it isn't kept already.
fn keep(place: &mut Option<Waker>, context: &Context<'_>) {
    if !place.as_ref().is_some_and(|kept| kept.will_wake(context.waker())) {
        *place = Some(context.waker().clone());
    }
}

impl<T> Parts<T> {
    /// Hands a part over, once there is room for it.
    ///
    /// # Errors
    /// Where the asker has gone.
    pub async fn send(&self, part: T) -> Result<(), NobodyReads> {
        let mut part = Some(part);
        poll_fn(|context| {
            let mut state = lock(&self.shared);
            if state.reader_gone {
                return Poll::Ready(Err(NobodyReads));
            }
            if state.waiting.len() >= state.bound {
                keep(&mut state.writer, context);
                return Poll::Pending;
            }
            state.waiting.extend(part.take());
            let reader = state.reader.take();
            drop(state);
            wake(reader);
            Poll::Ready(Ok(()))
        })
        .await
    }

    /// Hands a part over that replaces all that wait: for results of which only the newest counts.
    ///
    /// # Errors
    /// Where the asker has gone.
    pub fn replace(&self, part: T) -> Result<(), NobodyReads> {
        let mut state = lock(&self.shared);
        if state.reader_gone {
            return Err(NobodyReads);
        }
        let older = std::mem::replace(&mut state.waiting, VecDeque::from([part]));
        let reader = state.reader.take();
        drop(state);
        // Outside of the lock, like everything that runs code of others.
        drop(older);
        wake(reader);
        Ok(())
    }

    /// Returns once the asker has gone.
    pub async fn nobody_reads(&self) {
        poll_fn(|context| {
            let mut state = lock(&self.shared);
            if state.reader_gone {
                return Poll::Ready(());
            }
            keep(&mut state.writer, context);
            Poll::Pending
        })
        .await;
    }

    /// Whether somebody still reads.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        !lock(&self.shared).reader_gone
    }
}

impl<T> PartsReader<T> {
    /// The next part; `None` after the last. May be dropped and called again without loss.
    pub async fn next(&mut self) -> Option<T> {
        poll_fn(|context| {
            let mut state = lock(&self.shared);
            if let Some(part) = state.waiting.pop_front() {
                let writer = state.writer.take();
                drop(state);
                wake(writer);
                return Poll::Ready(Some(part));
            }
            if state.writer_gone {
                return Poll::Ready(None);
            }
            keep(&mut state.reader, context);
            Poll::Pending
        })
        .await
    }
}

impl<T> Drop for Parts<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        state.writer_gone = true;
        let reader = state.reader.take();
        drop(state);
        wake(reader);
    }
}

impl<T> Drop for PartsReader<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        state.reader_gone = true;
        let unread = std::mem::take(&mut state.waiting);
        let writer = state.writer.take();
        drop(state);
        drop(unread);
        wake(writer);
    }
}

impl<T> fmt::Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_wanted() { "Parts(wanted)" } else { "Parts(nobody reads)" })
    }
}

impl<T> fmt::Debug for PartsReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PartsReader")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn poll<F: Future>(future: std::pin::Pin<&mut F>, count: &Arc<Count>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(&count.clone().into()))
    }

    fn count() -> Arc<Count> {
        Arc::new(Count(AtomicUsize::new(0)))
    }

    // KER-4
    #[test]
    fn a_writer_waits_for_room_and_a_reader_for_parts_ker_4() {
        let (to, mut from) = parts(2);
        let (writer, reader) = (count(), count());
        for part in [1, 2] {
            assert_eq!(poll(pin!(to.send(part)), &writer), Poll::Ready(Ok(())));
        }
        {
            let mut third = pin!(to.send(3));
            assert_eq!(poll(third.as_mut(), &writer), Poll::Pending);
            assert_eq!(poll(pin!(from.next()), &reader), Poll::Ready(Some(1)));
            assert_eq!(writer.0.load(Ordering::SeqCst), 1, "the writer is woken for the room");
            assert_eq!(poll(third.as_mut(), &writer), Poll::Ready(Ok(())));
        }
        assert_eq!(poll(pin!(from.next()), &reader), Poll::Ready(Some(2)));
        assert_eq!(poll(pin!(from.next()), &reader), Poll::Ready(Some(3)));
        {
            let mut next = pin!(from.next());
            assert_eq!(poll(next.as_mut(), &reader), Poll::Pending);
            to.replace(4).unwrap();
            assert_eq!(reader.0.load(Ordering::SeqCst), 1, "the reader is woken for the part");
            assert_eq!(poll(next.as_mut(), &reader), Poll::Ready(Some(4)));
        }
        to.replace(5).unwrap();
        to.replace(6).unwrap();
        drop(to);
        assert_eq!(poll(pin!(from.next()), &reader), Poll::Ready(Some(6)), "only the newest counts");
        assert_eq!(poll(pin!(from.next()), &reader), Poll::Ready(None));
    }

    // KER-6
    #[test]
    fn a_reader_that_goes_is_noticed_in_every_wait_ker_6() {
        let (to, from) = parts(1);
        let writer = count();
        assert_eq!(poll(pin!(to.send(1)), &writer), Poll::Ready(Ok(())));
        let (mut second, mut gone) = (pin!(to.send(2)), pin!(to.nobody_reads()));
        assert_eq!(poll(second.as_mut(), &writer), Poll::Pending);
        assert_eq!(poll(gone.as_mut(), &writer), Poll::Pending);
        assert!(to.is_wanted());
        drop(from);
        assert!(writer.0.load(Ordering::SeqCst) >= 1 && !to.is_wanted());
        assert_eq!(poll(second.as_mut(), &writer), Poll::Ready(Err(NobodyReads)));
        assert_eq!(poll(gone.as_mut(), &writer), Poll::Ready(()));
        assert_eq!(to.replace(3), Err(NobodyReads));
    }
}
