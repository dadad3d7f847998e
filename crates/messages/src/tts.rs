//! What the Tts actor hears, and what it tells (TTS-1 to TTS-6).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::reading::Style;
use crate::{Lane, Lang, Message, Overflow, Reply, RequestId};

/// A text to be read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Running text; reading begins with the sentence at `offset` characters.
    Text {
        /// The text.
        text: String,
        /// Where to begin, in characters.
        offset: usize,
    },
    /// A table, list or form, read row by row with its header announced (OCR-4).
    Rows {
        /// The cells.
        rows: Vec<Vec<String>>,
        /// Whether the first row is a header.
        has_header: bool,
        /// With which row to begin, after the header.
        row: usize,
    },
}

/// `Focus.Read.request`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRequest {
    /// Names this reading in the events that come back.
    pub id: RequestId,
    /// What to read.
    pub reading: Reading,
    /// How.
    pub style: Style,
    /// Language of announcements inside the reading, such as "머리글" or the names of characters.
    pub lang: Lang,
}

/// A piece of a text that comes piece by piece, such as a translation; each is spoken as soon as the one before is over (TRN-2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPart {
    /// Names the whole reading.
    pub id: RequestId,
    /// The words; may be empty.
    pub text: String,
    /// Language of what has no letters.
    pub lang: Lang,
    /// It begins the reading, and replaces what is being read. Any other is joined to the reading with its id, if that is still there.
    pub first: bool,
    /// Nothing comes after it.
    pub last: bool,
    /// The person wants to hear no more of it: what is there stays, and can be resumed (BRG-8).
    pub stop: bool,
}

/// When a short sentence of Luna's own is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeTiming {
    /// It replaces what is being read: an answer to what the person just did.
    Now,
    /// After the sentence that is being read; then reading goes on.
    AfterSentence,
}

/// A short sentence of Luna's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Names it in the events that come back.
    pub id: RequestId,
    /// The words.
    pub text: String,
    /// Their language.
    pub lang: Lang,
    /// When.
    pub timing: NoticeTiming,
}

/// What the Tts actor tells Focus and the bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SpeechEvent {
    /// The first sound of sentence `idx` went to the device (`TTS.Start`, then `TTS.Progress`).
    Sentence {
        /// The reading or notice.
        id: RequestId,
        /// Sentence, from 0.
        idx: usize,
        /// How many sentences there are.
        of: usize,
        /// The words. Screen content.
        text: String,
        /// Language of most of it.
        lang: Lang,
        /// Whether it is a notice of Luna's own.
        notice: bool,
    },
    /// Everything was spoken.
    Finished {
        /// The reading or notice.
        id: RequestId,
    },
    /// Speech stopped before the end, at sentence `idx` (`TTS.Stop`).
    Stopped {
        /// The reading or notice.
        id: RequestId,
        /// Sentence at which it stopped.
        idx: usize,
    },
    /// Speech halted and can be resumed.
    Paused {
        /// The reading.
        id: RequestId,
    },
    /// It goes on.
    Resumed {
        /// The reading.
        id: RequestId,
    },
    /// The speed changed; 1.0 is the voice's own.
    Rate {
        /// New speed in thousandths, to stay comparable.
        thousandths: u32,
    },
}

/// How to speak, as far as it can change while speaking (CFG-4).
#[derive(Debug, Clone, PartialEq)]
pub struct Manner {
    /// Speed at the beginning; 1.0 is the voice's own.
    pub rate: f32,
    /// What slower and faster change it by.
    pub rate_step: f32,
    /// Slowest.
    pub rate_min: f32,
    /// Fastest, at most 4.0.
    pub rate_max: f32,
    /// Voices by language; the engine's own choice where there is none.
    pub voices: BTreeMap<Lang, String>,
}

impl Default for Manner {
    fn default() -> Self {
        Self { rate: 1.0, rate_step: 0.15, rate_min: 0.5, rate_max: 3.0, voices: BTreeMap::new() }
    }
}

/// What the Tts actor hears. Engine and audio results come by its own door as private messages of the same enum.
#[derive(Debug)]
pub enum TtsMessage {
    /// Stop at once; what is queued in the device does not play on (TTS-4). The place is kept (BRG-8).
    Stop {
        /// The next number when it was said: a reading with an earlier one is over, too, although this overtook it.
        at: RequestId,
    },
    /// Halt.
    Pause,
    /// Go on, also after a stop (BRG-8).
    Resume,
    /// Pause where it speaks, resume elsewhere.
    PauseToggle,
    /// This sentence again.
    Repeat,
    /// The next sentence.
    Next,
    /// The sentence before.
    Previous,
    /// Slower by the configured step, from the same place (TTS-2).
    Slower,
    /// Faster by the configured step, from the same place.
    Faster,
    /// Read a text aloud; replaces what is being read.
    Read(ReadRequest),
    /// Read a text aloud that comes piece by piece.
    ReadOn(ReadPart),
    /// Say a short sentence.
    Say(Notice),
    /// Forget the text (focus mode off): stops, and wipes what was kept for repeat (BUF-2).
    Forget,
    /// The configuration changed: speak in this manner from now on (CFG-4).
    Configure(Manner),
    /// The engine host or the audio thread reports; carries no text.
    Wake,
    /// Retry a missing engine or device (KER-9).
    Tick,
    /// Whether something is being spoken or waits to be; for orderly shutdown and one-shot commands.
    Idle {
        /// Answered once all is silent.
        reply: Reply<()>,
    },
}

impl Message for TtsMessage {
    fn lane(&self) -> Lane {
        match self {
            Self::Stop { .. }
            | Self::Pause
            | Self::Resume
            | Self::PauseToggle
            | Self::Repeat
            | Self::Next
            | Self::Previous
            | Self::Slower
            | Self::Faster
            | Self::Forget => Lane::Reflex,
            Self::Read(_) | Self::ReadOn(_) | Self::Say(_) | Self::Wake => Lane::Tts,
            Self::Tick | Self::Idle { .. } | Self::Configure(_) => Lane::Uia,
        }
    }

    fn overflow(&self) -> Overflow {
        match self {
            Self::Wake | Self::Tick | Self::Configure(_) => Overflow::Coalesce,
            // What silences is never refused (TTS-4).
            Self::Read(_) | Self::Stop { .. } | Self::Forget => Overflow::DropOldest,
            Self::Pause
            | Self::Resume
            | Self::PauseToggle
            | Self::Repeat
            | Self::Next
            | Self::Previous
            | Self::Slower
            | Self::Faster
            | Self::ReadOn(_)
            | Self::Say(_)
            | Self::Idle { .. } => Overflow::Refuse,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Stop { .. } => "stop",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::PauseToggle => "pause_toggle",
            Self::Repeat => "repeat",
            Self::Next => "next",
            Self::Previous => "previous",
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Read(_) => "read",
            Self::ReadOn(_) => "read_on",
            Self::Say(_) => "say",
            Self::Forget => "forget",
            Self::Configure(_) => "configure",
            Self::Wake => "wake",
            Self::Tick => "tick",
            Self::Idle { .. } => "idle",
        }
    }

    fn retry(&self, attempt: u32) -> Option<Self> {
        match self {
            Self::Stop { at } if attempt <= 1 => Some(Self::Stop { at: *at }),
            Self::Forget if attempt <= 1 => Some(Self::Forget),
            Self::Stop { .. }
            | Self::Forget
            | Self::Pause
            | Self::Resume
            | Self::PauseToggle
            | Self::Repeat
            | Self::Next
            | Self::Previous
            | Self::Slower
            | Self::Faster
            | Self::Read(_)
            | Self::ReadOn(_)
            | Self::Say(_)
            | Self::Configure(_)
            | Self::Wake
            | Self::Tick
            | Self::Idle { .. } => None,
        }
    }
}
