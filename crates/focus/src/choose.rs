//! Selects the recognised line that the person points at (PIC-4).

use luna_messages::{Point, Rect};

/// Weights of the score, `focus_mode.ocr`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiceWeights {
    /// Weight of proximity.
    pub text: f64,
    /// Weight of large letters: height relative to the tallest candidate, 0 to 1.
    pub size: f64,
    /// Weight of the penalty for low contrast, 0 to 1.
    pub contrast_penalty: f64,
    /// Keeps the score finite at distance 0, in line heights; the proximity of a line has fallen to half of its most at this distance.
    pub epsilon: f64,
}

impl Default for ChoiceWeights {
    fn default() -> Self {
        Self { text: 1.0, size: 0.3, contrast_penalty: 0.2, epsilon: 1.0 }
    }
}

/// Lines at or below this confidence are not candidates (PIC-4).
pub const LEAST_CONFIDENCE: f32 = 0.5;

/// A recognised line as a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineCandidate<'a> {
    pub text: &'a str,
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// 0 to 1.
    pub contrast: f32,
}

/// How far from the cursor a line may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceReach {
    /// So near that the person points at it.
    Near,
    /// Anywhere in the region: the person asked for a larger one (PIC-2, FOC-1).
    Region,
}

impl ChoiceReach {
    /// The reach in a region that is enlarged by this factor.
    #[must_use]
    pub fn of(enlarge: f32) -> Self {
        if enlarge > 1.0 { Self::Region } else { Self::Near }
    }

    /// Whether a box is in reach.
    #[must_use]
    pub fn holds(self, bbox: Rect, cursor: Point, weights: ChoiceWeights) -> bool {
        self == Self::Region || heights_to(bbox, cursor) <= weights.epsilon.max(NEAREST)
    }
}

/// Reach at least, in line heights, whatever the configuration: half of the usual gap between two lines.
const NEAREST: f64 = 0.25;

/// Distance from the edge of a box in line heights, so that the same gesture works at every scale.
fn heights_to(bbox: Rect, cursor: Point) -> f64 {
    bbox.distance_to(cursor) / f64::from(bbox.height.max(1))
}

/// Index of the line that `cursor` points at; `None` if no line qualifies. Ties go to the earlier line in reading order.
///
/// A line farther away than the distance at which its proximity has fallen to half is not what the person points at: an empty spot has no text.
#[must_use]
pub fn choose(
    candidates: &[LineCandidate<'_>],
    cursor: Point,
    weights: ChoiceWeights,
    reach: ChoiceReach,
) -> Option<usize> {
    let tallest = candidates.iter().map(|candidate| candidate.bbox.height).max().unwrap_or(1).max(1);
    let mut best: Option<(f64, usize)> = None;
    for (i, candidate) in candidates.iter().enumerate() {
        let is_text = candidate.confidence > LEAST_CONFIDENCE && !candidate.text.trim().is_empty();
        if !is_text || !reach.holds(candidate.bbox, cursor, weights) {
            continue;
        }
        let distance = heights_to(candidate.bbox, cursor);
        // A line under the cursor outweighs every line that is only near.
        let inside = if distance == 0.0 { 1.0 } else { 0.0 };
        let near = inside + 1.0 / (distance + weights.epsilon);
        let size = f64::from(candidate.bbox.height) / f64::from(tallest);
        let faint = 1.0 - f64::from(candidate.contrast);
        let score = weights.text * near + weights.size * size - weights.contrast_penalty * faint;
        if best.is_none_or(|(top, _)| score > top) {
            best = Some((score, i));
        }
    }
    best.map(|(_, i)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn line(text: &str, bbox: [i32; 4], confidence: f32, contrast: f32) -> LineCandidate<'_> {
        LineCandidate { text, bbox: Rect::new(bbox[0], bbox[1], bbox[2], bbox[3]), confidence, contrast }
    }

    #[track_caller]
    fn check(lines: &[(&str, [i32; 4], f32)], cursor: (i32, i32), expect: Option<usize>) {
        let candidates: Vec<LineCandidate<'_>> =
            lines.iter().map(|(text, bbox, confidence)| line(text, *bbox, *confidence, 1.0)).collect();
        let found = choose(&candidates, Point::new(cursor.0, cursor.1), ChoiceWeights::default(), ChoiceReach::Near);
        assert_eq!(found, expect, "{lines:?}");
    }

    // PIC-2, PIC-4
    #[test]
    fn an_empty_spot_has_no_text_unless_more_was_asked_for_pic_2_pic_4() {
        let lines = [("text", [100, 100, 200, 20], 0.9)];
        check(&lines, (150, 85), Some(0));
        check(&lines, (150, 79), None);
        check(&lines, (325, 110), None);
        let far = [line("text", [100, 100, 200, 20], 0.9, 1.0)];
        let choose = |enlarge| choose(&far, Point::new(150, 10), ChoiceWeights::default(), ChoiceReach::of(enlarge));
        assert_eq!((choose(1.0), choose(1.5)), (None, Some(0)));
        // The same gesture at twice the scale.
        check(&[("text", [200, 200, 400, 40], 0.9)], (300, 170), Some(0));
    }

    // PIC-4
    #[test]
    fn of_two_lines_the_clearer_one_wins_pic_4() {
        let of = |faint: f32| {
            let lines = [line("faint", [0, 0, 100, 20], 0.9, faint), line("clear", [0, 30, 100, 20], 0.9, 1.0)];
            choose(&lines, Point::new(50, 24), ChoiceWeights::default(), ChoiceReach::Near)
        };
        assert_eq!((of(1.0), of(0.1)), (Some(0), Some(1)));
    }

    // PIC-4
    #[test]
    fn the_line_under_the_cursor_wins_pic_4() {
        let lines =
            [("first", [0, 0, 100, 20], 0.9), ("second", [0, 30, 100, 20], 0.99), ("BIG", [0, 60, 200, 60], 0.99)];
        check(&lines, (50, 10), Some(0));
        check(&lines, (50, 40), Some(1));
        check(&lines, (50, 90), Some(2));
        check(&lines, (50, 22), Some(0));
    }

    // PIC-4
    #[test]
    fn doubtful_and_empty_lines_are_no_candidates_pic_4() {
        check(&[("doubtful", [0, 0, 100, 20], 0.5)], (50, 10), None);
        check(&[("  ", [0, 0, 100, 20], 0.9)], (50, 10), None);
        check(&[("doubtful", [0, 0, 100, 20], 0.4), ("sure", [0, 28, 100, 20], 0.8)], (50, 10), Some(1));
        check(&[], (0, 0), None);
    }
}
