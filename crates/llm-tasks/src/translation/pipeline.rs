//! The translation state machine, from sentence to sentence.

use std::collections::VecDeque;

use luna_messages::Fidelity;
use luna_messages::language_tasks::{PieceStatus, TranslatedPiece, TranslationEnd};

use super::units::{Segment, SegmentKind};
use super::{Escalation, PreservationCheck, PreservationVerdict};
use crate::answer;

/// Input of [`TranslationRun::step`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslationEvent {
    Begin,
    /// The model's answer.
    Answered(String),
    /// The model gave no answer, even after the retry (REA-3).
    NoAnswer,
    /// The larger model is missing or does not fit in memory (TRN-4).
    NoLargerModel,
}

/// A request to translate one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The sentence or row.
    pub text: String,
    /// The tokens of PRE-4's notice; empty on the first attempt.
    pub notice: Vec<String>,
    /// Whether the request goes to the larger model (TRN-4).
    pub larger: bool,
}

/// Output of [`TranslationRun::step`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslationEffect {
    /// A piece is finished.
    Piece(TranslatedPiece),
    Ask(Ask),
    Done(TranslationEnd),
}

/// A translation in progress.
#[derive(Debug)]
pub struct TranslationRun {
    units: VecDeque<Segment>,
    fidelity: Fidelity,
    escalation: Escalation,
    /// Whether a larger model is available, as far as is known.
    larger: bool,
    /// The sentence that awaits an answer.
    current: Option<(Segment, Ask)>,
    index: usize,
    end: TranslationEnd,
    finished: bool,
}

impl TranslationRun {
    /// `larger`: a larger model is configured and available.
    #[must_use]
    pub fn new(units: Vec<Segment>, fidelity: Fidelity, escalation: Escalation, larger: bool) -> Self {
        let end = TranslationEnd { pieces: units.len(), ..TranslationEnd::default() };
        Self { units: units.into(), fidelity, escalation, larger, current: None, index: 0, end, finished: false }
    }

    /// Handles an event; the effects must be performed in order. A finished piece and the request for the next come together, so that the piece
    /// is spoken while the next is translated (TRN-2).
    pub fn step(&mut self, event: TranslationEvent, preservation: &impl PreservationCheck) -> Vec<TranslationEffect> {
        let mut effects = Vec::new();
        match (event, self.current.take()) {
            (TranslationEvent::Begin, None) => {}
            (TranslationEvent::Answered(said), Some((unit, ask))) => {
                self.answered(&said, unit, ask, preservation, &mut effects)
            }
            (TranslationEvent::NoLargerModel, Some((unit, ask))) => {
                self.larger = false;
                self.ask(unit, Ask { larger: false, ..ask }, &mut effects);
            }
            (TranslationEvent::NoAnswer, Some((unit, _))) => {
                let text = format!("[원문] {}", unit.text);
                self.piece(&unit, text, PieceStatus::Missing, Vec::new(), false, &mut effects);
            }
            (TranslationEvent::Begin, current @ Some(_)) => self.current = current,
            (TranslationEvent::Answered(_) | TranslationEvent::NoLargerModel | TranslationEvent::NoAnswer, None) => {
                return effects;
            }
        }
        if self.current.is_none() && !self.finished {
            self.next(&mut effects);
        }
        effects
    }

    fn next(&mut self, effects: &mut Vec<TranslationEffect>) {
        while let Some(unit) = self.units.pop_front() {
            if unit.kind != SegmentKind::Unchanged {
                let larger = self.larger && self.escalation.is_due(&unit.text, 0);
                let ask = Ask { text: unit.text.clone(), notice: Vec::new(), larger };
                return self.ask(unit, ask, effects);
            }
            let text = unit.text.clone();
            self.piece(&unit, text, PieceStatus::Unchanged, Vec::new(), false, effects);
        }
        self.finished = true;
        effects.push(TranslationEffect::Done(self.end));
    }

    fn ask(&mut self, unit: Segment, ask: Ask, effects: &mut Vec<TranslationEffect>) {
        effects.push(TranslationEffect::Ask(ask.clone()));
        self.current = Some((unit, ask));
    }

    fn answered(
        &mut self,
        said: &str,
        unit: Segment,
        ask: Ask,
        preservation: &impl PreservationCheck,
        effects: &mut Vec<TranslationEffect>,
    ) {
        let text = on_one_line(&answer::plain(said, &unit.text), &unit.text);
        let verdict = if unit.kind == SegmentKind::Row && cells(&text) != cells(&unit.text) {
            PreservationVerdict::Broken(vec!["|".to_owned()])
        } else {
            preservation.verdict(&unit.text, &text, self.fidelity)
        };
        match verdict {
            PreservationVerdict::Kept => self.piece(&unit, text, PieceStatus::Kept, Vec::new(), ask.larger, effects),
            PreservationVerdict::Repaired(text) => {
                self.piece(&unit, text, PieceStatus::Repaired, Vec::new(), ask.larger, effects)
            }
            PreservationVerdict::Broken(tokens) if ask.notice.is_empty() => {
                let larger = self.larger && (ask.larger || self.escalation.is_due(&unit.text, 1));
                // If the check can't name a token, the notice still has to say that something is wrong.
                let notice = if tokens.is_empty() { vec![unit.text.clone()] } else { tokens };
                self.ask(unit, Ask { notice, larger, ..ask }, effects);
            }
            PreservationVerdict::Broken(tokens) => {
                // PRE-4: source and translation, marked.
                let both = format!("[원문] {}\n[번역(검증 실패)] {text}", unit.text);
                self.piece(&unit, both, PieceStatus::Failed, tokens, ask.larger, effects);
            }
        }
    }

    fn piece(
        &mut self,
        unit: &Segment,
        text: String,
        status: PieceStatus,
        tokens: Vec<String>,
        larger: bool,
        effects: &mut Vec<TranslationEffect>,
    ) {
        match status {
            PieceStatus::Repaired => self.end.repaired += 1,
            PieceStatus::Failed | PieceStatus::Missing => self.end.failed += 1,
            PieceStatus::Kept | PieceStatus::Unchanged => {}
        }
        let (index, gap, source) = (self.index, unit.gap.clone(), unit.text.clone());
        self.index += 1;
        effects.push(TranslationEffect::Piece(TranslatedPiece { index, gap, source, text, status, tokens, larger }));
    }
}

/// A sentence stays on one line, whatever the model returned (TRN-1).
fn on_one_line(text: &str, source: &str) -> String {
    if source.contains('\n') || !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cells(row: &str) -> usize {
    row.matches('|').count()
}
