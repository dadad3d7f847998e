//! Messages of the Listening actor: what the microphone hears and what is done about it (STT-1 to STT-4, BRG, VOI-1).

use serde::{Deserialize, Serialize};

use crate::engine::TranscribedSegment;
use crate::language_tasks::ModelDecision;
use crate::tts::SpeechEvent;
use crate::work::WorkFailure;
use crate::{Lane, Message, NoReply, Reply, RequestId};

/// How much is transcribed (STT-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListeningMode {
    /// Whole utterances.
    Full,
    /// Short windows for commands, while Luna speaks.
    CommandOnly,
}

/// A place in what was heard: samples of 16,000 a second since listening began.
pub type SamplePosition = u64;

/// What the signal of the microphone shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VoiceEvent {
    /// Somebody began to speak.
    Onset {
        /// Where the voice begins, with a little before it.
        from: SamplePosition,
        /// Share of the sound that Luna's own playback explains, 0 to 1.
        own: f32,
    },
    /// The voice ended.
    End {
        from: SamplePosition,
        to: SamplePosition,
        /// Share of the sound that Luna's own playback explains, 0 to 1.
        own: f32,
    },
}

/// What became of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeardOutcome {
    /// A command, an order, an answer or a wish was passed on.
    Obeyed,
    /// A language model decides.
    AskedModel,
    /// It calls Luna and says nothing else: Luna waits for more.
    Called,
    /// Nothing that Luna understands, though it was called.
    NotUnderstood,
    /// Not said to Luna.
    NotAddressed,
    /// Luna's own voice.
    OwnVoice,
    /// No words: silence, noise, or what a recogniser invents for them.
    NoWords,
    /// The recogniser failed.
    NotTranscribed,
    /// The same command came just before (BRG-5).
    Repeated,
    /// It lies at the border of Luna's own speech (BRG-4).
    AtTheBorder,
}

/// Who asks a person something, so that words without the wake word may answer it (VOI-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Questioner {
    /// Focus mode waits for a command.
    Focus,
    /// An order is not clear, or needs a confirmation.
    Executor,
}

/// What `luna ctl say-to` is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeardReport {
    pub outcome: HeardOutcome,
    /// The reason, in one line.
    pub why: String,
}

/// Messages of the Listening actor.
#[derive(Debug, Message)]
pub enum ListeningMessage {
    /// The signal thread has news; carries no sound.
    #[message(lane = Lane::Reflex, coalesce)]
    Wake,
    /// The words of window or utterance `id` so far.
    #[message(lane = Lane::Tts, drop_oldest)]
    Partial { id: RequestId, text: String },
    /// Window or utterance `id` was transcribed.
    #[message(lane = Lane::Tts)]
    Transcribed { id: RequestId, answer: Result<Result<Vec<TranscribedSegment>, WorkFailure>, NoReply> },
    /// A language model decided what `utterance` means, by request `id` (NLU-4).
    #[message(lane = Lane::Llm)]
    Decided { id: RequestId, utterance: String, answer: Result<Result<ModelDecision, WorkFailure>, NoReply> },
    /// Progress of Luna's own speech.
    #[message(lane = Lane::Tts)]
    Speech(SpeechEvent),
    /// Words that come as text, by the same way as a final transcript.
    #[message(lane = Lane::Tts)]
    SayTo { text: String, reply: Reply<HeardReport> },
    /// The key for speaking was pressed, or let go.
    #[message(lane = Lane::Reflex)]
    Hold { down: bool },
    /// Whether a question of Luna is open.
    #[message(lane = Lane::Tts)]
    Asking { who: Questioner, asking: bool },
    /// Time passes while a voice is undecided.
    #[message(lane = Lane::Tts, coalesce)]
    Tick,
    /// The settings may have changed (CFG-4).
    #[message(lane = Lane::Uia, coalesce)]
    CheckSettings,
}
