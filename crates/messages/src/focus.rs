//! What the Focus and Reflex actors hear.

use crate::control::{Command, CommandOutcome};
use crate::mind::{Summary, TranslatedPiece, TranslationEnd};
use crate::ocr::OcrPick;
use crate::pick::PickFailure;
use crate::tts::SpeechEvent;
use crate::uia::{TextLine, TreeAnswer};
use crate::work::WorkFailure;
use crate::{Lane, Lost, Message, Overflow, Point, Reply, RequestId};

/// What the Reflex actor hears: commands, from wherever they come.
#[derive(Debug)]
pub enum ReflexMessage {
    /// Obey at once.
    Command(Command),
    /// The same, and tell whether everybody who obeys it took it.
    Ask {
        /// The command.
        command: Command,
        /// Told what became of it.
        reply: Reply<CommandOutcome>,
    },
}

impl ReflexMessage {
    /// The command.
    #[must_use]
    pub const fn command(&self) -> Command {
        match self {
            Self::Command(command) | Self::Ask { command, .. } => *command,
        }
    }

    /// The command, and who waits to hear what becomes of it.
    #[must_use]
    pub fn into_parts(self) -> (Command, Reply<CommandOutcome>) {
        match self {
            Self::Command(command) => (command, Reply::ignored()),
            Self::Ask { command, reply } => (command, reply),
        }
    }
}

impl Message for ReflexMessage {
    fn lane(&self) -> Lane {
        Lane::Reflex
    }

    fn overflow(&self) -> Overflow {
        self.command().overflow()
    }

    fn kind(&self) -> &'static str {
        self.command().name()
    }

    fn retry(&self, attempt: u32) -> Option<Self> {
        // Who asked hears that the first attempt was lost; what only silences is done all the same.
        let command = self.command();
        command.may_be_repeated(attempt).then_some(Self::Command(command))
    }
}

/// What the Focus actor hears.
#[derive(Debug)]
pub enum FocusMessage {
    /// A reflex command (`BargeIn.Command`, `FocusMode.toggle`).
    Command(Command),
    /// Where the pointer is, for question `id`; `None`: that can't be told.
    Pointer {
        /// The question that it answers.
        id: RequestId,
        /// The answer.
        at: Option<Point>,
    },
    /// The cursor moved. Only the newest counts.
    CursorMoved(Point),
    /// The tree answered pick `id`.
    Tree {
        /// The pick that it answers.
        id: RequestId,
        /// The answer.
        answer: Result<TreeAnswer, Lost>,
    },
    /// Text recognition answered pick `id` (`Focus.Pick.result` with method ocr).
    Recognised {
        /// The pick that it answers.
        id: RequestId,
        /// The answer.
        answer: Result<Result<OcrPick, PickFailure>, Lost>,
    },
    /// The lines of the window for a step while pinned.
    Lines {
        /// The request that it answers.
        id: RequestId,
        /// The answer.
        answer: Result<Result<Vec<TextLine>, PickFailure>, Lost>,
    },
    /// A piece of translation `id` is finished.
    Translated {
        /// The request.
        id: RequestId,
        /// The piece.
        piece: TranslatedPiece,
    },
    /// Translation `id` ended.
    TranslationEnded {
        /// The request.
        id: RequestId,
        /// The answer.
        answer: Result<Result<TranslationEnd, WorkFailure>, Lost>,
    },
    /// Summary `id` ended.
    Summarized {
        /// The request.
        id: RequestId,
        /// The answer.
        answer: Result<Result<Summary, WorkFailure>, Lost>,
    },
    /// The Tts actor tells how speech goes.
    Speech(SpeechEvent),
    /// A timer ran out: settling of the cursor, waiting for a command. `generation` tells stale ones.
    Timer {
        /// The timer's number.
        generation: u64,
    },
}

impl Message for FocusMessage {
    fn lane(&self) -> Lane {
        match self {
            Self::Command(_) => Lane::Reflex,
            Self::Speech(_) => Lane::Tts,
            Self::Pointer { .. } | Self::CursorMoved(_) | Self::Tree { .. } | Self::Timer { .. } => Lane::Uia,
            Self::Recognised { .. } | Self::Lines { .. } => Lane::Ocr,
            Self::Translated { .. } | Self::TranslationEnded { .. } | Self::Summarized { .. } => Lane::Llm,
        }
    }

    fn overflow(&self) -> Overflow {
        match self {
            Self::CursorMoved(_) => Overflow::Coalesce,
            Self::Command(command) => command.overflow(),
            Self::Pointer { .. }
            | Self::Tree { .. }
            | Self::Recognised { .. }
            | Self::Lines { .. }
            | Self::Translated { .. }
            | Self::TranslationEnded { .. }
            | Self::Summarized { .. }
            | Self::Speech(_)
            | Self::Timer { .. } => Overflow::Refuse,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Pointer { .. } => "pointer",
            Self::CursorMoved(_) => "cursor_moved",
            Self::Tree { .. } => "tree",
            Self::Recognised { .. } => "recognised",
            Self::Lines { .. } => "lines",
            Self::Translated { .. } => "translated",
            Self::TranslationEnded { .. } => "translation_ended",
            Self::Summarized { .. } => "summarized",
            Self::Speech(_) => "speech",
            Self::Timer { .. } => "timer",
        }
    }

    fn retry(&self, attempt: u32) -> Option<Self> {
        match self {
            Self::Command(command) => command.may_be_repeated(attempt).then_some(Self::Command(*command)),
            Self::Pointer { .. }
            | Self::CursorMoved(_)
            | Self::Tree { .. }
            | Self::Recognised { .. }
            | Self::Lines { .. }
            | Self::Translated { .. }
            | Self::TranslationEnded { .. }
            | Self::Summarized { .. }
            | Self::Speech(_)
            | Self::Timer { .. } => None,
        }
    }
}
