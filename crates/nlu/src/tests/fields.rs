//! Orders for what a field holds or a list is set to: numbers, clearing, lists that are called like what Luna does itself (NLU-2, NLU-3, DNG-1, DNG-4).

use super::widgets::{COUNT, PRESS, READ, UNFOLD, WRITE, check, screen};
use super::*;

// NLU-2
#[test]
fn a_field_is_cleared_by_its_role_by_what_it_holds_or_as_it_is_on_the_screen_nlu_2() {
    let all = [
        ("edit", "메모", WRITE),
        ("edit", "Subject", WRITE),
        ("edit", "Search mail", WRITE),
        ("button", "저장", PRESS),
        ("button", "지우기", PRESS),
    ];
    for (utterance, target) in [
        ("메모 칸 비워", "0:메모"),
        ("메모에 쓴 거 다 지워", "0:메모"),
        ("메모 내용 지워 줘", "0:메모"),
        ("메모 지워 줘", "0:메모"),
        ("clear the subject", "1:Subject"),
        ("erase whatever's in the subject", "1:Subject"),
        ("clear out the text in the subject field", "1:Subject"),
        ("clear out the subject field", "1:Subject"),
        ("empty the search box", "2:Search mail"),
    ] {
        check(utterance, &all, &[(Action::SetValue, target, "")]);
    }
    check("메모 칸 지우고 저장 눌러", &all, &[(Action::SetValue, "0:메모", ""), (Action::Invoke, "3:저장", "")]);
}

// NLU-2, DNG-1, DNG-4
#[test]
fn only_a_field_is_cleared_without_a_question_dng_1_dng_4() {
    let all = [("edit", "메모", WRITE), ("list_item", "회의", PRESS), ("edit", "메일 검색", WRITE)];
    for (utterance, action, dangerous) in [
        ("메모 지워 줘", Action::SetValue, false),
        // DNG-1 lists this word, whatever is done.
        ("메모 칸 비워 줘", Action::SetValue, true),
        ("회의 지워 줘", Action::Invoke, true),
        ("폴더에 있는 거 다 지워 줘", Action::Invoke, true),
        ("회의 내용 지워 줘", Action::Invoke, true),
        // The field may not be what was meant.
        ("메일 지워 줘", Action::Invoke, true),
    ] {
        let found = among(utterance, &screen(&all));
        assert_eq!((found.wish.action, found.dangerous), (Some(action), dangerous), "{utterance}: {found:?}");
    }
    let named = [("list_item", "회의", PRESS), ("button", "회의 내용 지우기", PRESS), ("button", "지우기", PRESS)];
    check("회의 내용 지워 줘", &named, &[(Action::Invoke, "1:회의 내용 지우기", "")]);
    for utterance in ["파일 지워 줘", "delete everything in the folder", "메일 내용 다 지워 줘"] {
        let found = said(utterance, false);
        assert_eq!((found.wish.action, found.dangerous), (Some(Action::Invoke), true), "{utterance}: {found:?}");
    }
}

// DNG-1, DNG-4
#[test]
fn what_is_entered_is_not_dangerous_by_the_name_of_its_field_dng_1_dng_4() {
    let all = [
        ("spin_button", "주문 수량", COUNT),
        ("edit", "송금 메모", WRITE),
        ("button", "주문 옵션", UNFOLD),
        ("button", "송금", PRESS),
        ("edit", "삭제 사유", WRITE),
    ];
    for (utterance, dangerous) in [
        ("주문 수량을 3으로 바꿔 줘", false),
        ("송금 메모에 월세라고 써 줘", false),
        ("송금 메모 칸으로 가 줘", false),
        ("주문 옵션 펼쳐 줘", false),
        ("송금 눌러 줘", true),
        ("주문 수량을 3으로 하고 송금 눌러", true),
        // DNG-1 lists this word, whatever is done.
        ("삭제 사유 칸에 중복이라고 써 줘", true),
    ] {
        assert_eq!(among(utterance, &screen(&all)).dangerous, dangerous, "{utterance}");
    }
    let found = among("주문 수량을 3으로 하고 송금 눌러", &screen(&all));
    let each: Vec<bool> = found.steps.iter().map(|step| luna().resolve(step, &screen(&all)).dangerous).collect();
    assert_eq!(each, [false, true], "{found:?}");
}

// NLU-2, NLU-3
#[test]
fn a_list_of_the_screen_goes_before_the_language_of_luna_nlu_3() {
    let list = [("combo_box", "Language", UNFOLD), ("combo_box", "표시 언어", UNFOLD), ("button", "OK", PRESS)];
    check("switch the language to Korean", &list, &[(Action::SetValue, "0:Language", "Korean")]);
    check("표시 언어를 영어로 바꿔 줘", &list, &[(Action::SetValue, "1:표시 언어", "영어")]);
    check("표시 언어를 프랑스어로 골라 줘", &list, &[(Action::SetValue, "1:표시 언어", "프랑스어")]);
    check("표시 언어를 영어에서 한국어로 바꿔 줘", &list, &[(Action::SetValue, "1:표시 언어", "한국어")]);
    check("change the language from English to Korean", &list, &[(Action::SetValue, "0:Language", "Korean")]);
    // The language of something is no text, whether it is shown or not.
    for utterance in ["자막 언어를 영어에서 한국어로 바꿔 줘", "change the subtitle language to Korean"]
    {
        let found = among(utterance, &screen(&list));
        assert_eq!((found.kind, found.target_id), (UtteranceKind::Command, None), "{utterance}");
        assert_eq!(found.wish.action, Some(Action::SetValue), "{utterance}");
    }
    let others = [("edit", "Subject", WRITE), ("label", "Language", READ), ("button", "OK", PRESS)];
    for utterance in ["change the subject to English", "change the language to Korean", "이 글을 영어로 바꿔 줘"]
    {
        assert_eq!(among(utterance, &screen(&others)).kind, UtteranceKind::Reading, "{utterance}");
    }
}

// NLU-2
#[test]
fn what_has_a_level_is_brought_up_or_down_to_it_nlu_2() {
    let all = [("slider", "Brightness", COUNT), ("slider", "Contrast", COUNT), ("spin_button", "개수", COUNT)];
    check("lower the contrast to forty", &all, &[(Action::SetValue, "1:Contrast", "40")]);
    check("knock the brightness down to 40", &all, &[(Action::SetValue, "0:Brightness", "40")]);
    check(
        "turn the brightness down to fifty percent please, it's killing my eyes",
        &all,
        &[(Action::SetValue, "0:Brightness", "50")],
    );
    check("개수를 7로", &all, &[(Action::SetValue, "2:개수", "7")]);
    for utterance in ["he brought the price down to ten", "we lowered the rent to five hundred last year"] {
        assert_eq!(said(utterance, false).kind, UtteranceKind::None, "{utterance}");
    }
}

// NLU-7, RNK-2
#[test]
fn what_a_control_does_describes_it_rnk_2() {
    let all = [("button", "파일 추가", PRESS), ("menu_item", "이름 바꾸기", PRESS), ("hyperlink", "글 올리기", PRESS)];
    check("파일 추가하는 버튼 눌러 줘", &all, &[(Action::Invoke, "0:파일 추가", "")]);
    check("이름 바꾸는 메뉴 눌러", &all, &[(Action::Invoke, "1:이름 바꾸기", "")]);
    check("글 올릴 링크 눌러 줘", &all, &[(Action::Invoke, "2:글 올리기", "")]);
    let other = [("button", "연결 해제", PRESS), ("button", "보내는 사람", PRESS)];
    for utterance in ["연결하는 버튼 눌러 줘", "보내기 버튼 눌러 줘"] {
        assert_eq!(among(utterance, &screen(&other)).target_id, None, "{utterance}");
    }
}
