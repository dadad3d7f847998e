//! What is there twice in a grammar that was put together is taken out: steps that take nothing, states that lead on alike.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// A step from state to state by one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DraftArc {
    /// Group and mood.
    pub label: u16,
    /// The state that it leads to.
    pub to: u16,
    /// The name for what is taken.
    pub name: u16,
    /// The price of the steps that take nothing before it.
    pub cost: u32,
}

/// What a state leads to: its end, by words, and for nothing.
type Onward = (Option<u32>, Vec<DraftArc>, Vec<(u16, u32)>);

/// What leads to a state: whether everything begins there, by words (with where from), and for nothing.
type Inward = (bool, Vec<DraftArc>, Vec<(u16, u32)>);

/// A network as it is built.
#[derive(Debug, Default)]
pub struct UnmergedNetwork {
    /// By state.
    pub arcs: Vec<Vec<DraftArc>>,
    /// By state: what is reached for nothing but a price.
    pub free: Vec<Vec<(u16, u32)>>,
    /// By state: what it costs to end there; none if nothing ends there.
    pub ends: Vec<Option<u32>>,
    /// The names that arcs give.
    pub names: Vec<String>,
    /// Where everything begins.
    pub start: u16,
}

impl UnmergedNetwork {
    /// Without the steps that take nothing, but for those to hubs, which would be put in the place of too many.
    pub fn without_free_steps(self, hubs: &BTreeSet<u16>, end: u16) -> Self {
        let count = self.arcs.len();
        let mut draft = Self { names: self.names, start: self.start, ..Self::default() };
        for state in 0..count {
            let is_other_hub = |at: u16| usize::from(at) != state && hubs.contains(&at);
            // The cheapest way to each state that is reached for nothing.
            let mut reached: BTreeMap<u16, u32> = BTreeMap::new();
            let mut open = vec![(u16::try_from(state).unwrap_or_default(), 0_u32)];
            while let Some((at, cost)) = open.pop() {
                if reached.get(&at).is_some_and(|known| *known <= cost) {
                    continue;
                }
                reached.insert(at, cost);
                if !is_other_hub(at) {
                    open.extend(
                        self.free.get(usize::from(at)).into_iter().flatten().map(|(to, more)| (*to, cost + more)),
                    );
                }
            }
            let (mut arcs, mut free, mut ends) = (Vec::new(), Vec::new(), None::<u32>);
            for (at, cost) in reached {
                if is_other_hub(at) {
                    free.push((at, cost));
                    continue;
                }
                if at == end {
                    ends = Some(ends.map_or(cost, |known| known.min(cost)));
                }
                arcs.extend(self.arcs.get(usize::from(at)).into_iter().flatten().map(|arc| DraftArc { cost, ..*arc }));
            }
            without_dearer(&mut arcs);
            draft.arcs.push(arcs);
            draft.free.push(free);
            draft.ends.push(ends);
        }
        draft
    }

    /// States that lead on alike are one: rules that are put in several places differ only in what follows them.
    pub fn merged(self) -> Self {
        let mut classes: Vec<u16> = vec![0; self.arcs.len()];
        let mut known = 0;
        loop {
            // By what a state leads to: the number of its class.
            let mut numbers: HashMap<Onward, u16, BuildHasherDefault<Quick>> = HashMap::default();
            let mut next: Vec<u16> = Vec::with_capacity(classes.len());
            let class = |state: u16| classes.get(usize::from(state)).copied().unwrap_or_default();
            for ((arcs, free), end) in self.arcs.iter().zip(&self.free).zip(&self.ends) {
                let mut arcs: Vec<DraftArc> = arcs.iter().map(|arc| DraftArc { to: class(arc.to), ..*arc }).collect();
                without_dearer(&mut arcs);
                let mut free: Vec<(u16, u32)> = free.iter().map(|(to, cost)| (class(*to), *cost)).collect();
                free.sort_unstable();
                free.dedup_by_key(|free| free.0);
                let number = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
                next.push(*numbers.entry((*end, arcs, free)).or_insert(number));
            }
            classes = next;
            if numbers.len() == known {
                let start = classes.get(usize::from(self.start)).copied().unwrap_or_default();
                let mut merged = Self { start, names: self.names, ..Self::default() };
                let mut rows: Vec<_> = numbers.into_iter().collect();
                rows.sort_unstable_by_key(|row| row.1);
                for ((end, arcs, free), _) in rows {
                    merged.arcs.push(arcs);
                    merged.free.push(free);
                    merged.ends.push(end);
                }
                return merged;
            }
            known = numbers.len();
        }
    }

    /// States that are reached alike are one: rules that begin with the same words differ only in what follows these.
    pub fn merged_by_beginnings(self) -> Self {
        let mut classes: Vec<u16> = vec![1; self.arcs.len()];
        if let Some(class) = classes.get_mut(usize::from(self.start)) {
            *class = 0;
        }
        let mut known = 0;
        loop {
            // By what leads to a state: the number of its class.
            let mut inward: Vec<Inward> = vec![(false, Vec::new(), Vec::new()); self.arcs.len()];
            for (from, (arcs, free)) in classes.iter().zip(self.arcs.iter().zip(&self.free)) {
                for arc in arcs {
                    if let Some(to) = inward.get_mut(usize::from(arc.to)) {
                        to.1.push(DraftArc { to: *from, ..*arc });
                    }
                }
                for (to, cost) in free {
                    if let Some(to) = inward.get_mut(usize::from(*to)) {
                        to.2.push((*from, *cost));
                    }
                }
            }
            let mut numbers: HashMap<Inward, u16, BuildHasherDefault<Quick>> = HashMap::default();
            let mut next: Vec<u16> = Vec::with_capacity(classes.len());
            for (state, mut row) in inward.into_iter().enumerate() {
                row.0 = state == usize::from(self.start);
                row.1.sort_unstable();
                row.1.dedup();
                row.2.sort_unstable();
                row.2.dedup();
                let number = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
                next.push(*numbers.entry(row).or_insert(number));
            }
            classes = next;
            if numbers.len() == known {
                return self.classed(&classes, known);
            }
            known = numbers.len();
        }
    }

    /// The network of the classes of its states.
    fn classed(self, classes: &[u16], count: usize) -> Self {
        let class = |state: u16| classes.get(usize::from(state)).copied().unwrap_or_default();
        let mut merged = Self { start: class(self.start), names: self.names, ..Self::default() };
        merged.arcs.resize(count, Vec::new());
        merged.free.resize(count, Vec::new());
        merged.ends.resize(count, None);
        for (at, ((arcs, free), end)) in classes.iter().zip(self.arcs.iter().zip(&self.free).zip(&self.ends)) {
            let at = usize::from(*at);
            if let Some(row) = merged.arcs.get_mut(at) {
                row.extend(arcs.iter().map(|arc| DraftArc { to: class(arc.to), ..*arc }));
            }
            if let Some(row) = merged.free.get_mut(at) {
                row.extend(free.iter().map(|(to, cost)| (class(*to), *cost)));
            }
            if let Some(known) = merged.ends.get_mut(at) {
                *known = [*known, *end].into_iter().flatten().min();
            }
        }
        merged.arcs.iter_mut().for_each(without_dearer);
        for free in &mut merged.free {
            free.sort_unstable();
            free.dedup_by_key(|free| free.0);
        }
        merged
    }

    /// Only the states that something leads to, numbered in a row from the start.
    pub fn renumbered(self) -> Self {
        let mut order = vec![self.start];
        let mut numbers: Vec<Option<u16>> = vec![None; self.arcs.len()];
        if let Some(number) = numbers.get_mut(usize::from(self.start)) {
            *number = Some(0);
        }
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            let at = usize::from(state);
            let arcs = self.arcs.get(at).into_iter().flatten().map(|arc| arc.to);
            for to in arcs.chain(self.free.get(at).into_iter().flatten().map(|free| free.0)) {
                if let Some(number) = numbers.get_mut(usize::from(to)).filter(|number| number.is_none()) {
                    *number = u16::try_from(order.len()).ok();
                    order.push(to);
                }
            }
        }
        let number = |state: u16| numbers.get(usize::from(state)).copied().flatten().unwrap_or_default();
        let mut draft = Self { names: self.names, ..Self::default() };
        for at in order.into_iter().map(usize::from) {
            let mut arcs: Vec<DraftArc> =
                self.arcs.get(at).into_iter().flatten().map(|arc| DraftArc { to: number(arc.to), ..*arc }).collect();
            arcs.sort_unstable();
            draft.arcs.push(arcs);
            draft.free.push(self.free.get(at).into_iter().flatten().map(|(to, cost)| (number(*to), *cost)).collect());
            draft.ends.push(self.ends.get(at).copied().flatten());
        }
        draft
    }
}

/// Sorted; of two ways by the same word to the same state the cheaper one counts.
fn without_dearer(arcs: &mut Vec<DraftArc>) {
    arcs.sort_unstable();
    arcs.dedup_by_key(|arc| (arc.label, arc.to, arc.name));
}

/// A quick hash of the rows of a grammar that Luna itself brings along.
#[derive(Default)]
struct Quick(u64);

impl Quick {
    fn add(&mut self, more: u64) {
        self.0 = (self.0.rotate_left(5) ^ more).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.add(u64::from(*byte)));
    }

    fn write_u16(&mut self, number: u16) {
        self.add(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}
