//! What answers a question, and what does not (DNG-1, DNG-2, EXE-3).

use std::sync::Arc;

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::executor::OrderOutcome::{self, Confirm, Failed, None as Nothing, Refused, Success};
use luna_messages::executor::{OrderSource, SpokenOrder};

use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceKind};

use super::screen::{ScriptedScreen, button, field};
use crate::events::{ExecutorEffect, ExecutorEvent};
use crate::rules::CommandRules;

fn asked() -> ScriptedScreen {
    let mut screen = ScriptedScreen::new(vec![button("파일 삭제"), button("저장"), button("예")]);
    assert_eq!(screen.say("파일 삭제 눌러").outcome, Confirm);
    screen
}

// DNG-2
#[test]
fn a_yes_with_anything_else_is_no_yes_dng_2() {
    for answer in [
        "루나, 예, 멈춰",
        "루나, 예 그만",
        "luna yes, stop",
        "luna yes stop",
        "루나, 예 말고 취소",
        "luna yes but wait",
        "루나, 진행하지 마",
        "루나, 진행해도 될까",
        "루나, 예?",
        "luna no yes",
        "루나, 예 아니",
        "루나, 예 첫 번째",
        "루나, 예라고",
    ] {
        for only_answer in [false, true] {
            let mut screen = asked();
            let order = ScriptedScreen::spoken(answer, OrderSource::Voice);
            let order = SpokenOrder { called: true, ..order };
            screen.take(if only_answer { ExecutorEvent::Answer(order) } else { ExecutorEvent::Order(order) });
            screen.settle();
            assert!(screen.acts.is_empty() && !screen.machine.is_asking(), "{answer} {only_answer}");
            assert_eq!(screen.said.get(1).map(String::as_str), Some("하지 않았어요."), "{answer} {only_answer}");
        }
    }
}

// DNG-2, BRG-8
#[test]
fn a_stop_in_an_answer_ends_the_order_and_goes_on_as_a_stop_dng_2_brg_8() {
    for (answer, command) in [
        ("멈춰", Command::Stop),
        ("예, 멈춰", Command::Stop),
        ("잠깐", Command::Pause),
        ("집중 모드 꺼", Command::FocusOff),
    ] {
        for only_answer in [false, true] {
            let mut screen = asked();
            let order = ScriptedScreen::spoken(answer, OrderSource::Voice);
            let id = order.id;
            screen.take(if only_answer { ExecutorEvent::Answer(order) } else { ExecutorEvent::Order(order) });
            assert!(screen.waiting.contains(&ExecutorEffect::Reflex(command)), "{answer}: {:?}", screen.waiting);
            screen.settle();
            let last = screen.reports.last().map(|(of, report)| (*of, report.outcome));
            assert_eq!(last, Some((id, Refused)), "{answer}");
            assert!(screen.acts.is_empty() && !screen.machine.is_asking(), "{answer}");
        }
    }
}

// DNG-2
#[test]
fn another_order_closes_the_question_and_is_done_dng_2() {
    let mut screen = asked();
    assert_eq!(screen.say("저장 눌러").outcome, Success);
    assert_eq!(screen.pressed(), ["저장"]);
    assert!(screen.said.contains(&"하지 않았어요.".to_owned()), "that it was not deleted is told: {:?}", screen.said);
}

// DNG-2
#[test]
fn a_yes_counts_only_after_its_question_was_heard_dng_2() {
    // Said before the question opened, and delivered after it.
    let mut screen = ScriptedScreen::new(vec![button("파일 삭제")]);
    let early = ScriptedScreen::spoken("루나, 예", OrderSource::Voice);
    assert_eq!(screen.say("파일 삭제 눌러").outcome, Confirm);
    assert_eq!(screen.order(early).outcome, Confirm);
    // The key while the question is still spoken, such as the second press for a question before.
    let mut screen = ScriptedScreen::new(vec![button("파일 삭제")]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("파일 삭제 눌러", OrderSource::Voice)));
    while !screen.machine.is_asking() {
        assert!(screen.perform_next());
    }
    screen.take(ExecutorEvent::Key { given: true });
    // A question that is over was heard, not this one.
    screen.take(ExecutorEvent::Asked { id: RequestId(0) });
    screen.take(ExecutorEvent::Key { given: true });
    screen.settle();
    assert!(screen.acts.is_empty() && screen.machine.is_asking());
    screen.take(ExecutorEvent::Key { given: true });
    screen.settle();
    assert_eq!(screen.pressed(), ["파일 삭제"]);
}

// DNG-2
#[test]
fn a_yes_that_comes_too_late_presses_nothing_that_is_called_so_dng_2() {
    let mut screen = asked();
    screen.pass();
    let report = screen.say("예");
    assert_eq!(report.outcome, Nothing, "{report:?}");
    assert!(screen.acts.is_empty());
    // Said in full, or long after, it is meant.
    assert_eq!(screen.say("예 버튼 눌러").outcome, Success);
    screen.now += std::time::Duration::from_secs(60);
    assert_eq!(screen.say("예").outcome, Success);
    assert_eq!(screen.pressed(), ["예", "예"]);
}

// DNG-1, DNG-3
#[test]
fn the_question_names_action_and_target_and_ends_as_agreed_dng_1_dng_3() {
    let check = |call: Option<&str>, label: &str, expect: &str| {
        let mut screen = ScriptedScreen::new(vec![button(label)]);
        screen.settings.confirming_call = call.map(str::to_owned);
        screen.machine.set_settings(screen.settings.clone());
        let report = screen.say("첫 번째 버튼 눌러");
        assert_eq!((report.outcome, report.said.as_str()), (Confirm, expect));
    };
    let end = "위험한 작업이에요. 정말 진행할까요?";
    check(Some("루나"), "삭제", &format!("삭제: 누를까요? {end} '루나, 예'라고 말해 주세요."));
    check(None, "삭제", &format!("삭제: 누를까요? {end} 예라고 말해 주세요."));
    let long = format!("모두 삭제 {}", "가".repeat(200));
    let short = format!("모두 삭제 {}…", "가".repeat(74));
    check(None, &long, &format!("{short}: 누를까요? {end} 예라고 말해 주세요."));
}

// DNG-4
#[test]
fn what_is_said_of_an_element_is_its_danger_too_dng_4() {
    let mut one = button("비우기 아님");
    one.state.element.text = "정리".into();
    one.state.element.properties.description = "모든 파일을 삭제합니다".into();
    let mut screen = ScriptedScreen::new(vec![one]);
    assert_eq!(screen.say("정리 눌러").outcome, Confirm);
    // Said of it only after the question.
    let mut screen = asked();
    screen.elements[0].state.element.properties.description = "복구할 수 없습니다".into();
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.acts.len()), (Failed, 0), "{report:?}");
}

// DNG-2, EXE-5
#[test]
fn each_dangerous_step_asks_for_itself_dng_2_exe_5() {
    let mut screen = ScriptedScreen::new(vec![button("저장"), button("파일 삭제"), button("휴지통 비우기")]);
    let report = screen.say("저장 누르고 파일 삭제 누르고 휴지통 비우기 눌러");
    assert_eq!((report.outcome, screen.pressed()), (Confirm, vec!["저장"]), "{report:?}");
    assert!(report.said.starts_with("파일 삭제: "), "{}", report.said);
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.pressed()), (Confirm, vec!["저장", "파일 삭제"]), "{report:?}");
    assert!(report.said.starts_with("휴지통 비우기: "), "{}", report.said);
    let report: OrderOutcome = screen.say("루나, 아니요").outcome;
    assert_eq!((report, screen.acts.len()), (Refused, 2));
}

// DNG-1, EXE-5
#[test]
fn a_danger_that_only_the_whole_tells_asks_for_every_step_dng_1_exe_5() {
    let mut screen = ScriptedScreen::new(vec![field("이름"), button("저장")]);
    let report = screen.say("이름 칸에 삭제 입력하고 저장 눌러");
    assert_eq!((report.outcome, screen.acts.len()), (Confirm, 0), "{report:?}");
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.pressed()), (Confirm, vec!["이름"]), "{report:?}");
}

// NLU-6
#[test]
fn what_may_mean_two_things_is_not_done_nlu_6() {
    struct TornRules;
    impl CommandRules for TornRules {
        fn understand(&self, _: &str, _: bool, candidates: &[Candidate]) -> Interpretation {
            let target_id = candidates.first().map(|one| one.id.0.clone());
            let wish = ParsedCommand { action: Some(Action::Invoke), ..ParsedCommand::default() };
            Interpretation { kind: UtteranceKind::Ambiguous, wish, target_id, ..Interpretation::default() }
        }

        fn resolve(&self, _: &ParsedCommand, _: &[Candidate]) -> TargetMatch {
            TargetMatch::default()
        }

        fn is_dangerous(&self, _: &str) -> bool {
            false
        }

        fn is_yes(&self, _: &str) -> bool {
            false
        }
    }
    let mut screen = ScriptedScreen::with_rules(vec![button("저장")], Arc::new(TornRules));
    let report = screen.say("올려");
    assert_eq!((report.outcome, screen.acts.len()), (Nothing, 0));
    assert!(report.said.contains("두 가지"), "{}", report.said);
}

// EXE-5
#[test]
fn a_step_that_is_for_luna_itself_is_handed_on_exe_5() {
    let check = |words: &str, expect: fn(&ExecutorEffect) -> bool| {
        let mut screen = ScriptedScreen::new(vec![button("저장")]);
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken(words, OrderSource::Voice)));
        let mut handed_on = false;
        while let Some(effect) = screen.waiting.front() {
            handed_on |= expect(effect);
            screen.perform_next();
        }
        assert_eq!((screen.pressed(), handed_on), (vec!["저장"], true), "{words}: {:?}", screen.reports);
        assert_eq!(screen.reports[0].1.outcome, Success, "{words}");
    };
    check("저장 누르고 멈춰", |effect| *effect == ExecutorEffect::Reflex(Command::Stop));
    check("저장 누르고 읽어 줘", |effect| matches!(effect, ExecutorEffect::Wish { .. }));
}

// EXE-3
#[test]
fn what_was_chosen_by_number_must_still_be_called_so_exe_3() {
    let mut screen = ScriptedScreen::new(vec![button("확인"), button("확인")]);
    screen.say("확인 버튼 눌러");
    screen.elements[1].state.element.text = "게시".into();
    let report = screen.say("2번");
    assert_eq!((report.outcome, screen.acts.len()), (Failed, 0), "{report:?}");
}
