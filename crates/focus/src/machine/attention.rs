//! Attention that moves without the pointer: the keyboard focus (ATT-1, ATT-2).

use luna_messages::RequestId;
use luna_messages::focus::FocusChange;
use luna_messages::pick::PickRequest;

use super::effect::FocusEffect;
use super::state::{Focus, FocusState};
use super::step::pick_of;

impl Focus {
    /// The newly focused element is a new target, whatever was looked for before: the newest source of attention wins.
    pub(super) fn keyboard_focus(&mut self, change: FocusChange) -> Vec<FocusEffect> {
        if !self.watches_pointer() || matches!(self.state, FocusState::Pinned(_)) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        if matches!(self.state, FocusState::Targeting { .. }) {
            effects.push(FocusEffect::EndSearch);
        }
        self.settling = None;
        let request = PickRequest { cursor: change.element.bbox.center(), enlarge: 1.0 };
        effects.extend(self.found(RequestId::next(), request, pick_of(change.element)));
        effects
    }
}
