//! The supervision tree to the millisecond: on one thread under a paused clock, so that each wait is exact and the test takes no time (KER-7, KER-8,
//! KER-10). `supervision.rs` and `ending.rs` test real threads that block.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/scene.rs"]
mod scene;

use std::sync::{Arc, Mutex};

use luna_actor_runtime::{
    ChildState, GroupPolicy, Inbox, InboxSettings, PostError, RestartPolicy, SupervisionTree, TreeEvent, TreeSettings,
};
use luna_messages::NoReply;
use luna_test_support::reply;
use scene::{
    ActorBehaviour, MS, Notes, SETTINGS, SceneActor, SceneMessage, SupervisionScene, TOLERANCE_MS, policy, post,
};
use tokio::time::{Instant, sleep};

// KER-7, KER-8
#[test]
fn the_times_are_those_of_the_requirements_ker_7_ker_8() {
    let tree = TreeSettings::default();
    assert_eq!((tree.watchdog_period, tree.kill_grace, tree.retry_degraded), (MS(100), MS(250), MS(30_000)));
    let actor = RestartPolicy::default();
    assert_eq!((actor.max_restarts, actor.within, actor.handler_deadline), (5, MS(10_000), MS(5000)));
    assert_eq!((actor.backoff_first, actor.backoff_max), (MS(20), MS(2000)));
    let group = GroupPolicy::default();
    assert_eq!((group.max_restarts, group.within), (2, MS(60_000)));
}

// KER-7
#[tokio::test(start_paused = true)]
async fn waits_double_up_to_the_longest_ker_7() {
    let scene = SupervisionScene::new();
    let inbox = scene.add("a", RestartPolicy { max_restarts: 4, ..policy() }, &[], ActorBehaviour::Well);
    assert_eq!(scene.states(), [(ChildState::Restarting, 0)], "it was not started yet");
    assert_eq!(scene.tree.status()[0].actor, "part");
    post(&inbox, [SceneMessage::Panic, SceneMessage::Fail, SceneMessage::Panic, SceneMessage::Fail]);
    sleep(MS(10)).await;
    assert_eq!(scene.states(), [(ChildState::Restarting, 0)], "it waits");
    sleep(MS(990)).await;
    // 20, 40, 80 and then 100 instead of 160.
    scene.expect(&[
        (0, "a", "started"),
        (20, "a", "started"),
        (60, "a", "started"),
        (140, "a", "started"),
        (240, "a", "started"),
    ]);
    assert_eq!(scene.states(), [(ChildState::Running, 4)]);
    assert_eq!(scene.count("luna_actor_restarts_total", "actor=\"part\""), 4);
    assert_eq!(scene.count("luna_actor_failures_total", "cause=\"panic\""), 2);
    assert_eq!(scene.count("luna_actor_failures_total", "cause=\"error\""), 2);
    let restarted = |reason: &str, restarts| TreeEvent::Restarted { actor: "part", reason: reason.into(), restarts };
    assert_eq!(
        scene.log.all(),
        [
            restarted("it panicked (message: panic)", 1),
            restarted("on order (message: fail)", 2),
            restarted("it panicked (message: panic)", 3),
            restarted("on order (message: fail)", 4),
        ]
    );
    // Failures outside the window no longer count.
    sleep(MS(10_000)).await;
    post(&inbox, [SceneMessage::Panic]);
    sleep(MS(1000)).await;
    scene.expect(&[(11_020, "a", "started")]);
}

// KER-7, KER-9
#[tokio::test(start_paused = true)]
async fn who_was_given_up_is_tried_slowly_until_it_lasts_ker_7_ker_9() {
    let scene = SupervisionScene::new();
    let starts = [ActorBehaviour::Fails, ActorBehaviour::Fails, ActorBehaviour::Fails, ActorBehaviour::Fails];
    let inbox = scene.add("a", policy(), &starts, ActorBehaviour::Well);
    let (asked, answer) = reply();
    post(&inbox, [SceneMessage::Ask(asked)]);
    sleep(MS(1000)).await;
    assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
    assert_eq!(scene.states(), [(ChildState::Degraded, 0)]);
    assert!(matches!(inbox.post(SceneMessage::Fail), Err(PostError::Closed(_))));
    assert_eq!(scene.count("luna_actor_given_up_total", "actor=\"part\""), 1);
    let given_up = TreeEvent::GivenUp { actor: "part", reason: "a device is missing".into(), retry_in: MS(30_000) };
    assert_eq!(scene.log.all(), std::slice::from_ref(&given_up));
    // One slow try that fails, and then a slow try that succeeds.
    sleep(MS(58_000)).await;
    assert_eq!(scene.log.all(), [given_up.clone(), given_up]);
    sleep(MS(2000)).await;
    scene.expect(&[(60_060, "a", "started")]);
    assert_eq!(scene.states(), [(ChildState::Running, 1)]);
    assert_eq!(scene.event_names(), ["given up", "given up", "restarted", "recovered"]);
    let (asked, answer) = reply();
    post(&inbox, [SceneMessage::Ask(asked)]);
    assert_eq!(answer.await.unwrap(), Ok(7));
    // A failure soon after the slow retry gives the actor up at once. After it ran for the whole window, a failure restarts it as usual.
    post(&inbox, [SceneMessage::Panic]);
    sleep(MS(30_100)).await;
    scene.expect(&[(91_000, "a", "started")]);
    assert_eq!(scene.event_names()[4..], ["given up", "restarted", "recovered"]);
    sleep(MS(11_000)).await;
    post(&inbox, [SceneMessage::Panic]);
    sleep(MS(1000)).await;
    scene.expect(&[(102_120, "a", "started")]);
    assert_eq!(scene.event_names()[7..], ["restarted"]);
    // A failure now counts like any other again.
    post(&inbox, [SceneMessage::Panic]);
    sleep(MS(1000)).await;
    scene.expect(&[(103_140, "a", "started")]);
}

// KER-7
#[tokio::test(start_paused = true)]
async fn a_group_starts_anew_and_nobody_else_ker_7() {
    let scene = SupervisionScene::new();
    let group = scene.tree.group("speech", GroupPolicy { max_restarts: 1, within: MS(60_000) });
    let other_group = scene.tree.group("looks", GroupPolicy::default());
    assert_ne!(group, other_group);
    let inboxes = ["a", "b", "c", "d"].map(|name| Inbox::new(name, InboxSettings::default()));
    let add = |group, at: usize, name, stop| {
        scene.tree.add_to::<SceneActor>(group, policy(), inboxes[at].clone(), scene.make(name, &[], stop));
    };
    add(group, 0, "a", ActorBehaviour::Well);
    add(group, 1, "b", ActorBehaviour::Well);
    add(other_group, 2, "c", ActorBehaviour::Well);
    scene.tree.add::<SceneActor>(policy(), inboxes[3].clone(), scene.make("d", &[], ActorBehaviour::Well));
    sleep(MS(100)).await;
    scene.expect(&[(0, "a", "started"), (0, "b", "started"), (0, "c", "started"), (0, "d", "started")]);
    post(&inboxes[0], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(100)).await;
    assert_eq!(scene.states()[0], (ChildState::Restarting, 2), "it waits");
    sleep(MS(300)).await;
    // The failing actor restarts after the longest wait, the other member of its group at once.
    scene.expect(&[
        (120, "a", "started"),
        (160, "a", "started"),
        (160, "b", "stopping"),
        (160, "b", "started"),
        (260, "a", "started"),
    ]);
    assert_eq!(scene.event_names(), ["restarted", "restarted", "escalated", "restarted", "restarted"]);
    assert_eq!(scene.log.all()[2], TreeEvent::Escalated { group: "speech", actor: "part" });
    let with_group = TreeEvent::Restarted { actor: "part", reason: "its group speech starts anew".into(), restarts: 1 };
    assert_eq!(scene.log.all()[3], with_group);
    let running = |restarts| (ChildState::Running, restarts);
    assert_eq!(scene.states(), [running(3), running(1), running(0), running(0)]);
    // Its failures are forgotten, its group's restart is not; ending with the group was no failure of the other member.
    post(&inboxes[0], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    post(&inboxes[1], [SceneMessage::Panic]);
    sleep(MS(400)).await;
    scene.expect(&[(520, "a", "started"), (520, "b", "started"), (560, "a", "started")]);
    assert_eq!(scene.event_names().last(), Some(&"given up"));
    assert_eq!(scene.states()[0].0, ChildState::Degraded);
    assert_eq!(scene.states()[1], running(2));
    // After the window a group may restart once more. A given-up actor does not restart its group.
    sleep(MS(70_000)).await;
    drop(std::mem::take(&mut *scene.notes.lock().unwrap()));
    let told = scene.event_names().len();
    post(&inboxes[1], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(400)).await;
    assert_eq!(scene.event_names()[told..], ["restarted", "restarted", "escalated", "restarted", "restarted"]);
}

// KER-7
#[tokio::test(start_paused = true)]
async fn a_member_that_fails_while_its_group_ends_has_failed_ker_7() {
    let scene = SupervisionScene::new();
    let group = scene.tree.group("speech", GroupPolicy::default());
    let inboxes = ["a", "b"].map(|name| Inbox::new(name, InboxSettings::default()));
    scene.tree.add_to::<SceneActor>(group, policy(), inboxes[0].clone(), scene.make("a", &[], ActorBehaviour::Well));
    scene.tree.add_to::<SceneActor>(group, policy(), inboxes[1].clone(), scene.make("b", &[], ActorBehaviour::Fails));
    post(&inboxes[0], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(50)).await;
    drop(std::mem::take(&mut *scene.notes.lock().unwrap()));
    sleep(MS(450)).await;
    // The actor waits as after any failure.
    scene.expect(&[(60, "a", "started"), (60, "b", "stopping"), (80, "b", "started"), (160, "a", "started")]);
    assert_eq!(scene.count("luna_actor_failures_total", "cause=\"panic\""), 4);
}

// KER-7
#[tokio::test(start_paused = true)]
async fn a_member_ends_after_what_it_is_at_and_goes_on_with_the_rest_ker_7() {
    let scene = SupervisionScene::new();
    let group = scene.tree.group("speech", GroupPolicy::default());
    let inboxes = ["a", "b", "c"].map(|name| Inbox::new(name, InboxSettings::default()));
    for (inbox, (name, stop)) in
        inboxes.iter().zip([("a", ActorBehaviour::Well), ("b", ActorBehaviour::Well), ("c", ActorBehaviour::Hangs)])
    {
        scene.tree.add_to::<SceneActor>(group, policy(), inbox.clone(), scene.make(name, &[], stop));
    }
    sleep(MS(50)).await;
    post(&inboxes[0], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(50)).await;
    post(&inboxes[1], [SceneMessage::Wait, SceneMessage::Wait, SceneMessage::Wait]);
    drop(std::mem::take(&mut *scene.notes.lock().unwrap()));
    sleep(MS(250)).await;
    // Its group restarts at 110.
    let seen = std::mem::take(&mut *scene.notes.lock().unwrap());
    let of_b: Vec<_> = seen.iter().filter(|note| note.1 == "b").map(|note| note.2).collect();
    assert_eq!(of_b, ["waited", "stopping", "started", "waited", "waited"], "{seen:?}");
    assert_eq!(scene.states()[2], (ChildState::Restarting, 0), "it is ending still");
}

// KER-7, KER-8
#[tokio::test(start_paused = true)]
async fn a_member_that_hangs_while_its_group_ends_is_named_by_what_it_is_at_ker_7_ker_8() {
    let scene = SupervisionScene::new();
    let group = scene.tree.group("speech", GroupPolicy::default());
    let inboxes = ["a", "b", "c"].map(|name| Inbox::new(name, InboxSettings::default()));
    for (inbox, (name, starts, stop)) in inboxes.iter().zip([
        ("a", &[][..], ActorBehaviour::Well),
        ("b", &[], ActorBehaviour::Hangs),
        ("c", &[ActorBehaviour::Hangs], ActorBehaviour::Well),
    ]) {
        scene.tree.add_to::<SceneActor>(group, policy(), inbox.clone(), scene.make(name, starts, stop));
    }
    sleep(MS(50)).await;
    // One is still starting when the group ends, the other was running.
    post(&inboxes[0], [SceneMessage::Panic, SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(1000)).await;
    let hung: Vec<_> = scene.log.all().into_iter().filter(|event| matches!(event, TreeEvent::Hung { .. })).collect();
    let at = |message_kind| TreeEvent::Hung { actor: "part", message_kind };
    assert_eq!(hung, [at("started"), at("stopping")]);
}

// KER-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_blocks_its_thread_has_its_grace_before_it_is_abandoned_ker_8() {
    let hung: Arc<Mutex<Option<Instant>>> = Arc::default();
    let (told, mut abandoned) = tokio::sync::watch::channel(None);
    let seen = hung.clone();
    let observer = move |event| match event {
        TreeEvent::Hung { .. } => *seen.lock().unwrap() = Some(Instant::now()),
        TreeEvent::Abandoned { .. } => drop(told.send(Some(Instant::now()))),
        _ => {}
    };
    let tree = SupervisionTree::with_settings(Arc::new(observer), SETTINGS);
    let inbox = Inbox::new("blocks", InboxSettings::default());
    let (notes, since) = (Notes::default(), Instant::now());
    let make = move || SceneActor {
        name: "a",
        start: ActorBehaviour::Well,
        stop: ActorBehaviour::Well,
        notes: notes.clone(),
        since,
    };
    tree.add::<SceneActor>(RestartPolicy { handler_deadline: MS(40), ..policy() }, inbox.clone(), make);
    post(&inbox, [SceneMessage::Block(MS(400))]);
    let last = *abandoned.wait_for(Option::is_some).await.unwrap();
    let grace = last.unwrap() - hung.lock().unwrap().unwrap();
    assert!(grace >= SETTINGS.kill_grace - MS(1), "{grace:?}");
}

// KER-8
#[tokio::test(start_paused = true)]
async fn who_hangs_is_found_in_time_and_named_ker_8() {
    let scene = SupervisionScene::new();
    let inbox = scene.add("a", policy(), &[ActorBehaviour::Hangs], ActorBehaviour::Well);
    let hung = |message_kind| TreeEvent::Hung { actor: "part", message_kind };
    sleep(MS(490)).await;
    assert_eq!(scene.log.all(), [], "it may take so long");
    sleep(MS(510)).await;
    let [first, second] = &scene.log.all()[..] else { panic!("{:?}", scene.log.all()) };
    assert_eq!(*first, hung("started"));
    let reason = "it made no progress for 500ms".to_owned();
    assert_eq!(*second, TreeEvent::Restarted { actor: "part", reason, restarts: 1 });
    assert_eq!(scene.count("luna_actor_hung_total", "actor=\"part\""), 1);
    assert_eq!(scene.count("luna_actor_failures_total", "cause=\"hung\""), 1);
    let started = std::mem::take(&mut *scene.notes.lock().unwrap());
    assert!(matches!(started[..], [(520..=560, "a", "started")]), "{started:?}");
    post(&inbox, [SceneMessage::Hang]);
    sleep(MS(1000)).await;
    assert_eq!(scene.log.all()[2], hung("hang"));
    let reason = "it made no progress for 500ms (message: hang)".to_owned();
    assert_eq!(scene.log.all()[3], TreeEvent::Restarted { actor: "part", reason, restarts: 2 });
    assert_eq!(scene.states(), [(ChildState::Running, 2)]);
    assert!(!scene.event_names().contains(&"abandoned"));
}

// KER-7
#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_hurts_nobody_ker_7() {
    let scene = SupervisionScene::new();
    let tree = SupervisionTree::with_settings(Arc::new(|_| panic!("on order")), SETTINGS);
    let inbox = Inbox::new("a", InboxSettings::default());
    tree.add::<SceneActor>(policy(), inbox.clone(), scene.make("a", &[], ActorBehaviour::Well));
    post(&inbox, [SceneMessage::Panic, SceneMessage::Panic]);
    sleep(MS(500)).await;
    scene.expect(&[(0, "a", "started"), (20, "a", "started"), (60, "a", "started")]);
}

// KER-10
#[tokio::test(start_paused = true)]
async fn who_hangs_at_the_end_takes_half_of_what_is_left_ker_10() {
    let scene = SupervisionScene::new();
    let patient = RestartPolicy { handler_deadline: MS(60_000), ..policy() };
    let last = scene.add("a", patient, &[], ActorBehaviour::Well);
    let stuck = scene.add("b", patient, &[], ActorBehaviour::Well);
    scene.add("c", patient, &[], ActorBehaviour::Hangs);
    sleep(MS(100)).await;
    post(&stuck, [SceneMessage::Hang]);
    let (asked, answer) = reply();
    post(&stuck, [SceneMessage::Ask(asked)]);
    sleep(MS(30)).await;
    drop(std::mem::take(&mut *scene.notes.lock().unwrap()));
    assert_eq!(scene.count("luna_inbox_depth", "actor=\"b\""), 1);
    let report = scene.tree.shutdown(MS(800)).await;
    assert_eq!(scene.count("luna_inbox_depth", "actor=\"b\""), 0);
    // 400 ms for the actor that stops for ever, 200 ms for the one that works for ever, and the rest for the one that ends well.
    scene.expect(&[(130, "c", "stopping"), (730, "a", "stopping")]);
    assert_eq!(report.killed, ["part", "part"]);
    assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
    assert!(scene.states().iter().all(|state| *state == (ChildState::Stopped, 0)), "{:?}", scene.states());
    assert!(matches!(last.post(SceneMessage::Fail), Err(PostError::Closed(_))));
    sleep(MS(60_000)).await;
    scene.expect(&[]);
    assert_eq!(scene.event_names(), Vec::<&str>::new(), "nobody comes back");
}

// KER-10
#[tokio::test(start_paused = true)]
async fn who_waits_for_its_start_ends_at_once_and_the_last_gets_all_that_is_left_ker_10() {
    let scene = SupervisionScene::new();
    scene.add("a", policy(), &[], ActorBehaviour::Hangs);
    let waits = scene.add(
        "b",
        RestartPolicy { backoff_first: MS(9000), backoff_max: MS(9000), ..policy() },
        &[],
        ActorBehaviour::Well,
    );
    let (asked, answer) = reply();
    post(&waits, [SceneMessage::Panic, SceneMessage::Ask(asked)]);
    sleep(MS(100)).await;
    scene.expect(&[(0, "a", "started"), (0, "b", "started")]);
    let before = Instant::now();
    let report = scene.tree.shutdown(MS(400)).await;
    let took = before.elapsed();
    assert!((MS(400)..MS(400 + TOLERANCE_MS)).contains(&took), "{took:?}");
    assert_eq!(report.killed, ["part"]);
    scene.expect(&[(100, "a", "stopping")]);
    assert_eq!(answer.await.unwrap(), Err(NoReply::Crashed));
    sleep(MS(60_000)).await;
    scene.expect(&[]);
    // A tree that ended starts no actor.
    scene.add("c", policy(), &[], ActorBehaviour::Well);
    sleep(MS(100)).await;
    scene.expect(&[]);
}

// KER-10
#[tokio::test(start_paused = true)]
async fn a_tree_that_is_dropped_ends_its_actors_at_once_ker_10() {
    let scene = SupervisionScene::new();
    let made = Arc::downgrade(&scene.notes);
    let inbox = scene.add("a", policy(), &[], ActorBehaviour::Well);
    sleep(MS(100)).await;
    assert!(made.strong_count() > 2);
    let SupervisionScene { tree, notes, log, .. } = scene;
    drop(tree);
    sleep(MS(1)).await;
    assert_eq!(made.strong_count(), 1, "no incarnation is left, nor what makes one");
    assert_eq!(notes.lock().unwrap().len(), 1, "and its end is no orderly one");
    assert_eq!(log.all(), []);
    drop(inbox);
}
