//! Questions about several that fit (EXE-3, EXE-6).

use luna_messages::Rect;
use luna_messages::executor::OrderOutcome::{self, Clarify, None as Nothing, Refused, Success};
use luna_messages::executor::OrderSource;

use super::screen::{ScriptedScreen, button, check_box};

fn asked() -> ScriptedScreen {
    let mut screen = ScriptedScreen::new(vec![button("확인"), check_box("확인 메일", false), button("확인")]);
    let report = screen.say("확인 버튼 눌러");
    assert_eq!(report.outcome, Clarify, "{report:?}");
    assert!(screen.acts.is_empty());
    assert!(screen.machine.is_asking());
    screen
}

// EXE-3, EXE-6
#[test]
fn equal_labels_are_told_apart_and_chosen_by_number_order_or_text_exe_3_exe_6() {
    let check = |answer: &str, outcome: OrderOutcome, chosen: Option<&str>| {
        for source in [OrderSource::Voice, OrderSource::Program] {
            let mut screen = asked();
            let report = screen.answer(answer, source);
            assert_eq!(report.outcome, outcome, "{answer}: {report:?}");
            assert_eq!(screen.acts.first().map(|(id, _)| id.0.as_str()), chosen, "{answer}");
        }
    };
    check("2번", Success, Some("e3"));
    check("두 번째", Success, Some("e3"));
    check("첫 번째", Success, Some("e1"));
    check("아래 거", Success, Some("e3"));
    check("취소", Refused, None);
    check("아니요", Refused, None);
    check("파란색", Clarify, None);
}

// EXE-3
#[test]
fn an_order_instead_of_an_answer_ends_the_question_exe_3() {
    let mut screen = asked();
    screen.show(button("인쇄"));
    let report = screen.say("인쇄 눌러");
    assert_eq!(report.outcome, Success, "{report:?}");
    assert_eq!(screen.pressed(), ["인쇄"]);
    assert!(!screen.machine.is_asking());
}

// EXE-3
#[test]
fn a_question_that_nobody_answers_ends_exe_3() {
    let mut screen = asked();
    screen.pass();
    assert!(!screen.machine.is_asking());
    assert_eq!(screen.said.last().map(String::as_str), Some("하지 않았어요."));
    let report = screen.answer("2번", OrderSource::Voice);
    assert_eq!(report.outcome, Nothing);
    assert!(screen.acts.is_empty());
}

// EXE-3
#[test]
fn of_many_three_are_told_at_a_time_exe_3() {
    let many = (0..5).map(|_| button("확인")).collect();
    let mut screen = ScriptedScreen::new(many);
    let report = screen.say("확인 버튼 눌러");
    assert!(report.said.starts_with("5개가 있어요.") && report.said.contains("2개가 더"), "{}", report.said);
    let report = screen.say("다음");
    assert_eq!(report.outcome, Clarify, "{report:?}");
    assert!(report.said.contains("2번"), "{}", report.said);
    assert_eq!(screen.answer("2번", OrderSource::Voice).outcome, Success);
    assert_eq!(screen.acts[0].0.0, "e5");
}

// EXE-3, NLU-3: a browser has buttons of its own beside those of the page.
#[test]
fn what_is_said_is_about_the_page_first_exe_3_nlu_3() {
    let check = |utterance: &str, acts: &[&str]| {
        let elements = [button("닫기"), button("새 탭"), button("보내기 취소"), button("닫기")];
        let mut screen = ScriptedScreen::new(elements.to_vec());
        // The last two are on the page.
        screen.pages = vec![Rect::new(0, 80, 800, 400)];
        screen.say(utterance);
        assert_eq!(screen.acts.iter().map(|(id, _)| id.0.as_str()).collect::<Vec<_>>(), acts, "{utterance}");
    };
    check("닫기 눌러", &["e4"]);
    check("두 번째 버튼 눌러", &["e4"]);
    // What is named and only beside the page is still meant.
    check("새 탭 눌러", &["e2"]);
}

// EXE-6
#[test]
fn what_lies_around_an_option_of_the_same_name_is_no_other_option_exe_6() {
    let mut screen = ScriptedScreen::new(vec![button("확인"), button("확인")]);
    screen.elements[0].state.element.bbox = Rect::new(0, 0, 100, 40);
    screen.elements[1].state.element.bbox = Rect::new(10, 10, 50, 20);
    let report = screen.say("확인 버튼 눌러");
    assert_eq!(report.outcome, Success, "{report:?}");
    assert_eq!(screen.acts.iter().map(|(id, _)| id.0.as_str()).collect::<Vec<_>>(), ["e2"]);
}
