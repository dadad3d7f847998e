//! A fake desktop: two windows with a text, a protected field and a picture of text; a screen and hot keys that fail on demand.

use std::sync::{Arc, Mutex};

use luna_messages::image::Picture;
use luna_messages::pick::{Element, Role, ShownWindow, WindowInfo};
use luna_messages::uia::TextLine;
use luna_messages::{ElementId, Point, Rect};
use luna_platform::PlatformError;
use luna_platform::accessibility::AtPoint;
use luna_platform::accessibility::fault::{ScriptedAccessibility, protected_field};
use luna_platform::capture::{Capture, Monitor, Shot};
use luna_platform::hot_key::{HotKey, HotKeys, Watch};

/// Over a text of three sentences.
pub const TEXT: Point = Point { x: 30, y: 30 };
/// Over another text.
pub const OTHER: Point = Point { x: 30, y: 80 };
/// Over a protected field.
pub const PROTECTED: Point = Point { x: 130, y: 30 };
/// Over a window without text in the accessibility tree.
pub const PICTURE: Point = Point { x: 300, y: 60 };
/// Over no window.
pub const NOWHERE: Point = Point { x: 390, y: 290 };

const SCREEN: Rect = Rect::new(0, 0, 400, 300);

fn element(name: &str, text: &str, bbox: Rect) -> AtPoint {
    AtPoint::Element(Element {
        automation_id: name.into(),
        ..Element::new(ElementId(name.into()), Role::Text, text, bbox)
    })
}

pub fn desk() -> ScriptedAccessibility {
    let window = |handle, bounds| WindowInfo { handle, process: 7, title: "A window".into(), bounds };
    let (text, other, protected) = (Rect::new(10, 10, 100, 40), Rect::new(10, 60, 100, 40), Rect::new(120, 10, 60, 40));
    let line = |text: &str, y| TextLine { text: text.into(), bbox: Rect::new(10, y, 100, 10) };
    ScriptedAccessibility {
        windows: vec![window(1, Rect::new(0, 0, 200, 150)), window(2, Rect::new(250, 10, 100, 80))],
        places: vec![
            (text, element("text", "The quick brown fox jumps. It is quick. It is done.", text)),
            (other, element("other", "다른 글이에요. 두 번째 문장.", other)),
            (protected, AtPoint::Protected(protected_field(protected))),
        ],
        lines: vec![line("First line.", 10), line("Second line.", 30), line("Third line.", 50)],
        elements: Vec::new(),
        rows: Vec::new(),
        protected: vec![protected],
        shown: Vec::new(),
        ..ScriptedAccessibility::default()
    }
}

/// A grey screen that fails on demand. Capture returns immediately: one thread can't simulate a hang here.
#[derive(Clone, Default)]
pub struct OrderedCapture(Arc<Mutex<Option<PlatformError>>>);

impl OrderedCapture {
    pub fn fail(&self, error: Option<PlatformError>) {
        *self.0.lock().unwrap() = error;
    }
}

impl Capture for OrderedCapture {
    fn region(&self, region: Rect) -> Result<Shot, PlatformError> {
        if let Some(error) = self.0.lock().unwrap().clone() {
            return Err(error);
        }
        let region = region.intersection(SCREEN);
        let (width, height) = (u32::try_from(region.width).unwrap_or(0), u32::try_from(region.height).unwrap_or(0));
        let pixels = vec![127; 3 * (width * height) as usize];
        Ok(Shot { picture: Picture::new(width, height, pixels).map_err(|_| PlatformError::OutsideScreen)?, region })
    }

    fn shown(&self, _region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        match self.0.lock().unwrap().clone() {
            Some(error) => Err(error),
            None => Ok(Vec::new()),
        }
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        match self.0.lock().unwrap().clone() {
            Some(error) => Err(error),
            None => Ok(vec![Monitor { bounds: SCREEN, scale: 1.0 }]),
        }
    }
}

/// Hot keys that are never pressed.
#[derive(Clone, Default)]
pub struct OrderedHotKeys(Arc<Mutex<Option<PlatformError>>>);

impl OrderedHotKeys {
    pub fn fail(&self, error: Option<PlatformError>) {
        *self.0.lock().unwrap() = error;
    }
}

impl HotKeys for OrderedHotKeys {
    fn watch(
        &self,
        _keys: &[HotKey],
        _pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        match self.0.lock().unwrap().clone() {
            Some(error) => Err(error),
            None => Ok((Watch::new(|| {}), Vec::new())),
        }
    }
}
