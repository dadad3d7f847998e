//! A yes is a yes and nothing else (DNG-2).

use std::collections::BTreeMap;

use crate::{Understanding, Vocabulary};

// DNG-2
#[test]
fn a_yes_is_a_yes_and_nothing_else_dng_2() {
    let rules = Understanding::new(&Vocabulary::default());
    for yes in [
        "예",
        "네",
        "네네",
        "응 응",
        "루나, 예",
        "루나야 네.",
        "예, 루나",
        "음, 예",
        "루나 예 진행해 줘",
        "그렇게 해 주세요",
        "Yes!",
        "yes please",
        "Luna, yes",
        "yes go ahead",
        "uh yes",
        "ok do it",
    ] {
        assert!(rules.is_plain_yes(yes), "{yes}");
    }
    for other in [
        "",
        "루나",
        "음",
        "아니요",
        "취소",
        "예, 멈춰",
        "예 그만",
        "예 멈춰",
        "yes, stop",
        "yes stop",
        "예 말고 취소",
        "yes but wait",
        "예 잠깐만",
        "진행하지 마",
        "진행해도 될까",
        "그래 하지 마",
        "no yes",
        "yes no",
        "네 아니요",
        "아니 예",
        "예?",
        "예라고",
        "예라고 말하지 마",
        "'예'",
        "예 첫 번째",
        "yes 2",
        "예약",
        "네이버",
        "네 시",
        "예 저장 눌러",
        "yes if it is safe",
        "the right one",
        "애",
        "그럼 안 되지",
        "예 아마도",
        "예 삭제하지 마",
    ] {
        assert!(!rules.is_plain_yes(other), "{other}");
    }
    // VOI-2
    let synonyms = BTreeMap::from([("yes".to_owned(), vec!["콜".to_owned()])]);
    let rules = Understanding::new(&Vocabulary { synonyms, ..Vocabulary::default() });
    assert!(rules.is_plain_yes("루나 콜") && !rules.is_plain_yes("루나 콜 취소"));
}
