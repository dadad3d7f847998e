//! Many phrases compared with one utterance at once, unit by unit: phrases that begin alike share the work.

use super::inflection::Class;
use super::slips::{Slips, missing, splits, wanders};

/// A phrase may cost at most this.
const LIMIT: u16 = 4;
/// Nodes that one search looks at.
const STEPS: usize = 3_000;

/// Phrases by their units.
#[derive(Debug, Clone)]
pub struct UnitTree {
    nodes: Vec<UnitTreeNode>,
}

#[derive(Debug, Clone, Default)]
struct UnitTreeNode {
    children: Vec<(u8, u32)>,
    values: Vec<(u32, Class)>,
}

impl Default for UnitTree {
    fn default() -> Self {
        Self { nodes: vec![UnitTreeNode::default()] }
    }
}

impl UnitTree {
    /// Adds a phrase.
    pub fn insert(&mut self, units: &[u8], value: (u32, Class)) {
        let mut node = 0;
        for &unit in units {
            let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            let Some(here) = self.nodes.get_mut(node) else { return };
            node = match here.children.iter().find(|child| child.0 == unit) {
                Some(child) => child.1 as usize,
                None => {
                    here.children.push((unit, next));
                    self.nodes.push(UnitTreeNode::default());
                    next as usize
                }
            };
        }
        if let Some(here) = self.nodes.get_mut(node)
            && !here.values.contains(&value)
        {
            here.values.push(value);
        }
    }

    /// Tells of each phrase that is near to a beginning of `said`, for at most `limit`: the price for each length of that beginning, the
    /// phrase's own length, and its value. The first units may differ less than later ones: few people stumble over the first sound.
    pub fn search(&self, slips: &Slips, said: &[u8], limit: u16, mut tell: impl FnMut(&[u16], usize, &(u32, Class))) {
        let far = LIMIT + 1;
        let width = said.len() + 1;
        let mut first = Vec::with_capacity(width);
        let mut sum = 0;
        for j in 0..width {
            first.push(sum.min(far));
            sum += if j < said.len() { missing(said, j) } else { 0 };
        }
        // One row for each unit on the way.
        let mut rows: Vec<Vec<u16>> = vec![first];
        let mut way: Vec<u8> = Vec::new();
        let mut open: Vec<(u32, u8, usize)> = Vec::new();
        let push = |node: usize, depth: usize, open: &mut Vec<(u32, u8, usize)>| {
            let children = self.nodes.get(node).map_or(&[][..], |node| &node.children);
            open.extend(children.iter().map(|(unit, child)| (*child, *unit, depth + 1)));
        };
        push(0, 0, &mut open);
        let mut steps = STEPS;
        while let Some((node, unit, depth)) = open.pop() {
            let Some(left) = steps.checked_sub(1) else { return };
            steps = left;
            way.truncate(depth - 1);
            way.push(unit);
            if rows.len() <= depth {
                rows.push(vec![far; width]);
            }
            let (done, rest) = rows.split_at_mut(depth);
            let (Some(before), Some(row)) = (done.last(), rest.first_mut()) else { continue };
            let older = depth.checked_sub(2).and_then(|at| done.get(at));
            let best = step(slips, said, &way, before, older.map_or(&[][..], Vec::as_slice), row);
            let allowed = limit.min(u16::try_from(1 + (depth + 1) / 4).unwrap_or(LIMIT));
            if best > allowed {
                continue;
            }
            for value in self.nodes.get(node as usize).map_or(&[][..], |node| &node.values) {
                tell(row, depth, value);
            }
            push(node as usize, depth, &mut open);
        }
    }
}

/// Fills in the prices after one more unit of the phrase; the least of them.
fn step(slips: &Slips, said: &[u8], way: &[u8], before: &[u16], older: &[u16], row: &mut [u16]) -> u16 {
    let far = LIMIT + 1;
    let i = way.len().saturating_sub(1);
    let unit = way.get(i).copied().unwrap_or_default();
    let lost = missing(way, i);
    let get = |row: &[u16], j: usize| row.get(j).copied().unwrap_or(far);
    row.fill(far);
    let mut best = far;
    let from = i.saturating_sub(usize::from(LIMIT));
    let to = (i + 2 + usize::from(LIMIT)).min(before.len());
    for j in from..to {
        let mut price = get(before, j) + lost;
        if let Some(left) = j.checked_sub(1) {
            let other = said.get(left).copied().unwrap_or_default();
            price = price.min(get(before, left) + slips.price(unit, other)).min(get(row, left) + missing(said, left));
            if i > 0 && wanders(way, i - 1, other) {
                price = price.min(get(older, left) + 1);
            }
            if let Some(second) = left.checked_sub(1) {
                if wanders(said, second, unit) {
                    price = price.min(get(before, second) + 1);
                }
                if i > 0 && (splits(way, i - 1, said, second) || splits(said, second, way, i - 1)) {
                    price = price.min(get(older, second) + 1);
                }
                let swapped = i > 0 && way.get(i - 1) == Some(&other) && said.get(second) == Some(&unit);
                if swapped && unit >= 90 {
                    price = price.min(get(older, second) + 2);
                }
            }
        }
        if let Some(cell) = row.get_mut(j) {
            *cell = price.min(far);
        }
        best = best.min(price);
    }
    best
}
