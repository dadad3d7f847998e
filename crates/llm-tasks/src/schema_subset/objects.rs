//! Objects and arrays.

use serde_json::Value;

use super::{Checker, Object, UnsupportedSchema, ValidationResult, count, in_order, nothing_beside, refuse};

/// Maximum elements of an array that a grammar can count.
const MAX_ITEMS: u64 = 1000;

impl<'a> Checker<'a> {
    pub(super) fn object(&mut self, object: &'a Object, place: &str, depth: usize) -> ValidationResult {
        let names = self.properties(object, place, depth)?;
        if let Some(missing) = required(object, place)?.into_iter().find(|name| !names.contains(name)) {
            return refuse(place, format!("\"required\" names \"{missing}\", which \"properties\" does not describe"));
        }
        match object.get("additionalProperties") {
            None | Some(Value::Bool(_)) => Ok(()),
            Some(schema) => self.node(schema, &format!("{place}/additionalProperties"), depth + 1),
        }
    }

    /// Checks the properties and returns their names.
    fn properties(&mut self, object: &'a Object, place: &str, depth: usize) -> Result<Vec<&'a str>, UnsupportedSchema> {
        let Some(properties) = object.get("properties") else { return Ok(Vec::new()) };
        let Some(properties) = properties.as_object() else { return refuse(place, "\"properties\" is no object") };
        for (name, schema) in properties {
            self.node(schema, &format!("{place}/properties/{name}"), depth + 1)?;
        }
        Ok(properties.keys().map(String::as_str).collect())
    }

    pub(super) fn array(&mut self, object: &'a Object, place: &str, depth: usize) -> ValidationResult {
        let least = count(object, "minItems", MAX_ITEMS, place)?;
        let most = count(object, "maxItems", MAX_ITEMS, place)?;
        in_order(least, most, ["minItems", "maxItems"], place)?;
        let list = |key: &'static str| object.get(key).and_then(Value::as_array).map(|list| (key, list));
        match list("items").or_else(|| list("prefixItems")) {
            Some((key, list)) => {
                if object.contains_key("items") && object.contains_key("prefixItems") {
                    return refuse(place, "\"items\" beside \"prefixItems\" is not supported");
                }
                let length = list.len() as u64;
                if least.is_some_and(|least| least > length) || most.is_some_and(|most| most < length) {
                    return refuse(place, format!("an array of these {length} elements breaks its own bounds"));
                }
                let mut items = list.iter().enumerate();
                items.try_for_each(|(index, item)| self.node(item, &format!("{place}/{key}/{index}"), depth + 1))
            }
            None if object.contains_key("prefixItems") => refuse(place, "\"prefixItems\" is no list"),
            None => match object.get("items") {
                None => Ok(()),
                Some(item) => self.node(item, &format!("{place}/items"), depth + 1),
            },
        }
    }

    /// `allOf` is accepted if its parts are objects with different properties: then it is equivalent to one object.
    pub(super) fn all_of(&mut self, object: &'a Object, place: &str, depth: usize) -> ValidationResult {
        nothing_beside(object, place, &["allOf", "type"], "allOf")?;
        if object.get("type").is_some_and(|kind| kind != "object") {
            return refuse(place, "\"allOf\" is supported for objects only");
        }
        let Some(parts) = object.get("allOf").and_then(Value::as_array).filter(|parts| !parts.is_empty()) else {
            return refuse(place, "\"allOf\" is no list of schemas");
        };
        let (mut known, mut wanted) = (Vec::new(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let place = format!("{place}/allOf/{index}");
            self.node(part, &place, depth + 1)?;
            let part = match part.get("$ref").and_then(Value::as_str) {
                Some(path) => self.target(path),
                None => Some(part),
            };
            let Some(part) = part.and_then(Value::as_object).filter(|part| part.contains_key("properties")) else {
                return refuse(&place, "parts of \"allOf\" have to be objects with \"properties\"");
            };
            nothing_beside(part, &place, &["type", "properties", "required"], "allOf")?;
            if part.get("type").is_some_and(|kind| kind != "object") {
                return refuse(&place, "parts of \"allOf\" have to be objects with \"properties\"");
            }
            for name in part.get("properties").and_then(Value::as_object).into_iter().flat_map(|them| them.keys()) {
                if known.contains(&name.as_str()) {
                    return refuse(&place, format!("two parts of \"allOf\" describe \"{name}\"; describe it in one"));
                }
                known.push(name.as_str());
            }
            wanted.extend(required(part, &place)?);
        }
        match wanted.into_iter().find(|name| !known.contains(name)) {
            Some(missing) => {
                refuse(place, format!("\"required\" names \"{missing}\", which \"properties\" does not describe"))
            }
            None => Ok(()),
        }
    }
}

/// The names under `required`.
fn required<'a>(object: &'a Object, place: &str) -> Result<Vec<&'a str>, UnsupportedSchema> {
    match object.get("required") {
        None => Ok(Vec::new()),
        Some(Value::Array(names)) if names.iter().all(Value::is_string) => {
            Ok(names.iter().filter_map(Value::as_str).collect())
        }
        Some(_) => refuse(place, "\"required\" is no list of names"),
    }
}
