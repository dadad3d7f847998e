//! What stays the same in a label while counters and clocks in it change (SCR-1).

use unicode_normalization::UnicodeNormalization as _;

/// What separates the parts of a label, each of which may be a counter.
const SEPARATORS: [char; 7] = [',', ';', '·', '•', '|', '、', '/'];
/// What encloses a counter.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('（', '）'), ('{', '}')];
/// Counters behind a number, which go with it: "3개", "5 new".
const COUNTERS: [&str; 18] = [
    "개", "건", "통", "명", "번", "회", "장", "월", "년", "일", "시", "분", "초", "%", "new", "unread", "items", "개의",
];
/// Units of a time: a label with a number before one of these is a clock, a date or an age.
const TIME_UNITS: [&str; 14] =
    ["시", "분", "초", "일", "월", "년", "am", "pm", "min", "mins", "minutes", "hours", "days", "seconds"];
/// Names of months and days, which make a date of a number.
const DATE_WORDS: [&str; 28] = [
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
];

/// The part of a label that names its element whatever the counters in it say, in small letters; `None` if nothing is left: it is a clock, a date or a mere
/// number. An empty label stays empty.
#[must_use]
pub fn stable_label(label: &str) -> Option<String> {
    let label: String = label.nfkc().flat_map(char::to_lowercase).collect();
    let label = label.trim();
    if label.is_empty() {
        return Some(String::new());
    }
    if is_time(label) {
        return None;
    }
    let whole = without_brackets(label);
    let parts: Vec<&str> = whole.split(SEPARATORS).map(str::trim).collect();
    let has_digit = |part: &&str| part.chars().any(char::is_numeric);
    let named: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty() && !has_digit(part)).collect();
    let stable = if named.is_empty() { without_numbers(&whole) } else { named.join(" ") };
    let words: Vec<&str> = stable.split(|c: char| c.is_whitespace() || is_mark(c)).filter(|w| !w.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Signs of a changed document or of news, which come and go.
const fn is_mark(c: char) -> bool {
    matches!(c, '*' | '●' | '•' | '○' | '+' | ':' | '#' | '…')
}

/// Without what stands in brackets with a number in it.
fn without_brackets(label: &str) -> String {
    let mut left = label.to_owned();
    for (open, close) in BRACKETS {
        let mut from = 0;
        while let Some(begin) = left[from..].find(open).map(|at| from + at) {
            let Some(end) = left[begin..].find(close).map(|at| begin + at + close.len_utf8()) else { break };
            if left[begin..end].chars().any(char::is_numeric) {
                left.replace_range(begin..end, " ");
                from = begin;
            } else {
                from = end;
            }
        }
    }
    left
}

/// Without the words that are numbers, and the counters behind them.
fn without_numbers(text: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut after_number = false;
    for word in text.split_whitespace() {
        let has_number = word.chars().any(char::is_numeric);
        let rest: String = word.chars().filter(|c| !c.is_numeric()).collect();
        let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
        let is_counter = (has_number || after_number) && COUNTERS.contains(&rest);
        if !is_counter && !rest.is_empty() {
            kept.push(rest.to_owned());
        }
        after_number = has_number && rest.is_empty();
    }
    kept.join(" ")
}

/// Whether a label is a time, a date or an age.
fn is_time(label: &str) -> bool {
    let characters: Vec<char> = label.chars().collect();
    let is_clock = characters.windows(3).any(|three| three[0].is_numeric() && three[1] == ':' && three[2].is_numeric());
    let is_date = characters
        .windows(3)
        .filter(|three| three[0].is_numeric() && matches!(three[1], '-' | '.' | '/') && three[2].is_numeric())
        .count()
        >= 2;
    if is_clock || is_date {
        return true;
    }
    let words: Vec<&str> =
        label.split(|c: char| c.is_whitespace() || matches!(c, ',' | '.')).filter(|word| !word.is_empty()).collect();
    let has_number = label.chars().any(char::is_numeric);
    let mut before_is_number = false;
    let mut has_unit = false;
    for word in &words {
        let digits = word.chars().take_while(|c| c.is_numeric()).count();
        let rest: String = word.chars().skip(digits).collect();
        has_unit |= (digits > 0 || before_is_number) && TIME_UNITS.contains(&rest.as_str());
        before_is_number = digits > 0 && rest.is_empty();
    }
    has_unit || has_number && words.iter().any(|word| DATE_WORDS.contains(word))
}
