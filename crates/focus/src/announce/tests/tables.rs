//! Each role and each state in both languages.

use super::*;

// ANN-1
#[test]
fn the_examples_of_the_requirement_ann_1() {
    use Role::*;
    check(
        &element(CheckBox, "알림 받기").states(&[State::Checked]),
        "알림 받기, 확인란, 선택됨",
        "알림 받기, check box, checked",
    );
    check(&element(Edit, "홍길동").labelled("이름"), "이름, 편집창, 홍길동", "이름, edit, 홍길동");
    check(&element(Hyperlink, "다운로드"), "다운로드, 링크", "다운로드, link");
    check(
        &element(Slider, "").labelled("소리 크기").value(40.0, 0.0, 100.0, ""),
        "소리 크기, 슬라이더, 40 퍼센트",
        "소리 크기, slider, 40 percent",
    );
    check(&element(ListItem, "과일").at(3, 8), "과일, 목록 항목, 8개 중 3번째", "과일, list item, 3 of 8");
    check(&element(Heading, "결과").level(2), "결과, 제목 2수준", "결과, heading level 2");
    check(
        &element(CheckBox, "Notifications").states(&[State::Checked]),
        "Notifications, 확인란, 선택됨",
        "Notifications, check box, checked",
    );
}

/// Each role with a text, at each verbosity.
#[rustfmt::skip]
const ROLES: &[(Role, [&str; 2], [&str; 2])] = &[
    // Role, normal in Korean and English, full in Korean and English.
    (Role::Text, ["가", "가"], ["가", "가"]),
    (Role::Edit, ["편집창, 가", "edit, 가"], ["편집창, 가", "edit, 가"]),
    (Role::Document, ["가", "가"], ["가, 문서", "가, document"]),
    (Role::Hyperlink, ["가, 링크", "가, link"], ["가, 링크", "가, link"]),
    (Role::Button, ["가, 버튼", "가, button"], ["가, 버튼", "가, button"]),
    (Role::MenuItem, ["가, 메뉴 항목", "가, menu item"], ["가, 메뉴 항목", "가, menu item"]),
    (Role::ListItem, ["가, 목록 항목", "가, list item"], ["가, 목록 항목", "가, list item"]),
    (Role::Heading, ["가, 제목", "가, heading"], ["가, 제목", "가, heading"]),
    (Role::Tab, ["가, 탭", "가, tab"], ["가, 탭", "가, tab"]),
    (Role::CheckBox, ["가, 확인란", "가, check box"], ["가, 확인란", "가, check box"]),
    (Role::RadioButton, ["가, 라디오 버튼", "가, radio button"], ["가, 라디오 버튼", "가, radio button"]),
    (Role::ComboBox, ["콤보 상자, 가", "combo box, 가"], ["콤보 상자, 가", "combo box, 가"]),
    (Role::Slider, ["슬라이더, 가", "slider, 가"], ["슬라이더, 가", "slider, 가"]),
    (Role::Cell, ["가", "가"], ["가, 셀", "가, cell"]),
    (Role::Table, ["가, 표", "가, table"], ["가, 표", "가, table"]),
    (Role::List, ["가, 목록", "가, list"], ["가, 목록", "가, list"]),
    (Role::Image, ["가, 이미지", "가, image"], ["가, 이미지", "가, image"]),
    (Role::Protected, ["보호된 입력란", "protected field"], ["보호된 입력란", "protected field"]),
    (Role::Window, ["가, 창", "가, window"], ["가, 창", "가, window"]),
    (Role::Group, ["가, 그룹", "가, group"], ["가, 그룹", "가, group"]),
    (Role::Other, ["가", "가"], ["가", "가"]),
    (Role::ToggleButton, ["가, 토글 버튼", "가, toggle button"], ["가, 토글 버튼", "가, toggle button"]),
    (Role::Switch, ["가, 스위치", "가, switch"], ["가, 스위치", "가, switch"]),
    (Role::SpinButton, ["스핀 버튼, 가", "spin button, 가"], ["스핀 버튼, 가", "spin button, 가"]),
    (Role::ProgressBar, ["진행률 표시줄, 가", "progress bar, 가"], ["진행률 표시줄, 가", "progress bar, 가"]),
    (Role::Menu, ["가, 메뉴", "가, menu"], ["가, 메뉴", "가, menu"]),
    (Role::TreeItem, ["가, 트리 항목", "가, tree item"], ["가, 트리 항목", "가, tree item"]),
    (Role::Tree, ["가, 트리", "가, tree"], ["가, 트리", "가, tree"]),
    (Role::Dialog, ["가, 대화상자", "가, dialog"], ["가, 대화상자", "가, dialog"]),
    (Role::Alert, ["가, 알림", "가, alert"], ["가, 알림", "가, alert"]),
    (Role::RowHeader, ["가, 행 머리글", "가, row header"], ["가, 행 머리글", "가, row header"]),
    (Role::ColumnHeader, ["가, 열 머리글", "가, column header"], ["가, 열 머리글", "가, column header"]),
    (Role::Row, ["가, 행", "가, row"], ["가, 행", "가, row"]),
    (Role::StatusBar, ["가, 상태 표시줄", "가, status bar"], ["가, 상태 표시줄", "가, status bar"]),
    (Role::ToolTip, ["가, 도구 설명", "가, tool tip"], ["가, 도구 설명", "가, tool tip"]),
    (Role::Terminal, ["터미널, 가", "terminal, 가"], ["터미널, 가", "terminal, 가"]),
    (Role::DateField, ["날짜 입력란, 가", "date edit, 가"], ["날짜 입력란, 가", "date edit, 가"]),
    (Role::Separator, ["가, 구분선", "가, separator"], ["가, 구분선", "가, separator"]),
    (Role::ScrollBar, ["스크롤 막대, 가", "scroll bar, 가"], ["스크롤 막대, 가", "scroll bar, 가"]),
    (Role::ToolBar, ["가, 도구 모음", "가, tool bar"], ["가, 도구 모음", "가, tool bar"]),
    (Role::MenuBar, ["가, 메뉴 모음", "가, menu bar"], ["가, 메뉴 모음", "가, menu bar"]),
    (Role::TabList, ["가, 탭 목록", "가, tab list"], ["가, 탭 목록", "가, tab list"]),
    (Role::Landmark, ["가, 랜드마크", "가, landmark"], ["가, 랜드마크", "가, landmark"]),
    (Role::Form, ["가, 양식", "가, form"], ["가, 양식", "가, form"]),
];

// ANN-1
#[test]
fn each_role_has_a_word_in_both_languages_ann_1() {
    for role in Role::ALL {
        assert_eq!(ROLES.iter().filter(|(listed, ..)| *listed == role).count(), 1, "{role:?}");
    }
    for (role, normal, full) in ROLES {
        let element = element(*role, "가");
        for (lang, at) in [(Lang::Ko, 0), (Lang::En, 1)] {
            assert_eq!(said(&element, Verbosity::Normal, lang), normal[at], "{role:?}");
            assert_eq!(said(&element, Verbosity::Full, lang), full[at], "{role:?}");
            let brief = if *role == Role::Protected { normal[at] } else { "가" };
            assert_eq!(said(&element, Verbosity::Brief, lang), brief, "{role:?}");
        }
    }
}

/// Each state of an element on which it is said at the normal verbosity; and what is said at the brief one.
#[rustfmt::skip]
const STATES: &[(State, Role, [&str; 2], [&str; 2])] = &[
    (State::Checked, Role::CheckBox, ["가, 확인란, 선택됨", "가, check box, checked"], ["가, 선택됨", "가, checked"]),
    (State::Checked, Role::Switch, ["가, 스위치, 켜짐", "가, switch, on"], ["가, 켜짐", "가, on"]),
    (State::Checked, Role::RadioButton, ["가, 라디오 버튼, 선택됨", "가, radio button, selected"], ["가, 선택됨", "가, selected"]),
    (State::Checked, Role::ToggleButton, ["가, 토글 버튼, 눌림", "가, toggle button, pressed"], ["가, 눌림", "가, pressed"]),
    (State::Checked, Role::MenuItem, ["가, 메뉴 항목, 체크됨", "가, menu item, checked"], ["가, 체크됨", "가, checked"]),
    (State::Unchecked, Role::CheckBox, ["가, 확인란, 선택 안 됨", "가, check box, not checked"], ["가, 선택 안 됨", "가, not checked"]),
    (State::Unchecked, Role::Switch, ["가, 스위치, 꺼짐", "가, switch, off"], ["가, 꺼짐", "가, off"]),
    (State::Unchecked, Role::RadioButton, ["가, 라디오 버튼, 선택 안 됨", "가, radio button, not selected"], ["가, 선택 안 됨", "가, not selected"]),
    (State::Unchecked, Role::ToggleButton, ["가, 토글 버튼, 눌리지 않음", "가, toggle button, not pressed"], ["가, 눌리지 않음", "가, not pressed"]),
    (State::Unchecked, Role::TreeItem, ["가, 트리 항목, 체크 안 됨", "가, tree item, not checked"], ["가, 체크 안 됨", "가, not checked"]),
    (State::HalfChecked, Role::CheckBox, ["가, 확인란, 일부 선택됨", "가, check box, partially checked"], ["가, 일부 선택됨", "가, partially checked"]),
    (State::HalfChecked, Role::TreeItem, ["가, 트리 항목, 일부 체크됨", "가, tree item, partially checked"], ["가, 일부 체크됨", "가, partially checked"]),
    (State::HalfChecked, Role::ToggleButton, ["가, 토글 버튼, 일부 눌림", "가, toggle button, partially pressed"], ["가, 일부 눌림", "가, partially pressed"]),
    (State::Pressed, Role::ToggleButton, ["가, 토글 버튼, 눌림", "가, toggle button, pressed"], ["가, 눌림", "가, pressed"]),
    (State::Unpressed, Role::ToggleButton, ["가, 토글 버튼, 눌리지 않음", "가, toggle button, not pressed"], ["가, 눌리지 않음", "가, not pressed"]),
    (State::Selected, Role::Tab, ["가, 탭, 선택됨", "가, tab, selected"], ["가, 선택됨", "가, selected"]),
    (State::Selected, Role::ListItem, ["가, 목록 항목, 선택됨", "가, list item, selected"], ["가, 선택됨", "가, selected"]),
    (State::Unselected, Role::RadioButton, ["가, 라디오 버튼, 선택 안 됨", "가, radio button, not selected"], ["가, 선택 안 됨", "가, not selected"]),
    (State::Expanded, Role::TreeItem, ["가, 트리 항목, 펼쳐짐", "가, tree item, expanded"], ["가, 펼쳐짐", "가, expanded"]),
    (State::Collapsed, Role::TreeItem, ["가, 트리 항목, 접힘", "가, tree item, collapsed"], ["가", "가"]),
    (State::Disabled, Role::Button, ["가, 버튼, 사용할 수 없음", "가, button, unavailable"], ["가, 사용할 수 없음", "가, unavailable"]),
    (State::Required, Role::Edit, ["편집창, 필수, 가", "edit, required, 가"], ["필수, 가", "required, 가"]),
    (State::Invalid, Role::Edit, ["편집창, 입력 오류, 가", "edit, invalid entry, 가"], ["입력 오류, 가", "invalid entry, 가"]),
    (State::ReadOnly, Role::Edit, ["편집창, 읽기 전용, 가", "edit, read only, 가"], ["읽기 전용, 가", "read only, 가"]),
    (State::Busy, Role::Document, ["가, 작업 중", "가, busy"], ["가, 작업 중", "가, busy"]),
    (State::Visited, Role::Hyperlink, ["가, 링크, 방문함", "가, link, visited"], ["가", "가"]),
    (State::HasPopup, Role::Button, ["가, 버튼, 메뉴 있음", "가, button, opens menu"], ["가", "가"]),
    (State::HasPopup, Role::MenuItem, ["가, 메뉴 항목, 하위 메뉴", "가, menu item, submenu"], ["가", "가"]),
    (State::HasPopup, Role::Edit, ["편집창, 팝업 있음, 가", "edit, opens popup, 가"], ["가", "가"]),
    (State::Current, Role::Hyperlink, ["가, 링크, 현재", "가, link, current"], ["가, 현재", "가, current"]),
    (State::Protected, Role::Edit, ["보호된 입력란", "protected field"], ["보호된 입력란", "protected field"]),
    (State::Withheld, Role::Edit, ["편집창, 내용은 읽지 않음", "edit, content not read"], ["내용은 읽지 않음", "content not read"]),
    (State::Withheld, Role::SpinButton, ["스핀 버튼, 내용은 읽지 않음", "spin button, content not read"], ["내용은 읽지 않음", "content not read"]),
];

// ANN-2
#[test]
fn each_state_has_a_word_in_both_languages_ann_2() {
    for state in State::ALL {
        assert!(STATES.iter().any(|(listed, ..)| *listed == state), "{state:?}");
    }
    for (state, role, normal, brief) in STATES {
        let mut element = element(*role, "가").states(&[*state]);
        if *role == Role::Document {
            element.text = "가".to_owned();
        }
        for (lang, at) in [(Lang::Ko, 0), (Lang::En, 1)] {
            assert_eq!(said(&element, Verbosity::Normal, lang), normal[at], "{state:?}");
            assert_eq!(said(&element, Verbosity::Brief, lang), brief[at], "{state:?}");
        }
    }
}

// ANN-2
#[test]
fn states_are_said_if_a_person_does_not_expect_them_ann_2() {
    use Role::*;
    let normal = |role: Role, states: &[State], focused: bool| {
        let element = element(role, "x").states(states);
        let style = AnnouncementStyle { focused, ..style(Verbosity::Normal, Lang::En) };
        announce(&element, None, style).said()
    };
    // The item that has the focus is usually selected, the one under the pointer is not.
    assert_eq!(normal(ListItem, &[State::Selected], true), "x, list item");
    assert_eq!(normal(ListItem, &[State::Unselected], true), "x, list item, not selected");
    assert_eq!(normal(ListItem, &[State::Selected], false), "x, list item, selected");
    assert_eq!(normal(ListItem, &[State::Unselected], false), "x, list item");
    assert_eq!(normal(Tab, &[State::Selected], true), "x, tab, selected");
    // A menu selects what is pointed at, and items with a menu are closed.
    assert_eq!(normal(MenuItem, &[State::Selected, State::Collapsed, State::HasPopup], false), "x, menu item, submenu");
    assert_eq!(normal(Menu, &[State::Selected, State::HasPopup], false), "x, menu");
    assert_eq!(normal(ComboBox, &[State::Collapsed, State::HasPopup], false), "combo box, x");
    assert_eq!(normal(ComboBox, &[State::Expanded, State::HasPopup], false), "combo box, expanded, x");
    // What toolkits report besides what is meant.
    assert_eq!(normal(RadioButton, &[State::Checked, State::Unselected], false), "x, radio button, selected");
    assert_eq!(normal(CheckBox, &[State::Checked, State::Unselected, State::Pressed], false), "x, check box, checked");
    assert_eq!(normal(ToggleButton, &[State::Checked, State::Pressed], false), "x, toggle button, pressed");
    assert_eq!(normal(Text, &[State::ReadOnly, State::Disabled], false), "x");
    assert_eq!(normal(Document, &[State::ReadOnly], false), "x");
    // Both selected and checked are said in words that differ.
    let both = element(ListItem, "파일").states(&[State::Checked, State::Selected]);
    check(&both, "파일, 목록 항목, 체크됨, 선택됨", "파일, list item, checked, selected");
    // An element that accepts no input is disabled, whether the platform says so or not.
    let disabled = Element { enabled: false, ..element(Button, "저장") };
    check(&disabled, "저장, 버튼, 사용할 수 없음", "저장, button, unavailable");
    // Full tells all.
    let full = element(ListItem, "x").states(&[State::Unselected, State::Collapsed]);
    assert_eq!(said(&full, Verbosity::Full, Lang::En), "x, list item, not selected, collapsed");
}
