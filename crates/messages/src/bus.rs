//! Events for programs outside Luna, under the names of FOC-3: `luna ctl events`, the dashboard and later the overlay.
//! Serialised as `{"name": "Focus.Pick.result", "data": {…}}`. They carry screen content, so reading them needs a token (PRV-4).

use serde::{Deserialize, Serialize};

use crate::capability::{Capability, CapabilityState};
use crate::control::Command;
use crate::pick::PickMethod;
use crate::reading::{Intent, Style};
use crate::{Lang, Point, Rect};

/// An event that programs outside Luna can receive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "data")]
#[allow(missing_docs, reason = "names and fields are the contract of FOC-3")]
pub enum BusEvent {
    #[serde(rename = "FocusMode.toggle")]
    FocusModeToggle { on: bool },
    #[serde(rename = "Focus.State")]
    FocusState { state: String },
    #[serde(rename = "Focus.Pick.request")]
    PickRequest { cursor: Point },
    #[serde(rename = "Focus.Pick.result")]
    PickResult { method: PickMethod, bbox: Rect, text: String, lang: Lang, is_table: bool },
    #[serde(rename = "Focus.Pick.failed")]
    PickFailed { reason: String },
    #[serde(rename = "Focus.Intent.result")]
    IntentResult { intent: Intent },
    #[serde(rename = "Focus.Read.request")]
    ReadRequest { text: String, style: Style, rate: f32 },
    #[serde(rename = "Overlay.Highlight")]
    Highlight { bbox: Option<Rect>, pinned: bool },
    #[serde(rename = "TTS.Start")]
    TtsStart { idx: usize, text: String, lang: Lang, notice: bool },
    #[serde(rename = "TTS.Progress")]
    TtsProgress { idx: usize, of: usize },
    #[serde(rename = "TTS.Stop")]
    TtsStop { idx: usize, finished: bool },
    #[serde(rename = "TTS.Rate")]
    TtsRate { rate: f32 },
    #[serde(rename = "BargeIn.Command")]
    BargeIn {
        #[serde(rename = "type")]
        command: Command,
    },
    #[serde(rename = "Capability.changed")]
    CapabilityChanged { capability: Capability, state: CapabilityState },
    #[serde(rename = "Actor.restarted")]
    ActorRestarted { actor: String, reason: String },
}
