//! What the Llm actor hears, and what a language model answers.

use std::fmt;

use async_channel::Sender;
use serde::{Deserialize, Serialize};

use crate::engine::{GenerateJob, GenerationUsage, TextPart};
use crate::gpu::ResidencyOrder;
use crate::image::Picture;
use crate::work::WorkFailure;
use crate::{Lane, Message, Reply, RequestId};

/// What a language model is wanted for; which model does it, the configuration says under `models.tasks` (TRN-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmTask {
    /// Understanding what the person wants.
    Intent,
    /// Translating and summarising.
    Translate,
    /// Translating what the other model found hard (TRN-4); an extra that need not be there.
    TranslateLarge,
}

impl LlmTask {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Intent, Self::Translate, Self::TranslateLarge];
    /// Those without which Luna can't do something.
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

/// A piece of generated text. Pieces end at borders of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedText {
    pub part: TextPart,
    pub text: String,
}

/// A wish for generated text.
pub struct Generate {
    /// Names it, for [`LlmMessage::Cancel`].
    pub id: RequestId,
    pub task: LlmTask,
    /// The work. `pictures` in it is filled in by the actor, from the pictures beside it.
    pub job: Box<GenerateJob>,
    /// Pictures that belong to the last message.
    pub pictures: Vec<Picture>,
    /// Whether the asker wants the model's thinking, too; else it never leaves the actor (REA-4, `privacy.store_think`).
    pub tell_thinking: bool,
    /// Where the text goes. An asker who drops the other end, or takes nothing for long, cancels the work (KER-6).
    pub pieces: Sender<GeneratedText>,
    /// Told once all text was given, or why there is none.
    pub reply: Reply<Result<GenerationUsage, WorkFailure>>,
}

impl fmt::Debug for Generate {
    /// Without the prompt: it holds what is on the screen (PRV-2).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generate").field("id", &self.id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// Texts whose tokens are to be counted (PAK-2).
pub struct CountTokens {
    /// Names it, for [`LlmMessage::Cancel`].
    pub id: RequestId,
    /// Whose tokenizer.
    pub task: LlmTask,
    pub texts: Vec<String>,
    /// The numbers, in the order of the texts.
    pub reply: Reply<Result<Vec<u32>, WorkFailure>>,
}

impl fmt::Debug for CountTokens {
    /// Without the texts: they hold what is on the screen (PRV-2).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountTokens").field("id", &self.id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// What the Llm actor hears.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum LlmMessage {
    /// Generate text.
    Generate(Generate),
    /// Count the tokens of texts with the model's tokenizer.
    CountTokens(CountTokens),
    /// That request is not wanted any more. Also counts for one that comes after this.
    // What makes work give way never waits behind work (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel { id: RequestId },
    /// What the token asks (GPU-2).
    #[message(lane = Lane::Reflex)]
    Order(ResidencyOrder),
    /// Look whether what was missing is there now (KER-9).
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
            tell_thinking: false,
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
