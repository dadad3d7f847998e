//! Configuration: raw (as typed) → meant (as used); it fails before any device is opened (CFG-1 to CFG-4).
//!
//! The way of a value: the built-in `config/default.yaml`, the person's file, `LUNA__…` variables and `--set` flags are each
//! read into a [`tree::Node`] that knows its line and column; [`profile`] lays the chosen profile's layers over one another,
//! deeply; [`schema_check`] compares with the JSON Schema of the types below, [`check`] what no schema can say; only then the typed
//! [`Config`] comes out. Nothing has a default in code: `config/default.yaml` is the one place.
//!
//! **Invariant:** a [`Config`] that exists is valid, and every value in it knows where it came from ([`LoadedConfig::provenance`]).

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod automation;
pub mod llm;
pub mod perception;
pub mod runtime;
pub mod speech;

pub mod bounded;
mod load;
mod origin;

pub mod check;
pub mod effect;
pub mod error;
pub mod nearest;
pub mod overrides;
pub mod place;
pub mod profile;
pub mod reload;
pub mod schema;
pub mod schema_check;
pub mod show;
mod stream;
mod syntax;
pub mod tree;

pub use effect::{Changes, changes};
pub use error::{ConfigError, ConfigFault, Problem};
pub use load::{LoadOptions, LoadedConfig, load, load_all_profiles, user_file};
pub use origin::ValueOrigin;
pub use reload::ConfigWatcher;

/// The built-in file, every key with its comment.
pub const BUILT_IN: &str = include_str!("../../../config/default.yaml");

/// All keys of one profile, as used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Language of Luna's own sentences.
    pub language: speech::LanguageChoice,
    /// How much of the near past is kept in memory.
    pub windows: perception::Windows,
    /// Reading what is under the cursor.
    pub focus_mode: perception::FocusMode,
    /// The frame around what is read.
    pub overlay: perception::Overlay,
    /// Commands by voice.
    pub voice: speech::Voice,
    /// Commands by key.
    pub control: speech::Control,
    /// Speech.
    pub tts: speech::Tts,
    /// Interrupting speech.
    pub barge_in: speech::BargeIn,
    /// What a request to a language model may hold.
    pub llm_budget: llm::LlmBudget,
    /// Tokens for thinking, by task.
    pub thinking_budget: llm::TaskBudget,
    /// Tokens for the answer, by task.
    pub answer_budget: llm::TaskBudget,
    /// Which element on the screen is meant.
    pub ranking: llm::Ranking,
    /// Faithful translation.
    pub translation: llm::Translation,
    /// Acting on the screen.
    pub executor: automation::Executor,
    /// Privacy.
    pub privacy: perception::Privacy,
    /// Metrics.
    pub metrics: runtime::Metrics,
    /// Asking back before work starts.
    pub company: automation::Company,
    /// Room for models on the graphics card.
    pub gpu: runtime::Gpu,
    /// Native programs.
    pub engines: runtime::Engines,
    /// Model files.
    pub models: runtime::Models,
    /// Priority mailboxes.
    pub mailbox: runtime::MailboxLimits,
    /// Jobs.
    pub jobs: automation::Jobs,
    /// Tools by name.
    pub tools: automation::Tools,
    /// Locks that several tools share, by name.
    pub groups: automation::Groups,
    /// The tool box as a whole.
    pub tool_box: automation::ToolBox,
    /// Where answers of language models come from, by name.
    pub providers: llm::Providers,
    /// Modes of language models.
    pub modes: llm::Modes,
    /// The page and the control interface.
    pub http: runtime::Http,
    /// Tools from elsewhere.
    pub mcp: automation::Mcp,
}

impl Config {
    /// The built-in values of a shipped profile: `default` or `low_vram`.
    ///
    /// # Errors
    /// An unknown profile; the built-in file itself is tested.
    pub fn built_in(profile: &str) -> Result<Self, ConfigError> {
        let options = LoadOptions { profile: Some(profile.to_owned()), ..LoadOptions::default() };
        load(&options).map(|loaded| loaded.config)
    }
}
