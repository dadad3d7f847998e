//! What the Focus and Reflex actors hear.

use crate::control::{Command, CommandOutcome};
use crate::language_tasks::{Summary, TranslatedPiece, TranslationEnd};
use crate::ocr::OcrPick;
use crate::pick::PickFailure;
use crate::tts::SpeechEvent;
use crate::uia::{TextLine, TreeAnswer};
use crate::work::WorkFailure;
use crate::{Lane, Message, NoReply, Point, Reply, RequestId};

/// What the Reflex actor hears: commands, from wherever they come.
#[derive(Debug, Message)]
#[message(lane = Lane::Reflex)]
pub enum ReflexMessage {
    /// Obey at once.
    #[message(class_of = 0, retry = class)]
    Command(Command),
    /// The same, and tell whether everybody who obeys it took it.
    // The asker hears that the first attempt was lost; what only silences is done all the same.
    #[message(class_of = command, retry = class, retry_as = Command(command))]
    Ask {
        command: Command,
        /// Told what became of it.
        reply: Reply<CommandOutcome>,
    },
}

impl ReflexMessage {
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

/// What the Focus actor hears.
#[derive(Debug, Message)]
pub enum FocusMessage {
    /// A reflex command (`BargeIn.Command`, `FocusMode.toggle`).
    #[message(lane = Lane::Reflex, kind = "command", class_of = 0, retry = class)]
    Command(Command),
    /// Where the pointer is, for question `id`; `None`: that can't be told.
    #[message(lane = Lane::Uia)]
    Pointer {
        /// The question that it answers.
        id: RequestId,
        /// The answer.
        at: Option<Point>,
    },
    /// The cursor moved. Only the newest counts.
    #[message(lane = Lane::Uia, coalesce)]
    CursorMoved(Point),
    /// The tree answered pick `id`.
    #[message(lane = Lane::Uia)]
    Tree {
        /// The pick that it answers.
        id: RequestId,
        answer: Result<TreeAnswer, NoReply>,
    },
    /// Text recognition answered pick `id` (`Focus.Pick.result` with method ocr).
    #[message(lane = Lane::Ocr)]
    Recognised {
        /// The pick that it answers.
        id: RequestId,
        answer: Result<Result<OcrPick, PickFailure>, NoReply>,
    },
    /// The lines of the window for a step while pinned.
    #[message(lane = Lane::Ocr)]
    Lines {
        /// The request that it answers.
        id: RequestId,
        answer: Result<Result<Vec<TextLine>, PickFailure>, NoReply>,
    },
    /// A piece of translation `id` is finished.
    #[message(lane = Lane::Llm)]
    Translated { id: RequestId, piece: TranslatedPiece },
    /// Translation `id` ended.
    #[message(lane = Lane::Llm)]
    TranslationEnded { id: RequestId, answer: Result<Result<TranslationEnd, WorkFailure>, NoReply> },
    /// Summary `id` ended.
    #[message(lane = Lane::Llm)]
    Summarized { id: RequestId, answer: Result<Result<Summary, WorkFailure>, NoReply> },
    /// The Tts actor tells how speech goes.
    #[message(lane = Lane::Tts)]
    Speech(SpeechEvent),
    /// A timer ran out: settling of the cursor, waiting for a command. `generation` tells stale ones.
    #[message(lane = Lane::Uia)]
    Timer {
        /// The timer's number.
        generation: u64,
    },
}
