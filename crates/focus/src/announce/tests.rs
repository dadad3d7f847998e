//! Announcements as tables in both languages, and properties of any element (ANN-1, ANN-2, ANN-4, ANN-5).

mod changes;
mod fields;
mod programs;
mod properties;
mod tables;
mod texts;

use luna_messages::element::{CellPlace, Position, RangeValue};
use luna_messages::tts::{AnnouncedPiece, ReadAloud};
use luna_messages::{ElementId, Rect};

use super::*;

pub(super) fn element(role: Role, text: &str) -> Element {
    Element::new(ElementId("element".to_owned()), role, text, Rect::new(0, 0, 100, 20))
}

/// Short ways to build the elements of the tables.
pub(super) trait Build: Sized {
    fn labelled(self, label: &str) -> Self;
    fn states(self, states: &[State]) -> Self;
    fn at(self, index: u32, of: u32) -> Self;
    fn level(self, level: u32) -> Self;
    fn value(self, now: f64, min: f64, max: f64, text: &str) -> Self;
    fn described(self, description: &str) -> Self;
    fn placeholder(self, placeholder: &str) -> Self;
    fn cell(self, row: u32, column: u32, row_header: &str, column_header: &str) -> Self;
    fn offset(self, offset: usize) -> Self;
    fn named(self, id: &str) -> Self;
    fn error(self, message: &str) -> Self;
}

impl Build for Element {
    fn labelled(mut self, label: &str) -> Self {
        self.label = label.to_owned();
        self
    }

    fn states(mut self, states: &[State]) -> Self {
        self.properties.states = states.iter().copied().collect();
        self
    }

    fn at(mut self, index: u32, of: u32) -> Self {
        self.properties.position = Some(Position { index, of });
        self
    }

    fn level(mut self, level: u32) -> Self {
        self.properties.level = Some(level);
        self
    }

    fn value(mut self, now: f64, min: f64, max: f64, text: &str) -> Self {
        self.properties.value = Some(RangeValue { now, min, max, text: text.to_owned() });
        self
    }

    fn described(mut self, description: &str) -> Self {
        self.properties.description = description.to_owned();
        self
    }

    fn placeholder(mut self, placeholder: &str) -> Self {
        self.properties.placeholder = placeholder.to_owned();
        self
    }

    fn cell(mut self, row: u32, column: u32, row_header: &str, column_header: &str) -> Self {
        let (row_header, column_header) = (row_header.to_owned(), column_header.to_owned());
        self.properties.cell = Some(CellPlace { row, column, row_header, column_header });
        self
    }

    fn offset(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    fn named(mut self, id: &str) -> Self {
        self.id = ElementId(id.to_owned());
        self
    }

    fn error(mut self, message: &str) -> Self {
        self.properties.error_message = message.to_owned();
        self
    }
}

pub(super) const fn style(verbosity: Verbosity, lang: Lang) -> AnnouncementStyle {
    AnnouncementStyle { verbosity, lang, focused: false }
}

/// All words of a reading, and the character at which it begins.
pub fn words_of(reading: &ReadAloud) -> (String, usize) {
    match reading {
        ReadAloud::Text { text, offset } => (text.clone(), *offset),
        ReadAloud::Announcement { pieces, first } => {
            let lines: Vec<&str> = pieces.iter().map(AnnouncedPiece::words).collect();
            (lines.join("\n"), lines[..*first].iter().map(|line| line.chars().count() + 1).sum())
        }
        ReadAloud::Rows { rows, .. } => (rows.iter().map(|row| row.join("|")).collect::<Vec<_>>().join("/"), 0),
    }
}

pub(super) fn said(element: &Element, verbosity: Verbosity, lang: Lang) -> String {
    announce(element, None, style(verbosity, lang)).said()
}

/// What is said at the normal verbosity, in Korean and in English.
#[track_caller]
pub(super) fn check(element: &Element, ko: &str, en: &str) {
    assert_eq!(said(element, Verbosity::Normal, Lang::Ko), ko);
    assert_eq!(said(element, Verbosity::Normal, Lang::En), en);
}
