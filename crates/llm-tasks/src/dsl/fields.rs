//! The fields of an object, each taken once and with its type.

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{IntoDeserializer, value};

use super::Rejection;
use crate::answer::LooseValue;

/// Names that speak of places on the screen, whatever stands in them (DSL-4).
const PLACES: [&str; 25] = [
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

/// The fields of an object that were not taken yet.
pub struct Fields<'a> {
    left: Vec<(&'a str, &'a LooseValue)>,
}

impl<'a> Fields<'a> {
    /// Of an object. A field that is `null` is one that is not there: that is how many models leave one out.
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

    /// Whether a field is there.
    pub fn has(&self, field: &str) -> bool {
        self.left.iter().any(|(name, _)| *name == field)
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<(), Rejection> {
        let Some((name, _)) = self.left.first() else { return Ok(()) };
        let field = Rejection::short(name);
        let lower = name.to_lowercase();
        if self.left.iter().any(|(name, _)| PLACES.contains(&name.to_lowercase().as_str()))
            || PLACES.contains(&lower.as_str())
        {
            let place = self.left.iter().find(|(name, _)| PLACES.contains(&name.to_lowercase().as_str()));
            return Err(Rejection::Coordinate { field: Rejection::short(place.map_or(name, |(name, _)| name)) });
        }
        Err(Rejection::Unknown { field })
    }

    /// Takes a text of 1 to `most` characters.
    pub fn text(&mut self, field: &'static str, most: usize) -> Result<Option<&'a str>, Rejection> {
        let Some(value) = self.take(field)? else { return Ok(None) };
        text(value, field, most).map(Some)
    }

    /// Takes one of the names of an enumeration.
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

/// A text of 1 to `most` characters.
pub fn text<'a>(value: &'a LooseValue, field: &'static str, most: usize) -> Result<&'a str, Rejection> {
    let text = value.as_text().ok_or(Rejection::Wrong { field, expected: "a text" })?;
    let fits = !text.trim().is_empty() && text.chars().nth(most).is_none();
    if fits { Ok(text) } else { Err(Rejection::Length { field, most }) }
}

/// Whether a text for people speaks of a place in pixels: `(120, 300)`, `120px`, `x=3`.
pub fn names_a_place(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["pixel", "픽셀", "좌표", "coordinate"].iter().any(|word| lower.contains(word))
        || has_pair(&lower)
        || has_pixels(&lower)
}

/// Two numbers with a comma in brackets.
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

/// A number with `px` behind it.
fn has_pixels(text: &str) -> bool {
    text.match_indices("px").any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let after = text.get(at + 2..).unwrap_or_default();
        before.ends_with(|c: char| c.is_ascii_digit()) && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}
