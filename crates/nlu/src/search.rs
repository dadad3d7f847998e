//! The search: the cheapest ways through the grammar that take a whole utterance (NLU-6).
//!
//! From the first cell to the last, each state keeps its best few ways so far. A word of the lexicon costs next to nothing, free text costs by the letter,
//! a slip of the ear by how far it is: the price of a way says how well the utterance is said that it stands for.

use super::grammar::{self, CHOICE, COMMA, NUMBER, Network, PLACE, QUOTE, TALK, TEXT};
use super::lexicon::{Lexicon, Match, Mood};
use super::normalised::NormalisedUtterance;
use super::numbers::Numbers;
use super::trie::Trie;

/// Ways that a state keeps at a cell.
const KEPT: usize = 2;
/// Cells of the longest utterance that is searched; more is a text.
pub const LONGEST: usize = 160;
/// Steps of one search, against utterances that are made to be slow.
const STEPS: usize = 60_000;

/// Prices of free text.
mod price {
    /// To begin one.
    pub const TEXT: u32 = 40;
    pub const CELL: u32 = 6;
    pub const LATIN_CELL: u32 = 2;
    /// A further word.
    pub const WORD: u32 = 28;
    /// To begin it inside a word.
    pub const INSIDE: u32 = 70;
    pub const INSIDE_UNSPACED: u32 = 12;
    /// To begin to tell something besides, and a further word of it.
    pub const TALK: u32 = 24;
    pub const TALK_WORD: u32 = 3;
    /// A label of the screen, whatever its length.
    pub const LABEL: u32 = 1;
    /// What controls are usually called.
    pub const USUAL: u32 = 36;
    /// Each word of the lexicon, so that fewer and longer ones win.
    pub const EACH: u32 = 4;
}

/// One word of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The name that the grammar gives it.
    pub name: u16,
    /// The entry of the lexicon, or the number that was said, as its bits.
    pub entry: u16,
    pub value: i32,
    pub mood: Mood,
    pub from: usize,
    pub to: usize,
    text: bool,
}

/// A whole way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub cost: u32,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    before: u32,
    step: Step,
    cost: u32,
}

/// What is searched in.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    pub network: &'a Network,
    pub lexicon: &'a Lexicon,
    pub numbers: &'a Numbers,
    pub heard: &'a NormalisedUtterance,
    /// Labels on the screen, as they are compared.
    pub labels: &'a std::collections::BTreeSet<Vec<char>>,
    /// What controls are usually called.
    pub usual: &'a Trie<()>,
    /// Whether a lone number or "이번" is a place.
    pub open: bool,
    /// Whether words may be found by sound.
    pub slips: bool,
}

const NONE: u32 = u32::MAX;
/// A way that costs so much more than the best one to the same cell is given up.
const BEAM: u32 = 150;

/// The ways kept at one cell.
#[derive(Debug, Clone, Default)]
struct Front {
    /// By state: one more than the place in `kept`.
    places: Vec<u16>,
    /// The nodes of a state, cheapest first.
    kept: Vec<[u32; KEPT]>,
    /// The least price of all.
    best: u32,
    /// Nodes to go on from, with their states, in the order of their arrival.
    active: Vec<(u16, u32)>,
}

impl Search<'_> {
    /// The cheapest ways that take everything, cheapest first; at most one for each state in which the grammar ends.
    #[must_use]
    pub fn ways(&self) -> Vec<Way> {
        let n = self.heard.len();
        if n == 0 || n > LONGEST {
            return Vec::new();
        }
        let states = self.network.arcs.len();
        let mut fronts: Vec<Front> = vec![Front { best: u32::MAX, ..Front::default() }; n + 1];
        let mut nodes: Vec<Node> = Vec::with_capacity(256);
        let unspaced = n > 4 && self.heard.unspaced(0, n);
        let special = |name: &str| self.lexicon.known(name).unwrap_or_default();
        let talk = special(TALK);
        let (text, number, place, comma) = (special(TEXT), special(NUMBER), special(PLACE), special(COMMA));
        let (choice, quote) = (special(CHOICE), special(QUOTE));
        let nothing = Step { name: 0, entry: 0, value: 0, mood: Mood::Bare, from: 0, to: 0, text: false };
        nodes.push(Node { before: NONE, step: nothing, cost: 0 });
        if let Some(front) = fronts.first_mut() {
            front.put(self.network.start, 0, &nodes, states);
        }
        let mut steps = STEPS;
        let orders = self.orders();
        let mut matches: Vec<(Match, i32)> = Vec::new();
        // By label: one more than the place of its first match; and the labels that have one.
        let mut slots: Vec<u16> = vec![0; usize::from(self.lexicon.groups() * Mood::COUNT)];
        let mut labels: Vec<u16> = Vec::new();
        for at in 0..n {
            if fronts.get(at).is_none_or(|front| front.active.is_empty()) {
                continue;
            }
            matches.clear();
            self.matches(at, unspaced, [number, place, comma, choice, quote], &mut matches);
            matches
                .sort_unstable_by_key(|(found, _)| (grammar::label(found.group, found.mood), found.end, found.entry));
            for label in labels.drain(..) {
                if let Some(slot) = slots.get_mut(usize::from(label)) {
                    *slot = 0;
                }
            }
            for (number, (found, _)) in (1_u16..).zip(&matches) {
                let label = grammar::label(found.group, found.mood);
                if let Some(slot) = slots.get_mut(usize::from(label)).filter(|slot| **slot == 0) {
                    *slot = number;
                    labels.push(label);
                }
            }
            let starts_label = self.label_end(at);
            // What begins like an order, or takes one back, is not only told.
            let is_order = matches.iter().any(|(found, _)| {
                found.cost < 40
                    && self.heard.gap(found.end)
                    && orders.iter().any(|(group, base)| *group == found.group && (!base || found.mood == Mood::Base))
            });
            // Inside a word that nothing known begins in, text only goes on.
            let idle = matches.is_empty() && !self.heard.gap(at) && !unspaced;
            let mut next = 0;
            while let Some(&(state, node)) = fronts.get(at).and_then(|front| front.active.get(next)) {
                next += 1;
                let front = fronts.get(at);
                let kept = front.map_or([NONE; KEPT], |front| front.kept(state));
                let least = front.map_or(0, |front| front.best);
                let arcs = self.network.arcs.get(usize::from(state)).map_or(&[][..], Vec::as_slice);
                let known = nodes.get(node as usize).map_or(0, |node| node.cost);
                // Two better ways may have come since.
                if kept.contains(&node) && known <= least.saturating_add(BEAM) {
                    if !idle {
                        for (hub, cost) in self.network.free.get(usize::from(state)).into_iter().flatten() {
                            hop(&mut fronts, &mut nodes, at, *hub, node, known + cost, states);
                        }
                    }
                    let go =
                        |fronts: &mut Vec<Front>, nodes: &mut Vec<Node>, end: usize, to: u16, step: Step, cost: u32| {
                            let Some(front) = fronts.get_mut(end) else { return };
                            if cost > front.best.saturating_add(BEAM) || !front.wants(to, cost, nodes) {
                                return;
                            }
                            let number = u32::try_from(nodes.len()).unwrap_or(NONE);
                            nodes.push(Node { before: node, step, cost });
                            front.put(to, number, nodes, states);
                        };
                    let mut take = |fronts: &mut Vec<Front>, nodes: &mut Vec<Node>, arc: &grammar::Arc, first: u16| {
                        for (found, value) in matches
                            .get(usize::from(first) - 1..)
                            .unwrap_or_default()
                            .iter()
                            .take_while(|(found, _)| grammar::label(found.group, found.mood) == arc.label)
                        {
                            steps = steps.saturating_sub(1);
                            let step = Step {
                                name: arc.name,
                                entry: found.entry,
                                value: *value,
                                mood: found.mood,
                                from: at,
                                to: found.end,
                                text: false,
                            };
                            go(fronts, nodes, found.end, arc.to, step, known + arc.cost + found.cost + price::EACH);
                        }
                    };
                    if arcs.len() <= 2 * labels.len() {
                        for arc in arcs {
                            let first = slots.get(usize::from(arc.label)).copied().unwrap_or_default();
                            if first > 0 {
                                take(&mut fronts, &mut nodes, arc, first);
                            }
                        }
                    } else {
                        for label in &labels {
                            let first = slots.get(usize::from(*label)).copied().unwrap_or_default();
                            let begin = arcs.partition_point(|arc| arc.label < *label);
                            for arc in
                                arcs.get(begin..).unwrap_or_default().iter().take_while(|arc| arc.label == *label)
                            {
                                take(&mut fronts, &mut nodes, arc, first);
                            }
                        }
                    }
                    if steps == 0 {
                        return Vec::new();
                    }
                    for (group, mood) in
                        [(text, Mood::Bare), (text, Mood::Order), (talk, Mood::Bare), (talk, Mood::Order)]
                    {
                        if is_order && group == talk && mood == Mood::Bare {
                            continue;
                        }
                        let label = grammar::label(group, mood);
                        let first = arcs.partition_point(|arc| arc.label < label);
                        for arc in arcs.get(first..).unwrap_or_default().iter().take_while(|arc| arc.label == label) {
                            let Some(left) = steps.checked_sub(1) else { return Vec::new() };
                            steps = left;
                            let step =
                                Step { name: arc.name, entry: 0, value: 0, mood, from: at, to: at + 1, text: true };
                            let cell = if group == talk {
                                self.told(at, mood == Mood::Bare)
                            } else {
                                self.cell(at, mood == Mood::Bare, unspaced)
                            };
                            let cost = known + arc.cost + cell;
                            go(&mut fronts, &mut nodes, at + 1, arc.to, step, cost);
                            if let (Some((end, label)), Mood::Bare, true) = (starts_label, mood, group == text) {
                                let step = Step { to: end, ..step };
                                go(&mut fronts, &mut nodes, end, arc.to, step, known + arc.cost + label);
                            }
                        }
                    }
                }
            }
        }
        if std::env::var_os("LUNA_NLU_COUNT").is_some() {
            eprintln!(
                "n {n} states {states} nodes {} steps {} active {:?}",
                nodes.len(),
                STEPS - steps,
                fronts.iter().map(|f| f.active.len()).collect::<Vec<_>>()
            );
        }
        // At the end of the utterance, too, states are reached for nothing.
        let mut next = 0;
        while let Some(&(state, node)) = fronts.get(n).and_then(|front| front.active.get(next)) {
            next += 1;
            let kept = fronts.get(n).map_or([NONE; KEPT], |front| front.kept(state));
            if kept.contains(&node) {
                let known = nodes.get(node as usize).map_or(0, |node| node.cost);
                for (hub, cost) in self.network.free.get(usize::from(state)).into_iter().flatten() {
                    hop(&mut fronts, &mut nodes, n, *hub, node, known + cost, states);
                }
            }
        }
        self.ended(&fronts, &nodes)
    }

    fn matches(
        &self,
        at: usize,
        unspaced: bool,
        [number, place, comma, choice, quote]: [u16; 5],
        matches: &mut Vec<(Match, i32)>,
    ) {
        let mut words = Vec::new();
        // What is quoted is a text, whatever it says.
        if self.heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to) {
            let begins = self.heard.quotes.iter().filter(|quote| quote.from == at);
            matches.extend(
                begins.map(|found| (Match { end: found.to, group: quote, entry: 0, mood: Mood::Bare, cost: 0 }, 0)),
            );
            return;
        }
        self.lexicon.at(self.heard, at, unspaced, &mut words);
        if self.slips {
            self.lexicon.near(self.heard, at, unspaced, &mut words);
            self.lexicon.sounding(self.heard, at, unspaced, &mut words);
        }
        matches.extend(words.into_iter().map(|word| (word, 0)));
        let latin = self.heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
        let begins = self.heard.gap(at) || !latin || unspaced;
        if begins {
            let mut counted = |group: u16, end: usize, value: i32, cost: u32| {
                matches.push((Match { end, group, entry: 0, mood: Mood::Bare, cost }, value));
            };
            for (end, value, series) in self.numbers.numbers(self.heard, at) {
                if !latin || self.heard.gap(end) || unspaced {
                    let digits = series == super::numbers::Series::Digits;
                    counted(number, end, value, if digits || self.heard.gap(at) { 0 } else { 30 });
                }
            }
            let inside = if self.heard.gap(at) { 0 } else { 30 };
            let chosen = self.numbers.place(self.heard, at, true).filter(|(end, _)| {
                let said = self.heard.part(at, *end);
                // "이번", "처음" are adverbs as well.
                self.open || (said != ['이', '번'] || self.heard.len() > *end) && said != ['처', '음']
            });
            if let Some((end, value)) = chosen.filter(|(end, _)| !latin || self.heard.gap(*end) || unspaced) {
                self.lexicon.noun_ends(self.heard, end, &mut |end, mood, cost| {
                    matches.push((Match { end, group: choice, entry: 0, mood, cost: cost + inside }, value));
                });
            }
            let mut counted = |group: u16, end: usize, value: i32, cost: u32| {
                matches.push((Match { end, group, entry: 0, mood: Mood::Bare, cost }, value));
            };
            if let Some((end, value)) = self.numbers.place(self.heard, at, self.open) {
                if !latin || self.heard.gap(end) || unspaced {
                    counted(place, end, value, inside);
                }
            }
        }
        let mut counted = |group: u16, end: usize, value: i32, cost: u32| {
            matches.push((Match { end, group, entry: 0, mood: Mood::Bare, cost }, value));
        };
        let mut matches_choice = None;
        if self.slips {
            self.lexicon.misheard(self.heard, at, |end, meant| {
                let meant = NormalisedUtterance::of_cells(meant);
                if let Some((_, value, _)) = self.numbers.number(&meant, 0).filter(|found| found.0 == meant.len()) {
                    counted(number, end, value, 30);
                }
                if let Some((_, value)) =
                    self.numbers.place(&meant, 0, self.open).filter(|found| found.0 == meant.len())
                {
                    counted(place, end, value, 30);
                    matches_choice = Some((end, value));
                }
            });
        }
        if self.heard.commas.contains(&at) {
            counted(comma, at, 0, 0);
        }
        if let Some((end, value)) = matches_choice {
            counted(choice, end, value, 30);
        }
    }

    /// The groups of words that begin an order in English, and those that take back what was said; whether only their base form does.
    fn orders(&self) -> Vec<(u16, bool)> {
        const BEGIN: [&str; 13] = [
            "aim", "act", "desktop", "type", "change", "fill", "put", "turn", "read", "zoom", "volume", "mute",
            "scroll",
        ];
        const BACK: [&str; 5] = ["repair", "withdraw", "not", "contrast", "but_not"];
        let known = |base: bool| move |name: &&str| self.lexicon.known(name).map(|group| (group, base));
        BEGIN.iter().filter_map(known(true)).chain(BACK.iter().filter_map(known(false))).collect()
    }

    /// Where the longest label of the screen ends that begins here.
    fn label_end(&self, at: usize) -> Option<(usize, u32)> {
        if !self.heard.gap(at) {
            return None;
        }
        let fits = |label: &&Vec<char>| self.heard.is_at(at, label);
        let shown = self.labels.iter().filter(fits).map(|label| at + label.len()).max().map(|end| (end, price::LABEL));
        shown.or_else(|| {
            let mut usual = None;
            self.usual.at(&self.heard.cells, at, |end, ()| {
                if self.heard.gap(end) || self.heard.cells.get(end).is_some_and(|c| luna_text::language::is_hangul(*c))
                {
                    usual = Some((end, price::USUAL));
                }
            });
            usual
        })
    }

    /// What is told besides.
    fn told(&self, at: usize, first: bool) -> u32 {
        match (first, self.heard.gap(at)) {
            (true, true) => price::TALK,
            (true, false) => price::TALK + price::INSIDE,
            (false, true) => price::TALK_WORD,
            (false, false) => 0,
        }
    }

    fn cell(&self, at: usize, first: bool, unspaced: bool) -> u32 {
        let latin = self.heard.cells.get(at).is_some_and(char::is_ascii);
        let cell = if latin { price::LATIN_CELL } else { price::CELL };
        let quoted = self.heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to);
        if quoted {
            return if first { price::TEXT } else { 0 };
        }
        match (first, self.heard.gap(at)) {
            (true, true) => cell + price::TEXT,
            (true, false) => cell + price::TEXT + if unspaced { price::INSIDE_UNSPACED } else { price::INSIDE },
            (false, true) => cell + price::WORD,
            (false, false) => cell,
        }
    }

    fn ended(&self, fronts: &[Front], nodes: &[Node]) -> Vec<Way> {
        let Some(last) = fronts.last() else { return Vec::new() };
        let mut ways: Vec<(u32, u32)> = Vec::new();
        for (state, node) in &last.active {
            let Some(Some(cost)) = self.network.ends.get(usize::from(*state)) else { continue };
            ways.push((nodes.get(*node as usize).map_or(0, |node| node.cost) + cost, *node));
        }
        ways.sort_unstable();
        ways.dedup();
        ways.truncate(12);
        ways.into_iter().map(|(cost, node)| Way { cost, steps: way(node, nodes) }).collect()
    }
}

/// From a state to one that is reached for nothing but a price.
fn hop(fronts: &mut [Front], nodes: &mut Vec<Node>, at: usize, to: u16, node: u32, cost: u32, states: usize) {
    let Some(front) = fronts.get_mut(at) else { return };
    if cost > front.best.saturating_add(BEAM) || !front.wants(to, cost, nodes) {
        return;
    }
    let nothing = Step { name: u16::MAX, entry: 0, value: 0, mood: Mood::Bare, from: at, to: at, text: false };
    let number = u32::try_from(nodes.len()).unwrap_or(NONE);
    nodes.push(Node { before: node, step: nothing, cost });
    front.put(to, number, nodes, states);
}

/// The steps to a node; text of one name in a row is one step.
fn way(mut at: u32, nodes: &[Node]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    while let Some(node) = nodes.get(at as usize).filter(|node| node.before != NONE) {
        match steps.last_mut() {
            _ if node.step.name == u16::MAX => {}
            // The step that was read before is the one behind.
            Some(behind)
                if behind.text && behind.mood == Mood::Order && node.step.text && node.step.name == behind.name =>
            {
                behind.from = node.step.from;
                behind.mood = node.step.mood;
            }
            _ => steps.push(node.step),
        }
        at = node.before;
    }
    steps.reverse();
    steps
}

impl Front {
    fn kept(&self, state: u16) -> [u32; KEPT] {
        let place = self.places.get(usize::from(state)).copied().unwrap_or_default();
        usize::from(place).checked_sub(1).and_then(|place| self.kept.get(place)).copied().unwrap_or([NONE; KEPT])
    }

    fn wants(&self, state: u16, cost: u32, nodes: &[Node]) -> bool {
        self.kept(state)
            .iter()
            .any(|node| *node == NONE || nodes.get(*node as usize).is_some_and(|node| cost < node.cost))
    }

    fn put(&mut self, state: u16, number: u32, nodes: &[Node], states: usize) {
        if self.places.is_empty() {
            self.places.resize(states, 0);
        }
        let Some(place) = self.places.get_mut(usize::from(state)) else { return };
        if *place == 0 {
            self.kept.push([NONE; KEPT]);
            *place = u16::try_from(self.kept.len()).unwrap_or_default();
        }
        let Some(kept) = usize::from(*place).checked_sub(1).and_then(|place| self.kept.get_mut(place)) else { return };
        self.active.push((state, number));
        let cost = |node: u32| nodes.get(node as usize).map_or(u32::MAX, |node| node.cost);
        self.best = self.best.min(cost(number));
        let at = kept.iter().position(|node| *node == NONE || cost(number) < cost(*node));
        if let Some(at) = at {
            kept.get_mut(at..).unwrap_or_default().rotate_right(1);
            if let Some(slot) = kept.get_mut(at) {
                *slot = number;
            }
        }
    }
}
