//! The JSON Schema of a configuration file, for editors; `config/schema.json` is its committed copy.

use serde_json::{Value as Json, json};

use super::Config;

/// The schema. A file sets only the keys that it changes, so no key of a profile is required; items of lists must be complete.
#[must_use]
pub fn schema() -> Json {
    let mut config = schemars::schema_for!(Config).to_value();
    let mut defs = config["$defs"].take();
    loosen(&mut config);
    if let Some(all) = defs.as_object_mut() {
        all.values_mut().for_each(loosen);
        if let Some(body) = config.as_object_mut() {
            body.remove("$defs");
            body.remove("$schema");
        }
        all.insert("Profile".to_owned(), config);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Luna's configuration file",
        "type": "object",
        "properties": {
            "version": { "const": 1 },
            "profiles": {
                "description": "Profiles by name. Each inherits from default, or from those that it merges with <<, deeply.",
                "type": ["object", "null"],
                "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/Profile" }, { "type": "null" }] }
            }
        },
        "patternProperties": { "^x-": true },
        "additionalProperties": false,
        "required": ["version"],
        "$defs": defs
    })
}

fn loosen(schema: &mut Json) {
    if schema["x-complete"] == true {
        return;
    }
    let Some(body) = schema.as_object_mut() else {
        return;
    };
    body.remove("required");
    if let Some(properties) = body.get_mut("properties").and_then(Json::as_object_mut) {
        properties.insert("<<".to_owned(), json!(true));
    }
}
