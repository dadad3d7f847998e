//! The same element again (ANN-5).

use super::*;

fn change(previous: &Element, now: &Element) -> Option<String> {
    announce_change(previous, now, style(Verbosity::Normal, Lang::Ko)).map(|said| said.said())
}

#[track_caller]
fn check_change(previous: &Element, now: &Element, expect: &str) {
    assert_eq!(change(previous, now).unwrap_or_default(), expect);
}

// ANN-5
#[test]
fn the_same_element_is_not_read_again_ann_5() {
    let moved = |element: Element| Element { bbox: Rect::new(5, 5, 90, 20), automation_id: "b".to_owned(), ..element };
    for element in [
        element(Role::Button, "저장"),
        element(Role::CheckBox, "알림").states(&[State::Checked]),
        element(Role::Slider, "").labelled("소리").value(40.0, 0.0, 100.0, ""),
        element(Role::Edit, "").labelled("이름"),
        element(Role::Protected, "").labelled("비밀번호"),
        element(Role::ListItem, "과일").at(3, 8),
        element(Role::Text, "첫째다. 둘째다."),
    ] {
        assert_eq!(change(&element, &moved(element.clone())), None, "{element:?}");
    }
    // An unknown id may be anything.
    let recognised = Pick { id: None, ..crate::machine::pick_of(element(Role::Text, "가")) };
    let again = announce_change(&recognised, &recognised, style(Verbosity::Normal, Lang::Ko));
    assert_eq!(again.map(|said| said.said()), Some("가".to_owned()));
}

// ANN-5
#[test]
fn another_element_is_said_as_a_whole_ann_5() {
    check_change(&element(Role::Button, "저장"), &element(Role::Button, "저장").named("other"), "저장, 버튼");
    check_change(&element(Role::Button, "저장"), &element(Role::Text, "").named("other"), "");
}

// ANN-5
#[test]
fn only_what_changed_is_said_ann_5() {
    let box_of = |states: &[State]| element(Role::CheckBox, "알림 받기").states(states);
    check_change(&box_of(&[State::Unchecked]), &box_of(&[State::Checked]), "선택됨");
    check_change(&box_of(&[State::Checked]), &box_of(&[State::Unchecked]), "선택 안 됨");
    check_change(&box_of(&[State::Checked]), &box_of(&[State::HalfChecked]), "일부 선택됨");
    let button = |states: &[State]| element(Role::ToggleButton, "굵게").states(states);
    check_change(&button(&[State::Pressed]), &button(&[]), "눌리지 않음");
    check_change(&button(&[]), &button(&[State::Disabled]), "사용할 수 없음");
    check_change(&button(&[State::Disabled]), &button(&[]), "사용할 수 있음");
    let combo = |text: &str, states: &[State]| element(Role::ComboBox, text).labelled("나라").states(states);
    check_change(&combo("한국", &[State::Collapsed]), &combo("한국", &[State::Expanded]), "펼쳐짐");
    // What is usual is said once it changes.
    check_change(&combo("한국", &[State::Expanded]), &combo("미국", &[State::Collapsed]), "접힘, 미국");
    let slider = |now: f64| element(Role::Slider, "").labelled("소리").value(now, 0.0, 100.0, "");
    check_change(&slider(40.0), &slider(45.0), "45 퍼센트");
    let field = |text: &str| element(Role::Edit, text).labelled("이름");
    check_change(&field("홍"), &field("홍길동"), "홍길동");
    check_change(&field("홍"), &field(""), "비어 있음");
    check_change(&element(Role::Button, "재생"), &element(Role::Button, "일시 정지"), "일시 정지");
    let invalid = |message: &str| field("홍").states(&[State::Invalid]).error(message);
    check_change(&field("홍"), &invalid("너무 짧아요"), "입력 오류, 너무 짧아요");
    check_change(&invalid("너무 짧아요"), &invalid("한글로 써 주세요"), "한글로 써 주세요");
    check_change(&invalid("너무 짧아요"), &field("홍"), "입력 오류 없음");
    // What was typed into a protected field is no news.
    let secret = |text: &str| element(Role::Protected, text).labelled("비밀번호");
    check_change(&secret("hunter"), &secret("hunter2"), "");
}

// ANN-5, FOC-2
#[test]
fn of_a_long_text_the_new_sentences_or_the_one_pointed_at_are_said_ann_5_foc_2() {
    let text = |text: &str| element(Role::Edit, text).labelled("메모");
    let (two, three) = ("첫째다. 둘째다.", "첫째다. 둘째다. 셋째다.");
    check_change(&text(two), &text(three), "셋째다.");
    check_change(&text(two), &text("첫째다. 새 것이다. 둘째다."), "새 것이다.");
    check_change(&text("첫째다."), &text(two), "둘째다.");
    check_change(&text(three), &text(two), "");
    check_change(&text(two).offset(1), &text(two).offset(6), "둘째다.");
    check_change(&text(two).offset(6), &text(two).offset(7), "");
    let terminal = |text: &str| element(Role::Terminal, text);
    check_change(&terminal("$ ls\na.txt"), &terminal("$ ls\na.txt\n$ pwd\n/home"), "$ pwd\n/home");
}
