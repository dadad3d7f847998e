//! CFG-1 to CFG-4: profiles, mistakes with their positions, precedence, reload.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use luna_config::{
    BUILT_IN, Config, ConfigError, ConfigWatcher, LoadOptions, LoadedConfig, ValueOrigin, changes, load,
    load_all_profiles, schema, show,
};
use luna_messages::control::Command;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A configuration file in a temporary folder.
struct ConfigFile {
    _folder: TempDir,
    path: PathBuf,
}

fn file(content: impl AsRef<[u8]>) -> ConfigFile {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.yaml");
    fs::write(&path, content).unwrap();
    ConfigFile { _folder: folder, path }
}

fn options(path: &Path) -> LoadOptions {
    LoadOptions { file: Some(path.to_owned()), ..LoadOptions::default() }
}

fn loaded(content: &str) -> LoadedConfig {
    let file = file(content);
    load(&options(&file.path)).unwrap_or_else(|error| panic!("{error}\n{content}"))
}

fn with_profile(content: &str, profile: &str) -> Config {
    let file = file(content);
    let options = LoadOptions { profile: Some(profile.to_owned()), ..options(&file.path) };
    load(&options).unwrap_or_else(|error| panic!("{error}\n{content}")).config
}

/// The mistakes in a file, each without the path of the file.
fn mistakes(content: impl AsRef<[u8]>) -> Vec<String> {
    let file = file(content);
    let prefix = format!("{}:", file.path.display());
    let lines = load(&options(&file.path)).map(|_| Vec::new()).unwrap_or_else(|error| error.lines());
    lines.into_iter().map(|line| line.strip_prefix(&prefix).unwrap_or(&line).to_owned()).collect()
}

fn at<'a>(value: &'a Value, key: &str) -> &'a Value {
    key.split('.').fold(value, |value, key| &value[key])
}

/// The defaults that the requirements list, by key.
fn requirements() -> Vec<(&'static str, Value)> {
    vec![
        ("windows.stt", json!({"hot_seconds": 3, "full_seconds": 12})),
        ("windows.uia", json!({"snapshots": 3, "ttl_ms": 1500})),
        ("windows.ocr", json!({"topk": 20, "history": 2, "ttl_ms": 2500})),
        ("windows.text", json!({"prev": 2, "next": 2})),
        ("windows.log", json!({"recent": 8})),
        ("focus_mode.sources", json!(["pointer", "focus"])),
        ("focus_mode.follow", json!(true)),
        ("focus_mode.move_threshold_px", json!(24)),
        ("focus_mode.debounce_ms", json!(150)),
        ("focus_mode.roi_px", json!(420)),
        ("focus_mode.prefer_uia", json!(true)),
        (
            "overlay",
            json!({"enabled": true, "high_contrast": false, "color": "#FFD84A", "dim_outside": 0.18, "corner_radius": 10, "show_numbers": true}),
        ),
        ("voice.wake_word", json!("루나")),
        ("voice.command_mode", json!("auto")),
        ("voice.hold_key", json!("right_ctrl")),
        ("voice.synonyms.click", json!(["눌러", "클릭", "선택", "실행"])),
        ("voice.synonyms.translate", json!(["번역", "한국어로", "영어로", "translate"])),
        ("voice.synonyms.spell", json!(["철자", "스펠", "하나씩"])),
        ("voice.synonyms.numbers", json!(["숫자만", "수치만", "퍼센트만"])),
        ("voice.synonyms.fast", json!(["빠르게", "속도 올려"])),
        ("voice.synonyms.slow", json!(["느리게", "속도 내려"])),
        ("voice.dangerous", json!(["삭제", "비우", "전송", "구매", "결제"])),
        ("llm_budget.max_tokens", json!(1600)),
        (
            "llm_budget.caps",
            json!({"system": 200, "device_state": 80, "digest": 120, "candidates": 300, "user_utterance": 60}),
        ),
        ("llm_budget.barge_in_shrink", json!(0.5)),
        ("llm_budget.timeout_ms_soft", json!(600)),
        (
            "thinking_budget",
            json!({"nlu_intent": 96, "selection_disambiguation": 256, "translate_faithful": 192, "summarize_short": 256, "macro_plan": 384}),
        ),
        (
            "answer_budget",
            json!({"nlu_intent": 96, "selection_disambiguation": 128, "translate_faithful": 192, "summarize_short": 128, "macro_plan": 192}),
        ),
        (
            "ranking.weights",
            json!({"text": 0.52, "role": 0.18, "near": 0.20, "spatial": 0.10, "disabled_penalty": 0.05}),
        ),
        ("ranking.topk_for_llm", json!(5)),
        ("translation.mode_default", json!("faithful")),
        (
            "translation.preserve_tokens",
            json!(["NUMBER", "DATE", "PERCENT", "UNIT", "URL", "EMAIL", "CODE", "CURRENCY"]),
        ),
        ("translation.escalate_if", json!(["preserve_failed>=1", "negations>=2", "policy_keywords>=1"])),
        ("barge_in.enabled", json!(true)),
        ("barge_in.debounce_ms", json!(300)),
        ("barge_in.min_repeat_interval_ms", json!(800)),
        ("barge_in.aec", json!({"enable": true, "loopback": "wasapi", "safety_gate_ms": 200})),
        ("executor.uia_first", json!(true)),
        ("executor.coord_fallback", json!(true)),
        ("executor.confirm_on_danger", json!(true)),
        ("executor.confirm_requires_wake", json!(true)),
        (
            "privacy",
            json!({"block_roles": ["Password", "ProtectedText"], "redact": ["EMAIL", "URL"], "store_think": false, "buffer_disk_persist": false, "ttl_purge_ms": 3000}),
        ),
        ("metrics.enable", json!(true)),
        (
            "metrics.counters",
            json!([
                "latency_ms",
                "used_tokens.think",
                "used_tokens.answer",
                "preserve_fail",
                "clarify",
                "ocr_rate",
                "uia_rate"
            ]),
        ),
        ("metrics.sample_rate", json!(1.0)),
        ("company.intentAlignmentMaxRounds", json!(3)),
        ("company.intentAlignmentMode", json!("smart")),
        ("focus_mode.wait_cmd_timeout_ms", json!(8000)),
        ("focus_mode.capture", json!("window")),
        ("focus_mode.ocr", json!({"w_text": 1.0, "w_size": 0.3, "w_contrast_penalty": 0.2, "epsilon": 1.0})),
        ("focus_mode.ocr_low_quality", json!(0.6)),
        ("tts.rate", json!(1.0)),
        ("tts.rate_step", json!(0.15)),
        ("tts.rate_min", json!(0.5)),
        ("tts.rate_max", json!(3.0)),
        ("translation.glossary", json!([])),
        ("translation.policy_keywords", json!([])),
        ("translation.summary_max_sentences", json!(3)),
        ("executor.confirm_timeout_ms", json!(8000)),
        ("gpu", json!({"budget_mb": 8192, "linger_ms": 60000, "grace_ms": 2000, "wait_bound_ms": 30000})),
        ("jobs.workers", json!(3)),
        ("jobs.iteration_limit", json!(10)),
        ("tools.NavTool.capacity", json!(1)),
        ("tools.MovieTool.capacity", json!(1)),
        ("tools.SongTool.capacity", json!(2)),
        ("tools.WeatherTool.capacity", json!(null)),
        ("groups.MonitorBox", json!({"capacity": 1, "tools": ["NavTool", "MovieTool"]})),
        ("tool_box.when_locked", json!("ask")),
        ("http.bind", json!("127.0.0.1")),
        ("tts.buffer_frames", json!(512)),
    ]
}

#[path = "config/defaults.rs"]
mod defaults;
#[path = "config/mistakes.rs"]
mod mistakes;
#[path = "config/profiles.rs"]
mod profiles;
#[path = "config/sources.rs"]
mod sources;
