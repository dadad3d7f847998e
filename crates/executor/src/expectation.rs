//! What must be seen after an action (EXE-2).

use std::time::Duration;

use luna_messages::element::State;
use luna_messages::element_action::{ElementState, ObservedChange};

/// How long an effect may take to show. A press often opens something; a state changes at once.
const SHOWS: Duration = Duration::from_millis(600);
const CHANGES: Duration = Duration::from_millis(400);
/// The same if the application has not even answered yet.
const LATE: Duration = Duration::from_millis(1500);

/// What shows that an action was done.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// Anything at all changes in the application: what a button does is not known.
    AnyChange,
    /// One of these states holds: a switch is on, a tab is selected.
    Holds(&'static [State]),
    /// None of these states holds any more.
    HoldsNot(&'static [State]),
    /// The number, up to what rounding changes.
    Number(f64),
    /// The whole text, up to ends of lines after it.
    Text(String),
    /// The content changed, whatever it is now: it is a secret (PIC-5).
    ContentChanged,
    /// It has the keyboard focus.
    Focused,
}

impl Expectation {
    /// How long to wait for it. `is_known`: whether the application said that it did it.
    #[must_use]
    pub const fn deadline(&self, is_known: bool) -> Duration {
        match self {
            _ if !is_known => LATE,
            Self::AnyChange => SHOWS,
            _ => CHANGES,
        }
    }

    /// Whether a look at the element tells it.
    #[must_use]
    pub const fn is_state(&self) -> bool {
        !matches!(self, Self::AnyChange | Self::ContentChanged)
    }

    /// Whether the change alone shows it.
    #[must_use]
    pub const fn is_shown_by(&self, change: &ObservedChange) -> bool {
        match self {
            Self::AnyChange => true,
            Self::ContentChanged => matches!(change, ObservedChange::Content { .. }),
            _ => false,
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
                let value = now.element.properties.value.as_ref();
                value.is_some_and(|value| (value.now - wished).abs() <= wished.abs().max(1.0) * 1e-6)
            }
            // Editors add an end of line.
            Self::Text(wished) => now.element.text.trim_end_matches('\n') == wished.trim_end_matches('\n'),
            Self::Focused => now.focused,
        }
    }
}
