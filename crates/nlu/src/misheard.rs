//! Words that recognisers write for words of English commands that sound like them: "write" for "right", "for" for "four" (RNK-2).
//!
//! Most of them are words of their own, so each counts only in its context; the contexts stand in the list beside the code. What is put
//! right here is only a proposal: it counts if the utterance was not understood as it stands ([`super::again`]).

use std::collections::BTreeMap;

use super::fillers::lines;
use super::normalised::NormalisedUtterance;
use super::phrases::Frame;
use super::trie::Trie;

/// Verbs after which each word may be a text to write: nothing there is put right.
const TYPING: [&str; 13] =
    ["type", "write", "enter", "input", "put", "insert", "dictate", "fill", "set", "change", "key", "place", "rename"];

/// Keys that are held while another is pressed.
const HELD: [&str; 6] = ["control", "ctrl", "alt", "shift", "windows", "win"];

/// Words by what is written for them.
#[derive(Debug, Clone, Default)]
pub struct Misheard {
    said: Trie<(u32, &'static str)>,
    contexts: Vec<Context>,
}

/// Where a word may be meant.
#[derive(Debug, Clone, Default)]
struct Context {
    start: bool,
    last: bool,
    only: bool,
    open: bool,
    into: bool,
    after: Option<Vec<&'static str>>,
    before: Option<Vec<&'static str>>,
    verb: Option<Vec<&'static str>>,
}

/// A part of an utterance, and what is meant by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meant {
    /// First cell.
    pub from: usize,
    /// The cell after the last.
    pub to: usize,
    /// The words.
    pub meant: &'static str,
}

/// What is known where a word stands.
struct Here<'a> {
    heard: &'a NormalisedUtterance,
    frame: &'a Frame,
    open: bool,
    start: bool,
    first: bool,
    before: Option<&'a str>,
    verb: Option<&'a str>,
}

impl Misheard {
    /// Reads the list.
    #[must_use]
    pub fn new() -> Self {
        let mut misheard = Self::default();
        let mut classes: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
        let mut last = "";
        for (section, line) in lines(include_str!("words/homophones.txt")) {
            if let Some(name) = section.strip_prefix("class ") {
                classes.entry(name).or_default().extend(line.split(' '));
                continue;
            }
            let Some(conditions) = section.strip_prefix("rule") else { continue };
            if section.as_ptr() != last.as_ptr() {
                last = section;
                misheard.contexts.push(Context::new(conditions, &classes));
            }
            let Some((meant, said)) = line.split_once(" < ") else { continue };
            let number = u32::try_from(misheard.contexts.len().saturating_sub(1)).unwrap_or_default();
            for said in said.split('|') {
                let plain: String = said.chars().filter(|c| *c != '\'').collect();
                misheard.said.insert(&plain, (number, meant));
            }
        }
        misheard
    }

    /// What may be meant by the words of an utterance, from the beginning to the end; empty if each is as it may be. `open`: a question
    /// is open, or there are candidates. Steps: those of one search for each word.
    #[must_use]
    pub fn meant(&self, heard: &NormalisedUtterance, frame: &Frame, open: bool) -> Vec<Meant> {
        let (mut found, mut said): (Vec<Meant>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut verb, mut skip): (Option<String>, usize) = (None, 0);
        for (from, to) in heard.words(0, heard.len()) {
            if from < skip {
                continue;
            }
            let word: String = heard.part(from, to).iter().collect();
            let joined = said.last().is_some_and(|last| last == "and" || last == "then");
            let first = frame.starts.contains(&from);
            let start = first || joined;
            // "control and c": the key before "and" counts.
            let between = said.last().is_some_and(|last| last == "and" || last == "plus");
            let held = said.iter().nth_back(1).filter(|key| between && HELD.contains(&key.as_str()));
            let here = Here {
                heard,
                frame,
                open,
                start,
                first,
                before: held.or(said.last()).map(String::as_str),
                verb: verb.as_deref(),
            };
            let quoted = heard.quotes.iter().any(|quote| quote.from < to && from < quote.to);
            let meant = if quoted { None } else { self.here(&here, from) };
            let words: Vec<String> = match meant {
                Some(meant) => {
                    found.push(meant);
                    skip = meant.to;
                    meant.meant.split(' ').map(str::to_owned).collect()
                }
                None => vec![word],
            };
            if start {
                verb = words.first().cloned();
            }
            // "enter focused mode" types nothing.
            let typing = start
                && !heard.cells.ends_with(&['m', 'o', 'd', 'e'])
                && words.iter().any(|word| TYPING.contains(&word.as_str()));
            said.extend(words);
            if typing && !frame.tail.is_greasy(to.max(skip)) {
                break;
            }
        }
        found
    }

    fn here(&self, here: &Here<'_>, from: usize) -> Option<Meant> {
        let mut best: Option<(usize, u32, &'static str)> = None;
        self.said.at(&here.heard.cells, from, |end, (number, meant)| {
            let longer = best.is_none_or(|(last, known, _)| end > last || (end == last && *number < known));
            if longer
                && here.heard.gap(end)
                && self.contexts.get(*number as usize).is_some_and(|c| c.fits(here, from, end))
            {
                best = Some((end, *number, meant));
            }
        });
        let (to, _, meant) = best?;
        Some(Meant { from, to, meant })
    }
}

impl Context {
    fn new(conditions: &'static str, classes: &BTreeMap<&str, Vec<&'static str>>) -> Self {
        let mut context = Self::default();
        let mut parts = conditions.split_whitespace();
        let words = |list: Option<&'static str>| {
            let list = list.unwrap_or_default().split(',');
            let word = |word: &'static str| match word.strip_prefix('@') {
                Some(class) => classes.get(class).cloned().unwrap_or_default(),
                None => vec![word],
            };
            Some(list.flat_map(word).collect::<Vec<_>>())
        };
        while let Some(part) = parts.next() {
            match part {
                "start" => context.start = true,
                "last" => context.last = true,
                "only" => context.only = true,
                "open" => context.open = true,
                "into" => context.into = true,
                "after" => context.after = words(parts.next()),
                "before" => context.before = words(parts.next()),
                _ => context.verb = words(parts.next()),
            }
        }
        context
    }

    fn fits(&self, here: &Here<'_>, from: usize, end: usize) -> bool {
        let heard = here.heard;
        let among = |words: &Option<Vec<&str>>, word: Option<&str>| {
            words.as_ref().is_none_or(|words| word.is_some_and(|word| words.contains(&word)))
        };
        if (self.start && !here.start) || (self.open && !here.open) {
            return false;
        }
        if (self.last || self.only) && !here.frame.tail.is_greasy(end) {
            return false;
        }
        if self.only && !(here.first || self.after.is_some()) {
            return false;
        }
        if !among(&self.after, here.before) || !among(&self.verb, here.verb) {
            return false;
        }
        if self.before.is_some() {
            let next =
                heard.words(end, heard.len()).first().map(|(a, b)| heard.part(*a, *b).iter().collect::<String>());
            if !among(&self.before, next.as_deref()) {
                return false;
            }
        }
        // "right 'hello' here", "right hello in the search box"
        !self.into
            || heard.quotes.iter().any(|quote| quote.from >= end)
            || heard.words(from, heard.len()).iter().skip(2).any(|(a, b)| {
                let word: String = heard.part(*a, *b).iter().collect();
                matches!(word.as_str(), "in" | "into")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fillers::FillerWords;
    use super::*;

    fn check(text: &str, open: bool, expect: &str) {
        let heard = NormalisedUtterance::new(text);
        let frame = Frame::new(&heard, &FillerWords::new(Some("루나")));
        let parts: Vec<(usize, usize, &str)> = Misheard::new()
            .meant(&heard, &frame, open)
            .iter()
            .map(|meant| (meant.from, meant.to, meant.meant))
            .collect();
        assert_eq!(heard.replaced(&parts), expect, "{text}");
    }

    // RNK-2
    #[test]
    fn words_are_put_right_where_their_context_says_so_rnk_2() {
        for (text, expect) in [
            ("click the forth link", "click the fourth link"),
            ("Red this to me.", "read this to me."),
            ("translate this too Korean", "translate this to Korean"),
            ("control sea", "control c"),
            ("Alt f for.", "Alt f four."),
            ("all if for", "alt f four"),
            ("scroll too the button", "scroll to the bottom"),
            ("turn of wifi", "turn off wifi"),
            ("the button write of Cancel", "the button right of Cancel"),
            ("right 'see you' in the box", "write 'see you' in the box"),
            ("number to please", "number two please"),
            ("please red it again", "please read it again"),
            ("open the male fold her", "open the male folder"),
        ] {
            check(text, false, expect);
        }
        check("to", true, "two");
        for text in [
            "to",
            "type see you for two",
            "the red car is mine",
            "click \"turn of wifi\"",
            "go to settings",
            "search for won",
            "I have to go right now",
        ] {
            check(text, false, text);
        }
    }
}
