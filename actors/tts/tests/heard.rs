//! What the sound device really plays. Needs the test session, with a null sink and a recording of its monitor.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/harness.rs"]
mod harness;
#[path = "support/monitor.rs"]
mod monitor;

use std::sync::Arc;
use std::time::Duration;

use harness::{TtsHarness, pitch};
use luna_messages::RequestId;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::tts::TtsMessage;
use luna_platform::audio::device::DeviceOutput;
use monitor::{LOUD, SoundMonitor};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// The monitor records the sound of all tests, so they run one at a time.
static QUIET: Mutex<()> = Mutex::const_new(());

const LONG: &str =
    "We will all go home in the evening and never come again in the morning. 오늘 회의는 오후 세 시에 시작합니다.";
/// Maximum time of sound after a stop, with a margin for a busy machine; the benchmark measures the real figure.
const STOP_BOUND: Duration = Duration::from_millis(80);

// TTS-4
#[tokio::test(flavor = "multi_thread")]
async fn speech_is_heard_and_nothing_after_a_stop_tts_4() {
    let _quiet = QUIET.lock().await;
    let monitor = SoundMonitor::open();
    let harness = TtsHarness::new(Arc::new(DeviceOutput::new()));
    for round in 0..6_u64 {
        let id = harness.read(LONG);
        harness.sentence(id, 0).await;
        sleep(Duration::from_millis(400 + 37 * round)).await;
        let asked = Instant::now();
        harness.post(TtsMessage::Stop { at: RequestId::next() });
        sleep(Duration::from_millis(1000)).await;
        let heard = monitor.take();
        assert!(heard.is_loud_between(asked - Duration::from_millis(350), asked), "nothing was heard before the stop");
        let late = heard.last_loud().unwrap().saturating_duration_since(asked);
        assert!(late < STOP_BOUND, "sound for {late:?} after the stop");
    }
    assert_eq!(harness.capabilities.get(Capability::AudioOutput), CapabilityState::Available);
}

// TTS-2, TTS-5
#[tokio::test(flavor = "multi_thread")]
async fn both_languages_and_a_faster_voice_are_heard_at_the_same_pitch_tts_2_tts_5() {
    let _quiet = QUIET.lock().await;
    let monitor = SoundMonitor::open();
    let harness = TtsHarness::new(Arc::new(DeviceOutput::new()));
    let mut speech = Vec::new();
    for _ in 0..2 {
        let _ = monitor.take();
        let id = harness.read(LONG);
        harness.finished(id).await;
        sleep(Duration::from_millis(200)).await;
        let samples = monitor.take().samples();
        let first = samples.iter().position(|s| s.abs() > LOUD).expect("speech must be heard");
        let last = samples.iter().rposition(|s| s.abs() > LOUD).unwrap();
        speech.push(samples[first..last].to_vec());
        assert_eq!(harness.brief_events(id), ["0", "1", "finished"]);
        (0..4).for_each(|_| harness.post(TtsMessage::Faster));
    }
    let ratio = speech[0].len() as f32 / speech[1].len() as f32;
    assert!((1.35..1.85).contains(&ratio), "four steps made it {ratio} times as fast");
    let pitches: Vec<f32> = speech.iter().map(|s| pitch(s, monitor::SAMPLE_RATE)).collect();
    assert!((pitches[1] / pitches[0] - 1.0).abs() < 0.1, "the pitch went from {} to {} Hz", pitches[0], pitches[1]);
}

// TTS-2
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_is_silent_and_speech_goes_on_tts_2() {
    let _quiet = QUIET.lock().await;
    let monitor = SoundMonitor::open();
    let harness = TtsHarness::new(Arc::new(DeviceOutput::new()));
    let id = harness.read(LONG);
    harness.sentence(id, 0).await;
    sleep(Duration::from_millis(500)).await;
    harness.post(TtsMessage::Pause);
    sleep(Duration::from_millis(200)).await;
    let _ = monitor.take();
    sleep(Duration::from_millis(500)).await;
    assert!(monitor.take().last_loud().is_none(), "the pause is not silent");
    harness.post(TtsMessage::Resume);
    harness.finished(id).await;
    sleep(Duration::from_millis(100)).await;
    assert!(monitor.take().samples().iter().filter(|s| s.abs() > LOUD).count() > 20_000);
    assert_eq!(harness.brief_events(id), ["0", "paused", "resumed", "1", "finished"]);
}

// BRG-1
#[tokio::test(flavor = "multi_thread")]
async fn a_duck_is_heard_as_quiet_then_silence_and_speech_comes_back_brg_1() {
    let _quiet = QUIET.lock().await;
    let monitor = SoundMonitor::open();
    let harness = TtsHarness::new(Arc::new(DeviceOutput::new()));
    let (mut quiet, mut back) = (Vec::new(), Vec::new());
    for round in 0..6_u64 {
        let _ = monitor.take();
        let id = harness.read(LONG);
        harness.sentence(id, 0).await;
        sleep(Duration::from_millis(500 + 37 * round)).await;
        let duck = Instant::now();
        harness.mute.duck();
        sleep(Duration::from_millis(1000)).await;
        let unduck = Instant::now();
        harness.mute.unduck(true);
        sleep(Duration::from_millis(800)).await;
        let heard = monitor.take();
        let ms = Duration::from_millis;
        let peak = |from, to| heard.between(from, to).iter().fold(0.0_f32, |peak, (_, s)| peak.max(s.abs()));
        let loud = peak(duck - ms(450), duck);
        let ducked = peak(duck + ms(100), duck + ms(550));
        assert!(ducked > LOUD / 2.0 && ducked < loud * 0.35, "{ducked} after {loud}");
        assert!(!heard.is_loud_between(duck + ms(750), unduck), "it is not held");
        let again = heard.first_loud(unduck).expect("speech must go on");
        assert!(peak(again, again + ms(500)) > loud * 0.5, "it comes back loud");
        let late = heard.between(duck, duck + ms(300)).into_iter().rfind(|(_, s)| s.abs() > loud * 0.35);
        quiet.push(late.map_or(Duration::ZERO, |(at, _)| at - duck));
        back.push(again - unduck);
        harness.post(TtsMessage::Stop { at: RequestId::next() });
        harness.stopped(id).await;
        assert_eq!(harness.brief_events(id), ["0", "stopped 0"], "the sentence is announced once");
        sleep(Duration::from_millis(100)).await;
    }
    eprintln!("quiet after {quiet:?}; back after {back:?} (goal 300 ms)");
}
