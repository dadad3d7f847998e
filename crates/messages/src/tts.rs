//! Messages and events of the Tts actor (TTS-1 to TTS-6).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::reading::Style;
use crate::{Lane, Lang, Message, Reply, RequestId};

/// A text to read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadAloud {
    /// Running text; reading begins with the sentence at `offset` characters.
    Text { text: String, offset: usize },
    /// What an element is, and its text (ANN-1).
    Announcement {
        pieces: Vec<AnnouncedPiece>,
        /// Index of the piece to begin with.
        first: usize,
    },
    /// A table, list or form, read row by row with its header announced (OCR-4).
    Rows {
        rows: Vec<Vec<String>>,
        /// Whether the first row is a header.
        has_header: bool,
        /// Index of the row to begin with, after the header.
        row: usize,
    },
}

/// A piece of an announcement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnnouncedPiece {
    /// Name, role and states: one sentence however many commas it has, so that "repeat" repeats all of it.
    Introduction(String),
    /// Running text.
    Text(String),
}

impl AnnouncedPiece {
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Introduction(words) | Self::Text(words) => words,
        }
    }
}

/// A request to read a text aloud (`Focus.Read.request`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRequest {
    /// Identifies the reading in [`SpeechEvent`]s.
    pub id: RequestId,
    pub reading: ReadAloud,
    pub style: Style,
    /// Language of announcements within the reading, such as "머리글" or the names of characters.
    pub lang: Lang,
}

/// A part of a text that arrives in parts, such as a translation; each is spoken after the part before it (TRN-2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPart {
    /// Identifies the whole reading.
    pub id: RequestId,
    /// Id of the latest command that asked for this part: the one that began the reading, or resumed it. A later stop also ends parts that arrive after
    /// it (FOC-6).
    pub asked: RequestId,
    /// May be empty.
    pub text: String,
    /// Language of text without letters.
    pub lang: Lang,
    /// Whether the part begins a reading, which replaces the current one. Other parts are appended to the reading with their id if it still exists.
    pub first: bool,
    /// Whether no part follows.
    pub last: bool,
    /// Whether the person stopped the reading; the text so far is kept and can be resumed (BRG-8).
    pub stop: bool,
}

/// When a short sentence of Luna's own is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeTiming {
    /// Replaces the current reading: an answer to what the person just did.
    Now,
    /// After the current sentence; then reading continues.
    AfterSentence,
}

/// A short sentence of Luna's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenNotice {
    /// Identifies the notice in [`SpeechEvent`]s.
    pub id: RequestId,
    pub text: String,
    pub lang: Lang,
    pub timing: NoticeTiming,
}

/// Progress of speech, sent to Focus and the bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SpeechEvent {
    /// The first samples of sentence `idx` went to the device (`TTS.Start`, then `TTS.Progress`).
    Sentence {
        /// The reading or notice.
        id: RequestId,
        /// From 0.
        idx: usize,
        /// Number of sentences.
        of: usize,
        /// Screen content.
        text: String,
        /// Language of most of it.
        lang: Lang,
        /// Whether it is a [`SpokenNotice`].
        notice: bool,
    },
    /// All sentences were spoken.
    Finished {
        /// The reading or notice.
        id: RequestId,
    },
    /// Speech stopped before the end, at sentence `idx` (`TTS.Stop`).
    Stopped {
        /// The reading or notice.
        id: RequestId,
        idx: usize,
    },
    /// Speech paused and can be resumed.
    Paused {
        /// The reading.
        id: RequestId,
    },
    Resumed {
        /// The reading.
        id: RequestId,
    },
    /// The speed changed.
    Rate {
        /// In thousandths of the voice's own speed; an integer, so that events can be compared.
        thousandths: u32,
    },
}

/// Speed and voices: the speech settings that may change while Luna speaks (CFG-4).
#[derive(Debug, Clone, PartialEq)]
pub struct SpeechSettings {
    /// Initial speed; 1.0 is the voice's own.
    pub rate: f32,
    /// Change of speed by `Slower` and `Faster`.
    pub rate_step: f32,
    pub rate_min: f32,
    /// Values above 4.0 count as 4.0.
    pub rate_max: f32,
    /// Voices by language; the engine chooses for languages without one.
    pub voices: BTreeMap<Lang, String>,
}

impl Default for SpeechSettings {
    fn default() -> Self {
        Self { rate: 1.0, rate_step: 0.15, rate_min: 0.5, rate_max: 3.0, voices: BTreeMap::new() }
    }
}

/// Messages of the Tts actor. Messages that mute are never refused (TTS-4). Engine and audio threads announce their results with `Wake`.
#[derive(Debug, Message)]
pub enum TtsMessage {
    /// Stops at once and discards the device's buffer (TTS-4). Keeps the position for `Resume` (BRG-8).
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Stop {
        /// The next request id at the time of the command. Readings with a smaller id end, too, even if this message overtook them.
        at: RequestId,
    },
    #[message(lane = Lane::Reflex)]
    Pause,
    /// Continues, also after a stop (BRG-8).
    #[message(lane = Lane::Reflex)]
    Resume,
    /// Pauses if it speaks, else resumes.
    #[message(lane = Lane::Reflex)]
    PauseToggle,
    /// Repeats the current sentence.
    #[message(lane = Lane::Reflex)]
    Repeat,
    /// Skips to the next sentence.
    #[message(lane = Lane::Reflex)]
    Next {
        /// The command. The step of a command older than the last stop is silent.
        id: RequestId,
    },
    /// Returns to the previous sentence.
    #[message(lane = Lane::Reflex)]
    Previous {
        /// The command, as of `Next`.
        id: RequestId,
    },
    /// Slower by the configured step, from the same position (TTS-2).
    #[message(lane = Lane::Reflex)]
    Slower,
    /// Faster by the configured step, from the same position (TTS-2).
    #[message(lane = Lane::Reflex)]
    Faster,
    /// Reads a text aloud; replaces the current reading.
    #[message(lane = Lane::Tts, drop_oldest)]
    Read(ReadRequest),
    /// Reads a part of a text that arrives in parts.
    #[message(lane = Lane::Tts)]
    ReadOn(ReadPart),
    #[message(lane = Lane::Tts)]
    Say(SpokenNotice),
    /// Stops, and wipes the text kept for repeat and resume (focus mode off; BUF-2).
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Forget,
    /// Applies changed settings (CFG-4).
    #[message(lane = Lane::Uia, coalesce)]
    Configure(SpeechSettings),
    /// The engine host or the audio thread has news; carries no text.
    #[message(lane = Lane::Tts, coalesce)]
    Wake,
    /// Retries a missing engine or device (KER-9).
    #[message(lane = Lane::Uia, coalesce)]
    Tick,
    /// Answered once nothing is being spoken or waiting to be; for orderly shutdown and batch commands.
    #[message(lane = Lane::Uia)]
    Idle { reply: Reply<()> },
}
