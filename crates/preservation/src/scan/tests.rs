//! The linear time of what looks around a number (PRE-6).
#![allow(clippy::unwrap_used, reason = "tests")]

use super::super::text::Text;
use super::super::{Glossary, scan};

/// Fragments that would make a careless lookahead quadratic.
const NASTY: &[&str] = &[
    "{",
    "{a, plural, ",
    "{a, plural, one {",
    "{a, plural, one {#} ",
    "{a, select, other {{a, select, other {x}}}} ",
    "}",
    "7:30 ",
    "7:30 in the ",
    "at 7 ",
    "seven-thirty ",
    "seven thirty-",
    "twenty twenty ",
    "half a ",
    "half of a ",
    "third of ",
    "the third of March ",
    "March the ",
    "In November ",
    "6'2\"",
    "6'",
    "\"",
    "10여 ",
    "여",
    "백여만",
    "$5m ",
    "5m won ",
    "5 per hour ",
    "5 km per ",
    "747s ",
    "A 747s",
    "0715 ",
    "24/7",
    "9·11",
    "1·",
    "II ",
    "A II",
    "%s",
    "%1$",
    "%%",
    "`x'",
    "'",
    "P_a",
    "_a",
    "&a",
    "(_a)",
    "--a=A",
    "11월 3~",
    "1~3월 ",
    "5 ft 1 ",
    "\u{1112}\u{1161}\u{11AB}",
    "\u{1112}",
    "x1",
    "오백만 ",
    "스물",
    "열두세",
];

fn steps(text: &str) -> usize {
    let text = Text::new(text);
    scan::scan(&text, true, &Glossary::default());
    text.steps()
}

// PRE-6
#[test]
fn looking_around_a_number_has_a_constant_cost_pre_6() {
    for piece in NASTY {
        let (short, long) = (steps(&piece.repeat(500)), steps(&piece.repeat(2000)));
        let characters = piece.chars().count() * 2000;
        assert!(long <= 400 * characters, "{piece:?}: {} steps a character", long / characters);
        assert!(long <= 5 * short + 4000, "{piece:?}: {short} steps, then {long} for four times the text");
    }
}
