//! The grammar (NLU-2, NLU-5): regular rules over the groups of the lexicon, compiled once to a network of states that the search walks.
//!
//! A rule is `name = items | items`. An item is a group of the lexicon (`role`), a group in one mood (`aim.ing`), another rule, which is put in its place,
//! `(…)`, `[…]` (or nothing), `item*` (any number), `~12` (a price), `name=ITEM` (a name for what the item takes), `-> rule` (go on there, and nowhere else),
//! `group>` (go on at the rule `after_MOOD`, by the word's mood), or one of TEXT (any words), NUMBER, PLACE (a place in a row), COMMA.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{Lexicon, Mood};

/// What a label of an arc stands for, beyond groups of the lexicon.
pub const TEXT: &str = "TEXT";
pub const NUMBER: &str = "NUMBER";
pub const PLACE: &str = "PLACE";
pub const COMMA: &str = "COMMA";
/// A place in a row that is all that is said: "삼 번".
pub const CHOICE: &str = "CHOICE";
/// A quoted text.
pub const QUOTE: &str = "QUOTE";
/// What is told besides: any words, at a lower price.
pub const TALK: &str = "TALK";
const BUILT_IN: [&str; 7] = [TEXT, NUMBER, PLACE, COMMA, CHOICE, QUOTE, TALK];

/// A step from state to state by one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arc {
    /// Group and mood.
    pub label: u16,
    pub to: u16,
    /// The name for what is taken.
    pub name: u16,
    pub cost: u32,
}

/// The compiled rules.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// By state; sorted by label.
    pub arcs: Vec<Vec<Arc>>,
    /// By state: states that are reached for nothing but a price, and shared by many.
    pub free: Vec<Vec<(u16, u32)>>,
    /// What it costs to end in a state; none if nothing ends there.
    pub ends: Vec<Option<u32>>,
    pub names: Vec<String>,
    pub start: u16,
}

/// The label of a group in a mood.
#[must_use]
pub const fn label(group: u16, mood: Mood) -> u16 {
    group * Mood::COUNT + mood as u16
}

#[derive(Debug, Clone)]
enum Item {
    Word { group: String, mood: Option<Mood>, name: String },
    Rule(String),
    Any(Vec<Vec<Self>>),
    Maybe(Vec<Vec<Self>>),
    Many(Box<Self>),
    Price(u32),
    Goto(String),
    Dispatch(String, String),
}

type Rules = BTreeMap<String, Vec<Vec<Item>>>;

/// While it is built: with steps that take nothing.
#[derive(Debug, Default)]
struct Draft {
    arcs: Vec<Vec<Arc>>,
    free: Vec<Vec<(u16, u32)>>,
    names: Vec<String>,
    /// Where rules begin that others go to.
    begins: BTreeMap<String, u16>,
    /// States that many others lead to: not put in the place of each of them.
    hubs: BTreeSet<u16>,
    wrong: Vec<String>,
}

/// Compiles rules; the errors, if there are some: a name that is neither a rule nor a group, a bracket without its twin.
///
/// # Errors
/// One line for each thing that is wrong.
pub fn compile(text: &str, lexicon: &mut Lexicon) -> Result<Network, Vec<String>> {
    for name in BUILT_IN {
        lexicon.group(name);
    }
    let rules = read(text)?;
    let mut draft = Draft::default();
    let end = draft.state();
    let start = draft.begin("utterance", &rules, lexicon, end);
    if !draft.wrong.is_empty() {
        return Err(draft.wrong);
    }
    Ok(draft.finish(start, end))
}

fn read(text: &str) -> Result<Rules, Vec<String>> {
    let mut rules = Rules::new();
    let mut wrong = Vec::new();
    let mut body = String::new();
    let mut name = String::new();
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    lines.push("end =");
    for line in lines {
        let begins = line.split_once(" =").filter(|(name, _)| !name.is_empty() && !name.starts_with(' '));
        if let Some((next, rest)) = begins {
            if !name.is_empty() {
                let spaced: String =
                    body.chars().map(|c| if "()[]|*".contains(c) { format!(" {c} ") } else { c.to_string() }).collect();
                let mut words = spaced.split_whitespace().peekable();
                let alternatives = alternatives(&mut words, &mut wrong);
                if words.next().is_some() {
                    wrong.push(format!("the rule {name} has a closing bracket too many"));
                }
                rules.insert(name, alternatives);
            }
            (name, body) = (next.trim().to_owned(), rest.to_owned());
        } else {
            body.push(' ');
            body.push_str(line);
        }
    }
    if wrong.is_empty() { Ok(rules) } else { Err(wrong) }
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(words: &mut Words<'_>, wrong: &mut Vec<String>) -> Vec<Vec<Item>> {
    let mut all = vec![Vec::new()];
    while let Some(word) = words.peek().copied() {
        if word == ")" || word == "]" {
            break;
        }
        words.next();
        let Some(row) = all.last_mut() else { break };
        match word {
            "|" => all.push(Vec::new()),
            "(" | "[" => {
                let inner = alternatives(words, wrong);
                let close = if word == "(" { ")" } else { "]" };
                if words.next() != Some(close) {
                    wrong.push(format!("a bracket {word} is not closed"));
                }
                row.push(if word == "(" { Item::Any(inner) } else { Item::Maybe(inner) });
            }
            "*" => {
                if let Some(item) = row.pop() {
                    row.push(Item::Many(Box::new(item)));
                }
            }
            "->" => row.push(Item::Goto(words.next().unwrap_or_default().to_owned())),
            price if price.starts_with('~') => {
                row.push(Item::Price(price.trim_start_matches('~').parse().unwrap_or(0)))
            }
            word => row.push(one(word)),
        }
    }
    all
}

fn one(word: &str) -> Item {
    let (name, what) = word.split_once('=').unwrap_or((word, word));
    if let Some(group) = what.strip_suffix('>') {
        return Item::Dispatch(group.to_owned(), name.trim_end_matches('>').to_owned());
    }
    let (group, mood) = match what.split_once('.') {
        Some((group, mood)) => (group, Mood::named(mood)),
        None => (what, None),
    };
    let name = name.split('.').next().unwrap_or(name).to_owned();
    if mood.is_none() && name == group && group.chars().next().is_some_and(char::is_lowercase) {
        return Item::Rule(group.to_owned());
    }
    Item::Word { group: group.to_owned(), mood, name }
}

/// Moods that one may speak to Luna with, when the grammar names none.
const SPOKEN: [Mood; 4] = [Mood::Bare, Mood::Order, Mood::Wish, Mood::Base];
const DISPATCHED: [(Mood, &str); 7] = [
    (Mood::Bare, "after_bare"),
    (Mood::Order, "after_order"),
    (Mood::Wish, "after_order"),
    (Mood::Joint, "after_joint"),
    (Mood::Not, "after_not"),
    (Mood::NotBut, "after_notbut"),
    (Mood::Reason, "after_reason"),
];

impl Draft {
    fn state(&mut self) -> u16 {
        self.arcs.push(Vec::new());
        self.free.push(Vec::new());
        u16::try_from(self.arcs.len() - 1).unwrap_or(u16::MAX)
    }

    fn step(&mut self, from: u16, label: u16, to: u16, name: u16) {
        if let Some(arcs) = self.arcs.get_mut(usize::from(from)) {
            arcs.push(Arc { label, to, name, cost: 0 });
        }
    }

    fn free(&mut self, from: u16, to: u16, cost: u32) {
        if let Some(free) = self.free.get_mut(usize::from(from)) {
            free.push((to, cost));
        }
    }

    fn name(&mut self, name: &str) -> u16 {
        let at = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// The state where a rule begins that is gone to; its end is the end of everything.
    fn begin(&mut self, rule: &str, rules: &Rules, lexicon: &mut Lexicon, end: u16) -> u16 {
        if let Some(begin) = self.begins.get(rule) {
            return *begin;
        }
        let begin = self.state();
        self.begins.insert(rule.to_owned(), begin);
        self.hubs.insert(begin);
        match rules.get(rule) {
            Some(body) => self.all(body, begin, end, rules, lexicon, end),
            None => self.wrong.push(format!("there is no rule {rule}")),
        }
        begin
    }

    fn all(&mut self, body: &[Vec<Item>], from: u16, to: u16, rules: &Rules, lexicon: &mut Lexicon, end: u16) {
        for row in body {
            let mut at = from;
            let mut leads_on = true;
            for item in row {
                match item {
                    Item::Goto(rule) => {
                        let begin = self.begin(rule, rules, lexicon, end);
                        self.free(at, begin, 0);
                        leads_on = false;
                    }
                    Item::Dispatch(group, name) => {
                        self.dispatch(group, name, at, rules, lexicon, end);
                        leads_on = false;
                    }
                    _ => {
                        let next = self.state();
                        self.item(item, at, next, rules, lexicon, end);
                        at = next;
                    }
                }
            }
            if leads_on {
                self.free(at, to, 0);
            }
        }
    }

    fn dispatch(&mut self, group: &str, name: &str, at: u16, rules: &Rules, lexicon: &mut Lexicon, end: u16) {
        let Some(number) = lexicon.known(group) else {
            self.wrong.push(format!("there is no group {group}"));
            return;
        };
        let name = self.name(name);
        for (mood, rule) in DISPATCHED {
            let begin = self.begin(rule, rules, lexicon, end);
            self.step(at, label(number, mood), begin, name);
        }
    }

    fn item(&mut self, item: &Item, from: u16, to: u16, rules: &Rules, lexicon: &mut Lexicon, end: u16) {
        match item {
            Item::Price(price) => self.free(from, to, *price),
            Item::Any(body) => self.all(body, from, to, rules, lexicon, end),
            Item::Maybe(body) => {
                self.all(body, from, to, rules, lexicon, end);
                self.free(from, to, 0);
            }
            Item::Many(item) => {
                let inside = self.state();
                self.hubs.insert(inside);
                self.free(from, inside, 0);
                self.item(item, inside, inside, rules, lexicon, end);
                self.free(inside, to, 0);
            }
            Item::Rule(rule) if rules.contains_key(rule) => {
                if let Some(body) = rules.get(rule) {
                    self.all(body, from, to, rules, lexicon, end);
                }
            }
            Item::Rule(group) => self.words(group, &SPOKEN, group, from, to, lexicon),
            Item::Word { group, mood, name } => match mood {
                Some(mood) => self.words(group, &[*mood], name, from, to, lexicon),
                None if group == CHOICE => self.words(group, &SPOKEN, name, from, to, lexicon),
                None if BUILT_IN.contains(&group.as_str()) => self.words(group, &[Mood::Bare], name, from, to, lexicon),
                None => self.words(group, &SPOKEN, name, from, to, lexicon),
            },
            Item::Goto(_) | Item::Dispatch(..) => {}
        }
    }

    fn words(&mut self, group: &str, moods: &[Mood], name: &str, from: u16, to: u16, lexicon: &Lexicon) {
        let Some(number) = lexicon.known(group) else {
            self.wrong.push(format!("there is neither a rule nor a group {group}"));
            return;
        };
        let name = self.name(name);
        if group == TEXT || group == TALK {
            // Text goes on cell by cell.
            let inside = self.state();
            self.step(from, label(number, Mood::Bare), inside, name);
            self.step(inside, label(number, Mood::Order), inside, name);
            self.free(inside, to, 0);
            return;
        }
        for mood in moods {
            self.step(from, label(number, *mood), to, name);
        }
    }

    /// Without the steps that take nothing, and without states that nothing leads to.
    fn finish(self, start: u16, end: u16) -> Network {
        let count = self.arcs.len();
        let mut network = Network {
            names: self.names,
            ends: vec![None; count],
            arcs: vec![Vec::new(); count],
            free: vec![Vec::new(); count],
            start,
        };
        for state in 0..count {
            // The cheapest way to each state that is reached for nothing.
            let mut reached: BTreeMap<u16, u32> = BTreeMap::new();
            let mut open = vec![(u16::try_from(state).unwrap_or_default(), 0_u32)];
            while let Some((at, cost)) = open.pop() {
                if reached.get(&at).is_some_and(|known| *known <= cost) {
                    continue;
                }
                reached.insert(at, cost);
                if usize::from(at) != state && self.hubs.contains(&at) {
                    continue;
                }
                open.extend(self.free.get(usize::from(at)).into_iter().flatten().map(|(to, more)| (*to, cost + more)));
            }
            let mut arcs: BTreeSet<Arc> = BTreeSet::new();
            for (at, cost) in &reached {
                if usize::from(*at) != state && self.hubs.contains(at) {
                    network.free[state].push((*at, *cost));
                    continue;
                }
                if *at == end {
                    network.ends[state] = Some(network.ends[state].map_or(*cost, |known| known.min(*cost)));
                }
                for arc in self.arcs.get(usize::from(*at)).into_iter().flatten() {
                    arcs.insert(Arc { cost: *cost, ..*arc });
                }
            }
            let mut kept: Vec<Arc> = Vec::new();
            for arc in arcs {
                // Sorted by label, state, name, then cost: the first of equal ones is the cheapest.
                if kept.last().is_none_or(|last| (last.label, last.to, last.name) != (arc.label, arc.to, arc.name)) {
                    kept.push(arc);
                }
            }
            network.arcs[state] = kept;
        }
        network.merged().renumbered()
    }
}

impl Network {
    /// States that lead on alike are one: rules that are put in several places differ only in what follows them.
    fn merged(self) -> Self {
        let count = self.arcs.len();
        let mut classes: Vec<u16> = vec![0; count];
        let mut known = 0;
        loop {
            let class = |state: u16| classes.get(usize::from(state)).copied().unwrap_or_default();
            let mut numbers = BTreeMap::new();
            let mut next: Vec<u16> = Vec::with_capacity(count);
            for state in 0..count {
                let mut arcs: Vec<Arc> =
                    self.arcs.get(state).into_iter().flatten().map(|arc| Arc { to: class(arc.to), ..*arc }).collect();
                arcs.sort_unstable();
                // Of two ways by the same word to the same class the cheaper one counts.
                arcs.dedup_by_key(|arc| (arc.label, arc.to, arc.name));
                let mut free: Vec<(u16, u32)> =
                    self.free.get(state).into_iter().flatten().map(|(to, cost)| (class(*to), *cost)).collect();
                free.sort_unstable();
                free.dedup_by_key(|free| free.0);
                let end = self.ends.get(state).copied().flatten();
                let number = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
                next.push(*numbers.entry((end, arcs, free)).or_insert(number));
            }
            classes = next;
            if numbers.len() == known {
                let mut merged = Self { start: class_of(&classes, self.start), names: self.names, ..Self::default() };
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

    /// Only the states that something leads to, numbered in a row.
    fn renumbered(self) -> Self {
        let mut order = vec![self.start];
        let mut numbers: BTreeMap<u16, u16> = BTreeMap::from([(self.start, 0)]);
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            let at = usize::from(state);
            let arcs = self.arcs.get(at).into_iter().flatten().map(|arc| arc.to);
            for to in arcs.chain(self.free.get(at).into_iter().flatten().map(|free| free.0)) {
                if !numbers.contains_key(&to) {
                    numbers.insert(to, u16::try_from(order.len()).unwrap_or(u16::MAX));
                    order.push(to);
                }
            }
        }
        let number = |state: u16| numbers.get(&state).copied().unwrap_or_default();
        let of = |state: &u16| usize::from(*state);
        Self {
            arcs: order
                .iter()
                .map(|state| {
                    let mut arcs: Vec<Arc> = self
                        .arcs
                        .get(of(state))
                        .into_iter()
                        .flatten()
                        .map(|arc| Arc { to: number(arc.to), ..*arc })
                        .collect();
                    arcs.sort_unstable();
                    arcs
                })
                .collect(),
            free: order
                .iter()
                .map(|state| {
                    self.free.get(of(state)).into_iter().flatten().map(|(to, cost)| (number(*to), *cost)).collect()
                })
                .collect(),
            ends: order.iter().map(|state| self.ends.get(of(state)).copied().flatten()).collect(),
            names: self.names,
            start: 0,
        }
    }
}

fn class_of(classes: &[u16], state: u16) -> u16 {
    classes.get(usize::from(state)).copied().unwrap_or_default()
}
