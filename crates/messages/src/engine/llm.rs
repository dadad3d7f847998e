//! Jobs for language models and their results.

use serde::{Deserialize, Serialize};

/// The author of a message in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Luna's instructions.
    System,
    /// The person.
    User,
    /// The model, in an earlier turn.
    Assistant,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    pub role: ChatRole,
    pub text: String,
}

/// The input that the model continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "prompt", rename_all = "snake_case")]
pub enum Prompt {
    /// A conversation, formatted by the model's own template. Calls with a common prefix of messages reuse its evaluation (PAK-3).
    Chat {
        /// The newest last.
        messages: Vec<ChatMessage>,
    },
    /// Raw text, without a template.
    Text { text: String },
}

/// Parameters for choosing the next token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0: always the likeliest token; higher values choose more freely.
    pub temperature: f32,
    /// Keeps the likeliest tokens whose probabilities add up to this, 0 to 1; 1: all.
    pub top_p: f32,
    /// Keeps this number of the likeliest tokens; 0: all.
    pub top_k: u32,
    /// Keeps tokens with at least this fraction of the likeliest token's probability, 0 to 1; 0: all.
    pub min_p: f32,
    /// Makes recent tokens less likely; 1.0: no effect.
    pub repeat_penalty: f32,
    /// The same seed gives the same answer on the same machine.
    pub seed: u32,
}

impl Default for Sampling {
    /// Always the likeliest token.
    fn default() -> Self {
        Self { temperature: 0.0, top_p: 1.0, top_k: 0, min_p: 0.0, repeat_penalty: 1.0, seed: 0 }
    }
}

/// A format that the answer is constrained to while it is generated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "grammar", rename_all = "snake_case")]
pub enum Grammar {
    /// A JSON value that conforms to a JSON Schema.
    JsonSchema {
        /// The schema, as JSON text. The engine bounds strings that have no `maxLength`.
        schema: String,
    },
    /// A grammar in llama.cpp's GBNF notation; its start symbol is `root`.
    Gbnf { text: String },
}

/// Size in pixels of a picture in the payload: 8-bit RGB, rows without padding, pictures back to back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureSize {
    pub width: u32,
    pub height: u32,
}

/// A job: generate text that continues a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GenerateJob {
    pub prompt: Prompt,
    /// Maximum tokens of the answer.
    pub max_answer_tokens: u32,
    /// Maximum tokens of thinking, after which the answer is forced to begin (REA-2). 0: the model is asked not to think.
    pub max_thinking_tokens: u32,
    pub sampling: Sampling,
    /// The answer ends before the first of these texts.
    pub stop: Vec<String>,
    /// Constrains the answer; thinking is unconstrained.
    pub grammar: Option<Grammar>,
    /// Sizes of the pictures of the last message; their pixels are the payload.
    pub pictures: Vec<PictureSize>,
}

/// Which part of the output a generated text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextPart {
    /// The model's thinking before its answer; never shown or stored (`privacy.store_think`).
    Thinking,
    Answer,
}

/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model produced its end token, or the grammar allows nothing more.
    End,
    /// The answer reached one of [`GenerateJob::stop`].
    StopText,
    /// The answer reached [`GenerateJob::max_answer_tokens`].
    AnswerLimit,
    ContextFull,
}

/// The cost of a generation, sent as its last chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerationUsage {
    pub prompt_tokens: u32,
    /// Prompt tokens that were reused from the cache of an earlier call.
    pub reused_tokens: u32,
    pub thinking_tokens: u32,
    pub answer_tokens: u32,
    /// Whether thinking was cut off at its limit.
    pub thinking_cut: bool,
    pub stop: FinishReason,
    /// Microseconds from the start of the job to the first token.
    pub first_token_us: u64,
}
