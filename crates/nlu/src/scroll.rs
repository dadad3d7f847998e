//! Scrolling: where to and how far (NLU-2, DSL-2).

use luna_messages::dsl::{ScrollAmount, ScrollDirection};

use super::draft::Scene;
use super::fillers::lines;
use super::template::expand;
use super::trie::Trie;

/// Words of scrolling.
#[derive(Debug, Clone)]
pub struct Scrolling {
    words: Trie<ScrollWord>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ScrollWord {
    direction: Option<ScrollDirection>,
    amount: Option<ScrollAmount>,
    bare_page: bool,
    neutral: bool,
}

/// What words of scrolling say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Said {
    /// Where to.
    pub direction: Option<ScrollDirection>,
    /// How far.
    pub amount: Option<ScrollAmount>,
}

impl Default for Scrolling {
    fn default() -> Self {
        let mut words = Trie::default();
        for (section, line) in lines(include_str!("words/scroll.txt")) {
            let has = |word: &str| section.split(' ').any(|part| part == word);
            let word = ScrollWord {
                direction: match (has("up"), has("down")) {
                    (true, _) => Some(ScrollDirection::Up),
                    (_, true) => Some(ScrollDirection::Down),
                    _ => None,
                },
                amount: match (has("end"), has("small"), has("page") && !has("bare")) {
                    (true, ..) => Some(ScrollAmount::End),
                    (_, true, _) => Some(ScrollAmount::Small),
                    (.., true) => Some(ScrollAmount::Page),
                    _ => None,
                },
                bare_page: has("bare"),
                neutral: has("neutral"),
            };
            expand(line, 1000).iter().for_each(|phrase| words.insert(phrase, word));
        }
        Self { words }
    }
}

impl Scrolling {
    /// What a range says about scrolling, if it says nothing else.
    #[must_use]
    pub fn read(&self, scene: &Scene<'_>, from: usize, to: usize) -> Option<Said> {
        let heard = scene.heard;
        // Whether the cells from here on can be read, and by which word: the longest that leaves a readable rest.
        let n = to.checked_sub(from)?;
        if n > 60 {
            return None;
        }
        let mut next: Vec<Option<(usize, Option<ScrollWord>)>> = vec![None; n + 1];
        for at in (from..to).rev() {
            let mut best: Option<(usize, Option<ScrollWord>)> = None;
            let fits = |end: usize| end == to || next.get(end - from).is_some_and(Option::is_some);
            let mut keep = |end: usize, word: Option<ScrollWord>| {
                if end <= to
                    && fits(end)
                    && best.is_none_or(|(last, known)| end > last || (end == last && known.is_none()))
                {
                    best = Some((end, word));
                }
            };
            scene.grease.fillers(heard, at, |end| keep(end, None));
            self.words.at(&heard.cells, at, |end, word| keep(end, Some(*word)));
            if let Some(cell) = next.get_mut(at - from) {
                *cell = best;
            }
        }
        let mut said = Said::default();
        let mut bare_page = false;
        let mut at = from;
        while at < to {
            let (end, word) = next.get(at - from).copied().flatten()?;
            at = end;
            let Some(word) = word.filter(|word| !word.neutral) else { continue };
            bare_page |= word.bare_page;
            said.direction = word.direction.or(said.direction);
            said.amount = match (said.amount, word.amount) {
                (Some(ScrollAmount::End), _) | (_, None) => said.amount,
                (_, amount) => amount,
            };
        }
        if bare_page && said.amount.is_none() {
            said.amount = Some(ScrollAmount::Page);
        }
        Some(said)
    }
}
