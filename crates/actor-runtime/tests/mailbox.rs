//! The mailbox, mostly without an actor: order, what a crash leaves, what a closed mailbox accepts, and what is counted (KER-3 to KER-7).
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/subject.rs"]
mod subject;

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Weak};
use std::time::Duration;

use luna_actor_runtime::{Inbox, InboxSettings, PostError};
use luna_mailbox::mailbox::{Dequeued, Mailbox, MailboxOpening, PushOutcome};
use luna_mailbox::priority_lanes::{OfferOutcome, PriorityLanes, QueuedMessage};
use luna_messages::{Lane, Message, Overflow};
use luna_test_support::drain;
use luna_test_support::recorder::{metric, recorder};
use subject::{Did, MS, SOON, Subject, SubjectMessage, SubjectSetup, policy};

/// A message with a number; facts are kept while their actor is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MailboxNote {
    Plain(Lane, u32),
    Newest(Lane, u32),
    Oldest(Lane, u32),
    Fact(u32),
}

impl Message for MailboxNote {
    fn lane(&self) -> Lane {
        match self {
            Self::Plain(lane, _) | Self::Newest(lane, _) | Self::Oldest(lane, _) => *lane,
            Self::Fact(_) => Lane::Uia,
        }
    }
    fn overflow(&self) -> Overflow {
        match self {
            Self::Plain(..) | Self::Fact(_) => Overflow::Refuse,
            Self::Newest(..) => Overflow::Coalesce,
            Self::Oldest(..) => Overflow::DropOldest,
        }
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::Plain(..) => "plain",
            Self::Newest(..) => "newest",
            Self::Oldest(..) => "oldest",
            Self::Fact(_) => "fact",
        }
    }
    fn survives_restart(&self) -> bool {
        matches!(self, Self::Fact(_))
    }
}

const fn plain(number: u32) -> MailboxNote {
    MailboxNote::Plain(Lane::Llm, number)
}

fn mailbox() -> Mailbox<MailboxNote> {
    Mailbox::new(PriorityLanes::new([3; 5], [None; 5]))
}

fn push(mailbox: &Mailbox<MailboxNote>, note: MailboxNote) -> PushOutcome<MailboxNote> {
    mailbox.push(QueuedMessage::new(note, Duration::ZERO, false), note.overflow())
}

#[track_caller]
fn takes(mailbox: &Mailbox<MailboxNote>, epoch: u64, expect: Option<MailboxNote>) {
    match (mailbox.take(epoch, Duration::ZERO), expect) {
        (Dequeued::Message(waiting, _), Some(note)) => assert_eq!(waiting.message, note),
        (Dequeued::Nothing, None) => {}
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
}

// KER-7
#[test]
fn who_was_replaced_takes_nothing_more_ker_7() {
    let mailbox = mailbox();
    assert!(matches!(push(&mailbox, plain(1)), PushOutcome::Offered(OfferOutcome::Accepted)));
    assert!(matches!(push(&mailbox, plain(2)), PushOutcome::Offered(OfferOutcome::Accepted)));
    takes(&mailbox, 0, Some(plain(1)));
    assert_eq!(mailbox.in_flight_kind(), Some("plain"));
    let (epoch, unfinished) = mailbox.next_epoch();
    let unfinished = unfinished.expect("the first was not finished");
    assert_eq!((epoch, unfinished.kind, unfinished.copy.is_none()), (1, "plain", true));
    assert_eq!(mailbox.in_flight_kind(), None);
    assert!(matches!(mailbox.take(0, Duration::ZERO), Dequeued::Stale));
    assert!(matches!(mailbox.take_reflex(0, Duration::ZERO), Dequeued::Stale));
    assert!(matches!(mailbox.finish(0), Dequeued::Stale));
    assert_eq!(mailbox.depth(), [0, 0, 0, 0, 1], "what waits waits on");
    takes(&mailbox, 1, Some(plain(2)));
    // Late calls of the old drainer do not affect the new one's message.
    mailbox.keep_copy(0, QueuedMessage::new(plain(9), Duration::ZERO, false));
    assert!(matches!(mailbox.finish(0), Dequeued::Stale));
    assert_eq!(mailbox.in_flight_kind(), Some("plain"));
    let (epoch, unfinished) = mailbox.next_epoch();
    assert_eq!((epoch, unfinished.expect("the second was not finished").copy.is_none()), (2, true));
    assert!(mailbox.next_epoch().1.is_none());
}

// KER-7
#[test]
fn a_copy_is_kept_for_the_message_in_flight_only_ker_7() {
    let mailbox = mailbox();
    mailbox.keep_copy(0, QueuedMessage::new(plain(9), Duration::ZERO, false));
    assert!(mailbox.next_epoch().1.is_none(), "nothing was in flight");
    let _ = push(&mailbox, plain(1));
    takes(&mailbox, 1, Some(plain(1)));
    mailbox.keep_copy(1, QueuedMessage::new(plain(1), Duration::ZERO, false));
    let copy = mailbox.next_epoch().1.expect("it was not finished").copy.expect("its copy");
    let _ = push(&mailbox, plain(2));
    assert_eq!(mailbox.requeue(copy), None);
    takes(&mailbox, 2, Some(plain(1)));
    mailbox.keep_copy(2, QueuedMessage::new(plain(1), Duration::ZERO, false));
    // The next take finishes the message in flight, also if nothing waits.
    takes(&mailbox, 2, Some(plain(2)));
    takes(&mailbox, 2, None);
    assert_eq!(mailbox.in_flight_kind(), None);
    assert!(mailbox.next_epoch().1.is_none());
    let _ = push(&mailbox, plain(3));
    takes(&mailbox, 3, Some(plain(3)));
    assert!(matches!(mailbox.finish(3), Dequeued::Nothing));
    assert!(mailbox.next_epoch().1.is_none(), "it was finished");
}

// KER-3, KER-10
#[test]
fn in_the_last_moments_only_reflexes_are_taken_ker_3_ker_10() {
    let mailbox = mailbox();
    let _ = push(&mailbox, plain(1));
    let _ = push(&mailbox, MailboxNote::Plain(Lane::Reflex, 2));
    takes(&mailbox, 0, Some(MailboxNote::Plain(Lane::Reflex, 2)));
    let _ = push(&mailbox, MailboxNote::Plain(Lane::Reflex, 3));
    let Dequeued::Message(waiting, _) = mailbox.take_reflex(0, Duration::ZERO) else { panic!("a reflex waits") };
    assert_eq!(waiting.message, MailboxNote::Plain(Lane::Reflex, 3));
    assert_eq!(mailbox.in_flight_kind(), Some("plain"));
    assert!(matches!(mailbox.take_reflex(0, Duration::ZERO), Dequeued::Nothing));
    assert_eq!(mailbox.in_flight_kind(), None, "the reflex was finished by that");
    assert_eq!(mailbox.depth(), [0, 0, 0, 0, 1]);
}

/// A message that uses its mailbox when it is dropped, as a reply does whose caller posts again on receiving it.
#[derive(Debug)]
struct Asks(Weak<Mailbox<Self>>);

impl Drop for Asks {
    fn drop(&mut self) {
        if let Some(mailbox) = self.0.upgrade() {
            let _ = mailbox.depth();
        }
    }
}

impl Message for Asks {
    fn lane(&self) -> Lane {
        Lane::Llm
    }
    fn kind(&self) -> &'static str {
        "asks"
    }
}

// KER-4, KER-7
#[test]
fn what_is_dropped_may_post_again_at_once_ker_4_ker_7() {
    type Way = fn(&Mailbox<Asks>, QueuedMessage<Asks>);
    // What drops the copy of the message in flight; in the last case an actor that was replaced.
    let ways: [(&str, Way); 4] = [
        ("the next is taken", |mailbox, copy| {
            mailbox.keep_copy(0, copy);
            drop(mailbox.take(0, Duration::ZERO));
        }),
        ("nothing is taken any more", |mailbox, copy| {
            mailbox.keep_copy(0, copy);
            drop(mailbox.finish(0));
        }),
        ("the actor is replaced", |mailbox, copy| {
            mailbox.keep_copy(0, copy);
            drop(mailbox.next_epoch());
        }),
        ("it comes too late", |mailbox, copy| mailbox.keep_copy(9, copy)),
    ];
    for (what, way) in ways {
        let (done, told) = std::sync::mpsc::sync_channel(1);
        std::thread::spawn(move || {
            let mailbox = Arc::new(Mailbox::new(PriorityLanes::new([3; 5], [None; 5])));
            let message = || QueuedMessage::new(Asks(Arc::downgrade(&mailbox)), Duration::ZERO, false);
            drop(mailbox.push(message(), Overflow::Refuse));
            drop(mailbox.take(0, Duration::ZERO));
            way(&mailbox, message());
            done.send(()).unwrap();
        });
        assert!(told.recv_timeout(SOON).is_ok(), "the door is locked while the copy is dropped: {what}");
    }
}

// KER-3
#[test]
fn a_wake_up_is_sent_once_until_it_is_obeyed_ker_3() {
    let mailbox = mailbox();
    assert!(mailbox.arm());
    assert!(!mailbox.arm() && !mailbox.arm());
    mailbox.disarm();
    assert!(mailbox.arm());
    assert!(!mailbox.arm());
}

// KER-7, KER-10
#[test]
fn what_a_closed_door_takes_ker_7_ker_10() {
    let mailbox = mailbox();
    for note in [plain(1), MailboxNote::Fact(2), plain(3), MailboxNote::Fact(4)] {
        let _ = push(&mailbox, note);
    }
    mailbox.set_opening(MailboxOpening::Interrupted);
    assert!(matches!(push(&mailbox, plain(5)), PushOutcome::Closed(note) if note == plain(5)));
    assert!(matches!(push(&mailbox, MailboxNote::Fact(6)), PushOutcome::Offered(OfferOutcome::Accepted)));
    // Facts stay in their order; other messages are removed.
    let gone: Vec<MailboxNote> = mailbox.clear().into_iter().map(|waiting| waiting.message).collect();
    assert_eq!(gone, [plain(1), plain(3)]);
    assert_eq!(mailbox.depth(), [0, 0, 3, 0, 0]);
    mailbox.set_opening(MailboxOpening::Open);
    assert!(matches!(push(&mailbox, plain(7)), PushOutcome::Offered(OfferOutcome::Accepted)));
    for note in [MailboxNote::Fact(2), MailboxNote::Fact(4), MailboxNote::Fact(6), plain(7)] {
        takes(&mailbox, 0, Some(note));
    }
    for note in [plain(8), MailboxNote::Fact(9)] {
        let _ = push(&mailbox, note);
    }
    // Closed for good: facts are refused, too, and nothing opens it again.
    mailbox.set_opening(MailboxOpening::Closed);
    mailbox.set_opening(MailboxOpening::Open);
    mailbox.set_opening(MailboxOpening::Interrupted);
    assert!(matches!(push(&mailbox, MailboxNote::Fact(10)), PushOutcome::Closed(MailboxNote::Fact(10))));
    assert!(matches!(push(&mailbox, plain(10)), PushOutcome::Closed(_)));
    assert_eq!(mailbox.clear().len(), 2, "nothing stays");
    assert_eq!(mailbox.depth(), [0; 5]);
}

// KER-4
#[test]
fn what_is_not_taken_comes_back_and_is_counted_by_how_ker_4() {
    recorder();
    let settings = InboxSettings { bounds: [1, 1, 2, 1, 1], promote_after: [None; 5] };
    let inbox = Inbox::new("mailbox-how", settings);
    let count = |how: &str, lane: &str| {
        metric("luna_messages_dropped_total", &[("actor", "mailbox-how"), ("how", how), ("lane", lane)])
    };
    assert_eq!(inbox.actor(), "mailbox-how");
    assert_eq!(inbox.post(plain(1)), Ok(()));
    let refused = inbox.post(plain(2)).unwrap_err();
    assert_eq!(refused, PostError::Full(plain(2)));
    assert_eq!(refused.into_message(), plain(2));
    assert_eq!((count("refused", "llm"), count("refused", "uia")), (1.0, 0.0));
    for n in 0..4 {
        assert_eq!(inbox.post(MailboxNote::Newest(Lane::Uia, n)), Ok(()));
    }
    assert_eq!(count("coalesced", "uia"), 3.0);
    for n in 0..3 {
        assert_eq!(inbox.post(MailboxNote::Oldest(Lane::Ocr, n)), Ok(()));
    }
    assert_eq!(count("dropped_oldest", "ocr"), 2.0);
    assert_eq!(inbox.depth(), [0, 0, 1, 1, 1]);
    inbox.close();
    let closed = inbox.post(MailboxNote::Fact(9)).unwrap_err();
    assert_eq!(closed, PostError::Closed(MailboxNote::Fact(9)));
    assert_eq!(closed.into_message(), MailboxNote::Fact(9));
    assert_eq!(count("closed", "uia"), 1.0);
    assert_eq!(drain(&inbox), [MailboxNote::Newest(Lane::Uia, 3), MailboxNote::Oldest(Lane::Ocr, 2), plain(1)]);
}

// KER-4, KER-5
#[test]
fn what_an_inbox_holds_unless_the_configuration_says_otherwise_ker_4_ker_5() {
    let seconds = |n| Some(Duration::from_secs(n));
    assert_eq!(
        InboxSettings::default(),
        InboxSettings {
            bounds: [64, 256, 1024, 1024, 1024],
            promote_after: [None, None, None, seconds(2), seconds(5)]
        }
    );
    // A bound of zero, which would refuse every message, counts as one.
    let inbox = Inbox::new("mailbox-none", InboxSettings { bounds: [0; 5], promote_after: [None; 5] });
    assert_eq!(inbox.post(plain(1)), Ok(()));
    assert_eq!(inbox.post(plain(2)), Err(PostError::Full(plain(2))));
}

/// An actor behind an inbox with these settings.
async fn actor_behind(name: &'static str, settings: InboxSettings) -> SubjectSetup {
    let mut s = SubjectSetup::bare(name);
    s.inbox = Inbox::new(name, settings);
    // A message's wait counts from its own arrival, not from when the inbox was made.
    tokio::time::sleep(MS(1200)).await;
    s.tree.add::<Subject>(policy(), s.inbox.clone(), s.make(Arc::new(AtomicU32::new(0)), Duration::ZERO));
    s.expect(&[Did::Started]).await;
    s
}

// KER-5
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waited_too_long_is_counted_as_promoted_and_who_did_not_is_not_ker_5() {
    let settings =
        InboxSettings { promote_after: [None, None, None, None, Some(MS(1000))], ..InboxSettings::default() };
    let mut s = actor_behind("mailbox-promotes", settings).await;
    s.post([SubjectMessage::Say(1)]);
    s.expect(&[Did::Heard(1)]).await;
    assert_eq!(s.count("luna_messages_promoted_total", &[]), 0.0);
    s.post([SubjectMessage::Long { steps: 25 }, SubjectMessage::Say(2)]);
    s.expect(&[Did::Heard(25), Did::Heard(2)]).await;
    assert_eq!(s.count("luna_messages_promoted_total", &[("lane", "llm")]), 1.0);
    assert_eq!(s.count("luna_messages_promoted_total", &[]), 1.0);
}

/// Waits until the gauge of a lane shows this depth.
async fn shows(s: &SubjectSetup, lane: &str, expect: f64) {
    let begin = tokio::time::Instant::now();
    while s.count("luna_inbox_depth", &[("lane", lane)]) != expect {
        assert!(begin.elapsed() < SOON, "lane {lane} never shows {expect}");
        tokio::time::sleep(MS(5)).await;
    }
}

// KER-4, MET-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_many_wait_and_how_long_is_shown_ker_4_met_1() {
    let mut s = actor_behind("mailbox-shows", InboxSettings::default()).await;
    s.post([SubjectMessage::Long { steps: 20 }]);
    tokio::time::sleep(MS(50)).await;
    s.post([SubjectMessage::Say(1), SubjectMessage::Say(2), SubjectMessage::Say(3), SubjectMessage::Urgent(4)]);
    shows(&s, "llm", 3.0).await;
    shows(&s, "reflex", 1.0).await;
    s.expect(&[Did::Heard(20), Did::Heard(4), Did::Heard(1), Did::Heard(2), Did::Heard(3)]).await;
    shows(&s, "llm", 0.0).await;
    // Each wait of a reflex is measured, from its arrival: most of a second here.
    assert_eq!(s.count("luna_inbox_wait_seconds_count", &[("lane", "reflex")]), 1.0);
    let waited = s.count("luna_inbox_wait_seconds_sum", &[("lane", "reflex")]);
    assert!(waited > 0.5, "{waited} s");
    // Waits of speech are measured, too.
    s.post((0..20).map(SubjectMessage::Aloud));
    s.expect(&(0..20).map(Did::Heard).collect::<Vec<_>>()).await;
    assert_eq!(s.count("luna_inbox_wait_seconds_count", &[("lane", "tts")]), 20.0);
}
