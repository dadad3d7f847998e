//! The rules of understanding for the running Luna: made again when the configuration changes (CFG-4).

use std::sync::{Arc, Mutex, PoisonError};

use luna_config::Config;
use luna_executor::rules::CommandRules;
use luna_listening::turn::UtteranceRules;
use luna_messages::candidate::Candidate;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceInput, WakeCall};
use luna_nlu::offered::offered_all;
use luna_nlu::rank::RankingWeightSet;
use luna_nlu::{Understanding, Vocabulary};

use crate::order_or_talk;
use crate::settings::LiveConfig;

/// The vocabulary of the configuration.
#[must_use]
pub fn vocabulary(config: &Config) -> Vocabulary {
    let weights = &config.ranking.weights;
    Vocabulary {
        wake_word: config.voice.wake_word.clone(),
        synonyms: config.voice.synonyms.clone(),
        dangerous: config.voice.dangerous.clone(),
        weights: RankingWeightSet {
            text: weights.text,
            role: weights.role,
            near: weights.near,
            spatial: weights.spatial,
            disabled_penalty: weights.disabled_penalty,
            top: usize::try_from(config.ranking.topk_for_llm).unwrap_or(usize::MAX),
        },
    }
}

/// Understanding, as the Listening actor and the Executor actor need it.
struct SpokenRules(Understanding);

impl CommandRules for SpokenRules {
    fn understand(&self, utterance: &str, asking: bool, candidates: &[Candidate]) -> Interpretation {
        let candidates = Some(offered_all(candidates));
        self.0.understand(&UtteranceInput { utterance: utterance.to_owned(), asking, candidates, speaking: false })
    }

    fn resolve(&self, step: &ParsedCommand, candidates: &[Candidate]) -> TargetMatch {
        self.0.resolve(step, &offered_all(candidates))
    }

    fn is_dangerous(&self, text: &str) -> bool {
        self.0.is_dangerous(text)
    }

    fn is_dangerous_title(&self, title: &str) -> bool {
        self.0.is_dangerous_title(title)
    }

    fn number_said(&self, text: &str) -> Option<i64> {
        self.0.number_said(text)
    }

    fn is_yes(&self, utterance: &str) -> bool {
        self.0.is_plain_yes(utterance)
    }
}

impl UtteranceRules for SpokenRules {
    fn understand(&self, utterance: &UtteranceInput) -> Interpretation {
        self.0.understand(utterance)
    }

    fn wake(&self, text: &str) -> WakeCall {
        self.0.wake_call(text)
    }
}

#[derive(Default)]
struct Prepared {
    rules: Option<(Vocabulary, Arc<SpokenRules>)>,
    /// The vocabulary whose rules are being made.
    making: Option<Vocabulary>,
}

/// The current rules. Clones share them.
#[derive(Clone)]
pub struct CurrentUnderstanding {
    live: LiveConfig,
    prepared: Arc<Mutex<Prepared>>,
}

impl CurrentUnderstanding {
    /// Makes nothing yet.
    #[must_use]
    pub fn new(live: &LiveConfig) -> Self {
        Self { live: live.clone(), prepared: Arc::default() }
    }

    /// For another configuration, without making again what this one made for the same vocabulary.
    #[must_use]
    pub fn shared_with(&self, live: &LiveConfig) -> Self {
        Self { live: live.clone(), prepared: Arc::clone(&self.prepared) }
    }

    fn prepared(&self) -> std::sync::MutexGuard<'_, Prepared> {
        // No update can be left half-done, so a poisoned lock is safe to use.
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the rules on a thread of its own: it takes some hundred milliseconds.
    pub fn prepare(&self) {
        let wanted = vocabulary(&self.live.get());
        if self.prepared().making.as_ref() == Some(&wanted) {
            return;
        }
        self.prepared().making = Some(wanted.clone());
        let this = self.clone();
        let make = move || this.make(&wanted);
        if std::thread::Builder::new().name("luna-rules".into()).spawn(make).is_err() {
            self.prepared().making = None;
        }
    }

    fn make(&self, wanted: &Vocabulary) {
        let rules = Arc::new(SpokenRules(understanding(wanted)));
        let mut prepared = self.prepared();
        prepared.rules = Some((wanted.clone(), rules));
        prepared.making.take_if(|making| making == wanted);
    }

    /// The rules for what is heard; `None` until they are made. After a change of the configuration, those of before for the moment that it takes to make
    /// new ones.
    #[must_use]
    pub fn rules(&self) -> Option<Arc<dyn UtteranceRules + Send + Sync>> {
        self.current().map(|rules| rules as Arc<dyn UtteranceRules + Send + Sync>)
    }

    /// The same rules for what is carried out.
    #[must_use]
    pub fn command_rules(&self) -> Option<Arc<dyn CommandRules + Send + Sync>> {
        self.current().map(|rules| rules as Arc<dyn CommandRules + Send + Sync>)
    }

    fn current(&self) -> Option<Arc<SpokenRules>> {
        let wanted = vocabulary(&self.live.get());
        let ready = self.prepared().rules.clone();
        if ready.as_ref().is_none_or(|(vocabulary, _)| *vocabulary != wanted) {
            self.prepare();
        }
        ready.map(|(_, rules)| rules)
    }
}

/// The rules for what is heard.
#[must_use]
pub fn spoken(vocabulary: &Vocabulary) -> impl UtteranceRules + Send + Sync + 'static {
    SpokenRules(understanding(vocabulary))
}

/// UtteranceRules of a vocabulary, with the classifier if it is there. Without it orders are told from talk by the grammar alone, more carefully.
#[must_use]
pub fn understanding(vocabulary: &Vocabulary) -> Understanding {
    let classifier = order_or_talk::load();
    if let Err(error) = &classifier {
        tracing::warn!(%error, "Orders are told from talk by rules alone, more carefully.");
    }
    Understanding::new(vocabulary).with_classifier(classifier.ok().map(|(_, classifier)| classifier))
}
