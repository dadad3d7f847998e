//! Crashes and hangs of real actors (KER-3 to KER-8). Each test names its inbox differently, so that the inbox metrics of the tests do not mix.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![expect(clippy::disallowed_methods, reason = "notes of a test: the actor under test must never wait for its reader")]

#[path = "support/subject.rs"]
mod subject;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use luna_actor_runtime::{ChildState, GroupPolicy, Inbox, InboxSettings, PostError, TreeEvent};
use luna_messages::NoReply;
use luna_test_support::recorder::{metric, recorder};
use luna_test_support::reply;
use subject::{Did, MS, SOON, Subject, SubjectMessage, SubjectSetup, policy};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

// KER-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_survives_a_crash_and_the_asker_is_told_ker_7() {
    for (name, ends, cause) in [("crash-panic", true, "panic"), ("crash-error", false, "error")] {
        let mut s = SubjectSetup::new(name, 0);
        s.expect(&[Did::Started]).await;
        let (asked, answer) = reply();
        let bad = if ends { SubjectMessage::AskAndPanic(asked) } else { SubjectMessage::Fail };
        s.post([SubjectMessage::Say(1), bad, SubjectMessage::Say(2), SubjectMessage::Say(3)]);
        s.expect(&[Did::Heard(1), Did::Started, Did::Heard(2), Did::Heard(3)]).await;
        if ends {
            assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
        }
        let (asked, answer) = reply();
        s.post([SubjectMessage::Ask(asked)]);
        assert_eq!(answer.await.unwrap(), Ok(7), "it works again");
        assert_eq!(s.count("luna_messages_crashed_total", &[]), 1.0);
        assert_eq!(s.count("luna_messages_retried_total", &[]), 0.0);
        assert_eq!(s.count("luna_messages_handled_total", &[("lane", "llm")]), 5.0);
        // Metrics of the tree carry the actor's own name, which all tests here share; the event proves the rest.
        assert!(metric("luna_actor_failures_total", &[("actor", "subject"), ("cause", cause)]) >= 1.0);
        s.event("restart", |e| matches!(e, TreeEvent::Restarted { restarts: 1, .. })).await;
        assert_eq!(s.tree.status()[0].restarts, 1);
        assert_eq!(s.tree.status()[0].state, ChildState::Running);
    }
}

// KER-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_repeated_as_often_as_its_type_allows_ker_7() {
    let mut s = SubjectSetup::new("retry", 0);
    s.post([SubjectMessage::PanicAgain { left: 2 }, SubjectMessage::Say(1)]);
    let round = [Did::Started, Did::Panics];
    for _ in 0..3 {
        s.expect(&round).await;
    }
    s.expect(&[Did::Started, Did::Heard(1)]).await;
    assert_eq!(s.count("luna_messages_crashed_total", &[]), 3.0);
    assert_eq!(s.count("luna_messages_retried_total", &[]), 2.0);
}

// KER-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_starts_are_tried_again_ker_7() {
    let mut s = SubjectSetup::new("bad-start", 3);
    s.post([SubjectMessage::Say(1)]);
    s.expect(&[Did::Started, Did::Heard(1)]).await;
    s.event("restart", |e| matches!(e, TreeEvent::Restarted { .. })).await;
    assert_eq!(s.tree.status()[0].restarts, 1, "it came back once");
}

// KER-7, KER-9
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_melt_down_degrades_answers_and_is_tried_again_ker_7_ker_9() {
    let mut s = SubjectSetup::new("melt-down", 5);
    let (asked, answer) = reply();
    s.post([SubjectMessage::Ask(asked)]);
    let given_up = s.event("melt-down", |e| matches!(e, TreeEvent::GivenUp { .. })).await;
    let TreeEvent::GivenUp { actor: "subject", retry_in, reason } = given_up else { panic!("{given_up:?}") };
    assert_eq!(retry_in, MS(400));
    assert!(!reason.is_empty());
    assert_eq!(timeout(SOON, answer).await.unwrap().unwrap(), Err(NoReply::Crashed), "nobody waits for the retry");
    assert_eq!(s.tree.status()[0].state, ChildState::Degraded);
    assert!(matches!(s.inbox.post(SubjectMessage::Say(1)), Err(PostError::Closed(SubjectMessage::Say(1)))));
    assert_eq!(s.count("luna_messages_dropped_total", &[("how", "given_up")]), 1.0);
    assert_eq!(s.count("luna_messages_dropped_total", &[("how", "closed")]), 1.0);
    // The first slow try fails as well and is followed by another slow one, not by quick restarts.
    s.event("recovery", |e| matches!(e, TreeEvent::Recovered { .. })).await;
    let given_up = s.log.all().iter().filter(|e| matches!(e, TreeEvent::GivenUp { .. })).count();
    assert_eq!(given_up, 2, "{:?}", s.log.all());
    s.post([SubjectMessage::Say(2)]);
    s.expect(&[Did::Started, Did::Heard(2)]).await;
    assert_eq!(s.tree.status()[0].state, ChildState::Running);
}

// KER-7, GPU-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_says_twice_outlasts_a_melt_down_ker_7_gpu_3() {
    let mut s = SubjectSetup::new("outlasts", 4);
    s.post([SubjectMessage::Fact(1), SubjectMessage::Say(2), SubjectMessage::Fact(3)]);
    s.event("melt-down", |e| matches!(e, TreeEvent::GivenUp { .. })).await;
    assert!(matches!(s.inbox.post(SubjectMessage::Say(4)), Err(PostError::Closed(_))));
    s.post([SubjectMessage::Fact(5)]);
    s.expect(&[Did::Started, Did::Heard(1), Did::Heard(3), Did::Heard(5)]).await;
}

// KER-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_starts_anew_before_anyone_is_given_up_ker_7() {
    let mut s = SubjectSetup::bare("group-a");
    let group = s.tree.group("speech", GroupPolicy { max_restarts: 1, within: Duration::from_secs(60) });
    let other = Inbox::new("group-b", InboxSettings::default());
    let starts = Arc::new(AtomicU32::new(0));
    s.tree.add_to::<Subject>(group, policy(), s.inbox.clone(), s.make(Arc::new(AtomicU32::new(0)), Duration::ZERO));
    let (notes, mut others) = mpsc::unbounded_channel();
    let bystander = SubjectSetup { notes, ..SubjectSetup::bare("group-c") };
    s.tree.add_to::<Subject>(group, policy(), other.clone(), bystander.make(starts, Duration::ZERO));
    assert_eq!(timeout(SOON, others.recv()).await.unwrap(), Some(Did::Started));
    s.post((0..4).map(|_| SubjectMessage::Panic));
    s.event("escalation", |e| matches!(e, TreeEvent::Escalated { group: "speech", actor: "subject" })).await;
    assert_eq!(timeout(SOON, others.recv()).await.unwrap(), Some(Did::Stopping), "the other one ends in order");
    assert_eq!(timeout(SOON, others.recv()).await.unwrap(), Some(Did::Started), "and starts anew");
    assert!(!s.log.all().iter().any(|e| matches!(e, TreeEvent::GivenUp { .. })));
    for _ in 0..5 {
        assert_eq!(s.next().await, Did::Started);
    }
    s.post((0..4).map(|_| SubjectMessage::Panic));
    s.event("giving up", |e| matches!(e, TreeEvent::GivenUp { .. })).await;
    other.post(SubjectMessage::Say(5)).unwrap();
    assert_eq!(timeout(SOON, others.recv()).await.unwrap(), Some(Did::Heard(5)), "the other one goes on");
}

// KER-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_waits_for_ever_is_ended_ker_8() {
    let mut s = SubjectSetup::new("hang-async", 0);
    s.expect(&[Did::Started]).await;
    let (asked, answer) = reply();
    s.post([SubjectMessage::HangAsync(asked), SubjectMessage::Say(1)]);
    s.event("hang", |e| matches!(e, TreeEvent::Hung { actor: "subject", message_kind: "hang_async" })).await;
    s.expect(&[Did::Started, Did::Heard(1)]).await;
    assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
    assert_eq!(s.count("luna_messages_crashed_total", &[]), 1.0);
    assert!(!s.log.all().iter().any(|e| matches!(e, TreeEvent::Abandoned { .. })));
    assert_eq!(s.log.all().iter().filter(|e| matches!(e, TreeEvent::Hung { .. })).count(), 1);
}

// KER-8
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handler_that_blocks_its_thread_is_replaced_and_takes_nothing_more_ker_8() {
    let mut s = SubjectSetup::new("hang-thread", 0);
    s.expect(&[Did::Started]).await;
    s.post([SubjectMessage::HangThread(MS(1500)), SubjectMessage::Say(1)]);
    s.event("abandonment", |e| matches!(e, TreeEvent::Abandoned { .. })).await;
    let start = Instant::now();
    s.expect(&[Did::Started, Did::Heard(1)]).await;
    assert!(start.elapsed() < MS(900), "the new one did not wait for the old one");
    tokio::time::sleep(MS(1600)).await;
    s.post((2..100).map(SubjectMessage::Say));
    for n in 2..100 {
        assert_eq!(s.next().await, Did::Heard(n), "one of them takes, in order");
    }
    assert_eq!(s.count("luna_messages_crashed_total", &[]), 1.0);
    assert_eq!(s.tree.status()[0].restarts, 1);
}

// KER-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_blocks_the_thread_of_the_timers_is_seen_ker_8() {
    for round in 0..3 {
        let mut s = SubjectSetup::new("hang-timers", 0);
        s.expect(&[Did::Started]).await;
        s.post([SubjectMessage::SleepThenHangThread(MS(900)), SubjectMessage::Say(round)]);
        s.event("abandonment", |e| matches!(e, TreeEvent::Abandoned { .. })).await;
        s.expect(&[Did::Started, Did::Heard(round)]).await;
        // There are only two threads; the next round needs both.
        tokio::time::sleep(MS(1000)).await;
    }
}

// KER-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_handler_that_reports_progress_is_left_alone_ker_8() {
    let mut s = SubjectSetup::new("progress", 0);
    s.post([SubjectMessage::Long { steps: 10 }]);
    s.expect(&[Did::Started, Did::Heard(10)]).await;
    assert_eq!(s.log.all(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_end_with_the_actor_and_their_panics_hurt_nobody() {
    let mut s = SubjectSetup::new("tasks", 0);
    s.post([SubjectMessage::Later]);
    s.expect(&[Did::Started, Did::Heard(99)]).await;
    s.post([SubjectMessage::TaskPanic]);
    let start = Instant::now();
    while s.count("luna_task_panics_total", &[]) < 1.0 {
        assert!(start.elapsed() < SOON, "the panic was not counted");
        tokio::time::sleep(MS(5)).await;
    }
    // The task that would post is dropped with the crash.
    s.post([SubjectMessage::Later, SubjectMessage::Panic]);
    s.expect(&[Did::Started]).await;
    tokio::time::sleep(MS(50)).await;
    s.post([SubjectMessage::Say(1)]);
    s.expect(&[Did::Heard(1)]).await;
}

// KER-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_urgent_message_overtakes_a_flood_of_100_000_ker_3() {
    recorder();
    let mut s = SubjectSetup::bare("flood");
    s.inbox = Inbox::new("flood", InboxSettings { bounds: [8, 8, 8, 8, 100_000], promote_after: [None; 5] });
    s.post((1..=100_000).map(SubjectMessage::Say));
    s.post([SubjectMessage::Urgent(0)]);
    assert!(matches!(s.inbox.post(SubjectMessage::Say(0)), Err(PostError::Full(_))), "KER-4");
    s.tree.add::<Subject>(policy(), s.inbox.clone(), s.make(Arc::new(AtomicU32::new(0)), Duration::ZERO));
    s.expect(&[Did::Started, Did::Heard(0), Did::Heard(1)]).await;
    s.post([SubjectMessage::Urgent(0)]);
    let mut numbers = Vec::new();
    for _ in 0..100_000 {
        let Did::Heard(n) = s.next().await else { panic!() };
        numbers.push(n);
    }
    let overtook = numbers.iter().position(|n| *n == 0).expect("the urgent one was handled");
    assert!(overtook < 99_000, "it overtook what waited, at {overtook}");
    numbers.remove(overtook);
    assert_eq!(numbers, (2..=100_000).collect::<Vec<_>>(), "nothing is lost, in order");
    assert_eq!(s.count("luna_messages_handled_total", &[]), 100_002.0);
    assert_eq!(s.count("luna_messages_dropped_total", &[("how", "refused")]), 1.0);
}
