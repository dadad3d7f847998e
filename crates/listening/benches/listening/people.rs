//! People: recordings with their transcripts, and commands said by other voices of espeak-ng than Luna's.

use std::path::PathBuf;

use luna_messages::control::Command;

use crate::luna::{TimedWord, espeak, timed_words};
use crate::sounds::{RATE, at_level, mix, recording_at, speech_extent};

/// A sound of a person and its words.
pub struct RecordedUtterance {
    pub sound: Vec<f32>,
    pub text: String,
    /// The command that it is.
    pub command: Option<Command>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/5-speech")
}

fn read(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All recordings with transcripts.
pub fn recordings() -> Vec<RecordedUtterance> {
    let table = String::from_utf8(read("TRANSCRIPTS.tsv")).unwrap();
    let mut found = Vec::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (name, text) = (cells[0], cells[3]);
        if name.ends_with(".raw") {
            let samples = read(name);
            let (pairs, _) = samples.as_chunks::<2>();
            let sound = pairs.iter().map(|pair| f32::from(i16::from_le_bytes(*pair)) / 32_768.0).collect();
            found.push(RecordedUtterance { sound, text: text.to_owned(), command: None });
        } else if name.contains('*') {
            for part in ["0870", "0880", "0890", "0920", "0930"] {
                let name = format!("librivox/sense_and_sensibility_01_austen_64kb-{part}");
                let text = String::from_utf8(read(&format!("{name}.txt"))).unwrap();
                // The transcripts mark where a sentence begins and ends.
                let text = text.replace("<s>", "").replace("</s>", "").trim().to_owned();
                found.push(RecordedUtterance {
                    sound: recording_at(&folder().join(format!("{name}.wav"))),
                    text,
                    command: None,
                });
            }
        } else {
            found.push(RecordedUtterance {
                sound: recording_at(&folder().join(name)),
                text: text.to_owned(),
                command: None,
            });
        }
    }
    found
}

const COMMANDS: &[(&str, &str, Command)] = &[
    ("ko", "멈춰", Command::Stop),
    ("ko", "다음", Command::Next),
    ("ko", "잠깐", Command::Pause),
    ("ko", "다시", Command::Repeat),
    ("ko", "더 크게", Command::Bigger),
    ("ko", "느리게", Command::Slower),
    ("ko", "집중 모드 꺼", Command::FocusOff),
    ("en", "stop", Command::Stop),
    ("en", "next", Command::Next),
    ("en", "pause", Command::Pause),
    ("en", "previous", Command::Prev),
    ("en", "faster", Command::Faster),
];

/// Each command by each of these voices of espeak-ng.
pub fn commands(speakers: &[&str]) -> Vec<RecordedUtterance> {
    let said = |(lang, text, command): &(&str, &str, Command), variant: &str| {
        let language = if *lang == "ko" { "ko" } else { "en-gb" };
        let sound = espeak(&format!("{language}+{variant}"), 150, text);
        RecordedUtterance { sound, text: (*text).to_owned(), command: Some(*command) }
    };
    COMMANDS.iter().flat_map(|command| speakers.iter().map(|speaker| said(command, speaker))).collect()
}

/// An utterance in a scene.
pub struct PlacedUtterance {
    /// Its first and last sample above -40 dB of its peak.
    pub from: usize,
    pub to: usize,
    /// Its first and last samples within 20 dB of its level, for 30 ms at least: louder than a breath.
    pub speech: (usize, usize),
    pub command: Option<Command>,
    pub text: String,
}

/// Utterances one after the other at a level in dB, with quiet between them.
pub struct Conversation {
    pub sound: Vec<f32>,
    pub words: Vec<TimedWord>,
    pub placed: Vec<PlacedUtterance>,
}

/// The first utterance begins after five seconds, and the quiet after each lasts `gap` seconds and a bit that differs.
pub fn conversation(utterances: &[RecordedUtterance], level: f32, gap: f32) -> Conversation {
    let (mut sound, mut words, mut placed) = (vec![0.0; 5 * RATE as usize], Vec::new(), Vec::new());
    for (i, utterance) in utterances.iter().enumerate() {
        let said = at_level(&utterance.sound, level);
        let begins = sound.len();
        mix(&mut sound, &said, begins);
        let limit = said.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs())) * 0.01;
        let loud = |sample: &f32| sample.abs() > limit;
        let (from, to) = (said.iter().position(loud).unwrap_or(0), said.iter().rposition(loud).unwrap_or(0));
        let (first, last) = speech_extent(&said);
        words.extend(timed_words(&utterance.text, &said, begins));
        placed.push(PlacedUtterance {
            from: begins + from,
            to: begins + to,
            speech: (begins + first, begins + last),
            command: utterance.command,
            text: utterance.text.clone(),
        });
        let pause = gap + 0.137 * (i % 5) as f32;
        sound.extend(vec![0.0; (pause * RATE as f32) as usize]);
    }
    Conversation { sound, words, placed }
}
