//! Luna listens, end to end: a microphone of the sound server, echo cancellation, voice activity, the real recogniser with a scripted model (the sound
//! is real, the words are not), understanding, and what follows (STT, BRG, VOI).
//!
//! The person is a recording that is played into the microphone of the test session.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use desktop::{CONTROL_RIGHT, KeyWindow, LunaProcess, Mouse, SampleWindow, take_turns, wait};
use luna_test_support::tiny_models::whisper::ScriptedWhisper;
use serde_json::Value;

/// A recording of a person: three seconds, nobody here made it.
fn recording() -> PathBuf {
    let path = desktop::root().join("tests/samples/whisper.cpp/jfk.wav");
    assert!(path.is_file(), "{} is missing", path.display());
    path
}

/// A model that hears `words` in every sound.
fn model(folder: &tempfile::TempDir, words: &str, lang: &str) -> String {
    let path = folder.path().join("hears.bin");
    ScriptedWhisper::new(words).hearing(&[(lang, 1.0)]).write(&path).unwrap();
    path.display().to_string()
}

/// A running Luna that listens to the session's microphone and hears `words` in every sound.
struct HeardScene {
    luna: LunaProcess,
    sample: SampleWindow,
    mouse: Mouse,
    _model: tempfile::TempDir,
}

fn scene(title: &str, words: &str, lang: &str, sets: &[&str]) -> HeardScene {
    let folder = tempfile::tempdir().unwrap();
    let model = model(&folder, words, lang);
    let sample = SampleWindow::start("gtk3_sample.py", title);
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = LunaProcess::start_with(|command| {
        command.env(
            "LUNA_LOG",
            std::env::var("LUNA_TEST_LOG").unwrap_or_else(|_| "info,luna_actor_listening=debug".into()),
        );
        let own = [format!("models.tasks.stt={model}"), "voice.device=mic".into(), "tts.rate=0.5".into()];
        for set in own.iter().map(String::as_str).chain(sets.iter().copied()) {
            command.args(["--set", set]);
        }
    });
    luna.wait_for_capability("microphone", "available");
    // What Luna says at its start; while it speaks, other rules hold. Without echo cancellation it may end itself.
    luna.event("TTS.Stop", |_| true);
    HeardScene { luna, sample, mouse, _model: folder }
}

impl HeardScene {
    /// Expects no spoken command; the command that switched focus mode on was none.
    #[track_caller]
    fn obeyed_nothing(&self) {
        let seen = self.luna.seen.lock().unwrap().clone();
        assert!(!seen.contains("\"obeyed\""), "{seen}\n{}", self.luna.log.lock().unwrap());
    }
}

/// The person speaks for about two seconds.
fn speak() -> Child {
    Command::new("paplay").args(["--device=mic"]).arg(recording()).spawn().expect("paplay plays the recording")
}

fn quiet(mut person: Child) {
    let _ = person.kill();
    let _ = person.wait();
}

// BRG-1, STT-1, FOC-3
#[test]
fn a_word_stops_luna_while_it_reads_brg_1_stt_1_foc_3() {
    let _turn = take_turns();
    let scene = scene("Stop", "멈춰", "ko", &[]);
    scene.luna.order("on");
    scene.luna.hears("quick brown fox");
    let person = speak();
    scene.luna.event("STT.onset", |_| true);
    scene.luna.event("BargeIn.Ducked", |_| true);
    scene.luna.event("STT.partial", |data| data["text"] == "멈춰");
    // These two come in any order.
    let both = |seen: &str| {
        let after = seen.split_once("STT.partial").map_or("", |(_, after)| after);
        after.contains(r#""BargeIn.Command","data":{"type":"stop"}"#)
            && after.contains(r#""TTS.Stop","data":{"idx":0,"finished":false}"#)
    };
    let seen = || scene.luna.seen.lock().unwrap().clone();
    wait("Luna to stop", Duration::from_secs(10), || both(&seen()).then_some(()), seen);
    quiet(person);
    drop((scene.sample, scene.mouse));
}

// BRG-1, STT-2
#[test]
fn after_words_that_are_not_for_luna_it_reads_on_brg_1_stt_2() {
    let _turn = take_turns();
    let scene = scene("Read on", "여보 밥 먹었어", "ko", &[]);
    scene.luna.order("on");
    scene.luna.hears("quick brown fox");
    let person = speak();
    scene.luna.event("BargeIn.Ducked", |_| true);
    scene.luna.event("BargeIn.Resumed", |_| true);
    quiet(person);
    scene.luna.event("TTS.Stop", |data| data["finished"] == true);
    scene.obeyed_nothing();
}

// VOI-1, STT-2, FOC-3
#[test]
fn the_wake_word_is_needed_while_luna_is_silent_voi_1_stt_2_foc_3() {
    let _turn = take_turns();
    let scene = scene("Wake", "루나 집중 모드 켜", "ko", &[]);
    let person = speak();
    scene.luna.event("STT.onset", |_| true);
    let obeyed = scene.luna.event("STT.understood", |_| true);
    quiet(person);
    assert_eq!((obeyed["outcome"].as_str(), obeyed["command"].as_str()), (Some("obeyed"), Some("focus_on")));
    scene.luna.hears("quick brown fox");
    drop(scene);
    // Without its name it is talk.
    let scene = self::scene("No wake", "집중 모드 켜", "ko", &[]);
    let person = speak();
    scene.luna.event("STT.understood", |data| data["outcome"] == "not_addressed");
    quiet(person);
    scene.obeyed_nothing();
}

// BRG-4, BRG-6
#[test]
fn luna_does_not_hear_itself_brg_4_brg_6() {
    let _turn = take_turns();
    // The microphone takes what Luna plays, as beside a loudspeaker, and the recogniser hears in it what it is. How well the canceller alone does is
    // judged with real sounds in `luna-listening`: a virtual sound device on a busy machine tears holes that no real one has.
    let words = "The quick brown fox jumps over the lazy dog.";
    let scene = scene("Itself", words, "en", &["voice.device=luna.monitor"]);
    scene.luna.order("on");
    scene.luna.hears("quick brown fox");
    scene.luna.event("TTS.Stop", |data| data["finished"] == true);
    scene.obeyed_nothing();
    drop(scene);
    // Without the canceller it notices the sound.
    let sets = ["voice.device=luna.monitor", "barge_in.aec.enable=false"];
    let scene = self::scene("Itself aloud", words, "en", &sets);
    scene.luna.order("on");
    let seen = || scene.luna.seen.lock().unwrap().clone();
    let ducked = || seen().contains("BargeIn.Ducked").then_some(());
    wait("Luna to notice itself", Duration::from_secs(10), ducked, seen);
}

/// How many programs take what the loudspeaker plays.
fn takers_of_the_monitor() -> usize {
    let list = |what: &str| {
        let output = Command::new("pactl").args(["list", "short", what]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let sources = list("sources");
    let monitor =
        sources.lines().find(|line| line.contains("\tluna.monitor\t")).and_then(|line| line.split('\t').next());
    let monitor = monitor.unwrap_or_else(|| panic!("the session has no luna.monitor: {sources}"));
    list("source-outputs").lines().filter(|line| line.split('\t').nth(1) == Some(monitor)).count()
}

// BRG-4
#[test]
fn what_the_machine_plays_is_taken_if_it_is_the_reference_and_people_are_heard_brg_4() {
    let _turn = take_turns();
    let others = takers_of_the_monitor();
    let scene = scene("Monitor", "루나 집중 모드 켜", "ko", &["barge_in.aec.loopback=monitor"]);
    let taken = || (takers_of_the_monitor() > others).then_some(());
    wait("the monitor to be taken", Duration::from_secs(10), taken, String::new);
    let person = speak();
    assert_eq!(scene.luna.event("STT.understood", |_| true)["outcome"], "obeyed");
    quiet(person);
    scene.luna.hears("quick brown fox");
    drop(scene);
    assert_eq!(takers_of_the_monitor(), others);
}

/// A person says a short sentence, once.
fn say_once() {
    let words = desktop::root().join("tests/samples/wyoming/living_room_light_ko.wav");
    assert!(words.is_file(), "{} is missing", words.display());
    assert!(Command::new("paplay").args(["--device=mic"]).arg(words).status().unwrap().success());
}

// VOI-1, ATT-6
#[test]
fn words_count_while_the_key_is_held_and_a_tap_silences_voi_1_att_6() {
    let _turn = take_turns();
    let scene = scene("Hold", "집중 모드 켜", "ko", &["voice.command_mode=hold"]);
    let luna = &scene.luna;
    let log = || luna.log.lock().unwrap().clone();
    let observed =
        || serde_json::from_str::<Value>(&luna.get("status")).unwrap()["silence"]["reason"].is_null().then_some(());
    wait("the keyboard to be observed", Duration::from_secs(10), observed, log);
    let application = KeyWindow::open();
    // The microphone takes the voice, but it is no one's.
    say_once();
    let voices = |count: usize| (log().matches("event=End").count() >= count).then_some(());
    wait("the end of the voice", Duration::from_secs(10), || voices(1), log);
    // The key is held before the first word, and let go after the last.
    let held = scene.mouse.press_down(&[CONTROL_RIGHT]);
    let traced = || luna.get("trace").contains("hold_key").then_some(());
    wait("the key to be held", Duration::from_secs(5), traced, || luna.get("trace"));
    assert!(!luna.seen.lock().unwrap().contains("STT.onset"), "{}", luna.seen.lock().unwrap());
    say_once();
    let understood = luna.event("STT.understood", |_| true);
    assert_eq!((&understood["outcome"], &understood["command"]), (&"obeyed".into(), &"focus_on".into()));
    drop(held);
    luna.hears("quick brown fox");
    // A tap is no speaking: it silences. The application gets the key each time.
    let begin = luna.seen.lock().unwrap().len();
    drop(scene.mouse.press_down(&[CONTROL_RIGHT]));
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    luna.event("TTS.Stop", |data| data["finished"] == false);
    assert!(!luna.seen.lock().unwrap()[begin..].contains("STT.onset"));
    assert_eq!(luna.get("trace").matches("hold_key").count(), 1, "{}", luna.get("trace"));
    assert_eq!((application.next_key(), application.next_key()), (Some(CONTROL_RIGHT), Some(CONTROL_RIGHT)));
}

// VOI-1
#[test]
fn words_that_come_as_text_obey_the_same_rules_voi_1() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Say to");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = LunaProcess::start_with(|command| {
        command.args(["--set", "voice.listen=never"]);
    });
    luna.event("TTS.Stop", |data| data["finished"] == true);
    let say = |words: &str| {
        let output = luna.ctl(&["say-to", words, "--json"]);
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        (answer["outcome"].as_str().unwrap().to_owned(), output.status.code())
    };
    assert_eq!(say("집중 모드 켜"), ("not_addressed".to_owned(), Some(3)));
    assert_eq!(say("루나, 집중 모드 켜"), ("obeyed".to_owned(), Some(0)));
    luna.hears("quick brown fox");
    assert_eq!(say("멈춰"), ("obeyed".to_owned(), Some(0)));
    luna.event("TTS.Stop", |data| data["finished"] == false);
    assert_eq!(say("루나 저장 눌러"), ("obeyed".to_owned(), Some(0)));
    luna.hears("못 찾았어요");
    let twice = wait(
        "the trace of the words",
        Duration::from_secs(5),
        || Some(luna.get("trace")).filter(|t| t.contains("say_to")),
        String::new,
    );
    assert!(!twice.contains("저장"), "no word is in a trace: {twice}");
}

// STT-1, STT-3, BRG-1
#[test]
fn a_sound_file_is_listened_to_as_a_microphone_would_be_stt_1_stt_3_brg_1() {
    let home = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let model = model(&folder, "멈춰", "ko");
    let recording = recording().display().to_string();
    let run = |arguments: &[&str]| {
        let output = desktop::luna(home.path()).arg("listen").args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    };
    let (lines, errors, code) = run(&[&recording, "--jsonl", "--speaking", "--model", &model]);
    assert_eq!(code, Some(0), "{errors}");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at = |name: &str| lines.iter().find(|line| line["name"] == name).and_then(|line| line["ms"].as_u64());
    // The president begins to speak within the first half second.
    assert!(at("STT.onset").unwrap() < 900 && at("BargeIn.Ducked") == at("STT.onset"), "{lines:?}");
    assert!(at("STT.partial") >= at("STT.onset") && at("STT.understood") >= at("STT.partial"), "{lines:?}");
    let obeyed = lines.iter().find(|line| line["name"] == "STT.understood").unwrap();
    assert_eq!((&obeyed["data"]["command"], &obeyed["data"]["outcome"]), (&"stop".into(), &"obeyed".into()));
    // Without reading aloud it is talk; people read sentences instead of JSON.
    let (text, errors, code) = run(&[&recording, "--model", &model]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.contains("not_addressed") && !text.contains("obeyed") && !text.contains('{'), "{text}");
    // What is missing is told with its remedy.
    let (_, errors, code) = run(&["/nowhere/speech.wav", "--model", &model]);
    assert!(code == Some(1) && errors.contains("/nowhere/speech.wav"), "{errors}");
    let (_, errors, code) = run(&[&recording, "--set", "models.directory=/nowhere"]);
    assert!(code == Some(1) && errors.contains("luna models fetch"), "{errors}");
}
