//! A screen as it was read: the active window and its elements.

use luna_messages::Rect;
use luna_messages::element::{Role, StateSet};
use luna_messages::element_action::ActionableElement;
use luna_messages::ocr::OcrBlock;
use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

/// Which screen of which program it is (SCR-1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenNode {
    pub program_name: String,
    /// SHA-256 over the stable traits of its elements, 64 hexadecimal digits.
    pub state_hash: String,
}

/// One element of a screen (SCR-2, SCR-3).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScreenElement {
    #[serde(rename = "type")]
    pub role: Role,
    /// What it says, its content included; empty for a protected field (PRV-3).
    pub text: String,
    /// What names it, or what the application says about it besides.
    pub description: String,
    /// On the desktop, in physical pixels.
    pub bbox: Rect,
    /// 0 to 1 for text recognition, 1 for the accessibility tree.
    pub confidence: f32,
    /// What names it, without its content: of a field the label, of a button its text.
    #[serde(skip)]
    pub name: String,
    /// The application's own id of it; empty if there is none.
    #[serde(skip)]
    pub automation_id: String,
    #[serde(skip)]
    pub states: StateSet,
}

impl ScreenElement {
    /// An element of the accessibility tree. A protected field has its label alone, whatever the platform reported (PRV-3).
    #[must_use]
    pub fn of_tree(one: &ActionableElement) -> Self {
        let element = &one.element;
        let label = element.label.as_str();
        let is_secret = one.protected || element.role == Role::Protected;
        let name = match element.role.has_content() || is_secret {
            true => label,
            false if label.is_empty() => element.text.as_str(),
            false => label,
        };
        let description = match (label, element.properties.description.as_str()) {
            (label, "") => label.to_owned(),
            ("", description) => description.to_owned(),
            (label, description) => format!("{label}, {description}"),
        };
        Self {
            role: if is_secret { Role::Protected } else { element.role },
            text: if is_secret { String::new() } else { element.text.clone() },
            description,
            bbox: element.bbox,
            confidence: 1.0,
            name: name.to_owned(),
            automation_id: element.automation_id.clone(),
            states: element.properties.states,
        }
    }

    /// A recognised line of text.
    #[must_use]
    pub fn recognised(block: &OcrBlock) -> Self {
        Self {
            role: Role::Text,
            text: block.text.clone(),
            description: String::new(),
            bbox: block.bbox,
            confidence: block.confidence,
            name: String::new(),
            automation_id: String::new(),
            states: StateSet::default(),
        }
    }
}

impl Zeroize for ScreenElement {
    fn zeroize(&mut self) {
        for text in [&mut self.text, &mut self.description, &mut self.name, &mut self.automation_id] {
            text.zeroize();
        }
    }
}

/// The active window as it was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScreenContent {
    /// The file name of the program, such as `gedit`; empty if it is not known.
    pub program_name: String,
    pub title: String,
    pub window: Rect,
    /// Boxes of the web pages that the window shows.
    pub pages: Vec<Rect>,
    pub elements: Vec<ScreenElement>,
    /// Whether nothing is missing.
    pub is_complete: bool,
}

impl Zeroize for ScreenContent {
    fn zeroize(&mut self) {
        self.title.zeroize();
        self.elements.iter_mut().for_each(Zeroize::zeroize);
        self.elements.clear();
    }
}
