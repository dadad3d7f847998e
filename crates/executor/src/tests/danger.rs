//! Confirmations (DNG-1, DNG-2, DNG-4).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::element::{Role, State};
use luna_messages::element_action::Capacity;
use luna_messages::executor::OrderOutcome::{self, Confirm, Failed, Refused, Success};
use luna_messages::executor::{OrderSource, SpokenOrder};

use super::screen::{ScriptedScreen, ShownElement, button, field, shown};
use crate::events::ExecutorEvent;

fn asked() -> ScriptedScreen {
    let mut screen = ScriptedScreen::new(vec![button("파일 삭제"), button("저장"), field("메모")]);
    let report = screen.say("파일 삭제 눌러");
    assert_eq!(report.outcome, Confirm, "{report:?}");
    assert!(report.said.contains("파일 삭제: 누를까요?") && report.said.contains("'루나, 예'"), "{}", report.said);
    assert!(screen.acts.is_empty());
    screen
}

// DNG-1, DNG-4
#[test]
fn words_and_labels_ask_for_a_confirmation_dng_1_dng_4() {
    let check = |label: &str, utterance: &str, expect: OrderOutcome| {
        let mut screen = ScriptedScreen::new(vec![button(label)]);
        assert_eq!(screen.say(utterance).outcome, expect, "{label}: {utterance}");
    };
    check("삭제", "삭제 눌러", Confirm);
    check("휴지통 비우기", "휴지통 비우기 눌러 줘", Confirm);
    check("Delete", "delete 눌러", Confirm);
    check("결제하기", "첫 번째 버튼 눌러", Confirm);
    check("저장", "저장 눌러", Success);
}

// DNG-2
#[test]
fn only_the_person_confirms_with_yes_and_the_name_dng_2() {
    struct Try {
        words: &'static str,
        source: OrderSource,
        called: bool,
        overlaps_playback: bool,
    }
    let check = |answer: Try, expect: OrderOutcome, acts: usize| {
        let mut screen = asked();
        let Try { words, source, called, overlaps_playback } = answer;
        let order =
            SpokenOrder { id: RequestId::next(), utterance: words.to_owned(), source, called, overlaps_playback };
        let report = screen.order(order);
        assert_eq!((report.outcome, screen.acts.len()), (expect, acts), "{words} {source:?} {called}: {report:?}");
    };
    let voice = |words| Try { words, source: OrderSource::Voice, called: true, overlaps_playback: false };
    check(voice("예"), Success, 1);
    check(voice("네"), Success, 1);
    check(Try { called: false, ..voice("예") }, Confirm, 0);
    check(Try { overlaps_playback: true, ..voice("예") }, Confirm, 0);
    check(Try { source: OrderSource::Program, ..voice("예") }, Confirm, 0);
    // Typed or spoken by whom, nobody knows: the key for it is another event.
    check(Try { source: OrderSource::Key, ..voice("예") }, Confirm, 0);
    check(voice("아니요"), Refused, 0);
    check(voice("취소"), Refused, 0);
    // Another order is not a yes, and is done itself.
    let mut screen = asked();
    assert_eq!(screen.say("루나, 저장 눌러").outcome, Success);
    assert_eq!(screen.pressed(), ["저장"]);
}

// DNG-2
#[test]
fn a_program_can_not_take_the_question_away_by_yes_dng_2() {
    let mut screen = asked();
    let report = screen.answer("루나, 예", OrderSource::Program);
    assert_eq!((report.outcome, report.said.as_str()), (Confirm, "확인은 목소리나 키로만 할 수 있어요."));
    assert!(screen.acts.is_empty() && screen.machine.is_asking());
    assert_eq!(screen.say("루나, 예").outcome, Success);
    assert_eq!(screen.pressed(), ["파일 삭제"]);
}

// DNG-2
#[test]
fn the_key_confirms_and_declines_dng_2() {
    for (given, acts) in [(true, 1), (false, 0)] {
        let mut screen = asked();
        screen.take(ExecutorEvent::Key { given });
        screen.settle();
        assert_eq!(screen.acts.len(), acts);
        assert!(!screen.machine.is_asking());
        screen.take(ExecutorEvent::Key { given: true });
        screen.settle();
        assert_eq!(screen.acts.len(), acts, "without a question the key does nothing");
    }
}

// DNG-2
#[test]
fn a_confirmation_is_void_if_anything_changed_meanwhile_dng_2() {
    let check = |what: &str, change: fn(&mut ScriptedScreen)| {
        let mut screen = asked();
        change(&mut screen);
        let report = screen.say("루나, 예");
        assert_eq!((report.outcome, screen.acts.len()), (Failed, 0), "{what}: {report:?}");
        assert!(report.said.contains("화면이 바뀌어서"), "{what}: {}", report.said);
    };
    check("renamed", |screen| screen.elements[0].state.element.text = "모두 삭제".into());
    check("gone", |screen| drop(screen.elements.remove(0)));
    check("disabled", |screen| screen.elements[0].state.element.enabled = false);
    check("another one with the same label", |screen| {
        screen.elements.remove(0);
        screen.show(button("파일 삭제"));
    });
}

// DNG-2
#[test]
fn a_confirmation_that_comes_too_late_confirms_nothing_dng_2() {
    let mut screen = asked();
    screen.pass();
    screen.say("루나, 예");
    assert!(screen.acts.is_empty());
}

// DNG-4
#[test]
fn a_menu_is_opened_whatever_its_title_says_dng_4() {
    let check = |role: Role, utterance: &str, outcome: OrderOutcome| {
        let mut screen = ScriptedScreen::new(vec![shown("Delete", role, &[Capacity::Press], &[])]);
        assert_eq!(screen.say(utterance).outcome, outcome, "{role:?} {utterance}");
    };
    check(Role::Menu, "click Delete", Success);
    check(Role::Menu, "open the Delete menu", Success);
    check(Role::MenuItem, "click Delete", Confirm);
    check(Role::Button, "click Delete", Confirm);
}

// DNG-1, DNG-4
#[test]
fn what_a_menu_with_a_word_of_danger_leads_to_is_asked_about_dng_1_dng_4() {
    let menu = || shown("삭제", Role::Menu, &[Capacity::Press], &[]);
    for utterance in ["삭제 메뉴에서 모두 눌러", "삭제 > 모두 눌러", "삭제 누르고 모두 눌러"] {
        let mut screen = ScriptedScreen::new(vec![menu(), shown("모두", Role::MenuItem, &[Capacity::Press], &[])]);
        let report = screen.say(utterance);
        assert_eq!((report.outcome, screen.pressed()), (Confirm, vec!["삭제"]), "{utterance}: {report:?}");
    }
}

// DNG-1, DNG-4
#[test]
fn an_entry_of_a_menu_of_danger_is_asked_about_in_the_next_order_too_dng_1_dng_4() {
    let entry = |label: &str| shown(label, Role::MenuItem, &[Capacity::Press], &[]);
    let opened = |title: &str| {
        let menu = shown(title, Role::Menu, &[Capacity::Press], &[]);
        let mut screen = ScriptedScreen::new(vec![menu, button("저장"), entry("모두"), entry("복사본")]);
        assert_eq!(screen.say(&format!("{title} 메뉴 열어")).outcome, Success, "{title}");
        screen
    };
    assert_eq!(opened("삭제").say("모두 눌러").outcome, Confirm);
    assert_eq!(opened("편집").say("모두 눌러").outcome, Success);
    // The menu is closed by what is pressed elsewhere, and by an entry; nobody leaves it open for long.
    let mut screen = opened("삭제");
    assert_eq!(screen.say("저장 눌러").outcome, Success);
    assert_eq!(screen.say("모두 눌러").outcome, Success);
    let mut screen = opened("삭제");
    assert_eq!(screen.say("모두 눌러").outcome, Confirm);
    assert_eq!(screen.say("루나, 예").outcome, Success);
    assert_eq!(screen.say("복사본 눌러").outcome, Success);
    // Keys choose in it, too; moving in it chooses nothing.
    let mut screen = opened("삭제");
    assert_eq!(screen.say("아래 화살표 눌러").outcome, Success);
    assert_eq!(screen.say("엔터 눌러").outcome, Confirm);
    let mut screen = opened("삭제");
    screen.now += Duration::from_secs(60);
    assert_eq!(screen.say("모두 눌러").outcome, Success);
}

// DNG-4
#[test]
fn the_title_of_a_menu_that_names_what_it_is_about_is_no_danger_dng_4() {
    let menu = |title: &str, role: Role, states: &[State]| shown(title, role, &[Capacity::Press], states);
    let entry = || shown("글꼴", Role::MenuItem, &[Capacity::Press], &[]);
    let check = |menu: ShownElement, utterance: &str, outcome: OrderOutcome| {
        let mut screen = ScriptedScreen::new(vec![menu, entry()]);
        assert_eq!(screen.say(utterance).outcome, outcome, "{utterance}");
    };
    check(menu("Format", Role::Menu, &[]), "Format 메뉴에서 글꼴 눌러", Success);
    // The menus of some toolkits are entries that hold others.
    check(menu("Format", Role::MenuItem, &[State::HasPopup]), "Format 메뉴에서 글꼴 눌러", Success);
    check(menu("삭제", Role::MenuItem, &[State::HasPopup]), "삭제 메뉴에서 글꼴 눌러", Confirm);
    check(menu("Format", Role::MenuItem, &[]), "Format 눌러", Confirm);
    let disk = menu("Format disk", Role::MenuItem, &[]);
    check(disk, "Format disk 눌러", Confirm);
}
