//! Messages of the Focus and Reflex actors.

use crate::control::{Command, CommandOutcome};
use crate::element::Element;
use crate::language_tasks::{Summary, TranslatedPiece, TranslationEnd};
use crate::ocr::OcrPick;
use crate::pick::PickFailure;
use crate::reading::ReadingWish;
use crate::tts::SpeechEvent;
use crate::uia::{TreeAnswer, WindowLines};
use crate::work::WorkFailure;
use crate::{Lane, Message, NoReply, Point, Reply, RequestId};

/// Messages of the Reflex actor: commands from every source.
#[derive(Debug, Message)]
#[message(lane = Lane::Reflex)]
pub enum ReflexMessage {
    #[message(class_of = 0, retry = class)]
    Command(Command),
    /// A command whose sender waits for its outcome.
    // A retry has no reply: the sender already got the error of the first attempt, and only commands that mute are retried.
    #[message(class_of = command, retry = class, retry_as = Command(command))]
    Ask { command: Command, reply: Reply<CommandOutcome> },
}

impl ReflexMessage {
    #[must_use]
    pub const fn command(&self) -> Command {
        match self {
            Self::Command(command) | Self::Ask { command, .. } => *command,
        }
    }

    /// The command and its reply; [`Reply::ignored`] if no sender waits.
    #[must_use]
    pub fn into_parts(self) -> (Command, Reply<CommandOutcome>) {
        match self {
            Self::Command(command) => (command, Reply::ignored()),
            Self::Ask { command, reply } => (command, reply),
        }
    }
}

/// A move of the keyboard focus (ATT-2).
#[derive(Debug, Clone, PartialEq)]
pub struct FocusChange {
    /// The dialogs and windows that the focus entered with this move, the outermost first; their texts are their messages.
    pub entered: Vec<Element>,
    /// What has the focus now. Of a protected field only what it is, never its text.
    pub element: Element,
}

/// Messages of the Focus actor.
#[derive(Debug, Message)]
pub enum FocusMessage {
    /// A reflex command (`BargeIn.Command`, `FocusMode.toggle`).
    #[message(lane = Lane::Reflex, kind = "command", class_of = command, retry = class)]
    Command {
        /// Given when the command took effect. What is spoken because of it has the same id, so that a later stop ends it whichever of the two reaches
        /// the speech actor first (FOC-6).
        id: RequestId,
        command: Command,
    },
    /// What the person said about reading, with the language and the mode that were named.
    #[message(lane = Lane::Reflex)]
    Wish {
        /// Given when it was understood, as of a command.
        id: RequestId,
        wish: ReadingWish,
    },
    /// The answer to pointer query `id`.
    #[message(lane = Lane::Uia)]
    Pointer {
        id: RequestId,
        /// `None` if the position is unknown.
        at: Option<Point>,
    },
    /// The cursor moved. Only the newest position counts.
    #[message(lane = Lane::Uia, coalesce)]
    CursorMoved(Point),
    /// The keyboard focus moved. Only the newest place counts.
    #[message(lane = Lane::Uia, coalesce)]
    KeyboardFocus {
        /// Given when the focus moved; the id of the reading, as of a command.
        id: RequestId,
        change: FocusChange,
    },
    /// The answer to the question `id` for the keyboard focus.
    #[message(lane = Lane::Uia)]
    Focused {
        id: RequestId,
        /// `None` if nothing has the focus, or if that is unknown.
        change: Option<FocusChange>,
    },
    /// The accessibility tree's answer to pick `id`.
    #[message(lane = Lane::Uia)]
    Tree { id: RequestId, answer: Result<TreeAnswer, NoReply> },
    /// Text recognition's answer to pick `id` (`Focus.Pick.result` with method ocr).
    #[message(lane = Lane::Ocr)]
    Recognised { id: RequestId, answer: Result<Result<OcrPick, PickFailure>, NoReply> },
    /// The window's lines for request `id`, for moving by line while pinned (FOC-4).
    #[message(lane = Lane::Ocr)]
    Lines { id: RequestId, answer: Result<Result<WindowLines, PickFailure>, NoReply> },
    /// The row, table or list for request `id`.
    #[message(lane = Lane::Uia)]
    Rows { id: RequestId, answer: Result<TreeAnswer, NoReply> },
    /// A piece of translation `id` is finished.
    #[message(lane = Lane::Llm)]
    Translated { id: RequestId, piece: TranslatedPiece },
    /// Translation `id` ended.
    #[message(lane = Lane::Llm)]
    TranslationEnded { id: RequestId, answer: Result<Result<TranslationEnd, WorkFailure>, NoReply> },
    /// Summary `id` ended.
    #[message(lane = Lane::Llm)]
    Summarized { id: RequestId, answer: Result<Result<Summary, WorkFailure>, NoReply> },
    /// Progress of speech, from the Tts actor.
    #[message(lane = Lane::Tts)]
    Speech(SpeechEvent),
    /// A timer fired: the cursor has settled, or the wait for a command is over.
    #[message(lane = Lane::Uia)]
    Timer {
        /// The timer's number, so that stale timers are ignored.
        generation: u64,
    },
}
