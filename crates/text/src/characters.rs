//! Text by character index, for parsers that look ahead: past its end it reads as NUL.

/// IndexedText with an index.
pub trait IndexedText {
    /// The character at `i`; NUL past the end.
    fn at(&self, i: usize) -> char;

    /// The character before `i`; NUL at the beginning.
    fn before(&self, i: usize) -> char {
        i.checked_sub(1).map_or('\0', |i| self.at(i))
    }

    /// One past the last consecutive character from `i` on, at most `most`, that satisfies `belongs`, so that lookahead has a constant cost.
    fn short_run(&self, i: usize, most: usize, belongs: impl Fn(char) -> bool) -> usize
    where
        Self: Sized,
    {
        let mut end = i;
        while end - i < most && self.at(end) != '\0' && belongs(self.at(end)) {
            end += 1;
        }
        end
    }

    /// One past the last consecutive digit from `i` on.
    fn digit_run(&self, i: usize) -> usize {
        let mut end = i;
        while digit(self.at(end)).is_some() {
            end += 1;
        }
        end
    }

    /// Whether `word` is at `i`.
    #[inline]
    fn starts(&self, i: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(k, c)| self.at(i + k) == c)
    }

    /// `i`, or the position after one space there.
    fn after_space(&self, i: usize) -> usize {
        if matches!(self.at(i), ' ' | '\t') { i + 1 } else { i }
    }

    /// The value of the digits from `i` to `end`, at most six.
    fn small(&self, i: usize, end: usize) -> Option<i64> {
        if i >= end || end - i > 6 {
            return None;
        }
        (i..end).try_fold(0, |value, k| Some(10 * value + i64::from(digit(self.at(k))?)))
    }

    /// The ASCII letters at `i`, as written; an empty word if they are more than 15.
    fn letters(&self, i: usize) -> LatinWord {
        let word = self.beginning(i, LatinWord::MOST + 1);
        if word.len > LatinWord::MOST { LatinWord { bytes: [0; LatinWord::MOST + 1], len: 0, ..word } } else { word }
    }

    /// The first ASCII letters at `i`, at most `most` and at most 16.
    fn beginning(&self, i: usize, most: usize) -> LatinWord;
}

impl IndexedText for &[char] {
    fn beginning(&self, i: usize, most: usize) -> LatinWord {
        LatinWord::beginning(self.get(i..).unwrap_or(&[]), i, most)
    }

    fn at(&self, i: usize) -> char {
        self.get(i).copied().unwrap_or('\0')
    }
}

/// Words by their first character: a lookup for every word of a text, most of which have none.
#[derive(Debug)]
pub(crate) struct ByFirst<T> {
    /// Sorted by character.
    lists: Vec<(char, Vec<T>)>,
    /// A bit for the low byte of each character that has a list: most others are known to have none without a search.
    present: [u64; 4],
}

impl<T> Default for ByFirst<T> {
    fn default() -> Self {
        Self { lists: Vec::new(), present: [0; 4] }
    }
}

impl<T> ByFirst<T> {
    pub(crate) fn add(&mut self, first: char, word: T) {
        if let Some(bits) = self.present.get_mut(first as usize >> 6 & 3) {
            *bits |= 1 << (first as u32 & 63);
        }
        match self.lists.binary_search_by_key(&first, |list| list.0) {
            Ok(at) => {
                if let Some((_, list)) = self.lists.get_mut(at) {
                    list.push(word);
                }
            }
            Err(at) => self.lists.insert(at, (first, vec![word])),
        }
    }

    /// Puts longer words first; words of one length keep their order.
    pub(crate) fn sort_by_length(&mut self, length: impl Fn(&T) -> usize) {
        for (_, list) in &mut self.lists {
            list.sort_by_key(|word| std::cmp::Reverse(length(word)));
        }
    }

    /// The words with this first character.
    #[inline]
    pub(crate) fn get(&self, first: char) -> &[T] {
        if self.present.get(first as usize >> 6 & 3).is_none_or(|bits| bits >> (first as u32 & 63) & 1 == 0) {
            return &[];
        }
        let found = self.lists.binary_search_by_key(&first, |list| list.0).ok();
        found.and_then(|at| self.lists.get(at)).map_or(&[], |list| list.1.as_slice())
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        self.lists.iter().flat_map(|list| &list.1)
    }
}

/// The value of an ASCII or full-width digit.
#[must_use]
pub fn digit(c: char) -> Option<u8> {
    let c = match c {
        '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
        _ => c,
    };
    c.to_digit(10).and_then(|n| u8::try_from(n).ok())
}

/// The bit in which a small letter differs from its capital, in every letter.
const SMALL: u128 = u128::from_be_bytes([0x20; 16]);

/// A short word of Latin letters, without allocation.
#[derive(Debug, Clone, Copy)]
pub struct LatinWord {
    /// Zero after the word.
    bytes: [u8; Self::MOST + 1],
    len: usize,
    /// Where it ends in the text.
    pub end: usize,
}

impl LatinWord {
    /// The most letters of a word: no known word is longer.
    const MOST: usize = 15;

    /// The ASCII letters with which `text` begins, at most `most` and at most 16; `text` is at `i` of its own text.
    #[must_use]
    pub fn beginning(text: &[char], i: usize, most: usize) -> Self {
        let mut bytes = [0; Self::MOST + 1];
        let mut len = 0;
        for (slot, c) in bytes.iter_mut().zip(text).take(most) {
            if !c.is_ascii_alphabetic() {
                break;
            }
            *slot = *c as u8;
            len += 1;
        }
        Self { bytes, len, end: i + len }
    }

    /// The word; empty if it has more than 15 letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }

    /// The word in lower case.
    #[must_use]
    pub fn lower(mut self) -> Self {
        self.bytes.make_ascii_lowercase();
        self
    }

    /// Whether it has no small letter.
    #[must_use]
    pub const fn is_capitals(&self) -> bool {
        self.key() & SMALL == 0
    }

    /// Whether it has no capital but perhaps its first letter; an empty word has none.
    #[must_use]
    pub fn is_small_after_first(&self) -> bool {
        (self.lower().key() ^ self.key()) << 8 == 0
    }

    #[must_use]
    pub fn ends_with(&self, ending: &str) -> bool {
        self.bytes.get(..self.len).is_some_and(|letters| letters.ends_with(ending.as_bytes()))
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Words are ordered by it, and only equal words have an equal one.
    const fn key(&self) -> u128 {
        u128::from_be_bytes(self.bytes)
    }
}

/// What is known of words of at most 15 Latin letters. A text looks up each of its words, and finds few.
#[derive(Debug)]
pub struct LatinMap<T> {
    /// Sorted by key.
    entries: Vec<(u128, T)>,
    /// Of the entries with each first letter, the index of the first one; a capital counts as its small letter.
    firsts: [usize; 33],
}

impl<T> Default for LatinMap<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), firsts: [0; 33] }
    }
}

impl<T> LatinMap<T> {
    /// The first entry of a word counts. Words with other characters than letters, and longer ones, are never found.
    pub fn new(words: impl IntoIterator<Item = (impl AsRef<str>, T)>) -> Self {
        let key = |word: &str| {
            let characters: Vec<char> = word.chars().collect();
            let word = characters.as_slice().letters(0);
            (word.end == characters.len() && !word.is_empty()).then(|| word.key())
        };
        let keyed = words.into_iter().filter_map(|(word, value)| Some((key(word.as_ref())?, value)));
        let mut entries: Vec<(u128, T)> = keyed.collect();
        entries.sort_by_key(|(key, _)| (Self::first(*key), *key));
        entries.dedup_by_key(|(key, _)| *key);
        let mut firsts = [entries.len(); 33];
        for (at, (key, _)) in entries.iter().enumerate().rev() {
            firsts.iter_mut().take(Self::first(*key) + 1).for_each(|first| *first = at);
        }
        Self { entries, firsts }
    }

    /// Capitals and small letters differ in one bit above these.
    const fn first(key: u128) -> usize {
        (key >> 120) as usize & 31
    }

    /// What is known of this word, as it is written.
    #[must_use]
    pub fn get(&self, word: &LatinWord) -> Option<&T> {
        let key = word.key();
        let first = Self::first(key);
        let (from, to) = (*self.firsts.get(first)?, *self.firsts.get(first + 1)?);
        let entries = self.entries.get(from..to)?;
        let at = entries.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        entries.get(at).map(|(_, value)| value)
    }

    /// All values, in the order of their words.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRE-3
    #[test]
    fn a_word_knows_its_case_and_its_end_pre_3() {
        for (text, word, capitals, small) in [
            ("USD5", "USD", true, false),
            ("Word and", "Word", false, true),
            ("word", "word", false, true),
            ("iPhone", "iPhone", false, false),
            ("threefold.", "threefold", false, true),
            ("abcdefghijklmnop", "", true, true),
        ] {
            let characters: Vec<char> = text.chars().collect();
            let found = characters.as_slice().letters(0);
            assert_eq!((found.as_str(), found.is_capitals()), (word, capitals), "{text}");
            assert_eq!(found.is_small_after_first(), small, "{text}");
            assert_eq!(found.lower().as_str(), word.to_lowercase());
            assert_eq!(found.ends_with("fold"), word == "threefold");
            assert_eq!(found.end, text.chars().take_while(char::is_ascii_alphabetic).count());
        }
    }

    // PRE-6
    #[test]
    fn a_map_finds_its_words_and_no_others_pre_6() {
        let words = ["one", "once", "a", "USD", "usd", "zebra", "abcdefghijklmno"];
        let map = LatinMap::new(words.iter().map(|word| (word, *word)));
        let get = |text: &str| {
            let characters: Vec<char> = text.chars().collect();
            map.get(&characters.as_slice().letters(0)).copied()
        };
        for word in words {
            assert_eq!(get(word), Some(word));
            assert_eq!(get(&format!("{word} more")), Some(word));
        }
        for word in ["", "on", "ones", "b", "A", "Zebra", "abcdefghijklmnop", "가", "1"] {
            assert_eq!(get(word), None, "{word}");
        }
        assert_eq!(map.values().count(), words.len());
        assert_eq!(LatinMap::new([("a b", 1), ("", 2), ("ab", 3), ("ab", 4)]).values().collect::<Vec<_>>(), [&3]);
    }
}
