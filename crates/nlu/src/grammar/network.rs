//! The compiled rules, laid out for the search: which arcs take a word is looked up in a row of bits for each state.

use super::super::lexicon::Mood;
use super::merging::UnmergedNetwork;

/// A step from state to state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// The state that it leads to.
    pub to: u16,
    /// The name for what is taken.
    pub name: u16,
    /// Its price.
    pub cost: u32,
}

/// A step that takes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeStep {
    /// The state that it leads to.
    pub to: u16,
    /// Its price.
    pub cost: u32,
}

/// How a cell of free text is priced: the first costs more than what follows, and what is told besides less than a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum TextKind {
    /// The first cell of a text.
    First,
    Further,
    /// The first cell of what is told besides.
    Talk,
    MoreTalk,
}

impl TextKind {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// The kind of the cells that follow one of this kind.
    #[must_use]
    pub const fn further(self) -> Self {
        match self {
            Self::First | Self::Further => Self::Further,
            Self::Talk | Self::MoreTalk => Self::MoreTalk,
        }
    }

    /// What a step of this kind has for a mood: the first cell is bare.
    #[must_use]
    pub const fn mood(self) -> Mood {
        match self {
            Self::First | Self::Talk => Mood::Bare,
            Self::Further | Self::MoreTalk => Mood::Order,
        }
    }
}

/// A step by one cell of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextArc {
    pub kind: TextKind,
    /// The step.
    pub arc: Arc,
    /// What a further cell costs besides, if the text goes on behind the step without another choice.
    pub goes_on: Option<u32>,
}

/// The groups that stand for no words of the lexicon.
#[derive(Debug, Clone, Default)]
pub struct Special {
    /// Any words.
    pub text: u16,
    /// What is told besides.
    pub talk: u16,
    pub number: u16,
    /// A place in a row.
    pub place: u16,
    /// A pause.
    pub comma: u16,
    /// A place in a row that is all that is said.
    pub choice: u16,
    /// A quoted text.
    pub quote: u16,
    /// A label of the screen.
    pub label: u16,
    /// Groups of words that begin an order in English, in their base form.
    pub orders: Vec<u16>,
    /// Particles that part what stands before them from what follows.
    pub parting: Vec<u16>,
    /// Words of going somewhere, which begin a clause, but stand in many texts.
    pub goes: u16,
    /// Groups of words that lead on to an order.
    pub leads_on: Vec<u16>,
    /// Endings of what is only told.
    pub tells: Vec<u16>,
    /// Groups of words that take back what was said.
    pub takes_back: Vec<u16>,
}

impl Special {
    /// Whether a word begins an order, or takes one back.
    #[must_use]
    pub fn begins_order(&self, group: u16, mood: Mood) -> bool {
        (mood == Mood::Base && self.orders.contains(&group)) || self.takes_back.contains(&group)
    }
}

/// Things of each state, in one row.
#[derive(Debug, Clone)]
struct ByState<T> {
    all: Vec<T>,
    /// Where the things of a state begin, and, behind the last state, where they end.
    begins: Vec<u32>,
}

impl<T> Default for ByState<T> {
    fn default() -> Self {
        Self { all: Vec::new(), begins: vec![0] }
    }
}

impl<T> ByState<T> {
    fn push(&mut self, things: impl IntoIterator<Item = T>) {
        self.all.extend(things);
        self.begins.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
    }

    fn of(&self, number: usize) -> &[T] {
        let (Some(from), Some(to)) = (self.begins.get(number), self.begins.get(number + 1)) else { return &[] };
        self.all.get(*from as usize..*to as usize).unwrap_or_default()
    }
}

/// 64 labels of a state.
#[derive(Debug, Clone, Copy, Default)]
struct LabelWord {
    /// Those that have arcs.
    bits: u64,
    /// The number of the first of them in `arcs`.
    first: u32,
}

/// The compiled rules.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// By group and mood: the label that the rules know; `u16::MAX` if they know none.
    labels: Vec<u16>,
    /// By state and 64 labels.
    words: Vec<LabelWord>,
    /// By the labels of the states, in a row.
    arcs: ByState<Arc>,
    texts: ByState<TextArc>,
    hops: ByState<FreeStep>,
    ends: Vec<Option<u32>>,
    /// By state and 64 labels: what may be taken in it, or behind its hops.
    ahead: Vec<u64>,
    /// By state: whether a text may begin or go on in it, or behind its hops.
    text_ahead: Vec<bool>,
    width: usize,
    /// The names that arcs give.
    pub names: Vec<String>,
    /// Where everything begins.
    pub start: u16,
    /// The groups that stand for no words.
    pub special: Special,
}

impl Network {
    /// Lays out a network.
    pub(super) fn new(draft: UnmergedNetwork, special: Special) -> Self {
        let (text, talk) = (special.text, special.talk);
        let mut network = Self { names: draft.names, start: draft.start, ends: draft.ends, special, ..Self::default() };
        let kind = |label: u16| {
            [(TextKind::First, text), (TextKind::Further, text), (TextKind::Talk, talk), (TextKind::MoreTalk, talk)]
                .into_iter()
                .find(|(kind, group)| super::label(*group, kind.mood()) == label)
                .map(|found| found.0)
        };
        let mut count: u16 = 0;
        for arc in draft.arcs.iter().flatten().filter(|arc| kind(arc.label).is_none()) {
            let at = usize::from(arc.label);
            if network.labels.len() <= at {
                network.labels.resize(at + 1, u16::MAX);
            }
            if let Some(label) = network.labels.get_mut(at).filter(|label| **label == u16::MAX) {
                *label = count;
                count += 1;
            }
        }
        network.width = usize::from(count).div_ceil(64);
        for (arcs, free) in draft.arcs.iter().zip(&draft.free) {
            let mut texts: Vec<TextArc> = Vec::new();
            let mut words: Vec<(u16, Arc)> = Vec::new();
            for arc in arcs {
                let step = Arc { to: arc.to, name: arc.name, cost: arc.cost };
                match kind(arc.label) {
                    Some(kind) => texts.push(TextArc { kind, arc: step, goes_on: None }),
                    None => words.push((network.labels.get(usize::from(arc.label)).copied().unwrap_or_default(), step)),
                }
            }
            texts.sort_by_key(|text| text.kind);
            words.sort_by_key(|word| word.0);
            network.row(&words);
            network.text_ahead.push(!texts.is_empty());
            network.texts.push(texts);
            network.hops.push(free.iter().map(|(to, cost)| FreeStep { to: *to, cost: *cost }));
        }
        network.look_ahead();
        network.tell_where_text_goes_on();
        network
    }

    fn tell_where_text_goes_on(&mut self) {
        let looped = |text: &TextArc| {
            let (to, name) = (text.arc.to, text.arc.name);
            let mut behind =
                self.texts(to).iter().filter(|next| next.arc.name == name && next.kind == text.kind.further());
            match (behind.next(), behind.next()) {
                (Some(next), None) if next.arc.to == to => Some(next.arc.cost),
                _ => None,
            }
        };
        let costs: Vec<Option<u32>> = self.texts.all.iter().map(looped).collect();
        self.texts.all.iter_mut().zip(costs).for_each(|(text, cost)| text.goes_on = cost);
    }

    /// The arcs of one state, sorted by their labels.
    fn row(&mut self, arcs: &[(u16, Arc)]) {
        let from = self.words.len();
        self.words.resize(from + self.width, LabelWord::default());
        for same in arcs.chunk_by(|a, b| a.0 == b.0) {
            let Some((label, _)) = same.first() else { continue };
            if let Some(word) = self.words.get_mut(from + usize::from(label / 64)) {
                if word.bits == 0 {
                    word.first = u32::try_from(self.arcs.begins.len() - 1).unwrap_or(u32::MAX);
                }
                word.bits |= 1 << (label % 64);
            }
            self.arcs.push(same.iter().map(|arc| arc.1));
        }
        self.ahead.extend(self.words.get(from..).unwrap_or_default().iter().map(|word| word.bits));
    }

    fn look_ahead(&mut self) {
        let mut grows = true;
        while grows {
            grows = false;
            for state in 0..self.states() {
                for hop in self.hops.of(state) {
                    let to = usize::from(hop.to);
                    for word in 0..self.width {
                        let more = self.ahead.get(to * self.width + word).copied().unwrap_or_default();
                        if let Some(bits) =
                            self.ahead.get_mut(state * self.width + word).filter(|bits| **bits | more != **bits)
                        {
                            *bits |= more;
                            grows = true;
                        }
                    }
                    let more = self.text_ahead.get(to).copied().unwrap_or_default();
                    if let Some(text) = self.text_ahead.get_mut(state).filter(|text| more && !**text) {
                        *text = true;
                        grows = true;
                    }
                }
            }
        }
    }

    /// How many states there are.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.ends.len()
    }

    /// How many words of 64 bits hold a bit for each label.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The label of a group in a mood, if a rule has it.
    #[must_use]
    pub fn label(&self, group: u16, mood: Mood) -> Option<u16> {
        self.labels.get(usize::from(super::label(group, mood))).copied().filter(|label| *label != u16::MAX)
    }

    /// The arcs of a state that take a word of a label.
    #[must_use]
    #[inline]
    pub fn arcs(&self, state: u16, label: u16) -> &[Arc] {
        let Some(word) = self.words.get(usize::from(state) * self.width + usize::from(label / 64)) else { return &[] };
        let bit = 1_u64 << (label % 64);
        if word.bits & bit == 0 {
            return &[];
        }
        self.arcs.of((word.first + (word.bits & (bit - 1)).count_ones()) as usize)
    }

    /// The arcs of a state that take text, in the order of their kinds.
    #[must_use]
    pub fn texts(&self, state: u16) -> &[TextArc] {
        self.texts.of(usize::from(state))
    }

    /// The steps of a state that take nothing.
    #[must_use]
    pub fn hops(&self, state: u16) -> &[FreeStep] {
        self.hops.of(usize::from(state))
    }

    /// What it costs to end in a state; none if nothing ends there.
    #[must_use]
    pub fn end(&self, state: u16) -> Option<u32> {
        self.ends.get(usize::from(state)).copied().flatten()
    }

    /// Whether anything may be taken in a state, or behind its hops, where words with these labels begin.
    #[must_use]
    #[inline]
    pub fn leads_on(&self, state: u16, labels: &[u64]) -> bool {
        let at = usize::from(state);
        let ahead = self.ahead.get(at * self.width..(at + 1) * self.width).unwrap_or_default();
        self.text_ahead.get(at).copied().unwrap_or_default()
            || ahead.iter().zip(labels).any(|(ahead, labels)| ahead & labels != 0)
    }
}
