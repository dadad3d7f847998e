//! The cause of a message goes with it, to whatever follows from it and to nothing else (KER-12).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{BoxFuture, FutureExt as _};
use luna_actor_runtime::trace_log::{MAX_HOPS, TraceId, TraceLog};
use luna_actor_runtime::{
    Actor, ActorContext, ActorError, BlockingThread, Cause, Inbox, InboxSettings, RestartPolicy, SupervisionTree, Task,
};
use luna_messages::{Lane, Message, Overflow, Reply};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{sleep, timeout};

const MS: fn(u64) -> Duration = Duration::from_millis;
const SOON: Duration = Duration::from_secs(10);

type CausedAction = Box<dyn FnOnce(ActorContext<CauseMessage>) -> BoxFuture<'static, ()> + Send>;

enum CauseMessage {
    /// Notes the number and its cause.
    Note(u32),
    /// Like `Note`, but coalesces.
    Newest(u32),
    /// Panics at the first try; the retry is a `Note`.
    Again(u32),
    Panic,
    Ask(Reply<u32>),
    Do(CausedAction),
}

impl Message for CauseMessage {
    fn lane(&self) -> Lane {
        if matches!(self, Self::Newest(_)) { Lane::Ocr } else { Lane::Uia }
    }
    fn overflow(&self) -> Overflow {
        if matches!(self, Self::Newest(_)) { Overflow::Coalesce } else { Overflow::Refuse }
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::Note(_) => "note",
            Self::Newest(_) => "newest",
            Self::Again(_) => "again",
            Self::Panic => "panic",
            Self::Ask(_) => "ask",
            Self::Do(_) => "do",
        }
    }
    fn retry(&self, attempt: u32) -> Option<Self> {
        match self {
            Self::Again(number) if attempt == 1 => Some(Self::Note(*number)),
            _ => None,
        }
    }
}

struct Probe(Sender<(u32, Option<TraceId>)>);

#[async_trait]
impl Actor for Probe {
    type Message = CauseMessage;
    const NAME: &'static str = "probe";

    async fn handle(&mut self, message: CauseMessage, context: &ActorContext<CauseMessage>) -> Result<(), ActorError> {
        match message {
            CauseMessage::Note(number) | CauseMessage::Newest(number) => note(&self.0, number),
            CauseMessage::Again(_) | CauseMessage::Panic => panic!("on order"),
            CauseMessage::Ask(reply) => reply.answer(7),
            CauseMessage::Do(action) => action(context.clone()).await,
        }
        Ok(())
    }
}

fn note(seen: &Sender<(u32, Option<TraceId>)>, number: u32) {
    seen.try_send((number, Cause::current().trace())).unwrap();
}

/// Three actors, what they note, and the traces.
struct CauseScene {
    inboxes: [Inbox<CauseMessage>; 3],
    seen: Receiver<(u32, Option<TraceId>)>,
    note: Sender<(u32, Option<TraceId>)>,
    traces: TraceLog,
    tree: SupervisionTree,
}

impl CauseScene {
    fn new() -> Self {
        let (note, seen) = channel(64);
        let inboxes = ["one", "two", "three"].map(|name| Inbox::new(name, InboxSettings::default()));
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        for inbox in &inboxes {
            let note = note.clone();
            let policy = RestartPolicy { backoff_first: MS(5), backoff_max: MS(5), ..RestartPolicy::default() };
            tree.add(policy, inbox.clone(), move || Probe(note.clone()));
        }
        Self { inboxes, seen, note, traces: TraceLog::default(), tree }
    }

    /// Begins a trace by posting `message` to the first actor.
    fn begin(&self, message: CauseMessage) -> Option<TraceId> {
        let cause = self.traces.begin("test");
        cause.scope(|| post(&self.inboxes[0], message));
        cause.trace()
    }

    fn begin_doing<F: Future<Output = ()> + Send + 'static>(
        &self,
        action: impl FnOnce(ActorContext<CauseMessage>) -> F + Send + 'static,
    ) -> Option<TraceId> {
        self.begin(doing(action))
    }

    async fn next(&mut self) -> (u32, Option<TraceId>) {
        timeout(SOON, self.seen.recv()).await.expect("nothing was noted").unwrap()
    }

    async fn sees(&mut self, expect: impl IntoIterator<Item = (u32, Option<TraceId>)>) {
        for expected in expect {
            assert_eq!(self.next().await, expected);
        }
    }
}

fn doing<F: Future<Output = ()> + Send + 'static>(
    action: impl FnOnce(ActorContext<CauseMessage>) -> F + Send + 'static,
) -> CauseMessage {
    CauseMessage::Do(Box::new(move |context| action(context).boxed()))
}

fn post(inbox: &Inbox<CauseMessage>, message: CauseMessage) {
    assert!(inbox.post(message).is_ok());
}

// KER-12
#[tokio::test(start_paused = true)]
async fn three_mailboxes_have_one_trace_with_its_times_ker_12() {
    let mut scene = CauseScene::new();
    let [_, two, three] = scene.inboxes.clone();
    let trace = scene.begin_doing(|_| async move {
        sleep(MS(20)).await;
        post(&two, doing(|_| async move { post(&three, CauseMessage::Note(1)) }));
    });
    assert_eq!(trace, Some(TraceId(1)));
    scene.sees([(1, trace)]).await;
    // A message without a cause leaves no trace.
    post(&scene.inboxes[0], CauseMessage::Note(2));
    scene.sees([(2, None)]).await;
    sleep(MS(1)).await;
    let hops = scene.traces.hops();
    let way: Vec<_> = hops.iter().map(|hop| (hop.trace.0, hop.origin, hop.actor, hop.what, hop.lane)).collect();
    let lane = Some(Lane::Uia);
    let hop = |actor, what| (1, "test", actor, what, lane);
    assert_eq!(way, [hop("one", "do"), hop("two", "do"), hop("three", "note")]);
    assert_eq!((hops[0].took, hops[1].after, hops[1].took), (MS(20), hops[0].after + MS(20), Duration::ZERO));
    assert!(hops.iter().all(|hop| hop.waited <= hop.after));
    drop(scene.tree);
}

// KER-12
#[tokio::test(start_paused = true)]
async fn what_a_handler_starts_belongs_to_its_trace_ker_12() {
    let mut scene = CauseScene::new();
    let (note, two) = (scene.note.clone(), scene.inboxes[1].clone());
    let trace = scene.begin_doing(|context| async move {
        context.send_after(MS(10), CauseMessage::Note(1)).detach();
        let inbox = context.inbox().clone();
        let asked = Reply::new(move |answer: Result<u32, _>| post(&inbox, CauseMessage::Note(answer.unwrap())));
        let spawned = note.clone();
        context
            .spawn(async move {
                sleep(MS(20)).await;
                post(&two, CauseMessage::Ask(asked));
                sleep(MS(20)).await;
                self::note(&spawned, 2);
            })
            .detach();
        // A reply that is dropped with its task posts its answer, too.
        let inbox = context.inbox().clone();
        let lost = Reply::new(move |answer: Result<u32, _>| post(&inbox, CauseMessage::Note(answer.map_or(3, |_| 0))));
        let holder: Task = context.spawn(async move {
            let _lost = lost;
            std::future::pending().await
        });
        tokio::task::yield_now().await;
        drop(holder);
    });
    scene.sees([(3, trace), (1, trace), (7, trace), (2, trace)]).await;
}

// KER-12
#[tokio::test]
async fn a_call_outside_is_made_for_who_asked_ker_12() {
    let mut scene = CauseScene::new();
    let thread = BlockingThread::new("a thing", SOON);
    let (note, two) = (scene.note.clone(), scene.inboxes[1].clone());
    let trace = scene.begin_doing(|_| async move {
        let (said, again) = (note.clone(), note.clone());
        thread.run(move || self::note(&said, 1)).await.unwrap();
        let call = thread.begin(move || self::note(&again, 2), move || post(&two, CauseMessage::Note(3))).unwrap();
        while !matches!(note.capacity(), 0..=62) {
            sleep(MS(1)).await;
        }
        drop(call);
    });
    scene.sees([(1, trace), (2, trace), (3, trace)]).await;
}

// KER-12
#[tokio::test(start_paused = true)]
async fn what_works_for_everybody_belongs_to_no_trace_ker_12() {
    let mut scene = CauseScene::new();
    let note = scene.note.clone();
    scene.begin_doing(|context| async move {
        context.every(MS(10), || CauseMessage::Note(1)).detach();
        context
            .spawn_service(async move {
                sleep(MS(15)).await;
                self::note(&note, 2);
            })
            .detach();
        Cause::none().scope(|| context.send_after(MS(5), CauseMessage::Note(0))).detach();
    });
    scene.sees([(0, None), (1, None), (2, None), (1, None)]).await;
}

// KER-4, KER-5, KER-7, KER-12
#[tokio::test(start_paused = true)]
async fn a_cause_is_replaced_repeated_and_promoted_with_its_message_ker_12() {
    let mut scene = CauseScene::new();
    let busy = doing(|_| sleep(MS(100)));
    post(&scene.inboxes[0], busy);
    sleep(MS(1)).await;
    let older = scene.begin(CauseMessage::Newest(1));
    let newer = scene.begin(CauseMessage::Newest(2));
    let first = scene.begin(CauseMessage::Note(0));
    assert_ne!(older, newer);
    scene.sees([(0, first), (2, newer)]).await;

    // It waits longer than its lane's promotion time, and overtakes what waits in lane Uia after it.
    let inbox = scene.inboxes[0].clone();
    post(&inbox, doing(|_| sleep(Duration::from_secs(3))));
    sleep(MS(1)).await;
    let promoted = scene.begin(CauseMessage::Newest(3));
    post(&inbox, doing(move |context| async move { post(context.inbox(), CauseMessage::Note(4)) }));
    scene.sees([(3, promoted), (4, None)]).await;

    let repeated = scene.begin(CauseMessage::Again(5));
    scene.sees([(5, repeated)]).await;
}

// KER-12
#[tokio::test(start_paused = true)]
async fn traces_on_one_thread_do_not_mix_ker_12() {
    let mut scene = CauseScene::new();
    let mut expected = Vec::new();
    for number in 0..3_u32 {
        let note = scene.note.clone();
        let cause = scene.traces.begin("test");
        expected.push((number, cause.trace()));
        cause.scope(|| {
            post(
                &scene.inboxes[usize::try_from(number).unwrap()],
                doing(move |_| async move {
                    for _ in 0..2 {
                        self::note(&note, number);
                        sleep(MS(10)).await;
                    }
                }),
            );
        });
    }
    assert!(Cause::current().is_none());
    let mut seen = Vec::new();
    for _ in 0..2 * expected.len() {
        seen.push(scene.next().await);
    }
    // Each had its first turn before any had its second one.
    seen[..3].sort_unstable();
    seen[3..].sort_unstable();
    assert_eq!(seen, [expected.clone(), expected].concat());
    assert!(Cause::current().is_none());
}

// KER-7, KER-12
#[tokio::test(start_paused = true)]
async fn a_panic_leaves_no_cause_behind_ker_12() {
    let mut scene = CauseScene::new();
    scene.begin(CauseMessage::Panic);
    post(&scene.inboxes[0], CauseMessage::Note(1));
    scene.sees([(1, None)]).await;
    assert!(Cause::current().is_none(), "the actors run on this thread");
    let caused = scene.traces.begin("test");
    let inner = std::panic::catch_unwind(|| Cause::none().scope(|| panic!("on order")));
    assert!(inner.is_err() && caused.scope(Cause::current).trace() == caused.trace());
    assert!(caused.scope(|| Cause::none().scope(Cause::current)).is_none());
}

// KER-12, BUF-3
#[test]
fn only_the_newest_hops_are_kept_ker_12() {
    let traces = TraceLog::default();
    let now = tokio::time::Instant::now();
    for _ in 0..MAX_HOPS + 10 {
        traces.begin("test").mark("probe", "first_sound", now);
    }
    let hops = traces.hops();
    assert_eq!((hops.len(), hops[0].trace, hops[0].lane), (MAX_HOPS, TraceId(11), None));
    Cause::none().mark("probe", "first_sound", now);
    assert_eq!(traces.hops(), hops);
}
