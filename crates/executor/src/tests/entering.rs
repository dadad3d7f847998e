//! What is entered, cleared or chosen in a field (EXE-1, EXE-2, EXE-5, DNG-1, DNG-4).

use luna_messages::element::{RangeValue, State};
use luna_messages::element_action::{Capacity, ElementAction, EnteredText};
use luna_messages::executor::OrderOutcome::{Confirm, Failed, Success};
use luna_messages::executor::OrderSource;
use luna_messages::pick::Role;

use super::screen::{ScriptedScreen, ShownElement, button, field, shown};
use crate::events::ExecutorEvent;

fn filled(label: &str, content: &str) -> ShownElement {
    let mut filled = field(label);
    filled.state.element.text = content.to_owned();
    filled
}

fn count(label: &str) -> ShownElement {
    let mut count = shown("", Role::SpinButton, &[Capacity::SetNumber, Capacity::Focus], &[]);
    count.state.element.label = label.to_owned();
    count.state.element.properties.value = Some(RangeValue { now: 1.0, min: 0.0, max: 100.0, text: String::new() });
    count
}

fn content(screen: &ScriptedScreen, at: usize) -> &str {
    &screen.elements[at].state.element.text
}

// EXE-1, EXE-2
#[test]
fn a_field_is_cleared_and_that_is_told_exe_1_exe_2() {
    for words in ["메모 칸 지워", "메모에 쓴 거 다 지워 줘", "메모 지워 줘"] {
        let mut screen = ScriptedScreen::new(vec![filled("메모", "우유"), filled("제목", "장보기"), button("지우기")]);
        let report = screen.say(words);
        assert_eq!((report.outcome, report.said.as_str()), (Success, "메모: 지웠어요."), "{words}");
        assert_eq!((content(&screen, 0), content(&screen, 1)), ("", "장보기"), "{words}");
        assert_eq!(screen.acts.len(), 1, "{words}: {:?}", screen.acts);
        assert!(report.steps[0].verified, "{words}: {report:?}");
        assert_eq!(screen.say(words).said, "메모: 이미 그래요.", "{words}");
    }
}

// EXE-1, EXE-5
#[test]
fn a_later_step_clears_what_the_screen_shows_as_a_field_exe_5() {
    let mut screen = ScriptedScreen::new(vec![button("새 글")]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("새 글 누르고 제목 지워 줘", OrderSource::Voice)));
    screen.until_acted();
    screen.show(filled("제목", "장보기"));
    screen.settle();
    (0..3).for_each(|_| screen.pass());
    assert_eq!(content(&screen, 1), "", "{:?} {:?}", screen.reports, screen.said);
    assert_eq!(screen.reports[0].1.outcome, Success, "{:?}", screen.reports);
}

// EXE-1, PRV-2
#[test]
fn a_protected_field_is_cleared_and_never_read_back_prv_2() {
    let mut secret = filled("비밀번호", "••••");
    secret.state.protected = true;
    let mut screen = ScriptedScreen::new(vec![secret]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("비밀번호 칸 지워 줘", OrderSource::Voice)));
    screen.until_acted();
    screen.settle();
    (0..3).for_each(|_| screen.pass());
    let (_, report) = &screen.reports[0];
    assert_eq!(report.said, "비밀번호: 지웠어요. 보호된 칸이라 확인은 하지 않아요.", "{report:?}");
}

// EXE-1
#[test]
fn where_the_tree_sets_no_text_keys_clear_it_exe_1() {
    let mut web = filled("검색", "무선 이어폰");
    web.state.capacities = [Capacity::Focus].into_iter().collect();
    let mut screen = ScriptedScreen::new(vec![web]).with_input();
    let report = screen.say("검색 칸 지워 줘");
    assert_eq!((report.outcome, report.said.as_str()), (Success, "검색: 지웠어요."), "{report:?}");
    assert_eq!(screen.inputs.last().map(|(_, text)| text.clone()), Some(Some(EnteredText(String::new()))));
}

// DNG-1, DNG-4
#[test]
fn what_is_no_field_is_deleted_only_after_a_yes_dng_1_dng_4() {
    let mut screen = ScriptedScreen::new(vec![
        shown("회의", Role::ListItem, &[Capacity::Select, Capacity::Press], &[]),
        button("지우기"),
    ]);
    assert_eq!(screen.say("회의 지워 줘").outcome, Confirm);
    let mut screen = ScriptedScreen::new(vec![filled("메모", "우유"), button("메모 지우기")]);
    assert_eq!(screen.say("메모 지워 줘").outcome, Confirm, "a button is called so");
    // The field may not be what was meant.
    let mut screen = ScriptedScreen::new(vec![filled("메일 검색", "회의"), button("저장")]);
    let report = screen.say("메일 지워 줘");
    assert!(report.outcome == Confirm && report.said.contains("메일 검색: 지울까요?"), "{report:?}");
}

// DNG-1, DNG-4
#[test]
fn a_word_in_the_name_of_a_field_asks_only_where_something_is_pressed_dng_4() {
    let mut screen = ScriptedScreen::new(vec![count("주문 수량"), field("송금 메모"), button("송금")]);
    assert_eq!(screen.say("주문 수량을 셋으로 해 줘").outcome, Success);
    assert_eq!(screen.say("송금 메모에 월세라고 써 줘").outcome, Success);
    assert_eq!(screen.say("송금 눌러").outcome, Confirm);
    // It is asked at the button.
    let mut screen = ScriptedScreen::new(vec![count("주문 수량"), button("송금")]);
    let report = screen.say("주문 수량을 4로 하고 송금 눌러");
    assert_eq!(report.outcome, Confirm, "{report:?}");
    assert!(report.said.contains("송금: 누를까요?"), "{report:?}");
    assert_eq!(
        screen.acts.iter().map(|(_, action)| action.clone()).collect::<Vec<_>>(),
        [ElementAction::SetNumber(4.0)]
    );
}

// EXE-1, NLU-2
#[test]
fn a_number_in_words_is_set_as_a_number_exe_1_nlu_2() {
    for (label, utterance, number) in [
        ("참석 인원", "참석 인원을 열두 명으로 해 줘", 12.0),
        ("금액", "금액 칸에 삼만 오천 입력해 줘", 35_000.0),
        ("밝기", "밝기를 여든으로 올려 줘", 80.0),
        ("Rows", "set the number of rows to twelve", 12.0),
    ] {
        let mut screen = ScriptedScreen::new(vec![count(label)]);
        if let Some(limits) = &mut screen.elements[0].state.element.properties.value {
            limits.max = 100_000.0;
        }
        let report = screen.say(utterance);
        assert_eq!(report.outcome, Success, "{utterance}: {report:?}");
        let acts: Vec<_> = screen.acts.iter().map(|(_, action)| action.clone()).collect();
        assert_eq!(acts, [ElementAction::SetNumber(number)], "{utterance}");
    }
    // In a field of text it stays as it was said.
    let mut screen = ScriptedScreen::new(vec![field("메모")]);
    screen.say("메모 칸에 열두 명 입력해 줘");
    assert_eq!(screen.elements[0].state.element.text, "열두 명");
}

fn list(states: &[State]) -> ShownElement {
    let mut list = shown("이름순", Role::ComboBox, &[Capacity::Expand, Capacity::Press], states);
    list.state.element.label = "정렬".to_owned();
    list
}

// EXE-5
#[test]
fn what_a_list_is_set_to_is_chosen_in_it_exe_5() {
    let mut screen = ScriptedScreen::new(vec![list(&[State::Collapsed]), button("확인")]);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("정렬을 크기순으로 바꿔 줘", OrderSource::Voice)));
    screen.until_acted();
    screen.show(shown("크기순", Role::MenuItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]));
    screen.settle();
    (0..4).for_each(|_| screen.pass());
    let (_, report) = &screen.reports[0];
    assert_eq!((report.outcome, report.said.as_str()), (Success, "크기순: 골랐어요."), "{report:?}");
    assert_eq!(screen.pressed(), ["정렬", "크기순", "정렬"], "{:?}", screen.acts);
    // An open one is not closed first.
    let option = shown("크기순", Role::MenuItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    let mut screen = ScriptedScreen::new(vec![list(&[State::Expanded]), option]);
    assert_eq!(screen.say("정렬을 크기순으로 바꿔 줘").outcome, Success);
    assert_eq!(screen.pressed(), ["크기순"]);
}

// EXE-5
#[test]
fn a_list_without_the_option_is_closed_again_and_that_is_told_exe_5() {
    // What follows is not done: the first step that fails stops the rest.
    for order in ["정렬을 크기순으로 바꿔 줘", "정렬을 크기순으로 바꾸고 확인 눌러"] {
        let mut screen = ScriptedScreen::new(vec![list(&[State::Collapsed]), button("확인")]);
        let report = screen.say(order);
        assert_eq!(report.outcome, Failed, "{order}: {report:?}");
        assert_eq!(report.said, "정렬: 고를 것 가운데 없어요: 크기순. 목록은 다시 닫았어요.", "{order}");
        assert_eq!(screen.pressed(), ["정렬", "정렬"], "{order}: {:?}", screen.acts);
        assert!(!screen.elements[0].state.is(State::Expanded), "{order}");
    }
    // One that the person opened stays as it is.
    let mut screen = ScriptedScreen::new(vec![list(&[State::Expanded])]);
    assert_eq!(screen.say("정렬을 크기순으로 바꿔 줘").outcome, Failed);
    assert!(screen.acts.is_empty() && screen.elements[0].state.is(State::Expanded));
}
