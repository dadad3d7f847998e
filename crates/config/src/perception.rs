//! Keys of perception: buffers, focus mode, overlay, privacy.

use luna_messages::pick::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much recent context is kept in memory (BUF-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Windows {
    /// The person's speech.
    pub stt: SttWindow,
    /// Snapshots of the accessibility tree.
    pub uia: UiaWindow,
    /// Recognised text.
    pub ocr: OcrWindow,
    /// Lines around the line being read.
    pub text: TextWindow,
    /// Entries of Luna's log.
    pub log: LogWindow,
}

/// Ring buffers of speech.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SttWindow {
    /// Newest seconds, kept for recognising a command.
    #[schemars(range(min = 1, max = 60))]
    pub hot_seconds: u32,
    /// All seconds kept; at least `hot_seconds`.
    #[schemars(range(min = 1, max = 120))]
    pub full_seconds: u32,
}

/// Snapshots of the accessibility tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UiaWindow {
    /// Number of snapshots kept.
    #[schemars(range(min = 1, max = 20))]
    pub snapshots: u32,
    /// Time until each expires, in milliseconds.
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_ms: u64,
}

/// Results of text recognition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcrWindow {
    /// Blocks kept per recognition.
    #[schemars(range(min = 1, max = 500))]
    pub topk: u32,
    /// Number of recognitions kept.
    #[schemars(range(min = 1, max = 20))]
    pub history: u32,
    /// Time until each expires, in milliseconds.
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_ms: u64,
}

/// Lines of text around the line being read.
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
    /// Number of newest entries kept.
    #[schemars(range(min = 0, max = 100))]
    pub recent: u32,
}

/// Reading what is under the cursor (FOC, PIC).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FocusMode {
    /// What draws the attention; the newest wins (ATT-1).
    pub sources: Vec<AttentionSource>,
    /// Read again when the cursor has moved and settled (FOC-2).
    pub follow: bool,
    /// Minimum distance that counts as a move within one element and line, in physical pixels (FOC-2).
    #[schemars(range(min = 0, max = 1000))]
    pub move_threshold_px: u32,
    /// Time without a move until the cursor counts as settled, in milliseconds (FOC-2).
    #[schemars(range(min = 0, max = 5000))]
    pub debounce_ms: u64,
    /// Side length of the recognised region, in physical pixels (PIC-2).
    #[schemars(range(min = 64, max = 4096))]
    pub roi_px: u32,
    /// Try the accessibility tree before text recognition (PIC-1).
    pub prefer_uia: bool,
    /// Time without a command until Luna leaves the mode, in milliseconds.
    #[schemars(range(min = 500, max = 120_000))]
    pub wait_cmd_timeout_ms: u64,
    /// What to capture (PIC-3).
    pub capture: CaptureUnit,
    /// Weights for choosing the recognised block to read (PIC-4).
    pub ocr: OcrWeights,
    /// Mean confidence below which Luna says that it is unsure; 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ocr_low_quality: f64,
}

/// What draws the attention (ATT-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttentionSource {
    /// The pointer at rest.
    Pointer,
    /// The keyboard focus.
    Focus,
}

/// What to capture (PIC-3).
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
    /// Weight of nearness to the cursor.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_text: f64,
    /// Weight of the estimated font size.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_size: f64,
    /// Subtracted for low contrast.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub w_contrast_penalty: f64,
    /// Added to the distance so that the quotient stays finite; above 0.
    #[schemars(range(min = 0.000_001, max = 1000.0))]
    pub epsilon: f64,
}

/// The frame around what is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Whether anything is shown at all.
    pub enabled: bool,
    /// Thicker lines with black and white edges, nothing translucent.
    pub high_contrast: bool,
    /// Colour as `#RRGGBB`.
    pub color: String,
    /// How dark the rest of the screen becomes; 0: unchanged, 1: black.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub dim_outside: f64,
    /// Corner radius in logical pixels.
    #[schemars(range(min = 0, max = 100))]
    pub corner_radius: u32,
    /// Show numbers at the options of a question.
    pub show_numbers: bool,
}

/// Privacy (PRV).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// Roles whose content is never read (PRV-3). `Password` and `ProtectedText` are always blocked, even if not listed.
    pub block_roles: Vec<BlockedRole>,
    /// Classes of text that logs replace by placeholders (PRV-2).
    pub redact: Vec<Redact>,
    /// Must be false: a model's thinking is never kept (PRV-2).
    pub store_think: bool,
    /// Must be false, except in debug builds (PRV-8).
    pub buffer_disk_persist: bool,
    /// Maximum time until expired content is wiped, in milliseconds (BUF-2).
    #[schemars(range(min = 100, max = 60_000))]
    pub ttl_purge_ms: u64,
}

macro_rules! blocked_roles {
    ($($role:ident),+ $(,)?) => {
        /// A role whose elements can be blocked (PRV-3). Windows and groups can't be blocked, because they contain everything else.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum BlockedRole {
            Password,
            ProtectedText,
            $($role,)+
        }

        impl BlockedRole {
            /// The role to block; `None` for roles that are always blocked.
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

/// A class of text that logs replace by a placeholder (PRV-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Redact {
    /// E-mail addresses.
    Email,
    /// Web addresses.
    Url,
}
