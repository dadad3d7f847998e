//! What is offered to a model: candidates under short names of one request.

use luna_messages::ElementId;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::{DSL_VERSION, DslCandidate, DslRequest, DslRules, DslTask};
use luna_messages::pick::Role;

/// The candidates of one request, and what their names in it stand for. The ids of elements are long and say nothing to a model; `c1`, `c2`, … cost
/// a token or two each, and mean nothing in any other request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offer {
    candidates: Vec<DslCandidate>,
    elements: Vec<ElementId>,
}

impl Offer {
    /// Offers `candidates`, the likeliest first. A protected field is never offered (PRV-3).
    #[must_use]
    pub fn new(candidates: &[Candidate]) -> Self {
        let mut offer = Self::default();
        for candidate in candidates.iter().filter(|candidate| candidate.role != Role::Protected) {
            offer.candidates.push(DslCandidate {
                id: format!("c{}", offer.candidates.len() + 1),
                role: candidate.role,
                text: one_line(&candidate.text),
                automation_id: Some(one_line(&candidate.automation_id)).filter(|id| !id.is_empty()),
                near: candidate.near.iter().map(|near| one_line(near)).collect(),
                zone: candidate.zone,
                enabled: candidate.enabled,
            });
            offer.elements.push(candidate.id.clone());
        }
        offer
    }

    /// The candidates as the model sees them.
    #[must_use]
    pub fn candidates(&self) -> &[DslCandidate] {
        &self.candidates
    }

    /// Only the first `count`: what there was room for (PAK-1). What a model was not shown it can't choose.
    pub fn keep(&mut self, count: usize) {
        self.candidates.truncate(count);
        self.elements.truncate(count);
    }

    /// Whether an id was offered.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.candidates.iter().any(|candidate| candidate.id == id)
    }

    /// The element that an id stands for.
    #[must_use]
    pub fn element(&self, id: &str) -> Option<&ElementId> {
        let at = self.candidates.iter().position(|candidate| candidate.id == id)?;
        self.elements.get(at)
    }

    /// The candidate that an option of a clarify means, if exactly one has this text or id.
    #[must_use]
    pub fn named(&self, option: &str) -> Option<&DslCandidate> {
        let option = option.trim();
        let mut fits =
            self.candidates.iter().filter(|candidate| candidate.id == option || candidate.text.trim() == option);
        fits.next().filter(|_| fits.next().is_none())
    }

    /// The request (DSL-1).
    #[must_use]
    pub fn request(&self, task: DslTask, utterance: &str, dangerous: &[String]) -> DslRequest {
        DslRequest {
            v: DSL_VERSION.to_owned(),
            task,
            user_utterance: utterance.to_owned(),
            candidates: self.candidates.clone(),
            rules: DslRules { must_choose_from_candidates: true, dangerous: dangerous.to_vec() },
        }
    }
}

/// Characters of a text of the screen that a model sees: what a label has.
const SHOWN: usize = 80;

/// On one line and not longer than a label: a text of many lines could look like a part of the prompt (PRV-5), and costs tokens.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(at);
        line.push('…');
    }
    line
}
