//! What certainly had no effect, and what may be tried instead (EXE-1, EXE-7).

use std::time::Duration;

use luna_messages::element_action::{ElementState, NoEffectProof};
use luna_messages::executor::{ActedBy, OrderOutcome};

use super::running::DeclinedAct;
use super::{Aim, ExecutorEffect, ExecutorMachine, PendingAct, step_report};
use crate::means::StepMeans;
use crate::phrases::ExecutorPhrase;
use crate::plan::CannotAct;
use crate::target::is_unchanged;

impl ExecutorMachine {
    /// It certainly had no effect, so the next means may be tried once the element was looked at again: the tree's, then pointer or keys. What did not arrive
    /// is not tried again, because a stop may have held it back; and after pointer and keys nothing is left.
    pub(super) fn no_effect(
        &mut self,
        act: PendingAct,
        proof: NoEffectProof,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let mut aim = act.aim;
        let action = match act.means {
            StepMeans::Tree(action) if matches!(proof, NoEffectProof::Declined | NoEffectProof::NotOffered) => action,
            // There was nothing to click: where the pointer comes first, the tree is left.
            StepMeans::Click(_)
                if !self.settings.tree_first
                    && !aim.pointer_failed
                    && matches!(proof, NoEffectProof::Covered | NoEffectProof::OutOfView) =>
            {
                aim.pointer_failed = true;
                return self.inspect(aim, effects);
            }
            StepMeans::Tree(_) | StepMeans::Click(_) | StepMeans::Hover | StepMeans::Keys(_) | StepMeans::Insert(_) => {
                return self.without_effect(&aim, CannotAct::from(proof), now, effects);
            }
        };
        aim.tried = aim.tried.with(action.capacity());
        aim.declined = Some(DeclinedAct { watch: Some(act.request), before: act.before, seen: act.seen });
        self.inspect(aim, effects);
    }

    /// No means is left, and nothing was done.
    pub(super) fn without_effect(
        &mut self,
        aim: &Aim,
        why: CannotAct,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let phrase = ExecutorPhrase::Cannot { why, target: aim.name.clone() };
        self.step_failed(aim, None, phrase, now, effects);
    }

    /// The application said that it did nothing, and yet something changed: it may have been done (EXE-7).
    pub(super) fn changed_all_the_same(&mut self, aim: &Aim, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let phrase = ExecutorPhrase::NotAsWished { target: aim.name.clone() };
        self.step_failed(aim, Some(ActedBy::Tree), phrase, now, effects);
    }

    fn step_failed(
        &mut self,
        aim: &Aim,
        by: Option<ActedBy>,
        phrase: ExecutorPhrase,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let took = now.saturating_sub(running.step_began);
        running.done.push(step_report(&aim.step, aim.name.clone(), by, false, took));
        self.finish(OrderOutcome::Failed, Some(phrase), effects);
    }
}

/// Whether something changed since.
pub(super) fn has_changed(declined: &DeclinedAct, now: &ElementState) -> bool {
    declined.seen || !is_unchanged(&declined.before, now)
}
