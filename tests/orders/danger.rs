//! Orders that need a confirmation, and who may give it.

use std::process::{Child, Command};

use super::*;
use desktop::{ALT, CONTROL, ESCAPE, Mouse, SUPER};
use luna_test_support::tiny_models::whisper::ScriptedWhisper;

/// The X11 key symbol of the letter of `control.hot_keys.confirm`.
const LETTER_V: u32 = 0x76;

fn scene(title: &str) -> OrderScene {
    let mut scene = OrderScene::new(title, &[]);
    scene.program.order("rename save Delete 삭제");
    scene
}

// DNG-1, DNG-2, PRV-5
#[test]
fn only_the_person_confirms_what_is_dangerous_dng_1_dng_2_prv_5() {
    let _turn = take_turns();
    let mut scene = scene("Danger");
    let report = scene.does("삭제 눌러", "confirm");
    let said = report["said"].as_str().unwrap();
    assert!(said.contains("삭제") && said.contains("루나, 예"), "{said}");
    scene.luna.event("Executor.Question", |data| data["options"].as_array().is_some_and(|all| all.len() == 1));
    // Programs may answer, and confirm nothing, whatever they say; the question stays.
    scene.answers("예", "confirm");
    scene.answers("루나, 예", "confirm");
    scene.luna.ctl(&["say-to", "루나, 예"]);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let forged = agent
        .post(format!("http://{}/command", scene.luna.address))
        .header("Authorization", format!("Bearer {}", scene.luna.token))
        .header("Content-Type", "application/json")
        .send(r#"{"command":"confirm"}"#.as_bytes());
    assert_eq!(forged.unwrap().status().as_u16(), 403);
    assert_eq!(scene.program.done(), [""; 0]);
    // The key of the person does, once the question was heard.
    scene.luna.event("TTS.Stop", |data| data["finished"] == true);
    Mouse::new().press(&[CONTROL, ALT, SUPER, LETTER_V]);
    scene.luna.event("Executor.QuestionClosed", |_| true);
    scene.luna.hears("달라진 게 없어요");
    assert_eq!(scene.program.done(), ["save clicked"]);
}

// DNG-2
#[test]
fn a_confirmation_covers_the_very_element_and_ends_with_no_dng_2() {
    let _turn = take_turns();
    let mut scene = scene("Changed");
    scene.does("삭제 눌러", "confirm");
    scene.program.order("rename save Delete all 모두 삭제");
    let mouse = Mouse::new();
    scene.heard("루나, 예");
    mouse.press(&[CONTROL, ALT, SUPER, LETTER_V]);
    scene.luna.hears("바뀌어서");
    scene.program.order("rename save Delete 삭제");
    scene.does("삭제 눌러", "confirm");
    scene.answers("아니", "refused");
    scene.luna.hears("하지 않았어요");
    scene.does("삭제 눌러", "confirm");
    mouse.press(&[ESCAPE]);
    scene.luna.event("Executor.QuestionClosed", |_| true);
    mouse.press(&[CONTROL, ALT, SUPER, LETTER_V]);
    assert_eq!(scene.program.done(), [""; 0]);
}

/// A person speaks for about two seconds: a recording that nobody here made, played into the microphone of the test session.
struct PlayedVoice(Child);

impl PlayedVoice {
    fn play() -> Self {
        let recording = desktop::sample("whisper.cpp/jfk.wav");
        Self(Command::new("paplay").arg("--device=mic").arg(recording).spawn().expect("paplay plays the recording"))
    }
}

impl Drop for PlayedVoice {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

// DNG-2, BRG-6, VOI-1: the sound is real, the words are those of a scripted model.
#[test]
fn a_voice_confirms_only_after_the_question_dng_2_brg_6_voi_1() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("hears.bin");
    ScriptedWhisper::new("루나, 예").hearing(&[("ko", 1.0)]).write(&model).unwrap();
    let model = format!("models.tasks.stt={}", model.display());
    let mut scene = OrderScene::new("Voice", &[&model, "voice.device=mic", "executor.confirm_timeout_ms=60000"]);
    scene.program.order("rename save Delete 삭제");
    scene.luna.wait_for_capability("microphone", "available");
    // What Luna says at its start.
    scene.luna.event("TTS.Stop", |_| true);
    scene.does("삭제 눌러", "confirm");
    scene.luna.hears("삭제");
    // "루나, 예" is in the air while Luna itself says these words: it counts for nothing, and the question is asked again.
    let voice = PlayedVoice::play();
    scene.luna.event("STT.final", |data| data["text"].as_str().is_some_and(|text| text.contains("예")));
    drop(voice);
    scene.luna.event("Executor.Question", |_| true);
    assert_eq!(scene.program.done(), [""; 0]);
    scene.luna.hears("삭제");
    scene.luna.event("TTS.Stop", |data| data["finished"] == true);
    let voice = PlayedVoice::play();
    scene.luna.event("Executor.QuestionClosed", |_| true);
    drop(voice);
    scene.luna.event("Executor.Report", |_| true);
    assert_eq!(scene.program.done(), ["save clicked"]);
}
