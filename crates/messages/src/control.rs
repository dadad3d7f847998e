//! Short commands that are obeyed at once, from voice, hot key or `luna ctl` (BRG-1, FOC-3).

use serde::{Deserialize, Serialize};

use crate::{MessageClass, Overflow};

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

    /// Whether it only makes things silent: doing it twice is doing it once.
    const fn silences(self) -> bool {
        matches!(self, Self::Stop | Self::FocusOff)
    }
}

impl MessageClass for Command {
    fn kind(&self) -> &'static str {
        self.name()
    }

    /// What silences is never refused (KER-4, TTS-4).
    fn overflow(&self) -> Overflow {
        if self.silences() { Overflow::DropOldest } else { Overflow::Refuse }
    }

    /// What silences is obeyed once more: speech is not to go on because somebody stumbled over "stop".
    fn retries(&self) -> u32 {
        u32::from(self.silences())
    }
}

/// What became of a command that somebody waits for (KER-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
    /// It reached everybody who obeys it.
    Taken,
    /// Somebody who had to obey it has no room for more, so it is not obeyed.
    Refused,
}
