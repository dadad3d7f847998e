//! The effective configuration as text: YAML that can be loaded again, with the origin of each value as a comment (CFG-3).

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use super::effect;
use super::load::LoadedConfig;
use super::schema_check::join;

/// The configuration as YAML with comments.
#[must_use]
pub fn yaml(loaded: &LoadedConfig) -> String {
    let mut text = String::from("version: 1\nprofiles:\n  default:\n");
    let values = serde_json::to_value(&loaded.config).unwrap_or_default();
    let head = match &loaded.file {
        Some(file) if loaded.file_found => {
            format!("# profile {}, file {}\n", loaded.profile, file.display())
        }
        Some(file) => format!("# profile {}, built-in defaults ({} is not there)\n", loaded.profile, file.display()),
        None => format!("# profile {}, built-in defaults\n", loaded.profile),
    };
    if let Json::Object(map) = &values {
        write_map(map, "", 4, loaded, &mut text);
    }
    head + &text
}

/// The configuration as JSON: `{"profile","file","file_found","warnings","config":{…},"from":{key: origin},"takes_effect":{key: when}}`.
#[must_use]
pub fn json(loaded: &LoadedConfig) -> Json {
    json!({
        "profile": loaded.profile,
        "file": loaded.file,
        "file_found": loaded.file_found,
        "warnings": loaded.warnings,
        "config": loaded.config,
        "from": loaded.provenance,
        "takes_effect": loaded.provenance.keys().map(|key| (key, effect::takes_effect(key))).collect::<BTreeMap<_, _>>(),
    })
}

fn write_map(map: &Map<String, Json>, path: &str, indent: usize, loaded: &LoadedConfig, text: &mut String) {
    for (key, value) in map {
        let path = join(path, key);
        let plain =
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        let plain =
            plain && !["null", "true", "false", "yes", "no", "on", "off"].contains(&key.to_lowercase().as_str());
        let plain = plain && key.starts_with(|first: char| first.is_ascii_alphabetic()) && key.len() > 1;
        let name = if plain { key.clone() } else { Json::from(key.as_str()).to_string() };
        match value {
            Json::Object(below) if !below.is_empty() => {
                let _ = writeln!(text, "{:indent$}{name}:", "");
                write_map(below, &path, indent + 2, loaded, text);
            }
            // JSON is valid YAML, and its quotes keep text from being read as another type.
            leaf => {
                let from = loaded.provenance.get(&path).map(ToString::to_string).unwrap_or_default();
                let (from, remark) = (from.replace(['\n', '\r'], " "), effect::remark(&path));
                let _ = writeln!(text, "{:indent$}{name}: {leaf}  # {from}{remark}", "");
            }
        }
    }
}
