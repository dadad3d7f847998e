//! Many phrases compared with one utterance at once, unit by unit: phrases that begin alike share the work.

use super::inflection::Class;
use super::slips::{Slips, missing, splits, wanders};

/// A phrase may cost at most this.
const LIMIT: u8 = 3;
/// More than any phrase may cost.
const FAR: u8 = LIMIT + 1;
/// Nodes that one search looks at.
const STEPS: usize = 3_000;
/// No node, no value.
const NONE: u32 = u32::MAX;

/// Phrases by their units.
#[derive(Debug, Clone)]
pub struct UnitTree {
    nodes: Vec<UnitTreeNode>,
    /// Each with the next one of the same phrase.
    values: Vec<((u32, Class), u32)>,
    /// The units and nodes of the phrase that was added last: the next one often begins like it.
    last: Vec<(u8, u32)>,
}

#[derive(Debug, Clone)]
struct UnitTreeNode {
    unit: u8,
    /// The first and the last child, and the next child of the same node.
    first: u32,
    last: u32,
    next: u32,
    /// The first value of the phrase that ends here.
    value: u32,
}

impl UnitTreeNode {
    const fn new(unit: u8) -> Self {
        Self { unit, first: NONE, last: NONE, next: NONE, value: NONE }
    }
}

impl Default for UnitTree {
    fn default() -> Self {
        Self { nodes: vec![UnitTreeNode::new(0)], values: Vec::new(), last: Vec::new() }
    }
}

impl UnitTree {
    /// Adds a phrase.
    pub fn insert(&mut self, units: &[u8], value: (u32, Class)) {
        let alike = self.last.iter().zip(units).take_while(|(last, unit)| last.0 == **unit).count();
        self.last.truncate(alike);
        let mut node = self.last.last().map_or(0, |last| last.1);
        for &unit in units.iter().skip(alike) {
            let known = self.children(node).find(|child| child.1.unit == unit).map(|child| child.0);
            node = known.unwrap_or_else(|| self.new_child(node, unit));
            self.last.push((unit, node));
        }
        self.add_value(node, value);
    }

    fn new_child(&mut self, node: u32, unit: u8) -> u32 {
        let new = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(UnitTreeNode::new(unit));
        let Some(here) = self.nodes.get_mut(node as usize) else { return NONE };
        let before = std::mem::replace(&mut here.last, new);
        if before == NONE {
            here.first = new;
        } else if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next = new;
        }
        new
    }

    fn add_value(&mut self, node: u32, value: (u32, Class)) {
        if self.values(node).any(|known| *known == value) {
            return;
        }
        let new = u32::try_from(self.values.len()).unwrap_or(NONE);
        let Some(here) = self.nodes.get_mut(node as usize) else { return };
        if here.value == NONE {
            here.value = new;
        } else {
            let mut at = here.value;
            while let Some((_, next)) = self.values.get_mut(at as usize) {
                if *next == NONE {
                    *next = new;
                    break;
                }
                at = *next;
            }
        }
        self.values.push((value, NONE));
    }

    fn children(&self, node: u32) -> impl Iterator<Item = (u32, &UnitTreeNode)> {
        let node_at = |at: u32| self.nodes.get(at as usize).map(|node| (at, node));
        let first = self.nodes.get(node as usize).map_or(NONE, |node| node.first);
        std::iter::successors(node_at(first), move |(_, node)| node_at(node.next))
    }

    fn values(&self, node: u32) -> impl Iterator<Item = &(u32, Class)> {
        let value = |at: u32| self.values.get(at as usize);
        let first = self.nodes.get(node as usize).map_or(NONE, |node| node.value);
        std::iter::successors(value(first), move |(_, next)| value(*next)).map(|(value, _)| value)
    }

    /// Tells of each phrase that is near to a beginning of `said`, for at most `limit`: the price for each length of that beginning, the
    /// phrase's own length, and its value. The first units may differ less than later ones: few people stumble over the first sound.
    pub fn search(&self, slips: &Slips, said: &[u8], limit: u16, mut tell: impl FnMut(&Row, usize, &(u32, Class))) {
        let limit = u8::try_from(limit).unwrap_or(LIMIT).min(LIMIT);
        let said = Said { units: said, missing: (0..said.len()).map(|at| cost(missing(said, at))).collect(), limit };
        // One row for each unit on the way.
        let mut rows: Vec<Row> = Vec::with_capacity(32);
        rows.push(Row::first(&said));
        let mut way: Vec<u8> = Vec::with_capacity(32);
        let mut open: Vec<(u32, u8, usize)> = Vec::with_capacity(256);
        open.extend(self.children(0).map(|(child, node)| (child, node.unit, 1)));
        let mut steps = STEPS;
        while let Some((node, unit, depth)) = open.pop() {
            let Some(left) = steps.checked_sub(1) else { return };
            steps = left;
            way.truncate(depth - 1);
            way.push(unit);
            rows.truncate(depth);
            let (Some(before), older) = (rows.last(), depth.checked_sub(2).and_then(|at| rows.get(at))) else {
                continue;
            };
            let (row, best) = said.step(slips, &way, before, older.unwrap_or(&Row::OUT));
            let allowed = limit.min(u8::try_from(1 + (depth + 1) / 4).unwrap_or(LIMIT));
            if best > allowed {
                continue;
            }
            for value in self.values(node) {
                tell(&row, depth, value);
            }
            rows.push(row);
            open.extend(self.children(node).map(|(child, node)| (child, node.unit, depth + 1)));
        }
    }
}

fn cost(price: u16) -> u8 {
    u8::try_from(price).unwrap_or(FAR)
}

/// Prices after some units of a phrase, for so many units of what was said as are near to that number: each one too many or too few costs at least one.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Units of the phrase.
    depth: usize,
    prices: [u8; Row::WIDTH],
    /// The first and the last place with a price.
    live: (usize, usize),
}

impl Row {
    const WIDTH: usize = 2 * LIMIT as usize + 1;
    /// The place of as many units of what was said as of the phrase.
    const MIDDLE: usize = LIMIT as usize;
    const OUT: Self = Self { depth: 0, prices: [FAR; Self::WIDTH], live: (Self::WIDTH, 0) };

    /// Before the phrase begins.
    fn first(said: &Said<'_>) -> Self {
        let mut row = Self::OUT;
        let mut sum = 0;
        let missing = said.missing.iter().copied().chain([FAR]);
        for ((place, price), missing) in row.prices.iter_mut().enumerate().skip(Self::MIDDLE).zip(missing) {
            if sum < FAR {
                row.live = (Self::MIDDLE, place);
            }
            *price = sum;
            sum = said.within(sum + missing);
        }
        row
    }

    /// The price for a beginning of so many units, if it is low enough.
    #[must_use]
    pub fn price(&self, units: usize) -> Option<u16> {
        let at = (units + Self::MIDDLE).checked_sub(self.depth)?;
        self.prices.get(at).copied().filter(|price| *price < FAR).map(u16::from)
    }

    #[inline]
    fn at(&self, place: usize) -> u8 {
        self.prices.get(place).copied().unwrap_or(FAR)
    }
}

/// What was said, with what each of its units costs if the phrase lacks it.
struct Said<'a> {
    units: &'a [u8],
    missing: Vec<u8>,
    limit: u8,
}

impl Said<'_> {
    #[inline]
    fn within(&self, price: u8) -> u8 {
        if price > self.limit { FAR } else { price }
    }

    /// The prices after one more unit of the phrase, and the least of them.
    fn step(&self, slips: &Slips, way: &[u8], before: &Row, older: &Row) -> (Row, u8) {
        let depth = way.len();
        let unit = way.last().copied().unwrap_or_default();
        let lost = cost(missing(way, depth - 1));
        let mut row = Row { depth, ..Row::OUT };
        let mut best = FAR;
        let mut left_price = FAR;
        let from = before.live.0.min(older.live.0).saturating_sub(1);
        let last = (before.live.1 + 1).max(older.live.1);
        for place in from..Row::WIDTH {
            // Nothing leads on to here.
            if place > last && left_price == FAR {
                break;
            }
            let Some(said) = (depth + place).checked_sub(Row::MIDDLE).filter(|said| *said <= self.units.len()) else {
                continue;
            };
            // Without this unit of the phrase.
            let mut price = before.at(place + 1) + lost;
            if let Some(left) = said.checked_sub(1) {
                let other = self.units.get(left).copied().unwrap_or_default();
                if before.at(place) <= self.limit {
                    price = price.min(before.at(place) + cost(slips.price(unit, other)));
                }
                price = price.min(left_price + self.missing.get(left).copied().unwrap_or(FAR));
                price = price.min(self.two(way, (before, older), place, left, price));
            }
            left_price = self.within(price);
            if let Some(cell) = row.prices.get_mut(place) {
                *cell = left_price;
            }
            if left_price < FAR {
                row.live = (row.live.0.min(place), place);
            }
            best = best.min(left_price);
        }
        (row, best)
    }

    /// The price if two units of the one sound like one of the other, or like two.
    #[inline]
    fn two(&self, way: &[u8], (before, older): (&Row, &Row), place: usize, left: usize, price: u8) -> u8 {
        let mut price = price;
        let last = way.len() - 1;
        let unit = way.last().copied().unwrap_or_default();
        let other = self.units.get(left).copied().unwrap_or_default();
        let pays = |least: u8, more: u8, price: u8| least + more < price && least + more <= self.limit;
        if last > 0 && pays(older.at(place + 1), 1, price) && wanders(way, last - 1, other) {
            price = older.at(place + 1) + 1;
        }
        let Some(second) = left.checked_sub(1) else { return price };
        let shorter = place.checked_sub(1).map_or(FAR, |place| before.at(place));
        if pays(shorter, 1, price) && wanders(self.units, second, unit) {
            price = shorter + 1;
        }
        let both = older.at(place);
        if last == 0 || !pays(both, 1, price) {
            return price;
        }
        if splits(way, last - 1, self.units, second) || splits(self.units, second, way, last - 1) {
            return both + 1;
        }
        let swapped = way.get(last - 1) == Some(&other) && self.units.get(second) == Some(&unit);
        if swapped && unit >= 90 { price.min(both + 2) } else { price }
    }
}
