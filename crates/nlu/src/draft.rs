//! What a command was understood as, before it is compared with what is on the screen.

use std::collections::BTreeSet;

use luna_messages::understanding::{CandidateInput, ParsedCommand};

use super::desk::Desk;
use super::fillers::FillerWords;
use super::normalised::{NormalisedUtterance, compact};
use super::numbers::Numbers;
use super::phrases::Frame;

/// One step, with what else its target may be called.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The step.
    pub wish: ParsedCommand,
    /// Other texts of the target: 닫기 for "창 닫아".
    pub also: Vec<String>,
    /// Whether the rules can't say what is to be done.
    pub unsure: bool,
}

/// All that parsing looks at.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub heard: &'a NormalisedUtterance,
    /// Its ends.
    pub frame: &'a Frame,
    /// Words around commands.
    pub grease: &'a FillerWords,
    /// Words of the desktop.
    pub desk: &'a Desk,
    pub numbers: &'a Numbers,
    /// Labels on the screen, as they are compared.
    pub labels: &'a BTreeSet<Vec<char>>,
}

impl Scene<'_> {
    /// Whether this range is a label on the screen.
    #[must_use]
    pub fn is_label(&self, from: usize, to: usize) -> bool {
        !self.labels.is_empty() && self.labels.contains(self.heard.part(from, to))
    }

    /// Whether the utterance holds no space at all, so that borders of words are unknown.
    #[must_use]
    pub fn unspaced(&self) -> bool {
        self.heard.len() > 4 && self.heard.unspaced(0, self.heard.len())
    }

    /// Whether a word may begin or end at `at`.
    #[must_use]
    pub fn border(&self, at: usize) -> bool {
        self.heard.gap(at) || self.unspaced()
    }
}

/// The labels of candidates, as they are compared.
#[must_use]
pub fn labels(candidates: &[CandidateInput]) -> BTreeSet<Vec<char>> {
    candidates.iter().filter_map(|one| one.text.as_deref()).map(compact).filter(|label| !label.is_empty()).collect()
}
