//! From the element as it is now to what is done to it, once (EXE-1, EXE-7, DNG-1).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::dsl::Action;
use luna_messages::element_action::{ActionResult, ElementRefusal, ElementState, NoEffectProof, ObservedChange};
use luna_messages::executor::OrderOutcome;

use super::{Aim, ExecutorEffect, ExecutorMachine, OpenQuestion, PendingAct, Phase, refused, step_report};
use crate::expectation::EffectHints;
use crate::phrases::ExecutorPhrase;
use crate::plan::{CannotAct, StepPlan, plan};
use crate::rules::CommandRules;
use crate::target::{BoundTarget, name_of, spoken_name, still_shows};

impl ExecutorMachine {
    pub(super) fn inspected(
        &mut self,
        id: RequestId,
        answer: Result<Box<ElementState>, ElementRefusal>,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        match &running.phase {
            Phase::Inspecting { request, aim } if *request == id => {
                let aim = aim.clone();
                match answer {
                    Ok(state) => self.decide(aim, &state, now, rules, effects),
                    Err(refusal) => self.finish(OrderOutcome::Failed, Some(refused(refusal)), effects),
                }
            }
            Phase::Settling { look: Some(look), .. } if *look == id => self.looked(answer, now, effects),
            Phase::Inspecting { .. }
            | Phase::Settling { .. }
            | Phase::Finding { .. }
            | Phase::Asking { .. }
            | Phase::Pressing { .. }
            | Phase::Acting { .. } => {}
        }
    }

    fn decide(
        &mut self,
        mut aim: Aim,
        state: &ElementState,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        // Another name in the place of the one that was meant: the step is looked for on the screen as it is now.
        if aim.shown.as_ref().is_some_and(|shown| !still_shows(shown, state)) {
            let Some(running) = self.running.as_mut() else { return };
            if running.again || aim.by_answer || aim.confirmed.is_some() {
                return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
            }
            running.again = true;
            return self.find(effects);
        }
        if aim.dictated && !state.focused {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
        }
        let name = name_of(state);
        if !name.trim().is_empty() {
            aim.name = spoken_name(name);
        }
        // Who dictates without a name adds to what is there, and the tree can only replace it.
        if aim.dictated && !state.protected && !state.element.text.trim().is_empty() {
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::HoldsText, target: aim.name };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        let planned = plan(&aim.step, state, aim.tried);
        if let Some(bound) = &aim.confirmed {
            let is_same = matches!(&planned, StepPlan::Act { action, .. } if bound.still_holds(state, action));
            if !is_same {
                return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
            }
        }
        let (action, expectation) = match planned {
            StepPlan::AlreadySo => {
                let phrase = ExecutorPhrase::AlreadySo { target: aim.name.clone() };
                return self.step_done(&aim, None, true, phrase, now, effects);
            }
            StepPlan::Cannot(_) if !aim.tried.is_empty() => {
                return self.without_effect(&aim, CannotAct::Declined, now, effects);
            }
            StepPlan::Cannot(why) => {
                let phrase = ExecutorPhrase::Cannot { why, target: aim.name };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
            StepPlan::Act { action, expectation } => (action, expectation),
        };
        if self.settings.confirm_on_danger && aim.confirmed.is_none() && is_dangerous(&aim, state, rules) {
            let bound = BoundTarget::new(state, &action);
            return self.open(OpenQuestion::Danger { aim, bound, action }, OrderOutcome::Confirm, effects);
        }
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        let (order, element) = (running.id, aim.element.clone());
        effects.push(ExecutorEffect::Act { id: request, order, element, action: action.clone() });
        let (before, hints) = (state.clone(), EffectHints::default());
        let act = PendingAct { request, aim, action, expectation, before, hints };
        running.phase = Phase::Acting { act, shown: false };
        self.start_timer(super::ACTS, effects);
    }

    pub(super) fn acted(
        &mut self,
        id: RequestId,
        answer: Result<ActionResult, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let (act, shown) = match &mut running.phase {
            Phase::Acting { act, shown } if act.request == id => (act.clone(), *shown),
            Phase::Pressing { request, .. } if *request == id => return self.keys_answered(answer, now, effects),
            // The answer came after its time.
            Phase::Settling { act, is_known, .. } if act.request == id => {
                *is_known |= answer == Ok(ActionResult::Accepted);
                return;
            }
            Phase::Acting { .. }
            | Phase::Settling { .. }
            | Phase::Finding { .. }
            | Phase::Asking { .. }
            | Phase::Pressing { .. }
            | Phase::Inspecting { .. } => return,
        };
        let is_known = match answer {
            Err(refusal) => return self.finish(OrderOutcome::Failed, Some(refused(refusal)), effects),
            // An effect that was seen refutes the proof.
            Ok(ActionResult::NoEffect(_)) if shown => false,
            Ok(ActionResult::NoEffect(proof)) => return self.no_effect(act, proof, now, effects),
            Ok(ActionResult::Accepted) => true,
            Ok(ActionResult::Unknown) => false,
        };
        let is_refuted = matches!(answer, Ok(ActionResult::NoEffect(_)));
        let after = act.expectation.deadline(is_known);
        let looks = act.expectation.is_state();
        running.phase = Phase::Settling { act, is_known, look: None, again: false, last: false };
        if shown && !is_refuted {
            return self.succeeded(true, now, effects);
        }
        self.start_timer(after, effects);
        if looks {
            self.look(effects);
        }
    }

    /// It certainly had no effect, so the next means of the tree may be tried (EXE-7). What did not arrive is not tried again, because a stop may have held it
    /// back, nor is what was confirmed, because the confirmation was for this action alone.
    fn no_effect(&mut self, act: PendingAct, proof: NoEffectProof, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let mut aim = act.aim;
        let why = match proof {
            NoEffectProof::NotDelivered => CannotAct::NotDelivered,
            NoEffectProof::Declined | NoEffectProof::NotOffered => CannotAct::Declined,
        };
        if proof == NoEffectProof::NotDelivered || aim.confirmed.is_some() {
            return self.without_effect(&aim, why, now, effects);
        }
        aim.tried = aim.tried.with(act.action.capacity());
        effects.push(ExecutorEffect::EndAct { id: act.request });
        self.inspect(aim, effects);
    }

    /// No means of the tree had an effect, for certain. Pointer and keys (EXE-1) come in here: nothing was done, and `aim` tells what is meant.
    fn without_effect(&mut self, aim: &Aim, why: CannotAct, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        running.done.push(step_report(
            &aim.step,
            aim.name.clone(),
            None,
            false,
            now.saturating_sub(running.step_began),
        ));
        let phrase = ExecutorPhrase::Cannot { why, target: aim.name.clone() };
        self.finish(OrderOutcome::Failed, Some(phrase), effects);
    }

    pub(super) fn observed(
        &mut self,
        id: RequestId,
        change: &ObservedChange,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        match &mut running.phase {
            // The effect may come before the application's answer.
            Phase::Acting { act, shown } if act.request == id => {
                act.hints.note(change);
                *shown |= act.expectation.is_shown_by(change);
            }
            Phase::Settling { act, last, .. } if act.request == id => {
                act.hints.note(change);
                if act.expectation.is_shown_by(change) {
                    self.succeeded(true, now, effects);
                } else if act.expectation.is_state() && !*last {
                    self.look(effects);
                }
            }
            Phase::Pressing { request, .. } if *request == id => self.keys_observed(change, now, effects),
            Phase::Acting { .. }
            | Phase::Pressing { .. }
            | Phase::Settling { .. }
            | Phase::Finding { .. }
            | Phase::Asking { .. }
            | Phase::Inspecting { .. } => {}
        }
    }
}

/// Whether an action needs a confirmation: by what was said, by what the element shows now, or by what is said of it (DNG-4). To move the focus does nothing
/// that could not be undone by moving it again.
fn is_dangerous(aim: &Aim, state: &ElementState, rules: &dyn CommandRules) -> bool {
    if aim.step.action == Some(Action::Focus) {
        return false;
    }
    let texts = [aim.name.as_str(), name_of(state), &state.element.label, &state.element.properties.description];
    aim.dangerous || texts.into_iter().any(|text| rules.is_dangerous(text))
}
