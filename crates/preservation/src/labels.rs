//! What stands beside a number and says what it counts: 파일 3개, row 3, three tablets, CPU 85%.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::OnceLock;

use super::alignment::AlignedText;
use super::text::{Text, is_hangul};
use super::token::Token;

/// How far a label may be, in characters.
const REACH: usize = 24;

/// The rows of each word.
type Words = HashMap<&'static str, Vec<u16>, BuildHasherDefault<DefaultHasher>>;

#[derive(Default)]
struct Table {
    words: Words,
    /// The rows of doses and repetitions.
    strict: Vec<u16>,
}

/// The words of the table, each with the numbers of its rows. A row holds the words of both languages for one thing.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        let rows = include_str!("labels.tsv").lines().filter(|line| !line.starts_with('#'));
        for (row, line) in (0..).zip(rows) {
            let mut columns = line.split('\t');
            let (korean, english) = (columns.next().unwrap_or(""), columns.next());
            if columns.next() == Some("strict") {
                table.strict.push(row);
            }
            for word in korean.split(' ').chain(english.into_iter().flat_map(|words| words.split(' '))) {
                let things = table.words.entry(word).or_default();
                if english.is_some() {
                    things.push(row);
                }
            }
        }
        table
    })
}

/// What a label means: a row of the table, or a Latin word that both languages write alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Label {
    Thing(u16),
    Name(String),
}

/// The labels of a number.
#[derive(Debug, Default, Clone)]
pub(super) struct Labels {
    /// What follows it closely.
    after: Vec<Label>,
    /// What stands before it.
    before: Vec<Label>,
    /// What it shares with a number beside it: 3/5 pages, pages 3 to 5.
    shared: Vec<Label>,
}

impl Labels {
    pub(super) fn own(&self) -> impl Iterator<Item = &Label> {
        self.after.iter().chain(&self.before)
    }

    pub(super) fn shares(&self, label: &Label) -> bool {
        self.shared.contains(label)
    }
}

/// The labels of all `numbers`, tokens in order.
pub(super) fn labels(side: &AlignedText<'_>, numbers: &[&Token]) -> Vec<Labels> {
    let mut found: Vec<Labels> = Vec::with_capacity(numbers.len());
    // A word between two numbers belongs to the first one.
    let mut from = 0;
    for (at, token) in numbers.iter().enumerate() {
        let to = numbers.get(at + 1).map_or(side.folded.len(), |token| token.start as usize);
        let (labels, end) = own_labels(side.folded, token, (from, to));
        found.push(labels);
        from = end;
    }
    for (at, pair) in numbers.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        if one.class != other.class || !is_joined(side.folded, one.end as usize, other.start as usize) {
            continue;
        }
        let (head, tail) = found.split_at_mut(at + 1);
        if let (Some(one), Some(other)) = (head.last_mut(), tail.first_mut()) {
            one.shared.extend(other.after.iter().cloned());
            other.shared.extend(one.before.iter().cloned());
        }
    }
    found
}

/// Whether token `at` is a number of doses or repetitions, which may not vanish even if it is spelled.
pub(super) fn is_counted_strictly(side: &AlignedText<'_>, at: usize) -> bool {
    let Some(token) = side.scan.tokens.get(at) else { return false };
    let to = side.scan.tokens.get(at + 1).map_or(side.folded.len(), |next| next.start as usize);
    let (labels, _) = own_labels(side.folded, token, (token.start as usize, to.max(token.end as usize)));
    labels.after.iter().any(|label| matches!(label, Label::Thing(row) if table().strict.contains(row)))
}

/// Whether no word of its own stands between two numbers.
fn is_joined(text: &Text, from: usize, to: usize) -> bool {
    const JOINING: &[&str] = &["to", "and", "or", "of", "에서", "부터", "또는", "과", "와", "중"];
    let words: String = text.slice(from, to.min(from + REACH)).iter().filter(|c| c.is_alphanumeric()).collect();
    words.is_empty() || JOINING.contains(&&*words)
}

/// The labels of a token in the space `(from, to)`, which is its own, and how far they reach.
fn own_labels(text: &Text, token: &Token, (from, to): (usize, usize)) -> (Labels, usize) {
    let (start, end) = token.span();
    let mut found = Labels::default();
    // "Twice" counts and says what.
    known(&text.slice(start, end).iter().collect::<String>().to_lowercase(), &mut found.after);
    // In Korean a general counter may stand before what is counted; in English the second word after a number may be a verb.
    let mut at = end;
    let mut words = 0;
    while words < 2 && at < to.min(end + REACH) && !is_break(text.at(at)) {
        let next = word_end(text, at, to);
        let is_ordinal = at == end && text.at(at).is_ascii();
        if next > at && !is_ordinal {
            let last = add(text, (at, next), &mut found.after, false);
            words += if last || text.at(at).is_ascii() { 2 } else { 1 };
        }
        at = next.max(at + 1);
    }
    let reached = at;
    let mut at = start;
    let mut words = 0;
    while words < 2 && at > from.max(start.saturating_sub(REACH)) && !is_break(text.before(at)) {
        let next = word_start(text, at, from);
        if next < at {
            words += 1;
            add(text, (next, at), &mut found.before, true);
        }
        at = next.min(at - 1);
    }
    (found, reached)
}

/// Whether a label does not reach across this sign.
const fn is_break(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | '\n' | '|' | '\t' | '(' | ')' | '/' | '!' | '?')
}

/// The kind of letters that make a word: 1 for Hangul, 2 for Latin ones; 0 for none.
const fn script(c: char) -> u8 {
    if is_hangul(c) {
        1
    } else if c.is_ascii_alphabetic() {
        2
    } else {
        0
    }
}

fn word_end(text: &Text, at: usize, to: usize) -> usize {
    let kind = script(text.at(at));
    if kind == 0 { at } else { text.short_run(at, (to - at).min(REACH), |c| script(c) == kind) }
}

fn word_start(text: &Text, at: usize, from: usize) -> usize {
    let kind = script(text.before(at));
    let mut start = at;
    while kind != 0 && start > from && at - start < REACH && script(text.before(start)) == kind {
        start -= 1;
    }
    start
}

/// Adds what the word from `start` to `end` means; whether nothing after it belongs to the number. A name after a number is rather what comes next.
fn add(text: &Text, (start, end): (usize, usize), labels: &mut Vec<Label>, names: bool) -> bool {
    let word: String = text.slice(start, end).iter().collect();
    if word.starts_with(is_hangul) {
        // The longest beginning that the table knows; a particle may follow it.
        let mut ends: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        ends.reverse();
        let found = ends.into_iter().find_map(|end| {
            let (beginning, particle) = word.split_at_checked(end)?;
            Some((known(beginning, labels)?, particle))
        });
        // 파일 5개가 폴더에: what was counted stands before.
        return found.is_some_and(|(is_thing, particle)| is_thing || !matches!(particle, "" | "의"));
    }
    let lower = word.to_lowercase();
    let found = known(&lower, labels);
    if found.is_none() && names && lower.len() > 1 {
        labels.push(Label::Name(lower));
    }
    found == Some(true)
}

/// Adds the things that the table knows under `word`. A general word (번째, 개) has none: the thing stands after it.
fn known(word: &str, labels: &mut Vec<Label>) -> Option<bool> {
    let things = table().words.get(word)?;
    labels.extend(things.iter().map(|thing| Label::Thing(*thing)));
    Some(!things.is_empty())
}
