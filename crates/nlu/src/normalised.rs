//! An utterance as it is compared: letters without their spaces, which a recogniser puts where it likes, but with the knowledge where
//! spaces and quotes were.

use unicode_normalization::UnicodeNormalization as _;

use luna_text::language::is_hangul;

/// Letters that are looked at. Longer utterances are no commands; what dictation needs fits.
const MOST: usize = 600;
/// Letters of the shortest utterance that was said without a space between its words.
const SHORTEST_RUN: usize = 5;
/// Syllables of a Korean word that is likelier several words written together.
const LONGEST_WORD: usize = 7;
/// Characters that are looked at, spaces and marks included.
const MAX_CHARACTERS: usize = 4 * MOST;

/// An utterance as it is compared.
#[derive(Debug, Clone, Default)]
pub struct NormalisedUtterance {
    /// The text in one form: full-width letters and digits as plain ones, syllables put together.
    text: Vec<char>,
    /// Letters and digits in lower case, without spaces and marks.
    pub cells: Vec<char>,
    /// Where each cell stands in `text`.
    at: Vec<usize>,
    /// Whether a space or mark stands before the cell; one more than cells, true at both ends.
    pub gaps: Vec<bool>,
    /// Quoted parts: cells from, to; and the quoted text as it was.
    pub quotes: Vec<Quote>,
    /// Cells before which a comma stands.
    pub commas: Vec<usize>,
    /// Whether it was cut.
    pub too_long: bool,
}

/// A quoted part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// First cell.
    pub from: usize,
    /// The cell after the last.
    pub to: usize,
    /// The text between the quotes.
    pub text: String,
}

impl NormalisedUtterance {
    /// Takes an utterance apart.
    #[must_use]
    pub fn new(utterance: &str) -> Self {
        // Space around it is not said.
        let utterance = utterance.trim();
        let too_long = is_too_long(utterance);
        let utterance = if too_long { first_characters(utterance) } else { utterance };
        // Most of what is said needs no normalising: ASCII, and whole syllables.
        let normal = utterance.chars().all(|c| c.is_ascii() || ('가'..='힣').contains(&c));
        let text: Vec<char> =
            if normal { utterance.chars().collect() } else { utterance.nfkc().take(MAX_CHARACTERS).collect() };
        let mut heard = Self { too_long, ..Self::default() };
        let spans = quoted(&text);
        let mut gap = true;
        let mut starts: Vec<usize> = Vec::with_capacity(text.len() + 1);
        for (i, &c) in text.iter().enumerate() {
            starts.push(heard.cells.len());
            let inside_word = || {
                // "don't", "1.5"
                let (before, after) = (i.checked_sub(1).and_then(|b| text.get(b)), text.get(i + 1));
                let both = |test: fn(&char) -> bool| before.is_some_and(test) && after.is_some_and(test);
                (matches!(c, '\'' | '’') && both(char::is_ascii_alphabetic))
                    || (matches!(c, '.' | ',' | ':') && both(char::is_ascii_digit))
            };
            let letter =
                c.is_ascii_alphanumeric() || ('가'..='힣').contains(&c) || (!c.is_ascii() && c.is_alphanumeric());
            if letter || matches!(c, '+' | '%' | '#') {
                if heard.cells.len() == MOST {
                    heard.too_long = true;
                    break;
                }
                heard.gaps.push(gap);
                heard.cells.push(fold(lower(c)));
                heard.at.push(i);
                gap = false;
            } else if !inside_word() {
                gap = true;
                if matches!(c, ',' | ';' | '.' | '?' | '!' | '…') {
                    heard.commas.push(heard.cells.len());
                }
            }
        }
        heard.gaps.push(true);
        for (from, to) in spans {
            let (Some(&first), Some(&last)) = (starts.get(from + 1), starts.get(to)) else { continue };
            if last > first {
                let quote: String = text.get(from + 1..to).unwrap_or_default().iter().collect();
                heard.quotes.push(Quote { from: first, to: last, text: quote });
            }
        }
        heard.text = text;
        heard
    }

    /// Cells as an utterance of one word.
    #[must_use]
    pub fn of_cells(cells: &[char]) -> Self {
        let mut gaps = vec![false; cells.len() + 1];
        if let [first, .., last] = gaps.as_mut_slice() {
            (*first, *last) = (true, true);
        }
        Self { text: cells.to_vec(), cells: cells.to_vec(), at: (0..cells.len()).collect(), gaps, ..Self::default() }
    }

    /// Whether a sign makes the number at a cell less than zero: "-7", not "3-7" and not "e-7".
    #[must_use]
    pub fn is_negative(&self, cell: usize) -> bool {
        let Some(&at) = self.at.get(cell) else { return false };
        let before = |back: usize| at.checked_sub(back).and_then(|at| self.text.get(at)).copied();
        let is_digit = self.cells.get(cell).is_some_and(char::is_ascii_digit);
        is_digit && matches!(before(1), Some('-' | '−' | '–')) && !before(2).is_some_and(char::is_alphanumeric)
    }

    /// Whether a mark and a space stand before a cell: "save, love", and not "report.pdf".
    #[must_use]
    pub fn pauses(&self, cell: usize) -> bool {
        let before = self.at.get(cell).and_then(|at| at.checked_sub(1)).and_then(|at| self.text.get(at));
        before.is_some_and(|c| c.is_whitespace()) && self.commas.contains(&cell)
    }

    /// Number of cells.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether nothing was said.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether a word may begin at `at`.
    #[must_use]
    pub fn gap(&self, at: usize) -> bool {
        self.gaps.get(at).copied().unwrap_or(true)
    }

    /// Whether a range holds no space inside: said, or recognised, in one word.
    #[must_use]
    pub fn unspaced(&self, from: usize, to: usize) -> bool {
        self.gaps.get(from + 1..to).is_none_or(|gaps| gaps.iter().all(|gap| !gap))
    }

    /// For each cell, whether there are no spaces to go by around it: the whole utterance is one word, or the Korean word is longer than words are.
    #[must_use]
    pub fn run_together(&self) -> Vec<bool> {
        let mut together = vec![false; self.len()];
        for (from, to) in self.words(0, self.len()) {
            let word = self.part(from, to);
            let whole = word.len() == self.len() && word.len() >= SHORTEST_RUN;
            if whole || word.iter().filter(|c| is_hangul(**c)).count() >= LONGEST_WORD {
                together.iter_mut().take(to).skip(from).for_each(|cell| *cell = true);
            }
        }
        together
    }

    /// The cells of a range.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> &[char] {
        self.cells.get(from..to).unwrap_or_default()
    }

    /// Whether the cells at `at` are those of `word`.
    #[must_use]
    pub fn is_at(&self, at: usize, word: &[char]) -> bool {
        self.cells.get(at..at + word.len()).is_some_and(|part| part.iter().zip(word).all(|(cell, c)| *cell == fold(*c)))
    }

    /// Where `word` ends, if the cells at `at` are its letters.
    #[must_use]
    pub fn word_end(&self, at: usize, word: &str) -> Option<usize> {
        let mut end = at;
        for c in word.chars() {
            if self.cells.get(end) != Some(&fold(c)) {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    /// The text of a range of cells as it was said, without marks around it; spaces inside are single.
    #[must_use]
    pub fn said(&self, from: usize, to: usize) -> String {
        let Some(end) = to.checked_sub(1).filter(|end| *end >= from) else { return String::new() };
        let (Some(&first), Some(&last)) = (self.at.get(from), self.at.get(end)) else { return String::new() };
        let mut said = String::new();
        for &c in self.text.get(first..=last).unwrap_or_default() {
            match c {
                c if c.is_whitespace() => {
                    if !said.ends_with(' ') {
                        said.push(' ');
                    }
                }
                // A closed bracket or an open quote without its twin is no part of a label.
                '"' | '“' | '”' | '「' | '」' | '『' | '』' => {}
                c => said.push(c),
            }
        }
        said
    }

    /// The whole text with parts of it, from cell to cell and from left to right, replaced by others. Marks and spaces around stay.
    #[must_use]
    pub fn replaced(&self, parts: &[(usize, usize, &str)]) -> String {
        let mut text = String::with_capacity(self.text.len() + 16);
        let mut next = 0;
        for (from, to, by) in parts {
            let last = to.checked_sub(1).filter(|last| last >= from).and_then(|last| self.at.get(last));
            let (Some(&first), Some(&last)) = (self.at.get(*from), last) else { continue };
            text.extend(self.text.get(next..first).unwrap_or_default());
            text.push_str(by);
            next = last + 1;
        }
        text.extend(self.text.get(next..).unwrap_or_default());
        text
    }

    /// The whole text without parts of it; a part between two pauses goes with both.
    #[must_use]
    pub fn without(&self, spans: &[(usize, usize)]) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut next = 0;
        for (from, to) in spans {
            let last = to.checked_sub(1).filter(|last| last >= from).and_then(|last| self.at.get(last));
            let (Some(&first), Some(&last)) = (self.at.get(*from), last) else { continue };
            text.extend(self.text.get(next..first).unwrap_or_default());
            next = last + 1;
            if self.commas.contains(from) && self.commas.contains(to) {
                let bare = text.trim_end_matches(is_pause_or_space).len();
                text.truncate(bare);
                text.push(' ');
                next = self.at.get(*to).copied().unwrap_or(self.text.len());
            }
        }
        text.extend(self.text.get(next..).unwrap_or_default());
        text
    }

    /// The text of a range of cells with all marks, up to the cell that follows.
    #[must_use]
    pub fn verbatim(&self, from: usize, to: usize) -> String {
        let first = self.at.get(from).copied().unwrap_or(self.text.len());
        let last = self.at.get(to).copied().unwrap_or(self.text.len());
        self.text.get(first..last).unwrap_or_default().iter().collect()
    }

    /// Words of a range: where each begins and ends.
    #[must_use]
    pub fn words(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let mut words = Vec::new();
        let mut start = from;
        for at in from + 1..=to.min(self.len()) {
            if at == to || self.gap(at) {
                words.push((start, at));
                start = at;
            }
        }
        words
    }

    /// Whether any letter is Hangul.
    #[must_use]
    pub fn has_hangul(&self) -> bool {
        self.cells.iter().any(|c| is_hangul(*c))
    }
}

/// Whether a character is a mark of a pause, or space around it; a full stop is the end of a sentence.
fn is_pause_or_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '…')
}

/// Whether there is more in a text than is looked at. Looks at no more than that itself.
#[must_use]
pub fn is_too_long(utterance: &str) -> bool {
    utterance.trim().chars().nth(MAX_CHARACTERS).is_some()
}

fn first_characters(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_CHARACTERS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// A letter as it is compared: vowels that most speakers no longer tell apart are one, ㅐ and ㅔ, ㅙ and ㅞ and ㅚ.
#[must_use]
pub fn fold(c: char) -> char {
    let Some((initial, vowel, last)) = luna_text::hangul::jamo(c) else { return c };
    let same = match vowel {
        'ㅐ' => 'ㅔ',
        'ㅒ' => 'ㅖ',
        'ㅙ' | 'ㅞ' => 'ㅚ',
        _ => return c,
    };
    luna_text::hangul::compose(initial, same, last).unwrap_or(c)
}

/// A lower-case letter; those that have several in lower case stay. Latin ones lose their accents: résumé is resume.
fn lower(c: char) -> char {
    if c.is_ascii() || ('가'..='힣').contains(&c) {
        return c.to_ascii_lowercase();
    }
    let mut small = c.to_lowercase();
    let one = match (small.next(), small.next()) {
        (Some(one), None) => one,
        _ => return c,
    };
    if one.is_ascii() || !('\u{c0}'..='\u{24f}').contains(&one) {
        return one;
    }
    let mut plain = one;
    unicode_normalization::char::decompose_canonical(one, |part| {
        if part.is_ascii_alphabetic() {
            plain = part;
        }
    });
    plain
}

/// A label or a phrase as cells.
#[must_use]
pub fn compact(text: &str) -> Vec<char> {
    NormalisedUtterance::new(text).cells
}

/// Pairs of quotes, by their places.
fn quoted(text: &[char]) -> Vec<(usize, usize)> {
    const PAIRS: [(char, char); 9] = [
        ('"', '"'),
        ('“', '”'),
        ('‘', '’'),
        ('\'', '\''),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('`', '`'),
        ('«', '»'),
    ];
    let mut spans = Vec::new();
    // The next place at which each closing quote stands, so that an unclosed one is searched for once.
    let mut at = 0;
    let mut unclosed: Vec<char> = Vec::new();
    while let Some(&c) = text.get(at) {
        let opens = PAIRS.iter().find(|pair| pair.0 == c && !unclosed.contains(&c)).filter(|_| {
            let before = at.checked_sub(1).and_then(|b| text.get(b));
            c != '\'' || before.is_none_or(|b| !b.is_ascii_alphanumeric())
        });
        if let Some(&(_, close)) = opens {
            let end = (at + 1..text.len()).find(|i| {
                let after = text.get(i + 1);
                text.get(*i) == Some(&close) && (close != '\'' || after.is_none_or(|c| !c.is_ascii_alphanumeric()))
            });
            if let Some(end) = end {
                spans.push((at, end));
                at = end + 1;
                continue;
            }
            unclosed.push(c);
        }
        at += 1;
    }
    spans
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // RNK-2
    #[test]
    fn spaces_width_and_case_do_not_count_rnk_2() {
        for (text, expect) in [
            ("저장 버튼 눌러!", "저장버튼눌러"),
            ("３번  Ｓａｖｅ", "3번save"),
            ("don't, stop", "dontstop"),
            ("ctrl+s", "ctrl+s"),
            ("1.5 km", "15km"),
            ("\u{1100}\u{1161}", "가"),
        ] {
            assert_eq!(compact(text).iter().collect::<String>(), expect, "{text}");
        }
    }

    // RNK-2
    #[test]
    fn vowels_that_sound_alike_are_one_rnk_2() {
        assert_eq!(compact("해 봐, 내 거, 왜"), compact("헤 봐, 네 거, 외"));
        assert_ne!(compact("다시"), compact("디시"));
    }

    // NLU-2
    #[test]
    fn quoted_text_is_kept_as_it_was_nlu_2() {
        for (text, expect) in [
            ("이름에 “홍 길동”이라고 써", "홍 길동"),
            ("type 'it isn't' here", "it isn't"),
            ("\"A, b!\" 입력", "A, b!"),
            ("「가」", "가"),
        ] {
            let heard = NormalisedUtterance::new(text);
            assert_eq!(heard.quotes.first().unwrap().text, expect, "{text}");
        }
        for text in ["don't", "'", "\"열어", "rock 'n roll"] {
            assert!(NormalisedUtterance::new(text).quotes.is_empty(), "{text}");
        }
    }
}
