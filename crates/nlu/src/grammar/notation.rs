//! The notation of rules.
//!
//! A rule is `name = items | items`. An item is a group of the lexicon (`role`), a group in one mood (`aim.ing`), another rule, which is put in its place,
//! `(…)`, `[…]` (or nothing), `item*` (any number), `~12` (a price), `name=ITEM` (a name for what the item takes), `-> rule` (go on there, and nowhere else),
//! `group>` (go on at the rule `after_MOOD`, by the word's mood), or one of TEXT (any words), NUMBER, PLACE (a place in a row), LABEL (of the screen), COMMA.

use std::collections::BTreeMap;

use super::super::lexicon::Mood;

/// A part of a rule.
#[derive(Debug, Clone)]
pub enum GrammarItem {
    /// A word of a group.
    Word { group: String, mood: Option<Mood>, name: String },
    /// Another rule, or a group.
    Rule(String),
    /// One of several rows.
    Any(Vec<Vec<Self>>),
    /// One of several rows, or nothing.
    Maybe(Vec<Vec<Self>>),
    /// Any number of times.
    Many(Box<Self>),
    /// A price for going on.
    Price(u32),
    /// To go on in another rule.
    Goto(String),
    /// A word whose mood says where it goes on, and the name for it.
    Dispatch(String, String),
}

/// The alternatives of each rule.
pub type Rules = BTreeMap<String, Vec<Vec<GrammarItem>>>;

/// Reads the rules.
///
/// # Errors
/// One line for each bracket without its twin.
pub fn read(text: &str) -> Result<Rules, Vec<String>> {
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

fn alternatives(words: &mut Words<'_>, wrong: &mut Vec<String>) -> Vec<Vec<GrammarItem>> {
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
                row.push(if word == "(" { GrammarItem::Any(inner) } else { GrammarItem::Maybe(inner) });
            }
            "*" => {
                if let Some(item) = row.pop() {
                    row.push(GrammarItem::Many(Box::new(item)));
                }
            }
            "->" => row.push(GrammarItem::Goto(words.next().unwrap_or_default().to_owned())),
            price if price.starts_with('~') => {
                row.push(GrammarItem::Price(price.trim_start_matches('~').parse().unwrap_or(0)))
            }
            word => row.push(one(word)),
        }
    }
    all
}

fn one(word: &str) -> GrammarItem {
    let (name, what) = word.split_once('=').unwrap_or((word, word));
    if let Some(group) = what.strip_suffix('>') {
        return GrammarItem::Dispatch(group.to_owned(), name.trim_end_matches('>').to_owned());
    }
    let (group, mood) = match what.split_once('.') {
        Some((group, mood)) => (group, Mood::named(mood)),
        None => (what, None),
    };
    let name = name.split('.').next().unwrap_or(name).to_owned();
    if mood.is_none() && name == group && group.chars().next().is_some_and(char::is_lowercase) {
        return GrammarItem::Rule(group.to_owned());
    }
    GrammarItem::Word { group: group.to_owned(), mood, name }
}
