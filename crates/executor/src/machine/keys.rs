//! Steps that keys do: keys and hotkeys by name, and usual orders of the desktop (EXE-4, DSL-6).
//!
//! Keys go to the active window, and many of them show nothing: a copy, a save of what is saved. So keys that were pressed are done, whatever is seen; only
//! `verified` and the words tell whether an effect was (EXE-2).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::element_action::{ActionResult, ChangedElement, ElementRefusal, ObservedChange};
use luna_messages::executor::{ActedBy, OrderOutcome};

use super::aims::KeyAim;
use super::running::{OpenQuestion, Phase, step_report};
use super::{ACTS, ExecutorEffect, ExecutorMachine, ScreenCandidates, refused};
use crate::done_action::DoneAction;
use crate::expectation::{EffectHints, Expectation};
use crate::phrases::ExecutorPhrase;
use crate::plan::CannotAct;

impl ExecutorMachine {
    /// Asks or presses. `dangerous`: by what was said.
    pub(super) fn aim_keys(&mut self, aim: KeyAim, dangerous: bool, effects: &mut Vec<ExecutorEffect>) {
        if dangerous && self.settings.confirm_on_danger {
            return self.open(OpenQuestion::DangerKeys { aim }, OrderOutcome::Confirm, effects);
        }
        self.press_keys(aim, effects);
    }

    /// Presses what was confirmed if the screen is what it was.
    pub(super) fn confirmed_keys(&mut self, aim: KeyAim, screen: &ScreenCandidates, effects: &mut Vec<ExecutorEffect>) {
        if screen.window == Some(aim.window) && screen.focused == aim.focused {
            self.press_keys(aim, effects);
        } else {
            self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Changed), effects);
        }
    }

    fn press_keys(&mut self, aim: KeyAim, effects: &mut Vec<ExecutorEffect>) {
        self.reversible.clear();
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        let (order, window, chord) = (running.id, aim.window, aim.chord);
        let times = aim.step.times.unwrap_or(1);
        effects.push(ExecutorEffect::PressKeys { id: request, order, window, chord, times });
        running.phase = Phase::Pressing { request, aim, hints: EffectHints::default(), shown: false, answer: None };
        self.start_timer(ACTS, effects);
    }

    pub(super) fn keys_answered(
        &mut self,
        result: Result<ActionResult, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Pressing { aim, shown, answer, .. } = &mut running.phase else { return };
        if answer.is_some() {
            return;
        }
        let is_known = match result {
            Err(refusal) => return self.finish(OrderOutcome::Failed, Some(refused(refusal)), effects),
            Ok(ActionResult::NoEffect(proof)) => {
                let phrase = ExecutorPhrase::Cannot { why: CannotAct::from(proof), target: aim.chord.to_string() };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
            Ok(ActionResult::Accepted) => true,
            Ok(ActionResult::Unknown) => false,
        };
        *answer = Some(is_known);
        if *shown {
            return self.keys_seen(now, effects);
        }
        self.start_timer(Expectation::AnyChange.deadline(is_known), effects);
    }

    pub(super) fn keys_observed(&mut self, change: &ObservedChange, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Pressing { hints, shown, answer, .. } = &mut running.phase else { return };
        hints.note(change);
        // Unlike a press on an element, keys move the focus only if that is their effect. Texts change by themselves, as elsewhere.
        *shown |= !matches!(change, ObservedChange::Content { of: ChangedElement::Other });
        if *shown && answer.is_some() {
            self.keys_seen(now, effects);
        }
    }

    pub(super) fn keys_timer(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Pressing { aim, hints, answer, .. } = &running.phase else { return };
        let target = aim.chord.to_string();
        match answer {
            // It may have happened (EXE-7).
            None => self.keys_answered(Ok(ActionResult::Unknown), now, effects),
            Some(false) => {
                let took = now.saturating_sub(running.step_began);
                running.done.push(step_report(&aim.step, target.clone(), Some(ActedBy::Keys), false, took));
                self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::MayBeDone { target }), effects);
            }
            Some(true) => {
                let phrase = if *hints == EffectHints::default() {
                    ExecutorPhrase::KeysUnseen { keys: target }
                } else {
                    ExecutorPhrase::DoneUnseen { action: DoneAction::Pressed, target }
                };
                self.keys_done(false, phrase, now, effects);
            }
        }
    }

    fn keys_seen(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(Phase::Pressing { aim, .. }) = self.running.as_ref().map(|running| &running.phase) else { return };
        let phrase = ExecutorPhrase::Done { action: DoneAction::Pressed, target: aim.chord.to_string() };
        self.keys_done(true, phrase, now, effects);
    }

    fn keys_done(&mut self, verified: bool, phrase: ExecutorPhrase, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Pressing { aim, .. } = &running.phase else { return };
        let took = now.saturating_sub(running.step_began);
        let report = step_report(&aim.step, aim.chord.to_string(), Some(ActedBy::Keys), verified, took);
        running.done.push(report);
        self.next_step(Some(phrase), now, effects);
    }
}
