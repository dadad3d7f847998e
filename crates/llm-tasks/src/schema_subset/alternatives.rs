//! `anyOf`, and `oneOf` if its parts are mutually exclusive.

use serde_json::Value;

use super::values::is_of;
use super::{Checker, Object, ValidationResult, implied_type, refuse};

const KINDS: [&str; 7] = ["null", "boolean", "string", "array", "object", "integer", "number"];

impl<'a> Checker<'a> {
    pub(super) fn alternatives(&mut self, parts: &'a Value, key: &str, place: &str, depth: usize) -> ValidationResult {
        let Some(parts) = parts.as_array().filter(|parts| !parts.is_empty()) else {
            return refuse(place, format!("\"{key}\" is no list of schemas"));
        };
        for (index, part) in parts.iter().enumerate() {
            self.node(part, &format!("{place}/{key}/{index}"), depth + 1)?;
        }
        if key == "anyOf" {
            return Ok(());
        }
        let parts: Vec<&Object> = parts.iter().filter_map(|part| self.resolved(part)).collect();
        for (index, part) in parts.iter().enumerate() {
            if parts[..index].iter().any(|other| !self.exclude(part, other)) {
                let why = "two parts of \"oneOf\" may fit the same answer; use \"anyOf\", or tell them apart by type or by a fixed value";
                return refuse(place, why);
            }
        }
        Ok(())
    }

    fn resolved(&self, part: &'a Value) -> Option<&'a Object> {
        match part.get("$ref").and_then(Value::as_str) {
            Some(path) => self.target(path)?.as_object(),
            None => part.as_object(),
        }
    }

    /// Whether certainly no value satisfies both.
    fn exclude(&self, one: &'a Object, other: &'a Object) -> bool {
        let (kinds, others) = (kinds(one), kinds(other));
        if kinds.iter().all(|kind| !others.contains(kind)) {
            return true;
        }
        match (fixed(one), fixed(other)) {
            (Some(values), Some(others)) => return values.iter().all(|value| !others.contains(value)),
            (Some(values), None) => return values.iter().all(|value| !others.iter().any(|kind| is_of(value, kind))),
            (None, Some(others)) => return others.iter().all(|value| !kinds.iter().any(|kind| is_of(value, kind))),
            (None, None) => {}
        }
        // Objects are distinguished by a property that both require, with disjoint fixed values.
        let properties = |object: &'a Object| object.get("properties").and_then(Value::as_object);
        let (Some(properties), Some(others)) = (properties(one), properties(other)) else { return false };
        properties.iter().any(|(name, schema)| {
            must_have(one, name)
                && must_have(other, name)
                && others.get(name).and_then(|it| self.resolved(it)).zip(self.resolved(schema)).is_some_and(
                    |(other, one)| match (fixed(one), fixed(other)) {
                        (Some(values), Some(others)) => values.iter().all(|value| !others.contains(value)),
                        _ => false,
                    },
                )
        })
    }
}

fn must_have(object: &Object, name: &str) -> bool {
    object.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|it| it == name))
}

/// The values that `const` or `enum` lists; `None` if there are none.
fn fixed(object: &Object) -> Option<Vec<&Value>> {
    match (object.get("const"), object.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        (None, _) => None,
    }
}

/// The types that a value may have; all types if unspecified.
fn kinds(object: &Object) -> Vec<&str> {
    let mut kinds: Vec<&str> = match object.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => implied_type(object).map_or_else(|| KINDS.to_vec(), |kind| vec![kind]),
    };
    // An integer is a number.
    if kinds.contains(&"number") {
        kinds.push("integer");
    }
    kinds
}
