//! Which JSON Schemas an answer can be held to (DSL-3): a grammar says less than a schema, and what it can't say would be passed over in silence. So a
//! schema is refused before anything is generated, with the place in it and why, if it asks for more.
//!
//! Accepted are `type`, `properties`, `required`, `additionalProperties`, `items` or `prefixItems`, `minItems`, `maxItems`, `minLength`,
//! `maxLength`, `pattern` (see [`pattern`]), `format` with dates, times and UUIDs, bounds of integers, `enum`, `const`, `anyOf`, `oneOf` whose
//! parts exclude one another, `allOf` of objects, `$ref` into the same schema, and everything that only describes.

mod alternatives;
mod objects;
mod pattern;
mod values;

use serde_json::{Map, Value};

/// Why a schema can't be kept to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The JSON Schema can't be kept to at {place}: {why}.")]
pub struct Unkept {
    /// The place in the schema, such as `#/properties/age`.
    pub place: String,
    /// What is wrong, the end of a sentence.
    pub why: String,
}

type ValidationResult = Result<(), Unkept>;
type Object = Map<String, Value>;

/// Keywords that only describe, or hold schemas for others to refer to.
const DESCRIBING: [&str; 13] = [
    "title",
    "description",
    "default",
    "examples",
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$anchor",
];

/// How deep schemas may lie in one another; deeper ones, and references in a circle, could be followed for ever.
const MOST_DEEP: usize = 64;

/// Checks a schema.
///
/// # Errors
/// The first place where more is asked for than an answer can be held to.
pub fn check(schema: &Value) -> ValidationResult {
    if schema.is_boolean() {
        return if schema == true { Ok(()) } else { refuse("#", "it allows nothing") };
    }
    let mut checker = Checker { root: schema, referred: Vec::new() };
    checker.node(schema, "#", 0)
}

struct Checker<'a> {
    root: &'a Value,
    /// References that were followed already, so that one in a circle ends.
    referred: Vec<String>,
}

fn refuse<T>(place: &str, why: impl Into<String>) -> Result<T, Unkept> {
    Err(Unkept { place: place.to_owned(), why: why.into() })
}

/// The first keyword beside those that are known, and those that only describe.
fn first_other<'a>(object: &'a Object, known: &[&str]) -> Option<&'a str> {
    object.keys().map(String::as_str).find(|key| !known.contains(key) && !DESCRIBING.contains(key))
}

/// Refuses what stands beside keywords that would hide it.
fn nothing_beside(object: &Object, place: &str, known: &[&str], hidden_by: &str) -> ValidationResult {
    match first_other(object, known) {
        Some(other) => refuse(place, format!("\"{other}\" beside \"{hidden_by}\" is not looked at; put it inside")),
        None => Ok(()),
    }
}

impl<'a> Checker<'a> {
    fn node(&mut self, schema: &'a Value, place: &str, depth: usize) -> ValidationResult {
        let Some(object) = schema.as_object() else {
            return refuse(place, "a schema has to be an object here");
        };
        if depth > MOST_DEEP {
            return refuse(place, "schemas lie too deep in one another");
        }
        if let Some(reference) = object.get("$ref") {
            nothing_beside(object, place, &["$ref"], "$ref")?;
            return self.reference(reference, place, depth);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(parts) = object.get(key) {
                nothing_beside(object, place, &[key], key)?;
                return self.alternatives(parts, key, place, depth);
            }
        }
        if object.contains_key("const") || object.contains_key("enum") {
            return values::check(object, place);
        }
        if object.contains_key("allOf") {
            return self.all_of(object, place, depth);
        }
        match object.get("type") {
            None => self.typed(object, implied_type(object), place, depth),
            Some(Value::String(kind)) => self.typed(object, Some(kind.as_str()), place, depth),
            Some(Value::Array(kinds)) if !kinds.is_empty() => kinds.iter().try_for_each(|kind| match kind.as_str() {
                Some(kind) => self.typed(object, Some(kind), place, depth),
                None => refuse(place, "\"type\" holds something else than names of types"),
            }),
            Some(_) => refuse(place, "\"type\" is neither the name of a type nor a list of such"),
        }
    }

    fn typed(&mut self, object: &'a Object, kind: Option<&str>, place: &str, depth: usize) -> ValidationResult {
        only_known(object, place)?;
        match kind {
            None | Some("boolean" | "null") => Ok(()),
            Some("object") => self.object(object, place, depth),
            Some("array") => self.array(object, place, depth),
            Some("string") => values::string(object, place),
            Some("integer") => values::integer(object, place),
            Some("number") => values::number(object, place),
            Some(other) => refuse(place, format!("\"{other}\" is no type of JSON")),
        }
    }

    fn reference(&mut self, reference: &Value, place: &str, depth: usize) -> ValidationResult {
        let Some(path) = reference.as_str() else { return refuse(place, "\"$ref\" is no text") };
        let Some(target) = self.target(path) else {
            return refuse(place, format!("\"$ref\" names {path}, which is not in this schema"));
        };
        if self.referred.iter().any(|known| known == path) {
            return Ok(());
        }
        self.referred.push(path.to_owned());
        self.node(target, path, depth + 1)
    }

    /// What a reference names. Only plain names, as the grammar's maker looks them up.
    fn target(&self, path: &str) -> Option<&'a Value> {
        let names = path.strip_prefix("#/").filter(|names| !names.contains(['~', '%']))?;
        names.split('/').try_fold(self.root, |at, name| match at {
            Value::Object(object) => object.get(name),
            Value::Array(list) => list.get(name.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
    }
}

/// The type that keywords imply if none is named, as the grammar's maker takes it.
fn implied_type(object: &Object) -> Option<&'static str> {
    let has = |keys: &[&str]| keys.iter().any(|key| object.contains_key(*key));
    if has(&["properties", "additionalProperties", "required"]) {
        Some("object")
    } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
        Some("array")
    } else if has(&["pattern", "minLength", "maxLength", "format"]) {
        Some("string")
    } else if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
        Some("number")
    } else {
        None
    }
}

/// Refuses keywords that no grammar is made of.
fn only_known(object: &Object, place: &str) -> ValidationResult {
    const KNOWN: [&str; 17] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "uniqueItems",
    ];
    match first_other(object, &KNOWN) {
        Some(other) => refuse(place, format!("\"{other}\" is not supported")),
        None if object.get("uniqueItems").is_some_and(|unique| *unique != false) => {
            refuse(place, "\"uniqueItems\" is not supported")
        }
        None => Ok(()),
    }
}

/// A number of things: whole, not negative, and not more than a grammar can count.
fn count(object: &Object, key: &str, most: u64, place: &str) -> Result<Option<u64>, Unkept> {
    match object.get(key) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(count) if count <= most => Ok(Some(count)),
            Some(_) => refuse(place, format!("\"{key}\" is more than the {most} that can be counted")),
            None => refuse(place, format!("\"{key}\" is no whole number from 0")),
        },
    }
}

/// Refuses bounds that exclude one another.
fn in_order(least: Option<u64>, most: Option<u64>, keys: [&str; 2], place: &str) -> ValidationResult {
    match (least, most) {
        (Some(least), Some(most)) if least > most => {
            refuse(place, format!("\"{}\" {least} and \"{}\" {most} exclude one another", keys[0], keys[1]))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
