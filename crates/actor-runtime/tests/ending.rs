//! Orderly ends of actors, with real ones (KER-10).
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![expect(clippy::disallowed_methods, reason = "notes of a test: the actor under test must never wait for its reader")]

#[path = "support/subject.rs"]
mod subject;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use luna_actor_runtime::{ChildState, Inbox, InboxSettings, PostError, RestartPolicy};
use luna_messages::NoReply;
use luna_test_support::reply;
use subject::{Did, MS, SOON, Subject, SubjectMessage, SubjectSetup, policy};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

// KER-10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_orderly_end_runs_the_hooks_in_reverse_order_ker_10() {
    let mut s = SubjectSetup::bare("end-first");
    let never = || Arc::new(AtomicU32::new(0));
    let last = Inbox::new("end-last", InboxSettings::default());
    s.tree.add::<Subject>(policy(), s.inbox.clone(), s.make(never(), Duration::ZERO));
    let (notes, mut lasts) = mpsc::unbounded_channel();
    let other = SubjectSetup { notes, ..SubjectSetup::bare("end-other") };
    s.tree.add::<Subject>(policy(), last.clone(), other.make(never(), MS(50)));
    s.expect(&[Did::Started]).await;
    assert_eq!(timeout(SOON, lasts.recv()).await.unwrap(), Some(Did::Started));
    // A waiting reflex is handled; callers of other waiting messages get an error.
    let (asked, answer) = reply();
    s.post([SubjectMessage::Long { steps: 2 }, SubjectMessage::Ask(asked)]);
    tokio::time::sleep(MS(20)).await;
    s.post([SubjectMessage::Urgent(9)]);
    let report = s.tree.shutdown(Duration::from_secs(5)).await;
    assert_eq!(report.killed, Vec::<&str>::new());
    assert_eq!(lasts.try_recv(), Ok(Did::Stopping));
    s.expect(&[Did::Heard(2), Did::Heard(9), Did::Stopping]).await;
    assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
    assert!(matches!(s.inbox.post(SubjectMessage::Say(1)), Err(PostError::Closed(_))));
    assert!(s.tree.status().iter().all(|child| child.state == ChildState::Stopped));
    assert_eq!(s.count("luna_messages_dropped_total", &[("how", "shutdown")]), 1.0);
}

// KER-10
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_end_is_bounded_although_children_hang_ker_10() {
    let mut s = SubjectSetup::bare("end-hang");
    let never = || Arc::new(AtomicU32::new(0));
    let patient = RestartPolicy { handler_deadline: Duration::from_secs(60), ..policy() };
    s.tree.add::<Subject>(patient, s.inbox.clone(), s.make(never(), Duration::ZERO));
    let blocked = Inbox::new("end-blocked", InboxSettings::default());
    let (notes, mut blockeds) = mpsc::unbounded_channel();
    let other = SubjectSetup { notes, ..SubjectSetup::bare("end-blocked-other") };
    s.tree.add::<Subject>(patient, blocked.clone(), other.make(never(), Duration::ZERO));
    s.expect(&[Did::Started]).await;
    assert_eq!(timeout(SOON, blockeds.recv()).await.unwrap(), Some(Did::Started));
    blocked.post(SubjectMessage::HangThread(MS(2500))).unwrap();
    tokio::time::sleep(MS(50)).await;
    let start = Instant::now();
    let report = s.tree.shutdown(MS(600)).await;
    assert!(start.elapsed() < MS(900), "{:?}", start.elapsed());
    assert_eq!(report.killed, ["subject"]);
    assert_eq!(s.next().await, Did::Stopping, "the healthy one ended in order");
}
