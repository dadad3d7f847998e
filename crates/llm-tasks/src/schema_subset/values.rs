//! Strings, numbers and fixed values.

use serde_json::Value;

use super::{Object, UnsupportedSchema, ValidationResult, count, in_order, nothing_beside, pattern, refuse};

/// Maximum characters of a string that a grammar can count.
const MAX_CHARACTERS: u64 = 2000;
/// Largest bound of an integer in either direction: what a 64-bit float holds exactly.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// Formats that the grammar converter supports.
const FORMATS: [&str; 4] = ["date", "time", "date-time", "uuid"];

pub(super) fn string(object: &Object, place: &str) -> ValidationResult {
    let least = count(object, "minLength", MAX_CHARACTERS, place)?;
    let most = count(object, "maxLength", MAX_CHARACTERS, place)?;
    in_order(least, most, ["minLength", "maxLength"], place)?;
    let both = |a: &str, b: &str| refuse(place, format!("\"{b}\" beside \"{a}\" is ignored"));
    let length = if least.is_some() { Some("minLength") } else { most.map(|_| "maxLength") };
    match (object.get("pattern"), object.get("format"), length) {
        (Some(_), Some(_), _) => both("pattern", "format"),
        (Some(_), _, Some(length)) => both("pattern", length),
        (_, Some(_), Some(length)) => both("format", length),
        (Some(Value::String(pattern)), None, None) => {
            pattern::check(pattern).or_else(|why| refuse(place, format!("the pattern {pattern}: {why}")))
        }
        (Some(_), None, None) => refuse(place, "\"pattern\" is no text"),
        (None, Some(Value::String(format)), None) if FORMATS.contains(&format.as_str()) => Ok(()),
        (None, Some(format), None) => {
            refuse(place, format!("the format {format} is not supported; {} are", FORMATS.join(", ")))
        }
        (None, None, _) => Ok(()),
    }
}

pub(super) fn number(object: &Object, place: &str) -> ValidationResult {
    match ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].iter().find(|key| object.contains_key(**key)) {
        Some(key) => refuse(place, format!("\"{key}\" is supported for integers, and this is a number")),
        None => Ok(()),
    }
}

pub(super) fn integer(object: &Object, place: &str) -> ValidationResult {
    let bound = |inclusive: &str, exclusive: &str| -> Result<Option<f64>, UnsupportedSchema> {
        let (inside, outside) = (object.get(inclusive), object.get(exclusive));
        if inside.is_some() && outside.is_some() {
            return refuse(place, format!("\"{exclusive}\" beside \"{inclusive}\" is ignored"));
        }
        let Some(value) = inside.or(outside) else { return Ok(None) };
        match value.as_f64() {
            Some(bound) if bound.abs() <= LARGEST => Ok(Some(bound)),
            Some(_) => refuse(place, format!("the bound {value} is too large")),
            None => refuse(place, format!("the bound {value} is no number")),
        }
    };
    let least = bound("minimum", "exclusiveMinimum")?.map(|least| match object.contains_key("exclusiveMinimum") {
        true => least.floor() + 1.0,
        false => least.ceil(),
    });
    let most = bound("maximum", "exclusiveMaximum")?.map(|most| match object.contains_key("exclusiveMaximum") {
        true => most.ceil() - 1.0,
        false => most.floor(),
    });
    match (least, most) {
        (Some(least), Some(most)) if least > most => refuse(place, "no integer lies between its bounds"),
        _ => Ok(()),
    }
}

/// `const` and `enum`: only `type` may stand beside them, and every value must have that type.
pub(super) fn check(object: &Object, place: &str) -> ValidationResult {
    let key = if object.contains_key("const") { "const" } else { "enum" };
    nothing_beside(object, place, &[key, "type"], key)?;
    let values: Vec<&Value> = match (key, object.get(key)) {
        ("const", Some(value)) => vec![value],
        (_, Some(Value::Array(values))) if !values.is_empty() => values.iter().collect(),
        _ => return refuse(place, "\"enum\" is no list of values"),
    };
    let kinds: Vec<&str> = match object.get("type") {
        None => return Ok(()),
        Some(Value::String(kind)) => vec![kind],
        // A list of types becomes a union, each part of which would allow all values.
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        Some(_) => return refuse(place, "\"type\" is neither the name of a type nor a list of such"),
    };
    match values.iter().find(|value| !kinds.iter().any(|kind| is_of(value, kind))) {
        Some(value) => refuse(place, format!("the value {value} is not of the type {}", kinds.join(" or "))),
        None => Ok(()),
    }
}

pub(super) fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}
