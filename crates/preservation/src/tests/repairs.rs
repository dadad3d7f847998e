//! Repairs: what is put back, and what is left alone because a repair could harm it (PRE-7).

use luna_messages::Fidelity::{Faithful, Natural};

use super::super::{Glossary, repair};

/// What a repair makes of `target`; `None` if it leaves it alone.
fn repaired(source: &str, target: &str) -> Option<String> {
    let outcomes = [Faithful, Natural].map(|mode| {
        let outcome = repair(source, target, mode, &Glossary::new(["Luna"]));
        assert_eq!(outcome.repaired, outcome.report.ok && outcome.text != target, "{target}");
        outcome.repaired.then_some(outcome.text)
    });
    assert_eq!(outcomes[0], outcomes[1], "both modes: {source} / {target}");
    let [outcome, _] = outcomes;
    outcome
}

// PRE-7
#[test]
fn one_altered_token_is_put_back_with_its_particle_pre_7() {
    let check = |source: &str, target: &str, expect: &str| {
        assert_eq!(repaired(source, target).as_deref(), Some(expect), "{source} / {target}");
    };
    check("It is 30% done", "40%이 끝났어요", "30%가 끝났어요");
    check("It is 30% done", "80%가 끝났어요", "30%가 끝났어요");
    check("Pay $5.99 now", "지금 $5.79를 내세요", "지금 $5.99를 내세요");
    check("up to 70kg", "78kg을 넘지 않게", "70kg을 넘지 않게");
    check("Go to 57", "52로 가세요", "57로 가세요");
    check("Go to 56", "52로 가세요", "56으로 가세요");
    check("Open https://a.kr/x now", "https://a.kr/l을 여세요", "https://a.kr/x를 여세요");
    check("10 files", "파일 100개를", "파일 10개를");
    check("3개월 기다리세요", "Wait 8 months", "Wait 3 months");
    check("1,234 files", "파일 1,254개", "파일 1,234개");
    check("Version 2.10.3 is out.", "버전 2.70.3이 나왔습니다.", "버전 2.10.3이 나왔습니다.");
    check("on 2026-11-21", "2026-11-27에", "2026-11-21에");
    check("Luna를 켜세요", "Turn luna on", "Turn Luna on");
    check("30%와 45km", "30% and 85km", "30% and 45km");
}

// PRE-7
#[test]
fn a_right_translation_is_never_made_worse_pre_7() {
    // Right, but the check does not know one side.
    let right = [
        ("They won the $5m prize.", "그들은 5백만 달러의 상금을 받았다."),
        ("Install the 64-bit version.", "64비트 버전을 설치하세요."),
        ("an 11-cm wound", "11cm의 상처"),
        ("The shop closed at 1 in the morning.", "가게는 새벽 1시에 닫았다."),
        ("In 2007 they found the bones of the Tsar's children.", "니콜라이 2세의 자녀들의 유골이 발견되었다."),
        ("a 30 hectare park", "30헥타르의 공원"),
        ("It is open 24/7.", "24시간 엽니다."),
        ("He is 6'2\" tall.", "그의 키는 6피트 2인치이다."),
        ("Boeing 747s fly there.", "보잉 747기가 그곳으로 난다."),
        ("At 0715 the train left.", "오전 7시 15분에 기차가 떠났다."),
        ("more than 10 people", "11명 이상"),
        ("over 0", "1 이상"),
        ("at 1:00 in the afternoon", "13:00에"),
        ("use --padding=N", "--padding=<숫자>를 쓰세요"),
        ("| Item | Value |\n|---|---|\n| a | 3 |", "| Item | 값 |\n|---|---|\n| a | 3 |"),
    ];
    for (source, target) in right {
        assert_eq!(repaired(source, target), None, "{source} / {target}");
        assert_eq!(repaired(target, source), None, "{target} / {source}");
    }
}

// PRE-7
#[test]
fn what_is_doubtful_is_told_and_left_alone_pre_7() {
    let doubtful = [
        // Two were altered, or one is missing.
        ("30% and 5km", "40%와 6km"),
        ("30%", "없음"),
        // Another unit, another notation, another class.
        ("up to 70kg", "70lb를 넘지 않게"),
        ("Pay $5.99 now", "지금 ₩6,000을 내세요"),
        ("값은 3만 2천원", "It is 3,200 won."),
        ("The meeting is on November 3.", "회의는 11월 5일이다."),
        ("1,234 people", "1294명"),
        // Nothing bears witness that one number was made of the other.
        ("2007 people", "2명"),
        ("Go to 7", "5로 가세요"),
        ("about 36 people", "약 52명"),
        // Two of a kind: the place is not certain.
        ("13 files, 53 folders", "파일 53개, 폴더 73개"),
        ("13% and 53%", "53%와 73%"),
        ("13 files in 53 places", "13곳의 파일 73개"),
        // A part of what was meant.
        ("Set it to 6,739.", ",739로 설정하세요."),
        ("Press Ctrl+F5.", "Ctxl+F5를 누르세요."),
        ("Write to help7@example.com", "help7 7@example.com으로 쓰세요"),
        // No particle, but a name.
        ("Jongno 71-ga", "종로 74가"),
        ("Lesson 43", "제42과"),
        ("세 개", "4 items"),
    ];
    for (source, target) in doubtful {
        assert_eq!(repaired(source, target), None, "{source} / {target}");
    }
    assert_eq!(repaired("30%", "30%"), None, "nothing to do");
    assert_eq!(repaired("Limit: 38", "한도: 36을(를)").as_deref(), Some("한도: 38을(를)"), "both forms stay");
}
