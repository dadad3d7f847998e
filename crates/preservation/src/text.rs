//! The text as the scanner sees it: characters with full-width forms and look-alikes folded to plain ones.
//!
//! Folding keeps the number of characters, so an index here is a character index in the original text.

#[cfg(test)]
use std::cell::Cell;

use luna_text::characters::IndexedText;

use super::token::narrow;

/// Whether `c` is a decimal digit; folding has made full-width digits ASCII.
pub(super) const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Whether `c` is a Hangul syllable.
pub(super) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

pub(super) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The value of a digit; 0 for anything else.
pub(super) fn digit(c: char) -> i64 {
    c.to_digit(10).map_or(0, i64::from)
}

const fn fold(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        // Full-width forms are 0xFEE0 above ASCII.
        '\u{FF01}'..='\u{FF5E}' => (c as u32 - 0xFEE0) as u8 as char,
        '\u{A0}' | '\u{2007}' | '\u{2009}' | '\u{202F}' | '\u{3000}' => ' ',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '〜' | '∼' => '~',
        '￥' => '¥',
        '￦' => '₩',
        '￡' => '£',
        '⁄' => '/',
        'µ' => 'μ',
        '￠' => '¢',
        _ => c,
    }
}

impl IndexedText for Text {
    fn at(&self, i: usize) -> char {
        Self::at(self, i)
    }
}

pub(super) struct Text {
    /// With decomposed Hangul put together.
    chars: Vec<char>,
    /// The position of each of them in the text as written, and its length; empty if that is its index.
    places: Vec<u32>,
    /// Number of character reads (PRE-6).
    #[cfg(test)]
    steps: Cell<usize>,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let mut chars = Vec::with_capacity(text.len());
        let mut places = Vec::new();
        if text.is_ascii() {
            chars.extend(text.bytes().map(char::from));
        } else {
            chars.extend(text.chars().map(fold));
            // No early end: so the compiler compares many characters at once.
            if chars.iter().fold(false, |any, c| any | matches!(c, '\u{1100}'..='\u{11FF}')) {
                let (composed, of_composed) = luna_text::hangul::compose_jamo(&chars);
                places.extend(of_composed.into_iter().chain([chars.len()]).map(narrow));
                chars = composed;
            }
        }
        Self {
            chars,
            places,
            #[cfg(test)]
            steps: Cell::new(0),
        }
    }

    /// The position of character `i` in the text as written, in characters.
    pub(super) fn place(&self, i: usize) -> usize {
        self.places.get(i).map_or(i, |place| *place as usize)
    }

    /// The byte of `text`, of which this was made, at which each character begins, and the end.
    pub(super) fn bytes_in(&self, text: &str) -> Vec<u32> {
        let bytes = text.char_indices().map(|(at, _)| narrow(at)).chain([narrow(text.len())]);
        if self.places.is_empty() {
            return bytes.collect();
        }
        let bytes: Vec<u32> = bytes.collect();
        self.places.iter().map(|place| bytes.get(*place as usize).copied().unwrap_or(0)).collect()
    }

    pub(super) const fn len(&self) -> usize {
        self.chars.len()
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// The character at `i`; NUL past the end.
    #[inline]
    pub(super) fn at(&self, i: usize) -> char {
        #[cfg(test)]
        self.steps.set(self.steps.get() + 1);
        self.chars.get(i).copied().unwrap_or('\0')
    }

    /// The character before `i`; NUL at the beginning.
    #[inline]
    pub(super) fn before(&self, i: usize) -> char {
        i.checked_sub(1).map_or('\0', |i| self.at(i))
    }

    /// One past the last consecutive character from `i` on that satisfies `belongs`.
    #[inline]
    pub(super) fn run(&self, i: usize, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.chars.get(i..).unwrap_or(&[]);
        let length = rest.iter().position(|c| !belongs(*c)).unwrap_or(rest.len());
        #[cfg(test)]
        self.steps.set(self.steps.get() + length + 1);
        i + length
    }

    /// [`Text::run`] limited to `most` characters, so that lookahead has a constant cost.
    pub(super) fn short_run(&self, i: usize, most: usize, belongs: impl Fn(char) -> bool) -> usize {
        let mut end = i;
        while end < self.len() && end - i < most && belongs(self.at(end)) {
            end += 1;
        }
        end
    }

    pub(super) fn digits(&self, i: usize) -> usize {
        self.run(i, is_digit)
    }

    pub(super) fn starts(&self, i: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(k, c)| self.at(i + k) == c)
    }

    /// `i`, or the position after one space there.
    pub(super) fn after_space(&self, i: usize) -> usize {
        if is_space(self.at(i)) { i + 1 } else { i }
    }

    /// The value of the digits from `i` to `end`, at most six.
    pub(super) fn small(&self, i: usize, end: usize) -> Option<i64> {
        if i >= end || end - i > 6 {
            return None;
        }
        Some((i..end).fold(0, |value, k| 10 * value + digit(self.at(k))))
    }

    /// The ASCII letters at `i`, at most 15.
    pub(super) fn letters(&self, i: usize) -> ShortWord {
        let mut word = ShortWord { bytes: [0; 16], len: 0, end: i };
        while let Some(slot) = word.bytes.get_mut(word.len) {
            let c = self.at(i + word.len);
            if !c.is_ascii_alphabetic() {
                break;
            }
            *slot = c as u8;
            word.len += 1;
        }
        word.end = i + word.len;
        // Sixteen letters: longer than any known word.
        if word.len == word.bytes.len() {
            word.len = 0;
        }
        word
    }

    /// The characters from `from` to `to`, or to the end.
    pub(super) fn string(&self, from: usize, to: usize) -> String {
        self.slice(from, to.min(self.len())).iter().collect()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &[char] {
        #[cfg(test)]
        self.steps.set(self.steps.get() + to.saturating_sub(from));
        self.chars.get(from..to).unwrap_or(&[])
    }
}

/// A short ASCII word without allocation.
#[derive(Clone, Copy)]
pub(super) struct ShortWord {
    bytes: [u8; 16],
    len: usize,
    pub(super) end: usize,
}

impl ShortWord {
    pub(super) fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }

    pub(super) fn lower(mut self) -> Self {
        self.bytes.make_ascii_lowercase();
        self
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }
}
