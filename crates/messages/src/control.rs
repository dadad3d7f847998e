//! Short commands that are obeyed at once, from voice, hot key or `luna ctl` (BRG-1, FOC-3).

use serde::{Deserialize, Serialize};

/// A reflex command. The names are those of `BargeIn.Command` and of `luna ctl focus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the words that the person says")]
pub enum Command {
    FocusOn,
    FocusOff,
    /// On where it is off, off where it is on: what a hot key sends.
    FocusToggle,
    Stop,
    Repeat,
    Pause,
    Resume,
    /// Pause where it speaks, resume where it is paused: what a hot key sends.
    PauseToggle,
    Slower,
    Faster,
    Next,
    Prev,
    Translate,
    Spell,
    SpellJamo,
    Numbers,
    Summarize,
    Bigger,
    Pin,
    Unpin,
    /// Pin where nothing is pinned, unpin elsewhere: what a hot key sends.
    PinToggle,
    /// The Esc key: leaves a question open.
    Escape,
}

impl Command {
    /// Constant name, for metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FocusOn => "focus_on",
            Self::FocusOff => "focus_off",
            Self::FocusToggle => "focus_toggle",
            Self::Stop => "stop",
            Self::Repeat => "repeat",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::PauseToggle => "pause_toggle",
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Next => "next",
            Self::Prev => "prev",
            Self::Translate => "translate",
            Self::Spell => "spell",
            Self::SpellJamo => "spell_jamo",
            Self::Numbers => "numbers",
            Self::Summarize => "summarize",
            Self::Bigger => "bigger",
            Self::Pin => "pin",
            Self::Unpin => "unpin",
            Self::PinToggle => "pin_toggle",
            Self::Escape => "escape",
        }
    }
}
