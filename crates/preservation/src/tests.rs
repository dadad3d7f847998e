//! Tables of texts and translations for the preservation check, and the linear time of the scanner (PRE-1 to PRE-7).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use luna_messages::Fidelity;
use luna_messages::Fidelity::{Faithful, Natural};
use luna_messages::preserve::TokenClass;
use luna_messages::preserve::TokenClass::{
    Code, Currency, Date, Email, Glossary as Name, Header, Number, Percent, Unit, Url,
};
use luna_messages::preserve::TokenStatus::{Added, Altered, Kept, Missing};
use proptest::prelude::*;

use super::text::Text;
use super::{Glossary, check, headers, invented_numbers, repair, scan};

mod means;
mod places;
mod repairs;
mod spelled;

/// The tokens of `text`, each with its exact end.
#[track_caller]
fn tokens(text: &str, expect: &[(TokenClass, &str)]) {
    let report = check(text, text, Faithful, &Glossary::default());
    assert!(report.ok, "{text}");
    let found: Vec<(TokenClass, &str)> = report.tokens.iter().map(|token| (token.class, token.text.as_str())).collect();
    assert_eq!(found, expect, "{text}");
    for token in &report.tokens {
        let span = token.source_span.unwrap();
        let there: String = text.chars().skip(span.start).take(span.end - span.start).collect();
        assert_eq!(there, token.text, "spans count characters");
    }
}

#[track_caller]
fn compare(source: &str, target: &str, mode: Fidelity, ok: bool) {
    let report = check(source, target, mode, &Glossary::default());
    assert_eq!(report.ok, ok, "{mode:?} {source} / {target}: {:?}", report.tokens);
}

// PRE-1, PRE-3
#[test]
fn tokens_end_where_they_end_pre_1_pre_3() {
    tokens("30%를 넘으면 5km까지", &[(Percent, "30%"), (Unit, "5km")]);
    tokens("https://a.kr/x에서 a@b.kr로", &[(Url, "https://a.kr/x"), (Email, "a@b.kr")]);
    tokens("(https://a.kr/x). “https://b.kr/y”,", &[(Url, "https://a.kr/x"), (Url, "https://b.kr/y")]);
    tokens("See https://a.kr/w/R_(x)), ok", &[(Url, "https://a.kr/w/R_(x)")]);
    tokens("https://a.kr:8080/p?q=1,2&r=3#f!", &[(Url, "https://a.kr:8080/p?q=1,2&r=3#f")]);
    tokens("https://한국.kr/안내 참고", &[(Url, "https://한국.kr/안내")]);
    tokens("www.a.kr와 example.com/a를", &[(Url, "www.a.kr"), (Url, "example.com/a")]);
    tokens("3만 2천원, 1억 2천만 명", &[(Currency, "3만 2천원"), (Number, "1억 2천만")]);
    tokens(
        "₩32,000. US$5 -$3 5€ KRW 900",
        &[(Currency, "₩32,000"), (Currency, "US$5"), (Currency, "-$3"), (Currency, "5€"), (Currency, "KRW 900")],
    );
    tokens("1,234,567명, 1,2,3", &[(Number, "1,234,567"), (Number, "1"), (Number, "2"), (Number, "3")]);
    tokens("12,34,567", &[(Number, "12,34,567")]);
    tokens(
        "-5, −5, +3, 3-5, a-5",
        &[(Number, "-5"), (Number, "−5"), (Number, "+3"), (Number, "3"), (Number, "5"), (Number, "5")],
    );
    tokens("10~20%", &[(Number, "10"), (Percent, "20%")]);
    tokens("v1.2.3은 1.0.0-rc.1.", &[(Number, "v1.2.3"), (Number, "1.0.0-rc.1")]);
    tokens("9:00~18:00, 오후 2시 30분에", &[(Date, "9:00"), (Date, "18:00"), (Date, "오후 2시 30분")]);
    tokens("2026-11-21에, 2026년 11월 21일은", &[(Date, "2026-11-21"), (Date, "2026년 11월 21일")]);
    tokens("Nov 21, 2026. On 21st of November", &[(Date, "Nov 21, 2026"), (Date, "21st of November")]);
    tokens("１２３개, ３０％", &[(Number, "１２３"), (Percent, "３０％")]);
    tokens("5%p, 5%포인트, 5 %", &[(Percent, "5%p"), (Percent, "5%포인트"), (Percent, "5 %")]);
    tokens("010-1234-5678로", &[(Number, "010-1234-5678")]);
    tokens(
        "`a 3`를 ``b`c`` {0} %1$s ${x}",
        &[(Code, "`a 3`"), (Code, "``b`c``"), (Code, "{0}"), (Code, "%1$s"), (Code, "${x}")],
    );
    tokens("<b>3</b> &#39;", &[(Code, "<b>"), (Number, "3"), (Code, "</b>")]);
    tokens(
        "--help와 -v, C:\\a\\b.txt, /etc/hosts에",
        &[(Code, "--help"), (Code, "-v"), (Code, "C:\\a\\b.txt"), (Code, "/etc/hosts")],
    );
    tokens(
        "snake_case camelCase foo() a.b() std::fs src/main.rs a.txt",
        &[
            (Code, "snake_case"),
            (Code, "camelCase"),
            (Code, "foo()"),
            (Code, "a.b()"),
            (Code, "std::fs"),
            (Code, "src/main.rs"),
            (Code, "a.txt"),
        ],
    );
    tokens("Ctrl+Shift+T를, #FF8800", &[(Code, "Ctrl+Shift+T"), (Code, "#FF8800")]);
    tokens("iPhone, and/or, (e.g. now), 만일, 이 사이에, YouTube…", &[]);
    tokens(
        "-40°C 25℃ 512MiB 100 Mbps 2.4GHz 3시간",
        &[(Unit, "-40°C"), (Unit, "25℃"), (Unit, "512MiB"), (Unit, "100 Mbps"), (Unit, "2.4GHz"), (Unit, "3시간")],
    );
}

// PRE-2, TRN-3
#[test]
fn modes_compare_text_and_values_pre_2_trn_3() {
    for (source, target) in [
        ("3만 2천원", "₩32,000"),
        ("2026년 11월 21일", "November 21, 2026"),
        ("１２３", "123"),
        ("1.5 km", "1500 m"),
        ("90분", "1 hour 30 minutes"),
        ("오후 2시 30분", "14:30"),
        ("3~5만원", "₩30,000-50,000"),
        ("11월 21일~25일", "November 21-25"),
        ("섭씨 25도", "77°F"),
        ("1GiB", "1024 MiB"),
    ] {
        compare(source, target, Natural, true);
        compare(target, source, Natural, true);
        compare(source, target, Faithful, false);
    }
    // Halves, and spelled-out counts.
    for (source, target, kept) in [
        ("1시간 반짜리", "90 minutes", true),
        ("2년 반", "two and a half years", true),
        ("반 알", "half a tablet", true),
        ("반 알", "two tablets", false),
        ("반 알", "2 tablets", false),
        ("half a spoon", "두 숟갈", false),
        ("half a dozen eggs", "달걀 여섯 개", true),
        ("반 시간", "thirty minutes", true),
        ("두 숟갈 반", "2.5 spoons", true),
        ("두 숟갈 반", "2 spoons", false),
        ("반년", "six months", true),
        ("반 정도 왔다", "about half of the way", true),
        ("세 명이 반대", "three objected", true),
        ("두 큰술과 세 컵", "two tablespoons and three cups", true),
        ("두 큰술과 세 컵", "2 tablespoons and 4 cups", false),
    ] {
        compare(source, target, Natural, kept);
    }
    for (source, target) in [
        ("3만 2천원", "3,200 won"),
        ("10 kg", "22 lb"),
        ("1GB", "1024MB"),
        ("-5도", "5 degrees"),
        ("v1.10", "v1.1"),
        ("오후 2시", "2 AM"),
        ("30분", "30 seconds"),
        ("5%p", "5%"),
        ("세 개", "four items"),
        ("1/2", "1/3"),
        ("1시간 그리고 또 30분", "90 minutes"),
    ] {
        compare(source, target, Natural, false);
        compare(target, source, Natural, false);
    }
    // Words are translated in faithful mode, too; symbols are not.
    compare("30초", "30 seconds", Faithful, true);
    compare("3번째", "3rd", Faithful, true);
    compare("2026년", "2026", Faithful, true);
    compare("30s", "30 seconds", Faithful, false);
    compare("32,000원", "₩32,000", Faithful, false);
}

// PRE-2
#[test]
fn each_token_has_its_status_pre_2() {
    let report = check("30%, 5km, a@b.kr", "30%, 6km, 7", Faithful, &Glossary::default());
    let found: Vec<_> = report.tokens.iter().map(|t| (t.class, t.text.as_str(), t.status)).collect();
    assert_eq!(
        found,
        [(Percent, "30%", Kept), (Unit, "5km", Altered), (Email, "a@b.kr", Missing), (Number, "7", Added)]
    );
    assert_eq!(report.tokens[1].target_text.as_deref(), Some("6km"));
    // The same count.
    compare("3 and 3", "3", Faithful, false);
    compare("3", "3 and 3", Faithful, false);
    // Many tokens, alike at first; then one of them again.
    compare("1 2 3 4 5 6 7 8 9, then 1", "1 2 3 4 5 6 7 8 9, then 1", Faithful, true);
    compare("1 2 3 4 5 6 7 8 9 files, then 1, 77", "1 2 3 4 5 6 7 8 9 files, 77, then 1", Natural, true);
}

// PRE-1
#[test]
fn names_of_the_glossary_stay_pre_1() {
    let glossary = Glossary::new(["Luna", "Luna Pro", "루나", ""]);
    let report = check("Luna Pro를 여는 루나가, 루나틱", "루나 opens Luna Pro", Faithful, &glossary);
    assert!(report.ok && report.tokens.iter().all(|t| t.class == Name), "{report:?}");
    assert_eq!(report.tokens.len(), 2);
    let report = check("Luna를 켜세요", "Turn luna on", Faithful, &glossary);
    assert_eq!(report.tokens[0].status, Altered);
    assert_eq!(check("Luna를 켜세요", "Turn it on", Faithful, &glossary).tokens[0].status, Missing);
    assert!(check("Lunar luna", "달", Faithful, &glossary).ok, "another word, and no name");
}

// PRE-2
#[test]
fn header_names_stay_the_same_throughout_pre_2() {
    let table = |head: &str| format!("{head}\n|---|---|\n| a | 3 |\n");
    let name = |text: &str| headers(text).iter().flatten().map(|cell| cell.text.to_owned()).collect::<Vec<_>>();
    assert_eq!(name(&table("| Item | Value |")), ["Item", "Value"]);
    assert_eq!(name("Item\tValue\na\t3\nb\t4"), ["Item", "Value"]);
    assert_eq!(name("a | b\nno table"), Vec::<String>::new());
    let report = check(&table("| Item | Value |"), &table("| Item | Worth |"), Faithful, &Glossary::default());
    let broken: Vec<_> = report.broken().map(|t| (t.class, t.text.as_str(), t.status)).collect();
    assert_eq!(broken, [(Header, "Value", Altered)]);
    let kept = check(&table("| Item | Value |"), &table("| Item | Value |"), Faithful, &Glossary::default());
    assert!(kept.tokens.iter().all(|token| token.class != Header), "{kept:?}");
    // In natural mode they are translated, but consistently.
    let twice = table("| 항목 | 값 |").repeat(2);
    let alike = table("| Item | Value |").repeat(2);
    let mixed = table("| Item | Value |") + &table("| Item | Worth |");
    compare(&twice, &alike, Natural, true);
    compare(&twice, &mixed, Natural, false);
}

// PRE-5
#[test]
fn a_summary_invents_no_number_pre_5() {
    let source = "2026년 매출은 3억 2천만 원으로 15% 늘었고 직원은 열두 명이다.";
    let invented =
        |summary: &str| invented_numbers(source, summary).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    assert_eq!(invented("매출이 15% 늘어 ₩320,000,000, 12명. 15%!"), Vec::<String>::new());
    assert_eq!(invented("매출이 16% 늘어 5억 원이 되었다."), ["16%", "5억 원"]);
    assert_eq!(invented("https://a.kr `x`"), Vec::<String>::new());
}

/// Fragments that would make a careless scanner backtrack.
const NASTY: &[&str] = &[
    "1",
    "1 ",
    "1.",
    "1,",
    "-1",
    "1-",
    "(",
    "http://",
    "http://a",
    "http://a(",
    "@",
    "a@",
    "a@b.",
    "a.",
    "a_",
    "aB",
    "`",
    "``` `",
    "` `` ",
    "만",
    "3만",
    "십",
    "일",
    "한 ",
    "두 ",
    "two ",
    "one hundred ",
    "twenty-",
    "<a ",
    "<",
    "</",
    "{",
    "{{",
    "{a",
    "%",
    "%(",
    "$",
    "${",
    "/",
    "/a",
    "\\",
    "\\\\a",
    "1:",
    "1/",
    "2026-",
    "2026-01-",
    "0x",
    "1x",
    "+",
    "Ctrl+",
    "시",
    "오후 ",
    "영하 ",
    "1시간 ",
    "1시",
    "|",
    "|-\n",
    "\t",
    "é",
    "가",
    "\u{1F600}",
    "https://a.kr/가",
    "https://가.",
    "::a",
    "v1.",
    "KRW ",
    "US$",
    "Nov ",
    "1e",
    "1^",
    "3×10",
    "a/b.c/",
    "&",
    "&#",
    "#F",
    "~",
    "./",
    "\u{FF11}",
    "Luna ",
    "1st ",
    "5 %",
    "분의",
    "½",
    "…",
    "mailto:",
    "www.",
];

fn steps(text: &str, glossary: &Glossary) -> usize {
    let text = Text::new(text);
    scan::scan(&text, true, glossary);
    text.steps()
}

/// Steps of the whole check of a text against one whose tokens stand in another order.
fn check_steps(text: &str, target: &str) -> usize {
    let read =
        |left: &super::AlignedText<'_>, right: &super::AlignedText<'_>, _| left.folded.steps() + right.folded.steps();
    [Faithful, Natural].map(|mode| super::compare(text, target, mode, &Glossary::default(), read)).iter().sum()
}

/// What may end a text so that what was read up to there is not what it seemed.
const TAILS: &[&str] = &["", ".5", "-", "/", "@", ":", "!", "x", "가", "%", "\n"];

// PRE-6
#[test]
fn steps_grow_with_the_text_and_no_faster_pre_6() {
    let glossary = Glossary::new(["Luna", "Lu", "가나다"]);
    for piece in NASTY {
        for tail in TAILS {
            let text = |count: usize| piece.repeat(count) + tail;
            let (short, long) = (steps(&text(500), &glossary), steps(&text(2000), &glossary));
            let characters = piece.chars().count() * 2000;
            assert!(long <= 400 * characters, "{piece:?}, {tail:?}: {} steps a character", long / characters);
            assert!(
                long <= 5 * short + 4000,
                "{piece:?}, {tail:?}: {short} steps, then {long} for four times the text"
            );
        }
    }
}

// PRE-6
#[test]
fn steps_of_the_whole_check_grow_with_the_text_and_no_faster_pre_6() {
    // Numbers that differ, each with labels, in cells and sentences, forwards and backwards.
    let numbered = |count: usize, form: &dyn Fn(usize) -> String| {
        let forward: Vec<String> = (0..count).map(form).collect();
        let backward: Vec<String> = forward.iter().rev().cloned().collect();
        check_steps(&forward.concat(), &backward.concat())
    };
    let forms: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("list", &|n| format!("{n}, ")),
        ("labels", &|n| format!("row {n} files ")),
        ("korean labels", &|n| format!("파일 {n}개가 ")),
        ("cells", &|n| format!("{n}\t{n}km\n")),
        ("sentences", &|n| format!("It has {n} files. ")),
        ("joined", &|n| format!("{n} and ")),
        ("placeholders", &|n| format!("{{{n}}} tab ")),
        ("versions", &|n| format!("v1.{n}.")),
        ("spelled", &|n| format!("two {n} tablets ")),
    ];
    for (name, form) in forms {
        let (short, long) = (numbered(400, form), numbered(1600, form));
        // Longer numbers have more digits.
        assert!(long <= 6 * short + 4000, "{name}: {short} steps, then {long} for four times the text");
    }
    for piece in NASTY {
        let of = |count: usize| check_steps(&piece.repeat(count), &format!("1{}", piece.repeat(count)));
        let (short, long) = (of(250), of(1000));
        assert!(long <= 5 * short + 4000, "{piece:?}: {short} steps, then {long} for four times the text");
    }
}

proptest! {
    // PRE-6
    #[test]
    fn any_text_is_scanned_in_linear_steps_pre_6(pieces in prop::collection::vec(prop::sample::select(NASTY), 1..40)) {
        let piece = pieces.concat();
        let none = Glossary::default();
        let (short, long) = (steps(&piece.repeat(50), &none), steps(&piece.repeat(200), &none));
        prop_assert!(long <= 5 * short + 4000, "{piece:?}: {short}, {long}");
    }

    // PRE-2
    #[test]
    fn a_text_keeps_its_own_tokens_and_spans_lie_inside_pre_2(text in "\\PC{0,60}", pieces in prop::collection::vec(prop::sample::select(NASTY), 0..20)) {
        let text = format!("{text}{}", pieces.concat());
        let other = pieces.concat();
        let glossary = Glossary::new(["Luna", "가"]);
        for mode in [Faithful, Natural] {
            prop_assert!(check(&text, &text, mode, &glossary).ok);
            let report = check(&text, &other, mode, &glossary);
            let mended = repair(&text, &other, mode, &glossary);
            prop_assert!(mended.report.ok || !mended.repaired);
            for token in &report.tokens {
                for (span, text) in [(token.source_span, &text), (token.target_span, &other)] {
                    if let Some(span) = span {
                        prop_assert!(span.start < span.end && span.end <= text.chars().count(), "{token:?} of {text:?}");
                    }
                }
            }
        }
        prop_assert!(invented_numbers(&text, &text).is_empty());
    }
}
