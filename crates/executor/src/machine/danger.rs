//! The confirmation of something dangerous (DNG-2).

use std::time::Duration;

use luna_messages::executor::{OrderOutcome, OrderSource, SpokenOrder};
use luna_messages::understanding::{Interpretation, UtteranceKind};

use super::{ExecutorEffect, ExecutorMachine, OpenQuestion, Phase, report};
use crate::consent::Consent;
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;

impl ExecutorMachine {
    /// Takes an answer to a question about something dangerous that neither declines nor stops. Returns whether it was taken.
    #[allow(clippy::too_many_arguments, reason = "each is another property of the answer")]
    pub(super) fn danger(
        &mut self,
        answer: &SpokenOrder,
        understood: &Interpretation,
        is_older: bool,
        only_answer: bool,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let is_yes = rules.is_yes(&answer.utterance);
        if answer.source == OrderSource::Program && (is_yes || only_answer) {
            // The question stays: a program must not be able to take it away from the person either.
            let said = ExecutorPhrase::NotByPrograms.text(self.settings.lang);
            report(answer.id, OrderOutcome::Confirm, Vec::new(), said, effects);
            return true;
        }
        if is_yes {
            let needs_call = self.settings.confirming_call.is_some();
            let consent = Consent::in_words(answer, needs_call).filter(|_| !is_older && self.is_danger_heard());
            match consent {
                Some(consent) => {
                    self.waits_now(answer);
                    self.confirmed(consent, effects);
                }
                // Yes without the name, or before the question was over: asked again, with what is needed.
                None => self.ask_again(answer, OrderOutcome::Confirm, effects),
            }
            return true;
        }
        // What is neither a plain yes nor an order of its own cancels, too.
        if only_answer || understood.kind == UtteranceKind::Answer {
            self.waits_now(answer);
            self.forgo(now, effects);
            return true;
        }
        false
    }

    fn is_danger_heard(&self) -> bool {
        self.running.as_ref().is_some_and(
            |running| matches!(&running.phase, Phase::Asking { heard: true, question, .. } if question.is_danger()),
        )
    }

    pub(super) fn key(&mut self, given: bool, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        if given && self.is_danger_heard() {
            self.confirmed(Consent::by_key(), effects);
        } else if !given && self.is_asking() {
            self.forgo(now, effects);
        }
    }

    /// The open question ends without what it asked for.
    pub(super) fn forgo(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        self.note_unconfirmed(now);
        self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects);
    }

    /// The open question ends because of another order. That something dangerous was not done is told.
    pub(super) fn close_for_another(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        if self.note_unconfirmed(now) {
            self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects);
        } else {
            self.supersede(effects);
        }
    }

    /// Keeps when a question about something dangerous ended without a yes; returns whether it was one.
    fn note_unconfirmed(&mut self, now: Duration) -> bool {
        let is_danger = self
            .running
            .as_ref()
            .is_some_and(|running| matches!(&running.phase, Phase::Asking { question, .. } if question.is_danger()));
        let is_proposal = self.running.as_ref().is_some_and(|running| {
            matches!(&running.phase, Phase::Asking { question: OpenQuestion::Proposed { .. }, .. })
        });
        if is_danger || is_proposal {
            self.unconfirmed = Some(now);
        }
        if is_danger {
            self.note_refused_program(now);
        }
        is_danger
    }

    /// The element is looked at once more, or the window: it must be what was confirmed.
    fn confirmed(&mut self, _consent: Consent, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Asking { question, .. } = &running.phase else { return };
        match question {
            OpenQuestion::Which { .. } | OpenQuestion::Proposed { .. } => {}
            OpenQuestion::Permission { .. } => self.grant(effects),
            OpenQuestion::Danger { aim, bound, .. } => {
                let mut aim = aim.clone();
                aim.confirmed = Some(bound.clone());
                self.unconfirmed = None;
                effects.push(ExecutorEffect::CloseQuestion);
                self.inspect(aim, effects);
            }
            OpenQuestion::DangerKeys { aim } => {
                running.confirmed_keys = Some(aim.clone());
                self.unconfirmed = None;
                effects.push(ExecutorEffect::CloseQuestion);
                self.find(effects);
            }
        }
    }
}
