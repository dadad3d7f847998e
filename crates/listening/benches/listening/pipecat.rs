//! The same sounds given to pipecat, which has no echo cancellation of its own: people without an echo, and Luna's voice without a person.

use std::path::{Path, PathBuf};
use std::process::Command;

use luna_listening::signal::{SignalChain, SignalSettings};
use luna_messages::listening::VoiceEvent;
use serde_json::Value;

use crate::figures::{DelaySamples, ListeningReport};
use crate::measures::{DELAYS, LEVELS, ListeningBench, NOISES, PERSON, ROOMS, ms, noise};
use crate::peer::python;
use crate::people::conversation;
use crate::scene::{BLOCK, EchoPath};
use crate::sounds::{RATE, mix, room};

/// Version of the peer.
const PACKAGE: &str = "pipecat-ai[silero]==1.14.0";
/// Sound before an utterance in its file, and after it.
const BEFORE: usize = 2 * RATE as usize;
const AFTER: usize = RATE as usize;
/// Length of a file of Luna's voice alone.
const ALONE: usize = 60 * RATE as usize;

struct PeerFile {
    microphone: Vec<f32>,
    played: Vec<f32>,
    /// Where a person begins and ends.
    person: Option<(usize, usize)>,
}

fn write(path: &Path, sound: &[f32]) {
    let spec =
        hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    for sample in sound {
        writer.write_sample((sample.clamp(-1.0, 1.0) * 32_767.0) as i16).unwrap();
    }
    writer.finalize().unwrap();
}

fn ask(files: &[PeerFile]) -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let python = python(&root.join("../../target/listening-peer-venv"), &[(&[PACKAGE], &[])]);
    let folder = std::env::temp_dir().join(format!("luna-listening-peer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let paths: Vec<PathBuf> = (0..files.len()).map(|n| folder.join(format!("{n:03}.wav"))).collect();
    paths.iter().zip(files).for_each(|(path, file)| write(path, &file.microphone));
    let output = Command::new(python).arg(root.join("benches/pipecat_onset.py")).args(&paths).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "the peer failed: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).expect("an answer of the peer")).collect()
}

/// When Luna's signal chain reports a voice: the samples that it had taken, and the share that playback explains.
fn ours(file: &PeerFile) -> Vec<(usize, f32)> {
    let mut chain = SignalChain::new(SignalSettings::default());
    let mut found = Vec::new();
    for (n, block) in file.microphone.chunks(BLOCK).enumerate() {
        let at = n * BLOCK;
        let played = file.played.get(at..(at + BLOCK).min(file.played.len())).unwrap_or_default();
        let mut events = Vec::new();
        chain.push(block, RATE, played, RATE, &mut events);
        found.extend(events.into_iter().filter_map(|event| match event {
            VoiceEvent::Onset { own, .. } => Some((at + block.len(), own)),
            VoiceEvent::End { .. } => None,
        }));
    }
    found
}

/// Onsets beside the peer.
pub fn measure(bench: &ListeningBench, report: &mut ListeningReport) {
    println!("Beside {PACKAGE}: its voice activity and turn start, without transports");
    let said = conversation(&bench.recordings, PERSON, 3.0);
    for name in NOISES {
        let mut sound = noise(name, said.sound.len());
        sound.iter_mut().zip(&said.sound).for_each(|(sample, said)| *sample += said);
        let cut = |person: &crate::people::PlacedUtterance| {
            let start = person.from - BEFORE;
            let microphone = sound[start..(person.to + AFTER).min(sound.len())].to_vec();
            PeerFile { microphone, played: Vec::new(), person: Some((BEFORE, person.to - start)) }
        };
        let files: Vec<PeerFile> = said.placed.iter().map(cut).collect();
        compare(&format!("onset, {name}"), &files, report);
    }
    let mut echoes = Vec::new();
    for (n, level) in LEVELS.into_iter().enumerate() {
        for (m, delay_ms) in DELAYS.into_iter().enumerate() {
            let path = EchoPath { delay_ms, level, reverberation: ROOMS[(n + m) % 2] };
            let played = bench.voices[n].uninterrupted(ALONE);
            let mut microphone = noise(NOISES[0], ALONE);
            mix(&mut microphone, &room(&played, path.delay_ms, path.level, path.reverberation, 5), 0);
            microphone.truncate(ALONE);
            echoes.push(PeerFile { microphone, played, person: None });
        }
    }
    compare("Luna's voice alone, 9 x 60 s (synthetic)", &echoes, report);
}

fn compare(name: &str, files: &[PeerFile], report: &mut ListeningReport) {
    let answers = ask(files);
    let (mut luna, mut peer) = ((DelaySamples::default(), 0, 0), (DelaySamples::default(), 0, 0));
    for (file, answer) in files.iter().zip(&answers) {
        let starts: Vec<f64> = answer["starts"].as_array().unwrap().iter().map(|at| at.as_f64().unwrap()).collect();
        // A voice that playback explains is Luna's own and interrupts nothing.
        let found: Vec<f64> = ours(file).into_iter().filter(|(_, own)| *own < 0.94).map(|(at, _)| ms(at)).collect();
        let interruption: Vec<f64> = answer["interruption"].as_f64().into_iter().collect();
        match file.person {
            Some((from, to)) => {
                take(&mut luna, &found, ms(from), ms(to));
                take(&mut peer, &interruption, ms(from), ms(to));
            }
            None => {
                luna.2 += found.len();
                peer.2 += starts.len();
            }
        }
    }
    if !luna.0.0.is_empty() {
        for share in [0.5, 0.95] {
            let told = format!("{name}, p{:.0}", share * 100.0);
            report.beside(&told, "ms", luna.0.percentile(share), peer.0.percentile(share));
        }
        report.beside(&format!("{name}, missed of {}", files.len()), "voices", luna.1 as f64, peer.1 as f64);
    }
    report.beside(&format!("{name}, without a person"), "times", luna.2 as f64, peer.2 as f64);
}

/// Sorts onsets into delays, misses, and onsets of nobody.
fn take(into: &mut (DelaySamples, usize, usize), found: &[f64], from: f64, to: f64) {
    into.2 += found.iter().filter(|at| **at < from || **at > to + 100.0).count();
    match found.iter().find(|at| (from..to + 100.0).contains(*at)) {
        Some(at) => into.0.0.push(at - from),
        None => into.1 += 1,
    }
}
