//! The rules of understanding, as the composition root gives them to the machine.

use luna_messages::candidate::Candidate;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceInput};
use luna_nlu::Understanding;
use luna_nlu::offered::offered_all;

use crate::rules::CommandRules;

impl CommandRules for Understanding {
    fn understand(&self, utterance: &str, asking: bool, candidates: &[Candidate]) -> Interpretation {
        let candidates = Some(offered_all(candidates));
        self.understand(&UtteranceInput { utterance: utterance.to_owned(), asking, candidates, speaking: false })
    }

    fn resolve(&self, step: &ParsedCommand, candidates: &[Candidate]) -> TargetMatch {
        self.resolve(step, &offered_all(candidates))
    }

    fn is_dangerous(&self, text: &str) -> bool {
        self.is_dangerous(text)
    }

    fn is_dangerous_title(&self, title: &str) -> bool {
        self.is_dangerous_title(title)
    }

    fn number_said(&self, text: &str) -> Option<i64> {
        self.number_said(text)
    }

    fn is_yes(&self, utterance: &str) -> bool {
        self.is_plain_yes(utterance)
    }
}
