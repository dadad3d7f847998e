//! Names, labels and descriptions, long texts, headers, positions (ANN-1, ANN-3, ANN-4).

use super::*;

// ANN-4
#[test]
fn symbols_are_said_by_their_words_ann_4() {
    use Role::{Button, Hyperlink, Image};
    check(&element(Button, "☰").labelled("메뉴"), "메뉴, 버튼", "메뉴, button");
    check(&element(Button, "🔔").described("알림"), "알림, 버튼", "알림, button");
    check(&element(Button, "").described("닫기"), "닫기, 버튼", "닫기, button");
    check(&element(Button, "×"), "×, 버튼", "×, button");
    check(&element(Button, ""), "버튼", "button");
    check(&element(Image, "").labelled("회사 로고"), "회사 로고, 이미지", "회사 로고, image");
    check(&element(Image, "지도").described("서울역 근처"), "지도, 이미지, 서울역 근처", "지도, image, 서울역 근처");
    // The name that an application gives in words replaces what only sighted people see.
    let link = element(Hyperlink, "더 보기").labelled("공지사항 더 보기");
    check(&link, "공지사항 더 보기, 링크", "공지사항 더 보기, link");
}

// ANN-1, ANN-4
#[test]
fn nothing_is_said_twice_ann_1_ann_4() {
    use Role::{Button, CheckBox, Dialog, ListItem, StatusBar, Text};
    check(&element(Button, "home").labelled("Home").described("Home"), "home, 버튼", "home, button");
    check(&element(CheckBox, "동의 Agree").labelled("동의"), "동의 Agree, 확인란", "동의 Agree, check box");
    check(&element(Button, "Save as PDF").described("save as"), "Save as PDF, 버튼", "Save as PDF, button");
    check(&element(Text, "IP 주소: 10.0.0.2").labelled("IP 주소"), "IP 주소: 10.0.0.2", "IP 주소: 10.0.0.2");
    check(&element(Text, "10.0.0.2").labelled("IP 주소:"), "IP 주소, 10.0.0.2", "IP 주소, 10.0.0.2");
    check(&element(Dialog, "저장할까요?").labelled("저장"), "저장, 대화상자, 저장할까요?", "저장, dialog, 저장할까요?");
    check(&element(StatusBar, "준비"), "준비, 상태 표시줄", "준비, status bar");
    let item = element(ListItem, "2.3 MB").labelled("보고서.pdf");
    check(&item, "보고서.pdf, 2.3 MB, 목록 항목", "보고서.pdf, 2.3 MB, list item");
    // A name in which words recur is a name.
    check(&element(Button, "New York, New York"), "New York, New York, 버튼", "New York, New York, button");
    // What follows the end of a sentence needs no comma.
    check(&element(Button, "정말 지울까요?"), "정말 지울까요? 버튼", "정말 지울까요? button");
}

// ANN-1
#[test]
fn verbosity_decides_how_much_is_said_ann_1() {
    let tab = element(Role::Tab, "Music").at(2, 5).states(&[State::Selected]).described("Your songs");
    assert_eq!(said(&tab, Verbosity::Brief, Lang::En), "Music, selected");
    assert_eq!(said(&tab, Verbosity::Normal, Lang::En), "Music, tab, selected, Your songs");
    assert_eq!(said(&tab, Verbosity::Full, Lang::En), "Music, tab, selected, 2 of 5, Your songs");
    let item = element(Role::TreeItem, "src").at(2, 5).level(3).states(&[State::Collapsed]);
    assert_eq!(said(&item, Verbosity::Brief, Lang::En), "src");
    assert_eq!(said(&item, Verbosity::Normal, Lang::En), "src, tree item, collapsed, 2 of 5, level 3");
    let hint = element(Role::Edit, "").labelled("Mail").placeholder("you@example.org");
    assert_eq!(said(&hint, Verbosity::Brief, Lang::En), "Mail, blank");
    // Even a brief announcement of a nameless element says what is there.
    assert_eq!(said(&element(Role::Button, ""), Verbosity::Brief, Lang::Ko), "버튼");
}

// ANN-3
#[test]
fn headers_are_said_where_row_or_column_changed_ann_3() {
    let cell = |row, column, text: &str| {
        element(Role::Cell, text).cell(row, column, ["김", "이"][row as usize], ["이름", "나이"][column as usize])
    };
    let after = |previous: Option<&Element>, now: &Element| {
        announce(now, previous.map(Into::into), style(Verbosity::Normal, Lang::Ko)).said()
    };
    let (first, right, below) = (cell(0, 1, "20"), cell(0, 0, "김철수"), cell(1, 1, "30"));
    assert_eq!(after(None, &first), "김 행, 나이 열, 20");
    assert_eq!(after(Some(&first), &right), "이름 열, 김철수");
    assert_eq!(after(Some(&first), &below), "이 행, 30");
    assert_eq!(after(Some(&first), &first), "20");
    assert_eq!(after(Some(&element(Role::Button, "확인")), &first), "김 행, 나이 열, 20");
    check(&element(Role::Cell, "20").cell(0, 1, "", "Age"), "Age 열, 20", "Age column, 20");
    // A header says nothing about itself; an empty cell says where it is.
    check(&element(Role::Cell, "나이").cell(0, 1, "", "나이"), "나이", "나이");
    check(&element(Role::ColumnHeader, "나이").cell(0, 1, "", "이름"), "나이, 열 머리글", "나이, column header");
    check(&element(Role::Cell, "").cell(0, 1, "", "나이"), "나이 열, 비어 있음", "나이 column, blank");
    check(&element(Role::Cell, "").cell(2, 1, "", ""), "비어 있음, 3행 2열", "blank, row 3 column 2");
    let full = element(Role::Cell, "20").cell(0, 1, "", "나이");
    assert_eq!(said(&full, Verbosity::Full, Lang::Ko), "나이 열, 20, 셀, 1행 2열");
}

// ANN-2
#[test]
fn the_level_of_a_tree_is_said_if_it_changed_ann_2() {
    let item = |level| element(Role::TreeItem, "src").level(level).at(1, 2);
    let after = |previous: Element, now: Element| {
        announce(&now, Some((&previous).into()), style(Verbosity::Normal, Lang::En)).said()
    };
    assert_eq!(after(item(1), item(2)), "src, tree item, 1 of 2, level 2");
    assert_eq!(after(item(2), item(2)), "src, tree item, 1 of 2");
    assert_eq!(after(element(Role::Button, "x"), item(2)), "src, tree item, 1 of 2, level 2");
}

#[track_caller]
fn check_compose(element: &Element, expect: &str, begins: &str) {
    let reading = announce(element, None, style(Verbosity::Normal, Lang::Ko)).reading(&[]);
    let (text, offset) = words_of(&reading);
    assert_eq!(text, expect);
    assert_eq!(text.chars().skip(offset).collect::<String>(), begins);
}

// ANN-1, FOC-4
#[test]
fn a_long_text_begins_with_the_sentence_that_is_pointed_at_ann_1_foc_4() {
    let text = "첫째 문장이다. 둘째 문장이다. 셋째 문장이다.";
    // Plain text is read as it is.
    check_compose(&element(Role::Text, text).offset(12), text, "둘째 문장이다. 셋째 문장이다.");
    check_compose(&element(Role::Text, text), text, text);
    // The introduction comes right before the sentence, and earlier sentences before it.
    check_compose(
        &element(Role::Edit, text).labelled("메모").offset(12),
        "첫째 문장이다.\n메모, 편집창\n둘째 문장이다. 셋째 문장이다.",
        "메모, 편집창\n둘째 문장이다. 셋째 문장이다.",
    );
    check_compose(
        &element(Role::Edit, text).labelled("메모"),
        "메모, 편집창\n첫째 문장이다. 둘째 문장이다. 셋째 문장이다.",
        "메모, 편집창\n첫째 문장이다. 둘째 문장이다. 셋째 문장이다.",
    );
    check_compose(
        &element(Role::ListItem, text).at(2, 3).offset(30),
        "첫째 문장이다. 둘째 문장이다.\n목록 항목, 3개 중 2번째\n셋째 문장이다.",
        "목록 항목, 3개 중 2번째\n셋째 문장이다.",
    );
    // The beginning of an item is its name; so is the whole text of a button.
    check_compose(
        &element(Role::ListItem, "사과. 빨갛다.").at(2, 3).offset(1),
        "사과. 빨갛다. 목록 항목, 3개 중 2번째",
        "사과. 빨갛다. 목록 항목, 3개 중 2번째",
    );
    check_compose(&element(Role::Button, "보기\n목록").offset(4), "보기 목록, 버튼", "보기 목록, 버튼");
    // A heading of several lines of text is no name.
    let long = "아주 긴 제목 ".repeat(20);
    check_compose(
        &element(Role::Heading, &long).level(1),
        &format!("제목 1수준\n{long}"),
        &format!("제목 1수준\n{long}"),
    );
    // An offset behind the end, as after text went away.
    check_compose(&element(Role::Text, text).offset(999), text, "셋째 문장이다.");
}

// ANN-4
#[test]
fn recognised_text_is_plain_text_ann_4() {
    let mut pick = crate::machine::pick_of(Element { enabled: false, ..element(Role::Button, "저장") });
    let style = style(Verbosity::Normal, Lang::Ko);
    assert_eq!(announce(&pick, None, style).said(), "저장, 버튼, 사용할 수 없음");
    (pick.role, pick.id, pick.properties) = (None, None, ElementProperties::default());
    assert_eq!(announce(&pick, None, style).said(), "저장");
}

// ANN-3, OCR-4
#[test]
fn rows_are_read_if_the_table_itself_is_pointed_at_ann_3_ocr_4() {
    let rows = vec![vec!["이름".to_owned()], vec!["김".to_owned()]];
    let pick = |role| crate::machine::pick_of(Element { rows: rows.clone(), ..element(role, "김") });
    assert!([Role::Table, Role::List, Role::Tree].into_iter().all(|role| reads_rows(&pick(role))));
    for part in [Role::Cell, Role::ListItem, Role::TreeItem, Role::Row, Role::Hyperlink, Role::Button, Role::Text] {
        assert!(!reads_rows(&pick(part)), "{part:?}");
    }
    assert!(reads_rows(&Pick { role: None, ..pick(Role::Text) }), "recognised");
    assert!(!reads_rows(&Pick { rows: Vec::new(), ..pick(Role::Table) }));
}
