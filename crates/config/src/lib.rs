//! Configuration: raw (as typed) → meant (as used); it fails before any device is opened (CFG-1 to CFG-4).
//!
//! The way of a value: the built-in `config/default.yaml`, the person's file, `LUNA__…` variables and `--set` flags are each
//! read into a [`tree::Node`] that knows its line and column; [`profile`] lays the chosen profile's layers over one another,
//! deeply; [`shape`] compares with the JSON Schema of the types below, [`check`] what no schema can say; only then the typed
//! [`Config`] comes out. Nothing has a default in code: `config/default.yaml` is the one place.
//!
//! **Invariant:** a [`Config`] that exists is valid, and every value in it knows where it came from ([`Loaded::provenance`]).

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod acting;
pub mod running;
pub mod seeing;
pub mod speaking;
pub mod thinking;

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
pub mod shape;
pub mod show;
mod stream;
mod syntax;
pub mod tree;

pub use effect::{Changes, changes};
pub use error::{ConfigError, Fault, Problem};
pub use load::{LoadOptions, Loaded, load, load_all_profiles, user_file};
pub use origin::Origin;
pub use reload::ConfigWatcher;

/// The built-in file, every key with its comment.
pub const BUILT_IN: &str = include_str!("../../../config/default.yaml");

/// All keys of one profile, as used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Language of Luna's own sentences.
    pub language: speaking::LanguageChoice,
    /// How much of the near past is kept in memory.
    pub windows: seeing::Windows,
    /// Reading what is under the cursor.
    pub focus_mode: seeing::FocusMode,
    /// The frame around what is read.
    pub overlay: seeing::Overlay,
    /// Commands by voice.
    pub voice: speaking::Voice,
    /// Commands by key.
    pub control: speaking::Control,
    /// Speech.
    pub tts: speaking::Tts,
    /// Interrupting speech.
    pub barge_in: speaking::BargeIn,
    /// What a request to a language model may hold.
    pub llm_budget: thinking::LlmBudget,
    /// Tokens for thinking, by task.
    pub thinking_budget: thinking::TaskBudget,
    /// Tokens for the answer, by task.
    pub answer_budget: thinking::TaskBudget,
    /// Which element on the screen is meant.
    pub ranking: thinking::Ranking,
    /// Faithful translation.
    pub translation: thinking::Translation,
    /// Acting on the screen.
    pub executor: acting::Executor,
    /// Privacy.
    pub privacy: seeing::Privacy,
    /// Metrics.
    pub metrics: running::Metrics,
    /// Asking back before work starts.
    pub company: acting::Company,
    /// Room for models on the graphics card.
    pub gpu: running::Gpu,
    /// Native programs.
    pub engines: running::Engines,
    /// Model files.
    pub models: running::Models,
    /// Priority mailboxes.
    pub mailbox: running::MailboxLimits,
    /// Jobs.
    pub jobs: acting::Jobs,
    /// Tools by name.
    pub tools: acting::Tools,
    /// Locks that several tools share, by name.
    pub groups: acting::Groups,
    /// The tool box as a whole.
    pub tool_box: acting::ToolBox,
    /// Where answers of language models come from, by name.
    pub providers: thinking::Providers,
    /// Modes of language models.
    pub modes: thinking::Modes,
    /// The page and the control interface.
    pub http: running::Http,
    /// Tools from elsewhere.
    pub mcp: acting::Mcp,
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
