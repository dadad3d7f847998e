//! A parsed configuration: values with their lines and columns.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::MergeKeyPolicy;

use super::error::Problem;
use super::place::{ConfigSource, SourcePosition};
use super::syntax;

/// Maximum size of a file, in bytes. The built-in file has about 10,000.
pub const MAX_FILE_BYTES: u64 = 1_048_576;

/// A value with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigNode {
    pub value: YamlValue,
    /// The position of its first character.
    pub place: SourcePosition,
    /// The profile that sets it; `None` for variables and flags.
    pub profile: Option<Arc<str>>,
}

/// A YAML value.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the kinds of YAML")]
pub enum YamlValue {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<ConfigNode>),
    Map(Vec<Entry>),
}

/// A key of a map, with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// The position of the key.
    pub place: SourcePosition,
    pub node: ConfigNode,
}

impl ConfigNode {
    /// The entry of a key; `None` if this is not a map.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            YamlValue::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The node at a path of keys.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.entry(key).map(|entry| &entry.node))
    }

    /// The value as JSON, without positions. An integer of more than 64 bits becomes null.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            YamlValue::Null => Json::Null,
            YamlValue::Bool(value) => Json::Bool(*value),
            YamlValue::Integer(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => Json::from(value),
                (_, Ok(value)) => Json::from(value),
                _ => Json::Null,
            },
            YamlValue::Float(value) => Json::from(*value),
            YamlValue::Text(value) => Json::from(value.as_str()),
            YamlValue::List(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            YamlValue::Map(entries) => {
                Json::Object(entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json())).collect())
            }
        }
    }

    /// Sets the profile of this node and all below it.
    pub fn name_profile(&mut self, profile: &Arc<str>) {
        self.profile = Some(Arc::clone(profile));
        match &mut self.value {
            YamlValue::List(items) => items.iter_mut().for_each(|item| item.name_profile(profile)),
            YamlValue::Map(entries) => entries.iter_mut().for_each(|entry| entry.node.name_profile(profile)),
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::Integer(_) | YamlValue::Float(_) | YamlValue::Text(_) => {
            }
        }
    }
}

/// Parses YAML. `None` for a text without a value.
///
/// # Errors
/// A syntax error, a duplicate key, values nested too deeply, or too many aliases.
pub fn read(text: &str, source: &Arc<ConfigSource>) -> Result<Option<ConfigNode>, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let says_something = |line: &str| {
        let line = line.trim();
        !(line.is_empty() || line.starts_with('#') || line == "---")
    };
    if !text.lines().any(says_something) {
        return Ok(None);
    }
    if let Some((line, column)) = syntax::nested_too_deeply(text) {
        let place = SourcePosition { source: Arc::clone(source), line, column };
        return Err(Problem { place, key: String::new(), fault: syntax::too_deep() });
    }
    let options = serde_saphyr::options! {
        strict_booleans: true,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        with_snippet: false,
        // The parser recurses, and each level uses much of the stack.
        budget: serde_saphyr::budget! { max_depth: syntax::MAX_NESTING },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 50_000,
            max_replay_stack_depth: 16
        }
    };
    let raw: Spanned<Raw> = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let place = error.location().map_or_else(
            || SourcePosition::start(source),
            |at| SourcePosition { source: Arc::clone(source), line: at.line().max(1), column: at.column().max(1) },
        );
        Problem { place, key: String::new(), fault: syntax::explain(error.without_snippet(), text) }
    })?;
    Ok(Some(with_places(raw, source)))
}

fn with_places(raw: Spanned<Raw>, source: &Arc<ConfigSource>) -> ConfigNode {
    let place = |at: serde_saphyr::Location| SourcePosition {
        source: Arc::clone(source),
        line: at.line(),
        column: at.column(),
    };
    let value = match raw.value {
        Raw::Null => YamlValue::Null,
        Raw::Bool(value) => YamlValue::Bool(value),
        Raw::Integer(value) => YamlValue::Integer(value),
        Raw::Float(value) => YamlValue::Float(value),
        Raw::Text(value) => YamlValue::Text(value),
        Raw::List(items) => YamlValue::List(items.into_iter().map(|item| with_places(item, source)).collect()),
        Raw::Map(entries) => YamlValue::Map(
            entries
                .into_iter()
                .map(|(key, value)| Entry {
                    place: place(key.defined),
                    key: key.value,
                    node: with_places(value, source),
                })
                .collect(),
        ),
    };
    ConfigNode { value, place: place(raw.defined), profile: None }
}

/// A value as deserialised, with the parser's positions.
enum Raw {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = access.next_key()? {
            entries.push((key, access.next_value()?));
        }
        Ok(Raw::Map(entries))
    }
}
