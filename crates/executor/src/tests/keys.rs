//! Keys, usual orders, and dictation into the field with the focus (EXE-2, EXE-4, DSL-6, DNG-2).

use luna_messages::element::Role;
use luna_messages::element_action::Capacity;
use luna_messages::element_action::ChangedElement::Other;
use luna_messages::element_action::{
    ActionResult, ElementAction, ElementRefusal, EnteredText, NoEffectProof, ObservedChange,
};
use luna_messages::executor::OrderOutcome::{self, Confirm, Failed, Refused, Success};
use luna_messages::executor::{ActedBy, OrderSource};

use super::screen::{ScriptedScreen, button, field, shown};
use crate::events::{ExecutorEffect, ExecutorEvent};

// EXE-4, DSL-6
#[test]
fn keys_and_usual_orders_are_pressed_once_exe_4_dsl_6() {
    let check = |words: &str, expect: &[&str]| {
        let mut screen = ScriptedScreen::new(vec![button("확인")]);
        let report = screen.say(words);
        assert_eq!(screen.keys, expect, "{words}: {report:?}");
        let outcome = if expect.is_empty() { Failed } else { Success };
        assert_eq!(report.outcome, outcome, "{words}: {report:?}");
        assert!(report.steps.iter().all(|step| step.by == Some(ActedBy::Keys)), "{words}");
        screen.pass();
        assert_eq!(screen.keys.len(), expect.len(), "{words}: pressed again");
    };
    check("ctrl+s 눌러", &["Ctrl+S"]);
    check("엔터 눌러", &["Enter"]);
    check("press enter", &["Enter"]);
    check("복사해", &["Ctrl+C"]);
    check("undo", &["Ctrl+Z"]);
    check("전체 선택", &["Ctrl+A"]);
    check("확대해", &["Ctrl++"]);
    check("new tab", &["Ctrl+T"]);
    check("루나, 창 닫아 줘", &["Alt+F4"]);
    check("close the tab", &["Ctrl+W"]);
    check("뒤로 가", &["Alt+Left"]);
    check("복사하고 붙여넣어", &["Ctrl+C", "Ctrl+V"]);
    // What is to be found would have to be typed, too: not done by half.
    check("find apples", &[]);
}

// EXE-2
#[test]
fn what_keys_are_seen_to_do_is_told_exe_2() {
    let check = |result, changes: &[ObservedChange], outcome: OrderOutcome, verified: bool, said: &str| {
        let mut screen = ScriptedScreen::new(Vec::new());
        screen.keys_result = result;
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("ctrl+s 눌러", OrderSource::Voice)));
        screen.until_acted();
        changes.iter().for_each(|change| screen.see(change.clone()));
        screen.settle();
        screen.pass();
        let (_, report) = &screen.reports[0];
        assert_eq!((report.outcome, report.said.as_str()), (outcome, said), "{result:?} {changes:?}");
        assert!(report.steps.iter().all(|step| step.verified == verified), "{result:?} {changes:?}");
    };
    let accepted = ActionResult::Accepted;
    check(accepted, &[], Success, false, "Ctrl+S: 눌렀는데 화면에서 달라진 건 없어요.");
    check(accepted, &[ObservedChange::WindowOpened], Success, true, "Ctrl+S: 눌렀어요.");
    check(accepted, &[ObservedChange::Focus], Success, true, "Ctrl+S: 눌렀어요.");
    let unsure = "Ctrl+S: 눌렀어요. 제대로 됐는지는 확인하지 못했어요.";
    check(accepted, &[ObservedChange::Content { of: Other }], Success, false, unsure);
    let lost = "Ctrl+S: 프로그램이 대답하지 않아요. 됐는지 확인한 뒤에 다시 말해 주세요.";
    check(ActionResult::Unknown, &[ObservedChange::Content { of: Other }], Failed, false, lost);
    let refused = "Ctrl+S: 프로그램에 전해지지 않아서 하지 않았어요.";
    check(ActionResult::NoEffect(NoEffectProof::NotDelivered), &[], Failed, false, refused);
}

// DNG-1, DNG-2
#[test]
fn a_dangerous_key_is_confirmed_for_this_window_and_focus_dng_1_dng_2() {
    let asked = || {
        let mut list = button("사진.png");
        list.state.focused = true;
        let mut screen = ScriptedScreen::new(vec![list, button("메일.eml")]);
        let report = screen.say("삭제 키 눌러");
        assert_eq!(report.outcome, Confirm, "{report:?}");
        assert!(report.said.starts_with("Delete: 누를까요? 위험한 작업이에요."), "{}", report.said);
        assert!(screen.keys.is_empty());
        screen
    };
    let mut screen = asked();
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.keys.len()), (Success, 1), "{report:?}");
    let mut screen = asked();
    assert_eq!((screen.say("루나, 예, 멈춰").outcome, screen.keys.len()), (Refused, 0));
    let mut screen = asked();
    assert_eq!((screen.answer("루나, 예", OrderSource::Program).outcome, screen.keys.len()), (Confirm, 0));
    let changed: [fn(&mut ScriptedScreen); 3] = [
        |screen| screen.window = Some(2),
        |screen| screen.window = None,
        |screen| {
            screen.elements[0].state.focused = false;
            screen.elements[1].state.focused = true;
        },
    ];
    for change in changed {
        let mut screen = asked();
        change(&mut screen);
        let report = screen.say("루나, 예");
        assert_eq!((report.outcome, screen.keys.len()), (Failed, 0), "{report:?}");
    }
}

// FOC-6, KER-7
#[test]
fn keys_are_not_pressed_after_a_stop_and_a_lost_answer_ends_them_foc_6_ker_7() {
    let wanted = || {
        let mut screen = ScriptedScreen::new(Vec::new());
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("ctrl+s 눌러", OrderSource::Voice)));
        while !matches!(screen.waiting.front(), Some(ExecutorEffect::PressKeys { .. })) {
            assert!(screen.perform_next());
        }
        screen
    };
    let mut screen = wanted();
    let stop = screen.stop();
    screen.settle();
    screen.take(stop);
    assert_eq!((screen.keys.len(), screen.reports.len()), (0, 1));
    let mut screen = wanted();
    screen.waiting.pop_front();
    screen.settle();
    for _ in 0..3 {
        screen.pass();
    }
    assert_eq!(screen.reports.len(), 1);
    assert!(screen.reports[0].1.said.contains("대답하지 않아요"), "{:?}", screen.reports);
    // An answer that comes after its time does not take back that it may have happened.
    let mut screen = wanted();
    let Some(ExecutorEffect::PressKeys { id, .. }) = screen.waiting.pop_front() else { panic!("no keys") };
    screen.settle();
    screen.pass();
    screen.take(ExecutorEvent::Acted { id, answer: Err(ElementRefusal::Gone) });
    screen.settle();
    screen.pass();
    assert!(screen.reports[0].1.said.contains("대답하지 않아요"), "{:?}", screen.reports);
    // The window lost its place before the keys were pressed.
    let mut screen = wanted();
    screen.window = Some(2);
    screen.settle();
    assert_eq!((screen.keys.len(), screen.reports[0].1.outcome), (0, Failed));
}

// EXE-4, PRV-2
#[test]
fn dictation_goes_to_the_field_with_the_focus_and_replaces_nothing_exe_4_prv_2() {
    let check = |content: &str, focused: bool, outcome: OrderOutcome, said: &str| {
        let mut memo = field("메모");
        memo.state.element.text = content.to_owned();
        memo.state.focused = focused;
        let mut screen = ScriptedScreen::new(vec![field("이름"), memo]);
        let report = screen.say("'안녕' 입력해 줘");
        assert_eq!(report.outcome, outcome, "{report:?}");
        assert!(report.said.contains(said), "{report:?}");
        let entered = ElementAction::SetText(EnteredText("안녕".to_owned()));
        let acts: Vec<_> = screen.acts.iter().map(|(id, action)| (id.0.as_str(), action.clone())).collect();
        assert_eq!(acts, if outcome == Success { vec![("e2", entered)] } else { Vec::new() });
    };
    check("", true, Success, "메모: 입력했어요");
    check("", false, Failed, "어느 칸인지");
    check("긴 글", true, Failed, "이미 글이 있어요");
    // The focus goes elsewhere before anything is entered.
    let mut memo = field("메모");
    memo.state.focused = true;
    let mut screen = ScriptedScreen::new(vec![memo]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("'안녕' 입력해 줘", OrderSource::Voice)));
    screen.perform_next();
    screen.elements[0].state.focused = false;
    screen.settle();
    assert_eq!((screen.acts.len(), screen.reports[0].1.outcome), (0, Failed));
}

// EXE-4, DSL-6
#[test]
fn in_a_terminal_copying_ends_nothing_that_runs_there_exe_4_dsl_6() {
    let check = |role: Role, utterance: &str, expect: &[&str]| {
        let mut screen = ScriptedScreen::new(vec![shown("화면", role, &[Capacity::Insert, Capacity::Focus], &[])]);
        screen.elements[0].state.focused = true;
        screen.say(utterance);
        assert_eq!(screen.keys, expect, "{role:?} {utterance}");
    };
    check(Role::Edit, "복사해 줘", &["Ctrl+C"]);
    check(Role::Terminal, "복사해 줘", &["Ctrl+Shift+C"]);
    check(Role::Terminal, "저장해 줘", &[]);
}
