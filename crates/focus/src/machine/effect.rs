//! What the Focus actor is told to do.

use std::time::Duration;

use luna_messages::bus::BusEvent;
use luna_messages::language_tasks::TranslationSource;
use luna_messages::pick::{PickRequest, SearchedRegion};
use luna_messages::tts::{NoticeTiming, ReadPart, ReadRequest};
use luna_messages::{Fidelity, Lang, RequestId};

use crate::phrases::Phrase;

/// An effect; performed in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum FocusEffect {
    /// Ask where the pointer is.
    AskPointer {
        /// Names the answer.
        id: RequestId,
    },
    /// Ask the tree what is under the cursor.
    AskTree {
        /// Names the answer.
        id: RequestId,
        /// Where.
        request: PickRequest,
    },
    /// Ask for recognition of the region around the cursor.
    AskRecognition {
        /// Names the answer.
        id: RequestId,
        /// Where.
        request: PickRequest,
        /// What may be looked at.
        searched: SearchedRegion,
    },
    /// Ask for the lines of the window under the cursor.
    AskLines {
        /// Names the answer.
        id: RequestId,
        /// Where.
        request: PickRequest,
        /// Whether the target was found by recognition, so that its lines are, too.
        recognised: bool,
    },
    /// Nobody wants what is being looked for any more (KER-6, FOC-6).
    EndSearch,
    /// Read a text aloud.
    Read(ReadRequest),
    /// Have a text translated, in the place of what else a language model does for focus mode (TRN-2).
    Translate {
        /// Names the pieces and the end.
        id: RequestId,
        source: TranslationSource,
        /// Into which language.
        to: Lang,
        /// How free.
        fidelity: Fidelity,
    },
    /// Have a text summarised, in the place of what else a language model does.
    Summarize {
        /// Names the answer.
        id: RequestId,
        text: String,
        /// In which language.
        to: Lang,
    },
    /// What a language model does for focus mode is not wanted any more (KER-6).
    EndWork,
    /// Read a text aloud that comes piece by piece.
    ReadOn(ReadPart),
    /// Say a sentence of Luna's own.
    Say(Phrase, NoticeTiming),
    /// Go to the next sentence.
    NextSentence,
    /// Go to the sentence before.
    PreviousSentence,
    /// Stop speech and wipe the text.
    Forget,
    /// Send `Timer { generation }` after that time.
    StartTimer {
        /// The timer's number.
        generation: u64,
        /// When.
        after: Duration,
    },
    /// Begin or end to watch the pointer.
    WatchPointer(bool),
    /// Begin or end to watch the Esc key; the application gets it as ever (FOC-5).
    WatchEscape(bool),
    /// Tell the outside.
    Publish(BusEvent),
    /// Count how a pick ended, by the name of [`luna_messages::pick::PickMethod`] or of the failure.
    CountPick {
        /// `uia`, `ocr` or `none`.
        method: &'static str,
        /// `success` or why not.
        outcome: &'static str,
    },
}
