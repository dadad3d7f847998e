//! What stands beside a number and says what it counts: 파일 3개, row 3, three tablets, CPU 85%.

mod table;

use luna_messages::preserve::TokenClass;
use luna_text::characters::IndexedText;

use super::alignment::AlignedText;
use super::joining::{Joint, WHOLE, is_article, is_function_word, joint};
use super::text::{Text, is_hangul};
use super::token::Token;
use super::units;
use table::{RowKind, meanings};

/// How far a label may be, in characters.
const REACH: usize = 24;

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
    /// Whether it counts doses or repetitions.
    strict: bool,
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
        let (from, to) = (one.end as usize, other.start as usize);
        let is_part = is_part(side, from, to);
        if one.class != other.class || !(is_part || is_joined(side.folded, from, to)) {
            continue;
        }
        let (head, tail) = found.split_at_mut(at + 1);
        if let (Some(one), Some(other)) = (head.last_mut(), tail.first_mut()) {
            one.shared.extend(other.after.iter().cloned());
            other.shared.extend(one.before.iter().cloned());
            // Three colours out of sixteen.
            if is_part {
                other.shared.extend(one.after.iter().cloned());
            }
        }
    }
    found
}

/// Whether token `at` is a number of doses or repetitions, which may not vanish even if it is spelled.
pub(super) fn is_counted_strictly(side: &AlignedText<'_>, at: usize) -> bool {
    let Some(token) = side.scan.tokens.get(at) else { return false };
    let to = side.scan.tokens.get(at + 1).map_or(side.folded.len(), |next| next.start as usize);
    own_labels(side.folded, token, (token.start as usize, to.max(token.end as usize))).0.strict
}

/// Particles that may follow a Korean noun, longer ones first.
pub(super) const PARTICLES: [&str; 22] = [
    "에게서",
    "에서",
    "에게",
    "에는",
    "으로",
    "까지",
    "부터",
    "들이",
    "들을",
    "들은",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "과",
    "와",
    "의",
    "에",
    "로",
    "들",
];

/// Whether no word of its own stands between two numbers.
pub(super) fn is_joined(text: &Text, from: usize, to: usize) -> bool {
    const JOINING: &[&str] = &["to", "and", "or", "of", "에서", "부터", "또는", "과", "와", "중", "대", "내지"];
    let words: String = text.slice(from, to.min(from + REACH)).iter().filter(|c| c.is_alphanumeric()).collect();
    words.is_empty() || JOINING.contains(&&*words)
}

/// Whether the numbers on both sides of this are a part and its whole, which have one label.
fn is_part(side: &AlignedText<'_>, from: usize, to: usize) -> bool {
    if to < from || to - from > REACH {
        return false;
    }
    let between = side.folded.string(from, to);
    between.split_whitespace().next_back().is_some_and(|last| WHOLE.contains(&last))
        || joint("", &between, "") == Joint::Part
}

/// Where a word stands, seen from its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// With a word between.
    FarBefore,
    Before,
    /// Right after it, without a space.
    Attached,
    After,
    /// After a general counter, without a particle: 5개 파일.
    AfterCounter,
    /// After what is counted: 3명이 숨지고, 3 people died.
    AfterThing,
}

/// How far a word says what the number before it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordReading {
    /// It names the thing.
    Thing,
    /// The thing may still come.
    General,
    Unknown,
}

/// The labels of a token in the space `(from, to)`, which is its own, and how far they reach.
fn own_labels(text: &Text, token: &Token, (from, to): (usize, usize)) -> (Labels, usize) {
    let (start, end) = token.span();
    let mut found = Labels::default();
    // "Twice" counts and says what.
    let said = text.slice(start, end).iter().collect::<String>().to_lowercase();
    known(&said, Place::After, &mut found);
    let reached = after(text, (end, to), token.class == TokenClass::Unit, &mut found);
    let mut at = start;
    let mut words = 0;
    while words < 2 && at > from.max(start.saturating_sub(REACH)) && !is_break(text.before(at)) {
        let next = word_start(text, at, from);
        if next < at {
            words += 1;
            // 팀은 선수 3명을: the first word is the subject.
            let place = if words == 1 { Place::Before } else { Place::FarBefore };
            read(text, (next, at), place, &mut found);
        }
        at = next.min(at - 1);
    }
    (found, reached)
}

/// Adds the labels of a number from its `end` on, at most up to `to`; returns how far they reach.
fn after(text: &Text, (end, to): (usize, usize), is_measure: bool, found: &mut Labels) -> usize {
    // 0 (left)
    let inside = text.after_space(end);
    let (mut at, mut reached) = (if text.at(inside) == '(' { inside + 1 } else { end }, end);
    let mut words = 0;
    let mut place = if is_hangul(text.at(end)) { Place::Attached } else { Place::After };
    while words < 2 && at < to.min(end + REACH) && !is_break(text.at(at)) {
        let next = word_end(text, at, to);
        let is_ordinal = at == end && text.at(at).is_ascii();
        if next > at && !is_ordinal {
            let word: String = text.slice(at, next).iter().collect();
            if matches!(place, Place::After | Place::AfterCounter) && belongs_to_next(text, &word, (at, next), to) {
                break;
            }
            // 200 g of flour, 2 cups of milk, but not exit 3 of line 2.
            if word == "of" && (is_measure || found.strict) {
                place = Place::After;
            } else if is_function_word(&word) || word == "of" {
                break;
            } else if !is_article(&word) {
                words += 1;
                let reading = read(text, (at, next), place, found);
                if reading != WordReading::Unknown || words == 1 {
                    reached = next;
                }
                match place_after(&word, place, reading) {
                    Some(following) => place = following,
                    None => break,
                }
            }
        }
        at = next.max(at + 1);
    }
    reached
}

/// Whether a Korean word after a number is rather the label of the next one, at `to`: 최소 1 최대 79.
fn belongs_to_next(text: &Text, word: &str, (start, end): (usize, usize), to: usize) -> bool {
    let is_beside = to < text.len() && to <= end + 1 && word.starts_with(is_hangul);
    // 35개 도시의 12명, 3 개 5 상자
    is_beside && !word.ends_with('의') && !is_modifier(text, start) && units::counter(text, start, |_| true).is_none()
}

/// Whether the word before `at` says something of the word there: 3억 원이던 예산.
fn is_modifier(text: &Text, at: usize) -> bool {
    text.before(at) == ' ' && at >= 2 && matches!(text.at(at - 2), '의' | '던' | '인')
}

/// The place of the word after this one; `None` if it does not belong to the number.
fn place_after(word: &str, place: Place, reading: WordReading) -> Option<Place> {
    match (reading, place) {
        // What happens to what was counted: 3명이 숨지고. 5개가 폴더에: what was counted stands before.
        (WordReading::Thing, Place::Attached) => Some(Place::AfterThing),
        (WordReading::General, _) => Some(if is_open(word) { Place::AfterCounter } else { Place::AfterThing }),
        (WordReading::Thing, _) => word.is_ascii().then_some(Place::AfterThing),
        (WordReading::Unknown, Place::Attached) if !is_open(word) => None,
        _ => Some(Place::After),
    }
}

/// Whether what a Korean counter counts may stand after it: 5개 파일, 5개의 파일, but not 파일 5개가.
fn is_open(word: &str) -> bool {
    match beginning(word, Place::Attached) {
        Some((counter, _)) => matches!(word.strip_prefix(counter), Some("" | "의")),
        None => word.ends_with('의') || !PARTICLES.iter().any(|particle| word.ends_with(particle)),
    }
}

/// Whether a label does not reach across this sign.
pub(super) const fn is_break(c: char) -> bool {
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

/// The longest beginning of a Korean word that the table knows, which a particle may follow, and whether it is a general counter.
fn beginning(word: &str, place: Place) -> Option<(&str, bool)> {
    let mut ends: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let (beginning, particle) = word.split_at_checked(end)?;
        let meanings = meanings(beginning)?;
        // 소 is a cow, 소리 is not.
        let syllable = place != Place::Attached && beginning.chars().count() == 1;
        let fits = match place {
            Place::FarBefore => !PARTICLES.contains(&particle) || particle == "의",
            _ => !syllable || PARTICLES.contains(&particle),
        };
        (particle.is_empty() || fits).then_some((beginning, meanings.general))
    })
}

/// Adds what the word from `start` to `end` means. A name after a number is rather what comes next.
fn read(text: &Text, (start, end): (usize, usize), place: Place, labels: &mut Labels) -> WordReading {
    let word: String = text.slice(start, end).iter().collect();
    if word.starts_with(is_hangul) {
        return beginning(&word, place).map_or(WordReading::Unknown, |(word, _)| known(word, place, labels));
    }
    let lower = word.to_lowercase();
    let found = known(&lower, place, labels);
    if found == WordReading::Unknown && matches!(place, Place::FarBefore | Place::Before) && lower.len() > 1 {
        labels.before.push(Label::Name(lower));
    }
    found
}

/// Adds the things that the table knows under `word`. A general counter (번째, 개) has none: the thing stands after it.
fn known(word: &str, place: Place, labels: &mut Labels) -> WordReading {
    let Some(meanings) = meanings(word) else { return WordReading::Unknown };
    let before = matches!(place, Place::FarBefore | Place::Before);
    if meanings.general && !before {
        return WordReading::General;
    }
    let fits = |kind: RowKind| match place {
        Place::FarBefore | Place::Before | Place::AfterCounter => true,
        // A Korean sentence ends in its predicate, whatever number stands before it.
        Place::After => kind != RowKind::Predicate || word.is_ascii(),
        Place::Attached => !matches!(kind, RowKind::Noun | RowKind::Predicate),
        Place::AfterThing => kind == RowKind::Predicate,
    };
    let mut reading = WordReading::Unknown;
    for (row, kind) in meanings.rows.iter().filter(|(_, kind)| fits(*kind)) {
        reading = WordReading::Thing;
        if before {
            labels.before.push(Label::Thing(*row));
        } else {
            labels.after.push(Label::Thing(*row));
            labels.strict |= *kind == RowKind::Strict;
        }
    }
    reading
}
