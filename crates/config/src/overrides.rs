//! Single keys from the environment and from flags (CFG-3).

use std::sync::Arc;

use super::error::{Fault, Problem};
use super::nearest::nearest;
use super::place::{Place, Source};
use super::shape::{Found, Lost, Shape};
use super::tree::{Entry, Node, Value, read};

/// What the names of overriding variables begin with: `LUNA__TTS__RATE` is `tts.rate`.
pub const PREFIX: &str = "LUNA__";

/// The layer of one variable. Names of variables have no case, so names of tools, commands and the like are those that `below` has.
///
/// # Errors
/// An unknown key, or a value that is not YAML.
pub fn from_env(shape: &Shape, below: &Node, name: &str, value: &str) -> Result<Node, Problem> {
    let source = Arc::new(Source::Env { name: name.to_owned() });
    let mut at = Some(below);
    let mut path = Vec::new();
    for key in name.strip_prefix(PREFIX).unwrap_or(name).split("__") {
        let entry = match at.map(|node| &node.value) {
            Some(Value::Map(entries)) => entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)),
            _ => None,
        };
        path.push(entry.map_or_else(|| key.to_lowercase(), |entry| entry.key.clone()));
        at = entry.map(|entry| &entry.node);
    }
    layer(shape, &path.iter().map(String::as_str).collect::<Vec<_>>(), value, &source)
}

/// The layer of one `--set key=value`.
///
/// # Errors
/// No `=`, an unknown key, or a value that is not YAML.
pub fn from_flag(shape: &Shape, text: &str) -> Result<Node, Problem> {
    let source = Arc::new(Source::Flag { text: format!("--set {text}") });
    let Some((key, value)) = text.split_once('=') else {
        let place = Place { source, line: 0, column: 0 };
        return Err(Problem { place, key: String::new(), fault: Fault::NotAnAssignment });
    };
    layer(shape, &key.trim().split('.').collect::<Vec<_>>(), value, &source)
}

fn layer(shape: &Shape, path: &[&str], value: &str, source: &Arc<Source>) -> Result<Node, Problem> {
    let place = Place { source: Arc::clone(source), line: 0, column: 0 };
    let Found { path, schema } = shape.find(path).map_err(|Lost { index, known }| {
        let nearest = nearest(path[index], known.iter().map(String::as_str)).map(str::to_owned);
        let fault = Fault::UnknownKey { nearest, known };
        Problem { place: place.clone(), key: path[..=index].join(".").to_lowercase(), fault }
    })?;
    // Text is taken as it stands: `LUNA__OVERLAY__COLOR=#FF0000` is no comment.
    let mut node = if Shape::takes_text(schema) && value != "null" {
        Node { value: Value::Text(value.to_owned()), place: place.clone(), profile: None }
    } else {
        read(value, source).map_err(|problem| Problem { key: path.join("."), ..problem })?.unwrap_or(Node {
            value: Value::Null,
            place: place.clone(),
            profile: None,
        })
    };
    for key in path.into_iter().rev() {
        let entry = Entry { key, place: place.clone(), node };
        node = Node { value: Value::Map(vec![entry]), place: place.clone(), profile: None };
    }
    Ok(node)
}
