//! Keys of reading: how much is said (ANN-1).

use std::borrow::Cow;

use luna_messages::reading::Verbosity;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What is said of the elements that are read (ANN).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// How much is said of an element besides its text (ANN-1).
    #[schemars(with = "VerbositySchema")]
    pub verbosity: Verbosity,
}

/// The schema of [`Verbosity`], whose crate does not depend on `schemars`.
struct VerbositySchema;

impl JsonSchema for VerbositySchema {
    fn schema_name() -> Cow<'static, str> {
        "Verbosity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let choice = |verbosity: Verbosity| {
            let description = match verbosity {
                Verbosity::Brief => "Its text, and states that are not the usual ones.",
                Verbosity::Normal => "Also its role, its description, and its position in lists, menus and trees.",
                Verbosity::Full => "Everything that is known about it.",
            };
            json!({ "const": verbosity, "description": description, "type": "string" })
        };
        json_schema!({ "description": "How much is said of an element (ANN-1).", "oneOf": Verbosity::ALL.map(choice) })
    }
}
