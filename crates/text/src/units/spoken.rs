//! The words that are read together with the number before them (TTS-3): units, currencies, counters, powers, signs before a number.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::counters::counters;
use super::table::{TABLES, rows};
use crate::numerals::powers;

/// Signs before a number, longer ones first.
pub(crate) static PREFIXES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut signs: Vec<&str> = TABLES.signs.keys().copied().chain(["US$", "№", "#"]).collect();
    signs.sort_by_key(|sign| std::cmp::Reverse((sign.len(), *sign)));
    signs
});

/// Signs and marks after a number that are no unit: percents, halves of the day, ordinals, multipliers.
const MARKS: &[&str] = &[
    "K", "M", "k", "x", "AM", "PM", "am", "pm", "a.m.", "p.m.", "st", "nd", "rd", "th", "%p", "%", "‰", "％", "sec",
    "min", "hr", "hrs", "bit", "bits",
];

/// Korean units and counters.
pub(crate) static KOREAN: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let units = TABLES.korean.all().map(|word| word.word.as_str()).filter(|word| !word.contains(' '));
    units.chain(counters().map(|counter| counter.word)).chain(["시"]).collect()
});

/// Symbols of units and currencies; case-sensitive.
pub(crate) static LATIN: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let symbols = TABLES.symbols.keys().map(String::as_str);
    symbols.chain(TABLES.codes.keys().copied()).chain(MARKS.iter().copied()).collect()
});

/// English words, lower case.
pub(crate) static ENGLISH: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let counted = rows(include_str!("english_counters.tsv")).flat_map(|(line, _)| line.split(' '));
    let words = TABLES.english.keys().chain(TABLES.money.keys()).map(String::as_str);
    words.filter(|word| !word.contains(' ')).chain(counted).chain(powers()).collect()
});
