//! Numbers, amounts and dates that each language writes in its own way: rows of an English text, its Korean translation, and the verdict.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use luna_messages::Fidelity::{Faithful, Natural};
use luna_preservation::{Glossary, check};

/// The rows of the table.
fn rows() -> Vec<(&'static str, &'static str, bool)> {
    let lines = include_str!("two_sides.tsv").lines().filter(|line| !line.starts_with("# "));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            match columns[..] {
                [english, korean, verdict @ ("ok" | "no")] => (english, korean, verdict == "ok"),
                _ => panic!("three columns: {line}"),
            }
        })
        .collect()
}

// PRE-2, PRE-3, PRE-8, TRN-3
#[test]
fn each_language_writes_a_value_in_its_own_way_pre_2_pre_3_pre_8_trn_3() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (english, korean, ok) in rows() {
        for (source, target) in [(english, korean), (korean, english)] {
            checked += 1;
            let report = check(source, target, Natural, &Glossary::default());
            if report.ok != ok {
                let broken: Vec<_> = report.broken().map(|t| (t.class, t.status, &t.text, &t.target_text)).collect();
                wrong.push(format!("{source} / {target}: {broken:?}"));
            }
        }
    }
    assert!(checked > 500, "{checked}");
    assert!(wrong.is_empty(), "{} of {checked} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The text with its Hangul decomposed, as some file systems write names.
fn decomposed(text: &str) -> String {
    let jamo = |c: char| -> Vec<char> {
        match (c as u32).checked_sub(0xAC00).filter(|index| *index < 11_172) {
            Some(index) => [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
                .into_iter()
                .filter(|code| *code != 0x11A7)
                .filter_map(char::from_u32)
                .collect(),
            None => vec![c],
        }
    };
    text.chars().flat_map(jamo).collect()
}

// PRE-3
#[test]
fn decomposed_hangul_is_read_like_composed_pre_3() {
    for (english, korean, ok) in rows() {
        let korean = decomposed(korean);
        let report = check(&korean, english, Natural, &Glossary::default());
        assert_eq!(report.ok, ok, "{korean} / {english}: {:?}", report.tokens);
        for token in report.tokens.iter().filter(|token| token.source_span.is_some()) {
            let span = token.source_span.unwrap();
            let there: String = korean.chars().skip(span.start).take(span.end - span.start).collect();
            assert!(there == token.text || token.target_span.is_some(), "{there:?} of {token:?}");
        }
    }
}

/// The text with one digit changed, once for each digit.
fn one_digit_off(text: &str) -> Vec<String> {
    let next = |c: char| c.to_digit(10).and_then(|digit| char::from_digit((digit + 1) % 10, 10)).unwrap();
    let digits = text.char_indices().filter(|(_, c)| c.is_ascii_digit());
    digits.map(|(at, c)| format!("{}{}{}", &text[..at], next(c), &text[at + 1..])).collect()
}

// PRE-2
#[test]
fn a_changed_digit_is_found_pre_2() {
    let (mut missed, mut tried) = (Vec::new(), 0);
    // The branches of a message differ between languages.
    let rows = rows().into_iter().filter(|(english, _, ok)| *ok && !english.contains("plural"));
    for (english, korean, _) in rows {
        let changed = one_digit_off(korean).into_iter().map(|korean| (english.to_owned(), korean));
        for (english, korean) in changed.chain(one_digit_off(english).into_iter().map(|text| (text, korean.to_owned())))
        {
            tried += 1;
            if check(&english, &korean, Natural, &Glossary::default()).ok {
                missed.push(format!("{english} / {korean}"));
            }
        }
    }
    assert!(tried > 500, "{tried}");
    assert!(missed.is_empty(), "{} of {tried} are missed:\n{}", missed.len(), missed.join("\n"));
}

// PRE-2
#[test]
fn the_words_of_a_time_are_translated_in_faithful_mode_too_pre_2() {
    for (english, korean, ok) in [
        ("3:30 PM", "오후 3:30", true),
        ("3:30 in the afternoon", "오후 3:30", true),
        ("At 3:30 it rained in the afternoon.", "오후 3:30에 비가 왔다.", true),
        ("3:30 AM", "오후 3:30", false),
        ("3:30 PM", "오후 3:40", false),
        ("3:30 PM", "15:30", false),
        ("In November", "11월에", true),
        ("In November", "12월에", false),
    ] {
        for (source, target) in [(english, korean), (korean, english)] {
            let report = check(source, target, Faithful, &Glossary::default());
            assert_eq!(report.ok, ok, "{source} / {target}: {:?}", report.tokens);
        }
    }
}
