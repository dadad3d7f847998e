//! Numbers as the grammar of `luna_text` reads them, and places in a row: 3번, 세 번째, 마지막, 끝에서 두 번째, second to last.

use luna_text::characters::{IndexedText, LatinWord};
use luna_text::numerals::{Numeral, NumeralKind, Spacing, longest, may_begin, readings, sino};

use super::normalised::NormalisedUtterance;
use super::trie::Trie;

/// A number of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberReading {
    /// The cell after it.
    pub end: usize,
    pub value: i32,
    pub kind: NumeralKind,
}

/// Larger ones are no places in a row, and 만 is a particle.
const MOST: i64 = 9_999;

/// Cells without the folding of their vowels, as far as words of numbers have such.
#[derive(Clone, Copy)]
pub struct NumberCells<'a>(pub &'a [char]);

impl IndexedText for NumberCells<'_> {
    fn beginning(&self, i: usize, most: usize) -> LatinWord {
        LatinWord::beginning(self.0.get(i..).unwrap_or_default(), i, most)
    }

    fn at(&self, i: usize) -> char {
        match self.0.get(i) {
            Some('벡') => '백',
            cell => cell.copied().unwrap_or_default(),
        }
    }
}

/// All numbers that begin at `at`, shorter ones first.
#[must_use]
pub fn numbers(heard: &NormalisedUtterance, at: usize) -> Vec<NumberReading> {
    let cells = NumberCells(&heard.cells);
    let mut found = Vec::new();
    // "A hundred" is one, "a two" is none.
    let article = cells.at(at) == 'a' && heard.gap(at) && heard.gap(at + 1);
    // Most cells begin no number.
    let first = cells.at(at + usize::from(article));
    if !first.is_numeric() && !may_begin(first) {
        return found;
    }
    readings(&cells, at + usize::from(article), Spacing::Removed, |numeral| {
        let kind = numeral.kind;
        // "2k" is likelier 2 and a key; "두세" is no number but an estimate.
        let estimated = kind == NumeralKind::ScaledDigits || numeral.upto.is_some();
        let other = estimated || is_other_word(numeral, heard, at) || (article && !numeral.scaled);
        let least = i64::from(kind != NumeralKind::Digits);
        let value = numeral.whole().filter(|value| (least..=MOST).contains(value) && !other);
        if let Some(value) = value.and_then(|value| i32::try_from(value).ok()) {
            found.push(NumberReading { end: numeral.end, value, kind });
        }
    });
    found
}

/// The longest integer that a text begins with, however large: where it ends, and its value.
#[must_use]
pub fn whole(heard: &NormalisedUtterance) -> Option<(usize, i64)> {
    let found = longest(&NumberCells(&heard.cells), 0, Spacing::Removed)?;
    Some((found.end, found.whole()?))
}

/// Whether it likelier is something else, or a part of it: "score", "twenty twenty" (a year), "two halves"; as all that is said "백" (back), "이천" (a
/// town).
fn is_other_word(numeral: Numeral, heard: &NormalisedUtterance, at: usize) -> bool {
    let value = numeral.whole().unwrap_or_default();
    let small = value < 10 || (numeral.parts == 1 && matches!(value, 12 | 20));
    let whole = || at == 0 && numeral.end == heard.len();
    let inside = || {
        let before = at.checked_sub(1).filter(|_| !heard.gap(at));
        let longer = before.and_then(|before| sino(&NumberCells(&heard.cells), before, Spacing::Removed));
        longer.is_some_and(|longer| longer.end >= numeral.end)
    };
    let round = || value % 100 == 0 && numeral.kind != NumeralKind::Ordinal && (whole() || inside());
    numeral.kind == NumeralKind::Year || (numeral.scaled && (small || round()))
}

/// A place in a row: where it ends, and 1 for the first, -1 for the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowPlace {
    /// If nothing else is said, so that "이번" can only be number two.
    pub alone: Option<(usize, i32)>,
    /// Among other words.
    pub within: Option<(usize, i32)>,
}

/// Words that make a number a place in a row.
#[derive(Debug, Clone)]
pub struct Numbers {
    after: Trie<After>,
    whole: Trie<i32>,
    from: Trie<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// 번째: after any number.
    Place,
    /// 번: after digits and Sino-Korean numbers; after native ones it says how often.
    Number,
}

impl Default for Numbers {
    fn default() -> Self {
        let mut after = Trie::default();
        for word in ["번째", "째", "번쨰", "번제", "번재", "번 째", "번찌", "번재", "번쩨"] {
            after.insert(word, After::Place);
        }
        for word in ["번", "번 줄 말고", "벙", "넘버"] {
            after.insert(word, After::Number);
        }
        let mut whole = Trie::default();
        for (n, template) in [
            (1, "[맨|제일|가장] (처음|첫번째|첫째|첫)"),
            (1, "맨 앞"),
            (-1, "[맨|제일|가장] (마지막|마지막번째|마지막 번째|끝번째|마지먹|마즈막|라스트)"),
            (-1, "(맨|제일|가장) (끝|뒤|나중)"),
            (-1, "[very] (last|final)"),
            (1, "very first"),
            (-2, "(second|2nd) [one] [up] (to|from) [the] (last|end|bottom)"),
            (-2, "(second|2nd) last"),
            (-2, "next to [the] last"),
            (-2, "(penultimate|last but one)"),
            (-3, "(third|3rd) [one] [up] (to|from) [the] (last|end|bottom)"),
            (-3, "(third|3rd) last"),
        ] {
            super::template::expand(template, 100).iter().for_each(|phrase| whole.insert(phrase, n));
        }
        let mut from = Trie::default();
        for (forward, template) in [
            (true, "[맨|제일] (앞|위|처음|왼쪽|시작|상단|위쪽)에서[부터]"),
            (false, "[맨|제일] (끝|뒤|밑|아래|마지막|오른쪽|하단|아래쪽|뒤쪽)에서[부터]"),
        ] {
            super::template::expand(template, 100).iter().for_each(|phrase| from.insert(phrase, forward));
        }
        Self { after, whole, from }
    }
}

impl Numbers {
    /// The place in a row that begins at `at`, where these numbers do.
    #[must_use]
    pub fn place(&self, heard: &NormalisedUtterance, at: usize, begun: &[NumberReading]) -> RowPlace {
        if let Some((end, forward)) = self.from.longest(&heard.cells, at)
            && let Some((end, n)) = self.place(heard, end, &numbers(heard, end)).alone.filter(|place| place.1 > 0)
        {
            let found = Some((end, if *forward { n } else { -n }));
            return RowPlace { alone: found, within: found };
        }
        let mut best = RowPlace::default();
        for NumberReading { end, value, kind } in begun {
            let counted = match kind {
                NumeralKind::Ordinal => true,
                NumeralKind::DigitOrdinal => heard.gap(*end),
                NumeralKind::Cardinal | NumeralKind::Year => continue,
                _ => false,
            };
            if counted {
                best.keep((*end, *value), true);
                continue;
            }
            self.after.at(&heard.cells, *end, |end, after| {
                let sure = *after == After::Place || *kind == NumeralKind::Digits;
                if sure || *kind == NumeralKind::Sino {
                    best.keep((end, *value), sure);
                }
            });
        }
        self.whole.at(&heard.cells, at, |end, n| best.keep((end, *n), true));
        best
    }
}

impl RowPlace {
    /// Keeps what is longer; `sure`: also within an utterance.
    fn keep(&mut self, place: (usize, i32), sure: bool) {
        for best in [Some(&mut self.alone), Some(&mut self.within).filter(|_| sure)].into_iter().flatten() {
            if best.is_none_or(|(last, _)| place.0 > last) {
                *best = Some(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Option<i32>) {
        let heard = NormalisedUtterance::new(text);
        let found = Numbers::default().place(&heard, 0, &numbers(&heard, 0)).alone;
        assert_eq!(found.filter(|found| found.0 == heard.len()).map(|found| found.1), expect, "{text}");
    }

    // NLU-2
    #[test]
    fn numbers_are_read_by_the_one_grammar_nlu_2() {
        for (text, expect) in [
            ("삼", Some(3)),
            ("이십일", Some(21)),
            ("스물한", Some(21)),
            ("여덜", Some(8)),
            ("백이십", Some(120)),
            ("백스물세", Some(123)),
            ("삼천 오백일", Some(3501)),
            ("새", Some(3)),
            ("120", Some(120)),
            ("twenty-one", Some(21)),
            ("one hundred and twenty", Some(120)),
            ("a hundred five", Some(105)),
            ("백", None),
            ("이천", None),
            ("one hundred", None),
            ("만", None),
            ("이만", None),
            ("영", None),
            ("두세", None),
            ("2k", None),
            ("score", None),
            ("a two", None),
            ("two thirds", None),
            ("two halves", None),
            ("twenty twenty", None),
            ("12345", None),
        ] {
            let heard = NormalisedUtterance::new(text);
            let whole = numbers(&heard, 0).into_iter().find(|found| found.end == heard.len());
            assert_eq!(whole.map(|found| found.value), expect, "{text}");
        }
    }

    // NLU-2, EXE-3
    #[test]
    fn places_in_a_row_are_known_nlu_2() {
        check("세 번째", Some(3));
        check("세번째", Some(3));
        check("３번", Some(3));
        check("3 번째", Some(3));
        check("이번", Some(2));
        check("삼 번", Some(3));
        check("열두 번째", Some(12));
        check("스무 번째", Some(20));
        check("첫째", Some(1));
        check("마지막", Some(-1));
        check("맨 끝", Some(-1));
        check("끝에서 두 번째", Some(-2));
        check("밑에서 세 번째", Some(-3));
        check("위에서 두번째", Some(2));
        check("두 번", None);
        check("3rd", Some(3));
        check("third", Some(3));
        check("twenty first", Some(21));
        check("forty-second", Some(42));
        check("ninetieth", Some(90));
        check("21st", Some(21));
        check("육십삼 번", Some(63));
        check("백이십 번째", Some(120));
        check("끝에서 백 번째", Some(-100));
        check("이백오 번", Some(205));
        check("one hundred twenty-first", Some(121));
        check("hundredth", Some(100));
        check("만 번째", None);
        check("twenty", None);
        check("번째", None);
    }
}
