//! Answers that never come, come late or come twice (KER-7, EXE-7).

use luna_messages::RequestId;
use luna_messages::element::State;
use luna_messages::element_action::Capacity;
use luna_messages::executor::OrderOutcome::{self, Clarify, Failed, Refused, Success};
use luna_messages::executor::OrderSource;

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, field};
use crate::events::{ExecutorEffect, ExecutorEvent};

// KER-7, EXE-7
#[test]
fn an_order_whose_answer_never_comes_ends_with_a_report_ker_7_exe_7() {
    // The answer to the first, second or third request is lost.
    for (lost, said) in [(0, "알려 주지 않아요"), (1, "알려 주지 않아요"), (2, "대답하지 않아요")]
    {
        let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Ignores, ..button("저장") }]);
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Voice)));
        let mut asked = 0;
        while let Some(effect) = screen.waiting.front() {
            let asks = matches!(
                effect,
                ExecutorEffect::AskCandidates { .. } | ExecutorEffect::Inspect { .. } | ExecutorEffect::Act { .. }
            );
            if asks && asked == lost {
                screen.waiting.pop_front();
            } else {
                screen.perform_next();
            }
            asked += usize::from(asks);
        }
        assert!(screen.reports.is_empty());
        for _ in 0..3 {
            screen.pass();
        }
        let reports: Vec<(OrderOutcome, bool)> =
            screen.reports.iter().map(|(_, report)| (report.outcome, report.said.contains(said))).collect();
        assert_eq!(reports, [(Failed, true)], "{lost}: {:?}", screen.reports);
        assert_eq!(screen.say("저장 눌러").outcome, Failed, "and the next one is taken");
    }
}

// EXE-7
#[test]
fn an_answer_that_comes_after_its_time_does_not_act_again_exe_7() {
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Declines, ..button("저장") }]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Voice)));
    while screen.acts.is_empty() {
        screen.postpones = matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. }));
        assert!(screen.perform_next());
    }
    screen.postpones = false;
    screen.settle();
    screen.pass();
    for event in std::mem::take(&mut screen.postponed) {
        screen.take(event);
    }
    for _ in 0..3 {
        screen.pass();
    }
    assert_eq!((screen.acts.len(), screen.reports.len()), (1, 1));
}

// FOC-6
#[test]
fn what_was_said_before_a_stop_does_not_begin_after_it_foc_6() {
    let mut screen = ScriptedScreen::new(vec![button("저장")]);
    let order = ScriptedScreen::spoken("저장 눌러", OrderSource::Voice);
    let answer = ScriptedScreen::spoken("2번", OrderSource::Voice);
    let stop = screen.stop();
    screen.take(stop);
    assert_eq!(screen.order(order).outcome, Refused);
    let id = answer.id;
    screen.take(ExecutorEvent::Answer(answer));
    screen.settle();
    assert_eq!(screen.reports.last().map(|(of, report)| (*of, report.outcome)), Some((id, Refused)));
    assert!(screen.acts.is_empty());
    assert_eq!(screen.say("저장 눌러").outcome, Success);
}

// FOC-6
#[test]
fn an_action_that_a_stop_held_back_is_not_tried_by_another_means_foc_6() {
    let mut tab = button("보안");
    tab.state.capacities = [Capacity::Select, Capacity::Press].into_iter().collect();
    tab.state.element.properties.states = [State::Unselected].into_iter().collect();
    let mut screen = ScriptedScreen::new(vec![tab]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("보안 선택해", OrderSource::Voice)));
    while !matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. })) {
        assert!(screen.perform_next());
    }
    // The platform knows of the stop before the machine does.
    let stop = screen.stop();
    screen.settle();
    screen.take(stop);
    screen.settle();
    assert_eq!((screen.acts.len(), screen.acts_wanted), (0, 1));
    assert_eq!(screen.reports.len(), 1);
}

// FOC-6, EXE-7
#[test]
fn words_that_take_an_order_back_do_not_wait_for_its_end_foc_6_exe_7() {
    for words in ["멈춰", "취소", "누르지 마", "luna stop"] {
        for before in 0..6 {
            let mut screen = ScriptedScreen::new(vec![button("저장")]);
            screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Program)));
            for _ in 0..before {
                screen.perform_next();
            }
            let acts = screen.acts.len();
            let is_over = acts > 0 || screen.waiting.iter().any(|one| matches!(one, ExecutorEffect::Report { .. }));
            let back = ScriptedScreen::spoken(words, OrderSource::Program);
            screen.stopped = back.id;
            let id = back.id;
            screen.take(ExecutorEvent::Order(back));
            screen.settle();
            assert_eq!(screen.acts.len(), acts, "{words} {before}");
            assert!(screen.reports.iter().any(|(of, _)| *of == id), "{words} {before}");
            assert!(is_over || screen.reports.iter().any(|(_, report)| report.outcome == Refused), "{words} {before}");
            assert_eq!(screen.reports.len(), 2, "{words} {before}");
        }
    }
}

// EXE-7
#[test]
fn an_order_that_is_delivered_twice_is_done_once_exe_7() {
    let mut screen = ScriptedScreen::new(vec![button("저장")]);
    let order = ScriptedScreen::spoken("저장 눌러", OrderSource::Voice);
    for _ in 0..2 {
        screen.take(ExecutorEvent::Order(order.clone()));
        screen.until_acted();
        screen.take(ExecutorEvent::Order(order.clone()));
        screen.settle();
    }
    assert_eq!((screen.acts.len(), screen.reports.len()), (1, 1));
}

// EXE-5
#[test]
fn a_newer_order_does_not_wait_for_the_later_steps_exe_5() {
    let mut screen = ScriptedScreen::new(vec![button("열기"), button("저장"), button("인쇄")]);
    let first = ScriptedScreen::spoken("열기 누르고 저장 눌러", OrderSource::Voice);
    screen.take(ExecutorEvent::Order(first));
    while !matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. })) {
        assert!(screen.perform_next());
    }
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("인쇄 눌러", OrderSource::Voice)));
    screen.settle();
    assert_eq!(screen.pressed(), ["열기", "인쇄"]);
    assert_eq!(screen.said, ["앞의 것은 거기까지만 했어요.", "인쇄: 눌렀어요."]);
    // An older one that comes late does not take the place of a newer one that waits.
    let older = ScriptedScreen::spoken("저장 눌러", OrderSource::Voice);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("열기 눌러", OrderSource::Voice)));
    while !matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. })) {
        assert!(screen.perform_next());
    }
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("인쇄 눌러", OrderSource::Voice)));
    screen.take(ExecutorEvent::Order(older));
    screen.settle();
    assert_eq!(screen.pressed(), ["열기", "인쇄", "열기", "인쇄"]);
    let mut reported: Vec<RequestId> = screen.reports.iter().map(|(id, _)| *id).collect();
    reported.dedup();
    assert_eq!(reported.len(), 5);
}

// NLU-3, DNG-2
#[test]
fn a_name_that_changed_since_is_looked_for_again_nlu_3_dng_2() {
    let mut screen = ScriptedScreen::new(vec![button("저장"), button("인쇄")]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Voice)));
    screen.perform_next();
    // Both buttons change places.
    screen.elements[0].state.element.text = "인쇄".into();
    screen.elements[1].state.element.text = "저장".into();
    screen.settle();
    assert_eq!(screen.acts.iter().map(|(id, _)| id.0.as_str()).collect::<Vec<_>>(), ["e2"]);
    assert_eq!(screen.reports[0].1.outcome, Success);
}

// EXE-6, RNK-1
#[test]
fn what_has_no_name_is_not_looked_for_in_half_a_screen_exe_6_rnk_1() {
    let shown = || vec![field("주소"), field("이름"), button("저장")];
    for (said, listings, outcome, acted) in [
        // A busy machine tells the rest a moment later.
        ("루나, 마지막 입력란으로 가", 1, Success, vec!["이름"]),
        ("루나, 입력란으로 가", 1, Clarify, vec![]),
        // Or never: a field that was told is not taken for the only one.
        ("루나, 입력란으로 가", 9, Failed, vec![]),
        ("루나, 첫 번째 입력란으로 가", 9, Failed, vec![]),
        // A name is a name, and without a field none is looked for.
        ("루나, 주소 칸으로 가", 9, Success, vec!["주소"]),
    ] {
        let mut screen = ScriptedScreen::new(shown());
        screen.cut = (listings, 1);
        let report = screen.say(said);
        assert_eq!((report.outcome, screen.pressed()), (outcome, acted), "{said}, {listings}: {report:?}");
    }
    // What stands by a place is no name: the lowest one may not be told yet.
    let mut screen = ScriptedScreen::new(vec![button("답장"), button("답장")]);
    screen.cut = (9, 1);
    assert_eq!(screen.say("루나, 맨 아래 답장 눌러").outcome, Failed);
    // A window with too much in it tells no more the next time.
    let mut screen = ScriptedScreen::new(shown());
    (screen.cut, screen.cut_is_late) = ((9, 1), false);
    assert_eq!(screen.say("루나, 입력란으로 가").outcome, Success);
    assert_eq!(screen.cut.0, 8, "it is listed once");
}
