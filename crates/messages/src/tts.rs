//! What the Tts actor hears, and what it tells (TTS-1 to TTS-6).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::reading::Style;
use crate::{Lane, Lang, Message, Reply, RequestId};

/// A text to be read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadAloud {
    /// Running text; reading begins with the sentence at `offset` characters.
    Text {
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
    pub reading: ReadAloud,
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
pub struct SpokenNotice {
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
    /// Voices by language; the engine's own choice if there is none.
    pub voices: BTreeMap<Lang, String>,
}

impl Default for Manner {
    fn default() -> Self {
        Self { rate: 1.0, rate_step: 0.15, rate_min: 0.5, rate_max: 3.0, voices: BTreeMap::new() }
    }
}

/// What the Tts actor hears. What silences is never refused (TTS-4). Engine and audio results come by its own door as private messages of the same enum.
#[derive(Debug, Message)]
pub enum TtsMessage {
    /// Stop at once; what is queued in the device does not play on (TTS-4). The place is kept (BRG-8).
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Stop {
        /// The next number when it was said: a reading with an earlier one is over, too, although this overtook it.
        at: RequestId,
    },
    /// Halt.
    #[message(lane = Lane::Reflex)]
    Pause,
    /// Go on, also after a stop (BRG-8).
    #[message(lane = Lane::Reflex)]
    Resume,
    /// Pause where it speaks, resume elsewhere.
    #[message(lane = Lane::Reflex)]
    PauseToggle,
    /// This sentence again.
    #[message(lane = Lane::Reflex)]
    Repeat,
    /// The next sentence.
    #[message(lane = Lane::Reflex)]
    Next,
    /// The sentence before.
    #[message(lane = Lane::Reflex)]
    Previous,
    /// Slower by the configured step, from the same place (TTS-2).
    #[message(lane = Lane::Reflex)]
    Slower,
    /// Faster by the configured step, from the same place.
    #[message(lane = Lane::Reflex)]
    Faster,
    /// Read a text aloud; replaces what is being read.
    #[message(lane = Lane::Tts, drop_oldest)]
    Read(ReadRequest),
    /// Read a text aloud that comes piece by piece.
    #[message(lane = Lane::Tts)]
    ReadOn(ReadPart),
    /// Say a short sentence.
    #[message(lane = Lane::Tts)]
    Say(SpokenNotice),
    /// Forget the text (focus mode off): stops, and wipes what was kept for repeat (BUF-2).
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Forget,
    /// The configuration changed: speak in this manner from now on (CFG-4).
    #[message(lane = Lane::Uia, coalesce)]
    Configure(Manner),
    /// The engine host or the audio thread reports; carries no text.
    #[message(lane = Lane::Tts, coalesce)]
    Wake,
    /// Retry a missing engine or device (KER-9).
    #[message(lane = Lane::Uia, coalesce)]
    Tick,
    /// Whether something is being spoken or waits to be; for orderly shutdown and one-shot commands.
    #[message(lane = Lane::Uia)]
    Idle {
        /// Answered once all is silent.
        reply: Reply<()>,
    },
}
