//! The words that an utterance may consist of, by the cell that each begins at: found once, before the ways through them are searched.

use luna_text::numerals::NumeralKind;

use super::super::grammar::Network;
use super::super::lexicon::{Match, Mood};
use super::super::normalised::NormalisedUtterance;
use super::super::numbers::{NumberReading, numbers};
use super::{Sources, price};

/// A number or a place that begins inside a word.
const INSIDE: u32 = 30;
/// One that is written as a word that sounds the same.
const MISHEARD: u32 = 30;

/// A word that an arc of the grammar may take.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// The cell after it.
    pub end: usize,
    /// By its group and mood.
    pub label: u16,
    pub entry: u16,
    pub value: i32,
    pub mood: Mood,
    pub cost: u32,
}

/// A word that costs more, a part of a Latin one, is never worth it.
const HOPELESS: u32 = 200;
/// A word at a lower price is said clearly enough to begin an order.
const SURELY: u32 = 40;

/// What begins at one cell.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub words: &'a [Found],
    /// The labels of the words, a bit each.
    pub labels: &'a [u64],
    /// Whether anything begins here, be it for the grammar or not.
    pub busy: bool,
    /// Whether it begins like an order, or takes one back.
    pub order: bool,
    /// Whether an order begins here, or behind words that lead on to it: then nothing told besides does.
    pub clause: bool,
    /// Where a label of the screen ends, and its price.
    pub label_end: Option<(usize, u32)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Places in `words`: what begins here, where numbers begin among it, and the end.
    from: usize,
    numbers: usize,
    to: usize,
    busy: bool,
    order: bool,
    clause: bool,
    /// Where words end that lead on to an order.
    leads_on: Option<usize>,
    label_end: Option<(usize, u32)>,
}

/// All words, at each cell in the order in which they were found: of ways of one price the first found are kept.
#[derive(Debug, Default)]
pub struct FoundWords {
    cells: Vec<Cell>,
    words: Vec<Found>,
    labels: Vec<u64>,
    width: usize,
    /// The cells behind a particle.
    parted: Vec<usize>,
    /// The cells behind words that say until when, and by whom, it has to be done.
    reasoned: Vec<usize>,
}

impl FoundWords {
    /// What is said exactly.
    pub fn new(with: &Sources<'_>, unspaced: &[bool]) -> Self {
        let width = with.network.width();
        let mut all = Self {
            cells: Vec::with_capacity(with.heard.len()),
            words: Vec::with_capacity(64),
            labels: Vec::new(),
            width,
            parted: Vec::new(),
            reasoned: Vec::new(),
        };
        let mut matches = Vec::new();
        for at in 0..with.heard.len() {
            let mut cell = Cell { from: all.words.len(), ..Cell::default() };
            let unspaced = unspaced.get(at).copied().unwrap_or_default();
            matches.clear();
            cell.label_end = label_end(with, at);
            if quoted(with.heard, at) {
                // What is quoted is a text, whatever it says.
                for quote in with.heard.quotes.iter().filter(|quote| quote.from == at) {
                    all.count(&mut cell, with.network, with.network.special.quote, (quote.to, 0, 0));
                }
                cell.numbers = all.words.len();
            } else {
                with.lexicon.at(with.heard, at, unspaced, &mut matches);
                // 'the "one"' is no "the one".
                matches.retain(|word| word.end <= at + 1 || !quoted(with.heard, word.end - 1));
                matches.iter().for_each(|word| all.word((&mut cell, at), (with.network, with.heard), word));
                let parts = |word: &&Match| with.network.special.parting.contains(&word.group) && word.cost == 0;
                let parting = matches.iter().filter(parts).map(|word| word.end);
                all.parted.extend(parting.filter(|end| !with.heard.gap(at) && with.heard.gap(*end)));
                let until = |word: &&Match| word.cost == 0 && with.lexicon.is_until(word.entry);
                all.reasoned.extend(matches.iter().filter(until).map(|word| word.end));
                cell.numbers = all.words.len();
                all.numbers(&mut cell, with, at, unspaced);
                if with.heard.commas.contains(&at) {
                    all.count(&mut cell, with.network, with.network.special.comma, (at, 0, 0));
                }
                // "ONE을"
                let ends = |end: usize| {
                    let next = with.heard.cells.get(end);
                    with.heard.gap(end) || next.is_some_and(|c| luna_text::language::is_hangul(*c))
                };
                let shown = cell.label_end.filter(|(end, cost)| *cost == price::LABEL && ends(*end));
                if let Some((end, _)) = shown {
                    all.count(&mut cell, with.network, with.network.special.label, (end, 0, 0));
                }
            }
            cell.to = all.words.len();
            all.cells.push(cell);
        }
        all.mark();
        all
    }

    /// What begins at a cell.
    pub fn at(&self, at: usize) -> At<'_> {
        let cell = self.cells.get(at).copied().unwrap_or_default();
        At {
            words: self.words.get(cell.from..cell.to).unwrap_or_default(),
            labels: self.labels.get(at * self.width..(at + 1) * self.width).unwrap_or_default(),
            busy: cell.busy,
            order: cell.order,
            // "before they cut us off": what a reason tells may begin like an order.
            clause: cell.clause && !self.reasoned.contains(&at),
            label_end: cell.label_end,
        }
    }

    /// Whether a particle ends before a cell.
    pub fn is_parted(&self, at: usize) -> bool {
        self.parted.contains(&at)
    }

    /// Adds what sounds like what is said: the first cell where something new begins.
    pub fn add_slips(
        &mut self,
        with: &Sources<'_>,
        unspaced: &[bool],
        unknown: Option<&[(usize, usize)]>,
    ) -> Option<usize> {
        let may_begin =
            |at: usize| unknown.is_none_or(|spans| spans.iter().any(|(from, to)| (*from..*to).contains(&at)));
        let mut first = None;
        let exact = std::mem::take(&mut self.words);
        let cells = std::mem::take(&mut self.cells);
        let mut matches = Vec::new();
        for (at, mut cell) in cells.into_iter().enumerate() {
            let (from, numbers, to) = (cell.from, cell.numbers, cell.to);
            let unspaced = unspaced.get(at).copied().unwrap_or_default();
            cell.from = self.words.len();
            self.words.extend_from_slice(exact.get(from..numbers).unwrap_or_default());
            let mut new = false;
            if quoted(with.heard, at) || !may_begin(at) {
                cell.numbers = self.words.len();
                self.words.extend_from_slice(exact.get(numbers..to).unwrap_or_default());
            } else {
                matches.clear();
                with.lexicon.near(with.heard, at, unspaced, &mut matches);
                with.lexicon.sounding(with.heard, at, unspaced, &mut matches);
                new = !matches.is_empty();
                matches.iter().for_each(|word| self.word((&mut cell, at), (with.network, with.heard), word));
                cell.numbers = self.words.len();
                self.words.extend_from_slice(exact.get(numbers..to).unwrap_or_default());
                new |= self.misheard(&mut cell, with, at);
            }
            if new && first.is_none() {
                first = Some(at);
            }
            cell.to = self.words.len();
            self.cells.push(cell);
        }
        self.mark();
        first
    }

    fn word(
        &mut self,
        (cell, at): (&mut Cell, usize),
        (network, heard): (&Network, &NormalisedUtterance),
        word: &Match,
    ) {
        // A way through it would be given up at once.
        if word.cost > HOPELESS {
            return;
        }
        let goes = word.group == network.special.goes && word.mood == Mood::Base;
        // "go to" begins an order, "go" and "visit" stand in many texts.
        let goes_to = goes && (at + 1..word.end).any(|cell| heard.gap(cell));
        let said = word.cost < SURELY && heard.gap(word.end);
        cell.order |= said && (network.special.begins_order(word.group, word.mood) || goes_to);
        cell.clause |= cell.order || (said && goes);
        if word.cost == 0 && heard.gap(word.end) && network.special.leads_on.contains(&word.group) {
            cell.leads_on = cell.leads_on.max(Some(word.end));
        }
        if let Some(label) = network.label(word.group, word.mood) {
            let Match { end, entry, mood, cost, .. } = *word;
            cell.busy = true;
            self.words.push(Found { end, label, entry, value: 0, mood, cost });
        }
    }

    /// A word that has a value: where it ends, the value, and its price.
    fn count(&mut self, cell: &mut Cell, network: &Network, group: u16, (end, value, cost): (usize, i32, u32)) {
        cell.busy = true;
        if let Some(label) = network.label(group, Mood::Bare) {
            self.words.push(Found { end, label, entry: 0, value, mood: Mood::Bare, cost });
        }
    }

    /// Numbers, places in a row, and choices.
    fn numbers(&mut self, cell: &mut Cell, with: &Sources<'_>, at: usize, unspaced: bool) {
        let (heard, network) = (with.heard, with.network);
        let (number, place, choice) = (network.special.number, network.special.place, network.special.choice);
        let latin = heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
        if latin && !heard.gap(at) && !unspaced {
            return;
        }
        let may_end = |end: usize| !latin || heard.gap(end) || unspaced;
        let inside = if heard.gap(at) { 0 } else { INSIDE };
        let begun = numbers(heard, at);
        for NumberReading { end, value, kind } in &begun {
            if may_end(*end) && *kind != NumeralKind::DigitOrdinal {
                let cost = if *kind == NumeralKind::Digits { 0 } else { inside };
                self.count(cell, network, number, (*end, *value, cost));
            }
        }
        let in_row = with.numbers.place(heard, at, &begun);
        let chosen = in_row.alone.filter(|(end, _)| {
            let said = heard.part(at, *end);
            // "이번", "백번", "처음" are adverbs as well.
            let adverb = matches!(said, ['이' | '벡' | '천', '번']) && heard.len() == *end;
            with.open || !adverb && said != ['처', '음']
        });
        if let Some((end, value)) = chosen.filter(|(end, _)| may_end(*end)) {
            with.lexicon.noun_ends(heard, end, &mut |end, mood, cost| {
                cell.busy = true;
                if let Some(label) = network.label(choice, mood) {
                    self.words.push(Found { end, label, entry: 0, value, mood, cost: cost + inside });
                }
            });
        }
        let said = if with.open { in_row.alone } else { in_row.within };
        if let Some((end, value)) = said.filter(|(end, _)| may_end(*end)) {
            self.count(cell, network, place, (end, value, inside));
        }
    }

    /// Numbers and places that are written as words that sound the same. Whether there is any.
    fn misheard(&mut self, cell: &mut Cell, with: &Sources<'_>, at: usize) -> bool {
        let special = &with.network.special;
        let (number, choice) = (special.number, special.choice);
        let mut chosen = None;
        let before = self.words.len();
        with.lexicon.misheard(with.heard, at, |end, meant| {
            let meant = NormalisedUtterance::of_cells(meant);
            let begun = numbers(&meant, 0);
            if let Some(whole) = begun.iter().find(|found| found.end == meant.len()) {
                self.count(cell, with.network, number, (end, whole.value, MISHEARD));
            }
            let place = with.numbers.place(&meant, 0, &begun);
            let place = if with.open { place.alone } else { place.within };
            if let Some((_, value)) = place.filter(|found| found.0 == meant.len()) {
                self.count(cell, with.network, special.place, (end, value, MISHEARD));
                chosen = Some((end, value));
            }
        });
        if let Some((end, value)) = chosen {
            self.count(cell, with.network, choice, (end, value, MISHEARD));
        }
        self.words.len() > before
    }

    fn mark(&mut self) {
        for at in (0..self.cells.len()).rev() {
            let leads_on = self.cells.get(at).and_then(|cell| cell.leads_on);
            let clause = leads_on.and_then(|end| self.cells.get(end)).is_some_and(|cell| cell.clause);
            if let Some(cell) = self.cells.get_mut(at) {
                cell.clause |= clause;
            }
        }
        self.labels.clear();
        self.labels.resize(self.cells.len() * self.width, 0);
        for (at, cell) in self.cells.iter().enumerate() {
            for word in self.words.get(cell.from..cell.to).unwrap_or_default() {
                if let Some(bits) = self.labels.get_mut(at * self.width + usize::from(word.label / 64)) {
                    *bits |= 1 << (word.label % 64);
                }
            }
        }
    }
}

fn quoted(heard: &NormalisedUtterance, at: usize) -> bool {
    heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to)
}

/// Where the longest label of the screen ends that begins here.
fn label_end(with: &Sources<'_>, at: usize) -> Option<(usize, u32)> {
    let heard = with.heard;
    if !heard.gap(at) {
        return None;
    }
    let fits = |label: &&Vec<char>| heard.is_at(at, label);
    let shown = with.labels.iter().filter(fits).map(|label| at + label.len()).max().map(|end| (end, price::LABEL));
    shown.or_else(|| {
        let mut usual = None;
        with.usual.at(&heard.cells, at, |end, ()| {
            if heard.gap(end) || heard.cells.get(end).is_some_and(|c| luna_text::language::is_hangul(*c)) {
                usual = Some((end, price::USUAL));
            }
        });
        usual
    })
}
