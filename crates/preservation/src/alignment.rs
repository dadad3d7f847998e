//! Aligns the tokens of a translation with those of its source (PRE-2, TRN-3).
//!
//! The rounds match identical text first, then equal values, then spelled-out numbers; what remains on both sides and is of the same kind was
//! altered. Each round looks up every token once in a table, so the alignment is linear, too (PRE-6).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash};

use luna_messages::preserve::{Span, TokenClass};

use super::ratio::Ratio;
use super::text::Text;
use super::token::{CanonicalValue, Token, TokenScan, Weight, narrow};
use super::units::Dimension;

/// A map with a fixed hash, so that the same input gives the same steps; its iteration order is never used.
pub(super) type FixedHashMap<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

const NONE: u32 = u32::MAX;
/// Maximum token pairs to compare directly instead of through a table.
const MAX_DIRECT_PAIRS: usize = 64;

/// A text with its tokens.
pub(super) struct AlignedText<'a> {
    pub(super) text: &'a str,
    pub(super) folded: &'a Text,
    pub(super) scan: TokenScan,
    /// Byte offset of each character; empty for ASCII.
    bytes: Vec<u32>,
    alignments: Vec<Alignment>,
}

/// The alignment of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    Free,
    Kept(u32),
    Altered(u32),
    /// Kept, but in the place of another.
    Reordered(u32),
}

impl<'a> AlignedText<'a> {
    pub(super) fn new(text: &'a str, folded: &'a Text, scan: TokenScan) -> Self {
        let mut bytes = Vec::new();
        if !text.is_ascii() && !scan.tokens.is_empty() {
            bytes = folded.bytes_in(text);
        }
        let alignments = vec![Alignment::Free; scan.tokens.len()];
        Self { text, folded, scan, bytes, alignments }
    }

    /// The text from character `start` to `end`, or to its own end.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        let at = |place: usize| {
            if self.bytes.is_empty() {
                place.min(self.text.len())
            } else {
                self.bytes.get(place).map_or(self.text.len(), |b| *b as usize)
            }
        };
        self.text.get(at(start)..at(end)).unwrap_or("")
    }

    pub(super) fn text_of(&self, token: &Token) -> &'a str {
        self.slice(token.start as usize, token.end as usize)
    }

    /// The span of a token in the text as written, in characters.
    pub(super) fn span(&self, token: &Token) -> Span {
        let (start, end) = token.span();
        Span { start: self.folded.place(start), end: self.folded.place(end) }
    }

    /// The span of a token, in characters of the folded text.
    pub(super) fn span_of(&self, token: usize) -> Option<(usize, usize)> {
        self.scan.tokens.get(token).map(Token::span)
    }

    /// The text after a token.
    pub(super) fn rest_after(&self, token: &Token) -> &'a str {
        self.slice(token.end as usize, self.folded.len())
    }

    fn short_text_of(&self, token: &Token) -> Option<&'a str> {
        (token.short_end > 0).then(|| self.slice(token.start as usize, token.short_end as usize))
    }

    pub(super) fn alignment(&self, token: usize) -> Alignment {
        self.alignments.get(token).copied().unwrap_or(Alignment::Free)
    }

    fn is_free(&self, token: usize) -> bool {
        self.alignment(token) == Alignment::Free
    }

    fn any_free(&self, weight: Weight) -> bool {
        self.scan
            .tokens
            .iter()
            .zip(&self.alignments)
            .any(|(token, alignment)| *alignment == Alignment::Free && token.weight == weight)
    }

    pub(super) fn set(&mut self, token: usize, alignment: Alignment) {
        if let Some(place) = self.alignments.get_mut(token) {
            *place = alignment;
        }
    }
}

/// FIFO queues of tokens by key.
struct Queues<K> {
    ends: FixedHashMap<K, (u32, u32)>,
    /// A token, and the index of the entry after it.
    entries: Vec<(u32, u32)>,
}

impl<K: Hash + Eq> Queues<K> {
    fn new() -> Self {
        Self { ends: FixedHashMap::default(), entries: Vec::new() }
    }

    fn add(&mut self, key: K, token: usize) {
        let entry = narrow(self.entries.len());
        self.entries.push((narrow(token), NONE));
        let (_, tail) = self
            .ends
            .entry(key)
            .and_modify(|ends| {
                if let Some(before) = self.entries.get_mut(ends.1 as usize) {
                    before.1 = entry;
                }
                ends.1 = entry;
            })
            .or_insert((entry, entry));
        let _ = tail;
    }

    /// Takes the first free token under `key`.
    fn take<Q>(&mut self, key: &Q, is_free: impl Fn(usize) -> bool) -> Option<usize>
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let ends = self.ends.get_mut(key)?;
        while let Some((token, next)) = self.entries.get(ends.0 as usize).copied() {
            ends.0 = next;
            if is_free(token as usize) {
                return Some(token as usize);
            }
        }
        None
    }
}

/// Aligns the tokens of both sides.
pub(super) fn align(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>, natural: bool) {
    if source.scan.tokens.is_empty() && target.scan.tokens.is_empty() {
        return;
    }
    match_identical(source, target);
    match_particles(source, target);
    use Weight::{Hard, Strong, Weak};
    match_values(source, target, Hard, Hard, natural);
    // A spelled-out number counts by its value in both modes (PRE-8).
    for (one, other) in [(Hard, Strong), (Strong, Hard)] {
        match_values(source, target, one, other, true);
    }
    if natural {
        match_sums(source, target);
    }
    for (one, other) in [(Hard, Weak), (Weak, Hard), (Strong, Strong), (Strong, Weak), (Weak, Strong)] {
        match_values(source, target, one, other, true);
    }
    pair_altered(source, target);
}

fn join(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>, s: usize, t: usize) {
    source.set(s, Alignment::Kept(narrow(t)));
    target.set(t, Alignment::Kept(narrow(s)));
}

/// Matches tokens of the same class and text.
fn match_identical(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>) {
    // For a few tokens a table is not worth its cost.
    if source.scan.tokens.len().saturating_mul(target.scan.tokens.len()) <= MAX_DIRECT_PAIRS {
        for s in 0..source.scan.tokens.len() {
            let Some(token) = source.scan.tokens.get(s) else { break };
            let (class, text) = (token.class, source.text_of(token));
            let mut others = target.scan.tokens.iter().enumerate();
            let found =
                others.find(|(t, other)| other.class == class && target.is_free(*t) && target.text_of(other) == text);
            if let Some((t, _)) = found {
                join(source, target, s, t);
            }
        }
        return;
    }
    // What both texts begin with needs no table either: there the first free token is the next one.
    let pairs = source.scan.tokens.iter().zip(&target.scan.tokens);
    let begun = pairs
        .take_while(|(one, other)| one.class == other.class && source.text_of(one) == target.text_of(other))
        .count();
    for at in 0..begun {
        join(source, target, at, at);
    }
    let mut queues: Queues<(TokenClass, &str)> = Queues::new();
    for (t, token) in target.scan.tokens.iter().enumerate().skip(begun) {
        queues.add((token.class, target.text_of(token)), t);
    }
    for s in begun..source.scan.tokens.len() {
        let Some(token) = source.scan.tokens.get(s) else { break };
        if let Some(t) = queues.take(&(token.class, source.text_of(token)), |_| true) {
            join(source, target, s, t);
        }
    }
}

/// Matches the same text if one token may end in a particle, or if the context gave it another class.
fn match_particles(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>) {
    let short = |side: &AlignedText<'_>| {
        (0..side.scan.tokens.len()).any(|k| side.is_free(k) && side.scan.tokens.get(k).is_some_and(|t| t.short_end > 0))
    };
    if !short(source) && !short(target) {
        return;
    }
    let mut queues: Queues<&str> = Queues::new();
    for (t, token) in target.scan.tokens.iter().enumerate().filter(|(t, _)| target.is_free(*t)) {
        queues.add(target.text_of(token), t);
        if let Some(text) = target.short_text_of(token) {
            queues.add(text, t);
        }
    }
    for s in 0..source.scan.tokens.len() {
        let Some(token) = source.scan.tokens.get(s).filter(|_| source.is_free(s)) else { continue };
        let found = [source.text_of(token)]
            .into_iter()
            .chain(source.short_text_of(token))
            .find_map(|text| queues.take(text, |t| target.is_free(t)));
        if let Some(t) = found {
            join(source, target, s, t);
        }
    }
}

/// Matches tokens of these weights that share a value, or without `any_value` a text.
fn match_values(
    source: &mut AlignedText<'_>,
    target: &mut AlignedText<'_>,
    one: Weight,
    other: Weight,
    any_value: bool,
) {
    if !source.any_free(one) || !target.any_free(other) {
        return;
    }
    let free = |side: &AlignedText<'_>, k: usize, weight: Weight| {
        side.is_free(k) && side.scan.tokens.get(k).is_some_and(|t| t.weight == weight)
    };
    let mut pairs = Vec::new();
    {
        let mut queues: Queues<&CanonicalValue> = Queues::new();
        for (t, token) in target.scan.tokens.iter().enumerate().filter(|(t, _)| free(target, *t, other)) {
            for key in target.scan.keys_of(token).iter().filter(|key| any_value || key.is_verbatim()) {
                queues.add(key, t);
            }
        }
        let mut taken = vec![false; target.scan.tokens.len()];
        for (s, token) in source.scan.tokens.iter().enumerate().filter(|(s, _)| free(source, *s, one)) {
            let keys = source.scan.keys_of(token);
            let found = keys
                .iter()
                .filter(|key| any_value || key.is_verbatim())
                .find_map(|key| queues.take(key, |t| taken.get(t) == Some(&false)));
            if let Some(t) = found {
                if let Some(place) = taken.get_mut(t) {
                    *place = true;
                }
                pairs.push((s, t));
            }
        }
    }
    for (s, t) in pairs {
        join(source, target, s, t);
    }
}

/// Matches amounts given in several units: 1시간 30분 is 90 minutes; 5 feet 3 inches.
fn match_sums(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>) {
    if !source.any_free(Weight::Hard) && !target.any_free(Weight::Hard) {
        return;
    }
    let of_source = groups(source);
    let of_target = groups(target);
    let mut queues: Queues<(Dimension, Ratio)> = Queues::new();
    for (at, group) in of_target.iter().enumerate() {
        queues.add(group.amount, at);
    }
    for group in &of_source {
        let Some(other) = queues.take(&group.amount, |_| true).and_then(|at| of_target.get(at)) else { continue };
        for s in group.from..group.to {
            source.set(s, Alignment::Kept(narrow(other.from)));
        }
        for t in other.from..other.to {
            target.set(t, Alignment::Kept(narrow(group.from)));
        }
    }
}

struct TokenGroup {
    from: usize,
    to: usize,
    amount: (Dimension, Ratio),
}

/// Free amounts, with adjacent ones added up.
fn groups(side: &AlignedText<'_>) -> Vec<TokenGroup> {
    let mut groups: Vec<TokenGroup> = Vec::new();
    for (k, token) in side.scan.tokens.iter().enumerate() {
        if !side.is_free(k) || token.weight == Weight::Weak {
            continue;
        }
        let measure = side.scan.keys_of(token).iter().find_map(|key| match key {
            CanonicalValue::Measure(dimension, n) => Some((*dimension, *n)),
            _ => None,
        });
        let Some((dimension, n)) = measure else { continue };
        if let Some(last) =
            groups.last_mut().filter(|last| last.to == k && last.amount.0 == dimension && together(side, k))
            && let Some(sum) = last.amount.1.plus(n)
        {
            last.amount.1 = sum;
            last.to = k + 1;
            continue;
        }
        groups.push(TokenGroup { from: k, to: k + 1, amount: (dimension, n) });
    }
    groups
}

/// Whether token `k` follows the previous one with at most "and" between.
fn together(side: &AlignedText<'_>, k: usize) -> bool {
    let (Some(before), Some(token)) = (k.checked_sub(1).and_then(|b| side.scan.tokens.get(b)), side.scan.tokens.get(k))
    else {
        return false;
    };
    let (from, to) = (before.end as usize, token.start as usize);
    to >= from && to - from <= 6 && {
        let between: String = side.folded.slice(from, to).iter().filter(|c| !matches!(c, ' ' | ',')).collect();
        between.is_empty() || between == "and"
    }
}

pub(super) const fn is_amount(class: TokenClass) -> bool {
    matches!(
        class,
        TokenClass::Number | TokenClass::Date | TokenClass::Percent | TokenClass::Currency | TokenClass::Unit
    )
}

/// Pairs the remaining tokens in order as altered: first of the same class, then of a related one.
fn pair_altered(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>) {
    use Weight::{Hard, Strong};
    let same = |class: TokenClass| class as u8;
    let related = |class: TokenClass| u8::from(is_amount(class));
    for (one, other) in [(Hard, Hard), (Hard, Strong), (Strong, Hard), (Strong, Strong)] {
        pair_up(source, target, one, other, same);
        if (one, other) != (Strong, Strong) {
            pair_up(source, target, one, other, related);
        }
    }
}

fn pair_up(
    source: &mut AlignedText<'_>,
    target: &mut AlignedText<'_>,
    one: Weight,
    other: Weight,
    kind: impl Fn(TokenClass) -> u8,
) {
    if !source.any_free(one) || !target.any_free(other) {
        return;
    }
    let mut queues: Queues<u8> = Queues::new();
    for (t, token) in target.scan.tokens.iter().enumerate() {
        if target.is_free(t) && token.weight == other {
            queues.add(kind(token.class), t);
        }
    }
    for s in 0..source.scan.tokens.len() {
        let Some(token) = source.scan.tokens.get(s).filter(|t| source.is_free(s) && t.weight == one) else { continue };
        if let Some(t) = queues.take(&kind(token.class), |_| true) {
            source.set(s, Alignment::Altered(narrow(t)));
            target.set(t, Alignment::Altered(narrow(s)));
        }
    }
}
