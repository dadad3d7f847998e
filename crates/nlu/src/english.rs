//! Desktop commands in English (NLU-2): the verb at the beginning says what to do, what follows it says with what.

use luna_messages::dsl::{Action, ScrollDirection};
use luna_messages::reading::Intent;
use luna_messages::understanding::{ParsedCommand, Switch};

use super::draft::{Draft, Scene};
use super::english_target::{longest, np};
use super::fillers::lines;
use super::keys::{keys, pressed};
use super::scroll::Scrolling;
use super::template::expand;
use super::trie::Trie;

/// English verbs.
#[derive(Debug, Clone)]
pub struct English {
    verbs: Trie<&'static str>,
    tails: Trie<()>,
}

type Range = (usize, usize);

/// Words of sentences that tell something.
const TELLING: [&str; 28] = [
    "is", "are", "was", "were", "will", "has", "have", "had", "isnt", "wasnt", "does", "did", "because", "he", "she",
    "they", "we", "im", "its", "theyre", "would", "should", "might", "been", "never", "always", "when", "who",
];
const JOINTS: [&str; 8] =
    ["andthen", "then", "and", "afterthat", "andafterthat", "followedby", "nextyou", "thenplease"];

impl Default for English {
    fn default() -> Self {
        let (mut verbs, mut tails) = (Trie::default(), Trie::default());
        for (section, line) in lines(include_str!("words/verbs-en.txt")) {
            expand(line, 1000).iter().for_each(|phrase| verbs.insert(phrase, section));
        }
        let ends = "please|pls|now|thanks|thank you|for me|um|uh|uhm|er|will you|would you|can you|could you|if you can|if you could|if possible|immediately|right now|right away|ok|okay|luna|thank you very much|if you dont mind|if you would|once|already|quickly|at once|twice|two times|three times";
        expand(ends, 100).iter().for_each(|phrase| tails.insert(phrase, ()));
        Self { verbs, tails }
    }
}

impl English {
    /// The steps of a command; empty if it is none.
    #[must_use]
    pub fn command(&self, scene: &Scene<'_>, scrolling: &Scrolling) -> Vec<Draft> {
        let heard = scene.heard;
        let from = scene.grease.wake_end(heard).unwrap_or(0);
        let mut starts = scene.frame.starts.clone();
        starts.sort_unstable();
        starts.retain(|start| scene.border(*start) && *start >= from);
        for start in starts {
            let steps = self.steps(scene, scrolling, start);
            if !steps.is_empty() {
                return steps;
            }
        }
        let to = self.end(scene, from, heard.len());
        if let Some(named) =
            keys(scene, from, to).filter(|named| named.together || (named.sure && named.name.len() > 3))
        {
            return vec![pressed(named)];
        }
        Vec::new()
    }

    fn steps(&self, scene: &Scene<'_>, scrolling: &Scrolling, start: usize) -> Vec<Draft> {
        let heard = scene.heard;
        let n = heard.len();
        let mut steps = Vec::new();
        let mut at = start;
        while let Some((end, deed)) = self.verb(scene, at) {
            // Up to a joint that a verb follows; "press alt and tab" is one step.
            let whole =
                deed == "press" && keys(scene, end, self.end(scene, end, n)).is_some_and(|named| named.together);
            let next = (if whole { n } else { end }..n).filter(|i| heard.gap(*i)).find_map(|i| {
                let quoted = heard.quotes.iter().any(|quote| quote.from <= i && i < quote.to);
                // "Click, Pay now": a pause behind the verb joins nothing.
                let comma = (i > end && heard.commas.contains(&i)).then_some(i);
                let joint =
                    longest(scene, i, &JOINTS).filter(|after| heard.gap(*after)).or(comma).filter(|_| !quoted)?;
                let after = self.skip(scene, joint);
                let more_keys =
                    deed == "press" && keys(scene, after, self.end(scene, after, n)).is_some_and(|named| named.sure);
                (self.verb(scene, after).is_some() || more_keys).then_some((i, after))
            });
            let stop = next.map_or_else(|| self.end(scene, end, n), |(i, _)| i);
            match self.draft(scene, scrolling, at, end, stop, deed) {
                Some(draft) => steps.push(draft),
                None => return Vec::new(),
            }
            match next {
                Some((_, after)) => at = after,
                None => return steps,
            }
            if self.verb(scene, at).is_none() {
                let named = keys(scene, at, self.end(scene, at, n));
                steps.extend(named.map(pressed));
                return steps;
            }
        }
        Vec::new()
    }

    fn skip(&self, scene: &Scene<'_>, at: usize) -> usize {
        longest(scene, at, &["please", "just", "then"]).filter(|end| scene.heard.gap(*end)).unwrap_or(at)
    }

    fn verb(&self, scene: &Scene<'_>, at: usize) -> Option<(usize, &'static str)> {
        let mut found = None;
        self.verbs.at(&scene.heard.cells, at, |end, deed| {
            if scene.border(end) {
                found = Some((end, *deed));
            }
        });
        found
    }

    /// The end without politeness.
    fn end(&self, scene: &Scene<'_>, from: usize, mut to: usize) -> usize {
        while let Some((start, ())) = self.tails.ending_at(&scene.heard.cells, from, to) {
            // "Pay now" is what the button is called.
            let called = scene.heard.word_end(start, "now") == Some(to) && named_now(scene, from, start);
            if start <= from || !scene.heard.gap(start) || scene.is_label(start, to) || called {
                break;
            }
            to = start;
        }
        to
    }

    fn draft(
        &self,
        scene: &Scene<'_>,
        scrolling: &Scrolling,
        verb: usize,
        from: usize,
        to: usize,
        deed: &str,
    ) -> Option<Draft> {
        let heard = scene.heard;
        let said = |a: usize, b: usize| heard.said(a, b);
        let telling = heard.words(from, to).iter().any(|(a, b)| {
            let word: String = heard.part(*a, *b).iter().collect();
            TELLING.contains(&word.as_str()) && !heard.quotes.iter().any(|quote| quote.from <= *a && *a < quote.to)
        });
        let typing = matches!(deed, "type" | "put" | "fill" | "change");
        if telling && !typing && !scene.is_label(from, to) {
            return None;
        }
        let aimed = |action: Action, a: usize, b: usize| aimed(scene, a, b, action);
        Some(match deed {
            "press" | "invoke" => {
                // "press down arrow": down is no part of the verb.
                let first = heard.words(verb, from).first().map_or(from, |word| word.1);
                let arrow = keys(scene, first, to).filter(|named| first < from && named.sure);
                let named = arrow.or_else(|| keys(scene, from, to)).filter(|named| {
                    !scene.is_label(from, to)
                        && (deed == "press" || named.together)
                        && (named.sure || named.name.len() > 1)
                });
                if let Some(named) = named {
                    return Some(pressed(named));
                }
                if from >= to && deed == "invoke" {
                    return None;
                }
                let mut draft = aimed(Action::Invoke, from, to);
                draft.also = draft.wish.target_text.iter().map(|text| format!("{} {text}", said(verb, from))).collect();
                draft
            }
            "select" => aimed(Action::Select, from, to),
            "toggle" => aimed(Action::Toggle, from, to),
            "on" | "off" => {
                let mut draft = aimed(Action::Toggle, from, to);
                draft.wish.state = Some(if deed == "on" { Switch::On } else { Switch::Off });
                draft
            }
            "turn" => {
                let (start, state) =
                    [("on", Switch::On), ("off", Switch::Off)].into_iter().find_map(|(word, state)| {
                        let start = to.checked_sub(word.len()).filter(|start| *start > from && scene.border(*start))?;
                        heard.is_at(start, &word.chars().collect::<Vec<_>>()).then_some((start, state))
                    })?;
                let mut draft = aimed(Action::Toggle, from, start);
                draft.wish.state = Some(state);
                draft
            }
            "scroll" => {
                let mut said = scrolling.read(scene, from, to)?;
                if heard.word_end(verb, "page") == Some(from) {
                    said.amount = said.amount.or(Some(luna_messages::dsl::ScrollAmount::Page));
                }
                scrolled(said)
            }
            "go" => match scrolling.read(scene, verb + 2, to).filter(|said| said.direction.is_some()) {
                Some(said) => scrolled(said),
                None if heard.is_at(verb, &['g', 'o']) && from == verb + 2 => return None,
                None => aimed(Action::Invoke, from, to),
            },
            "read" => {
                let mut draft = aimed(Action::Invoke, from, to);
                (draft.wish.action, draft.wish.intent) = (None, Some(Intent::Read));
                draft
            }
            "type" | "put" => typed(scene, from, to, deed == "put")?,
            "fill" => filled(scene, from, to)?,
            "change" => changed(scene, from, to)?,
            _ => {
                let mut draft = aimed(Action::Invoke, from, to);
                let label = said(verb, from);
                match &draft.wish.target_text {
                    None => draft.wish.target_text = Some(label),
                    Some(text) if ["it", "this", "that", "everything", "all"].contains(&text.as_str()) => {
                        draft.wish.target_text = Some(label)
                    }
                    Some(text) => draft.also = vec![format!("{label} {text}"), label],
                }
                draft
            }
        })
    }
}

fn scrolled(said: super::scroll::Said) -> Draft {
    let direction = Some(said.direction.unwrap_or(ScrollDirection::Down));
    Draft {
        wish: ParsedCommand {
            action: Some(Action::Scroll),
            direction,
            amount: said.amount,
            ..ParsedCommand::default()
        },
        ..Draft::default()
    }
}

/// The first, or last, of these words between words: where it begins and ends. A quoted one doesn't count.
fn between(scene: &Scene<'_>, from: usize, to: usize, words: &[&str], last: bool) -> Option<Range> {
    let find = |at: usize| {
        let quoted = scene.heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to);
        let end = longest(scene, at, words)
            .filter(|end| scene.heard.gap(*end) && scene.heard.gap(at) && *end < to && !quoted)?;
        Some((at, end))
    };
    if last { (from + 1..to).rev().find_map(find) } else { (from + 1..to).find_map(find) }
}

fn value(scene: &Scene<'_>, from: usize, to: usize) -> Option<String> {
    let quote = scene.heard.quotes.iter().find(|quote| quote.from >= from && quote.to <= to);
    let from = longest(scene, from, &["thetext", "theword", "thewords"])
        .filter(|end| *end < to && scene.heard.gap(*end))
        .unwrap_or(from);
    let text = quote.map_or_else(|| scene.heard.said(from, to), |quote| quote.text.clone());
    Some(text).filter(|text| !text.is_empty())
}

/// type A into B; enter A in the B field.
fn typed(scene: &Scene<'_>, from: usize, to: usize, put: bool) -> Option<Draft> {
    if !put && let Some(named) = keys(scene, from, to).filter(|named| named.together) {
        return Some(pressed(named));
    }
    let words: [&str; 8] = ["into", "in", "to", "inside", "on", "under", "for", "as"];
    let strong = between(scene, from, to, &["into", "inthe", "intothe", "inside"], true).map(|(at, end)| {
        // "in the" is given back without its article.
        let end = if scene.heard.is_at(at, &['i', 'n', 't', 'o']) {
            at + 4
        } else if end - at == 5 {
            at + 2
        } else {
            end
        };
        (at, end)
    });
    let split = strong.or_else(|| between(scene, from, to, words.get(..2).unwrap_or_default(), true)).or_else(|| {
        between(scene, from, to, &words, true).filter(|(_, end)| {
            scene.desk.roles.ending_at(&scene.heard.cells, *end, to).is_some() || scene.is_label(*end, to)
        })
    });
    let mut wish = ParsedCommand { action: Some(Action::SetValue), ..ParsedCommand::default() };
    match split {
        // "put this sentence into English" is reading.
        Some((_, end)) if put && is_language(scene, end, to) => return None,
        Some((at, end)) => {
            wish.value = value(scene, from, at);
            np(scene, end, to).put(&mut wish);
        }
        None if put || from >= to => return None,
        None => wish.value = value(scene, from, to),
    }
    Some(Draft { wish, ..Draft::default() })
}

fn is_language(scene: &Scene<'_>, from: usize, to: usize) -> bool {
    ["english", "korean"].iter().any(|language| scene.heard.word_end(from, language) == Some(to))
}

/// fill in B with A.
fn filled(scene: &Scene<'_>, from: usize, to: usize) -> Option<Draft> {
    let mut wish = ParsedCommand { action: Some(Action::SetValue), ..ParsedCommand::default() };
    if let Some((at, end)) = between(scene, from, to, &["with", "as"], false) {
        np(scene, from, at).put(&mut wish);
        wish.value = value(scene, end, to);
        return Some(Draft { wish, ..Draft::default() });
    }
    typed(scene, from, to, false)
}

/// set A to B.
fn changed(scene: &Scene<'_>, from: usize, to: usize) -> Option<Draft> {
    let (at, end) = between(scene, from, to, &["to", "as", "at", "into"], true)?;
    let mut wish = ParsedCommand { action: Some(Action::SetValue), ..ParsedCommand::default() };
    np(scene, from, at).put(&mut wish);
    wish.value = value(scene, end, to);
    Some(Draft { wish, ..Draft::default() })
}

/// An action on the target that a range names.
pub(super) fn aimed(scene: &Scene<'_>, from: usize, to: usize, action: Action) -> Draft {
    let mut wish = ParsedCommand { action: Some(action), ..ParsedCommand::default() };
    np(scene, from, to).put(&mut wish);
    Draft { wish, ..Draft::default() }
}

/// Whether a range ends in a verb with which shops and installers call a button, "now" behind it.
fn named_now(scene: &Scene<'_>, from: usize, to: usize) -> bool {
    const CALLED: [&str; 16] = [
        "pay",
        "buy",
        "order",
        "shop",
        "book",
        "subscribe",
        "donate",
        "install",
        "update",
        "upgrade",
        "restart",
        "register",
        "apply",
        "join",
        "download",
        "sign up",
    ];
    CALLED.iter().any(|word| {
        let length = word.chars().filter(|c| *c != ' ').count();
        to.checked_sub(length)
            .filter(|start| *start >= from)
            .is_some_and(|start| scene.border(start) && scene.heard.word_end(start, &word.replace(' ', "")) == Some(to))
    })
}
