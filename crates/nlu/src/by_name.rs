//! Things named without a verb: by the label of a candidate, or by what they are and where (EXE-3, NLU-2).

use luna_messages::dsl::Action;
use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceKind};

use super::draft::{Draft, Scene};
use super::{Understanding, english, normalised, target};

/// Words of a thing that is named by its place: more are a sentence.
const MAX_WORDS_OF_A_PLACE: usize = 8;

impl Understanding {
    /// A thing named by what it is and where, without a verb: "파일 이름 아래의 버튼" (NLU-2). To name it is to want it pressed.
    pub(super) fn pointed_at(&self, scene: &Scene<'_>, offered: &[CandidateInput]) -> Option<Interpretation> {
        let (heard, from) = (scene.heard, scene.grease.wake_end(scene.heard).unwrap_or(0));
        if heard.words(from, heard.len()).len() > MAX_WORDS_OF_A_PLACE {
            return None;
        }
        let draft = if heard.has_hangul() {
            target::aimed(scene, from, heard.len(), Action::Invoke, false)
        } else {
            english::aimed(scene, from, heard.len(), Action::Invoke)
        };
        let ParsedCommand { role, relation, anchor, zone, .. } = &draft.wish;
        let placed = role.is_some() && (zone.is_some() || relation.is_some() && anchor.is_some());
        placed.then(|| self.commanded(vec![draft], heard, offered))
    }

    /// Exactly the label of one candidate and nothing else: an answer, also if the label is a verb.
    pub(super) fn labelled(&self, scene: &Scene<'_>, offered: &[CandidateInput]) -> Option<Interpretation> {
        let n = scene.heard.len();
        let ends = || (1..=n).filter(|end| scene.frame.tail.is_greasy(*end));
        let starts = scene.frame.starts.iter().copied();
        let (from, to) =
            starts.flat_map(|from| ends().map(move |to| (from, to))).find(|(from, to)| scene.is_label(*from, *to))?;
        let text = scene.heard.said(from, to);
        let target = self.ranker.exactly(scene.heard.part(from, to), offered)?;
        let wish = ParsedCommand { target_text: Some(text.clone()), ..ParsedCommand::default() };
        Some(Interpretation {
            kind: UtteranceKind::Answer,
            dangerous: self.is_dangerous(&text),
            wish,
            target_id: Some(target),
            ..Interpretation::default()
        })
    }

    /// The label of a candidate without a verb: an answer. What has a word for a role, but no verb, the model may ask about.
    pub(super) fn named(&self, scene: &Scene<'_>, offered: &[CandidateInput]) -> Option<Interpretation> {
        let heard = scene.heard;
        let from = scene.grease.wake_end(heard).filter(|end| *end < heard.len()).unwrap_or(0);
        if offered.is_empty() {
            return None;
        }
        let mut wish = ParsedCommand::default();
        target::target(scene, from, heard.len(), true).put(&mut wish);
        let text = normalised::compact(wish.target_text.as_deref()?);
        let target =
            self.ranker.exactly(heard.part(from, heard.len()), offered).or_else(|| self.ranker.exactly(&text, offered));
        let target = match target {
            Some(target) => target,
            None if wish.role.is_some() || wish.ordinal.is_some() => {
                self.ranker.rank(&Draft { wish: wish.clone(), ..Draft::default() }, offered).target?
            }
            None => return None,
        };
        let label = offered.iter().find(|one| one.id == target).and_then(|one| one.text.as_deref()).unwrap_or_default();
        Some(Interpretation {
            kind: UtteranceKind::Answer,
            dangerous: self.is_dangerous(label),
            wish,
            target_id: Some(target),
            ..Interpretation::default()
        })
    }
}
