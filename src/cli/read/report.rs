//! What `luna read --json` prints.

use luna_focus::announce::is_protected;
use luna_messages::element::{Position, RangeValue, StateSet};
use luna_messages::ocr::OcrBlock;
use luna_messages::pick::{Pick, PickMethod, Role};
use luna_messages::{Lang, Point, Rect};
use serde::Serialize;

/// What `--json` prints.
#[derive(Debug, Serialize)]
pub(super) struct ReadReport {
    pub(super) blocks: Vec<OcrBlock>,
    pub(super) picked: Option<PickReport>,
    pub(super) is_table: bool,
    pub(super) lang: Lang,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) low_quality: Option<bool>,
}

impl ReadReport {
    /// The report of one place on the screen.
    pub(super) fn of_pick(picked: PickReport, lang: Lang, is_table: bool) -> Self {
        let (text, bbox, confidence) = (picked.text.clone(), picked.bbox, picked.confidence);
        Self {
            blocks: vec![OcrBlock { text, bbox, confidence, contrast: 1.0, order: 0 }],
            is_table,
            lang,
            low_quality: None,
            picked: Some(picked),
        }
    }
}

/// What is at the place.
#[derive(Debug, Serialize)]
pub(super) struct PickReport {
    pub(super) text: String,
    bbox: Rect,
    method: PickMethod,
    confidence: f32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<Vec<String>>,
    has_header: bool,
    /// Index of the row that is pointed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
    /// `null` for recognised text.
    role: Option<Role>,
    label: String,
    states: StateSet,
    value: Option<RangeValue>,
    position: Option<Position>,
    level: Option<u32>,
    description: String,
    placeholder: String,
    /// What Luna says of it (ANN-1).
    said: String,
}

impl PickReport {
    /// The text and the value of a protected field are left out (PIC-5).
    pub(super) fn new(pick: Pick, said: String) -> Self {
        let shown = !is_protected(&pick);
        let properties = pick.properties;
        Self {
            text: if shown { pick.text } else { String::new() },
            bbox: pick.bbox,
            method: pick.method,
            confidence: pick.confidence,
            rows: if shown { pick.rows } else { Vec::new() },
            has_header: pick.has_header,
            row: pick.row,
            role: pick.role,
            label: pick.label,
            states: properties.states,
            value: properties.value.filter(|_| shown),
            position: properties.position,
            level: properties.level,
            description: properties.description,
            placeholder: properties.placeholder,
            said,
        }
    }

    /// A protected field of which nothing else may be known.
    pub(super) fn of_unknown_protected(point: Point, said: &str) -> Self {
        Self {
            text: String::new(),
            bbox: Rect::new(point.x, point.y, 0, 0),
            method: PickMethod::Uia,
            confidence: 1.0,
            rows: Vec::new(),
            has_header: false,
            row: None,
            role: Some(Role::Protected),
            label: String::new(),
            states: StateSet::default(),
            value: None,
            position: None,
            level: None,
            description: String::new(),
            placeholder: String::new(),
            said: said.to_owned(),
        }
    }
}
