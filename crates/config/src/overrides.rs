//! Single keys from the environment and from flags (CFG-3).

use std::sync::Arc;

use super::error::{ConfigFault, Problem};
use super::nearest::nearest;
use super::place::{ConfigSource, SourcePosition};
use super::schema_check::{ConfigSchema, KnownKey, UnknownKey};
use super::tree::{ConfigNode, Entry, YamlValue, read};

/// Prefix of overriding variables: `LUNA__TTS__RATE` sets `tts.rate`.
pub const PREFIX: &str = "LUNA__";

/// The layer of one variable. Variable names are matched without case, so keys of maps, such as tool names, take the spelling
/// that they have in `below`, the configuration so far.
///
/// # Errors
/// An unknown key, or a value that is not YAML.
pub fn from_env(schema: &ConfigSchema, below: &ConfigNode, name: &str, value: &str) -> Result<ConfigNode, Problem> {
    let source = Arc::new(ConfigSource::Env { name: name.to_owned() });
    let mut at = Some(below);
    let mut path = Vec::new();
    for key in name.strip_prefix(PREFIX).unwrap_or(name).split("__") {
        let entry = match at.map(|node| &node.value) {
            Some(YamlValue::Map(entries)) => entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)),
            _ => None,
        };
        path.push(entry.map_or_else(|| key.to_lowercase(), |entry| entry.key.clone()));
        at = entry.map(|entry| &entry.node);
    }
    layer(schema, &path.iter().map(String::as_str).collect::<Vec<_>>(), value, &source)
}

/// The layer of one `--set key=value`.
///
/// # Errors
/// No `=`, an unknown key, or a value that is not YAML.
pub fn from_flag(schema: &ConfigSchema, text: &str) -> Result<ConfigNode, Problem> {
    let source = Arc::new(ConfigSource::Flag { text: format!("--set {text}") });
    let Some((key, value)) = text.split_once('=') else {
        let place = SourcePosition { source, line: 0, column: 0 };
        return Err(Problem { place, key: String::new(), fault: ConfigFault::NotAnAssignment });
    };
    layer(schema, &key.trim().split('.').collect::<Vec<_>>(), value, &source)
}

fn layer(schema: &ConfigSchema, path: &[&str], value: &str, source: &Arc<ConfigSource>) -> Result<ConfigNode, Problem> {
    let place = SourcePosition { source: Arc::clone(source), line: 0, column: 0 };
    let KnownKey { path, schema: value_schema } = schema.find(path).map_err(|UnknownKey { index, known }| {
        let nearest = nearest(path[index], known.iter().map(String::as_str)).map(str::to_owned);
        let fault = ConfigFault::UnknownKey { nearest, known };
        Problem { place: place.clone(), key: path[..=index].join(".").to_lowercase(), fault }
    })?;
    // Text is not parsed as YAML: the value of `LUNA__OVERLAY__COLOR=#FF0000` is no comment.
    let mut node = if ConfigSchema::takes_text(value_schema) && value != "null" {
        ConfigNode { value: YamlValue::Text(value.to_owned()), place: place.clone(), profile: None }
    } else {
        read(value, source).map_err(|problem| Problem { key: path.join("."), ..problem })?.unwrap_or(ConfigNode {
            value: YamlValue::Null,
            place: place.clone(),
            profile: None,
        })
    };
    for key in path.into_iter().rev() {
        let entry = Entry { key, place: place.clone(), node };
        node = ConfigNode { value: YamlValue::Map(vec![entry]), place: place.clone(), profile: None };
    }
    Ok(node)
}
