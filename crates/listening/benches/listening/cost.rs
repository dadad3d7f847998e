//! What listening costs the processor.

use luna_listening::signal::{SignalChain, SignalSettings};

use crate::figures::ListeningReport;
use crate::measures::{LEVELS, ListeningBench, PERSON, noise};
use crate::people::conversation;
use crate::scene::{BLOCK, EchoPath};
use crate::sounds::{RATE, room};

/// Nanoseconds that this thread has had a processor.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(f64::NAN)
}

/// How much quieter Luna's echo is after the chain, in dB, from the third second on.
fn reduction(played: &[f32], level: f32) -> f64 {
    let path = EchoPath { delay_ms: 80, level, reverberation: 0.4 };
    let echo = room(played, path.delay_ms, path.level, path.reverberation, 5);
    let mut chain = SignalChain::new(SignalSettings::default());
    let (mut before, mut after, second) = (0.0, 0.0, RATE as usize);
    for (n, sound) in played.chunks(BLOCK).enumerate() {
        let at = n * BLOCK;
        chain.push(&echo[at..at + sound.len()], RATE, sound, RATE, &mut Vec::new());
        let heard = chain.heard();
        if at.is_multiple_of(second) && at >= 4 * second {
            let from = heard - second as u64;
            let left = chain.sound(from, heard);
            after += left.samples.iter().map(|sample| (f64::from(*sample) / 32_767.0).powi(2)).sum::<f64>();
            before += echo[from as usize..heard as usize].iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>();
        }
    }
    10.0 * (before / after.max(1e-12)).log10()
}

fn share(microphone: &[f32], played: &[f32]) -> f64 {
    let rate = 48_000;
    let (microphone, played) =
        (crate::sounds::resample(microphone, RATE, rate), crate::sounds::resample(played, RATE, rate));
    let mut chain = SignalChain::new(SignalSettings::default());
    let mut events = Vec::new();
    let block = BLOCK * 3;
    let begin = processor_time();
    for (n, sound) in microphone.chunks(block).enumerate() {
        let reference = played.get(n * block..((n + 1) * block).min(played.len())).unwrap_or_default();
        chain.push(sound, rate, reference, rate, &mut events);
        events.clear();
    }
    let seconds = microphone.len() as f64 / f64::from(rate);
    100.0 * (processor_time() - begin) * 1e-9 / seconds
}

/// The signal chain on sound of 48,000 samples a second, as a microphone has.
pub fn measure(bench: &ListeningBench, report: &mut ListeningReport) {
    let count = 60 * RATE as usize;
    let quiet = noise("quiet room", count);
    report.row("Processor, quiet room", "% of a core", share(&quiet, &[]), "2");
    let said = conversation(&bench.recordings, PERSON, 0.3).sound;
    let mut speech = noise("quiet room", said.len());
    speech.iter_mut().zip(&said).for_each(|(sample, said)| *sample += said);
    report.row("Processor, speech in the room", "% of a core", share(&speech, &[]), "10");
    let played = bench.voices[0].uninterrupted(said.len());
    let path = EchoPath { delay_ms: 80, level: -6.0, reverberation: 0.15 };
    let echo = room(&played, path.delay_ms, path.level, path.reverberation, 5);
    speech.iter_mut().zip(&echo).for_each(|(sample, echo)| *sample += echo);
    report.row("Processor, speech over Luna's voice (echo cancellation)", "% of a core", share(&speech, &played), "");
    for level in LEVELS {
        let name = format!("Echo reduction, Luna's voice alone in a room of 0.4 s, echo {level:.0} dB, no noise");
        report.row(&name, "dB", reduction(&played, level), "");
    }
}
