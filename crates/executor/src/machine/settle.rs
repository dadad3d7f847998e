//! From an action to what was seen of it (EXE-2).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::element_action::{ElementRefusal, ElementState};
use luna_messages::executor::OrderOutcome;

use super::{ExecutorEffect, ExecutorMachine, Phase, ScreenCandidates, step_report};
use crate::expectation::{EffectVerdict, Expectation};
use crate::means::StepMeans;
use crate::phrases::ExecutorPhrase;
use crate::shown_screen::{ShownDifference, ShownScreen};

impl ExecutorMachine {
    /// Looks at the element; one look at a time, and once more if something changed meanwhile.
    pub(super) fn look(&mut self, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { act, look, again, .. } = &mut running.phase else { return };
        if look.is_some() {
            *again = true;
            return;
        }
        let request = RequestId::next();
        *look = Some(request);
        effects.push(ExecutorEffect::Inspect { id: request, element: act.aim.element.clone() });
    }

    pub(super) fn looked(
        &mut self,
        answer: Result<Box<ElementState>, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { act, look, again, last, .. } = &mut running.phase else { return };
        *look = None;
        let is_met = answer.as_ref().is_ok_and(|state| act.expectation.is_met(state));
        let (looks_again, is_over) = (std::mem::take(again), *last);
        if is_met {
            self.succeeded(true, now, effects);
        } else if looks_again {
            self.look(effects);
        } else if is_over {
            self.judge(answer, now, effects);
        }
    }

    pub(super) fn settle_timer(&mut self, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { act, look, last, again, compares, .. } = &mut running.phase else { return };
        if compares.is_some() {
            return self.compared(None, now, effects);
        }
        if *last || act.expectation == Expectation::ContentChanged {
            return self.judge(Err(ElementRefusal::NoAnswer), now, effects);
        }
        *last = true;
        // A look that is under way may be older than the effect.
        *again = look.is_some();
        let is_looking = look.is_some();
        self.start_timer(super::INSPECTS, effects);
        if !is_looking {
            self.look(effects);
        }
    }

    /// The time is over: what is known now decides. Nothing is tried again, because it may have had an effect (EXE-7).
    fn judge(
        &mut self,
        look: Result<Box<ElementState>, ElementRefusal>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { act, is_known, compares, .. } = &mut running.phase else { return };
        let look = look.as_deref().map_err(|refusal| *refusal);
        let target = act.aim.name.clone();
        let phrase = match act.expectation.verdict(&act.before, look, act.hints, *is_known) {
            EffectVerdict::Seen => return self.succeeded(true, now, effects),
            EffectVerdict::Probable => return self.succeeded(false, now, effects),
            // Nothing was pressed; whether the menu shows more, the next step finds out.
            EffectVerdict::Nothing if act.means == StepMeans::Hover => return self.succeeded(false, now, effects),
            EffectVerdict::Nothing | EffectVerdict::Unknown
                if act.expectation == Expectation::AnyChange && *is_known =>
            {
                let id = RequestId::next();
                *compares = Some(id);
                effects.push(ExecutorEffect::AskCandidates { id, after: Duration::ZERO });
                return self.start_timer(super::FINDS, effects);
            }
            EffectVerdict::Otherwise => ExecutorPhrase::NotAsWished { target },
            EffectVerdict::Nothing => ExecutorPhrase::NothingChanged { target },
            EffectVerdict::Unknown => ExecutorPhrase::MayBeDone { target },
        };
        self.unseen(phrase, now, effects);
    }

    /// The screen was read once more: an application that tells nothing of what it changes shows it all the same.
    pub(super) fn compared(
        &mut self,
        screen: Option<&ScreenCandidates>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_ref() else { return };
        let Phase::Settling { act, .. } = &running.phase else { return };
        let complete = screen.filter(|screen| screen.is_complete).map(|screen| ShownScreen::of(&screen.candidates));
        let difference = match (&running.shown, &complete) {
            (Some(before), Some(after)) => before.difference(after),
            _ => ShownDifference::None,
        };
        match difference {
            ShownDifference::Much => self.succeeded(true, now, effects),
            ShownDifference::Little => self.succeeded(false, now, effects),
            ShownDifference::None => {
                let target = act.aim.name.clone();
                let phrase = match complete {
                    Some(_) => ExecutorPhrase::NothingChanged { target },
                    None => ExecutorPhrase::MayBeDone { target },
                };
                self.unseen(phrase, now, effects);
            }
        }
    }

    /// The step was done, and its effect is not there.
    fn unseen(&mut self, phrase: ExecutorPhrase, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Settling { act, .. } = &running.phase else { return };
        let took = now.saturating_sub(running.step_began);
        let step = step_report(&act.aim.step, act.aim.name.clone(), Some(act.means.by()), false, took);
        running.done.push(step);
        self.finish(OrderOutcome::Failed, Some(phrase), effects);
    }

    pub(super) fn succeeded(&mut self, verified: bool, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_ref() else { return };
        let Phase::Settling { act, .. } = &running.phase else { return };
        let target = act.aim.name.clone();
        let action = act.means.done();
        let action = if verified { act.expectation.as_seen(action) } else { action };
        let phrase = if act.expectation == Expectation::ContentChanged {
            ExecutorPhrase::EnteredSecret { action, target }
        } else if verified {
            ExecutorPhrase::Done { action, target }
        } else {
            ExecutorPhrase::DoneUnseen { action, target }
        };
        let (by, act) = (act.means.by(), act.clone());
        self.note_done(&act, verified, now);
        self.step_done(&act.aim, Some(by), verified, phrase, now, effects);
    }
}
