//! Parts of a recognised line that stand apart, such as buttons in a row: recognition may read them as one line. Pure.

/// Brightness that the pixels of a column may differ by if nothing is written in it: background, or the edge of a button.
const UNIFORM: u8 = 40;
/// Columns between two parts, for each row of the line; a space between words is about a third.
const APART: f32 = 0.6;
const LEAST_APART: usize = 6;
/// The part of the rows above and below that is not looked at.
const EDGE: usize = 4;

/// A part of a line: its words, and its first and last column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePart {
    pub text: String,
    pub columns: (usize, usize),
}

/// Words of a line from which on it is a sentence, whose single words press nothing.
const SENTENCE: usize = 7;

/// Words in a row that a line of several may consist of, with where they probably are: recognition reads small buttons that stand close together as one line.
#[must_use]
pub fn runs_of_words(part: &LinePart) -> Vec<LinePart> {
    let words: Vec<&str> = part.text.split_whitespace().collect();
    if words.len() < 2 || words.len() >= SENTENCE {
        return Vec::new();
    }
    let (first, last) = part.columns;
    // Each character and each space between words takes as much.
    let length = |words: &[&str]| words.iter().map(|word| word.chars().count() + 1).sum::<usize>();
    let all = length(&words) - 1;
    let column = |characters: usize| first + (last - first) * characters / all;
    let run = |from: usize, to: usize| {
        let (before, inside) = (length(&words[..from]), length(&words[from..to]) - 1);
        LinePart { text: words[from..to].join(" "), columns: (column(before), column(before + inside)) }
    };
    let runs = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
    runs.filter(|(from, to)| to - from < words.len()).map(|(from, to)| run(from, to)).collect()
}

/// The parts of a line of text whose picture is `rgb`, `width` pixels wide. `None` if they can't be told apart: then nobody knows where a word is.
#[must_use]
pub fn parts(text: &str, rgb: &[u8], width: usize) -> Option<Vec<LinePart>> {
    let written = written(rgb, width);
    let words: Vec<&str> = text.split_whitespace().collect();
    if written.len() <= 1 {
        let columns = written.first().copied().unwrap_or((0, width.saturating_sub(1)));
        return Some(vec![LinePart { text: text.trim().to_owned(), columns }]);
    }
    if words.len() < written.len() {
        return None;
    }
    Some(assigned(&words, &written))
}

/// The ranges of columns in which something is written.
fn written(rgb: &[u8], width: usize) -> Vec<(usize, usize)> {
    if width == 0 {
        return Vec::new();
    }
    let rows = rgb.len() / (width * 3);
    let bright = |row: usize, column: usize| rgb.get((row * width + column) * 3 + 1).copied().unwrap_or(0);
    // The upper and the lower edge of a button may lie in the picture, too.
    let edge = rows / EDGE;
    let is_blank = |column: usize| {
        let (least, most) = (edge..rows - edge).fold((u8::MAX, 0), |(least, most), row| {
            let pixel = bright(row, column);
            (least.min(pixel), most.max(pixel))
        });
        most.saturating_sub(least) < UNIFORM
    };
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a line is some dozens of pixels high"
    )]
    let apart = LEAST_APART.max((rows as f32 * APART) as usize);
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for column in (0..width).filter(|column| !is_blank(*column)) {
        match ranges.last_mut() {
            Some((_, last)) if column - *last <= apart => *last = column,
            _ => ranges.push((column, column)),
        }
    }
    ranges
}

/// Gives each range the words that fill it best by their length. There are at least as many words as ranges.
fn assigned(words: &[&str], ranges: &[(usize, usize)]) -> Vec<LinePart> {
    let length = |range: &(usize, usize)| range.1 - range.0 + 1;
    let (all_columns, all_characters): (usize, usize) =
        (ranges.iter().map(length).sum(), words.iter().map(|word| word.chars().count()).sum());
    let (mut columns, mut characters, mut next) = (0, 0, 0);
    let mut parts = Vec::with_capacity(ranges.len());
    for (at, range) in ranges.iter().enumerate() {
        columns += length(range);
        let left = ranges.len() - at - 1;
        let mut text = Vec::new();
        // At least one word each; one more as long as that brings the end of the words nearer to the end of the range.
        while next < words.len() - left {
            let longer = characters + words[next].chars().count();
            let distance = |characters: usize| (characters * all_columns).abs_diff(columns * all_characters);
            if !text.is_empty() && left > 0 && distance(longer) > distance(characters) {
                break;
            }
            characters = longer;
            text.push(words[next]);
            next += 1;
        }
        parts.push(LinePart { text: text.join(" "), columns: *range });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of boxes of ink on a light background; at `edges` a line runs from top to bottom.
    fn picture(width: usize, ink: &[(usize, usize)], edges: &[usize]) -> Vec<u8> {
        let dark = |row: usize, column: usize| {
            // The upper edges of buttons.
            let is_edge = row == 1 && !edges.is_empty();
            let is_ink = ink.iter().any(|(first, last)| (*first..=*last).contains(&column)) && row % 3 == 1;
            is_ink || is_edge || edges.contains(&column)
        };
        let pixel = |at: usize| if dark(at / width, at % width) { [20; 3] } else { [230; 3] };
        (0..width * 13).flat_map(pixel).collect()
    }

    // EXE-1
    #[test]
    fn words_of_a_line_lie_where_their_letters_are_exe_1() {
        let runs = |text: &str| {
            let part = LinePart { text: text.to_owned(), columns: (0, 170) };
            runs_of_words(&part).into_iter().map(|run| (run.text, run.columns)).collect::<Vec<_>>()
        };
        let found = runs("Okay Cancel Later");
        let is_there = |text: &str, columns| found.contains(&(text.to_owned(), columns));
        assert!(
            is_there("Okay", (0, 40)) && is_there("Cancel", (50, 110)) && is_there("Later", (120, 170)),
            "{found:?}"
        );
        assert!(is_there("Cancel Later", (50, 170)) && found.len() == 5, "{found:?}");
        assert!(runs("Later").is_empty() && runs("Do you want to keep the changes").is_empty());
    }

    // EXE-1
    #[test]
    fn buttons_in_a_row_are_told_apart_and_words_of_a_line_are_not_exe_1() {
        let check = |text: &str, ink: &[(usize, usize)], edges: &[usize], expect: Option<&[(&str, (usize, usize))]>| {
            let found = parts(text, &picture(120, ink, edges), 120);
            let found: Option<Vec<(String, (usize, usize))>> =
                found.map(|parts| parts.into_iter().map(|part| (part.text, part.columns)).collect());
            let expect =
                expect.map(|parts| parts.iter().map(|(text, at)| ((*text).to_owned(), *at)).collect::<Vec<_>>());
            assert_eq!(found, expect, "{text}");
        };
        check("Later", &[(3, 40)], &[], Some(&[("Later", (3, 40))]));
        check("Keep the changes", &[(3, 30), (34, 52), (56, 110)], &[], Some(&[("Keep the changes", (3, 110))]));
        let row = [(3, 32), (50, 90)];
        check("Apply Remove", &row, &[38, 44], Some(&[("Apply", (3, 32)), ("Remove", (50, 90))]));
        check(
            "Apply Remove it",
            &[(3, 32), (50, 84), (88, 98)],
            &[38],
            Some(&[("Apply", (3, 32)), ("Remove it", (50, 98))]),
        );
        check("Save all No", &[(3, 30), (34, 50), (80, 92)], &[], Some(&[("Save all", (3, 50)), ("No", (80, 92))]));
        // Two parts and one word: where it is, nobody knows.
        check("ApplyRemove", &row, &[], None);
        check("", &[], &[], Some(&[("", (0, 119))]));
    }
}
