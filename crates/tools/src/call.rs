//! A checked call of a tool.

use luna_messages::keyboard::KeyChord;
use luna_messages::tools::{ToolFailure, ToolFailureKind, ToolKind};
use luna_messages::{Point, Rect};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::check::{checked, invalid};
use crate::input::{
    ButtonInput, CaptureInput, ClickInput, EchoInput, KeyPressInput, LaunchAppInput, ListWindowsInput, NavigateToInput,
    ReadMode, ReadScreenInput, RegionInput, ScrollInput, TypeInput, WaitInput,
};
use crate::table::describe;

/// Exactly one of the two ways to say it (TOOL-2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClickTarget {
    At(Point),
    Text(String),
}

/// A call that was checked. Its text may be a secret; nothing prints it.
#[derive(Clone, PartialEq)]
#[allow(missing_docs, reason = "the table of tools describes them")]
pub enum CheckedCall {
    Echo { text: String },
    ScreenCapture { region: Option<Rect> },
    Ocr { region: Option<Rect> },
    Click { target: ClickTarget, button: ButtonInput, double: bool },
    Type { text: String },
    KeyPress { chord: KeyChord, times: u8 },
    Scroll(ScrollInput),
    Wait(WaitInput),
    LaunchApp { name: String },
    ListWindows,
    NavigateTo { target: String },
    ReadScreen { mode: ReadMode },
}

impl CheckedCall {
    /// Checks a call. Numbers and truth values may come as strings, and the whole input as a string of JSON, as small models write them.
    ///
    /// # Errors
    /// What is wrong and what to do: no tool has the name, or its input is not as its schema says.
    pub fn parse(name: &str, arguments: &Value) -> Result<Self, ToolFailure> {
        let Some(tool) = ToolKind::named(name) else {
            let known: Vec<&str> = ToolKind::ALL.iter().map(|tool| tool.name()).collect();
            let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            let message = format!("No tool is called '{shown}'. The tools are {}.", known.join(", "));
            return Err(ToolFailure::new(ToolFailureKind::UnknownTool, message));
        };
        let input = checked(tool, &describe(tool).input_schema, arguments)?;
        Ok(match tool {
            ToolKind::Echo => Self::Echo { text: read::<EchoInput>(tool, input)?.text },
            ToolKind::ScreenCapture => Self::ScreenCapture { region: region(read(tool, input)?) },
            ToolKind::Ocr => Self::Ocr { region: region(read(tool, input)?) },
            ToolKind::Click => click(read(tool, input)?)?,
            ToolKind::Type => {
                let TypeInput { text } = read(tool, input)?;
                let is_typeable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
                if !text.chars().all(is_typeable) {
                    return Err(invalid(tool, "text has a control character, which no key types; leave it out"));
                }
                Self::Type { text }
            }
            ToolKind::KeyPress => {
                let KeyPressInput { keys, times } = read(tool, input)?;
                let chord = keys.parse().map_err(|error| {
                    invalid(tool, &format!("keys: {error}; write them like Enter, Ctrl+S or Page Down"))
                })?;
                Self::KeyPress { chord, times }
            }
            ToolKind::Scroll => Self::Scroll(read(tool, input)?),
            ToolKind::Wait => Self::Wait(read(tool, input)?),
            ToolKind::LaunchApp => Self::LaunchApp { name: read::<LaunchAppInput>(tool, input)?.name },
            ToolKind::ListWindows => {
                let ListWindowsInput {} = read(tool, input)?;
                Self::ListWindows
            }
            ToolKind::NavigateTo => Self::NavigateTo { target: read::<NavigateToInput>(tool, input)?.target },
            ToolKind::ReadScreen => Self::ReadScreen { mode: read::<ReadScreenInput>(tool, input)?.mode },
        })
    }

    #[must_use]
    pub const fn tool(&self) -> ToolKind {
        match self {
            Self::Echo { .. } => ToolKind::Echo,
            Self::ScreenCapture { .. } => ToolKind::ScreenCapture,
            Self::Ocr { .. } => ToolKind::Ocr,
            Self::Click { .. } => ToolKind::Click,
            Self::Type { .. } => ToolKind::Type,
            Self::KeyPress { .. } => ToolKind::KeyPress,
            Self::Scroll(_) => ToolKind::Scroll,
            Self::Wait(_) => ToolKind::Wait,
            Self::LaunchApp { .. } => ToolKind::LaunchApp,
            Self::ListWindows => ToolKind::ListWindows,
            Self::NavigateTo { .. } => ToolKind::NavigateTo,
            Self::ReadScreen { .. } => ToolKind::ReadScreen,
        }
    }
}

/// The input was checked already; what still does not fit is told as it is.
fn read<T: DeserializeOwned>(tool: ToolKind, input: Value) -> Result<T, ToolFailure> {
    serde_json::from_value(input).map_err(|error| invalid(tool, &error.to_string()))
}

fn region(input: CaptureInput) -> Option<Rect> {
    input.region.map(|RegionInput { x, y, width, height }| Rect::new(x, y, width, height))
}

fn click(input: ClickInput) -> Result<CheckedCall, ToolFailure> {
    let ClickInput { x, y, text, button, double } = input;
    let target = match (x, y, text) {
        (Some(x), Some(y), None) => ClickTarget::At(Point::new(x, y)),
        (None, None, Some(text)) if !text.trim().is_empty() => ClickTarget::Text(text.trim().to_owned()),
        (None, None, _) => return Err(invalid(ToolKind::Click, "nothing tells what to click; give x and y, or text")),
        (Some(_), None, None) | (None, Some(_), None) => {
            return Err(invalid(ToolKind::Click, "one coordinate is missing; give both x and y"));
        }
        (_, _, Some(_)) => return Err(invalid(ToolKind::Click, "give either x and y, or text, not both")),
    };
    Ok(CheckedCall::Click { target, button, double })
}
