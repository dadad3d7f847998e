//! What language models are asked and answer.

use serde::{Deserialize, Serialize};

/// Who says a part of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Luna's instructions.
    System,
    /// The person.
    User,
    /// The model, before.
    Assistant,
}

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: ChatRole,
    /// The words.
    pub text: String,
}

/// What the model goes on from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "prompt", rename_all = "snake_case")]
pub enum Prompt {
    /// A conversation, put into the model's own template. Calls that begin with the same messages reuse what was evaluated (PAK-3).
    Chat {
        /// The conversation, its newest part last.
        messages: Vec<ChatMessage>,
    },
    /// Text as it stands, without a template.
    Text { text: String },
}

/// How the next token is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0: always the likeliest token. Above: the higher, the freer.
    pub temperature: f32,
    /// Only the likeliest tokens that together have this probability, 0 to 1; 1: all.
    pub top_p: f32,
    /// Only so many of the likeliest tokens; 0: all.
    pub top_k: u32,
    /// Only tokens at least this likely compared with the likeliest, 0 to 1; 0: all.
    pub min_p: f32,
    /// Weakens tokens that came lately; 1.0: not.
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

/// What shape an answer must have; it has it whatever the model would rather say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "grammar", rename_all = "snake_case")]
pub enum Grammar {
    /// A JSON value that fits a JSON Schema.
    JsonSchema {
        /// The schema, as JSON text. Strings without `maxLength` are given one.
        schema: String,
    },
    /// A grammar in the notation of llama.cpp, whose start is `root`.
    Gbnf {
        /// The grammar.
        text: String,
    },
}

/// A picture in the payload: 8-bit RGB, rows without padding, one picture after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureSize {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Go on from a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GenerateJob {
    /// From what.
    pub prompt: Prompt,
    /// Tokens of the answer at most.
    pub max_answer_tokens: u32,
    /// Tokens of thinking before the answer at most; then the answer has to begin (REA-2). 0: the model is asked not to think.
    pub max_thinking_tokens: u32,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The answer ends before any of these texts.
    pub stop: Vec<String>,
    /// The shape of the answer; thinking is free of it.
    pub grammar: Option<Grammar>,
    /// Pictures that belong to the last message; their pixels are the payload.
    pub pictures: Vec<PictureSize>,
}

/// What a generated text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextPart {
    /// What the model thinks before it answers; never shown or stored (`privacy.store_think`).
    Thinking,
    Answer,
}

/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model said that it is done, or its grammar left nothing to say.
    End,
    /// One of the stop texts came.
    StopText,
    /// The answer reached its limit of tokens.
    AnswerLimit,
    ContextFull,
}

/// What a generation took; the last chunk of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerationUsage {
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Those of them that an earlier call had evaluated already.
    pub reused_tokens: u32,
    /// Tokens of thinking.
    pub thinking_tokens: u32,
    /// Tokens of the answer.
    pub answer_tokens: u32,
    /// Whether thinking reached its limit and was ended.
    pub thinking_cut: bool,
    /// Why it ended.
    pub stop: FinishReason,
    /// Microseconds from the beginning of the job to the first token.
    pub first_token_us: u64,
}
