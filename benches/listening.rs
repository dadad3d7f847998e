//! Luna listens, in real processes: `luna run` reads a long text through a null sink, espeak-ng speaks into the microphone's sink, and both sinks are
//! recorded by one clock (`listening/recorder.rs`). Measured, once while a language model generates and once without it, with Whisper models of the
//! real sizes of tiny and base whose words are scripted (the compute is real, the words are not, and each figure says so):
//!
//! - from the end of the command word to the last sample of Luna (goal for tiny: p95 ≤ 500 ms on two idle cores), beside the plain way in the same run:
//!   wait for the end of the utterance, transcribe it as a whole; and from the matching partial transcript to the last sample (goal: p99 ≤ 20 ms). A word
//!   counts as heard only in a window that holds five sixths of it (`listening/engine.rs`); for the second figure, every window hears it, because Luna
//!   would mostly be silent already for other reasons: it waits in silence for a voice that goes on;
//! - from the first audible sample of the word to the moment when Luna becomes quiet (goal: p95 ≤ 150 ms);
//! - from the end of words that are not for Luna to the rejection (goal: at most 800 ms), and from there to Luna's voice (goal: at most 300 ms, always);
//! - processor time of the process `luna` in a quiet room (goal: 2 % of a core) and with people who talk (goal: 10 %), and memory.
//!
//! Not in it: an echo of Luna in the microphone, and the delays of real sound devices. The virtual-time bench of `crates/listening` has echo and noise.
//!
//! `scripts/desktop-session.sh cargo bench -p luna --bench listening`, with the engine programs beside it (`cargo build --release --workspace --bins`).
//! LUNA_BENCH_ROUNDS: commands per model and load (8); LUNA_BENCH_RESUMES: rejections (20); LUNA_BENCH_SECONDS: each part of the idle measurement (20);
//! LUNA_BENCH_LOAD: commands only `with` the language model, or only `without` it; LUNA_BENCH_PARTS: some of `commands,partials,rejections,idle` only;
//! LUNA_BENCH_GGUF: another language model; LUNA_BENCH_SETS: settings under trial (`engines.stt.threads=1`); LUNA_BENCH_DETAILS=1: each round.
//! Writes `target/report/listening_processes.json`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench"
)]
#![allow(clippy::disallowed_methods, reason = "a bench measures the real clock")]

#[cfg(target_os = "linux")]
#[path = "listening/clock.rs"]
mod clock;
#[cfg(target_os = "linux")]
#[path = "listening/commands.rs"]
mod commands;
#[cfg(target_os = "linux")]
#[path = "../tests/support/desktop.rs"]
mod desktop;
#[cfg(target_os = "linux")]
#[path = "listening/engine.rs"]
mod engine;
#[cfg(target_os = "linux")]
#[path = "listening/events.rs"]
mod events;
#[cfg(target_os = "linux")]
#[path = "listening/figures.rs"]
mod figures;
#[cfg(target_os = "linux")]
#[path = "support/generation.rs"]
mod generation;
#[cfg(target_os = "linux")]
#[path = "listening/idle.rs"]
mod idle;
#[cfg(target_os = "linux")]
#[path = "listening/load.rs"]
mod load;
#[cfg(target_os = "linux")]
#[path = "listening/measures.rs"]
mod measures;
#[cfg(target_os = "linux")]
#[path = "listening/person.rs"]
mod person;
#[cfg(target_os = "linux")]
#[path = "listening/plain.rs"]
mod plain;
#[cfg(target_os = "linux")]
#[path = "listening/recorder.rs"]
mod recorder;
#[cfg(target_os = "linux")]
#[path = "listening/rejections.rs"]
mod rejections;
#[cfg(target_os = "linux")]
#[path = "listening/scene.rs"]
mod scene;

#[cfg(target_os = "linux")]
fn main() {
    if engine::is_engine() {
        return engine::run();
    }
    // `cargo test --benches` only checks that it starts.
    if std::env::args().any(|argument| argument == "--bench") {
        measures::all();
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("This bench records the monitors of PulseAudio's null sinks, which this platform has not.");
}
