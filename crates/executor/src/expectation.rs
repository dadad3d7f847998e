//! What must be seen after an action (EXE-2).
//!
//! Applications change by themselves: a clock ticks, a message comes in, and a press moves the focus to what was pressed. So a change of the target, of any
//! state, of what the window contains and of windows shows an effect; a text of another element and the focus do not. These two are only a hint: if the
//! application also said that it acted, the step counts as done, but neither the report nor the words claim that its effect was seen.

use std::time::Duration;

use luna_messages::element::{Role, State};
use luna_messages::element_action::{ChangedElement, ElementRefusal, ElementState, EnteredText, ObservedChange};

use crate::done_action::DoneAction;
use crate::numbers::number_of;
use crate::target::is_unchanged;

/// How long an effect may take to show. A press often opens something; a state changes at once.
const SHOWS: Duration = Duration::from_millis(600);
const CHANGES: Duration = Duration::from_millis(400);
/// The same if the application has not even answered yet.
const LATE: Duration = Duration::from_millis(1500);

/// What shows that an action was done.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// Something changes that a clock or the press itself does not: what a button does is not known.
    AnyChange,
    /// One of these states holds: a switch is on, a tab is selected.
    Holds(&'static [State]),
    /// None of these states holds any more.
    HoldsNot(&'static [State]),
    /// The number, up to what rounding changes.
    Number(f64),
    /// The whole text, up to ends of lines after it.
    Text(EnteredText),
    /// The text is there once more than `before`. A long text is not told as a whole, so that it may not be seen.
    Inserted { text: EnteredText, before: usize },
    /// The content of the element changed, whatever it is now: it is a secret (PIC-5).
    ContentChanged,
    /// It has the keyboard focus.
    Focused,
}

/// Changes that may have another cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EffectHints {
    /// A text elsewhere in the application changed.
    elsewhere: bool,
    /// The focus moved.
    focus: bool,
}

impl EffectHints {
    /// Keeps what a change hints at.
    pub const fn note(&mut self, change: &ObservedChange) {
        match change {
            ObservedChange::Content { of: ChangedElement::Other } => self.elsewhere = true,
            ObservedChange::Focus => self.focus = true,
            ObservedChange::Content { of: ChangedElement::Target }
            | ObservedChange::State { .. }
            | ObservedChange::Children
            | ObservedChange::WindowOpened
            | ObservedChange::WindowClosed => {}
        }
    }
}

/// What is known of an effect when its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectVerdict {
    Seen,
    /// The application said that it acted, and something hints at it.
    Probable,
    /// The element changed, but not as wished.
    Otherwise,
    /// The application said that it acted, and nothing changed.
    Nothing,
    /// Nothing tells whether it was done.
    Unknown,
}

impl Expectation {
    /// How long to wait for it. `is_known`: whether the application said that it did it.
    #[must_use]
    pub const fn deadline(&self, is_known: bool) -> Duration {
        match self {
            _ if !is_known => LATE,
            Self::AnyChange => SHOWS,
            Self::Holds(_)
            | Self::HoldsNot(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Inserted { .. }
            | Self::ContentChanged
            | Self::Focused => CHANGES,
        }
    }

    /// Whether a look at the element tells at any time if it is as wished.
    #[must_use]
    pub const fn is_state(&self) -> bool {
        !matches!(self, Self::AnyChange | Self::ContentChanged)
    }

    /// Whether the change alone shows it.
    #[must_use]
    pub const fn is_shown_by(&self, change: &ObservedChange) -> bool {
        match self {
            Self::AnyChange => {
                !matches!(change, ObservedChange::Content { of: ChangedElement::Other } | ObservedChange::Focus)
            }
            Self::ContentChanged => matches!(change, ObservedChange::Content { of: ChangedElement::Target }),
            Self::Holds(_)
            | Self::HoldsNot(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Inserted { .. }
            | Self::Focused => false,
        }
    }

    /// What was done, with how it is now, after that was seen.
    #[must_use]
    pub fn as_seen(&self, done: DoneAction) -> DoneAction {
        use DoneAction::{Collapsed, Expanded, Folded, Pressed, Switched, SwitchedOff, SwitchedOn};
        match (self, done) {
            (Self::Holds(on), Switched | Pressed) if on.contains(&State::Pressed) => SwitchedOn,
            (Self::HoldsNot(on), Switched | Pressed) if on.contains(&State::Pressed) => SwitchedOff,
            (Self::Holds(states), Folded) if states.contains(&State::Expanded) => Expanded,
            (Self::HoldsNot(states), Folded) if states.contains(&State::Expanded) => Collapsed,
            (_, done) => done,
        }
    }

    /// Whether the element is as wished.
    #[must_use]
    pub fn is_met(&self, now: &ElementState) -> bool {
        match self {
            Self::AnyChange | Self::ContentChanged => false,
            Self::Holds(states) => states.iter().any(|state| now.is(*state)),
            Self::HoldsNot(states) => !states.iter().any(|state| now.is(*state)),
            Self::Number(wished) => {
                let is_wished = |number: f64| (number - wished).abs() <= wished.abs().max(1.0) * 1e-6;
                let value = now.element.properties.value.as_ref();
                // A page may show the number in its field and tell the number of before until something else is done.
                let shown = || number_of(&now.element.text).is_some_and(|(number, _)| is_wished(number));
                value.is_some_and(|value| is_wished(value.now)) || now.element.role == Role::SpinButton && shown()
            }
            Self::Text(wished) if now.element.role == Role::DateField => {
                let numbers = |text: &str| -> Vec<u32> {
                    text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
                };
                // The field writes them in its own order and with its own marks.
                let (mut shown, mut said) = (numbers(&now.element.text), numbers(&wished.0));
                shown.sort_unstable();
                said.sort_unstable();
                !said.is_empty() && shown == said
            }
            Self::Inserted { text, before } => occurrences(&now.element.text, &text.0) > *before,
            // Editors add an end of line.
            Self::Text(wished) => now.element.text.trim_end_matches('\n') == wished.0.trim_end_matches('\n'),
            Self::Focused => now.focused,
        }
    }

    /// What the last look tells. `before`: the element before the action; `is_known`: whether the application said that it acted.
    #[must_use]
    pub fn verdict(
        &self,
        before: &ElementState,
        now: Result<&ElementState, ElementRefusal>,
        hints: EffectHints,
        is_known: bool,
    ) -> EffectVerdict {
        use EffectVerdict::{Nothing, Otherwise, Probable, Seen, Unknown};
        let known = |verdict| if is_known { verdict } else { Unknown };
        if *self == Self::ContentChanged {
            // Nobody looks at a secret, and no application has to tell of it.
            return known(Probable);
        }
        let any = *self == Self::AnyChange;
        match now {
            Ok(now) if self.is_met(now) => Seen,
            // The cell of a table holds what is typed once it is left.
            Ok(_) if matches!(self, Self::Inserted { .. }) => known(Probable),
            Ok(now) if !is_unchanged(before, now) => {
                if any {
                    Seen
                } else {
                    Otherwise
                }
            }
            // The focus is on what was pressed because it was pressed.
            Ok(now) if any && (hints.elsewhere || hints.focus && !now.focused) => known(Probable),
            Ok(_) => known(Nothing),
            // What closes, or makes room for something else, is gone with what it was in.
            Err(ElementRefusal::Gone | ElementRefusal::Replaced) => {
                if any {
                    Seen
                } else {
                    known(Probable)
                }
            }
            Err(ElementRefusal::NoAnswer | ElementRefusal::Unavailable) => Unknown,
        }
    }
}

/// How often a text is part of another, without overlaps.
#[must_use]
pub fn occurrences(text: &str, part: &str) -> usize {
    if part.is_empty() { 0 } else { text.matches(part).count() }
}
