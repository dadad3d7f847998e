//! From the element as it is now to what was seen of its action (EXE-2, EXE-7, DNG-1).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::dsl::Action;
use luna_messages::element_action::{ActionResult, ElementRefusal, ElementState, ObservedChange};
use luna_messages::executor::{ActedBy, OrderOutcome};

use super::{Aim, ExecutorEffect, ExecutorMachine, OpenQuestion, Phase, step_report};
use crate::expectation::Expectation;
use crate::phrases::{DoneAction, ExecutorPhrase};
use crate::plan::{StepPlan, plan};
use crate::rules::CommandRules;
use crate::target::{BoundTarget, name_of};

impl Aim {
    /// What the question asks to do, before the element is known to offer it.
    pub(super) fn planned_action(&self) -> DoneAction {
        match self.step.action {
            Some(Action::Toggle) => DoneAction::Switched,
            Some(Action::Select) => DoneAction::Selected,
            Some(Action::SetValue) => DoneAction::Entered,
            Some(Action::Focus) => DoneAction::Focused,
            Some(Action::Expand | Action::Collapse) => DoneAction::Opened,
            _ => DoneAction::Pressed,
        }
    }
}

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
            _ => {}
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
        let name = name_of(state);
        if !name.is_empty() {
            name.clone_into(&mut aim.name);
        }
        if aim.confirmed.as_ref().is_some_and(|bound| !bound.still_holds(state)) {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
        }
        let (action, expectation) = match plan(&aim.step, state) {
            StepPlan::AlreadySo => {
                let phrase = ExecutorPhrase::AlreadySo { target: aim.name.clone() };
                return self.step_done(aim, None, phrase, now, effects);
            }
            StepPlan::Cannot(why) => {
                let phrase = ExecutorPhrase::Cannot { why, target: aim.name };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
            StepPlan::Act { action, expectation } => (action, expectation),
        };
        // To move the focus does nothing that could not be undone by moving it again.
        let acts = aim.step.action != Some(Action::Focus);
        let is_dangerous = acts && (aim.dangerous || rules.is_dangerous(&aim.name));
        if is_dangerous && aim.confirmed.is_none() && self.settings.confirm_on_danger {
            let bound = BoundTarget::new(state);
            return self.open(OpenQuestion::Danger { aim, bound }, OrderOutcome::Confirm, effects);
        }
        let request = RequestId::next();
        let Some(running) = self.running.as_mut() else { return };
        let (order, element) = (running.id, aim.element.clone());
        effects.push(ExecutorEffect::Act { id: request, order, element, action: action.clone() });
        running.phase = Phase::Acting { request, aim, action, expectation, shown: false };
    }

    pub(super) fn acted(
        &mut self,
        id: RequestId,
        answer: Result<ActionResult, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Acting { request, aim, action, expectation, shown } = &running.phase else { return };
        if *request != id {
            return;
        }
        let (request, aim, action, expectation, shown) =
            (*request, aim.clone(), action.clone(), expectation.clone(), *shown);
        let is_known = match answer {
            Err(refusal) => return self.finish(OrderOutcome::Failed, Some(refused(refusal)), effects),
            Ok(ActionResult::NoEffect(_)) => {
                running.done.push(step_report(&aim, None, false, now.saturating_sub(running.step_began)));
                let why = crate::plan::CannotAct::NotOffered;
                let phrase = ExecutorPhrase::Cannot { why, target: aim.name };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
            Ok(ActionResult::Accepted) => true,
            Ok(ActionResult::Unknown) => false,
        };
        let after = expectation.deadline(is_known);
        let looks = expectation.is_state();
        running.phase =
            Phase::Settling { request, aim, action, expectation, is_known, look: None, again: false, last: false };
        if shown {
            return self.succeeded(now, effects);
        }
        self.start_timer(after, effects);
        if looks {
            self.look(effects);
        }
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
            Phase::Acting { request, expectation, shown, .. } if *request == id => {
                *shown |= expectation.is_shown_by(change);
            }
            Phase::Settling { request, expectation, .. } if *request == id => {
                if expectation.is_shown_by(change) {
                    self.succeeded(now, effects);
                } else if expectation.is_state() {
                    self.look(effects);
                }
            }
            _ => {}
        }
    }

    /// Looks at the element; one look at a time, and once more if something changed meanwhile.
    fn look(&mut self, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { aim, look, again, .. } = &mut running.phase else { return };
        if look.is_some() {
            *again = true;
            return;
        }
        let request = RequestId::next();
        *look = Some(request);
        effects.push(ExecutorEffect::Inspect { id: request, element: aim.element.clone() });
    }

    fn looked(
        &mut self,
        answer: Result<Box<ElementState>, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { expectation, look, again, last, .. } = &mut running.phase else { return };
        *look = None;
        let is_met = answer.is_ok_and(|state| expectation.is_met(&state));
        let (looks_again, is_over) = (std::mem::take(again), *last);
        if is_met {
            self.succeeded(now, effects);
        } else if is_over {
            self.unseen(now, effects);
        } else if looks_again {
            self.look(effects);
        }
    }

    pub(super) fn timer(&mut self, generation: u64, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        if generation != self.generation {
            return;
        }
        let Some(running) = self.running.as_mut() else { return };
        match &mut running.phase {
            Phase::Asking(_) => self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects),
            Phase::Settling { expectation, look, last, .. } => {
                if !expectation.is_state() || *last {
                    return self.unseen(now, effects);
                }
                *last = true;
                let is_looking = look.is_some();
                // The last look must not last for ever either.
                self.start_timer(Expectation::AnyChange.deadline(true), effects);
                if !is_looking {
                    self.look(effects);
                }
            }
            Phase::Finding { .. } | Phase::Inspecting { .. } | Phase::Acting { .. } => {}
        }
    }

    fn succeeded(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_ref() else { return };
        let Phase::Settling { aim, action, expectation, .. } = &running.phase else { return };
        let target = aim.name.clone();
        let phrase = if *expectation == Expectation::ContentChanged {
            ExecutorPhrase::EnteredSecret { target }
        } else {
            ExecutorPhrase::Done { action: DoneAction::from(action), target }
        };
        self.step_done(aim.clone(), Some(ActedBy::Tree), phrase, now, effects);
    }

    /// The time is over, and nothing shows an effect. Nothing is tried again: it may have had one (EXE-7).
    fn unseen(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { aim, is_known, .. } = &running.phase else { return };
        let target = aim.name.clone();
        let phrase =
            if *is_known { ExecutorPhrase::NothingChanged { target } } else { ExecutorPhrase::MayBeDone { target } };
        let took = now.saturating_sub(running.step_began);
        let step = step_report(aim, Some(ActedBy::Tree), false, took);
        running.done.push(step);
        self.finish(OrderOutcome::Failed, Some(phrase), effects);
    }
}

const fn refused(refusal: ElementRefusal) -> ExecutorPhrase {
    match refusal {
        ElementRefusal::Gone | ElementRefusal::Replaced => ExecutorPhrase::Changed,
        ElementRefusal::NoAnswer | ElementRefusal::Unavailable => ExecutorPhrase::NoScreen,
    }
}
