//! What the Ocr actor hears, and what recognition finds.

use serde::{Deserialize, Serialize};

use crate::pick::{Pick, PickFailure, PickRequest, SearchedRegion};
use crate::uia::TextLine;
use crate::{Lane, Lang, Message, Rect, Reply};

/// A recognised line of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrBlock {
    pub text: String,
    /// Place: on the desktop for picks, in the picture for files.
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// Place in the reading order, from 0 (OCR-2).
    pub order: usize,
}

/// What recognition of a region gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrResult {
    /// The lines in reading order.
    pub blocks: Vec<OcrBlock>,
    /// Rows and columns where the region is a table, empty elsewhere (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first row is a header.
    pub has_header: bool,
    /// Language by script of all of it.
    pub lang: Lang,
    /// Whether the quality is low, so that magnifying should be offered (OCR-3).
    pub low_quality: bool,
}

/// A pick by text recognition.
#[derive(Debug, Clone, PartialEq)]
pub struct OcrPick {
    /// What to read.
    pub pick: Pick,
    /// Whether the quality is low (OCR-3).
    pub low_quality: bool,
}

/// What the Ocr actor hears.
#[derive(Debug, Message)]
#[message(lane = Lane::Ocr)]
pub enum OcrMessage {
    /// Recognise around the cursor and pick the best block (PIC-2, PIC-4). A newer pick cancels an older one (KER-6).
    #[message(coalesce)]
    Pick {
        /// Where.
        request: PickRequest,
        /// What may be looked at.
        searched: SearchedRegion,
        /// The answer.
        reply: Reply<Result<OcrPick, PickFailure>>,
    },
    /// Nobody wants the pick under way any more (KER-6, FOC-6). Of the kind of a pick, so that the newer of the two replaces the other.
    #[message(kind = "pick", coalesce)]
    EndPick,
    /// Recognise all lines of a window, for reading line by line while pinned.
    #[message(coalesce)]
    Lines {
        /// The window as it was searched.
        searched: SearchedRegion,
        /// The lines in reading order.
        reply: Reply<Result<Vec<TextLine>, PickFailure>>,
    },
    /// Try again to start an engine that could not start (KER-9), and wipe results that expired (BUF-2).
    #[message(coalesce)]
    Tick,
}
