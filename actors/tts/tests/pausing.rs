//! A pause: with the real engine, and a device that records what it plays.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/harness.rs"]
mod harness;

use std::sync::Arc;
use std::time::Duration;

use harness::TtsHarness;
use luna_messages::tts::{NoticeTiming, SpeechEvent, TtsMessage};
use luna_platform::audio::fault::FaultyOutput;
use tokio::time::sleep;

fn harness() -> (TtsHarness, FaultyOutput) {
    let output = FaultyOutput::new();
    (TtsHarness::new(Arc::new(output.clone())), output)
}

fn last_loud(sound: &[f32]) -> usize {
    sound.iter().rposition(|s| s.abs() > 0.002).map_or(0, |at| at + 1)
}

/// From the first audible sample to the last.
fn voiced(sound: &[f32]) -> &[f32] {
    let first = sound.iter().position(|s| s.abs() > 0.01).expect("something must be heard");
    &sound[first..last_loud(sound)]
}

// TTS-2
#[tokio::test(flavor = "multi_thread")]
async fn pause_loses_nothing_tts_2() {
    let (harness, output) = harness();
    let text = "A pause in the middle of this sentence loses not a single word of it.";
    let id = harness.read(text);
    harness.finished(id).await;
    let whole = voiced(&output.take_played()).len();
    let id = harness.read(text);
    harness.sentence(id, 0).await;
    sleep(Duration::from_millis(900)).await;
    harness.post(TtsMessage::Pause);
    harness.wait("the pause", |e| matches!(e, SpeechEvent::Paused { .. })).await;
    sleep(Duration::from_millis(100)).await;
    let first = output.take_played();
    sleep(Duration::from_millis(700)).await;
    assert_eq!(last_loud(&output.take_played()), 0, "it is silent while it pauses");
    harness.post(TtsMessage::PauseToggle);
    harness.finished(id).await;
    let second = output.take_played();
    let parts = voiced(&first).len() + voiced(&second).len();
    assert!(parts.abs_diff(whole) < whole / 12, "{parts} samples instead of {whole}");
    assert_eq!(harness.brief_events(id), ["0", "paused", "resumed", "finished"]);
}

// TTS-2, FOC-6
#[tokio::test(flavor = "multi_thread")]
async fn in_a_pause_luna_answers_and_the_reading_stays_paused_tts_2_foc_6() {
    let (harness, output) = harness();
    let reading = harness.read("This is a sentence that somebody pauses in its middle to ask for something.");
    harness.sentence(reading, 0).await;
    harness.post(TtsMessage::Pause);
    harness.wait("the pause", |e| matches!(e, SpeechEvent::Paused { .. })).await;
    sleep(Duration::from_millis(100)).await;
    let _ = output.take_played();
    let id = harness.say("Yes, here I am.", NoticeTiming::AfterSentence);
    harness.finished(id).await;
    assert!(last_loud(&output.take_played()) > 0, "the answer is heard in the pause");
    sleep(Duration::from_millis(400)).await;
    assert_eq!(last_loud(&output.take_played()), 0, "the reading stays paused");
    harness.post(TtsMessage::Resume);
    harness.finished(reading).await;
    assert!(last_loud(&output.take_played()) > 0);
    assert_eq!(harness.brief_events(reading), ["0", "paused", "paused", "resumed", "0", "finished"]);
}
