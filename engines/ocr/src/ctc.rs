//! Decodes a recogniser's output into characters: connectionist temporal classification.

/// The characters of a recogniser; index 0 is the CTC blank.
#[derive(Debug, PartialEq, Eq)]
pub struct Dictionary {
    characters: Vec<String>,
}

/// The dictionary does not fit the model.
#[derive(Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Entries in the dictionary file.
    pub entries: usize,
    /// Output classes of the model.
    pub classes: usize,
}

impl Dictionary {
    /// Parses one character per line. PP-OCR models have one more class for the blank, and mostly another one for the space, which no line
    /// can contain.
    ///
    /// # Errors
    /// Neither variant matches the number of classes.
    pub fn new(lines: &str, classes: usize) -> Result<Self, Mismatch> {
        let mut characters = vec![String::new()];
        characters.extend(
            lines.strip_suffix('\n').unwrap_or(lines).split('\n').map(|line| line.trim_end_matches('\r').to_owned()),
        );
        if characters.len() + 1 == classes {
            characters.push(" ".to_owned());
        }
        if characters.len() != classes {
            return Err(Mismatch { entries: characters.len() - 1, classes });
        }
        Ok(Self { characters })
    }

    /// Whether the dictionary contains Hangul.
    pub fn knows_hangul(&self) -> bool {
        self.characters
            .iter()
            .filter(|entry| entry.chars().all(|char| ('가'..='힣').contains(&char)) && !entry.is_empty())
            .count()
            >= 500
    }
}

/// A recognised character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph<'a> {
    /// Rarely more than one `char`.
    pub text: &'a str,
    /// Centre as a fraction of the width.
    pub place: f32,
    /// 0 to 1.
    pub confidence: f32,
}

/// Takes the most probable class of each step and drops repeats and blanks.
pub fn decode<'a>(dictionary: &'a Dictionary, values: &[f32]) -> Vec<Glyph<'a>> {
    let classes = dictionary.characters.len();
    let steps = values.len() / classes;
    let mut glyphs: Vec<Glyph<'a>> = Vec::new();
    let (mut last, mut since) = (0, 0);
    for (step, row) in values.chunks_exact(classes).enumerate() {
        let (class, confidence) = likeliest(row);
        if class != 0 {
            if class != last {
                since = step;
                let text = dictionary.characters[class].as_str();
                glyphs.push(Glyph { text, place: 0.0, confidence });
            }
            if let Some(glyph) = glyphs.last_mut() {
                glyph.place = ((since + step) as f32 / 2.0 + 0.5) / steps as f32;
            }
        }
        last = class;
    }
    glyphs
}

/// Index and value of the largest number. Eight lanes let the compiler use SIMD registers: there are up to 18,710 classes.
fn likeliest(row: &[f32]) -> (usize, f32) {
    let mut lanes = [f32::MIN; 8];
    let chunks = row.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = if *value > *lane { *value } else { *lane };
        }
    }
    let most = lanes.iter().chain(rest).fold(f32::MIN, |most, value| most.max(*value));
    (row.iter().position(|value| *value == most).unwrap_or(0), most)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // OCR-1
    #[test]
    fn a_dictionary_fits_with_or_without_a_class_for_the_space_ocr_1() {
        let check = |lines: &str, classes: usize, expect: Result<&str, (usize, usize)>| {
            let found = Dictionary::new(lines, classes).map(|dictionary| dictionary.characters.concat());
            let expect = expect.map(str::to_owned).map_err(|(entries, classes)| Mismatch { entries, classes });
            assert_eq!(found, expect, "{lines:?} {classes}");
        };
        check("a\nb\n", 4, Ok("ab "));
        check("a\r\nb", 4, Ok("ab "));
        check("a\nb\n ", 4, Ok("ab "));
        check("a\nb\n", 3, Ok("ab"));
        check("a\nb\n", 6, Err((2, 6)));
        check("", 97, Err((1, 97)));
    }

    // OCR-1
    #[test]
    fn repeats_and_blanks_fall_away_ocr_1() {
        let dictionary = Dictionary::new("a\nb", 4).unwrap();
        let check = |classes: &[usize], expect: &str| {
            let mut values = vec![0.0; classes.len() * 4];
            for (step, class) in classes.iter().enumerate() {
                values[step * 4 + class] = 0.9;
            }
            let text: String = decode(&dictionary, &values).iter().map(|glyph| glyph.text).collect();
            assert_eq!(text, expect, "{classes:?}");
        };
        check(&[], "");
        check(&[0, 0], "");
        check(&[1, 1, 0, 1, 2, 2], "aab");
        check(&[0, 1, 3, 2, 0], "a b");
    }

    #[test]
    fn a_glyph_stands_in_the_middle_of_its_steps() {
        let dictionary = Dictionary::new("a", 2).unwrap();
        let glyphs = decode(&dictionary, &[0.9, 0.1, 0.1, 0.9, 0.1, 0.7, 0.9, 0.1]);
        assert_eq!(glyphs, [Glyph { text: "a", place: 0.5, confidence: 0.9 }]);
    }
}
