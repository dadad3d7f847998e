//! Numbers that a translator moved together with what they count, and numbers that changed places.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use luna_messages::Fidelity::{Faithful, Natural};
use luna_messages::preserve::TokenStatus;
use luna_preservation::{Glossary, check};

/// Swapped numbers that must be found, in percent.
const MIN_FOUND: usize = 80;

// PRE-2
#[test]
fn numbers_that_moved_with_their_things_are_no_alarm_and_swapped_ones_are_found_pre_2() {
    let (mut alarms, mut missed, mut swapped) = (Vec::new(), Vec::new(), 0);
    for line in include_str!("orders.tsv").lines().filter(|line| !line.starts_with("# ")) {
        let columns: Vec<String> = line.split('\t').map(|text| text.replace("\\n", "\n")).collect();
        let [english, korean, verdict] = &columns[..] else { panic!("three columns: {line}") };
        for (source, target, mode) in [
            (english, korean, Natural),
            (korean, english, Natural),
            (english, korean, Faithful),
            (korean, english, Faithful),
        ] {
            let report = check(source, target, mode, &Glossary::default());
            let moved = report.tokens.iter().any(|token| token.status == TokenStatus::Reordered);
            let named = format!("{mode:?} {source} / {target}");
            match verdict.as_str() {
                "ok" if moved || mode == Natural && !report.ok => alarms.push(named),
                "ok" => {}
                "no" => {
                    swapped += 1;
                    missed.extend(report.ok.then_some(named));
                }
                _ => panic!("ok or no: {line}"),
            }
        }
    }
    assert!(swapped >= 160, "{swapped}");
    assert!(alarms.is_empty(), "{} false alarms: {alarms:#?}", alarms.len());
    assert!(100 * missed.len() <= (100 - MIN_FOUND) * swapped, "{} of {swapped} missed: {missed:#?}", missed.len());
}
