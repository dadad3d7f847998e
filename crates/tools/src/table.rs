//! The tools, one row each (TOOL-1).

use luna_messages::tools::ToolKind;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

use crate::input::{
    CaptureInput, ClickInput, EchoInput, KeyPressInput, LaunchAppInput, ListWindowsInput, NavigateToInput,
    ReadScreenInput, ScrollInput, TypeInput, WaitInput,
};

/// Whether a tool changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// It only looks, or does nothing: free for programs with the token.
    Reads,
    /// It acts on the screen: the person is asked each time.
    Acts,
}

/// A tool as it is published.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDescription {
    pub name: &'static str,
    pub description: &'static str,
    pub effect: ToolEffect,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

/// A row: what it is for, whether it acts, its input.
const fn row(tool: ToolKind) -> (&'static str, ToolEffect, fn() -> Value) {
    use ToolEffect::{Acts, Reads};
    match tool {
        ToolKind::Echo => ("Answers with the same text. Tells whether Luna runs.", Reads, schema::<EchoInput>),
        ToolKind::ScreenCapture => (
            "Takes a picture of the active window or of a part of the desktop, as PNG in base64. Protected fields are black.",
            Reads,
            schema::<CaptureInput>,
        ),
        ToolKind::Ocr => (
            "Recognises the text of the active window or of a part of the desktop, line by line with boxes. Protected fields are left out.",
            Reads,
            schema::<CaptureInput>,
        ),
        ToolKind::Click => (
            "Clicks a place of the desktop, or a text that the active window shows. Luna asks the person first.",
            Acts,
            schema::<ClickInput>,
        ),
        ToolKind::Type => {
            ("Types a text where the keyboard focus is. Luna asks the person first.", Acts, schema::<TypeInput>)
        }
        ToolKind::KeyPress => {
            ("Presses keys in the active window. Luna asks the person first.", Acts, schema::<KeyPressInput>)
        }
        ToolKind::Scroll => {
            ("Scrolls the active window by pages. Luna asks the person first.", Acts, schema::<ScrollInput>)
        }
        ToolKind::Wait => ("Waits.", Reads, schema::<WaitInput>),
        ToolKind::LaunchApp => {
            ("Starts an installed program by its name. Luna asks the person first.", Acts, schema::<LaunchAppInput>)
        }
        ToolKind::ListWindows => ("Lists the open windows, the active one first.", Reads, schema::<ListWindowsInput>),
        ToolKind::NavigateTo => (
            "Goes to a screen of a program by a known or learnt path. Not available yet.",
            Acts,
            schema::<NavigateToInput>,
        ),
        ToolKind::ReadScreen => (
            "Tells what the active window shows: its elements with type, text and box, and which screen of the program it is.",
            Reads,
            schema::<ReadScreenInput>,
        ),
    }
}

/// Whether a tool acts.
#[must_use]
pub const fn effect(tool: ToolKind) -> ToolEffect {
    row(tool).1
}

/// A tool as it is published.
#[must_use]
pub fn describe(tool: ToolKind) -> ToolDescription {
    let (description, effect, schema) = row(tool);
    ToolDescription { name: tool.name(), description, effect, input_schema: schema() }
}

/// All tools as they are published.
#[must_use]
pub fn list() -> Vec<ToolDescription> {
    ToolKind::ALL.into_iter().map(describe).collect()
}

/// The schema of an input, without references.
fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value()
}
