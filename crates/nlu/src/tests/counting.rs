//! What is counted or told of the items of a list, and times of day that name one (NLU-2, NLU-3, EXE-3, RNK-1, RNK-2).

use super::widgets::{PRESS, READ, Shown, TICK, WRITE, check, screen};
use super::*;

const ITEM: &[luna_messages::element_action::Capacity] =
    &[luna_messages::element_action::Capacity::Select, luna_messages::element_action::Capacity::Focus];

const MAIL: [Shown; 8] = [
    ("heading", "받은편지함", READ),
    ("list_item", "김 과장, 회의 자료", ITEM),
    ("list_item", "Riverside Council, your bin collection", ITEM),
    ("list_item", "김 과장, 점심 약속", ITEM),
    ("list_item", "이순자, 김장하는 날", ITEM),
    ("button", "New message", PRESS),
    ("button", "새로 고침", PRESS),
    ("button", "메일 삭제", PRESS),
];

// NLU-2, NLU-3
#[test]
fn a_noun_that_is_no_name_counts_the_items_of_the_only_list_nlu_2_nlu_3() {
    for (utterance, action, target) in [
        ("위에서 두 번째 메일 골라 줘", Action::Select, "2:Riverside Council, your bin collection"),
        ("맨 마지막 메일 눌러 줘", Action::Invoke, "4:이순자, 김장하는 날"),
        ("밑에서 두 번째 편지 골라 줘", Action::Select, "3:김 과장, 점심 약속"),
        ("select the second mail in the list", Action::Select, "2:Riverside Council, your bin collection"),
        ("select the last mail on the screen", Action::Select, "4:이순자, 김장하는 날"),
        // One button with that word is not counted.
        ("click the first message", Action::Invoke, "1:김 과장, 회의 자료"),
        ("open the third message from the top", Action::Invoke, "3:김 과장, 점심 약속"),
    ] {
        check(utterance, &MAIL, &[(action, target, "")]);
    }
    check("tick the second mail", &MAIL, &[(Action::Toggle, "2:Riverside Council, your bin collection", "")]);
    let field: [Shown; 3] = [("list_item", "Anna", ITEM), ("list_item", "Ben", ITEM), ("edit", "Message", WRITE)];
    check("open the last message", &field, &[(Action::Invoke, "1:Ben", "")]);
    check("click the message", &field, &[(Action::Invoke, "2:Message", "")]);
    let photos: [Shown; 5] = [
        ("list_item", "김밥 먹는 사진", ITEM),
        ("list_item", "동영상", ITEM),
        ("list_item", "단체 사진", ITEM),
        ("list_item", "소리", ITEM),
        ("button", "슬라이드 쇼", PRESS),
    ];
    check("맨 마지막 사진 골라 줄래?", &photos, &[(Action::Select, "2:단체 사진", "")]);
    check("첫 번째 사진 눌러 줘", &photos, &[(Action::Invoke, "0:김밥 먹는 사진", "")]);
}

// NLU-3, EXE-3
#[test]
fn without_one_list_nothing_is_counted_nlu_3_exe_3() {
    let parted: [Shown; 5] = [
        ("list_item", "Anna", ITEM),
        ("list_item", "Ben", ITEM),
        ("button", "Filter", PRESS),
        ("list_item", "Sent", ITEM),
        ("list_item", "Drafts", ITEM),
    ];
    let buttons: [Shown; 2] = [("button", "Save", PRESS), ("check_box", "Urgent", TICK)];
    for (utterance, all) in [
        ("select the second mail", &parted[..]),
        ("두 번째 메일 골라 줘", &parted),
        ("click the first mail", &buttons),
        // There are not so many.
        ("click the ninth message", &MAIL),
        ("select the second mail in the toolbar", &MAIL),
    ] {
        let found = among(utterance, &screen(all));
        assert_eq!(found.target_id, None, "{utterance}: {found:?}");
    }
    // Side by side.
    let two: Vec<CandidateInput> = [("a", 0, 0), ("b", 200, 0), ("c", 0, 40), ("d", 200, 40)]
        .map(|(id, x, y)| CandidateInput { role: Some("list_item".to_owned()), ..button(id, id, x, y) })
        .into();
    assert_eq!(among("select the second mail", &two).target_id, None);
    // What is to be deleted is not pressed.
    for utterance in ["delete the second message", "delete the one from the council", "두 번째 메일 지워 줘"] {
        let found = among(utterance, &screen(&MAIL)).target_id;
        assert!(found.is_none_or(|found| found.ends_with("삭제")), "{utterance}");
    }
    // A control of that name is no item.
    let named: [Shown; 3] = [("list_item", "Anna", ITEM), ("list_item", "Ben", ITEM), ("button", "Mail", PRESS)];
    assert_ne!(among("click the second mail", &screen(&named)).target_id.as_deref(), Some("1:Ben"));
}

// NLU-2, RNK-1
#[test]
fn things_are_counted_from_a_side_and_on_the_page_nlu_2_rnk_1() {
    let all: [Shown; 6] = [
        ("hyperlink", "Jumble sale", PRESS),
        ("hyperlink", "Bell ringers", PRESS),
        ("hyperlink", "Roof fund", PRESS),
        ("hyperlink", "Choir", PRESS),
        ("button", "Print", PRESS),
        ("button", "Continue", PRESS),
    ];
    for (utterance, target) in [
        ("click the third link from the top", "2:Roof fund"),
        ("click the third link from the top, I think that's the one", "2:Roof fund"),
        ("click the second link from the bottom", "2:Roof fund"),
        ("hit the last button on the page", "5:Continue"),
        ("press the first link on the screen", "0:Jumble sale"),
        ("press the second button in the window", "5:Continue"),
        ("위에서 두 번째 링크 눌러 줘", "1:Bell ringers"),
    ] {
        check(utterance, &all, &[(Action::Invoke, target, "")]);
    }
    assert_eq!(among("hit the last button on the toolbar", &screen(&all)).target_id, None);
    assert_eq!(among("click the seventh link from the top", &screen(&all)).target_id, None);
}

// EXE-3, NLU-4
#[test]
fn an_item_is_named_by_words_of_its_label_exe_3_nlu_4() {
    let council = "2:Riverside Council, your bin collection";
    check("um, select the one from the council", &MAIL, &[(Action::Select, council, "")]);
    check("select the mail from the council", &MAIL, &[(Action::Select, council, "")]);
    check("점심 약속 메일 열어 줘", &MAIL, &[(Action::Invoke, "3:김 과장, 점심 약속", "")]);
    check("choose the message from the council", &MAIL, &[(Action::Select, council, "")]);
    check("이순자 씨 메일 열어 줘", &MAIL, &[(Action::Invoke, "4:이순자, 김장하는 날", "")]);
    check("이순자님 메일 골라 줘", &MAIL, &[(Action::Select, "4:이순자, 김장하는 날", "")]);
    let found = among("김 과장님 메일 골라 줘", &screen(&MAIL));
    let both = vec!["1:김 과장, 회의 자료".to_owned(), "3:김 과장, 점심 약속".to_owned()];
    assert_eq!((found.kind, found.several), (UtteranceKind::Ambiguous, both));
    for utterance in [
        "select the one from the bank",
        "박 과장님 메일 골라 줘",
        "select the mail from Gwen",
        "회의 자료 편집 눌러 줘",
        "휴지통 메일 눌러 줘",
    ] {
        let found = among(utterance, &screen(&MAIL));
        assert_eq!((found.target_id, found.several.len()), (None, 0), "{utterance}");
    }
}

// RNK-2, NLU-2
#[test]
fn a_time_of_day_names_what_begins_with_it_rnk_2_nlu_2() {
    let trains: [Shown; 4] = [
        ("list_item", "09:20, 2 h 40 min, 1 change", ITEM),
        ("list_item", "09:42, 2 h 05 min, direct", ITEM),
        ("list_item", "17:05, 2 h 12 min, direct", ITEM),
        ("button", "Later trains", PRESS),
    ];
    for (utterance, target) in [
        ("select the nine forty-two please, young lady", "1:09:42, 2 h 05 min, direct"),
        ("select the 9:42", "1:09:42, 2 h 05 min, direct"),
        ("select the five oh five train", "2:17:05, 2 h 12 min, direct"),
        ("아홉 시 이십 분 기차 골라 줘", "0:09:20, 2 h 40 min, 1 change"),
    ] {
        check(utterance, &trains, &[(Action::Select, target, "")]);
    }
    for utterance in ["select the nine fifty", "select the ten forty-two", "아홉 시 기차 골라 줘"] {
        assert_eq!(among(utterance, &screen(&trains)).target_id, None, "{utterance}");
    }
    let both: [Shown; 2] = [("list_item", "09:42", ITEM), ("list_item", "21:42", ITEM)];
    assert_eq!(among("select the nine forty-two", &screen(&both)).several.len(), 2);
}
