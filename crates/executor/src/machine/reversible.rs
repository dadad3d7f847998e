//! An act that can be taken back: what was there before, and what Luna left.

use std::time::Duration;

use luna_messages::ElementId;
use luna_messages::element::Role;
use luna_messages::element_action::ElementState;
use luna_messages::understanding::Switch;
use zeroize::Zeroizing;

use crate::expectation::Expectation;
use crate::target::name_of;

/// What was there before an act.
#[derive(Clone)]
pub(super) enum Former {
    Switched(Switch),
    Expanded(bool),
    Number(f64),
    Text(Zeroizing<String>),
}

/// An act of Luna's that it can take back. Its debug output shows nothing that is in a field (PRV-2).
#[derive(Clone)]
pub(super) struct ReversibleAct {
    pub element: ElementId,
    pub role: Role,
    /// What it was called.
    pub name: String,
    pub former: Former,
    /// What it is like since.
    pub left: Expectation,
    pub at: Duration,
}

impl std::fmt::Debug for ReversibleAct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReversibleAct").field("element", &self.element).finish_non_exhaustive()
    }
}

impl ReversibleAct {
    /// Whether the element is the same, and as Luna left it.
    pub fn is_as_left(&self, now: &ElementState) -> bool {
        self.role == now.element.role && self.name == name_of(now) && !now.protected && self.left.is_met(now)
    }
}
