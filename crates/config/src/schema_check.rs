//! Validates a configuration against the JSON Schema of its types.
//!
//! One walk finds all mistakes with their positions; a deserialiser would stop at the first and not know its position.

use serde_json::Value as Json;

use super::Config;
use super::error::{ConfigFault, Problem};
use super::nearest::nearest;
use super::tree::{ConfigNode, YamlValue};

/// The schema of one profile's effective configuration.
pub struct ConfigSchema {
    root: Json,
}

/// Whether required keys must be present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A layer with only the changed keys; list items must be complete nevertheless.
    Layer,
    /// All layers merged.
    Whole,
}

/// A key that the schema has.
pub struct KnownKey<'a> {
    /// The keys in the schema's spelling.
    pub path: Vec<String>,
    /// The schema of its value.
    pub schema: &'a Json,
}

/// A key that the schema does not have.
pub struct UnknownKey {
    /// Its position in the path.
    pub index: usize,
    /// The known keys at that level.
    pub known: Vec<String>,
}

impl Default for ConfigSchema {
    fn default() -> Self {
        Self { root: schemars::schema_for!(Config).to_value() }
    }
}

impl ConfigSchema {
    /// All mistakes in a node.
    #[must_use]
    pub fn problems(&self, node: &ConfigNode, extent: Extent) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.walk(node, &self.root, "", extent, &mut problems);
        problems
    }

    /// The schema at a key path; keys match regardless of case.
    ///
    /// # Errors
    /// The first unknown key, with the known keys at its level.
    pub fn find(&self, path: &[&str]) -> Result<KnownKey<'_>, UnknownKey> {
        let mut at = self.resolve(&self.root);
        let mut spelt = Vec::new();
        for (index, key) in path.iter().enumerate() {
            let known = keys(at);
            if let Some(name) = known.iter().find(|name| name.eq_ignore_ascii_case(key)) {
                at = self.resolve(&at["properties"][name.as_str()]);
                spelt.push(name.clone());
            } else if at["additionalProperties"].is_object() {
                at = self.resolve(&at["additionalProperties"]);
                spelt.push((*key).to_owned());
            } else {
                return Err(UnknownKey { index, known });
            }
        }
        Ok(KnownKey { path: spelt, schema: at })
    }

    /// Whether the schema accepts only text, or only text and null.
    #[must_use]
    pub fn takes_text(schema: &Json) -> bool {
        let kinds = kinds(schema);
        kinds.contains(&"string") && kinds.iter().all(|kind| matches!(*kind, "string" | "null"))
    }

    /// Follows `$ref`, and unwraps `anyOf [T, null]` to `T`.
    fn resolve<'a>(&'a self, schema: &'a Json) -> &'a Json {
        if let Some(name) = schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/$defs/")) {
            return self.resolve(&self.root["$defs"][name]);
        }
        match schema["anyOf"].as_array() {
            Some(choices) => {
                choices.iter().find(|choice| choice["type"] != "null").map_or(schema, |it| self.resolve(it))
            }
            None => schema,
        }
    }

    fn walk(&self, node: &ConfigNode, schema: &Json, key: &str, extent: Extent, problems: &mut Vec<Problem>) {
        let nullable = schema["anyOf"].as_array().is_some_and(|all| all.iter().any(|choice| choice["type"] == "null"));
        if nullable && node.value == YamlValue::Null {
            return;
        }
        let schema = self.resolve(schema);
        let mut report = |fault| problems.push(Problem { place: node.place.clone(), key: key.to_owned(), fault });

        if let Some(allowed) = words(schema) {
            match &node.value {
                YamlValue::Text(found) if allowed.contains(found) => {}
                YamlValue::Text(found) => report(unknown_value(found, allowed)),
                other => report(ConfigFault::WrongType {
                    expected: format!("one of {}", allowed.join(", ")),
                    found: show(other),
                }),
            }
            return;
        }
        let kinds = kinds(schema);
        let wrong = || ConfigFault::WrongType { expected: expected(schema), found: show(&node.value) };
        match &node.value {
            YamlValue::Null if kinds.contains(&"null") => {}
            YamlValue::Bool(_) if kinds.contains(&"boolean") => {}
            YamlValue::Text(_) if kinds.contains(&"string") => {}
            #[allow(clippy::cast_precision_loss, reason = "ranges are far below 2^53")]
            YamlValue::Integer(found) if kinds.contains(&"integer") || kinds.contains(&"number") => {
                if !in_range(*found as f64, schema) {
                    report(ConfigFault::OutOfRange { found: found.to_string(), allowed: range(schema) });
                }
            }
            YamlValue::Float(found) if kinds.contains(&"number") => {
                if !in_range(*found, schema) {
                    report(ConfigFault::OutOfRange { found: show(&node.value), allowed: range(schema) });
                }
            }
            YamlValue::List(items) if kinds.contains(&"array") => {
                for (index, item) in items.iter().enumerate() {
                    self.walk(item, &schema["items"], &format!("{key}[{index}]"), extent, problems);
                }
            }
            YamlValue::Map(entries) if kinds.contains(&"object") => {
                let known = keys(schema);
                for entry in entries {
                    let path = join(key, &entry.key);
                    if known.contains(&entry.key) {
                        self.walk(&entry.node, &schema["properties"][&entry.key], &path, extent, problems);
                    } else if schema["additionalProperties"].is_object() {
                        self.walk(&entry.node, &schema["additionalProperties"], &path, extent, problems);
                    } else {
                        let nearest = nearest(&entry.key, known.iter().map(String::as_str)).map(str::to_owned);
                        let fault = ConfigFault::UnknownKey { nearest, known: known.clone() };
                        problems.push(Problem { place: entry.place.clone(), key: path, fault });
                    }
                }
                if extent == Extent::Whole || schema["x-complete"] == true {
                    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
                    for name in required.iter().filter_map(Json::as_str).filter(|name| node.entry(name).is_none()) {
                        let example = format!("{name}: {}", expected(self.resolve(&schema["properties"][name])));
                        let fault = ConfigFault::Missing { key: name.to_owned(), example };
                        problems.push(Problem { place: node.place.clone(), key: key.to_owned(), fault });
                    }
                }
            }
            _ => report(wrong()),
        }
    }
}

/// The mistake of a word that isn't one of `allowed`.
#[must_use]
pub fn unknown_value(found: &str, allowed: Vec<String>) -> ConfigFault {
    let nearest = nearest(found, allowed.iter().map(String::as_str)).map(str::to_owned);
    ConfigFault::NotOneOf { found: found.to_owned(), nearest, allowed }
}

/// `a.b`, or `b` at the top.
#[must_use]
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn keys(schema: &Json) -> Vec<String> {
    schema["properties"].as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

fn kinds(schema: &Json) -> Vec<&str> {
    match &schema["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The allowed words of an enum, written as `enum` or as `oneOf`.
fn words(schema: &Json) -> Option<Vec<String>> {
    let text = |value: &Json| value.as_str().map(str::to_owned);
    if let Some(all) = schema["enum"].as_array() {
        return Some(all.iter().filter_map(text).collect());
    }
    let all = schema["oneOf"].as_array()?;
    let mut found = Vec::new();
    for choice in all {
        match (&choice["const"], &choice["enum"]) {
            (Json::String(word), _) => found.push(word.clone()),
            (_, Json::Array(words)) => found.extend(words.iter().filter_map(text)),
            _ => {}
        }
    }
    Some(found)
}

/// The smallest and the largest allowed number: from the schema, else from the Rust type.
fn limits(schema: &Json) -> (Option<f64>, Option<f64>) {
    let (least, most) = match schema["format"].as_str() {
        Some("uint8") => (Some(0.0), Some(f64::from(u8::MAX))),
        Some("uint16") => (Some(0.0), Some(f64::from(u16::MAX))),
        Some("uint32" | "uint") => (Some(0.0), Some(f64::from(u32::MAX))),
        // 2^53 − 1: larger integers are not exact as JSON numbers.
        Some("uint64") => (Some(0.0), Some(9_007_199_254_740_991.0)),
        Some("int32") => (Some(f64::from(i32::MIN)), Some(f64::from(i32::MAX))),
        _ => (None, None),
    };
    (schema["minimum"].as_f64().or(least), schema["maximum"].as_f64().or(most))
}

fn in_range(value: f64, schema: &Json) -> bool {
    let (least, most) = limits(schema);
    value.is_finite() && least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
}

fn range(schema: &Json) -> String {
    match limits(schema) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("{least} or more"),
        (None, Some(most)) => format!("up to {most}"),
        (None, None) => "any number".to_owned(),
    }
}

fn expected(schema: &Json) -> String {
    if let Some(words) = words(schema) {
        return format!("one of {}", words.join(", "));
    }
    let name = |kind: &&str| match *kind {
        "boolean" => "true or false".to_owned(),
        "integer" => format!("a whole number ({})", range(schema)),
        "number" => format!("a number ({})", range(schema)),
        "string" => "text (in quotes if it looks like something else)".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "a map of keys".to_owned(),
        other => other.to_owned(),
    };
    kinds(schema).iter().map(name).collect::<Vec<_>>().join(" or ")
}

/// Describes a value for error messages.
#[must_use]
pub fn show(value: &YamlValue) -> String {
    match value {
        YamlValue::Null => "nothing (null)".to_owned(),
        YamlValue::Bool(value) => value.to_string(),
        YamlValue::Integer(value) => format!("the number {value}"),
        YamlValue::Float(value) => format!("the number {value}"),
        YamlValue::Text(value) => format!("the text \"{}\"", value.chars().take(40).collect::<String>()),
        YamlValue::List(_) => "a list".to_owned(),
        YamlValue::Map(_) => "a map".to_owned(),
    }
}
