//! The table of number words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::characters::{ByFirst, IndexedText, LatinMap, LatinWord};

/// What a word contributes to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberWordRole {
    /// 일 to 구.
    Sino,
    /// Zero among digits that are said one by one; elsewhere another word: 공.
    ZeroDigit,
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
            "zero-digit" => Self::ZeroDigit,
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
    /// Latin words, each with its meanings.
    latin: LatinMap<(&'static str, Vec<(NumberWordRole, i64)>)>,
    /// All words by their first character, longer words first; words of one length in the order of the table.
    words: ByFirst<Entry>,
    /// The usual words for 0 to 9, Sino-Korean and English.
    digits: [Vec<&'static str>; 2],
    /// Rows that have no known role; the tests allow none.
    pub(super) unknown: usize,
}

pub(super) static WORDS: LazyLock<NumberWords> = LazyLock::new(|| {
    let mut words =
        NumberWords { latin: LatinMap::default(), words: ByFirst::default(), digits: Default::default(), unknown: 0 };
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
        let [korean, english] = &mut words.digits;
        match role {
            NumberWordRole::Sino => korean.extend(list.split(' ').next()),
            NumberWordRole::Ones => english.extend(list.split(' ').next()),
            _ => {}
        }
        for word in list.split(' ') {
            let Some(first) = word.chars().next() else { continue };
            words.words.add(first, (word, role, value));
            if first.is_ascii() {
                latin.entry(word).or_default().push((role, value));
            }
        }
    }
    words.words.sort_by_length(|entry| entry.0.len());
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

    /// The longest word at `i` with a role that fits, whatever follows it, in any case: its end, role and value.
    pub(super) fn longest<C: IndexedText>(
        &self,
        text: &C,
        i: usize,
        fits: impl Fn(NumberWordRole) -> bool,
    ) -> Option<(usize, NumberWordRole, i64)> {
        let same = |c: char, k: usize| text.at(k).to_ascii_lowercase() == c;
        let stands = |word: &str| word.chars().zip(i..).skip(1).all(|(c, k)| same(c, k));
        let mut words = self.beginning_with(text.at(i).to_ascii_lowercase()).iter();
        words
            .find(|(word, role, _)| fits(*role) && stands(word))
            .map(|(word, role, value)| (i + word.chars().count(), *role, *value))
    }

    pub(super) fn latin_words(&self) -> impl Iterator<Item = &'static str> {
        self.latin.values().map(|(word, _)| *word)
    }

    /// The words that multiply what stands before them: hundred, million.
    pub(super) fn latin_powers(&self) -> impl Iterator<Item = &'static str> {
        let powers = |role| matches!(role, NumberWordRole::Hundred | NumberWordRole::Scale);
        self.words.all().filter(move |(word, role, _)| word.is_ascii() && powers(*role)).map(|(word, ..)| *word)
    }

    /// The word for a digit, Sino-Korean or English.
    pub(super) fn digit(&self, digit: u32, english: bool) -> Option<&'static str> {
        let [korean, words] = &self.digits;
        if english { words } else { korean }.get(digit as usize).copied()
    }

    /// The words that begin with this character, longer ones first.
    pub(super) fn beginning_with(&self, first: char) -> &[Entry] {
        self.words.get(first)
    }
}
