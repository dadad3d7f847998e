//! What the Stt actor hears, and what was said.

use std::fmt;

use async_channel::Sender;

use crate::engine::{STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};
use crate::gpu::ResidencyOrder;
use crate::work::WorkFailure;
use crate::{Lane, Lang, Message, MessageClass, Overflow, Reply, RequestId};

/// Recorded speech: one channel, [`STT_SAMPLE_RATE`] samples a second. In memory only, wiped when it is dropped (BUF-2, PRV-1).
#[derive(Clone, PartialEq, Eq)]
pub struct Sound {
    /// The samples.
    pub samples: Vec<i16>,
}

impl Sound {
    /// How long it lasts, in milliseconds.
    #[must_use]
    pub fn millis(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(STT_SAMPLE_RATE)
    }
}

impl Drop for Sound {
    fn drop(&mut self) {
        // What was said doesn't stay in freed memory. `black_box` keeps the store from being optimised away.
        self.samples.fill(0);
        std::hint::black_box(&self.samples);
    }
}

impl fmt::Debug for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sound({} ms)", self.millis())
    }
}

/// A wish to have speech written down.
#[derive(Debug)]
pub struct Transcribe {
    /// Names it, for [`SttMessage::Cancel`].
    pub id: RequestId,
    /// The speech.
    pub sound: Sound,
    /// Its language; `None`: found out.
    pub lang: Option<Lang>,
    /// The whole of it, or the newest seconds of an utterance that goes on.
    pub extent: SoundExtent,
    /// Words that are likely, such as names and commands; may be empty.
    pub hint: String,
    /// Whether partial results are wanted; only the newest counts (KER-4).
    pub partials: bool,
    /// Where they go. An asker who drops the other end cancels the work (KER-6).
    pub pieces: Sender<String>,
    /// What was said, in order; empty if nobody spoke.
    pub reply: Reply<Result<Vec<TranscribedSegment>, WorkFailure>>,
}

impl MessageClass for Transcribe {
    fn kind(&self) -> &'static str {
        match self.extent {
            SoundExtent::Utterance => "utterance",
            SoundExtent::Window => "window",
        }
    }

    /// A newer window holds what an older one that still waits would have told.
    fn overflow(&self) -> Overflow {
        match self.extent {
            SoundExtent::Utterance => Overflow::Refuse,
            SoundExtent::Window => Overflow::Coalesce,
        }
    }
}

/// What the Stt actor hears.
#[derive(Debug, Message)]
pub enum SttMessage {
    /// Write speech down.
    #[message(lane = SPEECH_LANE, class_of = 0)]
    Transcribe(Transcribe),
    /// That request is not wanted any more. Also counts for one that comes after this.
    // What makes work give way never waits behind work (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel { id: RequestId },
    /// What the token asks (GPU-2).
    #[message(lane = Lane::Reflex)]
    Order(ResidencyOrder),
    /// Look whether what was missing is there now (KER-9).
    #[message(lane = Lane::Llm, coalesce)]
    Tick,
}

/// The lane of what the person says, here and before the token. A transcript may turn out to be "stop" (BRG-1), so it comes before all
/// looking, reading and thinking; but recognition takes a while, and lane Reflex is for what never waits, so it stands beside the speech
/// that is to be heard now.
pub const SPEECH_LANE: Lane = Lane::Tts;

#[cfg(test)]
mod tests {
    use super::*;

    fn transcribe(extent: SoundExtent) -> SttMessage {
        let (pieces, _) = async_channel::bounded(1);
        let sound = Sound { samples: vec![1; 16_000] };
        SttMessage::Transcribe(Transcribe {
            id: RequestId(1),
            sound,
            lang: None,
            extent,
            hint: String::new(),
            partials: false,
            pieces,
            reply: Reply::ignored(),
        })
    }

    // KER-4, KER-6
    #[test]
    fn a_window_replaces_an_older_one_and_an_utterance_is_never_dropped_ker_4_ker_6() {
        let (window, whole) = (transcribe(SoundExtent::Window), transcribe(SoundExtent::Utterance));
        assert_eq!((window.overflow(), window.kind()), (Overflow::Coalesce, "window"));
        assert_eq!((whole.overflow(), whole.kind()), (Overflow::Refuse, "utterance"));
        assert!(SttMessage::Cancel { id: RequestId(1) }.lane() < whole.lane());
        assert!(format!("{whole:?}").contains("Sound(1000 ms)"), "the sound itself is in no log: {whole:?}");
    }
}
