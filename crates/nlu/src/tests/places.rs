//! Which of several is meant that are told by their place alone: the farthest one, the last in a list, the box below something (NLU-2, RNK-1).

use super::widgets::{PRESS, Shown, TICK, UNFOLD, WRITE, check, screen};
use super::*;

const ITEM: &[luna_messages::element_action::Capacity] =
    &[luna_messages::element_action::Capacity::Select, luna_messages::element_action::Capacity::Focus];

// NLU-2, RNK-1
#[test]
fn the_farthest_one_on_a_side_is_meant_nlu_2_rnk_1() {
    let all: [Shown; 4] = [
        ("button", "Next", PRESS),
        ("hyperlink", "Why?", PRESS),
        ("hyperlink", "Sign in", PRESS),
        ("edit", "Email", WRITE),
    ];
    check("press the link at the very bottom", &all, &[(Action::Invoke, "2:Sign in", "")]);
    check("press the link at the very top", &all, &[(Action::Invoke, "1:Why?", "")]);
    check("맨 아래 링크 눌러 줘", &all, &[(Action::Invoke, "2:Sign in", "")]);
    check("제일 위에 있는 링크 눌러 줘", &all, &[(Action::Invoke, "1:Why?", "")]);
    // Without that word it is a part of the screen, in which there is none.
    assert_eq!(among("press the link at the bottom", &screen(&all)).target_id, None);
}

// EXE-3, RNK-1
#[test]
fn of_several_in_the_farthest_row_none_is_guessed_exe_3_rnk_1() {
    let row = [button("a", "Help", 0, 0), button("b", "Back", 0, 80), button("c", "Next", 120, 80)];
    let found = among("press the button at the very bottom", &row);
    assert_eq!((found.target_id, found.several), (None, vec!["b".to_owned(), "c".to_owned()]));
}

// NLU-2
#[test]
fn what_is_counted_in_a_list_is_one_of_its_items_nlu_2() {
    let all: [Shown; 5] = [
        ("button", "Refresh", PRESS),
        ("list_item", "Canon", ITEM),
        ("list_item", "Epson", ITEM),
        ("list_item", "PDF", ITEM),
        ("button", "Cancel", PRESS),
    ];
    check("choose the last one in the list", &all, &[(Action::Select, "3:PDF", "")]);
    check("click the last one in the list", &all, &[(Action::Invoke, "3:PDF", "")]);
    check("choose the second one in the list", &all, &[(Action::Select, "2:Epson", "")]);
    check("목록에서 맨 아래 거 골라 줘", &all, &[(Action::Select, "3:PDF", "")]);
    check("목록에서 마지막 거 눌러 줘", &all, &[(Action::Invoke, "3:PDF", "")]);
    check("목록 맨 끝에 있는 거 골라 줘", &all, &[(Action::Select, "3:PDF", "")]);
    check("pick the bottom one in the list", &all, &[(Action::Select, "3:PDF", "")]);
    check("목록의 마지막 거 눌러 줘", &all, &[(Action::Invoke, "3:PDF", "")]);
    let options: [Shown; 3] = [("menu_item", "A4", ITEM), ("menu_item", "A5", ITEM), ("button", "Close", PRESS)];
    check("목록에서 마지막 거 골라 줘", &options, &[(Action::Select, "1:A5", "")]);
    // A place that is not there, and no list, is no reason to press anything.
    let found = among("click the last one in the toolbar", &screen(&all));
    assert_eq!(found.target_id, None, "{found:?}");
}

// NLU-2, RNK-1
#[test]
fn a_box_that_is_ticked_is_a_check_box_nlu_2_rnk_1() {
    let all: [Shown; 4] = [
        ("check_box", "Text alerts", TICK),
        ("check_box", "Low balance", TICK),
        ("check_box", "문자 알림", TICK),
        ("check_box", "잔액 경고", TICK),
    ];
    check("tick the box right below Text alerts", &all, &[(Action::Toggle, "1:Low balance", "")]);
    check("tick the checkbox right below Text alerts", &all, &[(Action::Toggle, "1:Low balance", "")]);
    check("문자 알림 바로 아래에 있는 확인란에 체크해 줘", &all, &[(Action::Toggle, "3:잔액 경고", "")]);
    check("문자 알림 아래 체크박스 켜 줘", &all, &[(Action::Toggle, "3:잔액 경고", "")]);
    check("untick the low balance box", &all, &[(Action::Toggle, "1:Low balance", "")]);
    let both: [Shown; 2] = [("edit", "Newsletter", WRITE), ("check_box", "Newsletter", TICK)];
    check("tick the newsletter box", &both, &[(Action::Toggle, "1:Newsletter", "")]);
    check("type hello in the newsletter box", &both, &[(Action::SetValue, "0:Newsletter", "hello")]);
}

// RNK-2, NLU-7
#[test]
fn a_label_that_is_a_sentence_is_named_by_its_nouns_rnk_2_nlu_7() {
    let all: [Shown; 4] = [
        ("check_box", "Email me a reminder", TICK),
        ("check_box", "I agree to the terms", TICK),
        ("check_box", "Keep me up to date", TICK),
        ("check_box", "Vitamin B", TICK),
    ];
    check("untick the email reminder", &all, &[(Action::Toggle, "0:Email me a reminder", "")]);
    check("tick the terms box", &all, &[(Action::Toggle, "1:I agree to the terms", "")]);
    for utterance in ["tick vitamin a", "tick the reminder email address", "tick terms and conditions"] {
        assert_eq!(among(utterance, &screen(&all)).target_id, None, "{utterance}");
    }
}

// RNK-2
#[test]
fn what_a_button_does_names_it_if_it_is_there_rnk_2() {
    let all: [Shown; 3] =
        [("button", "Invite guests", PRESS), ("button", "손님 초대", PRESS), ("button", "Change time", PRESS)];
    check("press the button for inviting guests", &all, &[(Action::Invoke, "0:Invite guests", "")]);
    check("press the button for inviting guests, if there is one", &all, &[(Action::Invoke, "0:Invite guests", "")]);
    check("손님 초대하는 버튼 있으면 눌러 줘", &all, &[(Action::Invoke, "1:손님 초대", "")]);
    check("손님 초대 버튼이 보이면 눌러 줘", &all, &[(Action::Invoke, "1:손님 초대", "")]);
    assert_eq!(among("press the button for sending", &screen(&all)).target_id, None);
}

// NLU-2
#[test]
fn the_cursor_is_put_into_the_field_that_is_said_first_nlu_2() {
    let all: [Shown; 3] = [("edit", "본문", WRITE), ("protected", "비밀번호", WRITE), ("combo_box", "글꼴", UNFOLD)];
    check("본문 칸으로 커서 옮겨 줘", &all, &[(Action::Focus, "0:본문", "")]);
    check("본문 칸으로 커서 옮겨 줘, 타자는 내가 직접 칠게", &all, &[(Action::Focus, "0:본문", "")]);
    check("비번 칸으로 커서 좀 옮겨 줘", &all, &[(Action::Focus, "1:비밀번호", "")]);
    let field: [Shown; 1] = [("edit", "Message", WRITE)];
    check("place my cursor in the message field, I'll type it", &field, &[(Action::Focus, "0:Message", "")]);
    check("비밀번호 칸에 커서를 놔 줘", &all, &[(Action::Focus, "1:비밀번호", "")]);
    assert!(among("본문 칸으로 커서 옮기지 마", &screen(&all)).negated);
}
