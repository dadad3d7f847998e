//! What the classifier sees of a sentence: hashed n-grams of its characters.
//!
//! Texts are compared as they are heard: composed, in lower case, without punctuation, runs of digits as one. Korean tells an order from a statement by
//! its end, English by its beginning; n-grams there are counted once more as n-grams of the end or the beginning, and the last syllables also by their
//! jamo, because an ending may be a mere final consonant ("누른다", "누를까").

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Raised whenever the same text gets other features: a trained file fits one version.
pub const VERSION: u32 = 1;

/// Characters of a sentence that are looked at: the first ones and the last ones.
const HEAD: usize = 64;
const TAIL: usize = 96;
/// Longest n-gram.
const LONGEST: usize = 5;
/// Characters without spaces that count as the beginning and as the end, and the longest n-gram there.
const BORDER: usize = 12;
const LONGEST_AT_BORDER: usize = 4;
/// Longest common beginning or end, in characters or jamo.
const LONGEST_AFFIX: usize = 14;

/// Marks of the beginning and the end of a sentence; no text contains them.
const BEGIN: char = '\u{2}';
const END: char = '\u{3}';

/// Kinds of features: the same characters are another feature in each kind.
#[derive(Clone, Copy)]
enum Kind {
    Anywhere = 1,
    AtBegin = 2,
    AtEnd = 3,
    Prefix = 4,
    Suffix = 5,
    JamoSuffix = 6,
    Word = 7,
    WordPair = 8,
    FirstAndLast = 9,
    Script = 10,
}

/// A hashed feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature(u64);

impl Feature {
    /// Its bucket among `2^bits`.
    #[must_use]
    pub fn bucket(self, bits: u32) -> usize {
        usize::try_from(self.0 >> (64 - bits.clamp(1, 63))).unwrap_or(0)
    }

    /// Whether it counts negatively in its bucket, so that features in the same bucket don't add up on average.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A hash to be continued by the next character.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn of(kind: Kind) -> Self {
        Self((kind as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn with(self, value: u64) -> Self {
        Self((self.0 ^ value).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29))
    }

    fn feature(self) -> Feature {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Feature(mixed ^ (mixed >> 33))
    }
}

/// A sentence as it is compared. Holds its characters itself: nothing is allocated.
struct MarkedText {
    chars: [char; HEAD + TAIL + 2],
    len: usize,
}

impl MarkedText {
    fn new(utterance: &str) -> Self {
        // Nearly all texts are composed; composing them again would take a fifth more time.
        if is_nfc_quick(utterance.chars()) == IsNormalized::Yes {
            Self::of(utterance.len(), || utterance.chars())
        } else {
            Self::of(utterance.len(), || utterance.nfc())
        }
    }

    /// Of composed characters, which are at most `longest`.
    fn of<I: Iterator<Item = char>>(longest: usize, chars: impl Fn() -> I) -> Self {
        let total = if longest > HEAD + TAIL { normalised(chars()).count() } else { 0 };
        let skipped = HEAD..total.saturating_sub(TAIL).max(HEAD);
        let mut text = Self { chars: [BEGIN; HEAD + TAIL + 2], len: 1 };
        for (at, c) in normalised(chars()).enumerate() {
            if !skipped.contains(&at) {
                text.push(c);
            }
        }
        text.push(END);
        text
    }

    fn push(&mut self, c: char) {
        if let Some(place) = self.chars.get_mut(self.len) {
            *place = c;
            self.len += 1;
        }
    }

    /// With the marks of beginning and end.
    fn marked(&self) -> &[char] {
        self.chars.get(..self.len).unwrap_or_default()
    }

    fn plain(&self) -> &[char] {
        self.chars.get(1..self.len.saturating_sub(1)).unwrap_or_default()
    }
}

/// The characters that count: words in lower case, one space between them, one zero for a run of digits.
fn normalised(composed: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut before = ' ';
    let mut gap = false;
    let folded = composed.filter(|c| !matches!(c, '\'' | '’' | '‘')).map(fold);
    folded
        .flat_map(move |c| {
            if c == ' ' {
                gap = true;
                return [None, None];
            }
            let space = (gap && before != ' ').then_some(' ');
            gap = false;
            let repeated = c == '0' && before == '0' && space.is_none();
            before = c;
            [space, (!repeated).then_some(c)]
        })
        .flatten()
}

/// A letter in lower case, any digit as 0, anything else as a space.
fn fold(c: char) -> char {
    let c = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        other => other,
    };
    if c.is_numeric() {
        '0'
    } else if c.is_ascii() {
        if c.is_ascii_alphabetic() { c.to_ascii_lowercase() } else { ' ' }
    } else if c.is_alphanumeric() {
        c.to_lowercase().next().unwrap_or(c)
    } else {
        ' '
    }
}

/// The text by which sentences count as the same one, whatever their spaces and punctuation.
#[must_use]
pub fn canonical(utterance: &str) -> String {
    normalised(utterance.nfc()).filter(|c| *c != ' ').collect()
}

/// Calls `tell` for each feature of the utterance; for none if it has no letter or digit.
pub fn each(utterance: &str, mut tell: impl FnMut(Feature)) {
    let text = MarkedText::new(utterance);
    if text.plain().is_empty() {
        return;
    }
    grams(text.marked(), LONGEST, Kind::Anywhere, &mut tell);
    let mut solid = [BEGIN; HEAD + TAIL + 2];
    let mut len = 0;
    for (place, c) in solid.iter_mut().zip(text.marked().iter().filter(|c| **c != ' ')) {
        *place = *c;
        len += 1;
    }
    let solid = solid.get(..len).unwrap_or_default();
    grams(solid.get(..BORDER.min(len)).unwrap_or_default(), LONGEST_AT_BORDER, Kind::AtBegin, &mut tell);
    grams(solid.get(len.saturating_sub(BORDER)..).unwrap_or_default(), LONGEST_AT_BORDER, Kind::AtEnd, &mut tell);
    let inner = solid.get(1..len.saturating_sub(1)).unwrap_or_default();
    affixes(inner.iter().map(|c| u64::from(u32::from(*c))), Kind::Prefix, &mut tell);
    affixes(inner.iter().rev().map(|c| u64::from(u32::from(*c))), Kind::Suffix, &mut tell);
    if inner.iter().rev().take(4).any(|c| is_syllable(*c)) {
        affixes(inner.iter().rev().flat_map(|c| jamo_from_end(*c)).flatten(), Kind::JamoSuffix, &mut tell);
    }
    words(text.plain(), &mut tell);
    let hangul = text.plain().iter().any(|c| is_syllable(*c));
    tell(Hash::of(Kind::Script).with(u64::from(hangul)).feature());
}

/// All n-grams up to a length.
fn grams(chars: &[char], longest: usize, kind: Kind, tell: &mut impl FnMut(Feature)) {
    for from in 0..chars.len() {
        let mut hash = Hash::of(kind);
        for c in chars.iter().skip(from).take(longest) {
            hash = hash.with(u64::from(u32::from(*c)));
            tell(hash.feature());
        }
    }
}

/// All beginnings of a sequence, from the second one on: single characters are n-grams at the border already.
fn affixes(values: impl Iterator<Item = u64>, kind: Kind, tell: &mut impl FnMut(Feature)) {
    let mut hash = Hash::of(kind);
    for (at, value) in values.take(LONGEST_AFFIX).enumerate() {
        hash = hash.with(value);
        if at > 0 {
            tell(hash.feature());
        }
    }
}

/// Words, pairs of neighbours, and the first with the last one.
fn words(chars: &[char], tell: &mut impl FnMut(Feature)) {
    let mut before: Option<u64> = None;
    let mut first: Option<u64> = None;
    for word in chars.split(|c| *c == ' ') {
        let hash = word.iter().fold(Hash::of(Kind::Word), |hash, c| hash.with(u64::from(u32::from(*c))));
        tell(hash.feature());
        if let Some(before) = before {
            tell(Hash::of(Kind::WordPair).with(before).with(hash.0).feature());
        }
        before = Some(hash.0);
        first = first.or(before);
    }
    if let (Some(first), Some(last)) = (first, before) {
        tell(Hash::of(Kind::FirstAndLast).with(first).with(last).feature());
    }
}

const FIRST_SYLLABLE: u32 = 0xAC00;
const LAST_SYLLABLE: u32 = 0xD7A3;
const VOWELS: u32 = 21;
/// Final consonants, and none.
const FINALS: u32 = 28;

fn is_syllable(c: char) -> bool {
    (FIRST_SYLLABLE..=LAST_SYLLABLE).contains(&u32::from(c))
}

/// Final consonant, vowel and initial consonant of a syllable, in this order; any other character as it is. Numbers, because only their hash counts.
fn jamo_from_end(c: char) -> [Option<u64>; 3] {
    if !is_syllable(c) {
        return [Some(u64::from(u32::from(c))), None, None];
    }
    let index = u32::from(c) - FIRST_SYLLABLE;
    let (initial, vowel, last) = (index / (VOWELS * FINALS), index / FINALS % VOWELS, index % FINALS);
    [(last > 0).then(|| u64::from(last)), Some(u64::from(100 + vowel)), Some(u64::from(200 + initial))]
}
