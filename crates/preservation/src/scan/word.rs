//! ASCII words: addresses, code, keys, versions, currencies, month names, spelled-out numbers.

use luna_messages::preserve::TokenClass::{Code, Number};
use luna_text::characters::{IndexedText, LatinWord};

use super::super::ratio::Ratio;
use super::super::text::is_digit;
use super::super::token::{CanonicalValue, Weight, narrow};
use super::super::units;
use super::{DayHalf, LeadingWord, Scanner};

/// Modifier keys.
const MODIFIERS: &[&str] =
    &["ctrl", "control", "alt", "shift", "cmd", "command", "win", "super", "meta", "option", "opt", "fn"];

impl Scanner<'_> {
    pub(super) fn word(&mut self, i: usize) -> usize {
        if let Some(end) = self.glossary_name(i) {
            return end;
        }
        let said = self.t.letters(i);
        let end = self.t.run(said.end, |c| c.is_ascii_alphanumeric() || c == '_');
        // The common case: small letters after the first one.
        let letters = end == said.end && !said.is_empty() && said.is_small_after_first();
        let next = self.t.at(end);
        if next == ':' {
            if self.t.at(end + 1) == '/' && self.t.at(end + 2) == '/' && !self.t.at(end + 3).is_whitespace() {
                return self.url(i, end + 3);
            }
            if self.t.starts(i, "mailto:") {
                return end + 1;
            }
            if end == i + 1 && matches!(self.t.at(end + 1), '\\' | '/') && self.begins(i) {
                let separator = self.t.at(end + 1);
                let end = self.path_tail(i, end + 2, separator);
                self.push_text(Code, i, end);
                return end;
            }
            if self.t.at(end + 1) == ':' && self.t.at(end + 2).is_ascii_alphabetic() {
                return self.scoped(i, end);
            }
        }
        if next == '.' && end == i + 3 && self.t.at(end + 1).is_alphanumeric() && self.is(i, end, "www") {
            return self.url(i, end + 1);
        }
        if matches!(next, '.' | '@' | '-' | '+' | '%')
            && let Some(end) = self.chunk(i)
        {
            return end;
        }
        if next == '/'
            && let Some(end) = self.relative_path(i)
        {
            return end;
        }
        if next == '(' && self.t.at(end + 1) == ')' {
            self.push_text(Code, i, end + 2);
            return end + 2;
        }
        if !letters && self.is_identifier(i, end) {
            // A text of a single identifier is a label, and may be translated.
            let label = i == 0 && end == self.t.len();
            // An underscore after one letter may mark the access key: w_ord.
            let key = end > i + 3 && self.t.at(i + 1) == '_' && self.is_small(i) && self.is_small(i + 2);
            self.scan.push(Code, (i, end), if label || key { Weight::Strong } else { Weight::Hard }, []);
            return end;
        }
        // The access key of a label: _Zero.
        if self.t.at(i) == '_' && self.t.at(i + 1).is_ascii_alphanumeric() && !self.t.before(i).is_alphanumeric() {
            return self.access_key(i);
        }
        if end - i <= 15
            && let Some(end) = self.short_word(i, end, said)
        {
            return end;
        }
        if !letters && (i..end).any(|k| is_digit(self.t.at(k))) {
            self.mixed(i, end);
            self.numbered(i, end);
        } else if self.natural
            && let Some(value) = self.roman(i, end)
        {
            let key = CanonicalValue::Number(Ratio::whole(value));
            self.scan.push(Number, (i, end), Weight::Weak, [Some(key)]);
        }
        end
    }

    /// The digit of a numbered name, which a translated name keeps: FILE1.
    fn numbered(&mut self, i: usize, end: usize) {
        let named = end >= i + 3 && self.t.slice(i, end - 1).iter().all(char::is_ascii_alphabetic);
        let value = self.t.small(end - 1, end).filter(|_| self.natural && named && is_digit(self.t.at(end - 1)));
        if let Some(value) = value {
            let key = CanonicalValue::Number(Ratio::whole(value));
            self.scan.push(Number, (end - 1, end), Weight::Weak, [Some(key)]);
        }
    }

    /// A Roman numeral below forty after a name: World War II, Elizabeth I.
    fn roman(&self, i: usize, end: usize) -> Option<i64> {
        if !matches!(self.t.at(i), 'I' | 'V' | 'X') || end - i > 7 || !self.after_name(i) {
            return None;
        }
        let digits: Option<Vec<i64>> = self
            .t
            .slice(i, end)
            .iter()
            .map(|c| match c {
                'I' => Some(1),
                'V' => Some(5),
                'X' => Some(10),
                _ => None,
            })
            .collect();
        let digits = digits?;
        let next = digits.iter().skip(1).chain([&0]);
        let value = digits.iter().zip(next).map(|(digit, next)| if digit < next { -digit } else { *digit }).sum();
        (1..40).contains(&value).then_some(value)
    }

    /// `word` are the letters of the word at `i`, which ends at `end`.
    fn short_word(&mut self, i: usize, end: usize, word: LatinWord) -> Option<usize> {
        if word.end != end {
            // USD5
            if let Some(money) = units::money_code(&word)
                && (word.end..end).all(|k| is_digit(self.t.at(k)))
            {
                return Some(self.money(i, word.end - 1, money));
            }
            // Letters and digits: a version, or a name.
            return (word.as_str() == "v" || word.as_str() == "V").then(|| self.version_word(i, end)).flatten();
        }
        let next = self.t.at(end);
        if !self.natural
            && !self.t.at(i).is_ascii_uppercase()
            && !matches!(next, ' ' | '.' | '$' | '-' | '+' | '0'..='9')
        {
            return None;
        }
        if (next == '+' || (next == ' ' && self.t.at(end + 1) == '+'))
            && let Some(end) = MODIFIERS.contains(&word.lower().as_str()).then(|| self.keys(i, end)).flatten()
        {
            return Some(end);
        }
        if next == '$' {
            // US$ and A$ are signs; a plain $ is that of the United States.
            let named = units::money_sign(&format!("{}$", word.as_str()));
            let money = named.or_else(|| (word.as_str() == "US").then_some(units::Money::DOLLAR))?;
            return self.number_begins(end + 1).then(|| self.money(i, end, money));
        }
        if let Some(money) = units::money_code(&word) {
            let after = if self.t.at(self.t.after_space(end)) == '-' {
                self.t.after_space(end) + 1
            } else {
                self.t.after_space(end)
            };
            return self.number_begins(after).then(|| self.money(i, end - 1, money));
        }
        if next == ' ' && word.is_capitals() && matches!(word.as_str(), "AM" | "PM") && is_digit(self.t.at(end + 1)) {
            let half = if word.as_str() == "AM" { DayHalf::Morning } else { DayHalf::Afternoon };
            self.lead = Some(LeadingWord {
                start: i,
                number: end + 1,
                half: Some(half),
                negative: false,
                scale: None,
                per: None,
            });
            return Some(end + 1);
        }
        if let Some(end) = self.english_date(i, end) {
            return Some(end);
        }
        self.natural.then(|| self.spelled(i, end, &word)).flatten()
    }

    fn is(&self, i: usize, end: usize, word: &str) -> bool {
        end - i == word.len() && self.t.letters(i).lower().as_str() == word
    }

    /// `std::fs::read`, `read()`.
    fn scoped(&mut self, i: usize, mut end: usize) -> usize {
        while self.t.at(end) == ':' && self.t.at(end + 1) == ':' && self.t.at(end + 2).is_ascii_alphabetic() {
            end = self.t.run(end + 2, |c| c.is_ascii_alphanumeric() || c == '_');
        }
        if self.t.at(end) == '(' && self.t.at(end + 1) == ')' {
            end += 2;
        }
        self.push_text(Code, i, end);
        end
    }

    /// `src/main.rs`: words with slashes, the last of which has a file extension.
    fn relative_path(&mut self, i: usize) -> Option<usize> {
        if i < self.path_end {
            return None;
        }
        let end = self.t.run(i, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/'));
        self.path_end = end;
        let end = self.trimmed(i, end);
        let dot = (i..end).rev().find(|k| matches!(self.t.at(*k), '.' | '/')).filter(|k| self.t.at(*k) == '.')?;
        let extension = end - dot - 1;
        let letters = (dot + 1..end).all(|k| self.t.at(k).is_ascii_lowercase() || is_digit(self.t.at(k)));
        if !(1..=5).contains(&extension) || !letters || !self.t.at(dot + 1).is_ascii_lowercase() {
            return None;
        }
        self.push_text(Code, i, end);
        Some(end)
    }

    /// Whether the word is in snake_case or lowerCamelCase. Product names such as macOS and YouTube are not identifiers.
    fn is_identifier(&self, i: usize, end: usize) -> bool {
        let mut humps = 0;
        for k in i + 1..end {
            let (before, c, after) = (self.t.at(k - 1), self.t.at(k), self.t.at(k + 1));
            if c == '_' && before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric() {
                return !self.is_mnemonic(i, k, end);
            }
            if before.is_ascii_lowercase() && c.is_ascii_uppercase() && after.is_ascii_lowercase() {
                humps += 1;
            }
        }
        let dunder = self.t.at(i) == '_' && self.t.at(i + 1) == '_' && end > i + 4;
        let camel = humps > 0 && self.t.at(i).is_ascii_lowercase() && self.t.at(i + 1).is_ascii_lowercase();
        dunder || (camel && end - i > 4)
    }

    /// After the mark of an access key at `i`; after the key too, if it is given apart: (_8), (&S).
    pub(super) fn access_key(&self, i: usize) -> usize {
        let apart = self.t.before(i) == '(' && self.t.at(i + 2) == ')' && self.t.at(i + 1).is_ascii_alphanumeric();
        if apart { i + 3 } else { i + 1 }
    }

    fn is_small(&self, k: usize) -> bool {
        self.t.at(k).is_ascii_lowercase()
    }

    /// Whether the underscore at `k` marks the access key of a label: P_assword.
    fn is_mnemonic(&self, i: usize, k: usize, end: usize) -> bool {
        let word = self.t.slice(i, end);
        self.t.at(i).is_ascii_uppercase()
            && self.t.at(k + 1).is_ascii_lowercase()
            && word.iter().skip(1).filter(|c| **c != '_').all(char::is_ascii_lowercase)
            && word.iter().filter(|c| **c == '_').count() == 1
    }

    /// `Ctrl+Shift+T`.
    fn keys(&mut self, i: usize, mut end: usize) -> Option<usize> {
        let mut keys = 1;
        loop {
            let plus = self.t.after_space(end);
            if self.t.at(plus) != '+' {
                break;
            }
            let key = self.t.after_space(plus + 1);
            let after = self.t.short_run(key, 12, |c| c.is_ascii_alphanumeric());
            let after = if after == key && !self.t.at(key).is_whitespace() && self.t.at(key).is_ascii_punctuation() {
                key + 1
            } else {
                after
            };
            if after == key {
                break;
            }
            keys += 1;
            end = after;
        }
        if keys < 2 {
            return None;
        }
        // Mouse actions and keys named by words are translated.
        let last = (i..end).rev().find(|k| matches!(self.t.at(*k), '+' | ' ')).map_or(i, |k| k + 1);
        let last = self.t.letters(last).lower();
        let said = matches!(
            last.as_str(),
            "click"
                | "drag"
                | "scroll"
                | "wheel"
                | "drop"
                | "mouse"
                | "period"
                | "comma"
                | "plus"
                | "minus"
                | "arrow"
                | "key"
                | "space"
                | "left"
                | "right"
                | "up"
                | "down"
                | "enter"
        );
        let weight = if said { Weight::Strong } else { Weight::Hard };
        let plain = self.natural.then(|| {
            let plain: String =
                self.t.slice(i, end).iter().filter(|c| **c != ' ').map(char::to_ascii_lowercase).collect();
            CanonicalValue::Text(plain.replace("control", "ctrl").into_boxed_str())
        });
        self.scan.push(Code, (i, end), weight, [plain]);
        Some(end)
    }

    /// `v2`, `v1.2.3`.
    fn version_word(&mut self, i: usize, end: usize) -> Option<usize> {
        (i + 1..end).all(|k| is_digit(self.t.at(k))).then(|| {
            let figure_end =
                if self.t.at(end) == '.' && is_digit(self.t.at(end + 1)) { self.t.digits(end + 1) } else { end };
            self.version(i, i + 1, figure_end)
        })
    }

    /// Letters with digits, such as F5, RTX4090 or 3D: they match if the other text has them, too.
    pub(super) fn mixed(&mut self, i: usize, end: usize) {
        let digits: Vec<usize> = (i..end).filter(|k| is_digit(self.t.at(*k))).collect();
        let together = digits.last().zip(digits.first()).is_some_and(|(last, first)| last - first + 1 == digits.len());
        let value = if self.natural && together && end - i <= 15 {
            digits.first().and_then(|first| self.t.small(*first, first + digits.len()))
        } else {
            None
        };
        // A product name is kept verbatim; only digits with a letter or two also count as a number: Q3, 5G, FY2026.
        let value = value.filter(|_| end - i - digits.len() <= 1 || (digits.len() == 4 && end - i == 6));
        let class = if value.is_some() && end - i == digits.len() { Number } else { Code };
        let number = value.map(|n| CanonicalValue::Number(Ratio::whole(n)));
        let lower = self.natural.then(|| CanonicalValue::Text(self.string(i, end).to_lowercase().into_boxed_str()));
        self.scan.push(class, (i, end), Weight::Strong, [number, lower]);
        // MP3s
        let plural =
            self.t.before(end) == 's' && digits.last() == Some(&(end - 2)) && self.t.at(i).is_ascii_uppercase();
        if let Some(token) = self.scan.tokens.last_mut().filter(|_| plural) {
            token.short_end = narrow(end - 1);
        }
    }
}
