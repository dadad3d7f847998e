//! When a changed value of each key takes effect (CFG-4), and which keys have no reader yet (CFG-5).
//!
//! **Invariant:** each key of the built-in file has a row, and `tests/config_readers.rs` changes each key and checks that its row is true. A key
//! without a reader causes a warning and is never announced as applied.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value as Json;

use super::Config;
use super::origin::ValueOrigin;
use super::schema_check::join;

/// When a changed value takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TakesEffect {
    /// At once: its readers read it at each use.
    AtOnce,
    /// At the next run of this command, which loads the file again; the running Luna does not read the key.
    NextRun(&'static str),
    /// After a restart of Luna: it is read once, when its device or resource is opened.
    AfterRestart,
    /// Never in this version: its reader does not exist yet. The text says why.
    NotYet(&'static str),
}

use TakesEffect::{AfterRestart, AtOnce, NextRun, NotYet};

const NO_VOICE_MODEL: TakesEffect = NotYet("voices are found without a model in this version");
const NO_JOBS: TakesEffect = NotYet("there are no jobs and no tools in this version");
const NO_PROVIDERS: TakesEffect = NotYet("models run on this machine in this version, those of models.tasks");

/// All keys: the row with the longest matching prefix applies. Rows of `NotYet` may only become fewer.
const ROWS: &[(&str, TakesEffect)] = &[
    ("language", AtOnce),
    ("windows.stt", AtOnce),
    ("windows.uia", AfterRestart),
    ("windows.ocr.topk", AtOnce),
    ("windows.ocr.history", AfterRestart),
    ("windows.ocr.ttl_ms", AfterRestart),
    ("windows.text", AtOnce),
    ("windows.log", AfterRestart),
    ("focus_mode", AtOnce),
    ("reading", AtOnce),
    ("overlay", AtOnce),
    ("voice", AtOnce),
    ("voice.command_mode", AfterRestart),
    ("voice.hold_key", AfterRestart),
    ("control", AfterRestart),
    ("tts", AtOnce),
    ("tts.buffer_frames", AfterRestart),
    ("tts.device", AfterRestart),
    ("barge_in", AtOnce),
    ("llm_budget", AtOnce),
    ("thinking_budget", AtOnce),
    ("answer_budget", AtOnce),
    ("ranking.weights", AtOnce),
    ("ranking.topk_for_llm", AtOnce),
    ("translation", AtOnce),
    ("executor", AtOnce),
    ("privacy.block_roles", AtOnce),
    ("privacy.redact", AtOnce),
    // `check` refuses both if true.
    ("privacy.store_think", AtOnce),
    ("privacy.buffer_disk_persist", AtOnce),
    ("privacy.ttl_purge_ms", AfterRestart),
    ("metrics.enable", AfterRestart),
    ("metrics.counters", AtOnce),
    ("metrics.sample_rate", AtOnce),
    ("company", NotYet("no questions are asked before work in this version")),
    ("gpu", AtOnce),
    // Language models and speech recognition use new values from the next job on; text recognition is loaded once.
    ("engines.nice", AfterRestart),
    ("engines.ocr", AfterRestart),
    // Read at each start of an `llm` or `stt` program; the programs of speech synthesis and text recognition are configured once.
    ("engines.memory_limit_mb", AfterRestart),
    ("engines.memory_limit_mb.llm", AtOnce),
    ("engines.memory_limit_mb.stt", AtOnce),
    ("engines.stt", AtOnce),
    ("engines.llm", AtOnce),
    ("models.directory", AfterRestart),
    ("models.tasks", AtOnce),
    ("models.tasks.voice_activity", NO_VOICE_MODEL),
    ("mailbox", AfterRestart),
    ("jobs", NO_JOBS),
    ("tools", NO_JOBS),
    ("groups", NO_JOBS),
    ("tool_box", NO_JOBS),
    ("providers", NO_PROVIDERS),
    ("modes", NO_PROVIDERS),
    ("modes.default.max_tokens", NextRun("luna llm")),
    ("http", AfterRestart),
    ("mcp", NO_JOBS),
];

/// When a change of `key` takes effect. A key without a row counts as `AfterRestart`, so that its change is not announced as applied.
#[must_use]
pub fn takes_effect(key: &str) -> TakesEffect {
    find_row(key).map_or(AfterRestart, |(_, effect)| *effect)
}

/// Whether the table has a row for `key`.
#[must_use]
pub fn is_listed(key: &str) -> bool {
    find_row(key).is_some()
}

/// The rows of keys without a reader.
#[must_use]
pub fn not_yet() -> Vec<&'static str> {
    ROWS.iter().filter(|(_, effect)| matches!(effect, NotYet(_))).map(|(key, _)| *key).collect()
}

fn find_row(key: &str) -> Option<&'static (&'static str, TakesEffect)> {
    let is_above = |row: &str| key == row || key.strip_prefix(row).is_some_and(|rest| rest.starts_with('.'));
    ROWS.iter().filter(|(row, _)| is_above(row)).max_by_key(|(row, _)| row.len())
}

/// One sentence per reason why keys set by the person have no effect (CFG-5).
#[must_use]
pub fn warnings(provenance: &BTreeMap<String, ValueOrigin>) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (key, origin) in provenance.iter().filter(|(_, origin)| !matches!(origin, ValueOrigin::Default { .. })) {
        if let NotYet(why) = takes_effect(key) {
            by_reason.entry(why).or_default().push(format!("{key} ({origin})"));
        }
    }
    let sentence = |(why, keys): (&str, Vec<String>)| format!("{why}, so this changes nothing: {}.", keys.join(", "));
    by_reason.into_iter().map(sentence).map(|text| capital(&text)).collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The remark after a value in `luna config show`.
#[must_use]
pub fn remark(key: &str) -> String {
    match takes_effect(key) {
        AtOnce => String::new(),
        NextRun(command) => format!("; read by {command}"),
        AfterRestart => "; a change counts after a restart".to_owned(),
        NotYet(why) => format!("; changes nothing yet: {why}"),
    }
}

/// The differences between two configurations, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// Keys that need no restart: they take effect at once, or at the next run of the command that reads them.
    pub safe: Vec<String>,
    /// Keys that take effect after a restart.
    pub needs_restart: Vec<String>,
    /// Keys without a reader.
    pub not_yet: Vec<String>,
}

impl Changes {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.safe.is_empty() && self.needs_restart.is_empty() && self.not_yet.is_empty()
    }

    /// A description for the log.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut text = String::new();
        for (what, keys) in [
            ("taken over", &self.safe),
            ("after a restart", &self.needs_restart),
            ("without any effect in this version", &self.not_yet),
        ] {
            if !keys.is_empty() {
                let _ = write!(text, "{}{what}: {}", if text.is_empty() { "" } else { "; " }, keys.join(", "));
            }
        }
        text
    }
}

/// Compares two configurations key by key.
#[must_use]
pub fn changes(old: &Config, new: &Config) -> Changes {
    let mut changes = Changes::default();
    let (old, new) = (serde_json::to_value(old).unwrap_or_default(), serde_json::to_value(new).unwrap_or_default());
    compare(&old, &new, "", &mut changes);
    changes
}

fn compare(old: &Json, new: &Json, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    if let (Json::Object(old), Json::Object(new)) = (old, new) {
        let mut keys: Vec<&String> = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).collect();
        keys.sort();
        for key in keys {
            let (before, after) = (old.get(key).unwrap_or(&Json::Null), new.get(key).unwrap_or(&Json::Null));
            compare(before, after, &join(path, key), changes);
        }
        return;
    }
    let list = match takes_effect(path) {
        AtOnce | NextRun(_) => &mut changes.safe,
        AfterRestart => &mut changes.needs_restart,
        NotYet(_) => &mut changes.not_yet,
    };
    list.push(path.to_owned());
}
