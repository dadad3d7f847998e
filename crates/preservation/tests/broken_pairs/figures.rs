//! Counts what the check finds in broken translations, and what a repair does to them.

use std::collections::BTreeMap;

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservationReport, PreservedToken, TokenClass};
use luna_preservation::{Glossary, check, repair};

use super::breakage::{Breakage, broken, numbers};
use super::pairs::{Dice, Origin, RightPair};

/// Of how many broken texts the check found how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Share {
    pub found: usize,
    pub all: usize,
}

impl Share {
    pub fn percent(self) -> f64 {
        100.0 * self.found as f64 / self.all.max(1) as f64
    }

    fn plus(self, other: Self) -> Self {
        Self { found: self.found + other.found, all: self.all + other.all }
    }

    fn count(&mut self, found: bool) {
        self.found += usize::from(found);
        self.all += 1;
    }
}

/// What a repair did to a broken text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repairs {
    pub restored: usize,
    pub left: usize,
    pub harmed: usize,
}

#[derive(Debug, Default)]
pub struct Figures {
    pub pairs: usize,
    /// Broken texts that were found, by kind of breakage and origin of the pair.
    pub found: BTreeMap<(Breakage, Origin), Share>,
    /// Of the swapped ones those whose two numbers have the same class.
    pub swapped_class: BTreeMap<Origin, Share>,
    pub repairs: BTreeMap<Breakage, Repairs>,
    /// Each text that a repair made worse, with what it was made of.
    pub harms: Vec<String>,
    /// Broken texts that were not found.
    pub missed: Vec<(Breakage, String)>,
}

impl Figures {
    /// Of all pairs, whatever their origin.
    pub fn share(&self, kind: Breakage) -> Share {
        self.found
            .iter()
            .filter(|((of, _), _)| *of == kind)
            .map(|(_, share)| *share)
            .fold(Share::default(), Share::plus)
    }

    /// Of the swapped ones with two numbers of one class.
    pub fn swapped_share(&self) -> Share {
        self.swapped_class.values().copied().fold(Share::default(), Share::plus)
    }
}

/// Breaks each pair once in each way; a pair that is called broken as it is counts for the repairs only.
pub fn figures(pairs: &[RightPair], seed: u64) -> Figures {
    let (none, mut dice) = (Glossary::default(), Dice::new(seed));
    let mut figures = Figures { pairs: pairs.len(), ..Figures::default() };
    for pair in pairs {
        let intact = repair(&pair.source, &pair.target, pair.mode, &none);
        if intact.repaired || intact.text != pair.target {
            figures.harms.push(format!("intact, {:?}: {} / {} → {}", pair.mode, pair.source, pair.target, intact.text));
        }
        for kind in Breakage::ALL {
            let Some(text) = broken(&pair.target, kind, &mut dice) else { continue };
            let mended = repair(&pair.source, &text, pair.mode, &none);
            let repairs = figures.repairs.entry(kind).or_default();
            if mended.text == pair.target {
                repairs.restored += 1;
            } else if mended.text == text {
                repairs.left += 1;
            } else {
                repairs.harmed += 1;
                figures.harms.push(format!("{kind:?}, {:?}: {} / {text} → {}", pair.mode, pair.source, mended.text));
            }
            if !intact.report.ok || kind == Breakage::Letter {
                continue;
            }
            let found = !check(&pair.source, &text, pair.mode, &none).ok;
            figures.found.entry((kind, pair.origin)).or_default().count(found);
            if kind == Breakage::Swapped && one_class(&intact.report, &pair.target, &text) {
                figures.swapped_class.entry(pair.origin).or_default().count(found);
            }
            if !found {
                let mode = if pair.mode == Fidelity::Natural { "natural" } else { "faithful" };
                figures.missed.push((kind, format!("{mode}: {} / {text}", pair.source)));
            }
        }
    }
    figures
}

/// Whether all numbers that `text` has at another place than `right` are of one class.
fn one_class(report: &PreservationReport, right: &str, text: &str) -> bool {
    let class_at = |byte: usize| {
        let at = right.get(..byte).map_or(0, |before| before.chars().count());
        let inside = |token: &&PreservedToken| token.target_span.is_some_and(|span| span.start <= at && at < span.end);
        report.tokens.iter().find(inside).map(|token| token.class)
    };
    let moved: Vec<Option<TokenClass>> = numbers(right)
        .into_iter()
        .zip(numbers(text))
        .filter(|(was, is)| right.get(was.clone()) != text.get(is.clone()))
        .map(|(was, _)| class_at(was.start))
        .collect();
    moved.first().is_some_and(|first| first.is_some() && moved.iter().all(|class| class == first))
}

/// The pattern of a false alarm: each broken token's class and status, and its text with digits and letters generalised.
pub fn alarm_pattern(report: &PreservationReport) -> String {
    let general = |text: &str| {
        let mut pattern = String::new();
        for c in text.chars() {
            let kind = match c {
                '0'..='9' => '9',
                'a'..='z' | 'A'..='Z' => 'a',
                '가'..='힣' => '가',
                other => other,
            };
            if !pattern.ends_with(kind) {
                pattern.push(kind);
            }
        }
        pattern
    };
    let mut parts: Vec<String> = report
        .broken()
        .map(|token| format!("{:?} {:?} `{}`", token.class, token.status, general(&token.text)))
        .collect();
    parts.sort();
    parts.dedup();
    parts.join(", ")
}
