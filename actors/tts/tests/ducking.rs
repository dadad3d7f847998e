//! Luna is quiet while somebody speaks, and goes on at the word: with the real engine, and a device that records what it plays.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/harness.rs"]
mod harness;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use harness::{TtsHarness, engine};
use luna_engine_host::start_and_load;
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, SpeakJob, SpeechLoad};
use luna_messages::tts::TtsMessage;
use luna_messages::{Lang, RequestId};
use luna_platform::audio::fault::FaultyOutput;
use luna_platform::audio::tap::TapReader;
use tokio::time::{Instant, sleep};

const TEXT: &str = "Every morning seven brown otters gathered beside the river";
/// Samples of the device in a millisecond.
const MS: usize = 48;

/// The times at which the words of a text begin, in samples of the device from its first sound.
async fn words(text: &str) -> Vec<usize> {
    let load = LoadSpec::Speech(SpeechLoad { library: None, data: None });
    let (process, _) = start_and_load(&engine(), load).await.unwrap();
    let job = EngineJob::Speak(SpeakJob { text: text.into(), lang: Lang::En, voice: None });
    let mut run = process.run(job, Bytes::new()).unwrap();
    let (mut found, mut length) = (Vec::new(), 0);
    while let Some((chunk, payload)) = run.next().await.unwrap() {
        let EngineChunk::Sound { sample_rate, words } = chunk else { panic!("{chunk:?} is no sound") };
        found.extend(words.iter().map(|word| (length + *word as usize) * 48_000 / sample_rate as usize));
        length += payload.len() / 2;
    }
    found
}

/// What the device played, with the place of the first sound.
struct PlayedSound {
    output: FaultyOutput,
    sound: Vec<f32>,
}

impl PlayedSound {
    const fn new(output: FaultyOutput) -> Self {
        Self { output, sound: Vec::new() }
    }

    fn update(&mut self) {
        self.sound.extend(self.output.take_played());
    }

    fn first(&self) -> Option<usize> {
        self.sound.iter().position(|s| s.abs() > 0.005)
    }

    /// Waits until this many samples were played since the first sound.
    async fn wait_for(&mut self, samples: usize) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.first().is_none_or(|first| self.sound.len() < first + samples) {
            assert!(Instant::now() < until, "only {} samples were played", self.sound.len());
            sleep(Duration::from_millis(2)).await;
            self.update();
        }
    }
}

fn energy(sound: &[f32]) -> f32 {
    sound.iter().map(|s| s * s).sum()
}

/// Likeness of two sounds, at most 1, and how loud the second is compared with the first.
fn likeness(a: &[f32], b: &[f32]) -> (f32, f32) {
    let product: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    (product / (energy(a) * energy(b)).sqrt().max(1e-9), product / energy(a).max(1e-9))
}

/// The place in `places` at which `sound` is most like `sought`, with likeness and loudness.
fn find(sought: &[f32], sound: &[f32], places: Range<usize>) -> (usize, f32, f32) {
    // Roughly first: a voice has little above 3 kHz.
    let rough: Vec<f32> = sought.iter().step_by(8).copied().collect();
    let like_at = |at: usize| {
        let part: Vec<f32> = sound.get(at..at + sought.len())?.iter().step_by(8).copied().collect();
        Some((at, likeness(&rough, &part).0))
    };
    let (about, _) =
        places.step_by(2).filter_map(like_at).max_by(|a, b| a.1.total_cmp(&b.1)).expect("there is a place to search");
    (about.saturating_sub(4)..about + 5)
        .filter_map(|at| sound.get(at..at + sought.len()).map(|part| (at, likeness(sought, part))))
        .max_by(|a, b| a.1.0.total_cmp(&b.1.0))
        .map(|(at, (like, loud))| (at, like, loud))
        .expect("the place is within the sound")
}

// BRG-1, TTS-4
#[tokio::test(flavor = "multi_thread")]
async fn after_a_duck_the_word_is_heard_again_whole_brg_1_tts_4() {
    let words = words(TEXT).await;
    assert_eq!(words.len(), 9, "{words:?}");
    let output = FaultyOutput::new();
    let harness = TtsHarness::new(Arc::new(output.clone()));
    // Before and after the sound is held.
    for (word, ducked) in [(3, 200), (5, 1000)] {
        let mut played = PlayedSound::new(output.clone());
        let id = harness.read(TEXT);
        played.wait_for(words[word] + 150 * MS).await;
        harness.mute.duck();
        played.update();
        let duck = played.sound.len();
        played.wait_for(duck + ducked * MS - played.first().unwrap()).await;
        harness.mute.unduck(true);
        played.update();
        let back = played.sound.len();
        harness.finished(id).await;
        played.update();
        let sound = &played.sound;
        if ducked > 700 {
            let held = &sound[duck + 680 * MS..back];
            assert!(!held.is_empty() && held.iter().all(|s| *s == 0.0), "it is held");
        }
        // A buffer may pass until the duck is seen, and 20 ms until it is quiet.
        let quiet = duck + 40 * MS..duck + 180 * MS;
        // Where what was quiet is heard again, loud: from the word to the duck, and those 40 ms.
        let (again, like, loud) = find(&sound[quiet.clone()], sound, back..(back + 900 * MS).min(sound.len()));
        assert!(like > 0.95, "what was quiet is not heard again: {like}");
        let level = -20.0 * loud.log10();
        assert!((-16.0..-14.0).contains(&level), "{level} dB while ducked");
        let restart = back + sound[back..].iter().position(|s| s.abs() > 0.005).unwrap();
        let place = quiet.start - (again - restart) - played.first().unwrap();
        let off = place.abs_diff(words[word]);
        // The first sound of a word may come some milliseconds after its place.
        assert!(off < 60 * MS, "it goes on at {place}, the words begin at {words:?}");
        assert_eq!(harness.brief_events(id), ["0", "finished"], "the sentence is announced once");
    }
}

// BRG-1
#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_does_not_end_while_somebody_speaks_brg_1() {
    let output = FaultyOutput::new();
    let harness = TtsHarness::new(Arc::new(output.clone()));
    let mut played = PlayedSound::new(output.clone());
    let id = harness.read("Otters swim. This is the second sentence.");
    played.wait_for(300 * MS).await;
    harness.mute.duck();
    sleep(Duration::from_millis(1200)).await;
    assert_eq!(harness.brief_events(id), ["0"], "the next one would be said unheard");
    harness.mute.unduck(true);
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "finished"]);
}

// BRG-1, TTS-4
#[tokio::test(flavor = "multi_thread")]
async fn what_follows_a_stop_while_ducked_is_loud_brg_1_tts_4() {
    let output = FaultyOutput::new();
    let harness = TtsHarness::new(Arc::new(output.clone()));
    let loudest = |sound: &[f32]| sound.iter().fold(0.0_f32, |loudest, s| loudest.max(s.abs()));
    let id = harness.read(TEXT);
    harness.finished(id).await;
    let whole = loudest(&output.take_played());
    for ducked in [100, 900] {
        let mut played = PlayedSound::new(output.clone());
        let id = harness.read(TEXT);
        played.wait_for(500 * MS).await;
        harness.mute.duck();
        sleep(Duration::from_millis(ducked)).await;
        harness.post(TtsMessage::Stop { at: RequestId::next() });
        harness.stopped(id).await;
        sleep(Duration::from_millis(50)).await;
        let _ = output.take_played();
        harness.mute.unduck(true);
        sleep(Duration::from_millis(100)).await;
        assert_eq!(loudest(&output.take_played()), 0.0, "there is nothing to go back to");
        let next = harness.read(TEXT);
        harness.finished(next).await;
        let ratio = loudest(&output.take_played()) / whole;
        assert!((0.8..1.25).contains(&ratio), "{ratio} times as loud");
    }
}

// BRG-1, BRG-8, TTS-2
#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_while_somebody_speaks_is_held_and_then_said_from_its_beginning_brg_1() {
    let words = words(TEXT).await;
    let output = FaultyOutput::new();
    let harness = TtsHarness::new(Arc::new(output.clone()));
    harness.mute.duck();
    let id = harness.read(TEXT);
    harness.sentence(id, 0).await;
    sleep(Duration::from_millis(1500)).await;
    let quiet = output.take_played();
    assert!(quiet.iter().all(|s| s.abs() < 0.2) && quiet[quiet.len() - 200 * MS..].iter().all(|s| *s == 0.0));
    harness.mute.unduck(true);
    harness.finished(id).await;
    let heard = output.take_played();
    let first = heard.iter().position(|s| s.abs() > 0.005).unwrap();
    let last = heard.iter().rposition(|s| s.abs() > 0.005).unwrap();
    assert!(last - first > words[8] + 100 * MS, "only {} ms of the sentence", (last - first) / MS);
    assert_eq!(harness.brief_events(id), ["0", "finished"]);
}

// BRG-4
#[tokio::test(flavor = "multi_thread")]
async fn the_tap_has_what_the_device_got_brg_4() {
    let output = FaultyOutput::new();
    let harness = TtsHarness::new(Arc::new(output.clone()));
    let mut reader: TapReader = harness.tap.reader();
    let (mut tapped, mut got) = (Vec::new(), Vec::new());
    let id = harness.read(TEXT);
    let mut audible = false;
    let until = Instant::now() + Duration::from_secs(20);
    while !harness.brief_events(id).contains(&"finished".to_owned()) {
        assert!(Instant::now() < until, "it never ends");
        sleep(Duration::from_millis(200)).await;
        reader.take(&mut tapped);
        got.extend(output.take_played());
        audible |= harness.tap.is_audible();
    }
    assert!(audible);
    sleep(Duration::from_millis(500)).await;
    assert!(!harness.tap.is_audible(), "it is silent");
    assert_eq!(reader.take(&mut tapped), 48_000);
    got.extend(output.take_played());
    // One may be a buffer ahead; both began with the device's first sample.
    let both = tapped.len().min(got.len());
    assert!(both > 48_000 && tapped.len().abs_diff(got.len()) <= 1024, "{} and {}", tapped.len(), got.len());
    assert!(tapped[..both] == got[..both], "they differ");
}
