//! The elements of a window as candidates for the target of a command (PIC-9).

use serde::{Deserialize, Serialize};

use crate::element::{Position, RangeValue, StateSet};
use crate::element_action::CapacitySet;
use crate::pick::Role;
use crate::{ElementId, Rect};

/// A ninth of the screen, by thirds: what a person means by "top right".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Zone {
    TopLeft,
    Top,
    TopRight,
    Left,
    Center,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

impl Zone {
    /// All zones, row by row.
    pub const ALL: [Self; 9] = [
        Self::TopLeft,
        Self::Top,
        Self::TopRight,
        Self::Left,
        Self::Center,
        Self::Right,
        Self::BottomLeft,
        Self::Bottom,
        Self::BottomRight,
    ];

    /// The serialised name, such as `top-right`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopLeft => "top-left",
            Self::Top => "top",
            Self::TopRight => "top-right",
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
            Self::BottomLeft => "bottom-left",
            Self::Bottom => "bottom",
            Self::BottomRight => "bottom-right",
        }
    }
}

/// An element that a command can act on or read, with the features that distinguish it (PIC-9). A protected field has no text (PIC-5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Stable across picks (PIC-6).
    pub id: ElementId,
    pub role: Role,
    /// Its own text; empty if only nearby labels identify it.
    pub text: String,
    /// On the desktop, in physical pixels.
    pub bbox: Rect,
    /// The application's automation id; empty if there is none.
    pub automation_id: String,
    /// Whether it accepts input now.
    pub enabled: bool,
    /// Texts of nearby labels, the most relevant first; at most three, never its own text.
    pub near: Vec<String>,
    pub zone: Zone,
    #[serde(flatten)]
    pub details: CandidateDetails,
}

/// What Luna says of a candidate besides its text (ANN-1).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CandidateDetails {
    pub states: StateSet,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<RangeValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// What is said of it when it is pointed at.
    pub said: String,
    /// What can be done to it; empty for a text that can only be read, and if nobody asked (EXE-1).
    #[serde(skip_serializing_if = "CapacitySet::is_empty")]
    pub capacities: CapacitySet,
    /// What it is more exactly than its role tells, such as a field for a date: it may be named by that alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Role>,
    /// Whether its content is a secret (PIC-5).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub protected: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // PIC-9
    #[test]
    fn zones_are_written_as_people_say_them_pic_9() {
        for zone in Zone::ALL {
            let written = serde_json::to_string(&zone).unwrap();
            assert_eq!(written, format!("\"{}\"", zone.name()));
            assert_eq!(serde_json::from_str::<Zone>(&written).unwrap(), zone);
        }
        assert_eq!(Zone::TopRight.name(), "top-right");
    }
}
