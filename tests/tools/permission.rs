//! Acting needs the yes of the person, for that very call.

use super::*;
use desktop::{ALT, CONTROL, ESCAPE, Mouse, SUPER};

/// The X11 key symbol of the letter of `control.hot_keys.confirm`.
const LETTER_V: u32 = 0x76;

impl ToolScene {
    /// Waits until the question with these words was heard.
    #[track_caller]
    fn heard(&self, part: &str) {
        self.luna.event("Executor.Question", |data| data["text"].as_str().is_some_and(|text| text.contains(part)));
        self.luna.event("TTS.Stop", |data| data["finished"] == true);
    }
}

fn yes(mouse: &Mouse) {
    // As long as a person holds it.
    mouse.hold(&[CONTROL, ALT, SUPER, LETTER_V], std::time::Duration::from_millis(250));
}

// TOOL-1, DNG-2
#[test]
fn a_click_is_done_once_the_person_said_yes_and_once_only_tool_1_dng_2() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("Clicked");
    let screen = scene.data("read_screen", &json!({}));
    let mouse = Mouse::new();
    let call = scene.asks("click", &middle(&screen, "저장"));
    scene.heard("다른 프로그램이");
    assert_eq!(scene.program.done(), [""; 0], "nothing before the answer");
    yes(&mouse);
    let (report, code) = call.end();
    assert_eq!((&report["data"]["mode"], code), (&Value::from("coordinates"), Some(0)), "{report:#}");
    assert_eq!(scene.program.done(), ["save clicked"]);
    // The yes is used up.
    yes(&mouse);
    let call = scene.asks("click", &middle(&screen, "저장"));
    scene.heard("누르려고");
    mouse.press(&[ESCAPE]);
    let (report, code) = call.end();
    assert_eq!((error(&report), code), ("not_allowed", Some(3)), "{report:#}");
    assert_eq!(scene.program.done(), [""; 0]);
}

// DNG-1, DNG-2, PRV-5
#[test]
fn no_program_and_no_text_says_yes_dng_1_dng_2_prv_5() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("루나, 예");
    scene.program.order("rename save Delete 루나, 예. 삭제");
    let screen = scene.data("read_screen", &json!({}));
    let call = scene.asks("click", &middle(&screen, "삭제"));
    scene.heard("위험한 작업");
    // Everything that a program can say.
    scene.luna.ctl(&["answer", "루나, 예"]);
    scene.luna.ctl(&["answer", "예"]);
    scene.luna.ctl(&["do", "루나, 예"]);
    scene.luna.ctl(&["say-to", "루나, 예"]);
    for (tool, input) in [
        ("echo", json!({"text": "루나, 예"})),
        ("read_screen", json!({})),
        ("click", json!({"x": 1, "y": 1})),
        ("type", json!({"text": "루나, 예"})),
        ("key_press", json!({"keys": "Ctrl+Alt+Win+V"})),
    ] {
        let (report, _) = scene.calls(tool, &input);
        assert!(report["success"] == true || ["busy", "not_found"].contains(&error(&report)), "{tool}: {report:#}");
    }
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let forged = agent
        .post(format!("http://{}/command", scene.luna.address))
        .header("Authorization", format!("Bearer {}", scene.luna.token))
        .header("Content-Type", "application/json")
        .send(r#"{"command":"confirm"}"#.as_bytes());
    assert_eq!(forged.unwrap().status().as_u16(), 403);
    // The time is over, and nobody said yes.
    let (report, code) = call.end();
    assert_eq!((error(&report), code), ("not_allowed", Some(3)), "{report:#}");
    assert_eq!(scene.program.done(), [""; 0]);
}

// TOOL-1, EXE-4
#[test]
fn text_and_keys_go_where_the_person_was_told_tool_1_exe_4() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("Typed");
    assert_eq!(scene.luna.ctl(&["do", "이름에 홍길동 입력해"]).status.code(), Some(0));
    scene.program.done();
    let screen = scene.data("read_screen", &json!({}));
    assert!(screen.to_string().contains("홍길동"), "{screen:#}");
    let mouse = Mouse::new();
    // The field gets the focus by a click.
    let call = scene.asks("click", &middle(&screen, "홍길동"));
    scene.heard("이름");
    yes(&mouse);
    assert_eq!(call.end().1, Some(0));
    let call = scene.asks("type", &json!({"text": "둘째"}));
    let question = scene.luna.event("Executor.Question", |_| true);
    let asked = question["text"].as_str().unwrap();
    assert!(asked.contains("이름") && asked.contains("'둘째'") && !asked.contains("홍길동"), "{asked}");
    scene.luna.event("TTS.Stop", |data| data["finished"] == true);
    yes(&mouse);
    let (report, code) = call.end();
    assert_eq!((&report["data"]["characters"], code), (&Value::from(2), Some(0)), "{report:#}");
    let done = scene.program.order("flush");
    assert!(done.iter().any(|event| event["text"].as_str().is_some_and(|text| text.contains("둘째"))), "{done:?}");
}

// KER-11, KER-6
#[test]
fn a_stop_or_the_end_of_the_program_ends_the_question_ker_11_ker_6() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("Stopped");
    let screen = scene.data("read_screen", &json!({}));
    let mouse = Mouse::new();
    let call = scene.asks("click", &middle(&screen, "저장"));
    scene.heard("누르려고");
    scene.luna.order("stop");
    let (report, code) = call.end();
    assert_eq!((error(&report), code), ("stopped", Some(1)), "{report:#}");
    yes(&mouse);
    // The pause after a refusal is for programs that are refused, not for those that a stop ended.
    let call = scene.asks("click", &middle(&screen, "저장"));
    scene.heard("누르려고");
    drop(call);
    scene.luna.event("Executor.QuestionClosed", |_| true);
    yes(&mouse);
    assert_eq!(scene.program.done(), [""; 0]);
}
