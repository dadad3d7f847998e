//! Words that are nearly the words that commands hang on (RNK-2): "클맄해 줘", "klick".

use super::fillers::{FillerWords, lines};
use super::normalised::NormalisedUtterance;
use super::slips::{Slips, budget, units};
use super::trie::Trie;
use super::unit_tree::UnitTree;
use super::verbs::Class;

/// The words, compared by sound.
#[derive(Debug, Clone, Default)]
pub struct Repair {
    tree: UnitTree,
    known: Trie<()>,
    words: Vec<&'static str>,
    slips: Slips,
    not_slips: Trie<()>,
}

impl Repair {
    /// Reads the list.
    #[must_use]
    pub fn new() -> Self {
        let mut repair = Self::default();
        for word in lines(include_str!("words/repair.txt")).flat_map(|line| line.1.split(' ')) {
            let cells = super::normalised::compact(word);
            if let Ok(index) = u32::try_from(repair.words.len()) {
                repair.tree.insert(&units(&cells), (index, Class::Noun));
                repair.known.insert(word, ());
                repair.words.push(word);
            }
        }
        for (_, line) in lines(include_str!("words/not_slips.txt")) {
            line.split(' ').for_each(|word| repair.not_slips.insert(word, ()));
        }
        repair
    }

    /// The utterance with the one word put right that is nearest to one of the list; none if there is no such word.
    #[must_use]
    pub fn repair(&self, heard: &NormalisedUtterance, grease: &FillerWords) -> Option<String> {
        let latin = !heard.has_hangul();
        let mut best: Option<(u16, usize, usize, &'static str)> = None;
        for (from, to) in heard.words(0, heard.len()) {
            for end in from + 2..=to.min(from + 8) {
                let core = heard.part(from, end);
                // Latin words are whole, Korean ones may carry endings.
                if (latin && end < to) || self.known.get(core).is_some() || self.not_slips.get(core).is_some() {
                    continue;
                }
                let endings = end == to
                    || grease
                        .endings(heard, end, Class::Noun)
                        .into_iter()
                        .chain(grease.endings(heard, end, Class::Infinitive))
                        .any(|e| e == to);
                if !endings {
                    continue;
                }
                let said = units(core);
                let limit = budget(said.len(), latin).min(2);
                self.tree.search(&self.slips, &said, limit, |row, length, (index, _)| {
                    let Some(&price) = row.last() else { return };
                    let word = usize::try_from(*index).ok().and_then(|index| self.words.get(index)).copied();
                    if let Some(word) = word
                        && price > 0
                        && price <= budget(length, latin).min(limit)
                        && best.is_none_or(|(least, ..)| price < least)
                    {
                        best = Some((price, from, end, word));
                    }
                });
            }
        }
        let (_, from, to, word) = best?;
        let mut text = heard.said(0, from);
        text.push(' ');
        text.push_str(word);
        if to < heard.len() {
            if heard.gap(to) {
                text.push(' ');
            }
            text.push_str(&heard.said(to, heard.len()));
        }
        Some(text)
    }
}
