//! Messages of the Stt actor: speech recognition.

use std::fmt;

use async_channel::Sender;

use crate::engine::{STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};
use crate::gpu::ResidencyOrder;
use crate::work::WorkFailure;
use crate::{Lane, Lang, Message, MessageClass, Overflow, Reply, RequestId};

/// Recorded speech: mono, [`STT_SAMPLE_RATE`] samples per second. In memory only, wiped on drop (BUF-2, PRV-1).
#[derive(Clone, PartialEq, Eq)]
pub struct Sound {
    pub samples: Vec<i16>,
}

impl Sound {
    /// Duration in milliseconds.
    #[must_use]
    pub fn millis(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(STT_SAMPLE_RATE)
    }
}

impl Drop for Sound {
    fn drop(&mut self) {
        // Recorded speech must not stay in freed memory. `black_box` keeps the store from being optimised away.
        self.samples.fill(0);
        std::hint::black_box(&self.samples);
    }
}

impl fmt::Debug for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sound({} ms)", self.millis())
    }
}

/// A request to transcribe speech.
#[derive(Debug)]
pub struct Transcribe {
    /// Identifies the request in [`SttMessage::Cancel`].
    pub id: RequestId,
    pub sound: Sound,
    /// Language of the speech; `None`: detected.
    pub lang: Option<Lang>,
    pub extent: SoundExtent,
    /// Likely words, such as names and commands; may be empty.
    pub hint: String,
    /// Whether to send partial results; only the newest counts (KER-4).
    pub partials: bool,
    /// Receives partial results. Dropping the receiver cancels the work (KER-6).
    pub pieces: Sender<String>,
    /// The segments in order; empty if there is no speech.
    pub reply: Reply<Result<Vec<TranscribedSegment>, WorkFailure>>,
}

impl MessageClass for Transcribe {
    fn kind(&self) -> &'static str {
        match self.extent {
            SoundExtent::Utterance => "utterance",
            SoundExtent::Window => "window",
        }
    }

    /// A newer window replaces an older one that still waits, because only the newest partial result counts.
    fn overflow(&self) -> Overflow {
        match self.extent {
            SoundExtent::Utterance => Overflow::Refuse,
            SoundExtent::Window => Overflow::Coalesce,
        }
    }
}

/// Messages of the Stt actor.
#[derive(Debug, Message)]
pub enum SttMessage {
    #[message(lane = SPEECH_LANE, class_of = 0)]
    Transcribe(Transcribe),
    /// Cancels a request, also one that arrives after this message.
    // A cancellation never waits behind the work that it cancels (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel { id: RequestId },
    /// An order of the GpuToken actor (GPU-2).
    #[message(lane = Lane::Reflex)]
    Order(ResidencyOrder),
    /// An order of the GpuToken actor to the engine that hears commands, if they have a model of their own (GPU-2).
    #[message(lane = Lane::Reflex)]
    CommandOrder(ResidencyOrder),
    /// Checks again for a model or engine file that was missing (KER-9).
    #[message(lane = Lane::Llm, coalesce)]
    Tick,
}

/// The lane of the person's speech, here and in claims to the GpuToken actor. A transcript may be "stop" (BRG-1), so it precedes picks, text
/// recognition and language models; lane Reflex is for work that never waits, and recognition takes a while.
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
