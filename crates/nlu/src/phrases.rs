//! Phrases with what they mean, found however they are said: the reflex vocabulary, and any other list of phrases.

use std::collections::BTreeMap;

use super::fillers::{FillerWords, Tail, lines};
use super::normalised::{NormalisedUtterance, compact};
use super::slips::{Slips, budget, units};
use super::template::expand;
use super::trie::Trie;
use super::unit_tree::UnitTree;
use super::verbs::{Class, forms};
use luna_text::hangul::{has_final, jamo};

/// A template grows to at most so many phrases.
pub(super) const MOST: usize = 8_000;
/// Letters of an utterance that can be a phrase.
const LONGEST: usize = 80;
/// Steps of a search, against utterances that are made to be slow.
const STEPS: usize = 4_000;
/// Cells of a phrase that is compared letter by letter.
const LONGEST_SLIP: usize = 16;

/// Phrases by label.
#[derive(Debug, Clone, Default)]
pub struct PhraseBook {
    phrases: Trie<(u32, Class)>,
    stems: BTreeMap<&'static str, &'static str>,
    slips: Slips,
    near: UnitTree,
    /// What follows a phrase that is no form of a verb.
    plain: Option<Class>,
    not_slips: Trie<()>,
}

/// What one utterance is, as far as grease goes.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Where a command may begin.
    pub starts: Vec<usize>,
    /// What may stand after it.
    pub tail: Tail,
}

impl Frame {
    /// Looks at both ends of an utterance.
    #[must_use]
    pub fn new(heard: &NormalisedUtterance, grease: &FillerWords) -> Self {
        Self { starts: grease.starts(heard), tail: grease.tail(heard) }
    }
}

impl PhraseBook {
    /// A book without phrases.
    #[must_use]
    pub fn new() -> Self {
        let mut book = Self::default();
        for (_, line) in lines(include_str!("words/stems.txt")) {
            if let Some((stem, infinitive)) = line.split_once(' ') {
                book.stems.insert(stem, infinitive);
            }
        }
        for (_, line) in lines(include_str!("words/not_slips.txt")) {
            line.split(' ').for_each(|word| book.not_slips.insert(word, ()));
        }
        book
    }

    /// A book of what can be read: "다음 문장" may be followed by 읽어 줘, 가 줘.
    #[must_use]
    pub fn of_reading() -> Self {
        Self { plain: Some(Class::Phrase), ..Self::new() }
    }

    /// Adds the phrases of a template under a label. `a [b] (c|d)` stands for several, `<멈추>` for the forms of a known verb.
    pub fn add(&mut self, label: u32, template: &str) {
        for phrase in expand(template, MOST) {
            match phrase.find('<') {
                Some(at) => {
                    let (head, verb) = phrase.split_at(at);
                    let stem = verb.trim_start_matches('<').trim_end_matches('>');
                    let Some((stem, infinitive)) = self.stems.get_key_value(stem) else { continue };
                    for (form, class) in forms(stem, infinitive) {
                        self.insert(&format!("{head}{form}"), label, class, class == Class::Infinitive);
                    }
                }
                None => {
                    self.insert(&phrase, label, self.plain.unwrap_or(Class::Noun), true);
                    if looks_infinitive(&phrase) {
                        self.insert(&phrase, label, Class::Infinitive, true);
                    }
                }
            }
        }
    }

    fn insert(&mut self, phrase: &str, label: u32, class: Class, near: bool) {
        let words: Vec<String> = phrase.split_whitespace().map(|word| compact(word).into_iter().collect()).collect();
        self.phrases.insert(&words.join(" "), (label, class));
        let cells: Vec<char> = words.concat().chars().collect();
        let latin = cells.iter().all(char::is_ascii);
        if !near || cells.len() > LONGEST_SLIP * if latin { 2 } else { 1 } {
            return;
        }
        let units = units(&cells);
        if budget(units.len(), latin) > 0 {
            self.near.insert(&units, (label, class));
        }
    }

    /// The label of the phrase that the whole utterance is, grease aside. Where two fit, the one with more words of its own.
    #[must_use]
    pub fn find(&self, heard: &NormalisedUtterance, grease: &FillerWords, frame: &Frame) -> Option<u32> {
        if heard.len() > LONGEST {
            return None;
        }
        let mut steps = STEPS;
        let mut best: Option<(usize, u32)> = None;
        for &start in &frame.starts {
            self.walk(heard, grease, start, &mut steps, |at, own, label, class| {
                if best.is_none_or(|(most, _)| own > most) && grease.after(heard, &frame.tail, at, class, true) {
                    best = Some((own, label));
                }
            });
        }
        best.map(|(_, label)| label)
    }

    /// The labels of the phrases that the utterance is a row of: "멈춰 멈춰", "stop, next".
    #[must_use]
    pub fn row(&self, heard: &NormalisedUtterance, grease: &FillerWords, frame: &Frame) -> Option<Vec<u32>> {
        if heard.len() > LONGEST {
            return None;
        }
        let mut steps = STEPS;
        // Places where a phrase may begin, with the labels before them; each place once.
        let mut places: Vec<(usize, Vec<u32>)> = frame.starts.iter().map(|start| (*start, Vec::new())).collect();
        let mut next = 0;
        while let Some((start, labels)) = places.get(next).cloned() {
            next += 1;
            let mut reached = Vec::new();
            self.walk(heard, grease, start, &mut steps, |at, _, label, class| reached.push((at, label, class)));
            reached.sort_unstable_by_key(|found| std::cmp::Reverse(found.0));
            for (at, label, class) in reached {
                let mut row = labels.clone();
                row.push(label);
                if !labels.is_empty() && grease.after(heard, &frame.tail, at, class, true) {
                    return Some(row);
                }
                let mut add = |place: usize| {
                    if places.len() < 200 && !places.iter().any(|known| known.0 == place) {
                        places.push((place, row.clone()));
                    }
                };
                for end in grease.endings(heard, at, class) {
                    add(end);
                    grease.between(heard, end, &mut add);
                }
            }
        }
        None
    }

    fn walk(
        &self,
        heard: &NormalisedUtterance,
        grease: &FillerWords,
        start: usize,
        steps: &mut usize,
        mut tell: impl FnMut(usize, usize, u32, Class),
    ) {
        // With whether the last cell was one of the phrase: "번역가" is no 번역 with a particle.
        let mut open = vec![(Trie::<()>::ROOT, start, 0_usize, true)];
        while let Some((node, at, own, ends)) = open.pop() {
            let Some(left) = steps.checked_sub(1) else { return };
            *steps = left;
            if ends {
                self.phrases.values(node).iter().for_each(|(label, class)| tell(at, own, *label, *class));
            }
            if node != Trie::<()>::ROOT && self.phrases.border(node) {
                grease.between(heard, at, |end| open.push((node, end, own, false)));
            }
            if let Some(next) = heard.cells.get(at).and_then(|c| self.phrases.step(node, *c)) {
                open.push((next, at + 1, own + 1, true));
            }
        }
    }

    /// The label of the phrase that the utterance is but for a slip of the ear or the hand, if only one label is that near. `limit`: how much
    /// may have been misheard.
    #[must_use]
    pub fn near(&self, heard: &NormalisedUtterance, grease: &FillerWords, frame: &Frame, limit: u16) -> Option<u32> {
        if heard.len() > 3 * LONGEST_SLIP {
            return None;
        }
        let after = |end: usize, class: Class| grease.after(heard, &frame.tail, end, class, true);
        let classes = [Class::Infinitive, self.plain.unwrap_or(Class::Noun)];
        let latin = !heard.has_hangul();
        let longest = LONGEST_SLIP * if latin { 2 } else { 1 };
        let (mut best, mut rival): (Option<(u16, u32)>, u16) = (None, u16::MAX);
        // A syllable of hesitation that is glued to what is misheard besides is a part of a word: 어차피, 아이패드.
        let starts = frame.starts.iter().filter(|start| **start != 1 || heard.gap(1));
        for &start in starts.take(6) {
            // Where a phrase that begins here may end, in cells and in units.
            let mut ends: Vec<(usize, usize)> = Vec::new();
            let mut said = Vec::new();
            for end in start + 1..=(start + longest).min(heard.len()) {
                said.extend(units(heard.part(end - 1, end)));
                let ordinary = self.not_slips.get(heard.part(start, end)).is_some();
                if !ordinary && classes.iter().any(|class| after(end, *class)) {
                    ends.push((end, said.len()));
                }
            }
            let Some(&(_, most)) = ends.last() else { continue };
            said.truncate(most);
            let limit = limit.min(budget(said.len() + 1, latin));
            self.near.search(&self.slips, &said, limit, |row, length, (label, class)| {
                let most = budget(length, latin);
                let fitting = ends.iter().filter(|(end, _)| after(*end, *class));
                let Some(price) = fitting.filter_map(|(_, units)| row.get(*units).copied()).min() else { return };
                if price > most.min(limit) {
                    return;
                }
                match best {
                    Some((least, known)) if known == *label => best = Some((least.min(price), known)),
                    Some((least, _)) if price < least => {
                        rival = rival.min(least);
                        best = Some((price, *label));
                    }
                    Some(_) => rival = rival.min(price),
                    None => best = Some((price, *label)),
                }
            });
        }
        best.filter(|(price, _)| *price < rival).map(|(_, label)| label)
    }

    /// Labels that share a phrase, with it: there must be none.
    #[must_use]
    pub fn collisions(&self, phrases: &[String]) -> Vec<(String, Vec<u32>)> {
        let mut found = Vec::new();
        for phrase in phrases {
            let mut node = Trie::<()>::ROOT;
            let reached = compact(phrase).iter().all(|c| {
                self.phrases.step(node, *c).is_some_and(|next| {
                    node = next;
                    true
                })
            });
            let mut labels: Vec<u32> = self.phrases.values(node).iter().map(|value| value.0).collect();
            labels.sort_unstable();
            labels.dedup();
            if reached && labels.len() > 1 {
                found.push((phrase.clone(), labels));
            }
        }
        found
    }
}

/// Whether a phrase may end in an infinitive: 켜, 읽어, 내려, 가.
fn looks_infinitive(phrase: &str) -> bool {
    let last = phrase.chars().next_back();
    last.filter(|c| !has_final(*c))
        .and_then(jamo)
        .is_some_and(|(_, vowel, _)| matches!(vowel, 'ㅏ' | 'ㅓ' | 'ㅐ' | 'ㅔ' | 'ㅕ' | 'ㅝ' | 'ㅘ' | 'ㅙ'))
}
