//! What is done, and what is seen of it (EXE-1, EXE-2, EXE-7).

use luna_messages::element::{RangeValue, State};
use luna_messages::element_action::{Capacity, ElementAction, EnteredText};
use luna_messages::executor::OrderOutcome::{self, Failed, None as Nothing, Success};
use luna_messages::pick::Role;

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, check_box, field, shown};

fn spin(label: &str) -> ShownElement {
    let mut spin = shown(label, Role::SpinButton, &[Capacity::SetNumber, Capacity::Focus], &[]);
    spin.state.element.label = label.to_owned();
    spin.state.element.text = "1".to_owned();
    spin.state.element.properties.value = Some(RangeValue { now: 1.0, min: 0.0, max: 10.0, text: String::new() });
    spin
}

// EXE-1, EXE-2
#[test]
fn each_order_does_what_it_says_once_exe_1_exe_2() {
    let check = |utterance: &str, outcome: OrderOutcome, acts: &[ElementAction], said: &str| {
        let tab = shown("보안", Role::Tab, &[Capacity::Select], &[State::Unselected]);
        let section = shown("고급 설정", Role::Button, &[Capacity::Expand], &[State::Collapsed]);
        let elements = vec![
            button("저장"),
            check_box("알림 받기", true),
            check_box("자동 로그인", false),
            field("이름"),
            tab,
            section,
            spin("글자 크기"),
        ];
        let mut screen = ScriptedScreen::new(elements);
        let report = screen.say(utterance);
        let done: Vec<&ElementAction> = screen.acts.iter().map(|(_, action)| action).collect();
        assert_eq!(done, acts.iter().collect::<Vec<_>>(), "{utterance}: {report:?}");
        assert_eq!(report.outcome, outcome, "{utterance}: {report:?}");
        assert!(report.said.contains(said), "{utterance}: {}", report.said);
        if outcome == Success {
            assert!(report.steps.iter().all(|step| step.verified), "{utterance}");
        }
    };
    let text = |text: &str| ElementAction::SetText(EnteredText(text.to_owned()));
    check("저장 눌러", Success, &[ElementAction::Press], "저장: 눌렀어요.");
    check("알림 받기 꺼 줘", Success, &[ElementAction::Toggle], "알림 받기: 껐어요.");
    check("알림 받기 켜 줘", Success, &[], "이미 그래요");
    check("자동 로그인 켜", Success, &[ElementAction::Toggle], "자동 로그인: 켰어요.");
    check("이름 칸에 홍길동 입력해 줘", Success, &[text("홍길동")], "이름: 입력했어요.");
    check("보안 탭 선택해", Success, &[ElementAction::Select], "보안: 골랐어요.");
    check("글자 크기 4로 설정해 줘", Success, &[ElementAction::SetNumber(4.0)], "글자 크기: 입력했어요.");
    check("글자 크기 40으로 설정해 줘", Failed, &[], "범위를 벗어난");
    check("고급 설정 펼쳐", Success, &[ElementAction::Expand], "고급 설정: 펼쳤어요.");
    check("루나, 계산기 눌러", Failed, &[], "못 찾았어요: 계산기");
    check("저장 누르지 마", Nothing, &[], "하지 않았어요");
    check("오늘 날씨가 좋네", Nothing, &[], "못 알아들었어요");
}

// EXE-2, EXE-7
#[test]
fn what_is_not_seen_to_have_an_effect_is_told_and_never_tried_again_exe_2_exe_7() {
    let check = |element: ShownElement, behaviour: Behaviour, utterance: &str, outcome: OrderOutcome, said: &str| {
        let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour, ..element }]);
        let report = screen.say(utterance);
        assert_eq!((report.outcome, screen.acts.len()), (outcome, 1), "{utterance} {behaviour:?}: {report:?}");
        assert!(report.said.contains(said), "{utterance}: {}", report.said);
        screen.pass();
        assert_eq!(screen.acts.len(), 1, "{utterance}: done again");
    };
    check(button("저장"), Behaviour::Ignores, "저장 눌러", Failed, "달라진 게 없어요");
    check(button("저장"), Behaviour::Late, "저장 눌러", Success, "눌렀어요");
    check(button("저장"), Behaviour::Declines, "저장 눌러", Failed, "받아들이지 않았어요");
    check(check_box("알림", true), Behaviour::Ignores, "알림 꺼 줘", Failed, "달라진 게 없어요");
    check(check_box("알림", true), Behaviour::Late, "알림 꺼 줘", Success, "껐어요");
}

// EXE-2
#[test]
fn what_is_disabled_is_told_and_not_touched_exe_2() {
    let mut save = button("저장");
    save.state.element.enabled = false;
    let mut screen = ScriptedScreen::new(vec![save]);
    let report = screen.say("저장 눌러");
    assert_eq!(report.outcome, Failed);
    assert!(report.said.contains("쓸 수 없는"), "{}", report.said);
    assert!(screen.acts.is_empty());
}

// PIC-5, PRV-2
#[test]
fn a_secret_is_entered_and_never_looked_at_pic_5_prv_2() {
    let mut secret = field("비밀번호");
    secret.state.protected = true;
    let mut screen = ScriptedScreen::new(vec![secret]);
    let report = screen.say("비밀번호 칸에 가나다 입력해 줘");
    assert_eq!((report.outcome, screen.acts.len()), (Success, 1), "{report:?}");
    assert!(report.said.contains("보호된"), "{}", report.said);
    assert!(!format!("{report:?}").contains("가나다"));
}
