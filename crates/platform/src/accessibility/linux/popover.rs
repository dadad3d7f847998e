//! The popovers of GTK 4, such as menus and the lists of its combo boxes. On the screen a popover is a window; in the tree
//! it is a part of the main window, and told as if it began at the corner of what it belongs to. Its size is right, so
//! that it is known by that, and what is in it is placed by the popover's own window (PIC-1, SES-3).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luna_messages::Rect;
use luna_messages::pick::Role;
use tokio::time::Instant;

use super::call_error::CallError;
use super::display::TopLevelWindow;
use super::node::{LinuxNode, NodeFacts};
use super::role;
use super::walk::{Visit, WalkBudget, walk};

/// Maximum number of elements of the main window among which to look for the popover.
const BUDGET: usize = 1500;
/// Time limit of the search.
const TIME_LIMIT: Duration = Duration::from_millis(350);

/// The part of the main window `frame` that the window `popup` shows; `None` if there is none, as for a tool tip.
///
/// # Errors
/// [`CallError::Late`] if the search did not come to its end: without the popover, protected fields in it are not found.
pub(super) async fn part_shown_by(frame: &LinuxNode, popup: &TopLevelWindow) -> Result<Option<LinuxNode>, CallError> {
    let until = Instant::now() + TIME_LIMIT;
    let budget = WalkBudget { elements: BUDGET, until: Some(until), unseen: false };
    let is_found = AtomicBool::new(false);
    let walked = walk(frame, frame.extents().await?, budget, |facts, _| {
        let what = if is_found.load(Ordering::Relaxed) { Visit::Skip } else { visit(facts, popup.boxes.client) };
        is_found.fetch_or(what == Visit::Take, Ordering::Relaxed);
        what
    });
    let walked = walked.await?;
    // What is nearest to the window comes first; a popover may contain an element of its own size.
    match walked.taken.into_iter().next() {
        Some((node, _)) => Ok(Some(node)),
        None if walked.is_complete => Ok(None),
        None => Err(CallError::Late),
    }
}

fn visit(facts: &NodeFacts, popup: Rect) -> Visit {
    if role::is_leaf(facts.native) || !facts.states.is_shown(true) {
        Visit::Skip
    } else if is_as_large(facts.bbox, popup) {
        Visit::Take
    } else if matches!(facts.role.general(), Role::List | Role::Table | Role::Document) {
        Visit::EnterLast
    } else {
        Visit::Enter
    }
}

/// Whether a part of a window fills `popup`, wherever it is told. Pure.
const fn is_as_large(part: Rect, popup: Rect) -> bool {
    /// With a scale factor, edges are rounded to pixels.
    const ROUNDING: u32 = 2;
    part.width.abs_diff(popup.width) <= ROUNDING && part.height.abs_diff(popup.height) <= ROUNDING
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-3
    #[test]
    fn a_popover_is_known_by_its_size_ses_3() {
        let popup = Rect::new(587, 84, 263, 587);
        for (part, expect) in [
            ([696, 66, 263, 587], true),
            ([696, 66, 264, 586], true),
            // What is in it, and the window that it belongs to.
            ([720, 100, 215, 527], false),
            ([65, 65, 790, 590], false),
            ([65, 65, 263, 590], false),
            ([0, 0, 0, 0], false),
        ] {
            assert_eq!(is_as_large(part.into(), popup), expect, "{part:?}");
        }
    }
}
