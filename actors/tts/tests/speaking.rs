//! The actor with the real engine and a device that plays in real time, records what it played, and fails on demand.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/harness.rs"]
mod harness;

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use harness::{TtsHarness, engine, pitch, program};
use luna_actor_tts::TtsSettings;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::reading::Style;
use luna_messages::tts::{NoticeTiming, ReadAloud, ReadPart, ReadRequest, SpeechEvent, SpeechSettings, TtsMessage};
use luna_messages::{Lang, Reply, RequestId};
use luna_platform::audio::fault::FaultyOutput;
use tokio::time::{Instant, sleep};

const LONG: &str = "This is the first sentence, and it takes a while to say it. 두 번째 문장은 한국어로 되어 있습니다. And this is the third one.";

fn harness() -> (TtsHarness, FaultyOutput) {
    let output = FaultyOutput::new();
    (TtsHarness::new(Arc::new(output.clone())), output)
}

fn is_loud(sound: &[f32]) -> bool {
    sound.iter().filter(|s| s.abs() > 0.05).count() > sound.len() / 20
}

fn last_loud(sound: &[f32]) -> usize {
    sound.iter().rposition(|s| s.abs() > 0.002).map_or(0, |at| at + 1)
}

/// From the first audible sample to the last.
fn voiced(sound: &[f32]) -> &[f32] {
    let first = sound.iter().position(|s| s.abs() > 0.01).expect("something must be heard");
    &sound[first..last_loud(sound)]
}

fn is_missing(harness: &TtsHarness, capability: Capability) -> bool {
    matches!(harness.capabilities.get(capability), CapabilityState::Unavailable(_))
}

// TTS-1
#[tokio::test(flavor = "multi_thread")]
async fn it_speaks_sentence_by_sentence_tts_1() {
    let (harness, output) = harness();
    let id = harness.read(LONG);
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"]);
    let sound = output.take_played();
    let seconds = voiced(&sound).len() as f32 / 48_000.0;
    assert!(is_loud(voiced(&sound)) && (6.0..16.0).contains(&seconds), "{seconds} s");
    // No pause between sentences exceeds 600 ms: the next sentence is synthesised while one plays.
    let (mut quiet, mut longest) = (0, 0);
    for s in voiced(&sound) {
        quiet = if s.abs() < 0.002 { quiet + 1 } else { 0 };
        longest = longest.max(quiet);
    }
    assert!(longest < 48 * 600, "a pause of {} ms", longest / 48);
}

// TTS-4, BRG-8
#[tokio::test(flavor = "multi_thread")]
async fn after_a_stop_nothing_plays_and_resume_goes_on_tts_4_brg_8() {
    let (harness, output) = harness();
    let id = harness.read(LONG);
    harness.sentence(id, 1).await;
    sleep(Duration::from_millis(300)).await;
    let before = output.take_played();
    assert!(is_loud(&before[before.len() / 2..]));
    harness.post(TtsMessage::Stop { at: RequestId::next() });
    harness.stopped(id).await;
    sleep(Duration::from_millis(600)).await;
    let after = output.take_played();
    // At most the buffer in progress and the fade, with a margin of some milliseconds.
    assert!(last_loud(&after) < 2 * 512 + 48 * 20, "sound for {} ms", last_loud(&after) / 48);
    harness.post(TtsMessage::Resume);
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "stopped 1", "resumed", "1", "2", "finished"]);
    assert!(is_loud(voiced(&output.take_played())));
}

// TTS-4
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_at_any_moment_is_followed_by_silence_tts_4() {
    let (harness, output) = harness();
    for round in 0..25_u64 {
        let id = harness.read(LONG);
        sleep(Duration::from_millis(round * 7)).await;
        harness.post(TtsMessage::Stop { at: RequestId::next() });
        harness.stopped(id).await;
        sleep(Duration::from_millis(40)).await;
        let _ = output.take_played();
        sleep(Duration::from_millis(120)).await;
        assert_eq!(last_loud(&output.take_played()), 0, "round {round} plays on");
    }
}

// TTS-4, BRG-7
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_overtook_a_reading_still_ends_it_tts_4_brg_7() {
    let (harness, output) = harness();
    let (id, at) = (RequestId::next(), RequestId::next());
    harness.post(TtsMessage::Stop { at });
    let reading = ReadAloud::Text { text: LONG.into(), offset: 0 };
    harness.post(TtsMessage::Read(ReadRequest { id, reading, style: Style::News, lang: Lang::Ko }));
    harness.stopped(id).await;
    sleep(Duration::from_millis(300)).await;
    assert_eq!(last_loud(&output.take_played()), 0, "it is read although it was stopped");
    // A step that was ordered before the stop, too.
    harness.post(TtsMessage::Next { id });
    harness.post(TtsMessage::Previous { id });
    sleep(Duration::from_millis(300)).await;
    assert_eq!(last_loud(&output.take_played()), 0, "a step is spoken although it was stopped");
    // What is requested after the stop is read.
    harness.post(TtsMessage::Next { id: RequestId::next() });
    harness.sentence(id, 1).await;
    assert!(last_loud(&output.take_played()) > 0);
    let next = harness.read("This is read.");
    harness.finished(next).await;
    assert!(last_loud(&output.take_played()) > 0);
}

// FOC-6, BRG-8
#[tokio::test(flavor = "multi_thread")]
async fn parts_that_a_stop_overtook_are_silent_until_they_are_resumed_foc_6_brg_8() {
    let (harness, output) = harness();
    let (id, stop, resumed) = (RequestId::next(), RequestId::next(), RequestId::next());
    let part = |asked, text: &str, first| {
        let text = text.to_owned();
        TtsMessage::ReadOn(ReadPart { id, asked, text, lang: Lang::Ko, first, last: false, stop: false })
    };
    harness.post(TtsMessage::Stop { at: stop });
    harness.post(part(id, "This is one.", true));
    harness.stopped(id).await;
    harness.post(part(id, "This is two.", false));
    sleep(Duration::from_millis(300)).await;
    assert_eq!(last_loud(&output.take_played()), 0, "a part is spoken although it was stopped");
    // Resumed, it goes on, also with a part that was on its way.
    harness.post(TtsMessage::Resume);
    harness.post(part(id, "This is three.", false));
    harness.post(part(resumed, "This is four.", false));
    harness.sentence(id, 3).await;
    assert!(last_loud(&output.take_played()) > 0);
}

// TTS-2, BRG-2
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_speed_keeps_pitch_and_place_tts_2_brg_2() {
    let (harness, output) = harness();
    let text = "We will all go home in the evening and never come again in the morning.";
    let id = harness.read(text);
    harness.finished(id).await;
    let plain = output.take_played();
    (0..4).for_each(|_| harness.post(TtsMessage::Faster));
    let id = harness.read(text);
    harness.finished(id).await;
    let fast = output.take_played();
    let ratio = voiced(&plain).len() as f32 / voiced(&fast).len() as f32;
    assert!((1.4..1.8).contains(&ratio), "four steps make it {ratio} times as fast");
    let (low, high) = (pitch(&plain, 48_000), pitch(&fast, 48_000));
    assert!((high / low - 1.0).abs() < 0.08, "pitch went from {low} to {high}");
    // During a reading: from the same position, without a new sentence.
    (0..4).for_each(|_| harness.post(TtsMessage::Slower));
    let id = harness.read(text);
    harness.sentence(id, 0).await;
    let half = voiced(&plain).len() as u64 * 1000 / 48_000 / 2;
    sleep(Duration::from_millis(half)).await;
    (0..4).for_each(|_| harness.post(TtsMessage::Faster));
    harness.finished(id).await;
    let mixed = voiced(&output.take_played()).len() as f32 / voiced(&plain).len() as f32;
    assert!((0.72..0.9).contains(&mixed), "half at 1.0 and half at 1.6 took {mixed}");
    assert_eq!(harness.brief_events(id), ["0", "finished"]);
}

// TTS-5
#[tokio::test(flavor = "multi_thread")]
async fn both_languages_in_a_sentence_are_heard_tts_5() {
    let (harness, output) = harness();
    let mut lengths = Vec::new();
    for text in ["회의 자료는", "wonderful presentation", "회의 자료는 wonderful presentation"] {
        let id = harness.read(text);
        harness.finished(id).await;
        lengths.push(voiced(&output.take_played()).len());
    }
    let sum = lengths[0] + lengths[1];
    assert!(lengths[2].abs_diff(sum) < sum / 5, "{lengths:?}");
    let id = harness.read("Hello.");
    harness.finished(id).await;
    let lang = |event| match event {
        SpeechEvent::Sentence { lang, .. } => Some(lang.code()),
        _ => None,
    };
    assert_eq!(harness.events().into_iter().filter_map(lang).collect::<Vec<_>>(), ["ko", "en", "ko", "en"]);
}

// TTS-2, TTS-3, FOC-4
#[tokio::test(flavor = "multi_thread")]
async fn next_previous_repeat_and_styles_tts_2_tts_3_foc_4() {
    let (harness, output) = harness();
    let id = harness.read(LONG);
    harness.sentence(id, 0).await;
    harness.post(TtsMessage::Next { id: RequestId::next() });
    harness.sentence(id, 1).await;
    harness.post(TtsMessage::Next { id: RequestId::next() });
    harness.sentence(id, 2).await;
    harness.post(TtsMessage::Previous { id: RequestId::next() });
    sleep(Duration::from_millis(400)).await;
    harness.post(TtsMessage::Repeat);
    sleep(Duration::from_millis(400)).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "1", "1"]);
    let numbers = harness.read_as("가격은 3,200원이고 무게는 5kg입니다.", Style::Numbers);
    harness.finished(numbers).await;
    assert_eq!(harness.brief_events(id).last().map(String::as_str), Some("stopped 1"));
    assert_eq!(harness.brief_events(numbers), ["0", "1", "finished"]);
    let spelled = harness.read_as("강 A", Style::SpellJamo);
    harness.finished(spelled).await;
    assert!(is_loud(voiced(&output.take_played())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_waits_for_its_sentence_or_comes_now() {
    let (harness, _output) = harness();
    let id = harness.read(LONG);
    harness.sentence(id, 0).await;
    let later = harness.say("알림입니다.", NoticeTiming::AfterSentence);
    harness.sentence(id, 1).await;
    assert_eq!(harness.brief_events(later), ["0", "finished"]);
    let now = harness.say("지금요.", NoticeTiming::Now);
    harness.finished(now).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "stopped 1"]);
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn without_a_device_the_place_is_kept_and_a_device_that_comes_is_taken_ker_9() {
    let output = FaultyOutput::new();
    output.fail_opening(u32::MAX);
    let harness = TtsHarness::new(Arc::new(output.clone()));
    let id = harness.read(LONG);
    harness.sentence(id, 0).await;
    sleep(Duration::from_millis(400)).await;
    assert_eq!(harness.brief_events(id), ["0"], "told, and not passed over");
    assert!(is_missing(&harness, Capability::AudioOutput));
    // When stepping, each sentence is reported, and is heard once there is a device.
    harness.post(TtsMessage::Next { id: RequestId::next() });
    harness.sentence(id, 1).await;
    output.fail_opening(0);
    let until = Instant::now() + Duration::from_secs(5);
    while is_missing(&harness, Capability::AudioOutput) {
        assert!(Instant::now() < until, "the device is never tried again");
        sleep(Duration::from_millis(5)).await;
    }
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"]);
    assert!(is_loud(voiced(&output.take_played())));
    // A sentence stopped while it waited is not heard; a device is also found when there is nothing to say.
    output.fail_opening(u32::MAX);
    output.die();
    let id = harness.read(LONG);
    harness.sentence(id, 0).await;
    harness.wait_until("the loss is told", || is_missing(&harness, Capability::AudioOutput)).await;
    harness.post(TtsMessage::Stop { at: RequestId::next() });
    harness.stopped(id).await;
    let _ = output.take_played();
    output.fail_opening(0);
    harness.post(TtsMessage::Tick);
    harness.wait_until("the device is found", || !is_missing(&harness, Capability::AudioOutput)).await;
    assert_eq!(last_loud(&output.take_played()), 0);
}

// KER-9, TTS-1
#[tokio::test(flavor = "multi_thread")]
async fn a_reading_goes_on_where_the_sound_was_lost_ker_9_tts_1() {
    let (harness, output) = harness();
    let id = harness.read(LONG);
    harness.sentence(id, 1).await;
    sleep(Duration::from_millis(200)).await;
    output.fail_opening(u32::MAX);
    output.die();
    harness.wait_until("the loss is told", || is_missing(&harness, Capability::AudioOutput)).await;
    let _ = output.take_played();
    sleep(Duration::from_millis(500)).await;
    assert_eq!(harness.brief_events(id), ["0", "1"], "what nobody can hear is not passed over");
    output.fail_opening(0);
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"], "each was said once");
    // The whole second sentence and the third.
    let seconds = voiced(&output.take_played()).len() as f32 / 48_000.0;
    assert!(seconds > 3.0, "only {seconds} s were heard");
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_dies_or_stalls_is_opened_again_ker_9() {
    let (harness, output) = harness();
    for round in 0..2 {
        let id = harness.read(LONG);
        harness.sentence(id, 1).await;
        sleep(Duration::from_millis(200)).await;
        let opens = output.opens();
        if round == 0 {
            output.die();
        } else {
            output.stall(true);
            sleep(Duration::from_millis(3500)).await;
            output.stall(false);
        }
        harness.finished(id).await;
        assert_eq!(output.opens(), opens + 1);
        assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"]);
        assert!(is_loud(voiced(&output.take_played())));
    }
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn without_an_engine_the_text_is_told_ker_9() {
    let output = FaultyOutput::new();
    let nowhere = program("/nowhere/luna-engine-speech-espeak".into());
    let harness = TtsHarness::with(Arc::new(output.clone()), nowhere, TtsSettings::default());
    let id = harness.read(LONG);
    harness.finished(id).await;
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"]);
    let CapabilityState::Unavailable(why) = harness.capabilities.get(Capability::SpeechSynthesis) else {
        panic!("the engine must be told to be missing")
    };
    assert!(why.reason.contains("/nowhere/luna-engine-speech-espeak") && !why.remedy.is_empty(), "{why:?}");
}

// ENG-2
#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_crashes_is_started_again_and_the_sentence_repeated_eng_2() {
    // The first run of this engine ends in the middle of a sentence, later runs are complete.
    let folder = std::env::temp_dir().join(format!("luna-tts-crash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (script, mark) = (folder.join("engine.sh"), folder.join("mark"));
    let real = engine().path;
    let text = format!(
        "#!/bin/sh\nif [ -e {mark} ]; then exec {real}; fi\n: > {mark}\n{real} | dd bs=1 count=60000 status=none\n",
        mark = mark.display(),
        real = real.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = FaultyOutput::new();
    let harness = TtsHarness::with(Arc::new(output.clone()), program(script), TtsSettings::default());
    let id = harness.read(LONG);
    harness.finished(id).await;
    assert!(mark.exists(), "the engine that crashes was used");
    assert_eq!(harness.brief_events(id), ["0", "1", "2", "finished"]);
    let seconds = voiced(&output.take_played()).len() as f32 / 48_000.0;
    assert!(seconds > 6.0, "only {seconds} s were heard");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_voice_is_replaced_by_the_engines_own() {
    let output = FaultyOutput::new();
    let voices = [(luna_messages::Lang::En, "no-such-voice".to_owned())].into();
    let harness = TtsHarness::with(
        Arc::new(output.clone()),
        engine(),
        TtsSettings { speech: SpeechSettings { voices, ..SpeechSettings::default() }, ..TtsSettings::default() },
    );
    let id = harness.read("Hello to everyone.");
    harness.finished(id).await;
    assert!(is_loud(voiced(&output.take_played())));
}

// TTS-6
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_device_holds_nothing_up_tts_6() {
    let output = FaultyOutput::new();
    output.slow_opening(Duration::from_millis(1500));
    let harness = TtsHarness::new(Arc::new(output.clone()));
    sleep(Duration::from_millis(300)).await;
    let begin = Instant::now();
    let id = harness.read(LONG);
    sleep(Duration::from_millis(100)).await;
    harness.post(TtsMessage::Stop { at: RequestId::next() });
    let stopped = harness.stopped(id).await;
    assert!(stopped - begin < Duration::from_millis(600), "the stop waited for the device: {:?}", stopped - begin);
    sleep(Duration::from_millis(1800)).await;
    assert_eq!(last_loud(&output.take_played()), 0);
}

// BUF-2
#[tokio::test(flavor = "multi_thread")]
async fn forget_leaves_nothing_to_repeat_and_idle_answers_in_silence_buf_2() {
    let (harness, output) = harness();
    let id = harness.read("One sentence.");
    let (reply, silent) = luna_test_support::reply();
    harness.post(TtsMessage::Idle { reply });
    assert!(silent.await.unwrap().is_ok());
    assert_eq!(harness.brief_events(id).last().map(String::as_str), Some("finished"));
    harness.post(TtsMessage::Forget);
    harness.post(TtsMessage::Repeat);
    harness.post(TtsMessage::Resume);
    let (sender, done) = std::sync::mpsc::sync_channel(1);
    harness.post(TtsMessage::Idle {
        reply: Reply::new(move |answer| {
            let _ = sender.try_send(answer.is_ok());
        }),
    });
    sleep(Duration::from_millis(300)).await;
    assert_eq!(done.try_recv(), Ok(true));
    let _ = output.take_played();
    sleep(Duration::from_millis(200)).await;
    assert_eq!(last_loud(&output.take_played()), 0);
    assert_eq!(harness.brief_events(id), ["0", "finished"]);
}
