//! Numbers of three and four digits in words (NLU-2, RNK-2).

use super::*;

// NLU-2, DSL-6
#[test]
fn large_numbers_are_values_and_places_nlu_2() {
    for (utterance, value, ordinal, offset) in [
        ("볼륨 백으로 해 줘", Some("100"), None, None),
        ("볼륨 백이십으로 맞춰", Some("120"), None, None),
        ("볼륨을 이백으로 설정해 줘", Some("200"), None, None),
        ("set the volume to one hundred and five", Some("105"), None, None),
        ("turn the volume up to a hundred", Some("100"), None, None),
        ("백이십 번째 링크 눌러", None, Some(120), None),
        ("백스물세 번째 항목 눌러", None, Some(123), None),
        ("click number one hundred five", None, Some(105), None),
        ("press the hundredth link", None, Some(100), None),
        ("백 줄 뒤 읽어 줘", None, None, Some(100)),
        ("read one hundred lines further down", None, None, Some(100)),
    ] {
        let wish = said(utterance, false).wish;
        let found = (wish.value.as_deref(), wish.ordinal, wish.line_offset);
        assert_eq!(found, (value, ordinal, offset), "{utterance}");
    }
}

// NLU-2, EXE-3
#[test]
fn words_that_are_also_large_numbers_stay_words_nlu_2() {
    let offered = [button("a", "저장", 0, 0), button("b", "Cancel", 0, 40)];
    for utterance in ["백", "천", "이천", "오백", "만", "score", "dozen", "thousand", "nineteen ninety nine"] {
        assert_eq!(among(utterance, &offered).wish.ordinal, None, "{utterance}");
    }
    for utterance in ["백번", "천번", "백 번 말했잖아", "천천히 올려", "백업 해"] {
        let found = said(utterance, false);
        assert_eq!((found.wish.ordinal, found.wish.value), (None, None), "{utterance}");
    }
    for (utterance, expect) in [("click score", "score"), ("백업 눌러", "백업"), ("이천 눌러 줘", "이천")]
    {
        assert_eq!(said(utterance, false).wish.target_text.as_deref(), Some(expect), "{utterance}");
    }
}

// NLU-2, EXE-3
#[test]
fn places_are_counted_from_one_nlu_2() {
    let offered = [button("a", "저장", 0, 0), button("b", "0번", 0, 40)];
    for utterance in ["0", "0번", "number 0", "0번째", "0번 눌러", "click number 0"] {
        for found in [said(utterance, false), among(utterance, &offered)] {
            assert_eq!(found.wish.ordinal, None, "{utterance}");
        }
    }
    assert_eq!(among("0번 눌러", &offered).target_id.as_deref(), Some("b"));
    assert_eq!(said("볼륨 0으로", false).wish.value.as_deref(), Some("0"));
}

// RNK-2
#[test]
fn labels_with_large_numbers_are_known_by_words_rnk_2() {
    let offered = [button("a", "101호", 0, 0), button("b", "Line 120", 0, 40), button("c", "Line 20", 0, 80)];
    for (utterance, expect) in
        [("백일 호 눌러 줘", "a"), ("go to line one hundred twenty", "b"), ("click line twenty", "c")]
    {
        assert_eq!(among(utterance, &offered).target_id.as_deref(), Some(expect), "{utterance}");
    }
}
