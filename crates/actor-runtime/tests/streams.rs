//! How the pieces of a long answer reach their caller: in order, bounded, as fast as the caller takes them (KER-4). Messages carry a channel of a
//! library; these tests check what Luna needs of it.

#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake};

use async_channel::{SendError, bounded};

struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn poll<F: Future>(future: Pin<&mut F>, count: &Arc<Count>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(&count.clone().into()))
}

fn count() -> Arc<Count> {
    Arc::new(Count(AtomicUsize::new(0)))
}

// KER-4
#[test]
fn a_writer_waits_for_room_and_a_reader_for_parts_ker_4() {
    let (to, from) = bounded(2);
    let (writer, reader) = (count(), count());
    for part in [1, 2] {
        assert_eq!(poll(pin!(to.send(part)), &writer), Poll::Ready(Ok(())));
    }
    {
        let mut third = pin!(to.send(3));
        assert_eq!(poll(third.as_mut(), &writer), Poll::Pending);
        assert_eq!(poll(pin!(from.recv()), &reader), Poll::Ready(Ok(1)));
        assert_eq!(writer.0.load(Ordering::SeqCst), 1, "the writer is woken for the room");
        assert_eq!(poll(third.as_mut(), &writer), Poll::Ready(Ok(())));
    }
    assert_eq!(poll(pin!(from.recv()), &reader), Poll::Ready(Ok(2)));
    assert_eq!(poll(pin!(from.recv()), &reader), Poll::Ready(Ok(3)));
    // Results of which only the newest counts have a channel of capacity one.
    let (to, from) = bounded(1);
    {
        let mut next = pin!(from.recv());
        assert_eq!(poll(next.as_mut(), &reader), Poll::Pending);
        to.force_send(4).unwrap();
        assert_eq!(reader.0.load(Ordering::SeqCst), 1, "the reader is woken for the part");
        assert_eq!(poll(next.as_mut(), &reader), Poll::Ready(Ok(4)));
    }
    to.force_send(5).unwrap();
    to.force_send(6).unwrap();
    drop(to);
    assert_eq!(poll(pin!(from.recv()), &reader), Poll::Ready(Ok(6)), "only the newest counts");
    assert!(matches!(poll(pin!(from.recv()), &reader), Poll::Ready(Err(_))));
}

// KER-6
#[test]
fn a_reader_that_goes_is_noticed_in_every_wait_ker_6() {
    let (to, from) = bounded(1);
    let writer = count();
    assert_eq!(poll(pin!(to.send(1)), &writer), Poll::Ready(Ok(())));
    let (mut second, mut gone) = (pin!(to.send(2)), pin!(to.closed()));
    assert_eq!(poll(second.as_mut(), &writer), Poll::Pending);
    assert_eq!(poll(gone.as_mut(), &writer), Poll::Pending);
    assert!(!to.is_closed());
    drop(from);
    assert!(writer.0.load(Ordering::SeqCst) >= 1 && to.is_closed());
    assert_eq!(poll(second.as_mut(), &writer), Poll::Ready(Err(SendError(2))));
    assert_eq!(poll(gone.as_mut(), &writer), Poll::Ready(()));
    assert_eq!(to.force_send(3), Err(SendError(3)));
}
