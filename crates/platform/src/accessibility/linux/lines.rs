//! The visible text of a window, line by line in reading order (FOC-4). Protected fields are left out (PIC-5).

use std::time::Duration;

use atspi::Role as Native;
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;
use luna_messages::uia::TextLine;
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use super::super::VisibleLines;
use super::super::order::reading_order;
use super::call_error::CallError;
use super::embedded::EmbeddedText;
use super::node::{LinuxNode, NodeFacts};
use super::walk::{Visit, WalkBudget, time_is_over, walk};
use super::{allowance, protect, reading, role, text};

/// Maximum number of elements to query, and the time limit of the search for them.
const MAX_VISITED: usize = 1200;
const WALK_LIMIT: Duration = Duration::from_millis(450);
/// Maximum number of elements whose text is read.
const MAX_TEXTS: usize = 500;
/// Maximum number of lines of one element.
const MAX_LINES: usize = 120;
/// Maximum length, in characters, of a text whose lines are requested: a single line may be the whole text.
const MAX_CHARACTERS: i32 = 2_000_000;
/// Concurrent reads of texts.
const CONCURRENT_CALLS: usize = 16;

/// The lines of the window whose element is `frame`, within `view`.
pub(super) async fn lines(frame: &LinuxNode, view: Rect) -> Result<VisibleLines, CallError> {
    let local = frame.app.local;
    let budget = WalkBudget { elements: MAX_VISITED, until: Some(Instant::now() + WALK_LIMIT), unseen: false };
    let mut walked = walk(frame, view, budget, |facts, _| visit(facts, view, local)).await?;
    // An incomplete walk that found nothing does not mean that the window is empty.
    if walked.taken.is_empty() && !walked.is_complete {
        return Err(CallError::Late);
    }
    let is_complete = walked.is_complete && walked.taken.len() <= MAX_TEXTS;
    walked.taken.truncate(MAX_TEXTS);
    let count = walked.taken.len();
    let read = walked.taken.into_iter().map(|(node, facts)| async move { element_lines(&node, &facts, view).await });
    // Some lines are better than none.
    let read: Vec<Vec<TextLine>> =
        stream::iter(read).buffered(CONCURRENT_CALLS).take_until(time_is_over(allowance::until())).collect().await;
    // An element with the maximum number of lines may have more.
    let is_complete = is_complete && read.len() == count && read.iter().all(|lines| lines.len() < MAX_LINES);
    Ok(VisibleLines { lines: reading_order(read.into_iter().flatten().collect()), is_complete })
}

/// Which elements are read as a whole, and which are only searched for elements inside them.
pub(super) fn visit(facts: &NodeFacts, view: Rect, local: bool) -> Visit {
    let is_hidden = !facts.states.is_shown(local) && facts.role.general() != Role::Window;
    if is_hidden || facts.role == Role::Protected {
        return Visit::Skip;
    }
    let is_elsewhere = facts.bbox.intersection(view).is_empty();
    let general = facts.role.general();
    if general == Role::Window || role::overflows(facts.native) && !matches!(general, Role::MenuItem | Role::ComboBox) {
        return if facts.role == Role::Tab && !is_elsewhere { Visit::TakeAndEnter } else { Visit::Enter };
    }
    if is_elsewhere {
        return if facts.bbox.is_empty() { Visit::Enter } else { Visit::Skip };
    }
    match general {
        Role::Text | Role::Edit | Role::Hyperlink | Role::Button | Role::MenuItem | Role::Heading | Role::CheckBox => {
            Visit::Take
        }
        Role::RadioButton | Role::ComboBox | Role::Slider | Role::Cell | Role::ListItem => Visit::Take,
        // A tab has a name, and the elements of its page are its descendants.
        Role::Tab => Visit::TakeAndEnter,
        Role::Document | Role::Table | Role::List | Role::Group | Role::Other | Role::Window => Visit::Enter,
        Role::Image if facts.native == Native::ImageMap => Visit::Enter,
        _ => Visit::Skip,
    }
}

async fn element_lines(node: &LinuxNode, facts: &NodeFacts, view: Rect) -> Vec<TextLine> {
    if facts.is_field() && protect::is_secret(node, facts).await {
        return Vec::new();
    }
    let reading =
        text::read(node, facts, facts.role, &node.brief_details().await, reading::PlaceInText::Beginning).await;
    if reading.text.is_empty() {
        return Vec::new();
    }
    let whole = facts.bbox.intersection(view);
    let is_running = matches!(facts.role.general(), Role::Text | Role::Edit | Role::Heading);
    // 40 pixels are about two lines. A guess is enough: for higher elements the toolkit supplies the exact lines.
    if !is_running || !reading.text.contains('\n') && facts.bbox.height < 40 {
        let text = reading.text.split_whitespace().collect::<Vec<_>>().join(" ");
        return vec![TextLine { text, bbox: whole }];
    }
    visual_lines(node, &reading.text, facts.bbox, view).await.unwrap_or_else(|| evenly(&reading.text, facts.bbox, view))
}

/// The lines as they are wrapped on the screen, each with its own box; `None` if the toolkit can't report them, or if
/// part of `whole` is missing in them.
async fn visual_lines(node: &LinuxNode, whole: &str, bbox: Rect, view: Rect) -> Option<Vec<TextLine>> {
    let count = node.character_count().await.ok().filter(|&count| count <= MAX_CHARACTERS)?;
    let parts = EmbeddedText::new(node);
    let mut lines = Vec::new();
    let seen = bbox.intersection(view);
    // Start a long text at its first visible line.
    let is_long = count > reading::MAX_READ_CHARACTERS;
    let first = if is_long { node.offset_at(Point::new(seen.x + 4, seen.y + 4)).await } else { None };
    let mut offset = first.and_then(|first| i32::try_from(first).ok()).unwrap_or(0);
    let mut gone_through = String::new();
    for _ in 0..MAX_LINES {
        if offset >= count {
            break;
        }
        let (text, start, end) = node.line_at(offset).await?;
        if end <= offset {
            return None;
        }
        let text = parts.filled(node, text, start).await;
        gone_through.push_str(&text);
        let place = node.range_extents(start, (end - 1).max(start + 1)).await?;
        let seen = place.intersection(bbox).intersection(view);
        if !text.trim().is_empty() && !seen.is_empty() {
            lines.push(TextLine { text: text.trim().to_owned(), bbox: seen });
        } else if place.y > view.bottom() {
            break;
        }
        offset = end;
    }
    // Embedded elements that wrap themselves may fall between the lines that the toolkit reports.
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (whole, gone_through) = (letters(whole), letters(&gone_through));
    let is_whole = is_long || if offset < count { whole.starts_with(&gone_through) } else { whole == gone_through };
    (is_whole && !lines.is_empty()).then_some(lines)
}

/// The lines of a text at equal distances: the fallback if no boxes are known. Pure.
fn evenly(text: &str, bbox: Rect, view: Rect) -> Vec<TextLine> {
    let lines: Vec<&str> = text.lines().collect();
    let count = i32::try_from(lines.len()).unwrap_or(1).max(1);
    // Text starts at the top; a large field is rarely full.
    let height = (bbox.height / count).clamp(1, 24);
    let placed = (0..count).zip(lines).map(|(index, line)| TextLine {
        text: line.trim().to_owned(),
        bbox: Rect::new(bbox.x, bbox.y + index * height, bbox.width, height).intersection(view),
    });
    placed.filter(|line| !line.text.is_empty() && !line.bbox.is_empty()).take(MAX_LINES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // FOC-4
    #[test]
    fn lines_without_boxes_are_laid_out_from_the_top_foc_4() {
        let view = Rect::new(0, 0, 100, 60);
        let lines = evenly("a\n\nb\nc", Rect::new(10, 0, 50, 80), view);
        let places: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.bbox.y)).collect();
        assert_eq!(places, [("a", 0), ("b", 40)]);
        assert!(evenly("", Rect::new(0, 0, 5, 5), view).is_empty());
    }
}
