//! Orders that need no confirmation.

use super::*;

// EXE-1, EXE-2, DSL-2
#[test]
fn orders_are_done_once_and_seen_exe_1_exe_2_dsl_2() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Orders", &[]);
    let report = scene.does("알림 켜", "success");
    let step = &report["steps"][0];
    assert_eq!((&step["by"], &step["verified"]), (&Value::from("tree"), &Value::from(true)), "{report:#}");
    assert_eq!(scene.program.done(), ["check toggled"]);
    scene.luna.hears("켰어요");
    // It is on: nothing is done a second time.
    let report = scene.does("알림 켜", "success");
    assert_eq!(report["steps"][0]["by"], Value::Null, "{report:#}");
    scene.does("select Weekly", "success");
    scene.does("이름에 홍길동 입력해", "success");
    let done = scene.program.order("flush");
    assert_eq!(done.len(), 2, "{done:?}");
    assert_eq!((&done[0]["who"], &done[1]["text"]), (&Value::from("weekly"), &Value::from("홍길동")));
    // Nothing shows that this button did anything, and nothing is tried again.
    let report = scene.does("저장 눌러", "failed");
    assert!(report["said"].as_str().unwrap().contains("달라진 게 없어요"), "{report:#}");
    assert_eq!(scene.program.done(), ["save clicked"]);
    assert_eq!(scene.luna.metric("luna_orders_total{outcome=\"success\"}"), 4.0);
}

// EXE-5
#[test]
fn each_step_is_resolved_on_the_screen_as_it_is_then_exe_5() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Steps", &[]);
    let report = scene.does("파일 누르고 열기 눌러", "success");
    assert_eq!(report["steps"].as_array().unwrap().len(), 2, "{report:#}");
    assert_eq!(scene.program.done(), ["file shown", "open activated"]);
    // The first step that fails ends the order.
    let report = scene.does("알림 켜고 없는버튼 누르고 소리 켜", "failed");
    assert_eq!(report["steps"].as_array().unwrap().len(), 1, "{report:#}");
    assert_eq!(scene.program.done(), ["check toggled"]);
}

// EXE-3, EXE-6
#[test]
fn the_number_or_the_place_tells_which_one_exe_3_exe_6() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Which", &[]);
    scene.program.order("rename first Save 저장");
    let report = scene.does("저장 눌러", "clarify");
    assert!(report["said"].as_str().unwrap().contains("2개가 있어요"), "{report:#}");
    scene.luna.hears("2개가 있어요");
    assert_eq!(scene.program.done(), [""; 0]);
    scene.answers("2번", "failed");
    assert_eq!(scene.program.done(), ["save clicked"]);
    // Nobody asks any more.
    scene.answers("1", "none");
    scene.does("저장 눌러", "clarify");
    // No answer is needed to end it.
    assert_eq!(scene.luna.ctl(&["focus", "stop"]).status.code(), Some(0));
    scene.luna.event("Executor.QuestionClosed", |_| true);
    assert_eq!(scene.program.done(), [""; 0]);
}

// EXE-2, DSL-6
#[test]
fn what_is_for_luna_itself_goes_there_and_what_is_no_order_does_nothing_exe_2_dsl_6() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Luna itself", &[]);
    scene.does("집중 모드 켜", "success");
    scene.luna.event("FocusMode.toggle", |data| data["on"] == true);
    scene.does("저장하지 마", "none");
    scene.does("어제 영화 정말 재미있었어", "none");
    scene.does("없는버튼 눌러", "failed");
    assert_eq!(scene.program.done(), [""; 0]);
}

// PIC-5, PRV-2
#[test]
fn a_password_is_entered_and_never_told_pic_5_prv_2() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Secret", &[]);
    let report = scene.does("비밀번호에 열려라 참깨 입력해", "success");
    assert!(!report.to_string().contains("참깨"), "{report:#}");
    let done = scene.program.order("flush");
    assert!(done.iter().any(|event| event["who"] == "secret" && event["right"] == true), "{done:?}");
    scene.luna.hears("입력했어요");
    let (seen, log) = (scene.luna.seen.lock().unwrap().clone(), scene.luna.log.lock().unwrap().clone());
    for text in [seen, log] {
        assert!(!text.contains("참깨") && !text.contains(desktop::SECRET), "{text}");
    }
}

/// Full volume again when this is dropped: the sound server of the tests is shared, and others listen to it.
struct KeptVolume;

impl Drop for KeptVolume {
    fn drop(&mut self) {
        let set = std::process::Command::new("pactl").args(["set-sink-volume", "@DEFAULT_SINK@", "100%"]).status();
        drop(set);
    }
}

// DSL-6, EXE-2
#[test]
fn the_desktop_itself_obeys_and_tells_dsl_6_exe_2() {
    let _turn = take_turns();
    let _volume = KeptVolume;
    let mut scene = OrderScene::new("Around", &[]);
    let said = |report: &Value| report["said"].as_str().unwrap_or_default().to_owned();
    let report = scene.does("여기가 어디야", "success");
    assert!(said(&report).starts_with("Around"), "{report:#}");
    assert!(said(&scene.does("지금 몇 시야", "success")).contains("시"), "the time");
    scene.luna.hears("요일이에요");
    // A slider of the window that is called so would go before it.
    scene.program.order("remove volume");
    assert_eq!(said(&scene.does("볼륨 30으로", "success")), "볼륨 30.");
    assert_eq!(said(&scene.does("볼륨 올려", "success")), "볼륨 40.");
    let report = scene.does("창 최대화", "success");
    assert_eq!(
        (&report["steps"][0]["verified"], &report["steps"][0]["by"]),
        (&Value::from(true), &Value::Null),
        "{report:#}"
    );
    let report = scene.does("없는창으로 전환", "failed");
    assert!(said(&report).contains("그런 창이 없어요"), "{report:#}");
    assert_eq!(scene.program.done(), [""; 0]);
}
