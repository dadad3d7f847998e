//! What an utterance that was parsed as one kind means: reading, reflex, answer or command, with its target among the candidates.

use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceKind};

use super::draft::{Draft, Scene};
use super::normalised::NormalisedUtterance;
use super::{Understanding, keys, korean, normalised, reflex};

impl Understanding {
    pub(super) fn read(&self, scene: &Scene<'_>, speaking: bool, offered: &[CandidateInput]) -> Option<Interpretation> {
        let asked = self.reading.read(scene)?;
        let kind = if speaking && asked.more { UtteranceKind::Ambiguous } else { UtteranceKind::Reading };
        let draft = Draft { wish: asked.wish, ..Draft::default() };
        let ranked = self.ranker.rank(&draft, offered);
        Some(Interpretation {
            kind,
            wish: draft.wish,
            target_id: ranked.target,
            ranking: ranked.ranking,
            ..Interpretation::default()
        })
    }

    pub(super) fn steps(&self, scene: &Scene<'_>) -> Vec<Draft> {
        // "알트 에프 사": a key combination and nothing else.
        if let Some(keys) = keys::together(scene) {
            return vec![keys];
        }
        let mut steps = Vec::new();
        if scene.heard.has_hangul() {
            steps = korean::command(scene, &self.scrolling);
        }
        if steps.is_empty() && scene.heard.cells.iter().any(char::is_ascii_alphabetic) {
            steps = self.english.command(scene, &self.scrolling);
        }
        steps
    }

    /// A reflex, or a reading if Luna is silent.
    pub(super) fn obeyed(&self, scene: &Scene<'_>, speaking: bool, number: Option<u32>) -> Option<Interpretation> {
        let command = number.and_then(reflex::command)?;
        let intent = command.spec().reading_intent;
        let mut wish = ParsedCommand::default();
        if intent.is_some() {
            let asked = self.reading.read(scene).unwrap_or_default().wish;
            wish = ParsedCommand { intent, lang_tgt: asked.lang_tgt, mode: asked.mode, ..ParsedCommand::default() };
        }
        let reflex = speaking || intent.is_none();
        let kind = if reflex { UtteranceKind::Reflex } else { UtteranceKind::Reading };
        Some(Interpretation { kind, command: reflex.then_some(command), wish, ..Interpretation::default() })
    }

    pub(super) fn answered(
        &self,
        wish: ParsedCommand,
        heard: &NormalisedUtterance,
        offered: &[CandidateInput],
    ) -> Interpretation {
        let mut understood = Interpretation { kind: UtteranceKind::Answer, ..Interpretation::default() };
        if let Some(n) = wish.ordinal {
            let index = if n > 0 {
                usize::try_from(n - 1).ok()
            } else {
                usize::try_from(-n).ok().and_then(|n| offered.len().checked_sub(n))
            };
            if let Some(one) = index.and_then(|index| offered.get(index)) {
                understood.target_id = Some(one.id.clone());
                understood.dangerous = self.is_dangerous(one.text.as_deref().unwrap_or_default());
            }
        } else {
            // "취소하고 싶은데요" also names the button with this label.
            let word = wish.value.as_deref().map(normalised::compact).unwrap_or_default();
            let exactly = |text: &[char]| self.ranker.exactly(text, offered);
            understood.target_id = exactly(&heard.cells).or_else(|| exactly(&word));
        }
        understood.wish = wish;
        understood
    }

    pub(super) fn commanded(
        &self,
        steps: Vec<Draft>,
        heard: &NormalisedUtterance,
        offered: &[CandidateInput],
    ) -> Interpretation {
        let Some(first) = steps.first().cloned() else { return Interpretation::default() };
        let ranked = self.ranker.rank(&first, offered);
        // If several candidates fit equally well, the model or the person has to choose (NLU-4).
        let unsure = steps.iter().any(|step| step.unsure) || ranked.several;
        let label = ranked
            .target
            .as_ref()
            .and_then(|id| offered.iter().find(|one| &one.id == id))
            .and_then(|one| one.text.as_deref());
        // "clickdelete": the dangerous word may stand alone only in the parsed command.
        let named = first.wish.target_text.as_deref();
        let dangerous = self.danger.is_in(heard) || label.into_iter().chain(named).any(|text| self.is_dangerous(text));
        Interpretation {
            kind: if unsure { UtteranceKind::Ambiguous } else { UtteranceKind::Command },
            wish: first.wish,
            steps: if steps.len() > 1 { steps.into_iter().map(|step| step.wish).collect() } else { Vec::new() },
            dangerous,
            target_id: ranked.target,
            ranking: ranked.ranking,
            ..Interpretation::default()
        }
    }
}
