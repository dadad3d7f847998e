//! The table of number words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::characters::{ByFirst, LatinMap, LatinWord};

/// What a word contributes to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberWordRole {
    /// 일 to 구.
    Sino,
    /// 십, 백, 천.
    SinoPower,
    /// 만, 억, 조, 경.
    SinoGroup,
    NativeTens,
    /// Before a counter only.
    NativeTensBound,
    NativeOnes,
    NativeOnesBound,
    /// This number or the next.
    NativeAbout,
    Ones,
    Teens,
    Tens,
    Hundred,
    Scale,
    Group,
    OrdinalOnes,
    OrdinalTeens,
    OrdinalTens,
    OrdinalHundred,
    OrdinalScale,
    Part,
    /// A letter after digits.
    Letter,
    /// How often: once.
    Times,
    /// How many, if it does not mean something else: double, no.
    Multiple,
    /// Ten years: thirties.
    Decade,
}

impl NumberWordRole {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "sino" => Self::Sino,
            "sino-power" => Self::SinoPower,
            "sino-group" => Self::SinoGroup,
            "native-tens" => Self::NativeTens,
            "native-tens-bound" => Self::NativeTensBound,
            "native-ones" => Self::NativeOnes,
            "native-ones-bound" => Self::NativeOnesBound,
            "native-about" => Self::NativeAbout,
            "ones" => Self::Ones,
            "teens" => Self::Teens,
            "tens" => Self::Tens,
            "hundred" => Self::Hundred,
            "scale" => Self::Scale,
            "group" => Self::Group,
            "ordinal-ones" => Self::OrdinalOnes,
            "ordinal-teens" => Self::OrdinalTeens,
            "ordinal-tens" => Self::OrdinalTens,
            "ordinal-hundred" => Self::OrdinalHundred,
            "ordinal-scale" => Self::OrdinalScale,
            "part" => Self::Part,
            "letter" => Self::Letter,
            "times" => Self::Times,
            "multiple" => Self::Multiple,
            "decade" => Self::Decade,
            _ => return None,
        })
    }
}

/// A word with its role and value.
pub(super) type Entry = (&'static str, NumberWordRole, i64);

pub(super) struct NumberWords {
    /// Each with its meanings.
    latin: LatinMap<(&'static str, Vec<(NumberWordRole, i64)>)>,
    /// Korean words by their first syllable, longer words first.
    korean: ByFirst<Entry>,
    /// Rows that have no known role; the tests allow none.
    pub(super) unknown: usize,
}

pub(super) static WORDS: LazyLock<NumberWords> = LazyLock::new(|| {
    let mut words = NumberWords { latin: LatinMap::default(), korean: ByFirst::default(), unknown: 0 };
    let mut latin: BTreeMap<&str, Vec<(NumberWordRole, i64)>> = BTreeMap::new();
    for line in include_str!("words.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (role, value, list) = (columns.next(), columns.next(), columns.next());
        let (Some(role), Some(value), Some(list)) =
            (role.and_then(NumberWordRole::of), value.and_then(|value| value.parse().ok()), list)
        else {
            words.unknown += 1;
            continue;
        };
        for word in list.split(' ') {
            match word.chars().next() {
                Some(first) if !first.is_ascii() => words.korean.add(first, (word, role, value)),
                _ => latin.entry(word).or_default().push((role, value)),
            }
        }
    }
    words.korean.sort_by_length(|entry| entry.0.len());
    words.latin = LatinMap::new(latin.into_iter().map(|(word, meanings)| (word, (word, meanings))));
    words
});

impl NumberWords {
    /// The first meaning of a lower-case Latin word with a role that fits.
    pub(super) fn latin(
        &self,
        word: &LatinWord,
        fits: impl Fn(NumberWordRole) -> bool,
    ) -> Option<(NumberWordRole, i64)> {
        self.latin.get(word)?.1.iter().find(|(role, _)| fits(*role)).copied()
    }

    pub(super) fn latin_words(&self) -> impl Iterator<Item = &'static str> {
        self.latin.values().map(|(word, _)| *word)
    }

    /// The Korean words that begin with this syllable, longer ones first.
    pub(super) fn korean(&self, first: char) -> &[Entry] {
        self.korean.get(first)
    }
}
