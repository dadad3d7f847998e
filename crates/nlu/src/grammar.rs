//! The grammar (NLU-2, NLU-5): regular rules over the groups of the lexicon, compiled once to a network of states that the search walks.
//!
//! `notation` reads the rules, this module puts them together, `merging` takes out what is there twice, `network` is what is left to walk.

mod merging;
mod network;
mod notation;

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{Lexicon, Mood};

use self::merging::{DraftArc, UnmergedNetwork};
use self::notation::{GrammarItem, Rules};

pub use self::network::{Arc, Network, Special, TextArc, TextKind};

/// Any words.
pub const TEXT: &str = "TEXT";
/// A number.
pub const NUMBER: &str = "NUMBER";
/// A place in a row.
pub const PLACE: &str = "PLACE";
/// A pause.
pub const COMMA: &str = "COMMA";
/// A place in a row that is all that is said: "삼 번".
pub const CHOICE: &str = "CHOICE";
/// A quoted text.
pub const QUOTE: &str = "QUOTE";
/// A label of the screen.
pub const LABEL: &str = "LABEL";
/// What is told besides: any words, at a lower price.
pub const TALK: &str = "TALK";
/// Groups of words that begin an order in English.
const ORDERS: [&str; 13] =
    ["aim", "act", "desktop", "type", "change", "fill", "put", "turn", "read", "zoom", "volume", "mute", "scroll"];
/// Particles that part what stands before them from what follows.
const PARTING: [&str; 4] = ["topic", "object", "at", "inside_at"];
/// Groups of words that lead on to an order: "then click it".
const LEADS_ON: [&str; 2] = ["and", "filler"];
/// Groups of endings of what is only told.
const TELLS: [&str; 1] = ["weak_end"];
/// Groups of words that take back what was said.
const TAKES_BACK: [&str; 5] = ["repair", "withdraw", "not", "contrast", "but_not"];
const BUILT_IN: [&str; 8] = [TEXT, NUMBER, PLACE, COMMA, CHOICE, QUOTE, LABEL, TALK];

/// Compiles rules; the errors, if there are some: a name that is neither a rule nor a group, a bracket without its twin.
///
/// # Errors
/// One line for each thing that is wrong.
pub fn compile(text: &str, lexicon: &mut Lexicon) -> Result<Network, Vec<String>> {
    for name in BUILT_IN {
        lexicon.group(name);
    }
    let rules = notation::read(text)?;
    let mut builder = NetworkBuilder {
        rules: &rules,
        lexicon,
        draft: UnmergedNetwork::default(),
        begins: BTreeMap::new(),
        hubs: BTreeSet::new(),
        end: 0,
        wrong: Vec::new(),
    };
    builder.end = builder.state();
    let start = builder.begin("utterance");
    if builder.draft.arcs.len() > usize::from(u16::MAX) {
        builder.wrong.push(format!("{} states are more than can be numbered", builder.draft.arcs.len()));
    }
    if !builder.wrong.is_empty() {
        return Err(builder.wrong);
    }
    let NetworkBuilder { mut draft, hubs, end, .. } = builder;
    draft.start = start;
    let group = |name: &str| lexicon.known(name).unwrap_or_default();
    let special = Special {
        text: group(TEXT),
        talk: group(TALK),
        number: group(NUMBER),
        place: group(PLACE),
        comma: group(COMMA),
        choice: group(CHOICE),
        quote: group(QUOTE),
        label: group(LABEL),
        orders: ORDERS.iter().filter_map(|name| lexicon.known(name)).collect(),
        parting: PARTING.iter().filter_map(|name| lexicon.known(name)).collect(),
        goes: group("go"),
        leads_on: LEADS_ON.iter().filter_map(|name| lexicon.known(name)).collect(),
        tells: TELLS.iter().filter_map(|name| lexicon.known(name)).collect(),
        takes_back: TAKES_BACK.iter().filter_map(|name| lexicon.known(name)).collect(),
    };
    Ok(Network::new(
        draft.without_free_steps(&hubs, end).merged().renumbered().merged_by_beginnings().merged().renumbered(),
        special,
    ))
}

/// The label of a group in a mood.
#[must_use]
pub const fn label(group: u16, mood: Mood) -> u16 {
    group * Mood::COUNT + mood as u16
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

/// Puts rules together: with steps that take nothing.
struct NetworkBuilder<'a> {
    rules: &'a Rules,
    lexicon: &'a Lexicon,
    draft: UnmergedNetwork,
    /// Where rules begin that others go to.
    begins: BTreeMap<String, u16>,
    /// States that many others lead to: not put in the place of each of them.
    hubs: BTreeSet<u16>,
    /// The end of everything.
    end: u16,
    wrong: Vec<String>,
}

impl<'a> NetworkBuilder<'a> {
    fn state(&mut self) -> u16 {
        self.draft.arcs.push(Vec::new());
        self.draft.free.push(Vec::new());
        u16::try_from(self.draft.arcs.len() - 1).unwrap_or(u16::MAX)
    }

    fn step(&mut self, from: u16, label: u16, to: u16, name: u16) {
        if let Some(arcs) = self.draft.arcs.get_mut(usize::from(from)) {
            arcs.push(DraftArc { label, to, name, cost: 0 });
        }
    }

    fn free(&mut self, from: u16, to: u16, cost: u32) {
        if let Some(free) = self.draft.free.get_mut(usize::from(from)) {
            free.push((to, cost));
        }
    }

    fn name(&mut self, name: &str) -> u16 {
        let names = &mut self.draft.names;
        let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// The state where a rule begins that is gone to; its end is the end of everything.
    fn begin(&mut self, rule: &str) -> u16 {
        if let Some(begin) = self.begins.get(rule) {
            return *begin;
        }
        let begin = self.state();
        self.begins.insert(rule.to_owned(), begin);
        self.hubs.insert(begin);
        let rules = self.rules;
        match rules.get(rule) {
            Some(body) => self.all(body, begin, self.end),
            None => self.wrong.push(format!("there is no rule {rule}")),
        }
        begin
    }

    fn all(&mut self, body: &'a [Vec<GrammarItem>], from: u16, to: u16) {
        for row in body {
            let mut at = from;
            let mut leads_on = true;
            for item in row {
                match item {
                    GrammarItem::Goto(rule) => {
                        let begin = self.begin(rule);
                        self.free(at, begin, 0);
                        leads_on = false;
                    }
                    GrammarItem::Dispatch(group, name) => {
                        self.dispatch(group, name, at);
                        leads_on = false;
                    }
                    _ => {
                        let next = self.state();
                        self.item(item, at, next);
                        at = next;
                    }
                }
            }
            if leads_on {
                self.free(at, to, 0);
            }
        }
    }

    fn dispatch(&mut self, group: &str, name: &str, at: u16) {
        let Some(number) = self.lexicon.known(group) else {
            self.wrong.push(format!("there is no group {group}"));
            return;
        };
        let name = self.name(name);
        for (mood, rule) in DISPATCHED {
            let begin = self.begin(rule);
            self.step(at, label(number, mood), begin, name);
        }
    }

    fn item(&mut self, item: &'a GrammarItem, from: u16, to: u16) {
        match item {
            GrammarItem::Price(price) => self.free(from, to, *price),
            GrammarItem::Any(body) => self.all(body, from, to),
            GrammarItem::Maybe(body) => {
                self.all(body, from, to);
                self.free(from, to, 0);
            }
            GrammarItem::Many(item) => {
                let inside = self.state();
                self.hubs.insert(inside);
                self.free(from, inside, 0);
                self.item(item, inside, inside);
                self.free(inside, to, 0);
            }
            GrammarItem::Rule(rule) => match self.rules.get(rule) {
                Some(body) => self.all(body, from, to),
                None => self.words(rule, &SPOKEN, rule, from, to),
            },
            GrammarItem::Word { group, mood, name } => match mood {
                Some(mood) => self.words(group, &[*mood], name, from, to),
                None if group != CHOICE && BUILT_IN.contains(&group.as_str()) => {
                    self.words(group, &[Mood::Bare], name, from, to)
                }
                None => self.words(group, &SPOKEN, name, from, to),
            },
            GrammarItem::Goto(_) | GrammarItem::Dispatch(..) => {}
        }
    }

    fn words(&mut self, group: &str, moods: &[Mood], name: &str, from: u16, to: u16) {
        let Some(number) = self.lexicon.known(group) else {
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
}

#[cfg(test)]
mod tests;
