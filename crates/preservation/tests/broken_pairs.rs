//! What the check finds in broken translations, and that a repair restores the right translation or leaves the text alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_precision_loss
)]

#[path = "broken_pairs/breakage.rs"]
mod breakage;
#[path = "broken_pairs/figures.rs"]
mod figures;
#[path = "broken_pairs/pairs.rs"]
mod pairs;

use std::path::Path;

use breakage::Breakage;
use figures::{Share, alarm_pattern, figures};
use luna_messages::Fidelity;
use luna_preservation::{Glossary, check};
use pairs::{interface, right_pairs};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

// PRE-2, PRE-7
#[test]
fn ten_thousand_pairs_are_broken_found_and_never_made_worse_pre_2_pre_7() {
    let found = figures(&right_pairs(root()), 7);
    assert!(found.pairs >= 10_000, "{} pairs", found.pairs);
    let shown: Vec<&String> = found.harms.iter().step_by(found.harms.len() / 20 + 1).collect();
    assert!(found.harms.is_empty(), "{} harms, such as {shown:#?}", found.harms.len());
    let missed = |kind: Breakage| {
        found.missed.iter().filter(|(of, _)| *of == kind).map(|(_, text)| text.as_str()).take(20).collect::<Vec<_>>()
    };
    let check = |kind: Breakage, share: Share, goal: f64| {
        assert!(share.percent() >= goal, "{kind:?}: {share:?}, {:.2} %: {:#?}", share.percent(), missed(kind));
    };
    check(Breakage::Digit, found.share(Breakage::Digit), 99.5);
    check(Breakage::Dropped, found.share(Breakage::Dropped), 97.0);
    check(Breakage::Swapped, found.swapped_share(), 80.0);
    for (origin, share) in &found.swapped_class {
        assert!(share.percent() >= 80.0, "{origin:?}: {share:?}: {:#?}", missed(Breakage::Swapped));
    }
    // A careful repair still helps.
    let digits = found.repairs[&Breakage::Digit];
    assert!(digits.restored * 3 > digits.restored + digits.left, "{digits:?}");
}

// PRE-2
#[test]
fn strings_of_interfaces_raise_few_false_alarms_pre_2() {
    let strings = interface(root());
    for mode in [Fidelity::Faithful, Fidelity::Natural] {
        let mut alarms = Vec::new();
        for (english, korean) in &strings {
            for (source, target) in [(english, korean), (korean, english)] {
                let report = check(source, target, mode, &Glossary::default());
                if !report.ok {
                    alarms.push(format!("{}: {source} / {target}", alarm_pattern(&report)));
                }
            }
        }
        assert!(alarms.len() * 100 <= 2 * strings.len(), "{} false alarms: {alarms:#?}", alarms.len());
    }
}
