//! Input is checked against the schema that is published: one error, which says what is wrong and what to do.

use luna_messages::tools::{ToolFailure, ToolFailureKind, ToolKind};
use serde_json::{Map, Value};

/// A failure for input that is not as the schema says.
pub(crate) fn invalid(tool: ToolKind, what: &str) -> ToolFailure {
    let message = format!("The input of {} is not valid: {what}.", tool.name());
    ToolFailure::new(ToolFailureKind::InvalidInput, message)
}

/// The input with numbers and truth values as such.
///
/// # Errors
/// The first thing that is not as the schema says.
pub(crate) fn checked(tool: ToolKind, schema: &Value, arguments: &Value) -> Result<Value, ToolFailure> {
    let parsed;
    let arguments = match arguments {
        // The whole input as a string.
        Value::String(text) => {
            parsed = serde_json::from_str::<Value>(text)
                .map_err(|_| invalid(tool, "it is a string that is no JSON; give an object"))?;
            &parsed
        }
        other => other,
    };
    let none = Value::Object(Map::new());
    let arguments = if arguments.is_null() { &none } else { arguments };
    value("", schema, arguments).map_err(|what| invalid(tool, &what))
}

fn value(path: &str, schema: &Value, given: &Value) -> Result<Value, String> {
    if let Some(choices) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
        return any_of(path, choices, given);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if given.is_null() && types.contains(&"null") {
        return Ok(Value::Null);
    }
    if let Some(only) = schema.get("const") {
        return if given == only { Ok(given.clone()) } else { Err(format!("{} must be {only}", named(path))) };
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let listed: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        return one_of(path, &listed, given);
    }
    match types.iter().find(|one| **one != "null").copied() {
        Some("object") => object(path, schema, given),
        Some("integer") => integer(path, schema, given),
        Some("string") => string(path, schema, given),
        Some("boolean") => boolean(path, given),
        _ => Ok(given.clone()),
    }
}

fn named(path: &str) -> String {
    if path.is_empty() { "it".to_owned() } else { path.to_owned() }
}

/// An enum with descriptions is a list of constants, an option a list of a schema and null.
fn any_of(path: &str, choices: &[Value], given: &Value) -> Result<Value, String> {
    let is_null = |choice: &&Value| choice["type"] == "null";
    if given.is_null() && choices.iter().any(|choice| is_null(&choice)) {
        return Ok(Value::Null);
    }
    let listed: Vec<String> =
        choices.iter().filter_map(|choice| choice.get("const")?.as_str().map(str::to_owned)).collect();
    if listed.len() == choices.len() {
        return one_of(path, &listed, given);
    }
    let mut error = format!("{} fits none of the choices", named(path));
    for choice in choices.iter().filter(|choice| !is_null(choice)) {
        match value(path, choice, given) {
            Ok(fits) => return Ok(fits),
            Err(what) => error = what,
        }
    }
    Err(error)
}

fn one_of(path: &str, words: &[String], given: &Value) -> Result<Value, String> {
    let said = given.as_str().map(|word| word.trim().to_lowercase());
    match said.filter(|said| words.contains(said)) {
        Some(word) => Ok(Value::String(word)),
        None => Err(format!("{} must be one of {}", named(path), words.join(", "))),
    }
}

fn object(path: &str, schema: &Value, given: &Value) -> Result<Value, String> {
    let Some(given) = given.as_object() else { return Err(format!("{} must be an object", named(path))) };
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let known = || match properties.is_empty() {
        true => "it takes nothing".to_owned(),
        false => format!("it takes {}", properties.keys().cloned().collect::<Vec<_>>().join(", ")),
    };
    let mut read = Map::new();
    for (name, value_given) in given {
        let Some(of) = properties.get(name) else {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            return Err(format!("'{shown}' is unknown; {}", known()));
        };
        let place = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        read.insert(name.clone(), value(&place, of, value_given)?);
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    for name in required.iter().filter_map(Value::as_str) {
        if !read.contains_key(name) {
            let place = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            return Err(format!("{place} is missing; {}", known()));
        }
    }
    // Absent, so that the default takes its place.
    read.retain(|_, value| !value.is_null());
    Ok(Value::Object(read))
}

fn integer(path: &str, schema: &Value, given: &Value) -> Result<Value, String> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
    let number = match given {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(whole))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64).and_then(whole);
    let (least, most) = (limit("minimum"), limit("maximum"));
    let range = match (least, most) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        _ => String::new(),
    };
    match number {
        Some(number) if least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most) => {
            Ok(Value::from(number))
        }
        _ => Err(format!("{} must be a whole number{range}", named(path))),
    }
}

fn string(path: &str, schema: &Value, given: &Value) -> Result<Value, String> {
    let Some(text) = given.as_str() else { return Err(format!("{} must be a string", named(path))) };
    let length = text.chars().count() as u64;
    let limit = |name: &str| schema.get(name).and_then(Value::as_u64);
    if limit("maxLength").is_some_and(|most| length > most) {
        let most = limit("maxLength").unwrap_or_default();
        return Err(format!("{} has {length} characters, at most {most} are taken; give less at a time", named(path)));
    }
    if limit("minLength").is_some_and(|least| length < least) {
        return Err(format!("{} is empty; give a text", named(path)));
    }
    Ok(given.clone())
}

fn boolean(path: &str, given: &Value) -> Result<Value, String> {
    match given {
        Value::Bool(_) => Ok(given.clone()),
        Value::String(text) if text == "true" || text == "false" => Ok(Value::Bool(text == "true")),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Err(format!("{} must be true or false", named(path)))
        }
    }
}
