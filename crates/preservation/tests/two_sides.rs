//! Numbers, amounts and dates that each language writes in its own way: rows of an English text, its Korean translation, and the verdict.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use luna_messages::Fidelity::Natural;
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
