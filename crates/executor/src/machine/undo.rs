//! "되돌려" takes back what Luna did last where it knows how (DSL-6): a switch is switched back, a value set to what it was. Everything else is left to the
//! application's own undo, whose keys do nothing to switches and fields of most dialogs.

use std::time::Duration;

use luna_messages::ElementId;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::element::State;
use luna_messages::element_action::{Capacity, ElementState, EnteredText};
use luna_messages::understanding::{ParsedCommand, Switch};

use super::{Aim, ExecutorEffect, ExecutorMachine, PendingAct, ScreenCandidates};

/// How long it is known what was there before: it may be something private (PRV-1).
const KEPT: Duration = Duration::from_secs(120);
/// Most acts that are taken back one after another.
const MOST: usize = 10;

/// What was there before an act.
#[derive(Debug)]
enum Former {
    Switched(Switch),
    Expanded(bool),
    Number(f64),
    Text(EnteredText),
}

/// An act of Luna's that it can take back.
#[derive(Debug)]
pub(super) struct ReversibleAct {
    element: ElementId,
    former: Former,
    at: Duration,
}

impl ExecutorMachine {
    /// Keeps how to take back what was just done, or nothing at all: what came before something that Luna can't take back is no longer the last.
    pub(super) fn note_done(&mut self, act: &PendingAct, verified: bool, now: Duration) {
        // What is taken back is not taken back once more, and what came before it is the last again.
        if act.aim.takes_back {
            return;
        }
        let Some(former) = former(act).filter(|_| verified) else { return self.reversible.clear() };
        if self.reversible.len() == MOST {
            self.reversible.remove(0);
        }
        self.reversible.push(ReversibleAct { element: act.aim.element.clone(), former, at: now });
    }

    /// Takes back what was done last, if a step asks for it and the element is still on the screen. Returns whether it begins to.
    pub(super) fn take_back(
        &mut self,
        step: &ParsedCommand,
        screen: &ScreenCandidates,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let is_undo = step.action == Some(Action::Desktop) && step.order.as_deref() == Some("undo");
        if !is_undo || step.argument.is_some() {
            return false;
        }
        self.reversible.retain(|act| now.saturating_sub(act.at) < KEPT);
        let last = self.reversible.pop();
        let shown = |act: &ReversibleAct| screen.candidates.iter().find(|one| one.id == act.element);
        let Some((reverse, target)) = last.as_ref().and_then(|act| Some((reverse(&act.former), shown(act)?))) else {
            self.reversible.clear();
            return false;
        };
        self.reverse_on(reverse, target, effects);
        true
    }

    fn reverse_on(&mut self, reverse: ParsedCommand, target: &Candidate, effects: &mut Vec<ExecutorEffect>) {
        // Another element must not take its place.
        let aim = Aim { by_answer: true, takes_back: true, ..Aim::new(reverse, target, false) };
        self.inspect(aim, effects);
    }
}

fn former(act: &PendingAct) -> Option<Former> {
    let before: &ElementState = &act.before;
    if before.protected {
        return None;
    }
    let is = |states: &[State]| states.iter().any(|state| before.is(*state));
    match act.means.capacity() {
        Capacity::Toggle | Capacity::Press if is(&[State::Checked, State::Pressed]) => {
            Some(Former::Switched(Switch::On))
        }
        Capacity::Toggle | Capacity::Press if is(&[State::Unchecked, State::Unpressed]) => {
            Some(Former::Switched(Switch::Off))
        }
        Capacity::Expand => is(&[State::Expanded, State::Collapsed]).then(|| Former::Expanded(is(&[State::Expanded]))),
        Capacity::SetNumber => before.element.properties.value.as_ref().map(|value| Former::Number(value.now)),
        Capacity::SetText if !before.is(State::Withheld) && !before.element.text.contains('\n') => {
            Some(Former::Text(EnteredText(before.element.text.clone())))
        }
        Capacity::SetText | Capacity::Toggle | Capacity::Press => None,
        Capacity::Select | Capacity::Focus | Capacity::Insert => None,
    }
}

fn reverse(former: &Former) -> ParsedCommand {
    let step = |action| ParsedCommand { action: Some(action), ..ParsedCommand::default() };
    match former {
        Former::Switched(state) => ParsedCommand { state: Some(*state), ..step(Action::Toggle) },
        Former::Expanded(true) => step(Action::Expand),
        Former::Expanded(false) => step(Action::Collapse),
        Former::Number(number) => ParsedCommand { value: Some(number.to_string()), ..step(Action::SetValue) },
        Former::Text(text) => ParsedCommand { value: Some(text.0.clone()), ..step(Action::SetValue) },
    }
}
