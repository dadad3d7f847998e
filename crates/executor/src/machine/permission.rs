//! A program asks whether it may act: the person is asked, and the yes holds for this very action, once (DNG-2, PRV-5).

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::executor::{OrderOutcome, OrderSource, PermissionAnswer, PermissionRequest, SpokenOrder};

use super::running::RunningOrder;
use super::{ExecutorEffect, ExecutorMachine, OpenQuestion, Phase};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;

/// Pause after a question of a program that was not answered with yes: a program must not ask until the person gives in.
const PAUSE: Duration = Duration::from_secs(3);

impl ExecutorMachine {
    /// Asks the person, unless Luna carries out or asks something else.
    pub(super) fn permit(
        &mut self,
        request: PermissionRequest,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let id = request.id;
        let answer = |answer, effects: &mut Vec<ExecutorEffect>| {
            effects.push(ExecutorEffect::AnswerPermission { id, answer });
        };
        if id <= self.last_stop || self.is_taken(id) {
            return answer(PermissionAnswer::Refused, effects);
        }
        let is_pause = self.refused_program.is_some_and(|refused| now < refused + PAUSE);
        if self.running.is_some() || self.next.is_some() || is_pause {
            return answer(PermissionAnswer::Busy, effects);
        }
        let dangerous = request.labels.iter().any(|label| rules.is_dangerous(label));
        let order = SpokenOrder {
            id,
            utterance: String::new(),
            source: OrderSource::Program,
            called: false,
            overlaps_playback: false,
        };
        let asked = RunningOrder { steps: Some(VecDeque::new()), dangerous, ..RunningOrder::new(order, None, now) };
        self.running = Some(Box::new(asked));
        self.open(OpenQuestion::Permission { request, dangerous, granted: false }, OrderOutcome::Confirm, effects);
    }

    /// The person said yes.
    pub(super) fn grant(&mut self, effects: &mut Vec<ExecutorEffect>) {
        if let Some(Phase::Asking { question: OpenQuestion::Permission { granted, .. }, .. }) =
            self.running.as_mut().map(|running| &mut running.phase)
        {
            *granted = true;
            self.unconfirmed = None;
            self.finish(OrderOutcome::Success, None, effects);
        }
    }

    /// Nobody waits for the answer any more.
    pub(super) fn end_permit(&mut self, id: RequestId, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let is_open = self.running.as_ref().is_some_and(|running| {
            matches!(&running.phase, Phase::Asking { question: OpenQuestion::Permission { request, .. }, .. } if request.id == id)
        });
        if is_open {
            self.forgo(now, effects);
        }
    }

    /// The answer to a question that is closed now; `None` if it is another question.
    pub(super) fn permission_of(question: &OpenQuestion) -> Option<ExecutorEffect> {
        let OpenQuestion::Permission { request, granted, .. } = question else { return None };
        let answer = if *granted { PermissionAnswer::Granted } else { PermissionAnswer::Refused };
        Some(ExecutorEffect::AnswerPermission { id: request.id, answer })
    }

    /// Keeps when a program was refused, if the open question is one of a program.
    pub(super) fn note_refused_program(&mut self, now: Duration) {
        let phase = self.running.as_ref().map(|running| &running.phase);
        if let Some(Phase::Asking { question: OpenQuestion::Permission { .. }, .. }) = phase {
            self.refused_program = Some(now);
        }
    }

    /// How the person is asked.
    pub(super) fn permission_phrase(&self, request: &PermissionRequest, dangerous: bool) -> ExecutorPhrase {
        let needs_call = self.settings.confirming_call.clone();
        ExecutorPhrase::MayProgram { action: request.action.clone(), dangerous, needs_call }
    }
}
