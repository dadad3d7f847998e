//! Keys about language models: budgets, ranking, translation, providers and modes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use luna_messages::Fidelity;
use luna_messages::preserve::TokenClass;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a request may hold, in tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmBudget {
    /// In all.
    #[schemars(range(min = 128, max = 131_072))]
    pub max_tokens: u32,
    /// By part; what is left goes to the target text.
    pub caps: Caps,
    /// What is left of the budget after an interruption; 0 to 1.
    #[schemars(range(min = 0.05, max = 1.0))]
    pub barge_in_shrink: f64,
    /// After this time a first result is given, in milliseconds.
    #[schemars(range(min = 50, max = 60_000))]
    pub timeout_ms_soft: u64,
}

/// Tokens by part of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Fixed instructions.
    #[schemars(range(min = 0, max = 131_072))]
    pub system: u32,
    /// State of the devices.
    #[schemars(range(min = 0, max = 131_072))]
    pub device_state: u32,
    /// What happened lately.
    #[schemars(range(min = 0, max = 131_072))]
    pub digest: u32,
    /// Elements that may be meant.
    #[schemars(range(min = 0, max = 131_072))]
    pub candidates: u32,
    /// What the person said.
    #[schemars(range(min = 0, max = 131_072))]
    pub user_utterance: u32,
}

/// Tokens by task, for thinking or for the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskBudget {
    /// Understanding a command.
    #[schemars(range(min = 0, max = 32_768))]
    pub nlu_intent: u32,
    /// Choosing between elements.
    #[schemars(range(min = 0, max = 32_768))]
    pub selection_disambiguation: u32,
    /// Translating faithfully.
    #[schemars(range(min = 0, max = 32_768))]
    pub translate_faithful: u32,
    /// A short summary.
    #[schemars(range(min = 0, max = 32_768))]
    pub summarize_short: u32,
    /// Planning several steps.
    #[schemars(range(min = 0, max = 32_768))]
    pub macro_plan: u32,
}

/// Which element on the screen is meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Weights of the features.
    pub weights: RankingWeights,
    /// Candidates that a model sees.
    #[schemars(range(min = 1, max = 50))]
    pub topk_for_llm: u32,
}

/// Weights of the features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankingWeights {
    /// Likeness of the text.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub text: f64,
    /// Fitting role.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub role: f64,
    /// Labels near it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub near: f64,
    /// Place on the screen.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub spatial: f64,
    /// Taken off what is disabled.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub disabled_penalty: f64,
}

/// Faithful translation (TRN, PRE).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// The mode when none was asked for.
    #[schemars(with = "FidelitySchema")]
    pub mode_default: Fidelity,
    /// Classes that the lock compares (PRE-1).
    #[schemars(with = "Vec<TokenClassSchema>")]
    pub preserve_tokens: Vec<TokenClass>,
    /// When a larger model is asked (TRN-4): `name>=count` with preserve_failed, negations or policy_keywords.
    pub escalate_if: Vec<String>,
    /// Product names that stay as they are (PRE-1).
    pub glossary: Vec<String>,
    /// Words that need the larger model (TRN-4).
    pub policy_keywords: Vec<String>,
    /// Sentences in a summary (PRE-5).
    #[schemars(range(min = 1, max = 20))]
    pub summary_max_sentences: u32,
}

/// What the schema says of [`Fidelity`], which knows of no schema.
struct FidelitySchema;

impl JsonSchema for FidelitySchema {
    fn schema_name() -> Cow<'static, str> {
        "Fidelity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let choice = |mode: Fidelity| {
            let description = match mode {
                Fidelity::Faithful => "Nothing added, nothing lost.",
                Fidelity::Natural => "Fluent wording.",
            };
            json!({ "const": mode, "description": description, "type": "string" })
        };
        json_schema!({ "description": "How free a translation may be (TRN-3).", "oneOf": Fidelity::ALL.map(choice) })
    }
}

/// What the schema says of a [`TokenClass`] that can be chosen; names of the glossary and of columns are always compared.
struct TokenClassSchema;

impl JsonSchema for TokenClassSchema {
    fn schema_name() -> Cow<'static, str> {
        "TokenClass".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let description = "A class of tokens that a translation keeps (PRE-1).";
        json_schema!({ "description": description, "type": "string", "enum": TokenClass::CHOSEN })
    }
}

/// Where answers come from (MOD-2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// How it is spoken to.
    pub kind: ProviderKind,
    /// Its address; null for the local engine.
    pub url: Option<String>,
    /// Name of the environment variable that holds its key; the key itself is never written here (PRV-6).
    pub key_env: Option<String>,
}

/// How a provider is spoken to (MOD-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// The engine on this machine.
    Local,
    /// A server compatible with OpenAI's.
    Openai,
    /// Anthropic.
    Anthropic,
}

/// The three modes of MOD-1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modes {
    /// Stateful history and tools.
    pub default: LlmMode,
    /// Stateless, small and cheap.
    pub fast: LlmMode,
    /// Stateless, takes pictures.
    pub vision: LlmMode,
}

/// One mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmMode {
    /// A name out of `providers`.
    pub provider: String,
    /// The model as its provider calls it; null: this mode is off.
    pub model: Option<String>,
    /// Tokens of an answer.
    #[schemars(range(min = 1, max = 131_072))]
    pub max_tokens: u32,
    /// A provider to fall back to (MOD-2).
    pub fallback: Option<String>,
}

/// All providers by name.
pub type Providers = BTreeMap<String, Provider>;
