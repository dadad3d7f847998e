//! Reading line by line while pinned (FOC-4): the lines around the current one (BUF-1).

use luna_messages::Rect;
use luna_messages::uia::TextLine;
use zeroize::Zeroize;

/// Direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineDirection {
    Up,
    Down,
}

/// A move by lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineStep {
    pub(super) direction: LineDirection,
    /// How many lines, at least 1.
    pub(super) count: usize,
}

impl LineStep {
    /// The step to the next line.
    pub(super) const fn one(direction: LineDirection) -> Self {
        Self { direction, count: 1 }
    }

    /// The step of an offset in lines: 2 is two lines down, -1 one line up. `None` for 0, the line itself.
    pub(super) fn of_offset(offset: i32) -> Option<Self> {
        let direction = if offset < 0 { LineDirection::Up } else { LineDirection::Down };
        let count = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        (count > 0).then_some(Self { direction, count })
    }
}

/// A few lines before and after the current one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineWindow {
    /// Lines above, the nearest last.
    before: Vec<TextLine>,
    /// Lines below, the nearest first.
    after: Vec<TextLine>,
}

impl LineWindow {
    /// The lines around the one at `current` with text `text`: at most `before` above and `after` below.
    #[must_use]
    pub fn around(lines: &[TextLine], current: Rect, text: &str, before: usize, after: usize) -> Self {
        let Some(here) = find(lines, current, text) else {
            return Self::default();
        };
        Self {
            before: lines[here.start.saturating_sub(before)..here.start].to_vec(),
            after: lines[here.end..lines.len().min(here.end.saturating_add(after))].to_vec(),
        }
    }

    /// The neighbour in that direction; `None` at the edge of the window's text.
    #[must_use]
    pub fn neighbour(&self, direction: LineDirection) -> Option<&TextLine> {
        self.at(LineStep::one(direction))
    }

    /// The line that a step leads to; `None` if it is not among these.
    pub(super) fn at(&self, step: LineStep) -> Option<&TextLine> {
        let nearer = step.count.checked_sub(1)?;
        match step.direction {
            LineDirection::Up => self.before.iter().rev().nth(nearer),
            LineDirection::Down => self.after.get(nearer),
        }
    }
}

impl Drop for LineWindow {
    /// Wipes the lines, so that no screen text stays in freed memory (BUF-2).
    fn drop(&mut self) {
        for line in self.before.iter_mut().chain(&mut self.after) {
            line.text.zeroize();
        }
    }
}

/// The lines that `current` covers: usually one; several if a paragraph is being read.
fn find(lines: &[TextLine], current: Rect, text: &str) -> Option<std::ops::Range<usize>> {
    let covered = |line: &TextLine| {
        let middle = line.bbox.center();
        current.contains(middle) && (text.contains(line.text.trim()) || line.text.contains(text.trim()))
    };
    if let Some(start) = lines.iter().position(covered) {
        let end = lines[start..].iter().position(|line| !covered(line)).map_or(lines.len(), |n| start + n);
        return Some(start..end);
    }
    // The screen may have scrolled: the line with the same text, else the nearest one.
    let by_text = lines.iter().position(|line| line.text.trim() == text.trim());
    let nearest = || (0..lines.len()).min_by_key(|&i| (lines[i].bbox.center().y - current.center().y).abs());
    by_text.or_else(nearest).map(|i| i..i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<TextLine> {
        (0..6).map(|i| TextLine { text: format!("line {i}"), bbox: Rect::new(10, i * 20, 100, 16) }).collect()
    }

    #[track_caller]
    fn check(current: [i32; 4], text: &str, up: Option<&str>, down: Option<&str>) {
        let window = LineWindow::around(&lines(), Rect::from(current), text, 2, 2);
        assert!(window.before.len() <= 2 && window.after.len() <= 2, "BUF-1");
        assert_eq!(window.neighbour(LineDirection::Up).map(|l| l.text.as_str()), up);
        assert_eq!(window.neighbour(LineDirection::Down).map(|l| l.text.as_str()), down);
    }

    // FOC-4, BUF-1
    #[test]
    fn neighbours_of_a_line_foc_4_buf_1() {
        check([10, 40, 100, 16], "line 2", Some("line 1"), Some("line 3"));
        check([10, 0, 100, 16], "line 0", None, Some("line 1"));
        check([10, 100, 100, 16], "line 5", Some("line 4"), None);
        // A paragraph of three lines is skipped as a whole.
        check([10, 20, 100, 60], "line 1 line 2 line 3", Some("line 0"), Some("line 4"));
        // The window scrolled by one line meanwhile.
        check([10, 60, 100, 16], "line 2", Some("line 1"), Some("line 3"));
        // The text has changed: the nearest line counts.
        check([10, 62, 100, 16], "gone", Some("line 2"), Some("line 4"));
        check([10, -90, 100, 16], "gone", None, Some("line 1"));
        check([10, 500, 100, 16], "gone", Some("line 4"), None);
        // The text read may be a part of its line, or the line may contain more.
        check([10, 40, 100, 16], " ne 2 ", Some("line 1"), Some("line 3"));
        check([10, 40, 100, 16], "1. line 2 and more", Some("line 1"), Some("line 3"));
    }

    // BUF-1
    #[test]
    fn as_many_lines_are_kept_as_the_settings_say_buf_1() {
        for (before, after) in [(0, 0), (1, 2), (2, 1), (3, 9)] {
            let window = LineWindow::around(&lines(), Rect::new(10, 60, 100, 16), "line 3", before, after);
            assert_eq!((window.before.len(), window.after.len()), (before, after.min(2)));
            let words = |lines: &[TextLine]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
            assert_eq!(words(&window.before), words(&lines()[3 - before..3]));
            assert_eq!(words(&window.after), words(&lines()[4..4 + after.min(2)]));
        }
    }

    #[test]
    fn nothing_is_known_of_an_empty_window() {
        let window = LineWindow::around(&[], Rect::new(0, 0, 10, 10), "x", 2, 2);
        assert_eq!(window.neighbour(LineDirection::Down), None);
    }
}
