//! What something is set to: numbers in words, with what they count, and up to which something is raised (NLU-2).

use super::widgets::{COUNT, PRESS, Shown, UNFOLD, check, screen};
use super::*;

const ALL: [Shown; 7] = [
    ("slider", "밝기", COUNT),
    ("spin_button", "참석 인원", COUNT),
    ("combo_box", "알림", UNFOLD),
    ("spin_button", "Rows", COUNT),
    ("slider", "Bass", COUNT),
    ("spin_button", "Number of copies", COUNT),
    ("button", "저장", PRESS),
];

// NLU-2
#[test]
fn a_number_in_words_is_a_value_nlu_2() {
    for (utterance, target, value) in [
        ("밝기를 여든으로 올려 줘", "0:밝기", "80"),
        ("밝기를 스물다섯으로 낮춰 줘", "0:밝기", "25"),
        ("밝기를 30으로 내려", "0:밝기", "30"),
        ("밝기를 육십까지 올려 줘", "0:밝기", "60"),
        ("밝기를 사십에서 육십으로 올려 줘", "0:밝기", "60"),
        ("알림을 십 분에서 이십 분으로 바꿔 줘", "2:알림", "이십 분"),
        ("알림을 없음에서 정각으로 바꿔 줘", "2:알림", "정각"),
        ("참석 인원을 넷으로 늘려 줘", "1:참석 인원", "4"),
        ("참석 인원을 열두 명으로 해 줘", "1:참석 인원", "열두 명"),
        ("참석 인원을 12명으로 바꿔 줘", "1:참석 인원", "12명"),
        ("참석 인원 다섯 명, 아니 여섯 명으로 바꿔 줘", "1:참석 인원", "여섯 명"),
        // A list may have just that.
        ("알림을 십 분으로 바꿔 줘", "2:알림", "십 분"),
        ("set the number of rows to twelve", "3:Rows", "12"),
        ("set the number of copies to three", "5:Number of copies", "3"),
        ("put the bass on sixty-five", "4:Bass", "65"),
        ("put the bass slider on 65, it sounds awful tinny", "4:Bass", "65"),
        ("turn the bass down to forty", "4:Bass", "40"),
    ] {
        check(utterance, &ALL, &[(Action::SetValue, target, value)]);
    }
    // How much more it is, is not what it is set to.
    let found = among("밝기 올려 줘", &screen(&ALL));
    assert!(found.wish.action != Some(Action::SetValue), "{found:?}");
    // That is no five, and no place.
    for utterance in ["참석 인원을 일점오 배로 해 줘", "참석 인원을 삼 번으로 해 줘"] {
        let found = among(utterance, &screen(&ALL));
        assert!(!matches!(found.wish.value.as_deref(), Some("오 배" | "3")), "{utterance}: {found:?}");
    }
}

// NLU-2
#[test]
fn the_number_that_a_text_says_is_read_as_a_whole_nlu_2() {
    for (text, number) in [
        ("열두 명", Some(12)),
        ("12명", Some(12)),
        ("삼만 오천", Some(35_000)),
        ("육십오 퍼센트", Some(65)),
        ("sixty-five", Some(65)),
        ("sixty-five percent", Some(65)),
        ("예순둘", Some(62)),
        ("열두 명쯤 오겠지", None),
        ("어른 두 명", None),
        ("A4", None),
        ("", None),
    ] {
        assert_eq!(luna().number_said(text), number, "{text}");
    }
}

// NLU-8
#[test]
fn numbers_in_talk_set_nothing_nlu_8() {
    for utterance in [
        "우리 모임 인원이 열두 명으로 늘었대",
        "집값을 삼억으로 올려 놨더라",
        "he put fifty quid on the favourite",
        "the number of people went up to twelve",
    ] {
        assert_eq!(said(utterance, false).kind, UtteranceKind::None, "{utterance}");
    }
}
