//! What can be said now (VOI-1).

use luna_messages::control::{Command, FocusStateKind};
use luna_messages::pick::PickMethod;

use super::effect::FocusEffect;
use super::state::Focus;
use crate::help::what_can_be_said;

impl Focus {
    pub(super) fn help(&self) -> Vec<FocusEffect> {
        // Focus mode that waits for a move of the pointer counts as on, but nothing is read.
        let state = match self.state.kind() {
            FocusStateKind::Idle if self.armed => FocusStateKind::WaitCmd,
            state => state,
        };
        let text = what_can_be_said(state, &self.settings.call, self.settings.lang, |command| self.can(command));
        vec![FocusEffect::SayText(text)]
    }

    /// Whether a command that does something in this state does something with this text, as far as that is known.
    fn can(&self, command: Command) -> bool {
        let Some(target) = self.current() else { return !self.armed || command != Command::Bigger };
        let is_placed = target.place().is_some();
        match command {
            Command::ReadRow | Command::ReadTable if target.pick.method == PickMethod::Ocr => {
                !target.pick.rows.is_empty()
            }
            Command::ReadRow | Command::ReadTable | Command::Bigger => is_placed,
            Command::Next | Command::Prev => is_placed || self.state.kind() != FocusStateKind::Pinned,
            Command::FocusOn
            | Command::FocusOff
            | Command::FocusToggle
            | Command::Stop
            | Command::Repeat
            | Command::Pause
            | Command::Resume
            | Command::PauseToggle
            | Command::Slower
            | Command::Faster
            | Command::Translate
            | Command::Spell
            | Command::SpellJamo
            | Command::Numbers
            | Command::Summarize
            | Command::Pin
            | Command::Unpin
            | Command::PinToggle
            | Command::Help
            | Command::Escape
            | Command::Confirm => true,
        }
    }
}
