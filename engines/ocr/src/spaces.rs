//! Restores spaces that a model omitted, by the gaps in the picture of the line; and finds columns at which to cut a long line.

use crate::ctc::Glyph;
use crate::picture::RgbPicture;

/// For each column of a line, whether it contains ink.
pub fn ink(line: &RgbPicture<'_>) -> Vec<bool> {
    let grey = line.grey();
    let mut shades = [0usize; 16];
    grey.iter().for_each(|luminance| shades[usize::from(luminance / 16)] += 1);
    // The most common shade is the background.
    let background = shades.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(shade, _)| shade * 16 + 8);
    let away = |luminance: &u8| usize::from(*luminance).abs_diff(background);
    let contrast = grey.iter().map(away).max().unwrap_or(0);
    let least = (contrast * 2 / 5).max(24);
    // Ignores the edges, into which neighbouring lines may reach.
    let edge = line.height / 8;
    (0..line.width).map(|x| (edge..line.height - edge).any(|y| away(&grey[y * line.width + x]) >= least)).collect()
}

/// The text of `glyphs` with a space in each gap that clearly separates words: wide relative to the line's height and to its other gaps,
/// and with the glyphs farther apart than usual (else it is a narrow letter of a monospaced font). No spaces are added between Chinese
/// characters and kana.
pub fn insert(glyphs: &[Glyph<'_>], ink: &[bool], height: usize) -> String {
    let x = |glyph: &Glyph<'_>| (glyph.place * ink.len() as f32) as usize;
    let pairs: Vec<(usize, usize)> = glyphs
        .windows(2)
        .map(|pair| (widest_gap(ink, x(&pair[0]), x(&pair[1])), x(&pair[1]).saturating_sub(x(&pair[0]))))
        .collect();
    let usual_gap = median(pairs.iter().map(|pair| pair.0));
    let usual_step = median(pairs.iter().map(|pair| pair.1));
    let mut text = String::new();
    for (at, glyph) in glyphs.iter().enumerate() {
        if let Some((gap, step)) = at.checked_sub(1).map(|before| pairs[before]) {
            let spaced = is_spaced(glyphs[at - 1].text) && is_spaced(glyph.text);
            let wide = gap * 9 >= height * 2 && gap * 2 >= usual_gap * 5 && step * 4 >= usual_step * 5;
            if spaced && wide {
                text.push(' ');
            }
        }
        text.push_str(glyph.text);
    }
    text
}

/// Width of the widest gap without ink between two columns.
fn widest_gap(ink: &[bool], from: usize, to: usize) -> usize {
    ink[from.min(ink.len())..to.min(ink.len()).max(from.min(ink.len()))]
        .split(|inked| *inked)
        .map(<[bool]>::len)
        .max()
        .unwrap_or(0)
}

fn median(values: impl Iterator<Item = usize>) -> usize {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// Whether the character can begin or end a word in a script with spaces between words.
fn is_spaced(text: &str) -> bool {
    text.chars().all(|char| char.is_alphanumeric() && !is_ideographic(char))
}

/// Chinese characters, kana, and their punctuation.
pub fn is_ideographic(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Columns at which a line longer than `most` is cut: the widest gap near the end of each piece.
pub fn cuts(ink: &[bool], most: usize) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut start = 0;
    while ink.len() - start > most {
        let (from, to) = (start + most / 2, start + most);
        let (mut best, mut since) = ((0, to), from);
        for (x, inked) in ink.iter().enumerate().take(to).skip(from) {
            if *inked {
                since = x + 1;
            } else if x + 1 - since > best.0 {
                best = (x + 1 - since, since + (x + 1 - since) / 2);
            }
        }
        cuts.push(best.1);
        start = best.1;
    }
    cuts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks a line given as a drawing: `#` is ink; `places` marks the position of each glyph of `text`.
    fn check(text: &str, drawing: &str, places: &str, expect: &str) {
        // One character of the drawing is four columns of a line 48 pixels high.
        let ink: Vec<bool> = drawing.chars().flat_map(|char| [char == '#'; 4]).collect();
        let texts: Vec<String> = text.chars().map(String::from).collect();
        let marks: Vec<usize> = places.char_indices().filter(|(_, char)| *char == '^').map(|(at, _)| at).collect();
        assert_eq!(marks.len(), texts.len());
        let glyphs: Vec<Glyph<'_>> = texts
            .iter()
            .zip(marks)
            .map(|(text, at)| Glyph { text, place: (at as f32 + 0.5) / drawing.len() as f32, confidence: 1.0 })
            .collect();
        assert_eq!(insert(&glyphs, &ink, 48), expect);
    }

    // OCR-1
    #[test]
    fn lost_spaces_come_back_ocr_1() {
        let (drawing, places) = ("### ### ###   ### ### ### ###", " ^   ^   ^     ^   ^   ^   ^ ");
        check("VLCmedi", drawing, places, "VLC medi");
        check("자동차로가다니", drawing, places, "자동차 로가다니");
        check("正品促销大桶装", drawing, places, "正品促销大桶装");
        check("ab.cdef", drawing, places, "ab.cdef");
        // No gap to detect between touching letters.
        check("aaaaaaa", &"#".repeat(29), places, "aaaaaaa");
        // A narrow letter of a monospaced font: a wide gap, but the usual distance.
        check("milm", "### #   #   ###", " ^  ^   ^    ^ ", "milm");
    }

    proptest! {
        #[test]
        fn every_piece_of_a_long_line_is_short(ink in proptest::collection::vec(any::<bool>(), 1..3000), most in 50usize..500) {
            let mut start = 0;
            for cut in cuts(&ink, most).into_iter().chain([ink.len()]) {
                prop_assert!(cut > start && cut - start <= most);
                start = cut;
            }
        }
    }
}
