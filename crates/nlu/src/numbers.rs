//! Numbers and places in a row as people say them: 3번, 세 번째, 마지막, 끝에서 두 번째, second to last.

use super::normalised::NormalisedUtterance;
use super::trie::Trie;

/// Which series a word for a number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// 한, 두, 세: before 번째, 줄.
    Native,
    /// 하나, 둘, 셋.
    Counting,
    /// 일, 이, 삼: before 번.
    Sino,
    /// one, two.
    English,
    /// first, second.
    EnglishOrdinal,
    /// 1, 2.
    Digits,
}

/// Words for numbers.
#[derive(Debug, Clone)]
pub struct Numbers {
    words: Trie<(i32, Series)>,
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

pub(super) const ONES: [&str; 10] = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
pub(super) const NATIVE: [&str; 10] = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"];
const COUNTING: [&str; 10] = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"];
pub(super) const TENS: [&str; 10] = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];
pub(super) const ENGLISH_TENS: [(&str, &str); 8] = [
    ("twenty", "twentieth"),
    ("thirty", "thirtieth"),
    ("forty", "fortieth"),
    ("fifty", "fiftieth"),
    ("sixty", "sixtieth"),
    ("seventy", "seventieth"),
    ("eighty", "eightieth"),
    ("ninety", "ninetieth"),
];
pub(super) const ENGLISH: [&str; 19] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ORDINAL: [&str; 19] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];

impl Default for Numbers {
    fn default() -> Self {
        let mut words = Trie::default();
        for n in 1..100_i32 {
            let index = |n: i32| usize::try_from(n).unwrap_or_default();
            let part = |table: &[&'static str], n: i32| table.get(index(n)).copied().unwrap_or_default();
            let (tens, ones) = (n / 10, n % 10);
            let ten = if n == 20 { "스무" } else { part(&TENS, tens) };
            words.insert(&format!("{ten}{}", part(&NATIVE, ones)), (n, Series::Native));
            words.insert(&format!("{}{}", part(&TENS, tens), part(&COUNTING, ones)), (n, Series::Counting));
            let ten = match tens {
                0 => String::new(),
                1 => "십".to_owned(),
                tens => format!("{}십", part(&ONES, tens)),
            };
            words.insert(&format!("{ten}{}", part(&ONES, ones)), (n, Series::Sino));
        }
        for (n, word) in
            [(1, "첫"), (3, "셋"), (3, "석"), (4, "넷"), (4, "넉"), (6, "육"), (6, "륙"), (8, "여덜"), (1, "한")]
        {
            words.insert(word, (n, Series::Native));
        }
        for (n, word) in (1..).zip(ENGLISH) {
            words.insert(word, (n, Series::English));
        }
        for (n, word) in (1..).zip(ORDINAL) {
            words.insert(word, (n, Series::EnglishOrdinal));
        }
        for (tens, (ten, tenth)) in (2..).zip(ENGLISH_TENS) {
            words.insert(ten, (10 * tens, Series::English));
            words.insert(tenth, (10 * tens, Series::EnglishOrdinal));
            for (n, word) in (1..10).zip(ENGLISH) {
                words.insert(&format!("{ten}{word}"), (10 * tens + n, Series::English));
            }
            for (n, word) in (1..10).zip(ORDINAL) {
                words.insert(&format!("{ten}{word}"), (10 * tens + n, Series::EnglishOrdinal));
            }
        }
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
        Self { words, after, whole, from }
    }
}

impl Numbers {
    /// The longest number that begins at `at`: where it ends, its value and its series.
    #[must_use]
    pub fn number(&self, heard: &NormalisedUtterance, at: usize) -> Option<(usize, i32, Series)> {
        let digits = heard.cells.iter().skip(at).take(5).take_while(|c| c.is_ascii_digit()).count();
        if digits > 0 {
            let value: String = heard.part(at, at + digits).iter().collect();
            return Some((at + digits, value.parse().ok().filter(|n| *n < 10_000)?, Series::Digits));
        }
        self.words.longest(&heard.cells, at).map(|(end, (value, series))| (end, *value, *series))
    }

    /// All numbers that begin at `at`.
    #[must_use]
    pub fn numbers(&self, heard: &NormalisedUtterance, at: usize) -> Vec<(usize, i32, Series)> {
        let mut found = Vec::new();
        if heard.cells.get(at).is_some_and(char::is_ascii_digit) {
            found.extend(self.number(heard, at));
        } else {
            self.words.at(&heard.cells, at, |end, (value, series)| found.push((end, *value, *series)));
        }
        found
    }

    /// A place in a row that begins at `at`: where it ends, 1 for the first, -1 for the last. `alone`: nothing else is said, so that
    /// "이번" can only be number two.
    #[must_use]
    pub fn place(&self, heard: &NormalisedUtterance, at: usize, alone: bool) -> Option<(usize, i32)> {
        if let Some((end, forward)) = self.from.longest(&heard.cells, at)
            && let Some((end, n)) = self.place(heard, end, true).filter(|place| place.1 > 0)
        {
            return Some((end, if *forward { n } else { -n }));
        }
        let mut best: Option<(usize, i32)> = None;
        let mut keep = |end: usize, n: i32| {
            if best.is_none_or(|(last, _)| end > last) {
                best = Some((end, n));
            }
        };
        for (end, n, series) in self.numbers(heard, at) {
            self.after.at(&heard.cells, end, |end, after| {
                let fits = match (after, series) {
                    (After::Place, Series::English | Series::EnglishOrdinal) => false,
                    (After::Place, _) | (After::Number, Series::Digits) => true,
                    (After::Number, Series::Sino) => alone,
                    (After::Number, _) => false,
                };
                if fits {
                    keep(end, n);
                }
            });
            if series == Series::EnglishOrdinal {
                keep(end, n);
            }
            if series == Series::Digits {
                for mark in ["st", "nd", "rd", "th"] {
                    let mark: Vec<char> = mark.chars().collect();
                    if heard.is_at(end, &mark) && heard.gap(end + 2) {
                        keep(end + 2, n);
                    }
                }
            }
        }
        self.whole.at(&heard.cells, at, |end, n| keep(end, *n));
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Option<i32>) {
        let heard = NormalisedUtterance::new(text);
        let found = Numbers::default().place(&heard, 0, true);
        assert_eq!(found.filter(|found| found.0 == heard.len()).map(|found| found.1), expect, "{text}");
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
        check("twenty", None);
        check("번째", None);
    }
}
