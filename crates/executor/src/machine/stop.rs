//! What ends an order that is under way: a stop, or words that take it back (FOC-6).

use luna_messages::RequestId;
use luna_messages::control::Command;
use luna_messages::executor::{OrderOutcome, SpokenOrder};
use luna_messages::understanding::{Interpretation, UtteranceKind};

use super::{ExecutorEffect, ExecutorMachine, Phase, report};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;

/// The command that ends what Luna does, if an utterance is one.
pub(super) const fn stop_command(understood: &Interpretation) -> Option<Command> {
    match understood.command {
        Some(command @ (Command::Stop | Command::Pause | Command::FocusOff)) => Some(command),
        _ => None,
    }
}

/// Whether an utterance declines or takes back, and wants nothing else.
pub(super) fn declines(understood: &Interpretation) -> bool {
    let is_answer = understood.kind == UtteranceKind::Answer;
    understood.negated || is_answer && matches!(understood.wish.value.as_deref(), Some("no" | "cancel"))
}

impl ExecutorMachine {
    pub(super) fn stop(&mut self, at: RequestId, effects: &mut Vec<ExecutorEffect>) {
        self.last_stop = self.last_stop.max(at);
        if let Some(waiting) = self.next.take_if(|waiting| waiting.id <= at) {
            report(waiting.id, OrderOutcome::Refused, Vec::new(), String::new(), effects);
        }
        let Some(running) = self.running.as_ref().filter(|running| running.id <= at) else { return };
        let phrase = match &running.phase {
            Phase::Acting { .. }
            | Phase::Pressing { .. }
            | Phase::Scrolling { .. }
            | Phase::Desktop { .. }
            | Phase::Settling { .. } => Some(ExecutorPhrase::StoppedLate),
            Phase::Asking { .. } => Some(ExecutorPhrase::Forgone),
            Phase::Finding { .. } | Phase::Deciding { .. } | Phase::Inspecting { .. } if !running.done.is_empty() => {
                Some(ExecutorPhrase::StoppedLate)
            }
            // Nothing was done, and the stop itself is heard as silence.
            Phase::Finding { .. } | Phase::Deciding { .. } | Phase::Inspecting { .. } => None,
        };
        self.finish(OrderOutcome::Refused, phrase, effects);
    }

    /// Ends what is under way if that is all that an utterance wants: it must not wait for the end of what it takes back.
    pub(super) fn takes_back(
        &mut self,
        order: &SpokenOrder,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let understood = rules.understand(&order.utterance, true, &[]);
        let command = stop_command(&understood);
        if command.is_none() && !declines(&understood) {
            return false;
        }
        effects.extend(command.map(ExecutorEffect::Reflex));
        self.stop(order.id, effects);
        // A stop is heard as silence; what is taken back otherwise is told.
        if command.is_none() && !effects.iter().any(|effect| matches!(effect, ExecutorEffect::Say { .. })) {
            effects.push(ExecutorEffect::Say { phrase: ExecutorPhrase::Forgone });
        }
        report(order.id, OrderOutcome::Success, Vec::new(), String::new(), effects);
        true
    }
}
