//! What a command can mean: the elements of a window as candidates (PIC-9).

use serde::{Deserialize, Serialize};

use crate::pick::Role;
use crate::{ElementId, Rect};

/// Where something is, in thirds: what a person means by "top right".
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
    /// All of them, row by row.
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

    /// The name that is serialised: `top-right`.
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

/// An element that a command can act on or read, with what tells it from others (PIC-9). Never a protected field (PIC-5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Stable id (PIC-6).
    pub id: ElementId,
    pub role: Role,
    /// Its text; empty if only the labels near it tell what it is.
    pub text: String,
    /// Place on the desktop.
    pub bbox: Rect,
    /// Automation id of the application, empty if there is none.
    pub automation_id: String,
    /// Whether a person can use it now.
    pub enabled: bool,
    /// Texts of the labels near it, the most telling first; at most three, never its own text.
    pub near: Vec<String>,
    /// Where on the screen it is.
    pub zone: Zone,
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
