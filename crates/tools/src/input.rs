//! What each tool takes. The doc comments and limits are published with the schemas.

use schemars::JsonSchema;
use serde::Deserialize;

/// Longest text that is echoed or typed, in characters.
pub const LONGEST_TEXT: u32 = 2000;
/// Longest name, target or label, in characters.
pub const LONGEST_NAME: u32 = 200;
/// Longest wait in milliseconds.
pub const LONGEST_WAIT_MS: u32 = 30_000;

/// Input of `echo`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EchoInput {
    /// The text that comes back.
    #[schemars(length(max = 2000))]
    pub text: String,
}

/// A part of the desktop in physical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionInput {
    /// Left edge.
    #[schemars(range(min = -32768, max = 32767))]
    pub x: i32,
    /// Top edge.
    #[schemars(range(min = -32768, max = 32767))]
    pub y: i32,
    #[schemars(range(min = 1, max = 32767))]
    pub width: i32,
    #[schemars(range(min = 1, max = 32767))]
    pub height: i32,
}

/// Input of `screen_capture` and `ocr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CaptureInput {
    /// The part of the desktop; without it, the active window.
    pub region: Option<RegionInput>,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ButtonInput {
    #[default]
    Left,
    Right,
}

/// Input of `click`: either both coordinates or a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClickInput {
    /// Physical pixels from the left edge of the desktop.
    #[schemars(range(min = -32768, max = 32767))]
    pub x: Option<i32>,
    /// Physical pixels from its top edge.
    #[schemars(range(min = -32768, max = 32767))]
    pub y: Option<i32>,
    /// A text that the active window shows: it is looked for by text recognition, and the most certain place is clicked.
    #[schemars(length(min = 1, max = 200))]
    pub text: Option<String>,
    pub button: ButtonInput,
    /// Whether it is a double click.
    pub double: bool,
}

/// Input of `type`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeInput {
    /// What is typed where the keyboard focus is. A line end is the Enter key.
    #[schemars(length(min = 1, max = 2000))]
    pub text: String,
}

/// Input of `key_press`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyPressInput {
    /// The keys, such as `Enter`, `Ctrl+S`, `Alt+F4`, `Page Down`.
    #[schemars(length(min = 1, max = 40))]
    pub keys: String,
    /// How often.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 20))]
    pub times: u8,
}

/// Where to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum PageDirection {
    Up,
    Down,
}

/// Input of `scroll`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrollInput {
    pub direction: PageDirection,
    /// How many pages.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 20))]
    pub pages: u8,
}

/// Input of `wait`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitInput {
    /// Milliseconds.
    #[schemars(range(min = 0, max = 30000))]
    pub ms: u32,
}

/// Input of `launch_app`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaunchAppInput {
    /// The name of the program as the menus show it, in any language, or the name of its desktop file. Not a command line.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
}

/// Input of `list_windows`: nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListWindowsInput {}

/// Input of `navigate_to`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NavigateToInput {
    /// The screen to reach, in words.
    #[schemars(length(min = 1, max = 200))]
    pub target: String,
}

/// How much of the screen is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadMode {
    /// What the accessibility tree tells: the elements of the active window.
    #[default]
    Quick,
    /// What a vision model says of it, too.
    Detailed,
}

/// Input of `read_screen`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReadScreenInput {
    pub mode: ReadMode,
}

const fn once() -> u8 {
    1
}
