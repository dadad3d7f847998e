//! Which JSON Schemas can constrain an answer (DSL-3). A grammar expresses less than a schema and silently ignores the rest, so a schema that
//! asks for more is rejected before anything is generated, with the place in it and the reason.
//!
//! Accepted are `type`, `properties`, `required`, `additionalProperties`, `items` or `prefixItems`, `minItems`, `maxItems`, `minLength`,
//! `maxLength`, `pattern` (see [`pattern`]), `format` with dates, times and UUIDs, bounds of integers, `enum`, `const`, `anyOf`, `oneOf` with
//! mutually exclusive parts, `allOf` of objects, `$ref` into the same schema, and all annotations.

mod alternatives;
mod objects;
mod pattern;
mod values;

use serde_json::{Map, Value};

/// Why a schema can't be enforced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The JSON Schema can't be kept to at {place}: {why}.")]
pub struct UnsupportedSchema {
    /// Path into the schema, such as `#/properties/age`.
    pub place: String,
    /// The reason, as the end of a sentence.
    pub why: String,
}

type ValidationResult = Result<(), UnsupportedSchema>;
type Object = Map<String, Value>;

/// Annotations, and keywords that hold schemas for references.
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

/// Maximum nesting of schemas; deeper ones are rejected.
const MAX_DEPTH: usize = 64;

/// Checks a schema.
///
/// # Errors
/// The first place that is malformed or asks for more than a grammar can enforce.
pub fn check(schema: &Value) -> ValidationResult {
    if schema.is_boolean() {
        return if schema == true { Ok(()) } else { refuse("#", "it allows nothing") };
    }
    let mut checker = Checker { root: schema, referred: Vec::new() };
    checker.node(schema, "#", 0)
}

struct Checker<'a> {
    root: &'a Value,
    /// References already followed, so that circular ones terminate.
    referred: Vec<String>,
}

fn refuse<T>(place: &str, why: impl Into<String>) -> Result<T, UnsupportedSchema> {
    Err(UnsupportedSchema { place: place.to_owned(), why: why.into() })
}

/// The first keyword that is neither in `known` nor an annotation.
fn first_other<'a>(object: &'a Object, known: &[&str]) -> Option<&'a str> {
    object.keys().map(String::as_str).find(|key| !known.contains(key) && !DESCRIBING.contains(key))
}

/// Rejects keywords that another keyword beside them would hide.
fn nothing_beside(object: &Object, place: &str, known: &[&str], hidden_by: &str) -> ValidationResult {
    match first_other(object, known) {
        Some(other) => refuse(place, format!("\"{other}\" beside \"{hidden_by}\" is ignored; put it inside")),
        None => Ok(()),
    }
}

impl<'a> Checker<'a> {
    fn node(&mut self, schema: &'a Value, place: &str, depth: usize) -> ValidationResult {
        let Some(object) = schema.as_object() else {
            return refuse(place, "a schema has to be an object here");
        };
        if depth > MAX_DEPTH {
            return refuse(place, "schemas are nested too deep");
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

    /// The schema that a reference names. Only plain names, as the grammar converter resolves them.
    fn target(&self, path: &str) -> Option<&'a Value> {
        let names = path.strip_prefix("#/").filter(|names| !names.contains(['~', '%']))?;
        names.split('/').try_fold(self.root, |at, name| match at {
            Value::Object(object) => object.get(name),
            Value::Array(list) => list.get(name.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
    }
}

/// The type that keywords imply if none is named, as the grammar converter infers it.
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

/// Rejects keywords that the grammar converter ignores.
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

/// A count: a non-negative integer that does not exceed the grammar's maximum.
fn count(object: &Object, key: &str, most: u64, place: &str) -> Result<Option<u64>, UnsupportedSchema> {
    match object.get(key) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(count) if count <= most => Ok(Some(count)),
            Some(_) => refuse(place, format!("\"{key}\" is more than the {most} that can be counted")),
            None => refuse(place, format!("\"{key}\" is no whole number from 0")),
        },
    }
}

/// Rejects bounds that exclude each other.
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
