//! Effects for the Focus actor to perform.

use std::time::Duration;

use luna_messages::bus::BusEvent;
use luna_messages::language_tasks::TranslationSource;
use luna_messages::pick::{PickRequest, SearchedRegion};
use luna_messages::tts::{NoticeTiming, ReadPart, ReadRequest};
use luna_messages::uia::{LinesRequest, RowsExtent};
use luna_messages::{Fidelity, Lang, RequestId};

use crate::phrases::Phrase;

/// An effect; effects are performed in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum FocusEffect {
    /// Ask for the pointer's position.
    AskPointer {
        /// Id of the answer.
        id: RequestId,
    },
    /// Ask for the element that has the keyboard focus.
    AskFocused {
        /// Id of the answer.
        id: RequestId,
    },
    /// Ask the accessibility tree for the element under the cursor.
    AskTree {
        /// Id of the answer.
        id: RequestId,
        request: PickRequest,
    },
    /// Ask for recognition of the region around the cursor.
    AskRecognition {
        /// Id of the answer.
        id: RequestId,
        request: PickRequest,
        /// The region that may be captured.
        searched: SearchedRegion,
    },
    /// Ask for the lines of a window.
    AskLines {
        /// Id of the answer.
        id: RequestId,
        request: LinesRequest,
    },
    /// Ask the accessibility tree for the row, table or list at a point.
    AskRows {
        /// Id of the answer.
        id: RequestId,
        request: PickRequest,
        extent: RowsExtent,
    },
    /// Cancel the current search (KER-6, FOC-6).
    EndSearch,
    /// Read a text aloud.
    Read(ReadRequest),
    /// Translate a text; it replaces other work of the language model for focus mode (TRN-2).
    Translate {
        /// Id of the pieces and the end.
        id: RequestId,
        source: TranslationSource,
        /// Target language.
        to: Lang,
        fidelity: Fidelity,
    },
    /// Summarise a text; it replaces other work of the language model for focus mode.
    Summarize {
        /// Id of the answer.
        id: RequestId,
        text: String,
        /// Target language.
        to: Lang,
    },
    /// Cancel the language model's work for focus mode (KER-6).
    EndWork,
    /// Read aloud a text that arrives piece by piece.
    ReadOn(ReadPart),
    /// Speak a sentence of Luna's own.
    Say(Phrase, NoticeTiming),
    /// Speak a sentence of Luna's own about something on the screen, immediately.
    SayOf {
        /// What it is about; screen content.
        name: String,
        phrase: Phrase,
    },
    /// Speak a text of Luna's own, in its language, immediately.
    SayText(String),
    /// Skip to the next sentence.
    NextSentence {
        /// The command.
        id: RequestId,
    },
    /// Go back to the previous sentence.
    PreviousSentence {
        /// The command.
        id: RequestId,
    },
    /// Stop speech and wipe the text.
    Forget,
    /// Send `Timer { generation }` after this time.
    StartTimer { generation: u64, after: Duration },
    /// Start or stop watching the pointer.
    WatchPointer(bool),
    /// Start or stop watching the keyboard focus (ATT-2).
    WatchKeyboardFocus(bool),
    /// Start or stop watching the Esc key; the application still receives it (FOC-5).
    WatchEscape(bool),
    /// Publish an event on the bus.
    Publish(BusEvent),
    /// Count a pick by its method and outcome.
    CountPick {
        /// `uia`, `ocr` or `none`.
        method: &'static str,
        /// `success` or the failure.
        outcome: &'static str,
    },
}
