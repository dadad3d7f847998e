//! How sure an interpretation is (NLU-6, NLU-8): a logistic regression on how it reads the utterance and on the classifier's odds that it is an order.
//!
//! A reading that takes every word for what it is in the lexicon needs no help of the classifier; the more of it is free text, or told besides, the surer
//! the classifier has to be. `scripts/train-talk.sh` fits the weights on sentences that the classifier did not see and prints them.

use luna_messages::dsl::Action;
use luna_messages::reading::Intent;
use luna_messages::understanding::UtteranceKind;

use super::Understanding;
use super::decide::FoundInterpretation;
use super::lexicon::Mood;
use super::normalised::NormalisedUtterance;
use super::search::WayStep;

/// What an interpretation is judged by.
pub const EVIDENCE: usize = 20;

/// The weights of the evidence.
const WEIGHTS: &[f64] = &include!("score/weights.in");

/// Names of the grammar whose words are free text.
const NAMES: [&str; 8] = ["target", "value", "argument", "anchor", "about", "other", "named_text", "anchor_role"];
/// Names of what is told besides.
const TOLD: [&str; 3] = ["why", "aside", "story"];
/// Names of what takes something back.
const OPERATORS: [&str; 5] = ["repair", "contrast", "not", "but_not", "instead"];
/// Names of the verbs of orders.
const VERBS: [&str; 17] = [
    "aim", "act", "wipe", "type", "put", "fill", "change", "shift", "scroll", "go", "desktop", "zoom", "mute",
    "louder", "read", "say", "work",
];

/// Prices of free text are told from those of the rest of a reading; see `search::price`.
mod price {
    pub const TEXT: u32 = 44;
    pub const CELL: u32 = 6;
    pub const LATIN_CELL: u32 = 2;
    pub const WORD: u32 = 28;
}

/// Of what an interpretation consists.
#[derive(Debug, Clone, Copy, Default)]
struct ReadingShape {
    /// Names that are free text.
    texts: u32,
    /// Words of them beyond the first of each.
    further: u32,
    /// What is told besides.
    told: u32,
    operators: u32,
    roles: u32,
    /// What all but the names costs.
    structure: u32,
    /// The mood of the last verb.
    mood: Option<Mood>,
}

impl Understanding {
    /// How sure an interpretation is, from 0 to 1.
    pub(super) fn score(&self, heard: &NormalisedUtterance, found: &FoundInterpretation, odds: f64) -> f64 {
        let evidence = self.evidence_of(heard, found, odds);
        let sum: f64 = WEIGHTS.iter().zip(evidence).map(|(weight, value)| weight * value).sum();
        let score = 1.0 / (1.0 + (-sum).exp());
        if found.by_sound { score.min(MOST_BY_SOUND) } else { score }
    }

    /// Of what an interpretation consists.
    fn shape(&self, heard: &NormalisedUtterance, found: &FoundInterpretation) -> ReadingShape {
        let name = |number: u16| self.network.names.get(usize::from(number)).map_or("", String::as_str);
        let mut shape = ReadingShape::default();
        let mut text_price = 0_u32;
        for step in &found.way.steps {
            let name = name(step.name);
            if NAMES.contains(&name) {
                let further = count(heard.words(step.from, step.to).len()).saturating_sub(1);
                let cells = heard.part(step.from, step.to).iter();
                let cells = cells.map(|c| if c.is_ascii() { price::LATIN_CELL } else { price::CELL }).sum::<u32>();
                // What is to be written may be anything.
                if name != "value" {
                    shape.texts += 1;
                    shape.further += further;
                }
                text_price += price::TEXT + cells + further * price::WORD;
            }
            shape.told += u32::from(TOLD.contains(&name));
            shape.operators += u32::from(OPERATORS.contains(&name));
            shape.roles += u32::from(name == "role");
            if VERBS.contains(&name) {
                shape.mood = Some(step.mood);
            }
        }
        shape.structure = found.price.saturating_sub(text_price);
        shape
    }

    /// Whether an interpretation leaves nothing to free text.
    pub(super) fn is_known(&self, found: &FoundInterpretation) -> bool {
        !found.way.steps.iter().any(|step| self.is_free_text(step))
    }

    /// Whether a reason is told before it, "I'm filling in a form, so", and all else is known.
    pub(super) fn is_reasoned(&self, found: &FoundInterpretation) -> bool {
        let name = |step: &WayStep| self.network.names.get(usize::from(step.name)).map_or("", String::as_str);
        let mut steps = found.way.steps.iter();
        steps.clone().any(|step| name(step) == "because_so") && !steps.any(|step| NAMES.contains(&name(step)))
    }

    /// The least odds of a Korean order that says itself that it is one: all its words are known and it asks for something, it says what is meant instead
    /// of something else, or it gives a text word by word. The classifier knows too few of those.
    fn least_korean(&self, heard: &NormalisedUtterance, found: &FoundInterpretation) -> f64 {
        let ReadingShape { texts, told, operators, mood, .. } = self.shape(heard, found);
        let one = &found.interpretation;
        let wish = &one.wish;
        let ordered = mood == Some(Mood::Order);
        let asks = ordered || heard.cells.last().is_some_and(|c| REQUESTS.contains(c));
        let usual = wish.action == Some(Action::Desktop);
        let known = usual || matches!(wish.action, Some(Action::Key | Action::Hotkey));
        let picks = asks && matches!(wish.intent, Some(Intent::Spell | Intent::Numbers));
        let renders = one.kind == UtteranceKind::Reading && (wish.lang_tgt.is_some() || picks);
        let not_but = found.way.steps.iter().any(|step| step.mood == Mood::NotBut);
        let steps = || found.way.steps.iter();
        let of_group = |step: &WayStep, name: &str| {
            self.lexicon.entry(step.entry).is_some_and(|entry| Some(entry.group) == self.lexicon.known(name))
        };
        let presses = || {
            let last = steps().rev().find(|step| of_group(step, "aim")).and_then(|step| self.lexicon.entry(step.entry));
            last.is_some_and(|aim| matches!(aim.sense.as_str(), "press" | "click" | "select"))
        };
        let quotes = || wish.target_text.is_some() && steps().any(|step| of_group(step, "called"));
        match () {
            () if ordered && wish.action == Some(Action::SetValue) && quotes() => LEAST_QUOTED,
            () if texts == 0 && told == 0 && (asks && known || renders) => LEAST_ASKED,
            // What is called so is there, and what it is set to was said.
            () if ordered
                && wish.action == Some(Action::SetValue)
                && wish.value.is_some()
                && one.target_id.is_some() =>
            {
                LEAST_CHOSEN
            }
            () if not_but || ordered && operators > 0 && presses() => LEAST_CHOSEN,
            () if texts == 0 && asks && usual => LEAST_CHOSEN,
            () => f64::NEG_INFINITY,
        }
    }

    /// The least odds of an English order that begins with its verb and tells the kind of thing, of which exactly one is there, "follow the link about …",
    /// or that is the label of a button. "Play Radio 4, he said" is none: behind a label only a reason is told.
    fn least_english(&self, found: &FoundInterpretation) -> f64 {
        let one = &found.interpretation;
        let name = |step: &WayStep| self.network.names.get(usize::from(step.name)).map_or("", String::as_str);
        let steps = &found.way.steps;
        let Some(first) = steps.first().filter(|_| one.target_id.is_some()) else { return f64::NEG_INFINITY };
        let begins = name(first) == "aim" && first.mood == Mood::Base;
        let says_role = one.wish.role.is_some() && one.wish.target_text.is_some();
        let tells_why = || {
            let pairs = steps.windows(2).filter_map(|pair| Some((pair.first()?, pair.get(1)?)));
            pairs.filter(|(_, told)| name(told) == "why").all(|(before, _)| name(before).starts_with("because"))
        };
        let is_label = name(first) == "ordering" && tells_why();
        if begins && says_role || is_label { LEAST_CHOSEN } else { f64::NEG_INFINITY }
    }

    /// Whether the grammar takes a step for free text.
    pub(super) fn is_free_text(&self, step: &WayStep) -> bool {
        let name = self.network.names.get(usize::from(step.name)).map_or("", String::as_str);
        NAMES.contains(&name) || TOLD.contains(&name)
    }

    /// The evidence for an interpretation, each number of the size of one.
    pub(super) fn evidence_of(
        &self,
        heard: &NormalisedUtterance,
        found: &FoundInterpretation,
        odds: f64,
    ) -> [f64; EVIDENCE] {
        let ReadingShape { texts, further, told, operators, roles, structure, mood } = self.shape(heard, found);
        // Words that are all known say themselves whether they are an order.
        let known = texts == 0 && told == 0;
        let odds = if known { odds.max(LEAST_KNOWN) } else { odds };
        let one = &found.interpretation;
        let wish = &one.wish;
        let is = |yes: bool| f64::from(u8::from(yes));
        let usual = wish.action == Some(Action::Desktop);
        let least = if heard.has_hangul() { self.least_korean(heard, found) } else { self.least_english(found) };
        let odds = odds.max(least);
        [
            1.0,
            odds,
            is(heard.has_hangul()),
            odds * is(known),
            is(known),
            f64::from(structure.min(200)) / 40.0,
            f64::from(texts.min(4)),
            f64::from(further.min(10)) / 2.0,
            is(told > 0),
            is(operators > 0),
            is(roles > 0),
            is(one.kind == UtteranceKind::Reflex),
            is(one.kind == UtteranceKind::Reading),
            is(usual && wish.argument.is_none()),
            is(usual && wish.argument.is_some()),
            is(matches!(wish.action, Some(Action::Key | Action::Hotkey | Action::Scroll))),
            is(wish.action == Some(Action::SetValue)),
            is(one.steps.len() > 1),
            is(mood == Some(Mood::Wish)),
            is(matches!(mood, Some(Mood::Bare | Mood::Ing | Mood::Done))),
        ]
    }

    /// The odds of an interpretation. What is to be written says nothing about whether it is an order.
    pub(super) fn odds_of(&self, heard: &NormalisedUtterance, found: &FoundInterpretation) -> f64 {
        let said = self.odds(heard, &found.parts);
        let Some(classifier) = &self.classifier else { return said };
        let name = |number: u16| self.network.names.get(usize::from(number)).map_or("", String::as_str);
        let stand_in = if heard.has_hangul() { STAND_IN[0] } else { STAND_IN[1] };
        // "열두 명" is a value of two words.
        let counted_from = |counter: &WayStep| {
            let steps = &found.way.steps;
            steps.iter().rev().find(|step| step.to == counter.from && name(step.name) == "number").map(|step| step.from)
        };
        let values: Vec<(usize, usize, &str)> = found
            .way
            .steps
            .iter()
            .filter_map(|step| match name(step.name) {
                "value" => Some((step.from, step.to, stand_in)),
                "counter" => Some((counted_from(step)?, step.to, stand_in)),
                _ => None,
            })
            .collect();
        // "write a poem" is said to a person: without a field the text has to sound like an order itself.
        let fields = ["target", "role"];
        if values.is_empty() || !found.way.steps.iter().any(|step| fields.contains(&name(step.name))) {
            return said;
        }
        let without = classifier.log_odds(&heard.replaced(&values)).map_or(said, f64::from);
        said.max(without.clamp(-6.0, 6.0) - STANDS_IN)
    }

    /// The logarithm of the odds that it is an order, by the classifier.
    pub(super) fn odds(&self, heard: &NormalisedUtterance, parts: &[(usize, usize)]) -> f64 {
        let Some(classifier) = &self.classifier else { return WITHOUT_CLASSIFIER };
        let odds =
            |text: &str| classifier.log_odds(text).map_or(WITHOUT_CLASSIFIER, |odds| f64::from(odds).clamp(-6.0, 6.0));
        let whole = odds(&heard.said(0, heard.len()));
        // Several orders, or one with a story: each by itself, and so much the surer.
        let each = parts.iter().map(|(from, to)| odds(&heard.said(*from, *to))).reduce(f64::min);
        each.map_or(whole, |each| whole.max(each - IN_PARTS))
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What is known only by its sound is not as sure as what is said.
const MOST_BY_SOUND: f64 = 0.95;
/// What stands for what is to be written, in Korean and in English.
const STAND_IN: [&str; 2] = ["회의 자료", "hello"];
/// How much less the odds count with it.
const STANDS_IN: f64 = 0.5;
/// The odds if there is no classifier: the grammar alone has to be surer.
const WITHOUT_CLASSIFIER: f64 = 0.6;
/// The least odds of what has no free text.
const LEAST_KNOWN: f64 = -2.0;
/// How much less the odds of an order count that is only a part of what is said.
const IN_PARTS: f64 = 1.5;
/// The least odds of a Korean order of known words that asks for something, of one with a text given word by word, and of one with its reason, or that
/// says what is meant instead of something else.
const LEAST_ASKED: f64 = 0.8;
const LEAST_QUOTED: f64 = 0.9;
const LEAST_CHOSEN: f64 = 0.3;
/// How requests end.
const REQUESTS: [char; 4] = ['줘', '요', '라', '죠'];
