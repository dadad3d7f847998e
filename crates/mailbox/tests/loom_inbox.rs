//! Explores every interleaving of posters and drainer (KER-3, KER-4): no wake-up and no message is lost.
//! Run by `scripts/loom-check.sh`; empty in an ordinary build.
#![cfg(luna_loom)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use luna_mailbox::mailbox::{Dequeued, Mailbox, PushOutcome};
use luna_mailbox::priority_lanes::{OfferOutcome, PriorityLanes, QueuedMessage};
use luna_messages::{Lane, Message, Overflow};

#[derive(Debug)]
struct LoomNote(Lane, u32);

impl Message for LoomNote {
    fn lane(&self) -> Lane {
        self.0
    }
    fn kind(&self) -> &'static str {
        "note"
    }
}

struct LoomSetup {
    mailbox: Mailbox<LoomNote>,
    /// Wake-ups sent and not yet handled; stands for the ractor mailbox of the real actor loop.
    wake_ups: AtomicUsize,
}

fn setup() -> Arc<LoomSetup> {
    let mailbox = Mailbox::new(PriorityLanes::new([8; 5], [None; 5]));
    Arc::new(LoomSetup { mailbox, wake_ups: AtomicUsize::new(0) })
}

fn post(setup: &LoomSetup, note: LoomNote) {
    let pushed = setup.mailbox.push(QueuedMessage::new(note, Duration::ZERO, false), Overflow::Refuse);
    assert!(matches!(pushed, PushOutcome::Offered(OfferOutcome::Accepted)));
    if setup.mailbox.arm() {
        setup.wake_ups.fetch_add(1, Ordering::AcqRel);
    }
}

/// One turn of the actor loop: handles a wake-up, then takes until nothing waits.
fn turn(setup: &LoomSetup, got: &mut Vec<u32>, disarm_first: bool) {
    if disarm_first {
        setup.mailbox.disarm();
    }
    while let Dequeued::Message(waiting, _) = setup.mailbox.take(0, Duration::ZERO) {
        got.push(waiting.message.1);
    }
    if !disarm_first {
        setup.mailbox.disarm();
    }
}

/// Two posters and a drainer that runs only when woken. At the end, with no wake-up left, every message must have arrived.
fn check_that_no_message_is_stranded(disarm_first: bool) {
    loom::model(move || {
        let setup = setup();
        let posters: Vec<_> = [(Lane::Llm, 1), (Lane::Reflex, 2)]
            .into_iter()
            .map(|(lane, number)| {
                let setup = setup.clone();
                thread::spawn(move || post(&setup, LoomNote(lane, number)))
            })
            .collect();
        let mut got = Vec::new();
        // The drainer runs beside the posters, as often as they wake it.
        for _ in 0..2 {
            if setup.wake_ups.swap(0, Ordering::AcqRel) > 0 {
                turn(&setup, &mut got, disarm_first);
            }
            thread::yield_now();
        }
        for poster in posters {
            poster.join().unwrap();
        }
        // All posts are done: only wake-ups still pending may run the drainer.
        while setup.wake_ups.swap(0, Ordering::AcqRel) > 0 {
            turn(&setup, &mut got, disarm_first);
        }
        got.sort_unstable();
        assert_eq!(got, [1, 2], "a message waits and nobody will be woken for it");
    });
}

// KER-3
#[test]
fn no_wake_up_and_no_message_is_lost_ker_3() {
    check_that_no_message_is_stranded(true);
}

/// The check can fail: with the order reversed it finds the lost wake-up.
#[test]
#[should_panic(expected = "nobody will be woken")]
fn the_other_order_is_caught() {
    check_that_no_message_is_stranded(false);
}

/// A replaced drainer takes nothing more, whatever the interleaving, and nothing is taken twice (KER-8).
#[test]
fn a_message_has_one_drainer_across_a_replacement_ker_8() {
    loom::model(|| {
        let setup = setup();
        post(&setup, LoomNote(Lane::Uia, 1));
        let old = {
            let setup = setup.clone();
            thread::spawn(move || match setup.mailbox.take(0, Duration::ZERO) {
                Dequeued::Message(waiting, _) => Some(waiting.message.1),
                Dequeued::Nothing | Dequeued::Stale => None,
            })
        };
        let (epoch, in_flight) = setup.mailbox.next_epoch();
        let new = match setup.mailbox.take(epoch, Duration::ZERO) {
            Dequeued::Message(waiting, _) => Some(waiting.message.1),
            Dequeued::Nothing | Dequeued::Stale => None,
        };
        let old = old.join().unwrap();
        assert!(old.is_some() != new.is_some(), "taken once: old {old:?}, new {new:?}");
        assert_eq!(in_flight.is_some(), old.is_some(), "what the old one holds is known");
    });
}
