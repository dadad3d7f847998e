//! What a search has reached so far: the ways kept at each cell. The space for it is used again by the next search of the thread.

use std::cell::RefCell;

use super::super::grammar::{Arc, TextArc, TextKind};
use super::super::lexicon::Mood;
use super::{BEAM, Found, STEPS, WayStep};

/// Ways that a state keeps at a cell.
const KEPT: usize = 2;
/// No node.
pub const NONE: u32 = u32::MAX;
/// Cells whose space is kept for the next search; an utterance is rarely longer.
const KEPT_CELLS: usize = 64;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A step of some way, with all that it costs up to here.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The node before it.
    pub before: u32,
    /// Of the whole way.
    pub cost: u32,
    /// The state that is reached.
    pub state: u16,
    /// The name that the grammar gives the step; `u16::MAX` if it takes nothing.
    pub name: u16,
    pub entry: u16,
    /// The first cell.
    pub from: u16,
    /// The cell after the last.
    pub to: u16,
    pub value: i32,
    pub mood: Mood,
    pub text: bool,
    /// Whether it only tells something besides: that is so cheap that it is no measure for orders.
    pub talk: bool,
    /// What the way says up to here: two ways that a state keeps differ in it.
    pub mark: u32,
}

impl Node {
    const BEGIN: Self = Self {
        before: NONE,
        cost: 0,
        state: 0,
        name: 0,
        entry: 0,
        from: 0,
        to: 0,
        value: 0,
        mood: Mood::Bare,
        text: false,
        talk: false,
        mark: 0,
    };

    /// A cell's number as nodes keep it.
    pub fn place(cell: usize) -> u16 {
        u16::try_from(cell).unwrap_or(u16::MAX)
    }

    /// A step that takes nothing.
    pub fn hop(at: usize) -> Self {
        Self { name: u16::MAX, from: Self::place(at), to: Self::place(at), ..Self::BEGIN }
    }

    /// A step by a word.
    pub fn word((before, mark): (u32, u32), at: usize, arc: &Arc, word: &Found, cost: u32) -> Self {
        let (entry, value, mood) = (word.entry, word.value, word.mood);
        Self {
            before,
            cost,
            state: arc.to,
            name: arc.name,
            entry,
            from: Self::place(at),
            to: Self::place(word.end),
            value,
            mood,
            text: false,
            talk: false,
            mark: marked(mark, u32::from(entry) << 8 | u32::from(Self::place(at))),
        }
    }

    /// A step by cells of text.
    pub fn text((before, mark): (u32, u32), (at, end): (usize, usize), text: &TextArc, cost: u32) -> Self {
        let (state, name, mood) = (text.arc.to, text.arc.name, text.kind.mood());
        // Text that goes on says the same as where it began.
        let mark =
            if mood == Mood::Bare { marked(mark, u32::from(name) << 16 | u32::from(Self::place(at))) } else { mark };
        Self {
            before,
            cost,
            state,
            name,
            from: Self::place(at),
            to: Self::place(end),
            mood,
            text: true,
            talk: matches!(text.kind, TextKind::Talk | TextKind::MoreTalk),
            mark,
            ..Self::BEGIN
        }
    }

    /// Whether it takes nothing.
    pub const fn is_hop(&self) -> bool {
        self.name == u16::MAX
    }

    /// The node as a step of a way.
    pub fn step(&self) -> WayStep {
        let (name, entry, value, mood) = (self.name, self.entry, self.value, self.mood);
        WayStep { name, entry, value, mood, from: usize::from(self.from), to: usize::from(self.to) }
    }
}

/// The mark of a way that goes on with a word.
const fn marked(mark: u32, word: u32) -> u32 {
    mark.rotate_left(7).wrapping_mul(0x9e37_79b1) ^ word.wrapping_mul(0x85eb_ca6b)
}

/// A node to go on from.
#[derive(Debug, Clone, Copy)]
pub struct Active {
    pub state: u16,
    /// The place of the state in `Front::kept`.
    place: u16,
    pub node: u32,
}

/// The ways kept at one cell.
#[derive(Debug, Default)]
pub struct Front {
    /// By state: one more than the place in `kept`.
    places: Vec<u16>,
    /// The prices, nodes and marks of a state, cheapest first.
    kept: Vec<[(u32, u32, u32); KEPT]>,
    /// The least price of all that order something.
    pub best: u32,
    /// Nodes to go on from, in the order of their arrival.
    active: Vec<Active>,
}

impl Front {
    fn clear(&mut self, states: usize) {
        for active in self.active.drain(..) {
            if let Some(place) = self.places.get_mut(usize::from(active.state)) {
                *place = 0;
            }
        }
        self.places.resize(states, 0);
        self.kept.clear();
        self.best = u32::MAX;
    }

    /// The node that came as the `number`th.
    pub fn active(&self, number: usize) -> Option<Active> {
        self.active.get(number).copied()
    }

    /// What a node costs, if its state keeps it still.
    pub fn cost(&self, active: Active) -> Option<u32> {
        let kept = self.kept.get(usize::from(active.place))?;
        kept.iter().find(|kept| kept.1 == active.node).map(|kept| kept.0)
    }

    /// Whether a state has no better ways than one of this price, and none of this mark that is as good.
    pub fn wants(&self, state: u16, cost: u32, mark: u32) -> bool {
        let place = self.places.get(usize::from(state)).copied().unwrap_or_default();
        let kept = usize::from(place).checked_sub(1).and_then(|place| self.kept.get(place));
        kept.is_none_or(|kept| {
            kept.last().is_none_or(|worst| cost < worst.0)
                && !kept.iter().any(|known| known.1 != NONE && known.2 == mark && known.0 <= cost)
        })
    }

    /// Keeps a node; of equal ones the first stays before.
    pub fn put(&mut self, number: u32, node: &Node) {
        let (state, cost, mark) = (node.state, node.cost, node.mark);
        let Some(place) = self.places.get_mut(usize::from(state)) else { return };
        if *place == 0 {
            self.kept.push([(u32::MAX, NONE, 0); KEPT]);
            *place = u16::try_from(self.kept.len()).unwrap_or_default();
        }
        let Some(at) = place.checked_sub(1) else { return };
        let Some(kept) = self.kept.get_mut(usize::from(at)) else { return };
        self.active.push(Active { state, place: at, node: number });
        if !node.talk {
            self.best = self.best.min(cost);
        }
        // The same said at a higher price gives way.
        if let Some(same) = kept.iter().position(|known| known.1 != NONE && known.2 == mark) {
            let rest = kept.get_mut(same..).unwrap_or_default();
            rest.rotate_left(1);
            if let Some(last) = rest.last_mut() {
                *last = (u32::MAX, NONE, 0);
            }
        }
        let mut coming = (cost, number, mark);
        let mut moves = false;
        for slot in kept {
            moves |= coming.0 < slot.0;
            if moves {
                std::mem::swap(slot, &mut coming);
            }
        }
    }
}

/// The space of a search.
#[derive(Debug, Default)]
pub struct Scratch {
    fronts: Vec<Front>,
    nodes: Vec<Node>,
    /// By cell: how many nodes, and how many steps were left, when the search came there.
    marks: Vec<(usize, u32)>,
    cells: usize,
}

impl Scratch {
    /// The space of this thread.
    pub fn taken() -> Self {
        SCRATCH.with_borrow_mut(std::mem::take)
    }

    /// For the next search.
    pub fn give_back(mut self) {
        if self.fronts.is_empty() {
            return;
        }
        self.fronts.truncate(KEPT_CELLS);
        SCRATCH.with_borrow_mut(|scratch| *scratch = self);
    }

    /// Begins a search of so many cells.
    pub fn begin(&mut self, cells: usize, states: usize, start: u16) {
        self.cells = cells;
        self.marks.clear();
        self.nodes.clear();
        if self.fronts.len() <= cells {
            self.fronts.resize_with(cells + 1, Front::default);
        }
        self.fronts.iter_mut().take(cells + 1).for_each(|front| front.clear(states));
        self.nodes.push(Node { state: start, ..Node::BEGIN });
        if let Some(front) = self.fronts.first_mut() {
            front.put(0, &Node { state: start, ..Node::BEGIN });
        }
    }

    /// Goes back to when the search came to a cell: the steps that were left then.
    pub fn rewind(&mut self, cell: usize) -> Option<u32> {
        let (nodes, left) = self.marks.get(cell).copied()?;
        self.marks.truncate(cell);
        self.nodes.truncate(nodes);
        for front in self.fronts.iter_mut().skip(cell).take(self.cells + 1 - cell) {
            let states = front.places.len();
            front.clear(states);
        }
        for (number, node) in (0..).zip(&self.nodes) {
            if usize::from(node.to) >= cell
                && let Some(front) = self.fronts.get_mut(usize::from(node.to))
            {
                front.put(number, node);
            }
        }
        Some(left.min(STEPS))
    }

    /// The front of a cell, to go on from.
    pub fn take_front(&mut self, cell: usize, left: u32) -> Front {
        self.marks.push((self.nodes.len(), left));
        self.fronts.get_mut(cell).map(std::mem::take).unwrap_or_default()
    }

    /// Puts it back.
    pub fn put_front(&mut self, cell: usize, front: Front) {
        if let Some(place) = self.fronts.get_mut(cell) {
            *place = front;
        }
    }

    /// What the way to a node says, and whether it ends in what is only told.
    pub fn said(&self, node: u32) -> (u32, bool) {
        self.nodes.get(node as usize).map_or((0, false), |node| (node.mark, node.talk))
    }

    /// A node's number.
    pub fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
    }

    /// Keeps a node at a further cell, if it is good enough there.
    pub fn go(&mut self, end: usize, node: Node) {
        let Some(front) = self.fronts.get_mut(end) else { return };
        if node.cost > front.best.saturating_add(BEAM) || !front.wants(node.state, node.cost, node.mark) {
            return;
        }
        self.nodes.push(node);
        front.put(u32::try_from(self.nodes.len() - 1).unwrap_or(NONE), &node);
    }

    /// A node by its number.
    pub fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    /// What is reached at the end of the utterance.
    pub fn last(&self) -> &[Active] {
        self.fronts.get(self.cells).map_or(&[], |front| &front.active)
    }
}
