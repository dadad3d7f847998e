//! What shows an effect, and what changes by itself (EXE-2, EXE-7).

use luna_messages::element::State;
use luna_messages::element_action::ChangedElement::{Other, Target};
use luna_messages::element_action::{Capacity, ElementAction, ObservedChange};
use luna_messages::executor::OrderOutcome::{self, Failed, Success};
use luna_messages::executor::OrderSource;
use luna_messages::pick::Role;

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, check_box, field, shown};
use crate::events::ExecutorEvent;

/// What came of "저장 눌러" if these changes are seen after it: outcome, whether it is verified, and what is said.
fn pressed(
    behaviour: Behaviour,
    changes: &[ObservedChange],
    then: fn(&mut ScriptedScreen),
) -> (OrderOutcome, bool, String) {
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour, ..button("저장") }]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Voice)));
    screen.until_acted();
    changes.iter().for_each(|change| screen.see(change.clone()));
    then(&mut screen);
    screen.settle();
    while screen.reports.is_empty() && screen.timer.is_some() {
        screen.pass();
    }
    let (_, report) = &screen.reports[0];
    assert_eq!((report.steps.len(), screen.acts.len()), (1, 1));
    (report.outcome, report.steps[0].verified, report.said.clone())
}

// EXE-2
#[test]
fn a_clock_and_a_focus_are_no_effect_of_a_press_exe_2() {
    let clock = || vec![ObservedChange::Content { of: Other }; 5];
    let nothing = |_: &mut ScriptedScreen| {};
    let focused = |screen: &mut ScriptedScreen| screen.elements[0].state.focused = true;
    let check = |behaviour, changes: &[ObservedChange], then, outcome, verified, said: &str| {
        let found = pressed(behaviour, changes, then);
        assert_eq!((found.0, found.1), (outcome, verified), "{behaviour:?} {changes:?}: {found:?}");
        assert!(found.2.contains(said), "{behaviour:?} {changes:?}: {found:?}");
    };
    let (ignores, silent) = (Behaviour::Ignores, Behaviour::Silent);
    check(ignores, &[], nothing, Failed, false, "달라진 게 없어요");
    // The application said that it did it: done, but nobody claims to have seen what it did.
    check(ignores, &clock(), nothing, Success, false, "눌렀어요. 제대로 됐는지는 확인하지 못했어요");
    check(ignores, &[ObservedChange::Focus], nothing, Success, false, "확인하지 못했어요");
    // The focus is on what was pressed because it was pressed.
    check(ignores, &[ObservedChange::Focus], focused, Failed, false, "달라진 게 없어요");
    // It said nothing: the clock shows nothing.
    check(silent, &clock(), nothing, Failed, false, "대답하지 않아요");
    for change in [
        ObservedChange::Content { of: Target },
        ObservedChange::State { of: Target, holds: true },
        ObservedChange::State { of: Other, holds: false },
        ObservedChange::Children,
        ObservedChange::WindowOpened,
        ObservedChange::WindowClosed,
    ] {
        check(ignores, &[change], nothing, Success, true, "저장: 눌렀어요.");
    }
    // No event told it, but the last look does.
    check(ignores, &[], |screen| screen.elements[0].state.element.enabled = false, Success, true, "눌렀어요");
    check(ignores, &[], |screen| screen.elements.clear(), Success, true, "눌렀어요");
}

// EXE-2
#[test]
fn a_change_that_is_not_the_wished_one_is_told_as_it_is_exe_2() {
    let mut screen =
        ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Ignores, ..check_box("알림", true) }]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("알림 꺼 줘", OrderSource::Voice)));
    screen.until_acted();
    screen.elements[0].state.element.properties.states = [State::Checked, State::Invalid].into_iter().collect();
    screen.settle();
    screen.pass();
    let (_, report) = &screen.reports[0];
    assert_eq!(report.outcome, Failed);
    assert!(report.said.contains("말한 대로는 아니에요"), "{}", report.said);
}

// EXE-2
#[test]
fn an_option_whose_list_closes_is_chosen_exe_2() {
    let option = shown("보통", Role::ListItem, &[Capacity::Select], &[State::Unselected]);
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Ignores, ..option }]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("보통 선택해", OrderSource::Voice)));
    screen.until_acted();
    screen.elements.clear();
    screen.settle();
    screen.pass();
    let (_, report) = &screen.reports[0];
    assert_eq!((report.outcome, report.steps[0].verified), (Success, false), "{report:?}");
}

// EXE-2
#[test]
fn a_flood_of_changes_does_not_delay_the_report_exe_2() {
    let mut screen =
        ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Ignores, ..check_box("알림", true) }]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("알림 꺼 줘", OrderSource::Voice)));
    screen.until_acted();
    let mut looks = 0;
    for _ in 0..100 {
        screen.see(ObservedChange::Content { of: Other });
        looks += screen.waiting.len();
        screen.perform_next();
    }
    assert!(looks < 400, "one look at a time: {looks}");
    let (generation, _) = screen.timer.take().expect("a timer");
    screen.take(ExecutorEvent::Timer { generation });
    for _ in 0..20 {
        screen.see(ObservedChange::Content { of: Other });
        screen.perform_next();
    }
    assert_eq!(screen.reports.len(), 1);
}

// EXE-1, EXE-7
#[test]
fn the_next_means_is_tried_only_if_the_first_certainly_did_nothing_exe_1_exe_7() {
    let tab = |behaviour| {
        let tab = shown("보안", Role::Tab, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
        ShownElement { behaviour, ..tab }
    };
    let check = |behaviour, outcome: OrderOutcome, acts: &[ElementAction], said: &str| {
        let mut screen = ScriptedScreen::new(vec![tab(behaviour)]);
        let report = screen.say("보안 탭 선택해");
        let done: Vec<&ElementAction> = screen.acts.iter().map(|(_, action)| action).collect();
        assert_eq!(done, acts.iter().collect::<Vec<_>>(), "{behaviour:?}: {report:?}");
        assert_eq!(report.outcome, outcome, "{behaviour:?}: {report:?}");
        assert!(report.said.contains(said), "{behaviour:?}: {report:?}");
    };
    let both = [ElementAction::Select, ElementAction::Press];
    check(Behaviour::DeclinesAt(Capacity::Select), Success, &both, "보안: 눌렀어요");
    check(Behaviour::Declines, Failed, &both, "받아들이지 않았어요");
    check(Behaviour::Silent, Failed, &both[..1], "대답하지 않아요");
    check(Behaviour::Ignores, Failed, &both[..1], "달라진 게 없어요");
    // It says that it did nothing, and yet something happened: that is no proof.
    let section = shown("고급", Role::Button, &[Capacity::Press, Capacity::Expand], &[State::Collapsed]);
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Declines, ..section }]);
    screen.postpones = true;
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("고급 눌러", OrderSource::Voice)));
    for _ in 0..3 {
        screen.settle();
        if !screen.acts.is_empty() {
            screen.see(ObservedChange::WindowOpened);
        }
        for event in std::mem::take(&mut screen.postponed) {
            screen.take(event);
        }
    }
    screen.postpones = false;
    screen.pass();
    screen.pass();
    assert_eq!(screen.acts.len(), 1);
    assert!(screen.reports[0].1.said.contains("대답하지 않아요"), "{:?}", screen.reports);
}

// DNG-2, EXE-7
#[test]
fn what_was_confirmed_is_not_done_by_another_means_dng_2_exe_7() {
    let item = shown("삭제", Role::ListItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Declines, ..item }]);
    screen.say("삭제 선택해");
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.acts.len()), (Failed, 1));
    assert!(report.said.contains("받아들이지 않았어요"), "{}", report.said);
}

// PIC-5, PRV-2
#[test]
fn a_secret_counts_as_entered_without_a_look_pic_5_prv_2() {
    let check = |behaviour, changes: &[ObservedChange], outcome: OrderOutcome, verified: bool| {
        let mut secret = ShownElement { behaviour, ..field("비밀번호") };
        secret.state.protected = true;
        let mut screen = ScriptedScreen::new(vec![secret]);
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("비밀번호 칸에 가나다 입력해 줘", OrderSource::Voice)));
        screen.until_acted();
        changes.iter().for_each(|change| screen.see(change.clone()));
        screen.settle();
        screen.pass();
        let (_, report) = &screen.reports[0];
        assert_eq!((report.outcome, report.steps[0].verified), (outcome, verified), "{behaviour:?} {changes:?}");
    };
    // No platform tells of a secret's text; and a clock does not show that it was entered.
    check(Behaviour::Ignores, &[], Success, false);
    check(Behaviour::Ignores, &[ObservedChange::Content { of: Other }], Success, false);
    check(Behaviour::Ignores, &[ObservedChange::Content { of: Target }], Success, true);
    check(Behaviour::Silent, &[ObservedChange::Content { of: Other }], Failed, false);
}

// EXE-2
#[test]
fn what_no_event_tells_is_seen_by_reading_the_screen_once_more_exe_2() {
    let page = |name: &str| [check_box(name, false), button(&format!("{name} 더 보기"))];
    let silent = |element: ShownElement| ShownElement { behaviour: Behaviour::Ignores, ..element };
    let check = |utterance: &str, becomes: &[ShownElement], outcome: OrderOutcome, verified: bool| {
        // Qt's row of tabs: nothing says which of them is the chosen one.
        let tab = silent(shown("글꼴", Role::Tab, &[Capacity::Select, Capacity::Press], &[]));
        let clock = shown("10:41", Role::Text, &[], &[]);
        let mut screen = ScriptedScreen::new(vec![tab, silent(button("다음")), clock]);
        page("창").into_iter().for_each(|one| screen.show(one));
        let order = ScriptedScreen::spoken(utterance, OrderSource::Voice);
        let id = order.id;
        screen.take(ExecutorEvent::Order(order));
        screen.until_acted();
        screen.elements[2].state.element.text = "10:42".to_owned();
        if !becomes.is_empty() {
            screen.elements.truncate(3);
            becomes.iter().cloned().for_each(|one| screen.show(one));
        }
        screen.settle();
        for _ in 0..3 {
            screen.pass();
        }
        let report = &screen.reports.iter().find(|(of, _)| *of == id).expect("a report").1;
        let seen: Vec<bool> = report.steps.iter().map(|step| step.verified).collect();
        assert_eq!((report.outcome, seen.as_slice()), (outcome, [verified].as_slice()), "{utterance}: {report:?}");
        assert_eq!(screen.acts.len(), 1, "{utterance}: done again");
    };
    for utterance in ["글꼴 탭 선택해", "다음 눌러"] {
        check(utterance, &page("글꼴 목록"), Success, true);
        check(utterance, &[check_box("창", false), button("창 더 보기"), button("새 단추")], Success, false);
        check(utterance, &[], Failed, false);
    }
}

// EXE-2, DNG-2
#[test]
fn the_screen_of_before_a_question_is_no_evidence_exe_2_dng_2() {
    let elements = vec![ShownElement { behaviour: Behaviour::Ignores, ..button("송금") }];
    let mut screen = ScriptedScreen::new(elements);
    screen.say("송금 눌러");
    // Messages come in while the question is open.
    for name in ["새 메시지", "답장"] {
        screen.show(button(name));
    }
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.acts.len()), (Failed, 1), "{report:?}");
}
