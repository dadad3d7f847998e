//! "되돌려" takes back what Luna did last where it knows how (DSL-6): a switch is switched back, a value set to what it was. Everything else is left to the
//! application's own undo, whose keys do nothing to switches and fields of most dialogs.
//!
//! Only what is still as Luna left it is taken back: what the person did to it since is theirs.

use std::time::Duration;

use luna_messages::dsl::Action;
use luna_messages::element::{Role, State};
use luna_messages::element_action::{Capacity, ElementAction, EnteredText};
use luna_messages::understanding::{ParsedCommand, Switch};
use zeroize::Zeroizing;

use super::reversible::{Former, ReversibleAct};
use super::{Aim, ExecutorEffect, ExecutorMachine, PendingAct, ScreenCandidates};
use crate::expectation::Expectation;
use crate::means::StepMeans;
use crate::plan::{ON, OPEN};
use crate::target::name_of;

/// How long it is known what was there before: it may be something private (PRV-1).
const KEPT: Duration = Duration::from_secs(120);
/// Most acts that are taken back one after another.
const MOST: usize = 10;

/// What was done last, and what is under way.
#[derive(Debug)]
pub(super) struct ReversibleActs {
    /// The newest last.
    done: Vec<ReversibleAct>,
    /// Those before what is under way: if that can't be taken back, neither can they, because they are not the last any more.
    before: Vec<ReversibleAct>,
}

impl ReversibleActs {
    pub const NONE: Self = Self { done: Vec::new(), before: Vec::new() };

    /// Forgets what is too old (PRV-1).
    pub fn forget_old(&mut self, now: Duration) {
        for acts in [&mut self.done, &mut self.before] {
            acts.retain(|act| now.saturating_sub(act.at) < KEPT);
        }
    }

    pub fn clear(&mut self) {
        self.done.clear();
        self.before.clear();
    }

    /// Something is about to be done.
    pub fn begin(&mut self) {
        self.before = std::mem::take(&mut self.done);
    }

    /// It was done, and seen.
    fn seen(&mut self, act: &PendingAct, now: Duration) {
        let mut before = std::mem::take(&mut self.before);
        if act.aim.takes_back.is_some() {
            before.pop();
            self.done = before;
        } else if let Some(newest) = reversible(act, now) {
            if before.len() == MOST {
                before.remove(0);
            }
            before.push(newest);
            self.done = before;
        }
    }
}

impl ExecutorMachine {
    /// Keeps how to take back what was just done, or nothing at all.
    pub(super) fn note_done(&mut self, act: &PendingAct, verified: bool, now: Duration) {
        if verified {
            self.reversible.seen(act, now);
        }
    }

    /// Takes back what was done last, if a step asks for it and the element is still on the screen. Returns whether it begins to.
    pub(super) fn take_back(
        &mut self,
        step: &ParsedCommand,
        screen: &ScreenCandidates,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let is_undo = step.action == Some(Action::Desktop) && step.order.as_deref() == Some("undo");
        if !is_undo || step.argument.is_some() {
            return false;
        }
        let last = self.reversible.done.last().cloned();
        let Some((act, target)) = last.and_then(|act| {
            let target = screen.candidates.iter().find(|one| one.id == act.element)?;
            Some((act, target))
        }) else {
            self.reversible.clear();
            return false;
        };
        // Another element must not take its place.
        let aim = Aim::new(reverse(&act.former), target, false);
        self.inspect(Aim { by_answer: true, takes_back: Some(act), ..aim }, effects);
        true
    }
}

/// How an act is taken back, if it can be.
fn reversible(act: &PendingAct, now: Duration) -> Option<ReversibleAct> {
    let before = &act.before;
    let name = name_of(before).to_owned();
    let is = |states: &[State]| states.iter().any(|state| before.is(*state));
    let is_switch = is(ON) || is(&[State::Unchecked, State::Unpressed]);
    let (former, left) = match (&act.means, act.means.capacity()) {
        // One of several is left by choosing another one.
        _ if before.protected || before.element.role == Role::RadioButton => return None,
        (StepMeans::Tree(_) | StepMeans::Click(_), Capacity::Toggle | Capacity::Press)
            if is_switch && !name.is_empty() =>
        {
            match is(ON) {
                true => (Former::Switched(Switch::On), Expectation::HoldsNot(ON)),
                false => (Former::Switched(Switch::Off), Expectation::Holds(ON)),
            }
        }
        (StepMeans::Tree(_), Capacity::Expand) if !name.is_empty() => match is(OPEN) {
            true => (Former::Expanded(true), Expectation::HoldsNot(OPEN)),
            false => (Former::Expanded(false), Expectation::Holds(OPEN)),
        },
        (StepMeans::Tree(ElementAction::SetNumber(number)), _) => {
            let value = before.element.properties.value.as_ref()?;
            (Former::Number(value.now), Expectation::Number(*number))
        }
        (StepMeans::Tree(ElementAction::SetText(text)) | StepMeans::Keys(text), _) => {
            let former = &before.element.text;
            if before.is(State::Withheld) || former.contains('\n') {
                return None;
            }
            (Former::Text(Zeroizing::new(former.clone())), Expectation::Text(EnteredText(text.0.clone())))
        }
        (StepMeans::Tree(_) | StepMeans::Click(_) | StepMeans::Hover | StepMeans::Insert(_), _) => return None,
    };
    let (element, role) = (act.aim.element.clone(), before.element.role);
    Some(ReversibleAct { element, role, name, former, left, at: now })
}

fn reverse(former: &Former) -> ParsedCommand {
    let step = |action| ParsedCommand { action: Some(action), ..ParsedCommand::default() };
    match former {
        Former::Switched(state) => ParsedCommand { state: Some(*state), ..step(Action::Toggle) },
        Former::Expanded(true) => step(Action::Expand),
        Former::Expanded(false) => step(Action::Collapse),
        Former::Number(number) => ParsedCommand { value: Some(number.to_string()), ..step(Action::SetValue) },
        Former::Text(text) => ParsedCommand { value: Some(text.to_string()), ..step(Action::SetValue) },
    }
}
