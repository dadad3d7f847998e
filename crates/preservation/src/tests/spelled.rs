//! Spelled numbers, which count in both modes by their value (PRE-8).

use luna_messages::Fidelity::{Faithful, Natural};
use luna_messages::preserve::TokenStatus::{self, Altered, Kept, Reordered, Respelled};

use super::super::{Glossary, check};

/// The status of the first token that is not simply kept, in faithful mode.
fn worst(source: &str, target: &str) -> TokenStatus {
    let report = check(source, target, Faithful, &Glossary::default());
    let natural = check(source, target, Natural, &Glossary::default());
    assert!(
        natural.tokens.iter().all(|token| token.status != Respelled),
        "natural compares values: {source} / {target}"
    );
    assert_eq!(report.ok, natural.ok, "{source} / {target}: {:?} {:?}", report.tokens, natural.tokens);
    let status = report.tokens.iter().map(|token| token.status).find(|status| *status != Kept).unwrap_or(Kept);
    assert_eq!(report.ok, status.is_ok(), "{source} / {target}: {:?}", report.tokens);
    status
}

// PRE-8
#[test]
fn spelled_numbers_count_in_faithful_mode_pre_8() {
    for (source, target, expect) in [
        ("하루 세 번 두 알", "two tablets three times a day", Kept),
        ("하루 세 번 두 알", "three tablets twice a day", Reordered),
        ("하루 세 번 두 알", "2 tablets 3 times a day", Respelled),
        ("하루 세 번", "four times a day", Altered),
        ("하루 세 번", "4 times a day", Altered),
        ("3 times a day", "하루 네 번", Altered),
        ("하루 세 번 5mg", "5mg three times a day", Kept),
        ("하루 세 번 5mg", "5mg four times a day", Altered),
        ("세 개", "3 items", Respelled),
        ("three items", "3개", Respelled),
        ("three items", "세 개", Kept),
        ("반 알", "half a tablet", Kept),
        ("반 알", "two tablets", Altered),
        ("반 알", "2 tablets", Altered),
        ("12명", "twelve people", Respelled),
        ("11월", "November", Respelled),
        ("a file", "파일 1개", Respelled),
        ("Slashed zero", "슬래시 0", Respelled),
        ("오후 세 시", "3 PM", Respelled),
    ] {
        assert_eq!(worst(source, target), expect, "{source} / {target}");
        assert_eq!(worst(target, source), expect, "{target} / {source}");
    }
}

// PRE-8
#[test]
fn a_spelled_dose_or_time_may_not_vanish_pre_8() {
    for (source, target, kept) in [
        ("하루 세 번 드세요.", "Take it daily.", false),
        ("Take two tablets.", "알약을 드세요.", false),
        ("두 시간 뒤에 오세요.", "Come later.", false),
        ("in November", "지난달에", false),
        ("Enable HTML5 storage", "저장소 사용", false),
        ("more than one tab", "두 개 이상의 탭", true),
        ("on both sides", "양쪽에", true),
        ("the two sides", "양측", true),
        ("Do it once.", "하세요.", true),
        ("Third-party notices", "타사 통지", true),
        ("H1 2026", "2026년 상반기", true),
    ] {
        for mode in [Faithful, Natural] {
            assert_eq!(check(source, target, mode, &Glossary::default()).ok, kept, "{source} / {target}");
            assert_eq!(check(target, source, mode, &Glossary::default()).ok, kept, "{target} / {source}");
        }
    }
}

// PRE-8
#[test]
fn digits_are_still_compared_by_their_wording_in_faithful_mode_pre_8() {
    for (source, target) in
        [("90분", "1 hour 30 minutes"), ("₩32,000", "32,000원"), ("1.5 km", "1500 m"), ("16:30", "오후 4시 30분")]
    {
        assert!(!check(source, target, Faithful, &Glossary::default()).ok, "{source} / {target}");
        assert!(check(source, target, Natural, &Glossary::default()).ok, "{source} / {target}");
    }
}
