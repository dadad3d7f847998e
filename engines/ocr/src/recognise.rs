//! Line recognition: the trait of all recognisers, and PP-OCR's recognition models of any version.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use fast_image_resize::Resizer;
use luna_engine_protocol::RecogniserLoad;
use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};
use ort::environment::Environment;
use ort::session::Session;

use crate::ctc::{Dictionary, Glyph, decode};
use crate::picture::{Normalisation, RgbPicture};
use crate::quad::Quad;
use crate::reading::{LineReading, ReadCharacter};
use crate::runtime::{self, RunCanceller, infer, internal};
use crate::spaces;

/// Longest line recognised in one piece, in pixels at the model's height; the time grows faster than the length beyond it.
const MAX_PIECE_WIDTH: usize = 1600;

/// A line to be recognised, or a part of it.
#[derive(Clone, Copy)]
pub struct LineImage<'a> {
    pub picture: &'a RgbPicture<'a>,
    pub quad: Quad,
    pub upside_down: bool,
    /// The part, from left to right, in fractions of the line's width.
    pub span: (f32, f32),
}

impl LineImage<'_> {
    /// The cropped line, upright.
    pub fn cut(&self, scaler: &mut Resizer, height: usize) -> RgbPicture<'static> {
        let whole = self.picture.line(scaler, &self.quad, height, self.upside_down);
        match part_columns(self.span, whole.width) {
            (0, end) if end == whole.width => whole,
            (start, end) => columns(&whole, start, end),
        }
    }

    /// A part of the line.
    pub const fn part(&self, start: f32, end: f32) -> Self {
        Self { span: (start, end), ..*self }
    }

    /// Width divided by height.
    pub fn aspect(&self) -> f32 {
        let (width, height) = (self.quad.width.max(1.0), self.quad.height.max(1.0));
        if self.quad.is_tall() { height / width } else { width / height }
    }

    /// For each column, whether it contains ink.
    pub fn ink(&self, scaler: &mut Resizer) -> Vec<bool> {
        const HEIGHT: usize = 32;
        spaces::ink(&self.cut(scaler, HEIGHT))
    }
}

/// Recognises lines; each worker thread has its own instance.
pub trait LineRecogniser: Send {
    /// Name in results.
    fn name(&self) -> &str;

    /// Whether the recogniser supports Korean.
    fn knows_hangul(&self) -> bool;

    /// # Errors
    /// The library failed, or the run was aborted.
    fn read(&mut self, line: &LineImage<'_>, run: &RunCanceller) -> Result<LineReading, EngineError>;
}

/// A PP-OCR recognition model.
pub struct Paddle {
    name: String,
    session: Session,
    dictionary: Arc<Dictionary>,
    height: usize,
    // Reused between lines: allocation costs more than filling.
    planes: Vec<f32>,
    scaler: Resizer,
}

impl Paddle {
    /// Loads the model and its dictionary.
    ///
    /// # Errors
    /// `Missing` if a file does not exist, `BadModel` if the model is damaged, for another purpose, or its dictionary has the wrong length,
    /// `OutOfMemory` if memory is too short.
    pub fn load(environment: &Environment, load: &RecogniserLoad) -> Result<Self, EngineError> {
        const WHAT: &str = "text recognition";
        let path = &load.model;
        let mut session = runtime::session(environment, path, WHAT, 1)?;
        let wrong = || runtime::wrong_purpose(path, WHAT, "it does not answer with characters");
        if runtime::declared(session.outputs()[0].dtype()).len() != 3 {
            return Err(wrong());
        }
        let (height, classes) = probe(&mut session)?.ok_or_else(wrong)?;
        let lines = match &load.dictionary {
            Some(file) => dictionary_file(file)?,
            None => session.metadata().ok().and_then(|metadata| metadata.custom("character")).ok_or_else(|| {
                failure(
                    EngineErrorKind::BadModel,
                    format!("The text recognition model {} does not carry a dictionary.", path.display()),
                    "Name its dictionary file beside it in the configuration.",
                )
            })?,
        };
        let dictionary = Dictionary::new(&lines, classes).map_err(|mismatch| {
            let from = load.dictionary.as_ref().map_or_else(
                || "the dictionary inside it".to_owned(),
                |file| format!("the dictionary {}", file.display()),
            );
            failure(
                EngineErrorKind::BadModel,
                format!(
                    "The text recognition model {} tells {} characters apart, but {from} has {} entries.",
                    path.display(),
                    mismatch.classes,
                    mismatch.entries
                ),
                "Name the dictionary that belongs to this model in the configuration.",
            )
        })?;
        Ok(Self {
            name: load.name.clone(),
            session,
            dictionary: Arc::new(dictionary),
            height,
            planes: Vec::new(),
            scaler: Resizer::new(),
        })
    }

    /// Recognises one piece of a line; its end is padded with grey, as in training.
    fn piece(&mut self, piece: &RgbPicture<'_>, run: &RunCanceller) -> Result<LineReading, EngineError> {
        const STEP: usize = 32;
        let width = (piece.width + STEP / 4).div_ceil(STEP) * STEP;
        self.planes.clear();
        self.planes.resize(3 * self.height * width, 0.0);
        Normalisation::EVEN.write(piece, &mut self.planes, width, self.height);
        let dictionary = &self.dictionary;
        let read = infer(&mut self.session, run, [1, 3, self.height, width], &self.planes, |_, values| {
            let mut glyphs = decode(dictionary, values);
            // Converts fractions of the padded width to fractions of the piece.
            let padded = width as f32 / piece.width as f32;
            glyphs.iter_mut().for_each(|glyph| glyph.place = place_in_piece(glyph.place, padded));
            characters(&glyphs, &spaces::before(&glyphs, &spaces::ink(piece), self.height))
        });
        read.map_err(|error| internal("LineReading a line", &error))
    }
}

/// A place in a picture `padded` times as wide as the piece in it, in fractions of the piece; a character found in the padding is at its end.
fn place_in_piece(place: f32, padded: f32) -> f32 {
    (place * padded).clamp(0.0, 1.0)
}

/// The first column of a part of a line `width` columns wide, and the one after its last: at least one column of the line.
fn part_columns(span: (f32, f32), width: usize) -> (usize, usize) {
    let column = |place: f32| ((place * width as f32).round() as usize).min(width);
    let start = column(span.0).min(width.saturating_sub(1));
    (start, column(span.1).max(start + 1).min(width))
}

/// The characters of a piece. A model tells only their centres: each reaches to the middle between its neighbours, but at most as far to one
/// side as to the other.
fn characters(glyphs: &[Glyph<'_>], spaces: &[bool]) -> LineReading {
    let mut reading = LineReading::default();
    let mut spaced = false;
    for (at, glyph) in glyphs.iter().enumerate() {
        if glyph.text.trim().is_empty() {
            spaced = true;
            continue;
        }
        let before = at.checked_sub(1).map_or(f32::MAX, |before| glyph.place - glyphs[before].place);
        let after = glyphs.get(at + 1).map_or(f32::MAX, |after| after.place - glyph.place);
        let reach = if glyphs.len() == 1 { 0.5 } else { before.min(after) / 2.0 };
        reading.characters.push(ReadCharacter {
            text: glyph.text.trim().to_owned(),
            start: (glyph.place - reach).max(0.0),
            end: (glyph.place + reach).min(1.0),
            confidence: glyph.confidence,
            spaced: !reading.is_empty() && (spaced || spaces.get(at) == Some(&true)),
        });
        spaced = false;
    }
    reading
}

impl LineRecogniser for Paddle {
    fn name(&self) -> &str {
        &self.name
    }

    fn knows_hangul(&self) -> bool {
        self.dictionary.knows_hangul()
    }

    fn read(&mut self, line: &LineImage<'_>, run: &RunCanceller) -> Result<LineReading, EngineError> {
        let whole = line.cut(&mut self.scaler, self.height);
        if whole.width <= MAX_PIECE_WIDTH {
            return self.piece(&whole, run);
        }
        let ink = spaces::ink(&whole);
        let (mut all, mut start) = (LineReading::default(), 0);
        for cut in spaces::cuts(&ink, MAX_PIECE_WIDTH).into_iter().chain([whole.width]) {
            let read = self.piece(&columns(&whole, start, cut), run)?;
            let place = |of_piece: f32| (start as f32 + of_piece * (cut - start) as f32) / whole.width as f32;
            let spaced = !ink[start] && !all.is_empty();
            all.characters.extend(read.characters.into_iter().enumerate().map(|(at, one)| ReadCharacter {
                start: place(one.start),
                end: place(one.end),
                spaced: one.spaced || (at == 0 && spaced),
                ..one
            }));
            start = cut;
        }
        Ok(all)
    }
}

/// Line height and number of classes, found by trial runs: not every model declares them. `None` if it is no recogniser.
fn probe(session: &mut Session) -> Result<Option<(usize, usize)>, EngineError> {
    let declared = runtime::declared(session.inputs()[0].dtype());
    let declared_height =
        declared.get(2).and_then(|height| usize::try_from(*height).ok()).filter(|height| (8..=128).contains(height));
    let run = runtime::run_options()?;
    let mut classes_at = |height: usize| {
        let planes = vec![0.0; 3 * height * 320];
        match infer(session, &run, [1, 3, height, 320], &planes, |shape, _| shape.to_vec()).as_deref() {
            Ok([1, steps, classes]) if *steps >= 10 && *classes >= 3 => {
                usize::try_from(*classes).ok().map(|classes| (classes, *steps))
            }
            _ => None,
        }
    };
    if let Some(height) = declared_height {
        return Ok(classes_at(height).map(|(classes, _)| (height, classes)));
    }
    // Since version 3 lines are 48 pixels high with a step per 8 pixels; before, 32 pixels with a step per 4.
    if let Some((classes, _)) = classes_at(48).filter(|(_, steps)| *steps <= 40) {
        return Ok(Some((48, classes)));
    }
    Ok(classes_at(32).map(|(classes, _)| (32, classes)))
}

fn dictionary_file(file: &Path) -> Result<String, EngineError> {
    let file = runtime::existing(file, "The dictionary")?;
    let text = std::fs::read(&file).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| {
        failure(
            EngineErrorKind::BadModel,
            format!("The dictionary {} is no text in UTF-8.", file.display()),
            "Name the dictionary that belongs to the model in the configuration.",
        )
    })
}

/// Columns `start` up to, not including, `end`.
fn columns(line: &RgbPicture<'_>, start: usize, end: usize) -> RgbPicture<'static> {
    let rows = line.pixels.chunks_exact(3 * line.width);
    let pixels: Vec<u8> = rows.flat_map(|row| &row[3 * start..3 * end]).copied().collect();
    RgbPicture { width: end - start, height: line.height, pixels: Cow::Owned(pixels) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-2
    #[test]
    fn a_part_of_a_line_is_at_least_a_column_of_it_eng_2() {
        for (span, width, expect) in [
            ((0.0, 1.0), 100, (0, 100)),
            ((0.25, 0.5), 100, (25, 50)),
            // Characters in the padding behind the line.
            ((1.0, 1.001), 100, (99, 100)),
            ((1.2, 1.3), 100, (99, 100)),
            ((0.996, 1.0), 100, (99, 100)),
            ((0.5, 0.5), 100, (50, 51)),
            ((0.7, 0.3), 100, (70, 71)),
            ((-0.5, -0.1), 100, (0, 1)),
            ((f32::NAN, f32::NAN), 100, (0, 1)),
            ((1.0, 1.0), 1, (0, 1)),
        ] {
            assert_eq!(part_columns(span, width), expect, "{span:?} of {width}");
        }
    }

    // ENG-2
    #[test]
    fn no_part_of_a_line_ends_the_engine_eng_2() {
        let pixels: Vec<u8> = (0..3 * 40 * 10).map(|byte| (byte % 251) as u8).collect();
        let picture = RgbPicture { width: 40, height: 10, pixels: Cow::Owned(pixels) };
        let quad = Quad { x: 20.0, y: 5.0, width: 40.0, height: 10.0, angle: 0.0 };
        let line = LineImage { picture: &picture, quad, upside_down: false, span: (0.0, 1.0) };
        let mut scaler = Resizer::new();
        let whole = line.cut(&mut scaler, 10);
        for tenths in 0..=12_u8 {
            for more in [0.0, 0.001, 0.3] {
                let start = f32::from(tenths) / 10.0;
                let part = line.part(start, start + more).cut(&mut scaler, 10);
                assert!((1..=whole.width).contains(&part.width), "{start} + {more}: {}", part.width);
                assert_eq!(part.pixels.len(), 3 * part.width * part.height);
            }
        }
    }

    // ENG-2, OCR-5
    #[test]
    fn a_character_in_the_padding_is_at_the_end_of_its_piece_eng_2_ocr_5() {
        for (place, padded, expect) in [(0.5, 1.0, 0.5), (0.5, 1.5, 0.75), (0.9, 1.5, 1.0), (1.0, 2.0, 1.0)] {
            assert_eq!(place_in_piece(place, padded), expect);
        }
        let glyph = |text: &'static str, place: f32| Glyph { text, place, confidence: 0.9 };
        let end = [glyph("가", 0.4), glyph(".", place_in_piece(0.8, 1.3)), glyph(".", place_in_piece(0.81, 1.3))];
        for character in &characters(&end, &[false; 3]).characters {
            assert!((0.0..=1.0).contains(&character.start) && character.end <= 1.0, "{character:?}");
            assert!(character.start <= character.end, "{character:?}");
        }
    }
}
