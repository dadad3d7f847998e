//! Several steps, stops, and orders that come meanwhile (EXE-5, FOC-6).

use luna_messages::RequestId;
use luna_messages::element::Role;
use luna_messages::element_action::Capacity;
use luna_messages::executor::OrderOutcome::{Failed, Refused, Success};
use luna_messages::executor::{OrderSource, SpokenOrder};

use super::screen::{ScriptedScreen, button, check_box, field, shown};
use crate::events::{ExecutorEffect, ExecutorEvent};

fn order(utterance: &str) -> SpokenOrder {
    SpokenOrder {
        id: RequestId::next(),
        utterance: utterance.to_owned(),
        source: OrderSource::Voice,
        called: true,
        overlaps_playback: false,
    }
}

// EXE-5
#[test]
fn steps_are_done_in_turn_and_the_first_that_fails_ends_them_exe_5() {
    let mut screen = ScriptedScreen::new(vec![field("아이디"), check_box("로그인 유지", false), button("로그인")]);
    let report = screen.say("아이디에 홍길동 입력하고 로그인 유지 체크한 다음 로그인 눌러");
    assert_eq!(report.outcome, Success, "{report:?}");
    assert_eq!(screen.pressed(), ["아이디", "로그인 유지", "로그인"]);
    assert_eq!(report.steps.len(), 3);

    let mut screen = ScriptedScreen::new(vec![field("아이디"), button("로그인")]);
    let report = screen.say("아이디에 홍길동 입력하고 로그인 유지 체크한 다음 로그인 눌러");
    assert_eq!((report.outcome, report.steps.len()), (Failed, 1), "{report:?}");
    assert_eq!(screen.pressed(), ["아이디"]);
}

// EXE-5
#[test]
fn a_later_step_is_found_on_the_screen_as_it_is_then_exe_5() {
    let mut screen = ScriptedScreen::new(vec![button("설정")]);
    let order = order("설정 누르고 와이파이 꺼 줘");
    let id = order.id;
    screen.take(ExecutorEvent::Order(order));
    while screen.acts.is_empty() {
        assert!(screen.perform_next());
    }
    screen.show(check_box("와이파이", true));
    screen.settle();
    assert_eq!(screen.reports.iter().map(|(of, report)| (*of, report.outcome)).collect::<Vec<_>>(), [(id, Success)]);
    assert_eq!(screen.pressed(), ["설정", "와이파이"]);
}

// FOC-6
#[test]
fn nothing_is_done_after_a_stop_foc_6() {
    // The stop comes before each thing that is performed.
    for before in 0..8 {
        let mut screen = ScriptedScreen::new(vec![button("저장")]);
        screen.take(ExecutorEvent::Order(order("저장 눌러")));
        for _ in 0..before {
            screen.perform_next();
        }
        let acts = screen.acts.len();
        let is_report = |effect: &ExecutorEffect| matches!(effect, ExecutorEffect::Report { .. });
        let was_over = !screen.reports.is_empty() || screen.waiting.iter().any(is_report);
        let stop = screen.stop();
        screen.take(stop);
        screen.settle();
        assert_eq!(screen.acts.len(), acts, "{before}");
        assert_eq!(screen.reports.len(), 1, "{before}");
        assert!(was_over || screen.reports[0].1.outcome == Refused, "{before}: {:?}", screen.reports);
    }
}

// FOC-6
#[test]
fn an_older_stop_ends_no_newer_order_foc_6() {
    let at = RequestId::next();
    let mut screen = ScriptedScreen::new(vec![button("저장")]);
    screen.take(ExecutorEvent::Order(order("저장 눌러")));
    screen.take(ExecutorEvent::Stop { at });
    screen.settle();
    assert_eq!(screen.reports[0].1.outcome, Success);
}

// EXE-7
#[test]
fn an_order_that_comes_during_an_action_waits_for_its_end_exe_7() {
    let mut screen = ScriptedScreen::new(vec![button("저장"), button("인쇄")]);
    screen.take(ExecutorEvent::Order(order("저장 눌러")));
    while !matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. })) {
        assert!(screen.perform_next());
    }
    screen.take(ExecutorEvent::Order(order("인쇄 눌러")));
    screen.settle();
    assert_eq!(screen.pressed(), ["저장", "인쇄"]);
    assert_eq!(screen.reports.len(), 2);
}

// EXE-5
#[test]
fn what_a_step_opens_late_is_waited_for_and_not_for_ever_exe_5() {
    let check = |opens_at_look: usize, done: &[&str]| {
        let mut screen = ScriptedScreen::new(vec![button("파일")]);
        let order = ScriptedScreen::spoken("파일 누르고 열기 눌러", OrderSource::Voice);
        screen.take(ExecutorEvent::Order(order));
        let mut looks = 0;
        while let Some(effect) = screen.waiting.front() {
            let is_later = matches!(effect, ExecutorEffect::AskCandidates { after, .. } if !after.is_zero());
            looks += usize::from(is_later);
            if is_later && looks == opens_at_look {
                screen.show(button("열기"));
            }
            screen.perform_next();
        }
        assert_eq!(screen.pressed(), done, "opens at look {opens_at_look}");
    };
    check(1, &["파일", "열기"]);
    check(8, &["파일", "열기"]);
    check(9, &["파일"]);
}

// EXE-5
#[test]
fn an_entry_of_a_menu_that_opens_late_goes_before_a_button_that_fits_exe_5() {
    let check = |opens_at_look: usize, done: &[&str]| {
        let menu = shown("View", Role::Menu, &[Capacity::Press], &[]);
        let mut screen = ScriptedScreen::new(vec![menu, button("Zoom Factor")]);
        screen.take(ExecutorEvent::Order(order("View 메뉴에서 Zoom 눌러 줘")));
        let mut looks = 0;
        while let Some(effect) = screen.waiting.front() {
            let is_later = matches!(effect, ExecutorEffect::AskCandidates { after, .. } if !after.is_zero());
            looks += usize::from(is_later);
            if is_later && looks == opens_at_look {
                screen.show(shown("Zoom...", Role::MenuItem, &[Capacity::Press], &[]));
            }
            screen.perform_next();
        }
        assert_eq!(screen.pressed(), done, "opens at look {opens_at_look}");
    };
    check(1, &["View", "Zoom..."]);
    check(3, &["View", "Zoom..."]);
    // Nothing in the menu fits: what does is meant after all.
    check(usize::MAX, &["View", "Zoom Factor"]);
}

// EXE-5
#[test]
fn an_entry_of_the_menu_that_was_opened_is_meant_and_no_button_of_that_name_exe_5() {
    let entry = |label: &str| shown(label, Role::MenuItem, &[Capacity::Press], &[]);
    let menu = || shown("Insert", Role::Menu, &[Capacity::Press], &[]);
    let mut screen = ScriptedScreen::new(vec![menu(), button("Chart"), entry("Chart...")]);
    let report = screen.say("choose Chart from the Insert menu");
    assert_eq!(screen.pressed(), ["Insert", "Chart..."], "{report:?}");
    // Without the menu the entry does not go before the button.
    let mut screen = ScriptedScreen::new(vec![button("Chart"), entry("Chart...")]);
    screen.say("press Chart");
    assert!(!screen.pressed().contains(&"Chart..."));
}

// EXE-5
#[test]
fn a_menu_is_not_closed_for_an_entry_that_is_called_like_it_exe_5() {
    // "Find" and "search" are the same to Luna.
    let mut screen = ScriptedScreen::new(vec![shown("Search", Role::Menu, &[Capacity::Press], &[])]);
    screen.take(ExecutorEvent::Order(order("Search 메뉴에서 Find 눌러 줘")));
    let mut looks = 0;
    while let Some(effect) = screen.waiting.front() {
        looks += usize::from(matches!(effect, ExecutorEffect::AskCandidates { after, .. } if !after.is_zero()));
        if looks == 2 {
            screen.show(shown("Find", Role::MenuItem, &[Capacity::Press], &[]));
            looks += 1;
        }
        screen.perform_next();
    }
    assert_eq!(screen.pressed(), ["Search", "Find"]);
    let mut screen = ScriptedScreen::new(vec![shown("Search", Role::Menu, &[Capacity::Press], &[])]);
    screen.say("Search 메뉴에서 Find 눌러 줘");
    assert_eq!(screen.pressed(), ["Search"]);
}
