//! The letters of the chip as outlines, so that no font stays in memory.

use std::collections::HashMap;

use luna_messages::Lang;
use tiny_skia::PathBuilder;
use ttf_parser::{Face, OutlineBuilder};

use crate::scene::SceneChip;

/// A step of an outline, in ems; y grows downwards from the base line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum OutlineStep {
    Move([f32; 2]),
    Line([f32; 2]),
    Quad([f32; 2], [f32; 2]),
    Cubic([f32; 2], [f32; 2], [f32; 2]),
    Close,
}

#[derive(Debug, Clone, PartialEq)]
struct Letter {
    /// In ems.
    advance: f32,
    outline: Vec<OutlineStep>,
}

/// The letters of all chips in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct ChipFont {
    lang: Lang,
    letters: HashMap<char, Letter>,
}

impl ChipFont {
    /// The letters from a font or a collection of fonts; `None` if it is broken or lacks a letter.
    #[must_use]
    pub fn of(font: &[u8], lang: Lang) -> Option<Self> {
        /// Collections have some tens of fonts; a broken one states any number.
        const MAX_FACES: u32 = 64;
        let faces = ttf_parser::fonts_in_collection(font).unwrap_or(1).min(MAX_FACES);
        (0..faces).filter_map(|index| Face::parse(font, index).ok()).find_map(|face| {
            let letters = SceneChip::characters(lang).into_iter().map(|one| Some((one, letter(&face, one)?)));
            Some(Self { lang, letters: letters.collect::<Option<_>>()? })
        })
    }

    /// The language whose chips it can write.
    #[must_use]
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// The width of a text in ems.
    pub(crate) fn width(&self, text: &str) -> f32 {
        text.chars().filter_map(|one| self.letters.get(&one)).map(|letter| letter.advance).sum()
    }

    /// The text as a path that begins at `x` on the base line `y`.
    pub(crate) fn path(&self, text: &str, [x, y]: [f32; 2], size: f32) -> Option<tiny_skia::Path> {
        let mut path = PathBuilder::new();
        let mut at = x;
        for letter in text.chars().filter_map(|one| self.letters.get(&one)) {
            let place = |[px, py]: [f32; 2]| (px.mul_add(size, at), py.mul_add(size, y));
            for step in &letter.outline {
                match *step {
                    OutlineStep::Move(to) => path.move_to(place(to).0, place(to).1),
                    OutlineStep::Line(to) => path.line_to(place(to).0, place(to).1),
                    OutlineStep::Quad(over, to) => {
                        let ((ox, oy), (tx, ty)) = (place(over), place(to));
                        path.quad_to(ox, oy, tx, ty);
                    }
                    OutlineStep::Cubic(one, other, to) => {
                        let ((ax, ay), (bx, by), (tx, ty)) = (place(one), place(other), place(to));
                        path.cubic_to(ax, ay, bx, by, tx, ty);
                    }
                    OutlineStep::Close => path.close(),
                }
            }
            at = letter.advance.mul_add(size, at);
        }
        path.finish()
    }
}

fn letter(face: &Face<'_>, one: char) -> Option<Letter> {
    let id = face.glyph_index(one)?;
    let ems = 1.0 / f32::from(face.units_per_em());
    let mut steps = OutlineSteps { ems, outline: Vec::new() };
    // A space has no outline.
    if face.outline_glyph(id, &mut steps).is_none() && !one.is_whitespace() {
        return None;
    }
    Some(Letter { advance: f32::from(face.glyph_hor_advance(id)?) * ems, outline: steps.outline })
}

struct OutlineSteps {
    /// Ems per unit of the font.
    ems: f32,
    outline: Vec<OutlineStep>,
}

impl OutlineSteps {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [x * self.ems, -y * self.ems]
    }
}

impl OutlineBuilder for OutlineSteps {
    fn move_to(&mut self, x: f32, y: f32) {
        self.outline.push(OutlineStep::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.outline.push(OutlineStep::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.outline.push(OutlineStep::Quad(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.outline.push(OutlineStep::Cubic(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }

    fn close(&mut self) {
        self.outline.push(OutlineStep::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-3
    #[test]
    fn what_is_no_font_gives_no_letters_ovl_3() {
        for font in [&b""[..], b"OTTO", b"ttcf\0\x01\0\0\0\0\0\x40", &[0; 4096]] {
            assert_eq!(ChipFont::of(font, Lang::Ko), None, "{font:?}");
        }
    }
}
