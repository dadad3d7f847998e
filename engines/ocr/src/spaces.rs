//! Restores spaces that a model omitted, by the gaps in the picture of the line; and finds columns at which to cut a long line.

use crate::ctc::Glyph;
use crate::picture::RgbPicture;
use crate::script::is_ideographic;

/// For each column of a line, whether it contains ink.
pub fn ink(line: &RgbPicture<'_>) -> Vec<bool> {
    let inked = inked_pixels(line);
    // Ignores the edges, into which neighbouring lines may reach.
    let edge = line.height / 8;
    (0..line.width).map(|x| (edge..line.height - edge).any(|y| inked[y * line.width + x])).collect()
}

/// The part of a line's height that its ink takes, 0 to 1. Rows with a few inked pixels only, such as noise or the foot of one letter, don't
/// count.
pub fn inked_rows(line: &RgbPicture<'_>) -> f32 {
    let inked = inked_pixels(line);
    let rows: Vec<usize> =
        inked.chunks_exact(line.width).map(|row| row.iter().filter(|inked| **inked).count()).collect();
    let least = rows.iter().max().map_or(0, |most| most / 10).max(1);
    let first = rows.iter().position(|count| *count >= least);
    let last = rows.iter().rposition(|count| *count >= least);
    match (first, last) {
        (Some(first), Some(last)) => (last + 1 - first) as f32 / line.height as f32,
        _ => 1.0,
    }
}

/// For each pixel, whether it differs clearly from the background.
fn inked_pixels(line: &RgbPicture<'_>) -> Vec<bool> {
    let grey = line.grey();
    let mut shades = [0usize; 16];
    grey.iter().for_each(|luminance| shades[usize::from(luminance / 16)] += 1);
    // The most common shade is the background.
    let background = shades.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(shade, _)| shade * 16 + 8);
    let away = |luminance: &u8| usize::from(*luminance).abs_diff(background);
    let contrast = grey.iter().map(away).max().unwrap_or(0);
    let least = (contrast * 2 / 5).max(24);
    grey.iter().map(|luminance| away(luminance) >= least).collect()
}

/// For each of `glyphs`, whether a space belongs before it: in each gap that clearly separates words, wide relative to the line's height and to
/// its other gaps, and with the glyphs farther apart than usual (else it is a narrow letter of a monospaced font). No spaces are added between
/// Chinese characters and kana.
pub fn before(glyphs: &[Glyph<'_>], ink: &[bool], height: usize) -> Vec<bool> {
    let x = |glyph: &Glyph<'_>| (glyph.place * ink.len() as f32) as usize;
    let pairs: Vec<(usize, usize)> = glyphs
        .windows(2)
        .map(|pair| (widest_gap(ink, x(&pair[0]), x(&pair[1])), x(&pair[1]).saturating_sub(x(&pair[0]))))
        .collect();
    let usual_gap = median(pairs.iter().map(|pair| pair.0));
    let usual_step = median(pairs.iter().map(|pair| pair.1));
    let follows_space = |pair: &[Glyph<'_>], gap: usize, step: usize| {
        let wide = gap * 9 >= height * 2 && gap * 2 >= usual_gap * 5 && step * 4 >= usual_step * 5;
        wide && is_spaced(pair[0].text) && is_spaced(pair[1].text)
    };
    let later = glyphs.windows(2).zip(&pairs).map(|(pair, (gap, step))| follows_space(pair, *gap, *step));
    std::iter::once(false).chain(later).take(glyphs.len()).collect()
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
        let spaces = before(&glyphs, &ink, 48);
        let found: String =
            glyphs.iter().zip(spaces).flat_map(|(glyph, spaced)| [if spaced { " " } else { "" }, glyph.text]).collect();
        assert_eq!(found, expect);
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
