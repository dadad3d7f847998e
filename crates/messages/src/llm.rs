//! Messages of the Llm actor, and the answers of language models.

use std::fmt;

use async_channel::Sender;
use serde::{Deserialize, Serialize};

use crate::engine::{GenerateJob, GenerationUsage, TextPart};
use crate::gpu::ResidencyOrder;
use crate::image::Picture;
use crate::work::WorkFailure;
use crate::{Lane, Message, Reply, RequestId};

/// A use of language models; `models.tasks` in the configuration names the model for each (TRN-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmTask {
    /// Understanding commands.
    Intent,
    /// Translating and summarising.
    Translate,
    /// Translating sentences that the other model failed at (TRN-4). Optional.
    TranslateLarge,
}

impl LlmTask {
    pub const ALL: [Self; 3] = [Self::Intent, Self::Translate, Self::TranslateLarge];
    /// Tasks that need a model for all of Luna's functions to work.
    pub const NEEDED: [Self; 2] = [Self::Intent, Self::Translate];

    /// The name in the configuration and in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Translate => "translate",
            Self::TranslateLarge => "translate_large",
        }
    }
}

/// A piece of generated text. Pieces end at character boundaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedText {
    pub part: TextPart,
    pub text: String,
}

/// A request to generate text.
pub struct Generate {
    /// Identifies the request in [`LlmMessage::Cancel`].
    pub id: RequestId,
    pub task: LlmTask,
    /// The actor fills in `job.pictures` from the pictures below.
    pub job: Box<GenerateJob>,
    /// Pictures that belong to the last message.
    pub pictures: Vec<Picture>,
    /// Whether the model's thinking is sent, too; otherwise it never leaves the actor (REA-4, `privacy.store_think`).
    pub include_thinking: bool,
    /// Receives the text. The work is cancelled if the receiver is dropped or takes nothing from the channel for long (KER-6).
    pub pieces: Sender<GeneratedText>,
    /// Answered after the last piece.
    pub reply: Reply<Result<GenerationUsage, WorkFailure>>,
}

impl fmt::Debug for Generate {
    /// Omits the prompt: it contains screen content (PRV-2).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generate").field("id", &self.id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// A request to count the tokens of texts (PAK-2).
pub struct CountTokens {
    /// Identifies the request in [`LlmMessage::Cancel`].
    pub id: RequestId,
    /// The task whose model's tokenizer counts.
    pub task: LlmTask,
    pub texts: Vec<String>,
    /// The counts, in the order of the texts.
    pub reply: Reply<Result<Vec<u32>, WorkFailure>>,
}

impl fmt::Debug for CountTokens {
    /// Omits the texts: they contain screen content (PRV-2).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountTokens").field("id", &self.id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// Messages of the Llm actor.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum LlmMessage {
    Generate(Generate),
    CountTokens(CountTokens),
    /// Cancels a request, also one that arrives after this message.
    // A cancellation never waits behind the work that it cancels (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel {
        id: RequestId,
    },
    /// An order of the GpuToken actor (GPU-2).
    #[message(lane = Lane::Reflex)]
    Order(ResidencyOrder),
    /// Checks again for models and engine files that were missing (KER-9).
    #[message(coalesce)]
    Tick,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overflow;
    use crate::engine::{Prompt, Sampling};

    // KER-6, PRV-2
    #[test]
    fn a_cancel_goes_ahead_of_work_and_no_prompt_is_written_into_logs_ker_6_prv_2() {
        let (pieces, _reader) = async_channel::bounded(1);
        let job = GenerateJob {
            prompt: Prompt::Text { text: "비밀".to_owned() },
            max_answer_tokens: 1,
            max_thinking_tokens: 0,
            sampling: Sampling::default(),
            stop: Vec::new(),
            grammar: None,
            pictures: Vec::new(),
        };
        let generate = LlmMessage::Generate(Generate {
            id: RequestId(1),
            task: LlmTask::Intent,
            job: Box::new(job),
            pictures: Vec::new(),
            include_thinking: false,
            pieces,
            reply: Reply::ignored(),
        });
        let texts = vec!["비밀".to_owned()];
        let count = CountTokens { id: RequestId(2), task: LlmTask::Translate, texts, reply: Reply::ignored() };
        for message in [generate, LlmMessage::CountTokens(count)] {
            assert_eq!((message.lane(), message.overflow()), (Lane::Llm, Overflow::Refuse));
            assert!(LlmMessage::Cancel { id: RequestId(1) }.lane() < message.lane());
            assert!(!format!("{message:?}").contains("비밀"), "{message:?}");
        }
    }
}
