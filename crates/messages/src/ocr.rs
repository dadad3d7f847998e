//! Messages of the Ocr actor, and its results.

use serde::{Deserialize, Serialize};

use crate::image::Picture;
use crate::pick::{Pick, PickFailure, PickRequest, SearchedRegion};
use crate::uia::TextLine;
use crate::{Lane, Lang, Message, Rect, Reply};

/// A recognised line of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrBlock {
    pub text: String,
    /// On the desktop for picks, in the picture for files.
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// 0 to 1, as in [`crate::engine::RecognisedLine`].
    pub contrast: f32,
    /// Position in the reading order, from 0 (OCR-2).
    pub order: usize,
}

/// The recognised text of a region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrResult {
    /// In reading order.
    pub blocks: Vec<OcrBlock>,
    /// Cells by row if the region is a table, else empty (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first row is a header.
    pub has_header: bool,
    /// Language by script of the whole text.
    pub lang: Lang,
    /// Whether the quality is low, so that magnifying should be offered (OCR-3).
    pub low_quality: bool,
}

/// The result of a pick by text recognition.
#[derive(Debug, Clone, PartialEq)]
pub struct OcrPick {
    pub pick: Pick,
    /// Whether the quality is low (OCR-3).
    pub low_quality: bool,
}

/// A picture of a part of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenShot {
    pub picture: Picture,
    /// Its place on the desktop.
    pub region: Rect,
}

impl ScreenShot {
    /// The pixels of what lies in `bbox`, as far as the picture has it; `None` if that is nothing.
    #[must_use]
    pub fn part(&self, bbox: Rect) -> Option<Vec<u8>> {
        let Picture { width, height, rgb } = &self.picture;
        let (region, length) = (self.region, |side: &u32| i32::try_from(*side).ok());
        let seen = Rect::new(region.x, region.y, length(width)?, length(height)?);
        let inside = bbox.intersection(seen);
        if inside.is_empty() {
            return None;
        }
        let (left, top) = (usize::try_from(inside.x - seen.x).ok()?, usize::try_from(inside.y - seen.y).ok()?);
        let (columns, rows) = (usize::try_from(inside.width).ok()?, usize::try_from(inside.height).ok()?);
        let stride = usize::try_from(*width).ok()? * 3;
        let row = |row: usize| rgb.get((top + row) * stride + left * 3..(top + row) * stride + (left + columns) * 3);
        let rows: Option<Vec<&[u8]>> = (0..rows).map(row).collect();
        rows.map(|rows| rows.concat())
    }
}

/// Messages of the Ocr actor.
#[derive(Debug, Message)]
#[message(lane = Lane::Ocr)]
pub enum OcrMessage {
    /// Recognises text around the cursor and picks the best block (PIC-2, PIC-4). A newer pick cancels an older one (KER-6).
    #[message(coalesce)]
    Pick {
        request: PickRequest,
        /// The region that may be captured.
        searched: SearchedRegion,
        reply: Reply<Result<OcrPick, PickFailure>>,
    },
    /// Cancels the pick in progress (KER-6, FOC-6). Shares the kind of `Pick`, so that the newer message of the two replaces the older.
    #[message(kind = "pick", coalesce)]
    EndPick,
    /// Recognises all lines of a window, for reading line by line while pinned (FOC-4).
    #[message(coalesce)]
    Lines {
        searched: SearchedRegion,
        /// Lines in reading order.
        reply: Reply<Result<Vec<TextLine>, PickFailure>>,
    },
    /// A picture of the searched region, with what must not be seen blackened.
    Shot { searched: SearchedRegion, reply: Reply<Result<ScreenShot, PickFailure>> },
    /// Recognises all of the searched region.
    Recognise { searched: SearchedRegion, reply: Reply<Result<OcrResult, PickFailure>> },
    /// Retries an engine that could not start (KER-9), and wipes expired results (BUF-2).
    #[message(coalesce)]
    Tick,
}
