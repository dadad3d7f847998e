//! What the person asked to be done with a text, by a command or in words with details (NLU-1, BRG-2).

use luna_messages::control::Command;
use luna_messages::reading::{Intent, ReadingWish, Style};
use luna_messages::{Fidelity, Lang};

use super::lines::LineStep;

/// What is done with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadingAction {
    Aloud(Style),
    Translate,
    Summarize,
}

impl ReadingAction {
    const fn of_intent(intent: Intent) -> Self {
        match intent {
            Intent::Read => Self::Aloud(Style::News),
            Intent::Spell => Self::Aloud(Style::Spell),
            Intent::Numbers => Self::Aloud(Style::Numbers),
            Intent::Translate => Self::Translate,
            Intent::Summarize => Self::Summarize,
        }
    }
}

/// A requested reading. What was not said is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RequestedReading {
    pub(super) action: ReadingAction,
    /// The fidelity of a translation; absent: that of the settings.
    pub(super) fidelity: Option<Fidelity>,
    /// The language to read, translate or summarise in.
    pub(super) lang: Option<Lang>,
    /// The line to go to first.
    pub(super) step: Option<LineStep>,
}

impl RequestedReading {
    const fn plain(action: ReadingAction) -> Self {
        Self { action, fidelity: None, lang: None, step: None }
    }

    /// The reading that `command` asks for; `None` if it asks for another thing.
    pub(super) fn of_command(command: Command) -> Option<Self> {
        if command == Command::SpellJamo {
            return Some(Self::plain(ReadingAction::Aloud(Style::SpellJamo)));
        }
        command.spec().reading_intent.map(|intent| Self::plain(ReadingAction::of_intent(intent)))
    }

    pub(super) fn of_wish(wish: &ReadingWish) -> Self {
        Self {
            action: ReadingAction::of_intent(wish.intent),
            fidelity: wish.mode,
            lang: wish.lang_tgt,
            step: wish.line_offset.and_then(LineStep::of_offset),
        }
    }

    /// The same at the line that was gone to.
    pub(super) const fn there(self) -> Self {
        Self { step: None, ..self }
    }

    /// What is to be done with a text in the language `text`: what is to be read in another language is translated, and what is in the named language
    /// already is read as it is.
    pub(super) fn action_on(self, text: Lang) -> ReadingAction {
        match self.action {
            ReadingAction::Aloud(Style::News) if self.lang.is_some_and(|named| named != text) => {
                ReadingAction::Translate
            }
            ReadingAction::Translate if self.lang == Some(text) => ReadingAction::Aloud(Style::News),
            action @ (ReadingAction::Aloud(_) | ReadingAction::Translate | ReadingAction::Summarize) => action,
        }
    }

    /// Whether it is what happens with any new text anyway.
    pub(super) fn is_usual(self, text: Lang) -> bool {
        self.step.is_none() && self.action_on(text) == ReadingAction::Aloud(Style::News)
    }
}
