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

    /// The ASCII letters at `i`, at most 15, in lower case.
    fn letters(&self, i: usize) -> LatinWord {
        let mut word = LatinWord { bytes: [0; 16], len: 0, end: i };
        while let Some(slot) = word.bytes.get_mut(word.len) {
            let c = self.at(i + word.len);
            if !c.is_ascii_alphabetic() {
                break;
            }
            *slot = c.to_ascii_lowercase() as u8;
            word.len += 1;
        }
        word.end = i + word.len;
        // Sixteen letters: longer than any known word.
        if word.len == word.bytes.len() {
            word.len = 0;
        }
        word
    }
}

impl IndexedText for &[char] {
    fn at(&self, i: usize) -> char {
        self.get(i).copied().unwrap_or('\0')
    }
}

/// Words by their first character: a lookup for every word of a text, most of which have none.
#[derive(Debug)]
pub(crate) struct ByFirst<T> {
    /// Sorted by character.
    lists: Vec<(char, Vec<T>)>,
}

impl<T> Default for ByFirst<T> {
    fn default() -> Self {
        Self { lists: Vec::new() }
    }
}

impl<T> ByFirst<T> {
    pub(crate) fn add(&mut self, first: char, word: T) {
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
    pub(crate) fn get(&self, first: char) -> &[T] {
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

/// A short lower-case word of Latin letters, without allocation.
#[derive(Debug, Clone, Copy)]
pub struct LatinWord {
    bytes: [u8; 16],
    len: usize,
    /// Where it ends in the text.
    pub end: usize,
}

impl LatinWord {
    /// The word; empty if it has more than 15 letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }
}
