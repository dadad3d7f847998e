//! Rule-based understanding of utterances (NLU, BRG-1, EXE-3, DNG, RNK): no model, some microseconds.

#![forbid(unsafe_code)]

mod draft;
mod grammar;
mod inflection;
mod lexicon;
mod meaning;
mod numbers;
mod roles;
mod search;
mod synonyms;

pub mod talk;

pub mod normalised;
pub mod offered;
pub mod rank;

mod danger;
mod english_sounds;
mod label_lexicon;
mod label_numbers;
mod slips;
mod template;
mod trie;
mod unit_tree;
mod why;

mod assent;
mod confirmation;
mod controls;
mod decide;
mod interpret;
mod lists;
mod mentioned;
mod score;
mod wake;

use std::collections::{BTreeMap, BTreeSet};

use luna_messages::Lang;
use luna_messages::control::Command;
use luna_messages::understanding::{
    CandidateInput, Interpretation, ParsedCommand, TargetMatch, UtteranceInput, UtteranceKind,
};
use luna_text::numerals::digit_word;

use self::danger::{Danger, DangerWords};
use self::grammar::Network;
use self::lexicon::Lexicon;
use self::normalised::{NormalisedUtterance, compact};
use self::numbers::Numbers;
use self::rank::{Ranker, RankingWeightSet};
use self::trie::Trie;

pub use self::score::EVIDENCE;

/// The configured vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    /// `voice.wake_word`.
    pub wake_word: Option<String>,
    /// `voice.synonyms`: by the name of a reflex command, "click", "yes", "no" or "cancel" (VOI-2).
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// `voice.dangerous`.
    pub dangerous: Vec<String>,
    /// `ranking.weights` and `ranking.topk_for_llm`.
    pub weights: RankingWeightSet,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let dangerous = ["삭제", "비우", "전송", "구매", "결제"].map(str::to_owned).to_vec();
        Self {
            wake_word: Some("루나".to_owned()),
            synonyms: BTreeMap::new(),
            dangerous,
            weights: RankingWeightSet::default(),
        }
    }
}

/// The rule-based understanding, with its vocabulary prepared once.
#[derive(Debug, Clone)]
pub struct Understanding {
    lexicon: Lexicon,
    network: Network,
    numbers: Numbers,
    /// What controls are usually called.
    usual: Trie<()>,
    danger: Danger,
    ranker: Ranker,
    /// Tells orders from talk; without it the grammar works alone, more careful.
    classifier: Option<talk::Classifier>,
    unknown: Vec<String>,
}

impl Understanding {
    /// Prepares the vocabulary. Takes some ten milliseconds.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self::with_words(vocabulary, "")
    }

    /// The same with more sections of the lexicon, in the format of its files (NLU-9).
    #[must_use]
    pub fn with_words(vocabulary: &Vocabulary, more: &'static str) -> Self {
        let files: Vec<&'static str> = lexicon::FILES.into_iter().chain([more]).collect();
        let mut lexicon = Lexicon::new(&files);
        lexicon.group("wake");
        if let Some(wake) = &vocabulary.wake_word {
            let wake: String = compact(wake).into_iter().collect();
            let romanised = if wake == "루나" { "|luna|lunaa|lunaaa" } else { "" };
            lexicon.add(
                "wake exact",
                &format!("[헤이|하이|안녕|오케이|hey|hi|ok|okay|야] ({wake}{romanised})[야|야아|아|아아|씨|님|여|이]"),
            );
        }
        for digit in 0..10 {
            let said = digit_word(digit, Lang::Ko).unwrap_or_default();
            lexicon.add(&format!("letter:{digit} exact"), &format!("({digit}|{said})"));
        }
        let unknown = synonyms::add(&mut lexicon, &vocabulary.synonyms);
        let network = grammar::compile(include_str!("grammar.txt"), &mut lexicon);
        let network = network.unwrap_or_else(|wrong| {
            debug_assert!(false, "the grammar is wrong: {wrong:?}");
            Network::default()
        });
        Self {
            lexicon,
            network,
            numbers: Numbers::default(),
            usual: label_lexicon::usual_labels(),
            danger: Danger::new(&vocabulary.dangerous),
            ranker: Ranker::new(vocabulary.weights),
            classifier: None,
            unknown,
        }
    }

    /// The same with a classifier that tells orders from talk (NLU-8).
    #[must_use]
    pub fn with_classifier(self, classifier: Option<talk::Classifier>) -> Self {
        Self { classifier, ..self }
    }

    /// Names in `voice.synonyms` that match no command.
    #[must_use]
    pub fn unknown_synonyms(&self) -> &[String] {
        &self.unknown
    }

    /// Whether a label or a text of a model has a word that needs a confirmation (DNG-1, DNG-4).
    #[must_use]
    pub fn is_dangerous(&self, text: &str) -> bool {
        self.danger.is_label(text, DangerWords::All)
    }

    /// Whether the title of a menu has a word that tells of danger in what its entries do (DNG-4).
    #[must_use]
    pub fn is_dangerous_title(&self, title: &str) -> bool {
        self.danger.is_label(title, DangerWords::Titles)
    }

    /// The number that a text says and nothing else, but for what it counts or that it is percents: 12 of "열두 명", 35000 of "삼만 오천".
    #[must_use]
    pub fn number_said(&self, text: &str) -> Option<i64> {
        let heard = NormalisedUtterance::new(text);
        let counted = ["counter", "percent"].map(|name| self.lexicon.known(name));
        let ends = |end: usize| {
            let rest = self.lexicon.entries_of(heard.part(end, heard.len()));
            end == heard.len() || rest.iter().any(|entry| counted.contains(&Some(entry.group)))
        };
        numbers::whole(&heard).filter(|(end, _)| ends(*end)).map(|(_, value)| value)
    }

    /// The reflex command that the whole text is, for partial transcripts (BRG-1). `slips`: a fuzzy match suffices.
    #[must_use]
    pub fn reflex(&self, text: &str, slips: bool) -> Option<Command> {
        let heard = NormalisedUtterance::new(text);
        let utterance = UtteranceInput { speaking: true, ..UtteranceInput::default() };
        let understood = (!heard.is_empty() && !heard.too_long).then(|| self.decide(&heard, &utterance, slips));
        understood.and_then(|understood| understood.command)
    }

    /// What an utterance means (NLU-6).
    #[must_use]
    pub fn understand(&self, utterance: &UtteranceInput) -> Interpretation {
        let heard = NormalisedUtterance::new(&utterance.utterance);
        // A text that can't be a command, however long, skips everything below.
        if heard.is_empty() || heard.too_long {
            return Interpretation { addressed: self.called(&heard).is_called(), ..why::nothing(&heard) };
        }
        let parted = self.parted(utterance);
        let mut understood = parted.unwrap_or_else(|| self.decide(&heard, utterance, true));
        understood.addressed = self.called(&heard).is_called();
        understood.why = why::why(&understood, &heard);
        understood
    }

    /// Which candidate of the screen as it is now a step means: the choice that [`Self::understand`] makes for the first step (NLU-3, EXE-5). Steps that need
    /// no target, such as usual orders, have none; what is opened may be on the screen, or a program.
    #[must_use]
    pub fn resolve(&self, step: &ParsedCommand, offered: &[CandidateInput]) -> TargetMatch {
        self.resolved(step, offered)
    }

    /// How the grammar reads an utterance, the likeliest reading first, each in one line: price, names and words. For those who work on the grammar.
    #[must_use]
    pub fn readings(&self, utterance: &UtteranceInput) -> Vec<String> {
        let heard = NormalisedUtterance::new(&utterance.utterance);
        let name = |name: u16| self.network.names.get(usize::from(name)).map_or("", String::as_str);
        let line = |found: &decide::FoundInterpretation| {
            let words: Vec<String> = found
                .way
                .steps
                .iter()
                .map(|step| format!("{}:{}", name(step.name), heard.said(step.from, step.to)))
                .collect();
            format!("{} {} {:?}", found.price, words.join(" | "), found.interpretation.kind)
        };
        self.found(&heard, utterance, true).iter().map(line).collect()
    }

    /// What the likeliest interpretation is judged by, for the training of the weights; none if there is no interpretation.
    #[must_use]
    pub fn evidence(&self, utterance: &UtteranceInput) -> Option<[f64; EVIDENCE]> {
        let heard = NormalisedUtterance::new(&utterance.utterance);
        if heard.is_empty() || heard.too_long {
            return None;
        }
        let found = self.found(&heard, utterance, true);
        let first = found.first().filter(|first| first.interpretation.kind != UtteranceKind::Answer)?;
        Some(self.evidence_of(&heard, first, self.odds_of(&heard, first)))
    }

    fn labels(utterance: &UtteranceInput) -> BTreeSet<Vec<char>> {
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        // A text that repeats what is said is no name in it.
        let said = if offered.is_empty() { Vec::new() } else { compact(&utterance.utterance) };
        let repeats = |one: &CandidateInput, label: &Vec<char>| one.only_labels() && *label == said;
        let labels = offered.iter().filter_map(|one| Some((one, compact(one.text.as_deref()?))));
        labels.filter(|(one, label)| !label.is_empty() && !repeats(one, label)).map(|(_, label)| label).collect()
    }
}

#[cfg(test)]
mod tests;
