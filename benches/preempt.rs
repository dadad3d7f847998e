//! A reflex command through the running tree to the speech actor, while a language model generates, text recognition works and 100,000
//! messages of a lower lane wait in front of it; compared with the same two steps through plain ractor mailboxes and tokio channels, in one
//! run under the same load (KER-3, KER-6).
//!
//! Measures the time from posting "stop" to the Reflex actor until the call that mutes sound returns, after which the device outputs
//! silence (`speech.rs` measures that), and until the Speech actor starts handling "stop". Peers have only the second. `LUNA_BENCH_ROUNDS`
//! sets the rounds (200), `LUNA_BENCH_GGUF` the language model (the small one of `tests/samples`). Goal: p99 at most 1 ms.

#![expect(clippy::disallowed_methods, reason = "real time is measured, and unbounded channels are peers")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "support/generation.rs"]
mod generation;
#[path = "preempt/load.rs"]
mod load;
#[path = "preempt/luna_tree.rs"]
mod luna_tree;
#[path = "preempt/peers.rs"]
mod peers;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Messages waiting when the reflex command arrives.
pub const FLOOD: usize = 100_000;

/// Nanoseconds since the start of the bench.
pub fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap()
}

/// When the reflex command was handled; 0: not yet.
#[derive(Default)]
pub struct Timestamps(AtomicU64);

impl Timestamps {
    pub fn set(&self) {
        self.0.store(now_ns().max(1), Ordering::Release);
    }
}

/// A system under measurement.
pub trait PreemptContestant {
    /// Queues at least [`FLOOD`] messages for the second actor; `false` if the machine handled too many meanwhile.
    fn flood(&self) -> bool;
    /// Sends the reflex command to the first actor, which forwards it to the second.
    fn reflex(&self);
    /// When the second actor started to handle the command.
    fn stamp(&self) -> &Timestamps;
    /// When the command took effect.
    fn effect(&self) -> &Timestamps {
        self.stamp()
    }
    /// Whether the queue is empty.
    fn is_drained(&self) -> bool;
}

/// Runs one round; returns the microseconds until the effect, and until the second actor starts to handle the command. The poster sleeps
/// meanwhile, so that it takes no core from the workers.
fn round(contestant: &dyn PreemptContestant) -> Option<[f64; 2]> {
    for stamp in [contestant.stamp(), contestant.effect()] {
        stamp.0.store(0, Ordering::Release);
    }
    let deep = contestant.flood();
    let sent = now_ns();
    contestant.reflex();
    let begin = Instant::now();
    while contestant.stamp().0.load(Ordering::Acquire) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(30), "the reflex does not arrive");
        std::thread::sleep(Duration::from_micros(500));
    }
    let took = [contestant.effect(), contestant.stamp()]
        .map(|stamp| stamp.0.load(Ordering::Acquire).saturating_sub(sent) as f64 / 1000.0);
    while !contestant.is_drained() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the flood does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
    deep.then_some(took)
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((sorted.len() as f64 * q).ceil() as usize).clamp(1, sorted.len()) - 1]
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    now_ns();
    let rounds: usize = std::env::var("LUNA_BENCH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let load = load::Load::start();
    let luna = luna_tree::start(&load);
    let (ractor, channels) = (peers::ractor(), peers::channels());
    let contestants: [(&str, &dyn PreemptContestant); 3] =
        [("luna", &luna), ("plain ractor", &ractor), ("tokio mpsc, two tasks", &channels)];
    let mut waits = contestants.map(|_| Vec::new());
    // Contestants alternate, so that a disturbance of the machine hits all alike.
    for _ in 0..rounds * 3 {
        for (index, (_, contestant)) in contestants.iter().enumerate() {
            if waits[index].len() < rounds {
                waits[index].extend(round(*contestant));
            }
        }
        if waits.iter().all(|waits| waits.len() >= rounds) {
            break;
        }
    }
    let progress = load.progress();
    println!(
        "A reflex behind {FLOOD} messages, {:?} rounds, while the model generated {} tokens and {} pages were recognised",
        waits.each_ref().map(Vec::len),
        progress.tokens,
        progress.pages
    );
    assert!(progress.tokens > 0 && progress.pages > 0, "there was no load: {progress:?}");
    println!("{:<28} {:>12} {:>12} {:>12}", "", "median µs", "p99 µs", "max µs");
    let mut figures = Vec::new();
    let [luna, ractor, channels] = waits;
    let only = |at: usize, waits: &[[f64; 2]]| waits.iter().map(|took| took[at]).collect::<Vec<f64>>();
    let rows = [
        ("luna, sound is over", only(0, &luna)),
        ("plain ractor", only(1, &ractor)),
        ("tokio mpsc, two tasks", only(1, &channels)),
        ("luna, speech actor's turn", only(1, &luna)),
    ];
    for (name, mut waits) in rows {
        assert!(!waits.is_empty(), "{name}: the flood never stood");
        waits.sort_by(f64::total_cmp);
        let row = [0.5, 0.99, 1.0].map(|q| quantile(&waits, q));
        println!("{name:<28} {:>12.1} {:>12.1} {:>12.1}", row[0], row[1], row[2]);
        figures.push((name, row));
    }
    let goals = [None, Some("≤ 1000"), None];
    // Both figures of Luna beside the same peers: the mute that a person hears, and the start of the speech actor's handler.
    let ours = [(0, "stop to the end of the order that sounds"), (3, "stop to the speech actor's turn")];
    let rows: Vec<_> = ours
        .iter()
        .flat_map(|which| ["median", "p99", "max"].into_iter().enumerate().map(move |what| (which, what)))
        .map(|((own, from_to), (at, what))| {
            let peers: serde_json::Map<_, _> =
                figures[1..3].iter().map(|(name, row)| ((*name).to_owned(), row[at].into())).collect();
            let ours = figures[*own].1[at];
            serde_json::json!({"name": format!("{from_to}, under load, {what}"), "unit": "µs", "ours": ours, "peer": peers,
                "goal": goals[at], "ratio": ours / figures[1].1[at]})
        })
        .collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/report");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("preempt.json"), serde_json::to_vec_pretty(&rows).unwrap()).unwrap();
    println!("goal: p99 {:.0} µs (≤ 1000)", figures[0].1[1]);
}
