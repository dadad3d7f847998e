//! The offer to a model: candidates with short ids, valid in one request.

use luna_messages::ElementId;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::{DSL_VERSION, DslCandidate, DslRequest, DslRules, DslTask};
use luna_messages::pick::Role;

/// The candidates of one request, and the elements that their ids stand for. Element ids are long and meaningless to a model; `c1`, `c2`, … cost
/// a token or two each, and mean nothing in any other request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offer {
    candidates: Vec<DslCandidate>,
    elements: Vec<ElementId>,
}

impl Offer {
    /// Offers `candidates`, the most likely first. A protected field is never offered (PRV-3).
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

    /// The candidates as sent to the model.
    #[must_use]
    pub fn candidates(&self) -> &[DslCandidate] {
        &self.candidates
    }

    /// Keeps the first `count` candidates, those that fit (PAK-1). The model can't choose a candidate that it was not shown.
    pub fn keep(&mut self, count: usize) {
        self.candidates.truncate(count);
        self.elements.truncate(count);
    }

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

    /// The candidate that an option of a clarify refers to, if exactly one has this text or id.
    #[must_use]
    pub fn named(&self, option: &str) -> Option<&DslCandidate> {
        let option = option.trim();
        let mut fits =
            self.candidates.iter().filter(|candidate| candidate.id == option || candidate.text.trim() == option);
        fits.next().filter(|_| fits.next().is_none())
    }

    /// Builds the request (DSL-1).
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

/// Maximum characters of a candidate's text in the prompt: the length of a label.
const SHOWN: usize = 80;

/// Collapses to one line of label length: multi-line text could pass for a part of the prompt (PRV-5), and costs tokens.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(at);
        line.push('…');
    }
    line
}
