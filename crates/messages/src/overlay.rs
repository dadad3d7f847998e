//! What Luna shows on the screen: the box round what is read, badges at the options of a question, a chip with the mode (OVL).

use crate::pick::PickMethod;
use crate::reading::Intent;
use crate::{ElementId, Lane, Message, Rect};

/// A picture at a place of the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverlayPicture {
    /// Not empty.
    pub place: Rect,
    /// The rows from top to bottom; alpha, red, green and blue of each pixel from the highest byte to the lowest, premultiplied.
    pub argb: Vec<u32>,
}

impl OverlayPicture {
    /// Pixels per unit of the place in each direction, at least 1: more than 1 only if the overlay asked for it, because its desktop is measured in
    /// units that a monitor shows with several pixels.
    #[must_use]
    pub fn density(&self) -> usize {
        let [width, height] = [self.place.width, self.place.height].map(|length| usize::try_from(length).unwrap_or(0));
        (self.argb.len() / (width * height).max(1)).isqrt().max(1)
    }
}

/// All that is shown at a time. Pictures lie above what is darkened. Places are in the desktop's own units: physical pixels, but logical pixels of the
/// compositor's layout if a Wayland compositor shows the image (PIC-7).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OverlayImage {
    pub pictures: Vec<OverlayPicture>,
    /// The darkened parts of the desktop.
    pub dimmed: Vec<Rect>,
    /// How dark they become: 0 is unchanged, 255 is black.
    pub darkness: u8,
    /// The places that the pictures mark. What happens there is reported as [`OverlayChange`].
    pub followed: Vec<Rect>,
}

impl OverlayImage {
    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty() && (self.dimmed.is_empty() || self.darkness == 0)
    }
}

/// Something happened where the overlay marks a place, so that the mark may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayChange {
    /// The window with the marked place `from` moved; the place is at `to` now.
    Moved { from: Rect, to: Rect },
    /// Something was drawn at the marked place, or a window came over it.
    Redrawn { at: Rect },
    /// The window with the marked place is gone.
    Vanished { at: Rect },
}

/// What the overlay can do on this desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlaySupport {
    /// Box, badges, chip and a darkened rest.
    Translucent,
    /// Box, badges and chip: nothing can be darkened, because no compositing manager runs.
    Opaque,
}

/// The text that was found under the pointer or the keyboard focus, without what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighlightedText {
    pub bbox: Rect,
    pub method: PickMethod,
    /// Tells two texts apart; the text itself is not kept (PRV-1).
    pub text_hash: u64,
    pub is_table: bool,
}

/// Messages of the Overlay actor. Each tells a state as a whole, so that of two the newer one counts.
#[derive(Debug, Message)]
#[message(lane = Lane::Uia)]
pub enum OverlayMessage {
    /// Whether focus mode is on.
    #[message(coalesce, survives_restart)]
    FocusMode { on: bool },
    /// How Luna reads now.
    #[message(coalesce)]
    Mode(Intent),
    /// What was found; [`OverlayMessage::Highlight`] follows if it is shown.
    #[message(coalesce)]
    Picked(HighlightedText),
    /// What is marked as read; `None`: nothing.
    #[message(coalesce, survives_restart)]
    Highlight { bbox: Option<Rect>, pinned: bool },
    /// The options of the open question, in the order of their numbers; none: no question is open (EXE-3).
    #[message(coalesce, survives_restart)]
    Question { options: Vec<ElementId> },
    /// Whether Luna listens (OVL-3).
    #[message(coalesce, survives_restart)]
    Listening { on: bool },
    /// Something happened where the overlay marks a place.
    #[message(drop_oldest)]
    Changed(OverlayChange),
    /// Where the elements of the query are now; `None` of those that are gone or hidden.
    Located { query: u64, boxes: Vec<Option<Rect>> },
    /// What lies at the marked place now; `None` if it can't be told.
    Checked { query: u64, found: Option<HighlightedText> },
    /// What the marked place looks like now, as a hash of its pixels; `None` if no picture of it can be had.
    Compared { query: u64, pixels: Option<u64> },
    /// A timer fired.
    Timer {
        /// The timer's number, so that stale timers are ignored.
        generation: u64,
    },
    /// What is shown is to be drawn anew.
    #[message(coalesce)]
    Redraw,
    /// The settings may have changed (CFG-4).
    #[message(coalesce)]
    CheckSettings,
}
