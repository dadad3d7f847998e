//! Selects the recognised line that the person points at (PIC-4).

use luna_messages::{Point, Rect};

/// Weights of the score, `focus_mode.ocr`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiceWeights {
    /// Weight of proximity.
    pub text: f64,
    /// Weight of large letters: height relative to the tallest candidate, 0 to 1.
    pub size: f64,
    /// Weight of the penalty for doubtful recognition, which low contrast causes, 0 to 1.
    pub contrast_penalty: f64,
    /// Keeps the score finite at distance 0, in line heights.
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
}

/// Index of the line that `cursor` points at; `None` if no line qualifies. Ties go to the earlier line in reading order.
///
/// Distance is measured from the edge of the box in line heights, so that the same gesture works at every scale.
#[must_use]
pub fn choose(candidates: &[LineCandidate<'_>], cursor: Point, weights: ChoiceWeights) -> Option<usize> {
    let tallest = candidates.iter().map(|candidate| candidate.bbox.height).max().unwrap_or(1).max(1);
    let mut best: Option<(f64, usize)> = None;
    for (i, candidate) in candidates.iter().enumerate() {
        if candidate.confidence <= LEAST_CONFIDENCE || candidate.text.trim().is_empty() {
            continue;
        }
        let height = f64::from(candidate.bbox.height.max(1));
        let distance = candidate.bbox.distance_to(cursor) / height;
        // A line under the cursor outweighs every line that is only near.
        let inside = if distance == 0.0 { 1.0 } else { 0.0 };
        let near = inside + 1.0 / (distance + weights.epsilon);
        let size = height / f64::from(tallest);
        let doubt = 1.0 - f64::from(candidate.confidence);
        let score = weights.text * near + weights.size * size - weights.contrast_penalty * doubt;
        if best.is_none_or(|(top, _)| score > top) {
            best = Some((score, i));
        }
    }
    best.map(|(_, i)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[(&str, [i32; 4], f32)], cursor: (i32, i32), expect: Option<usize>) {
        let candidates: Vec<LineCandidate<'_>> = lines
            .iter()
            .map(|(text, bbox, confidence)| LineCandidate { text, bbox: Rect::from(*bbox), confidence: *confidence })
            .collect();
        assert_eq!(choose(&candidates, Point::new(cursor.0, cursor.1), ChoiceWeights::default()), expect, "{lines:?}");
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
        check(&[("doubtful", [0, 0, 100, 20], 0.4), ("sure", [0, 100, 100, 20], 0.8)], (50, 10), Some(1));
        check(&[], (0, 0), None);
    }
}
