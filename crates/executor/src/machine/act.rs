//! From the element as it is now to what is done to it, once (EXE-1, EXE-7, DNG-1).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::dsl::Action;
use luna_messages::element_action::{ActionResult, Capacity, ElementRefusal, ElementState, ObservedChange};
use luna_messages::executor::{ActedBy, OrderOutcome};
use luna_messages::understanding::ParsedCommand;

use super::declined::has_changed;
use super::menus::opens_menu;
use super::{Aim, ExecutorEffect, ExecutorMachine, OpenQuestion, PendingAct, Phase, refused};
use crate::expectation::{EffectHints, Expectation};
use crate::means::StepMeans;
use crate::numbers::number_of;
use crate::phrases::ExecutorPhrase;
use crate::plan::{CannotAct, MeansAllowed, StepPlan, plan};
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
        match &mut running.phase {
            Phase::Inspecting { request, aim } if *request == id => {
                if let Some(watch) = aim.declined.as_mut().and_then(|declined| declined.watch.take()) {
                    effects.push(ExecutorEffect::EndAct { id: watch });
                }
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
            | Phase::Scrolling { .. }
            | Phase::Desktop { .. }
            | Phase::Deciding { .. }
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
        // On the way through a menu of a page: pressing an entry may choose it, and the pointer shows what belongs to it.
        let is_on_the_way =
            self.running.as_ref().and_then(|running| running.steps.as_ref()).is_some_and(|left| left.len() > 1);
        let allowed = MeansAllowed {
            tried: aim.tried,
            input: self.settings.coord_fallback,
            hover: aim.on_page && is_on_the_way,
            hovers: aim.on_page && self.running.as_ref().is_some_and(|running| running.hovers),
            pointer_first: !self.settings.tree_first && !aim.pointer_failed,
            at_caret: aim.dictated,
        };
        number_in_digits(&mut aim.step, state, rules);
        let planned = plan(&aim.step, state, allowed);
        if planned != StepPlan::AlreadySo && aim.declined.as_ref().is_some_and(|declined| has_changed(declined, state))
        {
            return self.changed_all_the_same(&aim, now, effects);
        }
        // Another name in the place of the one that was meant: the step is looked for on the screen as it is now.
        if aim.shown.as_ref().is_some_and(|shown| !still_shows(shown, state)) {
            let Some(running) = self.running.as_mut() else { return };
            if running.again || aim.by_answer || aim.confirmed.is_some() {
                return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
            }
            running.again = true;
            return self.find(effects);
        }
        // What the person did to it since is theirs.
        if aim.takes_back.as_ref().is_some_and(|act| !act.is_as_left(state)) {
            self.reversible.clear();
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
        }
        if aim.dictated && !state.focused {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
        }
        let is_inserted = matches!(&planned, StepPlan::Act { means: StepMeans::Insert(_), .. });
        let name = name_of(state);
        // A document is called by what is written in it, which is not repeated.
        if is_inserted && !state.element.role.has_content() {
            aim.name = state.element.label.clone();
        } else if !name.trim().is_empty() {
            aim.name = spoken_name(name);
        }
        // Who dictates without a name adds to what is there, and the tree can only replace it.
        let is_told = is_inserted || planned == StepPlan::Cannot(CannotAct::Selected);
        if aim.dictated && !is_told && !state.protected && !state.element.text.trim().is_empty() {
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::HoldsText, target: aim.name };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        if let Some(bound) = &aim.confirmed {
            let is_same = matches!(&planned, StepPlan::Act { means, .. } if bound.still_holds(state, means));
            // The means that is left is another action than the one that was confirmed, or there is none.
            if !is_same && aim.declined.is_some() && bound.is_unchanged(state) {
                return self.without_effect(&aim, CannotAct::Declined, now, effects);
            }
            if !is_same {
                return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
            }
        }
        let (means, expectation) = match planned {
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
            StepPlan::Act { means, expectation } => (means, expectation),
        };
        self.note_menu(&mut aim, state, now, rules);
        if self.settings.confirm_on_danger && aim.confirmed.is_none() && is_dangerous(&aim, &means, state, rules) {
            let bound = BoundTarget::new(state, &means);
            return self.open(OpenQuestion::Danger { aim, bound, means }, OrderOutcome::Confirm, effects);
        }
        self.begin_act(aim, means, expectation, state, effects);
    }

    /// Asks for the action, once.
    fn begin_act(
        &mut self,
        aim: Aim,
        means: StepMeans,
        expectation: Expectation,
        before: &ElementState,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        self.note_closed_menu(&aim, before);
        self.reversible.begin();
        let Some(running) = self.running.as_mut() else { return };
        let id = RequestId::next();
        let (order, element) = (running.id, aim.element.clone());
        running.opened_menu = opens_menu(&aim, before).then(|| element.clone());
        let mut limit = super::ACTS;
        effects.push(match &means {
            StepMeans::Tree(action) => ExecutorEffect::Act { id, order, element, action: action.clone() },
            StepMeans::Click(_) => ExecutorEffect::Click { id, order, element },
            StepMeans::Hover => {
                running.hovers = true;
                ExecutorEffect::Hover { id, order, element }
            }
            StepMeans::Keys(text) | StepMeans::Insert(text) => {
                let characters = u32::try_from(text.0.chars().count()).unwrap_or(u32::MAX);
                limit = super::TYPES + super::TYPES_CHARACTER.saturating_mul(characters);
                let at_caret = matches!(means, StepMeans::Insert(_));
                ExecutorEffect::TypeInto { id, order, element, text: text.clone(), at_caret }
            }
        });
        let (before, hints) = (before.clone(), EffectHints::default());
        let act = PendingAct { request: id, aim, means, expectation, before, hints, seen: false };
        running.phase = Phase::Acting { act, shown: false };
        self.start_timer(limit, effects);
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
            Phase::Scrolling { request, .. } if *request == id => return self.wheel_answered(answer, effects),
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
            | Phase::Scrolling { .. }
            | Phase::Desktop { .. }
            | Phase::Deciding { .. }
            | Phase::Inspecting { .. } => return,
        };
        // An effect that was seen refutes what the application says, and not that Luna itself sent nothing.
        let is_refuted = act.seen && matches!(answer, Ok(ActionResult::NoEffect(_))) && act.means.by() == ActedBy::Tree;
        let is_known = match answer {
            Err(refusal) => return self.finish(OrderOutcome::Failed, Some(refused(refusal)), effects),
            Ok(ActionResult::NoEffect(_)) if is_refuted => false,
            Ok(ActionResult::NoEffect(proof)) => return self.no_effect(act, proof, now, effects),
            Ok(ActionResult::Accepted) => true,
            Ok(ActionResult::Unknown) => false,
        };
        let after = act.expectation.deadline(is_known);
        let looks = act.expectation.is_state();
        running.phase = Phase::Settling { act, is_known, look: None, again: false, last: false, compares: None };
        if shown && !is_refuted {
            return self.succeeded(true, now, effects);
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
            Phase::Acting { act, shown } if act.request == id => {
                act.hints.note(change);
                act.seen |= Expectation::AnyChange.is_shown_by(change);
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
            Phase::Inspecting { aim: Aim { declined: Some(declined), .. }, .. } if declined.watch == Some(id) => {
                declined.seen |= Expectation::AnyChange.is_shown_by(change);
            }
            Phase::Acting { .. }
            | Phase::Pressing { .. }
            | Phase::Scrolling { .. }
            | Phase::Desktop { .. }
            | Phase::Settling { .. }
            | Phase::Finding { .. }
            | Phase::Asking { .. }
            | Phase::Deciding { .. }
            | Phase::Inspecting { .. } => {}
        }
    }
}

/// Whether an action needs a confirmation: by what was said, by what the element shows now, or by what is said of it (DNG-4). To move the focus does nothing
/// that could not be undone by moving it again, unless a click moves it. Nor does a word in the name of a field make it dangerous to enter something or to
/// unfold it, nor one in the title of a menu, such as "Format", to open that: what the rules told of the step counts alone.
fn is_dangerous(aim: &Aim, means: &StepMeans, state: &ElementState, rules: &dyn CommandRules) -> bool {
    if aim.step.action == Some(Action::Focus) && means.by() == ActedBy::Tree {
        return false;
    }
    if opens_menu(aim, state) {
        return false;
    }
    let enters = matches!(aim.step.action, Some(Action::SetValue | Action::Expand | Action::Collapse));
    if enters && means.presses_nothing() {
        return aim.dangerous;
    }
    is_dangerous_by_words(aim, state, rules)
}

fn is_dangerous_by_words(aim: &Aim, state: &ElementState, rules: &dyn CommandRules) -> bool {
    let texts = [aim.name.as_str(), name_of(state), &state.element.label, &state.element.properties.description];
    aim.dangerous || texts.into_iter().any(|text| rules.is_dangerous(text))
}

/// What is entered where only a number can be, in digits: "열두 명" is 12.
fn number_in_digits(step: &mut ParsedCommand, state: &ElementState, rules: &dyn CommandRules) {
    let takes_number = step.action == Some(Action::SetValue) && state.capacities.contains(Capacity::SetNumber);
    let in_words = step.value.as_deref().filter(|value| takes_number && number_of(value).is_none());
    if let Some(number) = in_words.and_then(|value| rules.number_said(value)) {
        step.value = Some(number.to_string());
    }
}
