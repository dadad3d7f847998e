//! The fields of an object, each consumed once and type-checked.

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{IntoDeserializer, value};

use super::Rejection;
use crate::answer::LooseValue;

/// Field names that denote coordinates, whatever their value (DSL-4).
const COORDINATE_FIELDS: [&str; 25] = [
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "left",
    "top",
    "right",
    "bottom",
    "width",
    "height",
    "bbox",
    "box",
    "bounds",
    "rect",
    "point",
    "pos",
    "position",
    "coord",
    "coords",
    "coordinate",
    "coordinates",
    "pixel",
    "pixels",
];

/// The unconsumed fields of an object.
pub struct Fields<'a> {
    left: Vec<(&'a str, &'a LooseValue)>,
}

impl<'a> Fields<'a> {
    /// A `null` field counts as absent: many models omit a field that way.
    pub fn of(value: &'a LooseValue, name: &'static str) -> Result<Self, Rejection> {
        if !value.is_object() {
            return Err(Rejection::Wrong { field: name, expected: "an object" });
        }
        let entries = value.entries().iter().filter(|(_, value)| *value != LooseValue::Null);
        Ok(Self { left: entries.map(|(name, value)| (name.as_str(), value)).collect() })
    }

    pub fn take(&mut self, field: &'static str) -> Result<Option<&'a LooseValue>, Rejection> {
        let mut found = self.left.iter().filter(|(name, _)| *name == field);
        let value = found.next().map(|(_, value)| *value);
        if found.next().is_some() {
            return Err(Rejection::Twice { field });
        }
        self.left.retain(|(name, _)| *name != field);
        Ok(value)
    }

    pub fn has(&self, field: &str) -> bool {
        self.left.iter().any(|(name, _)| *name == field)
    }

    /// Rejects any unconsumed field.
    pub fn end(self) -> Result<(), Rejection> {
        let Some((name, _)) = self.left.first() else { return Ok(()) };
        let field = Rejection::short(name);
        let lower = name.to_lowercase();
        if self.left.iter().any(|(name, _)| COORDINATE_FIELDS.contains(&name.to_lowercase().as_str()))
            || COORDINATE_FIELDS.contains(&lower.as_str())
        {
            let place = self.left.iter().find(|(name, _)| COORDINATE_FIELDS.contains(&name.to_lowercase().as_str()));
            return Err(Rejection::Coordinate { field: Rejection::short(place.map_or(name, |(name, _)| name)) });
        }
        Err(Rejection::Unknown { field })
    }

    /// Consumes a string of at most `most` characters that is not blank; `None` if the field is absent.
    pub fn text(&mut self, field: &'static str, most: usize) -> Result<Option<&'a str>, Rejection> {
        let Some(value) = self.take(field)? else { return Ok(None) };
        text(value, field, most).map(Some)
    }

    /// Consumes a name of an enumeration.
    pub fn one_of<T: for<'de> Deserialize<'de>>(
        &mut self,
        field: &'static str,
        expected: &'static str,
    ) -> Result<Option<T>, Rejection> {
        let Some(value) = self.take(field)? else { return Ok(None) };
        let wrong = Rejection::Wrong { field, expected };
        let name = value.as_text().ok_or_else(|| wrong.clone())?;
        let deserializer: StrDeserializer<'_, value::Error> = name.into_deserializer();
        T::deserialize(deserializer).map(Some).map_err(|_| wrong)
    }
}

/// A string of at most `most` characters that is not blank.
pub fn text<'a>(value: &'a LooseValue, field: &'static str, most: usize) -> Result<&'a str, Rejection> {
    let text = value.as_text().ok_or(Rejection::Wrong { field, expected: "a text" })?;
    let fits = !text.trim().is_empty() && text.chars().nth(most).is_none();
    if fits { Ok(text) } else { Err(Rejection::Length { field, most }) }
}

/// Whether a spoken text contains pixel coordinates: `(120, 300)`, `120px`, `x=3`.
pub fn has_coordinates(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["pixel", "픽셀", "좌표", "coordinate"].iter().any(|word| lower.contains(word))
        || has_pair(&lower)
        || has_pixels(&lower)
}

/// Whether the text has two numbers with a comma in brackets.
fn has_pair(text: &str) -> bool {
    text.split(['(', '[']).skip(1).any(|inside| {
        let inside = inside.split([')', ']']).next().unwrap_or_default();
        let numbers: Vec<&str> = inside.split(',').map(str::trim).collect();
        let is_number = |part: &&str| {
            let digits = part.trim_start_matches(['x', 'y', '=', ':', ' ', '-']);
            !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        };
        numbers.len() >= 2 && numbers.iter().all(is_number)
    })
}

/// Whether the text has a number followed by `px`.
fn has_pixels(text: &str) -> bool {
    text.match_indices("px").any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let after = text.get(at + 2..).unwrap_or_default();
        before.ends_with(|c: char| c.is_ascii_digit()) && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}
