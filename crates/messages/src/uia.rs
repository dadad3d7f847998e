//! What the Uia actor hears: questions about the accessibility tree.

use crate::pick::{Element, PickFailure, PickRequest, SearchedRegion};
use crate::{Lane, Message, Rect, Reply};

/// What the tree says about a point.
#[derive(Debug, Clone, PartialEq)]
pub enum TreeAnswer {
    /// An element with text.
    Found(Element),
    /// Nothing to read there by the tree; text recognition may try, in the region that was searched (PIC-5, SES-5).
    NoText(SearchedRegion),
    /// Nothing may be or can be read there; recognition must not try.
    Refused(PickFailure),
}

/// One line of a window's text, for reading line by line while pinned (FOC-4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    pub text: String,
    /// Place on the desktop.
    pub bbox: Rect,
}

/// What the Uia actor hears.
#[derive(Debug, Message)]
#[message(lane = Lane::Uia)]
pub enum UiaMessage {
    /// What is under the cursor? A newer question makes an older one pointless.
    #[message(coalesce)]
    Pick {
        /// Where.
        request: PickRequest,
        reply: Reply<TreeAnswer>,
    },
    /// Nobody wants the pick under way any more (KER-6, FOC-6). Of the kind of a pick, so that the newer of the two replaces the other.
    #[message(kind = "pick", coalesce)]
    EndPick,
    /// The lines of the window under a point, in reading order.
    #[message(coalesce)]
    Lines {
        /// A point of the window.
        request: PickRequest,
        /// Whether the target was found by recognition, so that its lines are to be found that way, too.
        recognised: bool,
        /// The lines, or why there are none.
        reply: Reply<Result<Vec<TextLine>, PickFailure>>,
    },
    /// Look again whether the accessibility bus is there (KER-9), and wipe snapshots that expired (BUF-2).
    #[message(coalesce)]
    Tick,
}
