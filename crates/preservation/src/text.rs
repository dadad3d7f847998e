//! The text as the scanner sees it: characters with full-width forms and look-alikes folded to plain ones.
//!
//! Folding keeps the number of characters, so an index here is a character index in the original text.

#[cfg(test)]
use std::cell::Cell;

use luna_text::characters::{IndexedText, LatinWord};

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

const fn fold(c: char) -> char {
    if c.is_ascii() || is_hangul(c) {
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

    /// One past the last consecutive character from `i` on that satisfies `belongs`.
    #[inline]
    pub(super) fn run(&self, i: usize, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.chars.get(i..).unwrap_or(&[]);
        let length = rest.iter().position(|c| !belongs(*c)).unwrap_or(rest.len());
        #[cfg(test)]
        self.steps.set(self.steps.get() + length + 1);
        i + length
    }

    pub(super) fn digits(&self, i: usize) -> usize {
        self.run(i, is_digit)
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

impl IndexedText for Text {
    #[inline]
    fn beginning(&self, i: usize, most: usize) -> LatinWord {
        let word = LatinWord::beginning(self.chars.get(i..).unwrap_or(&[]), i, most);
        #[cfg(test)]
        self.steps.set(self.steps.get() + word.end - i + 1);
        word
    }

    #[inline]
    fn at(&self, i: usize) -> char {
        #[cfg(test)]
        self.steps.set(self.steps.get() + 1);
        self.chars.get(i).copied().unwrap_or('\0')
    }
}
