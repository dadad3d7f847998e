//! Configuration: raw (as typed) → validated → effective; errors appear before any device is opened (CFG-1 to CFG-4).
//!
//! The built-in `config/default.yaml`, the person's file, `LUNA__…` variables and `--set` flags are each read into a [`tree::ConfigNode`] with line
//! and column; [`profile`] merges the layers of the chosen profile deeply; [`schema_check`] validates against the JSON Schema of the types below,
//! [`check`] what a schema can't express; the result is the typed [`Config`]. No default is in code: `config/default.yaml` is the only place.
//!
//! **Invariant:** every [`Config`] is valid, and the origin of each of its values is known ([`LoadedConfig::provenance`]).

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod automation;
pub mod llm;
pub mod perception;
pub mod reading;
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

/// All keys of one profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Language of Luna's own sentences.
    pub language: speech::LanguageChoice,
    /// How much recent context is kept in memory.
    pub windows: perception::Windows,
    /// Reading what is under the cursor.
    pub focus_mode: perception::FocusMode,
    /// What is said of the elements that are read.
    pub reading: reading::Reading,
    /// The frame around what is read.
    pub overlay: perception::Overlay,
    /// Commands by voice.
    pub voice: speech::Voice,
    /// Commands by key.
    pub control: speech::Control,
    /// Speech output.
    pub tts: speech::Tts,
    /// Interrupting speech.
    pub barge_in: speech::BargeIn,
    /// Limits of a request to a language model.
    pub llm_budget: llm::LlmBudget,
    /// Tokens of thinking, by task.
    pub thinking_budget: llm::TaskBudget,
    /// Tokens of the answer, by task.
    pub answer_budget: llm::TaskBudget,
    /// Ranking of screen elements for a command.
    pub ranking: llm::Ranking,
    /// Faithful translation.
    pub translation: llm::Translation,
    /// Acting on the screen.
    pub executor: automation::Executor,
    /// Privacy.
    pub privacy: perception::Privacy,
    /// Metrics.
    pub metrics: runtime::Metrics,
    /// Questions before work starts.
    pub company: automation::Company,
    /// Memory for models on the graphics card.
    pub gpu: runtime::Gpu,
    /// Engines: native programs.
    pub engines: runtime::Engines,
    /// Model files.
    pub models: runtime::Models,
    /// Priority mailboxes.
    pub mailbox: runtime::MailboxLimits,
    /// Jobs.
    pub jobs: automation::Jobs,
    /// Tools by name.
    pub tools: automation::Tools,
    /// Groups of tools with a common limit, by name.
    pub groups: automation::Groups,
    /// The tool box as a whole.
    pub tool_box: automation::ToolBox,
    /// Providers of language models, by name.
    pub providers: llm::Providers,
    /// Modes of language models.
    pub modes: llm::Modes,
    /// The local web page and control interface.
    pub http: runtime::Http,
    /// Tools of other programs (Model Context Protocol).
    pub mcp: automation::Mcp,
}

impl Config {
    /// The built-in values of a shipped profile: `default` or `low_vram`.
    ///
    /// # Errors
    /// Unknown profile. The built-in file itself is valid: a test loads it.
    pub fn built_in(profile: &str) -> Result<Self, ConfigError> {
        let options = LoadOptions { profile: Some(profile.to_owned()), ..LoadOptions::default() };
        load(&options).map(|loaded| loaded.config)
    }
}
