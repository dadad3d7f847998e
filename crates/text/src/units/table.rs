//! Reads the tables of units and currencies, and combines units with prefixes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{Dimension, KoreanUnit, MeasureUnit, Money};
use crate::characters::{ByFirst, LatinMap};
use crate::ratio::Ratio;

/// A Korean word with the syllables that may not follow it.
pub(super) struct KoreanWord {
    pub(super) word: String,
    pub(super) not_before: &'static str,
    pub(super) unit: KoreanUnit,
}

/// All units and currencies.
pub(super) struct UnitTables {
    pub(super) symbols: BTreeMap<String, MeasureUnit>,
    /// Lower-case words; the two words of "watt hour" are apart by a space.
    pub(super) english: BTreeMap<String, MeasureUnit>,
    pub(super) english_firsts: LatinMap<FirstWord>,
    /// Korean words by their first syllable, longer words first.
    pub(super) korean: ByFirst<KoreanWord>,
    /// How symbols, codes and English words are said in Korean.
    pub(super) readings: BTreeMap<String, String>,
    /// How units are said in Korean.
    pub(super) unit_readings: Vec<(MeasureUnit, String)>,
    pub(super) codes: BTreeMap<&'static str, Money>,
    pub(super) signs: BTreeMap<&'static str, Money>,
    /// Lower-case words of a currency, with the subunits in one unit of it.
    pub(super) money: BTreeMap<String, (Money, i64)>,
    pub(super) money_firsts: LatinMap<FirstWord>,
    /// Rows that could not be read; the tests allow none.
    pub(super) unknown: Vec<&'static str>,
}

/// What the first word of an entry may be.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FirstWord {
    /// All of an entry.
    pub(super) alone: bool,
    /// The first of two words.
    pub(super) of_two: bool,
}

/// The first words of these entries.
fn first_words<'a>(entries: impl Iterator<Item = &'a String>) -> LatinMap<FirstWord> {
    let mut firsts: BTreeMap<&str, FirstWord> = BTreeMap::new();
    for entry in entries {
        match entry.split_once(' ') {
            Some((first, _)) => firsts.entry(first).or_default().of_two = true,
            None => firsts.entry(entry).or_default().alone = true,
        }
    }
    LatinMap::new(firsts)
}

/// The rows of a table, each with its columns.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| (line, line.split('\t').collect()))
}

/// The words of a column.
fn words(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(' ').filter(|word| *word != "-")
}

/// A size as written in the tables: `n`, `n/d`, `n/d-offset`.
fn size(text: &str) -> Option<(Ratio, i64)> {
    let (fraction, offset) = text.split_once('-').unwrap_or((text, "0"));
    let (n, d) = fraction.split_once('/').unwrap_or((fraction, "1"));
    Some((Ratio::new(n.parse().ok()?, d.parse().ok()?)?, offset.parse().ok()?))
}

/// A prefix of units: symbol, size, English, Korean.
type UnitPrefix = (&'static str, Ratio, &'static str, &'static str);

fn prefixes() -> BTreeMap<&'static str, UnitPrefix> {
    let prefix = |(_, columns): (&str, Vec<&'static str>)| match columns[..] {
        [symbol, by, english, korean] => Some((symbol, (symbol, size(by)?.0, english, korean))),
        _ => None,
    };
    rows(include_str!("prefixes.tsv")).filter_map(prefix).collect()
}

impl UnitTables {
    fn new() -> Self {
        let mut tables = Self {
            symbols: BTreeMap::new(),
            english: BTreeMap::new(),
            english_firsts: LatinMap::default(),
            korean: ByFirst::default(),
            readings: BTreeMap::new(),
            unit_readings: Vec::new(),
            codes: BTreeMap::new(),
            signs: BTreeMap::new(),
            money: BTreeMap::new(),
            money_firsts: LatinMap::default(),
            unknown: Vec::new(),
        };
        let prefixes = prefixes();
        for (line, columns) in rows(include_str!("units.tsv")) {
            if tables.add_unit(&columns, &prefixes).is_none() {
                tables.unknown.push(line);
            }
        }
        for (line, columns) in rows(include_str!("money.tsv")) {
            if tables.add_money(&columns).is_none() {
                tables.unknown.push(line);
            }
        }
        for (word, unit) in [
            ("퍼센트포인트", KoreanUnit::Points),
            ("퍼센트", KoreanUnit::Percent),
            ("프로!그젝세필토모덕파야", KoreanUnit::Percent),
            ("킬로", KoreanUnit::Kilo),
            ("파운드", KoreanUnit::Pound),
            ("도!시구움입착달서장면형덕록", KoreanUnit::Degree),
        ] {
            tables.add_korean("", word, unit);
        }
        tables.korean.sort_by_length(|word| word.word.len());
        tables.english_firsts = first_words(tables.english.keys());
        tables.money_firsts = first_words(tables.money.keys());
        tables
    }

    fn add_unit(&mut self, columns: &[&'static str], prefixes: &BTreeMap<&'static str, UnitPrefix>) -> Option<()> {
        let [dimension, by, symbols, english, korean, combined] = *columns else { return None };
        let (by, offset) = size(by)?;
        let counted = words(combined).any(|word| word == "count");
        let unit = |by: Ratio| MeasureUnit::with_size(Dimension(dimension), by, offset, counted);
        let powers = words(combined).any(|word| word == "powers");
        let mut all = vec![("", Ratio::ONE, "", "")];
        for symbol in words(combined).filter(|word| !matches!(*word, "powers" | "count")) {
            all.push(*prefixes.get(symbol)?);
        }
        for (prefix, times, english_prefix, korean_prefix) in all {
            let by = by.times(times)?;
            if let Some(said) = words(korean).next().filter(|_| korean_prefix != "-") {
                let said = format!("{korean_prefix}{}", plain(said));
                for word in words(symbols) {
                    self.readings.insert(format!("{prefix}{word}"), said.clone());
                }
                for word in words(english).filter(|word| !word.contains('~')) {
                    self.readings.insert(format!("{english_prefix}{word}"), said.clone());
                }
                self.unit_readings.push((unit(by), said));
            }
            for symbol in words(symbols) {
                self.symbols.insert(format!("{prefix}{symbol}"), unit(by));
                if powers {
                    self.symbols.extend(square(by).map(|area| (format!("{prefix}{symbol}²"), area)));
                    self.symbols.extend(cube(by).map(|volume| (format!("{prefix}{symbol}³"), volume)));
                }
            }
            for word in words(english).filter(|_| english_prefix != "-") {
                let word = format!("{english_prefix}{}", word.replace('~', " "));
                if powers {
                    self.english.extend(square(by).map(|area| (format!("square {word}"), area)));
                    self.english.extend(cube(by).map(|volume| (format!("cubic {word}"), volume)));
                }
                self.english.insert(word, unit(by));
            }
            for word in words(korean).filter(|_| korean_prefix != "-") {
                let bare = word.trim_start_matches('+');
                if prefix.is_empty() && bare.len() < word.len() {
                    continue;
                }
                self.add_korean(korean_prefix, bare, KoreanUnit::Unit(unit(by)));
                if powers && !bare.is_empty() {
                    for (power, of) in
                        [("제곱", square(by)), ("평방", square(by)), ("세제곱", cube(by)), ("입방", cube(by))]
                    {
                        if let Some(of) = of {
                            self.add_korean(&format!("{power}{korean_prefix}"), bare, KoreanUnit::Unit(of));
                        }
                    }
                }
            }
        }
        Some(())
    }

    fn add_korean(&mut self, prefix: &str, entry: &'static str, unit: KoreanUnit) {
        let (word, not_before) = entry.split_once('!').unwrap_or((entry, ""));
        // A prefix makes the beginning of another word unlikely.
        let not_before = if prefix.is_empty() { not_before } else { "" };
        let word = format!("{prefix}{}", word.replace('~', " "));
        if let Some(first) = word.chars().next() {
            self.korean.add(first, KoreanWord { word, not_before, unit });
        }
    }

    fn add_money(&mut self, columns: &[&'static str]) -> Option<()> {
        let [name, codes, signs, english, korean, english_parts, korean_parts] = *columns else { return None };
        let money = Money(name);
        if let Some(said) = words(korean).next().map(plain) {
            let named = words(codes).chain(words(signs)).chain(words(english));
            self.readings.extend(named.map(|word| (word.to_owned(), said.to_owned())));
        }
        self.codes.extend(words(codes).map(|code| (code, money)));
        self.signs.extend(words(signs).map(|sign| (sign, money)));
        self.money.extend(words(english).map(|word| (word.replace('~', " "), (money, 1))));
        self.money.extend(words(english_parts).map(|word| (word.replace('~', " "), (money, 100))));
        for word in words(korean) {
            self.add_korean("", word, KoreanUnit::Money(money, 1));
        }
        for word in words(korean_parts) {
            self.add_korean("", word, KoreanUnit::Money(money, 100));
        }
        Some(())
    }
}

/// A Korean word of a table without its marks.
fn plain(word: &'static str) -> &'static str {
    word.split('!').next().unwrap_or(word).trim_start_matches('+')
}

/// The square of a length, in square metres.
fn square(length: Ratio) -> Option<MeasureUnit> {
    Some(MeasureUnit::with_size(Dimension("Area"), length.times(length)?, 0, false))
}

/// The cube of a length, in litres.
fn cube(length: Ratio) -> Option<MeasureUnit> {
    let volume = length.times(length)?.times(length)?.times(Ratio::whole(1000))?;
    Some(MeasureUnit::with_size(Dimension("Volume"), volume, 0, false))
}

pub(super) static TABLES: LazyLock<UnitTables> = LazyLock::new(UnitTables::new);
