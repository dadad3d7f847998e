//! Keys about what Luna perceives and keeps: buffers, focus reading, overlay, privacy.

use luna_messages::pick::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of the near past is kept in memory (BUF-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Windows {
    /// Speech of the person.
    pub stt: SttWindow,
    /// Snapshots of the accessibility tree.
    pub uia: UiaWindow,
    /// Recognised text.
    pub ocr: OcrWindow,
    /// Lines around the one that is read.
    pub text: TextWindow,
    /// Luna's own log.
    pub log: LogWindow,
}

/// Rings of speech.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SttWindow {
    /// Seconds kept ready for a command.
    #[schemars(range(min = 1, max = 60))]
    pub hot_seconds: u32,
    /// Seconds kept in all; at least `hot_seconds`.
    #[schemars(range(min = 1, max = 120))]
    pub full_seconds: u32,
}

/// Snapshots of the accessibility tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UiaWindow {
    /// How many are kept.
    #[schemars(range(min = 1, max = 20))]
    pub snapshots: u32,
    /// How long each counts, in milliseconds.
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_ms: u64,
}

/// Results of text recognition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcrWindow {
    /// Blocks kept of one recognition.
    #[schemars(range(min = 1, max = 500))]
    pub topk: u32,
    /// Recognitions kept.
    #[schemars(range(min = 1, max = 20))]
    pub history: u32,
    /// How long each counts, in milliseconds.
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_ms: u64,
}

/// Lines of text around the one that is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextWindow {
    /// Lines before.
    #[schemars(range(min = 0, max = 50))]
    pub prev: u32,
    /// Lines after.
    #[schemars(range(min = 0, max = 50))]
    pub next: u32,
}

/// Log entries that a model may see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogWindow {
    /// Newest entries kept.
    #[schemars(range(min = 0, max = 100))]
    pub recent: u32,
}

/// Reading what is under the cursor (FOC, PIC).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FocusMode {
    /// A settled move of the cursor picks again (FOC-2).
    pub follow: bool,
    /// A move counts from this distance, in physical pixels (FOC-2).
    #[schemars(range(min = 0, max = 1000))]
    pub move_threshold_px: u32,
    /// A move has settled after this time, in milliseconds (FOC-2).
    #[schemars(range(min = 0, max = 5000))]
    pub debounce_ms: u64,
    /// Side of the region that is recognised, in physical pixels (PIC-2).
    #[schemars(range(min = 64, max = 4096))]
    pub roi_px: u32,
    /// The accessibility tree first, then text recognition (PIC-1).
    pub prefer_uia: bool,
    /// How long Luna waits for a command before it leaves the mode, in milliseconds.
    #[schemars(range(min = 500, max = 120_000))]
    pub wait_cmd_timeout_ms: u64,
    /// What is captured: the window under the cursor, or the screen (PIC-3).
    pub capture: CaptureUnit,
    /// Which recognised block is meant (PIC-4).
    pub ocr: OcrWeights,
    /// Below this mean confidence Luna says that it is unsure; 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ocr_low_quality: f64,
}

/// The unit of capture (PIC-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaptureUnit {
    /// The window under the cursor.
    Window,
    /// The whole screen.
    Screen,
}

/// Weights of PIC-4: `w_text / (distance + epsilon) + w_size * font - w_contrast_penalty`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcrWeights {
    /// Weight of nearness.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_text: f64,
    /// Weight of the estimated font size.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_size: f64,
    /// Taken off where contrast is low.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_contrast_penalty: f64,
    /// Keeps the nearness finite; above 0.
    #[schemars(range(min = 0.000_001, max = 1000.0))]
    pub epsilon: f64,
}

/// The frame around what is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Colour as `#RRGGBB`.
    pub color: String,
    /// How much the rest darkens; 0 not at all, 1 black.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub dim_outside: f64,
    /// Corner radius in pixels.
    #[schemars(range(min = 0, max = 100))]
    pub corner_radius: u32,
    /// Candidates carry numbers.
    pub show_numbers: bool,
}

/// Privacy (PRV).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// Roles whose content is never read (PRV-3). `Password` and `ProtectedText` always count, whatever stands here.
    pub block_roles: Vec<BlockedRole>,
    /// What is replaced by tokens in logs (PRV-2).
    pub redact: Vec<Redact>,
    /// Refused when true: a model's thinking is never kept (PRV-2).
    pub store_think: bool,
    /// Refused when true, except in debug builds (PRV-8).
    pub buffer_disk_persist: bool,
    /// What expired is wiped within this time, in milliseconds (BUF-2).
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_purge_ms: u64,
}

macro_rules! blocked_roles {
    ($($role:ident),+ $(,)?) => {
        /// A role whose elements can be blocked (PRV-3). Windows and groups can't: with them everything would be.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum BlockedRole {
            Password,
            ProtectedText,
            $($role,)+
        }

        impl BlockedRole {
            /// The role to block; `None` for those that always are.
            #[must_use]
            pub const fn role(self) -> Option<Role> {
                match self {
                    Self::Password | Self::ProtectedText => None,
                    $(Self::$role => Some(Role::$role),)+
                }
            }
        }
    };
}

blocked_roles! {
    Text, Edit, Document, Hyperlink, Button, MenuItem, ListItem, Heading, Tab, CheckBox, RadioButton, ComboBox, Slider, Cell, Table, List, Image,
}

/// A class of text that logs do not show (PRV-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Redact {
    /// E-mail addresses.
    Email,
    /// Addresses of pages.
    Url,
}
