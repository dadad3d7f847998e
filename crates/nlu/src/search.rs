//! The search: the cheapest ways through the grammar that take a whole utterance (NLU-6).
//!
//! From the first cell to the last, each state keeps its best few ways so far. A word of the lexicon costs next to nothing, free text costs by the letter,
//! a slip of the ear by how far it is: the price of a way says how well the utterance is said that it stands for.
//!
//! It is searched twice at most: for what is said exactly, then with words found by sound. The second search begins where the first such word does.

mod found;
mod front;

use super::grammar::{Network, TextKind};
use super::lexicon::{Lexicon, Mood};
use super::normalised::NormalisedUtterance;
use super::numbers::Numbers;
use super::trie::Trie;

use self::found::{Found, FoundWords};
use self::front::{Front, NONE, Node, Scratch};

/// Cells of the longest utterance that is searched; more is a text.
pub const LONGEST: usize = 160;
/// Steps of one search, against utterances that are made to be slow.
const STEPS: u32 = 60_000;
/// A way that costs so much more than the best one to the same cell is given up.
const BEAM: u32 = 150;
/// At most so many ways are told of.
const WAYS: usize = 12;

/// Prices of free text.
mod price {
    /// To begin one.
    pub const TEXT: u32 = 40;
    pub const CELL: u32 = 6;
    pub const LATIN_CELL: u32 = 2;
    /// A further word.
    pub const WORD: u32 = 28;
    /// A further word that begins an order: likelier it is the next one.
    pub const ORDER: u32 = 30;
    /// A further word behind a particle, which few names have inside.
    pub const PARTED: u32 = 24;
    /// A further word behind a pause, where few names go on.
    pub const PAUSE: u32 = 40;
    /// What a cell costs besides where there are no spaces.
    pub const CELL_UNSPACED: u32 = 8;
    /// To begin it inside a word.
    pub const INSIDE: u32 = 70;
    pub const INSIDE_UNSPACED: u32 = 12;
    /// To begin to tell something besides, and a further word of it.
    pub const TALK: u32 = 24;
    pub const TALK_WORD: u32 = 3;
    /// To tell a quoted text besides.
    pub const QUOTED_TALK: u32 = 200;
    /// A label of the screen, whatever its length.
    pub const LABEL: u32 = 1;
    /// What controls are usually called.
    pub const USUAL: u32 = 36;
    /// Each word of the lexicon, so that fewer and longer ones win.
    pub const EACH: u32 = 4;
}

/// One word of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WayStep {
    /// The name that the grammar gives it.
    pub name: u16,
    /// The entry of the lexicon.
    pub entry: u16,
    /// The number that was said.
    pub value: i32,
    /// What the form of the word says.
    pub mood: Mood,
    /// The first cell.
    pub from: usize,
    /// The cell after the last.
    pub to: usize,
}

/// A whole way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What all of it costs.
    pub cost: u32,
    /// Its words, from left to right.
    pub steps: Vec<WayStep>,
}

/// What is searched in.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The rules.
    pub network: &'a Network,
    /// The words.
    pub lexicon: &'a Lexicon,
    /// Numbers and places in a row.
    pub numbers: &'a Numbers,
    pub heard: &'a NormalisedUtterance,
    /// Labels on the screen, as they are compared.
    pub labels: &'a std::collections::BTreeSet<Vec<char>>,
    /// What controls are usually called.
    pub usual: &'a Trie<()>,
    /// Whether a lone number or "이번" is a place.
    pub open: bool,
}

/// A search of one utterance.
#[derive(Debug)]
pub struct WaySearch<'a> {
    with: Sources<'a>,
    /// For each cell, whether there are no spaces to go by.
    unspaced: Vec<bool>,
    found: FoundWords,
    scratch: Scratch,
    /// Steps that may still be taken.
    left: u32,
}

impl<'a> WaySearch<'a> {
    /// Finds the words of an utterance.
    #[must_use]
    pub fn new(with: Sources<'a>) -> Self {
        let cells = with.heard.len();
        let unspaced = with.heard.run_together();
        let found = if cells > LONGEST { FoundWords::default() } else { FoundWords::new(&with, &unspaced) };
        Self { with, unspaced, found, scratch: Scratch::default(), left: STEPS }
    }

    /// The cheapest ways that take everything, cheapest first; at most one for each state in which the grammar ends.
    #[must_use]
    pub fn exact(&mut self) -> Vec<Way> {
        let cells = self.with.heard.len();
        if cells == 0 || cells > LONGEST {
            return Vec::new();
        }
        self.left = STEPS;
        self.scratch = Scratch::taken();
        self.scratch.begin(cells, self.with.network.states(), self.with.network.start);
        self.ways(0)
    }

    /// The same with words found by sound; none if there is no such word. What is said exactly was searched for before. `unknown`: such words begin only
    /// in these cells.
    #[must_use]
    pub fn slipped(&mut self, unknown: Option<&[(usize, usize)]>) -> Vec<Way> {
        if self.left == 0 {
            return Vec::new();
        }
        let Some(first) = self.found.add_slips(&self.with, &self.unspaced, unknown) else { return Vec::new() };
        let Some(left) = self.scratch.rewind(first) else { return Vec::new() };
        self.left = left;
        self.ways(first)
    }

    fn ways(&mut self, from: usize) -> Vec<Way> {
        for at in from..=self.with.heard.len() {
            let mut front = self.scratch.take_front(at, self.left);
            self.cell(at, &mut front);
            self.scratch.put_front(at, front);
            if self.left == 0 {
                return Vec::new();
            }
        }
        self.ended()
    }

    /// All that begins at a cell; at the end of the utterance, states are reached for nothing.
    fn cell(&mut self, at: usize, front: &mut Front) {
        let network = self.with.network;
        let ends = at == self.with.heard.len();
        let found = self.found.at(at);
        // Inside a word that nothing known begins in, text only goes on.
        let idle = self.idle(at);
        let texts = if ends { [0; TextKind::COUNT] } else { self.texts(at) };
        let (run, further) = self.idle_run(at + 1);
        let mut next = 0;
        while let Some(active) = front.active(next) {
            next += 1;
            // Two better ways may have come since.
            let Some(known) = front.cost(active) else { continue };
            if !ends && known > front.best.saturating_add(BEAM) {
                continue;
            }
            let (mark, talk) = self.scratch.said(active.node);
            let hops = if idle { &[] } else { network.hops(active.state) };
            for hop in hops {
                let cost = known + hop.cost;
                if cost <= front.best.saturating_add(BEAM)
                    && front.wants(hop.to, cost, mark)
                    && (ends || network.leads_on(hop.to, found.labels))
                {
                    let node = Node { before: active.node, cost, state: hop.to, mark, talk, ..Node::hop(at) };
                    front.put(self.scratch.push(node), &node);
                }
            }
            if ends {
                continue;
            }
            for word in found.words {
                for arc in network.arcs(active.state, word.label) {
                    let Some(left) = self.left.checked_sub(1) else { return };
                    self.left = left;
                    let cost = known + arc.cost + word.cost + price::EACH;
                    let mut node = Node::word((active.node, mark), at, arc, word, cost);
                    // What only ends a story is no measure either.
                    node.talk = talk
                        && self
                            .with
                            .lexicon
                            .entry(word.entry)
                            .is_some_and(|entry| network.special.tells.contains(&entry.group));
                    if word.end > at {
                        self.scratch.go(word.end, node);
                    } else if cost <= front.best.saturating_add(BEAM) && front.wants(arc.to, cost, node.mark) {
                        // A pause takes no cell.
                        front.put(self.scratch.push(node), &node);
                    }
                }
            }
            for text in network.texts(active.state).iter().filter(|text| !found.clause || text.kind != TextKind::Talk) {
                let Some(left) = self.left.checked_sub(1) else { return };
                self.left = left;
                let cost = known + text.arc.cost + texts.get(text.kind as usize).copied().unwrap_or_default();
                // Where nothing known begins, text only goes on: all of that is one step.
                let (end, cost) = match text.goes_on {
                    Some(each) => {
                        let cells = u32::try_from(run - (at + 1)).unwrap_or_default();
                        let kind = text.kind.further() as usize;
                        (run, cost + cells * each + further.get(kind).copied().unwrap_or_default())
                    }
                    None => (at + 1, cost),
                };
                let node = Node::text((active.node, mark), (at, end), text, cost);
                self.scratch.go(end, node);
                if let (Some((end, label)), TextKind::First) = (found.label_end, text.kind) {
                    self.scratch.go(end, Node { to: Node::place(end), cost: known + text.arc.cost + label, ..node });
                }
            }
        }
    }

    /// Whether a cell is inside a word that nothing known begins in.
    fn idle(&self, at: usize) -> bool {
        let inside = at < self.with.heard.len() && !self.with.heard.gap(at) && !self.unspaced(at);
        inside && !self.found.at(at).busy
    }

    /// Where the idle cells from `at` on end, and what each kind of text costs over them.
    fn idle_run(&self, at: usize) -> (usize, [u32; TextKind::COUNT]) {
        let (mut end, mut costs) = (at, [0; TextKind::COUNT]);
        while self.idle(end) {
            costs.iter_mut().zip(self.texts(end)).for_each(|(cost, cell)| *cost += cell);
            end += 1;
        }
        (end, costs)
    }

    fn unspaced(&self, at: usize) -> bool {
        self.unspaced.get(at).copied().unwrap_or_default()
    }

    /// What one more cell of each kind of text costs.
    fn texts(&self, at: usize) -> [u32; TextKind::COUNT] {
        let heard = self.with.heard;
        let gap = heard.gap(at);
        let cell = if heard.cells.get(at).is_some_and(char::is_ascii) { price::LATIN_CELL } else { price::CELL };
        let inside = if self.unspaced(at) { price::INSIDE_UNSPACED } else { price::INSIDE };
        let quoted = heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to);
        let (first, further) = match (quoted, gap) {
            (true, _) => (price::TEXT, 0),
            (false, true) if self.found.at(at).order => (cell + price::TEXT, cell + price::WORD + price::ORDER),
            (false, true) if heard.pauses(at) => (cell + price::TEXT, cell + price::WORD + price::PAUSE),
            (false, true) if self.found.is_parted(at) => (cell + price::TEXT, cell + price::WORD + price::PARTED),
            (false, true) => (cell + price::TEXT, cell + price::WORD),
            // Nothing says where a further word begins, so each cell pays for a part of it.
            (false, false) if self.unspaced(at) => (cell + price::TEXT + inside, cell + price::CELL_UNSPACED),
            (false, false) => (cell + price::TEXT + inside, cell),
        };
        // After a pause words of an order begin one.
        let resumes = gap && self.found.at(at).clause && heard.commas.contains(&at);
        let word = if resumes { price::TALK_WORD + price::ORDER } else { price::TALK_WORD };
        // What is quoted is to be written, or named.
        let quote = if heard.quotes.iter().any(|quote| quote.from == at) { price::QUOTED_TALK } else { 0 };
        let (talk, more) =
            if gap { (price::TALK + quote, word + quote) } else { (price::TALK + price::INSIDE + quote, quote) };
        [first, further, talk, more]
    }

    fn ended(&self) -> Vec<Way> {
        let mut ways: Vec<(u32, u32)> = Vec::new();
        for active in self.scratch.last() {
            if let Some(cost) = self.with.network.end(active.state) {
                ways.push((self.scratch.node(active.node).map_or(0, |node| node.cost) + cost, active.node));
            }
        }
        ways.sort_unstable();
        ways.dedup();
        ways.truncate(WAYS);
        ways.into_iter().map(|(cost, node)| Way { cost, steps: self.steps(node) }).collect()
    }

    /// The steps to a node; text of one name in a row is one step.
    fn steps(&self, mut at: u32) -> Vec<WayStep> {
        let mut steps: Vec<WayStep> = Vec::new();
        // Whether the step that was read last, which is the one behind, is text that began before it.
        let mut goes_on = false;
        while let Some(node) = self.scratch.node(at).filter(|node| node.before != NONE) {
            match steps.last_mut() {
                _ if node.is_hop() => {}
                Some(behind) if goes_on && node.text && node.name == behind.name => {
                    behind.from = usize::from(node.from);
                    behind.mood = node.mood;
                    goes_on = node.mood == Mood::Order;
                }
                _ => {
                    steps.push(node.step());
                    goes_on = node.text && node.mood == Mood::Order;
                }
            }
            at = node.before;
        }
        steps.reverse();
        steps
    }
}

impl Drop for WaySearch<'_> {
    fn drop(&mut self) {
        std::mem::take(&mut self.scratch).give_back();
    }
}

#[cfg(test)]
mod tests;
