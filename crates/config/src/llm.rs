//! Keys of language models: budgets, ranking, translation, providers and modes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use luna_messages::Fidelity;
use luna_messages::preserve::TokenClass;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Limits of a request to a language model, in tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmBudget {
    /// The whole request.
    #[schemars(range(min = 128, max = 131_072))]
    pub max_tokens: u32,
    /// Limits by part; the remaining tokens are for the target text.
    pub caps: Caps,
    /// Factor for the budget after an interruption; 0 to 1.
    #[schemars(range(min = 0.05, max = 1.0))]
    pub barge_in_shrink: f64,
    /// Time after which a request without an answer gets half as many tokens again, in milliseconds (REA-3).
    #[schemars(range(min = 50, max = 60_000))]
    pub timeout_ms_soft: u64,
}

/// Maximum tokens by part of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Fixed instructions.
    #[schemars(range(min = 0, max = 131_072))]
    pub system: u32,
    /// State of the devices.
    #[schemars(range(min = 0, max = 131_072))]
    pub device_state: u32,
    /// Recent events.
    #[schemars(range(min = 0, max = 131_072))]
    pub digest: u32,
    /// Candidates: elements that a command may mean.
    #[schemars(range(min = 0, max = 131_072))]
    pub candidates: u32,
    /// The person's utterance.
    #[schemars(range(min = 0, max = 131_072))]
    pub user_utterance: u32,
}

/// Maximum tokens by task, of thinking or of the answer.
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
    /// Summarising.
    #[schemars(range(min = 0, max = 32_768))]
    pub summarize_short: u32,
    /// Planning several steps.
    #[schemars(range(min = 0, max = 32_768))]
    pub macro_plan: u32,
}

/// Ranking of screen elements for a command (RNK).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Weights of the features.
    pub weights: RankingWeights,
    /// Number of candidates that a model sees.
    #[schemars(range(min = 1, max = 50))]
    pub topk_for_llm: u32,
}

/// Weights of the ranking's features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankingWeights {
    /// Similarity of the text.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub text: f64,
    /// Similarity of the role.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub role: f64,
    /// Match of nearby labels.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub near: f64,
    /// Match of the position on the screen.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub spatial: f64,
    /// Subtracted from the score of disabled elements.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub disabled_penalty: f64,
}

/// Translation and summaries (TRN, PRE).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// The fidelity if the request names none.
    #[schemars(with = "FidelitySchema")]
    pub mode_default: Fidelity,
    /// Classes of tokens that the preserve lock compares (PRE-1).
    #[schemars(with = "Vec<TokenClassSchema>")]
    pub preserve_tokens: Vec<TokenClass>,
    /// When to use the larger model (TRN-4): `name>=count` with preserve_failed, negations or policy_keywords.
    pub escalate_if: Vec<String>,
    /// Product names that are not translated (PRE-1).
    pub glossary: Vec<String>,
    /// Words that the rule policy_keywords counts (TRN-4).
    pub policy_keywords: Vec<String>,
    /// Maximum sentences of a summary (PRE-5).
    #[schemars(range(min = 1, max = 20))]
    pub summary_max_sentences: u32,
}

/// The schema of [`Fidelity`], whose crate does not depend on `schemars`.
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

/// The schema of [`TokenClass::CHOSEN`]; glossary terms and column names are always compared.
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

/// A provider of language models (MOD-2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Its interface.
    pub kind: ProviderKind,
    /// Its address; null for the local engine.
    pub url: Option<String>,
    /// Name of the environment variable with its key; the key itself is never written here (PRV-6).
    pub key_env: Option<String>,
}

/// The interface of a provider (MOD-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// The engine on this machine.
    Local,
    /// An OpenAI-compatible server.
    Openai,
    /// Anthropic's API.
    Anthropic,
}

/// Modes of language models (MOD-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modes {
    /// With history and tools.
    pub default: LlmMode,
    /// Without history; small and cheap.
    pub fast: LlmMode,
    /// Without history; accepts pictures.
    pub vision: LlmMode,
}

/// A mode of language models (MOD-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmMode {
    /// A name from `providers`.
    pub provider: String,
    /// The provider's name of the model; null: the mode is off.
    pub model: Option<String>,
    /// Maximum tokens of an answer.
    #[schemars(range(min = 1, max = 131_072))]
    pub max_tokens: u32,
    /// The provider to use if the first fails (MOD-2).
    pub fallback: Option<String>,
}

/// All providers by name.
pub type Providers = BTreeMap<String, Provider>;
