//! Finds the paragraph around a recognised line, so that running prose is read as a whole, and an entry of a list, a menu or a terminal alone.

use luna_messages::Rect;

/// A recognised line.
pub type PlacedText<'a> = (Rect, &'a str);

/// Fewest words of a line of prose: a name or a command has fewer.
const FEWEST_WORDS: usize = 3;
/// Words from which a line is prose even if the next one begins with a capital: names stand in the middle of sentences.
const MANY_WORDS: usize = 6;
/// Widest gap between lines of few words, in tenths of a line's height: a title and a label below it are farther apart than lines of a text.
const WIDEST_GAP_OF_TEN: i32 = 6;
/// Least share of letters among the characters of prose, in tenths; listings have more digits and marks.
const LETTERS_OF_TEN: usize = 7;

/// The lines of the paragraph around line `chosen`, from top to bottom.
#[must_use]
pub fn around(lines: &[PlacedText<'_>], chosen: usize) -> Vec<usize> {
    let boxes: Vec<Rect> = lines.iter().map(|line| line.0).collect();
    let column = column(&boxes, chosen);
    let right = column.iter().map(|&line| boxes[line].right()).max().unwrap_or(0);
    let is_wrapped = |pair: &[usize]| continues(lines[pair[0]], lines[pair[1]], right);
    let ends = |line: usize| lines[line].1.trim_end().ends_with(['.', '?', '!', '。', '…']);
    // The longest of several notes is as full as a line of a paragraph. If it ends a sentence, only another line whose words are wrapped shows
    // that there is a margin.
    let is_joined = |pair: &[usize]| {
        is_wrapped(pair) && (!ends(pair[0]) || column.windows(2).any(|other| other[0] != pair[0] && is_wrapped(other)))
    };
    let Some(at) = column.iter().position(|&line| line == chosen) else { return vec![chosen] };
    let above = column[..=at].windows(2).rev().take_while(|pair| is_joined(pair)).count();
    let below = column[at..].windows(2).take_while(|pair| is_joined(pair)).count();
    column[at - above..=at + below].to_vec()
}

/// The boxes above and below `chosen` that follow each other like the lines of one text, from top to bottom.
#[must_use]
pub fn column(boxes: &[Rect], chosen: usize) -> Vec<usize> {
    let mut column = vec![chosen];
    let nearest = |of: Rect, is_next: &dyn Fn(Rect) -> bool| {
        let next = (0..boxes.len()).filter(|&other| is_next(boxes[other]));
        next.min_by_key(|&other| (boxes[other].center().y - of.center().y).abs())
    };
    while let Some(above) = nearest(boxes[column[0]], &|other| follows(other, boxes[column[0]])) {
        column.insert(0, above);
    }
    while let Some(below) =
        nearest(boxes[column[column.len() - 1]], &|other| follows(boxes[column[column.len() - 1]], other))
    {
        column.push(below);
    }
    column
}

/// Whether `below` stands under `above` like the next line of the same text: aligned, of the same size, close.
#[must_use]
pub fn follows(above: Rect, below: Rect) -> bool {
    let height = above.height.max(below.height).max(1);
    let gap = below.y - above.bottom();
    let alike = 10 * above.height.min(below.height) >= 7 * height;
    let aligned = (above.x - below.x).abs() <= 2 * height;
    alike && aligned && below.center().y > above.center().y && gap < height && gap > -height / 2
}

/// Whether `below` continues the sentence or paragraph of `above`, in a column that ends at `right`: `above` is prose and so full that the next
/// word did not fit.
#[must_use]
pub fn continues(above: PlacedText<'_>, below: PlacedText<'_>, right: i32) -> bool {
    let ((above_box, above), (below_box, below)) = (above, below);
    let words = above.split_whitespace().count();
    if words < FEWEST_WORDS || !is_prose(above) || !is_prose(below) {
        return false;
    }
    let gap = below_box.y - above_box.bottom();
    if words < MANY_WORDS && 10 * gap > WIDEST_GAP_OF_TEN * above_box.height.min(below_box.height) {
        return false;
    }
    let letters = |text: &str| i32::try_from(text.chars().count()).unwrap_or(i32::MAX).max(1);
    let next_word = below.split_whitespace().next().map_or(0, letters) + 1;
    let needed = below_box.width.saturating_mul(next_word) / letters(below);
    // Letters are of different widths: half a height is two of them.
    let is_full = right - above_box.right() <= needed + above_box.height / 2;
    let begins_anew =
        below.starts_with(char::is_uppercase) && !above.ends_with(['.', '?', '!', ':', ';', ',', '"', '”', ')', '…']);
    is_full && (!begins_anew || words >= MANY_WORDS)
}

/// Whether a line may belong to a paragraph: it consists of letters mostly, and does not begin like an entry of a list or a prompt.
fn is_prose(text: &str) -> bool {
    let all = text.chars().filter(|char| !char.is_whitespace()).count();
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    let begins_like_prose = text.starts_with(|char: char| char.is_alphanumeric() || "\"'“‘(「『<".contains(char));
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_number =
        first.ends_with(['.', ')']) && first.chars().filter(char::is_ascii_digit).count() + 1 == first.chars().count();
    10 * letters >= LETTERS_OF_TEN * all && begins_like_prose && !is_number
}

#[cfg(test)]
#[path = "paragraphs/tests.rs"]
mod tests;
