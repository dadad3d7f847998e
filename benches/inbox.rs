//! Throughput, and the wait of an urgent message behind 100,000 others: Luna's mailbox with its actor loop compared with plain ractor,
//! ractor's Factory with its PriorityQueue, kameo, xtra and tokio's mpsc, in one run (KER-3).
//!
//! `LUNA_BENCH_ROUNDS` sets how often the urgent wait is measured (200), `LUNA_BENCH_OUT` the output file (`target/report/inbox.json`).
//! The cost of Luna's metrics is included: a recorder is installed.
#![expect(clippy::disallowed_methods, reason = "real time is measured, and the unbounded channel is a peer")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use luna_actor_runtime::{Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_messages::{Lane, Message};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

const FLOOD: usize = 100_000;

/// The message that every contestant handles.
#[derive(Debug)]
enum BenchMessage {
    /// Blocks the consumer until the flood is queued.
    Gate,
    /// One of the 100,000 messages in front of the urgent one.
    Work,
    /// The urgent message, and when it was sent.
    Urgent(Instant),
}

/// The handler of every contestant: the same few instructions.
struct InboxHandler {
    gate: Semaphore,
    handled: AtomicUsize,
    urgent_ns: AtomicU64,
}

impl InboxHandler {
    fn new() -> Arc<Self> {
        Arc::new(Self { gate: Semaphore::new(0), handled: AtomicUsize::new(0), urgent_ns: AtomicU64::new(0) })
    }

    async fn handle(&self, message: BenchMessage) {
        match message {
            BenchMessage::Gate => self.gate.acquire().await.unwrap().forget(),
            BenchMessage::Work => drop(self.handled.fetch_add(1, Ordering::Relaxed)),
            BenchMessage::Urgent(sent) => {
                let wait = u64::try_from(sent.elapsed().as_nanos()).unwrap().max(1);
                self.urgent_ns.store(wait, Ordering::Release);
            }
        }
    }
}

trait InboxContestant {
    fn post(&self, message: BenchMessage);
}

type Start = fn(Arc<InboxHandler>) -> Box<dyn InboxContestant>;

#[path = "inbox/luna.rs"]
mod luna;

#[path = "inbox/plain_ractor.rs"]
mod plain_ractor;

#[path = "inbox/ractor_factory.rs"]
mod ractor_factory;

#[path = "inbox/with_kameo.rs"]
mod with_kameo;

#[path = "inbox/with_xtra.rs"]
mod with_xtra;

#[path = "inbox/tokio_mpsc.rs"]
mod tokio_mpsc;

/// Spins, because the wake-up of a sleeping poster would be measured too.
fn spin_until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} does not come");
        std::hint::spin_loop();
    }
}

/// Messages per second, posted and handled concurrently.
fn throughput(contestant: &dyn InboxContestant, handler: &InboxHandler) -> f64 {
    handler.handled.store(0, Ordering::Relaxed);
    let start = Instant::now();
    for _ in 0..FLOOD {
        contestant.post(BenchMessage::Work);
    }
    spin_until("the flood", || handler.handled.load(Ordering::Relaxed) == FLOOD);
    FLOOD as f64 / start.elapsed().as_secs_f64()
}

/// Wait in microseconds of an urgent message posted while at least 99,000 of 100,000 others are queued and being handled. `None` if the
/// poster was delayed until fewer were queued: such a round says nothing about the mailbox.
fn urgent_wait(contestant: &dyn InboxContestant, handler: &InboxHandler) -> Option<f64> {
    handler.handled.store(0, Ordering::Relaxed);
    handler.urgent_ns.store(0, Ordering::Relaxed);
    contestant.post(BenchMessage::Gate);
    for _ in 0..FLOOD {
        contestant.post(BenchMessage::Work);
    }
    handler.gate.add_permits(1);
    spin_until("the gate", || handler.handled.load(Ordering::Relaxed) > 0);
    let sent = Instant::now();
    let before = handler.handled.load(Ordering::Relaxed);
    contestant.post(BenchMessage::Urgent(sent));
    spin_until("the urgent one", || handler.urgent_ns.load(Ordering::Acquire) > 0);
    spin_until("the flood", || handler.handled.load(Ordering::Relaxed) == FLOOD);
    (before <= FLOOD / 100).then(|| handler.urgent_ns.load(Ordering::Relaxed) as f64 / 1000.0)
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((sorted.len() as f64 * q).ceil() as usize).clamp(1, sorted.len()) - 1]
}

struct InboxFigures {
    name: &'static str,
    median: f64,
    p99: f64,
    per_second: f64,
}

fn row(name: &str, unit: &str, all: &[InboxFigures], pick: impl Fn(&InboxFigures) -> f64) -> serde_json::Value {
    let peers: serde_json::Map<_, _> = all[1..].iter().map(|f| (f.name.into(), pick(f).into())).collect();
    serde_json::json!({ "name": name, "unit": unit, "ours": pick(&all[0]), "peers": peers })
}

fn main() {
    let _recorder = metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder().unwrap();
    let rounds: usize = std::env::var("LUNA_BENCH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let contestants: [(&str, Start); 6] = [
        ("luna", luna::start),
        ("ractor", plain_ractor::start),
        ("ractor factory, priority queue", ractor_factory::start),
        ("kameo", with_kameo::start),
        ("xtra, bounded, priority", with_xtra::start),
        ("tokio mpsc", tokio_mpsc::start),
    ];
    let mut waits = contestants.map(|_| Vec::new());
    let mut speeds = contestants.map(|_| Vec::new());
    // Contestants alternate, so that a disturbance of the machine hits all alike. Each has its own runtime, so that none disturbs another.
    let blocks = 10;
    for _ in 0..blocks {
        for (index, (_, start)) in contestants.iter().enumerate() {
            let runtime: Runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            let _inside = runtime.enter();
            let handler = InboxHandler::new();
            let contestant = start(handler.clone());
            throughput(&*contestant, &handler);
            speeds[index].extend((0..3).map(|_| throughput(&*contestant, &handler)));
            let share = rounds.div_ceil(blocks);
            waits[index].extend((0..20 * share).filter_map(|_| urgent_wait(&*contestant, &handler)).take(share));
            drop(contestant);
            drop(_inside);
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
    let figures: Vec<InboxFigures> = contestants
        .iter()
        .zip(waits.iter_mut().zip(&mut speeds))
        .map(|((name, _), (waits, speeds))| {
            waits.sort_by(f64::total_cmp);
            speeds.sort_by(f64::total_cmp);
            let (median, p99) = (quantile(waits, 0.5), quantile(waits, 0.99));
            InboxFigures { name, median, p99, per_second: quantile(speeds, 0.5) }
        })
        .collect();
    println!(
        "An urgent message behind {FLOOD} others, {:?} rounds; throughput of post and handling, median of {}",
        waits.each_ref().map(Vec::len),
        speeds[0].len()
    );
    println!("{:<32} {:>12} {:>12} {:>10} {:>14} {:>10}", "", "median µs", "p99 µs", "× ours", "messages/s", "× ours");
    let ours = &figures[0];
    for f in &figures {
        println!(
            "{:<32} {:>12.1} {:>12.1} {:>10.1} {:>14.0} {:>10.2}",
            f.name,
            f.median,
            f.p99,
            f.p99 / ours.p99,
            f.per_second,
            f.per_second / ours.per_second
        );
    }
    let rows = [
        row("inbox.urgent_wait_p99", "µs", &figures, |f| f.p99),
        row("inbox.urgent_wait_median", "µs", &figures, |f| f.median),
        row("inbox.throughput", "messages/s", &figures, |f| f.per_second),
    ];
    let out = std::env::var("LUNA_BENCH_OUT")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/report/inbox.json").into());
    for row in &rows {
        println!("{row}");
    }
    let folder = std::path::Path::new(&out).parent().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(&out, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
    println!(
        "goals: p99 {:.1} µs (≤ 50), ractor's / ours {:.0} (≥ 100), throughput / ractor's {:.2} (≥ 1)",
        ours.p99,
        figures[1].p99 / ours.p99,
        ours.per_second / figures[1].per_second
    );
}
