//! The listening loop, from the sound of the microphone to what is obeyed, in virtual time: when Luna becomes quiet, whether it obeys itself, which
//! commands it misses and which it invents, when it goes on, and what it costs; beside pipecat on the same sounds.
//!
//! Real: the recordings of people, the signal chain, the machine of turns, the rules of understanding, the time of the processor. Synthetic: rooms,
//! noises, Luna's voice and the voices that command (espeak-ng), and the recogniser, whose words are scripted and whose time is given.
//!
//! `cargo bench -p luna-listening`; writes `target/report/listening.json`. Needs espeak-ng. The peer's package goes to `target/listening-peer-venv`;
//! LUNA_BENCH_PEER=0 leaves it out,
//! LUNA_BENCH_DETAILS=1 tells each voice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench"
)]

#[path = "listening/cost.rs"]
mod cost;
#[path = "listening/figures.rs"]
mod figures;
#[path = "listening/likeness.rs"]
mod likeness;
#[path = "listening/luna.rs"]
mod luna;
#[path = "listening/measures.rs"]
mod measures;
#[path = "../../../benches/support/peer.rs"]
mod peer;
#[path = "listening/people.rs"]
mod people;
#[path = "listening/pipecat.rs"]
mod pipecat;
#[path = "listening/scene.rs"]
mod scene;
#[path = "../tests/support/sounds.rs"]
mod sounds;

use figures::ListeningReport;

fn main() {
    let mut report = ListeningReport::default();
    let bench = measures::ListeningBench::new();
    let recordings = bench.seconds_recorded();
    println!("{recordings:.1} s of recordings of people; everything else is synthetic.");
    bench.people(&mut report);
    bench.self_interruption(&mut report);
    bench.double_talk(&mut report);
    cost::measure(&bench, &mut report);
    if std::env::var("LUNA_BENCH_PEER").as_deref() != Ok("0") {
        pipecat::measure(&bench, &mut report);
    }
    report.write(&format!(
        "{recordings:.1} s of recordings of people (some of which may be synthetic, their source does not say) are used again and again; Luna's \
         voice and the commands are espeak-ng's, rooms and noises are computed, and the recogniser's words are scripted."
    ));
}
