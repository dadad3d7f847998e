//! From a place on the screen to what stands there.

use std::sync::Mutex;

use bytes::Bytes;
use luna_logic::{recognition, region};
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::engine::RecogniseJob;
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrPick, OcrResult};
use luna_messages::pick::{PickFailure, PickRequest, WindowInfo};
use luna_messages::uia::TextLine;
use luna_messages::{Point, Rect};
use luna_platform::PlatformError;
use luna_platform::capture::{Capture, Shot, monitor_at};
use luna_runtime::capabilities::Capabilities;
use luna_runtime::outside::Outside;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::engine::RecognitionEngine;
use crate::results::Results;
use crate::{OcrParts, OcrSettings};

/// Recognises around the cursor and picks.
pub async fn pick(
    parts: &OcrParts,
    engine: &RecognitionEngine,
    request: PickRequest,
    window: Option<WindowInfo>,
    protected: &[Rect],
) -> Result<OcrPick, PickFailure> {
    let settings = (parts.settings)();
    let monitors = shot_outcome(&parts.capabilities, ask(&parts.capture, |capture| capture.monitors()).await)?;
    let monitor = monitor_at(&monitors, request.cursor).ok_or(PickFailure::Unavailable)?.bounds;
    let bounds = window.map(|window| window.bounds);
    let region = region::around(settings.region, request.cursor, monitor, bounds, request.enlarge);
    if region.is_empty() {
        return Err(PickFailure::NoText);
    }
    let result = look(parts, engine, settings, region, protected, request.enlarge).await?;
    let found = recognition::pick(&result, request.cursor, settings.weights).ok_or(PickFailure::NoText);
    wipe(result);
    found
}

/// The lines of a whole window.
pub async fn lines(
    parts: &OcrParts,
    engine: &RecognitionEngine,
    results: &Mutex<Results>,
    window: &WindowInfo,
    protected: &[Rect],
) -> Result<Vec<TextLine>, PickFailure> {
    let fresh = results.lock().ok().and_then(|results| results.of(window.handle, Instant::now()));
    if let Some(result) = fresh {
        return Ok(recognition::text_lines(&result));
    }
    let settings = (parts.settings)();
    let mut result = look(parts, engine, settings, window.bounds, protected, 1.0).await?;
    let lines = recognition::text_lines(&result);
    result.blocks.truncate(settings.top);
    // A cut result would end the stepping too early, so it is not kept for that.
    if result.blocks.len() == lines.len()
        && let Ok(mut results) = results.lock()
    {
        results.remember(window.handle, result, Instant::now());
    } else {
        wipe(result);
    }
    Ok(lines)
}

async fn look(
    parts: &OcrParts,
    engine: &RecognitionEngine,
    settings: OcrSettings,
    region: Rect,
    protected: &[Rect],
    magnify: f32,
) -> Result<OcrResult, PickFailure> {
    let shot = shot_outcome(&parts.capabilities, ask(&parts.capture, move |capture| capture.region(region)).await)?;
    let Shot { mut picture, region } = shot;
    blank(&mut picture, region, protected);
    let job = RecogniseJob { width: picture.width, height: picture.height, magnify };
    // Moved, not copied; the last holder of the bytes wipes them.
    let pixels = Bytes::from_owner(Zeroizing::new(std::mem::take(&mut picture.rgb)));
    let lines = engine.recognise(job, pixels).await.map_err(|_| PickFailure::Unavailable)?;
    Ok(recognition::assemble(&lines, Point::new(region.x, region.y), settings.low_quality))
}

/// Asks for monitors or a picture; a display that hangs is one that is silent.
async fn ask<T: Send + 'static>(
    capture: &Outside<dyn Capture>,
    question: impl FnOnce(&(dyn Capture + 'static)) -> Result<T, PlatformError> + Send + 'static,
) -> Result<T, PlatformError> {
    capture.ask(question).await.unwrap_or_else(|_| Err(PlatformError::silent_display()))
}

fn shot_outcome<T>(capabilities: &Capabilities, outcome: Result<T, PlatformError>) -> Result<T, PickFailure> {
    match outcome {
        Ok(value) => {
            capabilities.set(Capability::ScreenCapture, CapabilityState::Available);
            Ok(value)
        }
        Err(PlatformError::Unavailable(why)) => {
            capabilities.set(Capability::ScreenCapture, CapabilityState::Unavailable(why));
            Err(PickFailure::Unavailable)
        }
        Err(PlatformError::Gone) => Err(PickFailure::WindowGone),
        Err(PlatformError::OutsideScreen) => Err(PickFailure::NoText),
        Err(PlatformError::NoAnswer) => Err(PickFailure::NoAnswer),
    }
}

/// Blackens protected boxes, with a margin for borders that the tree does not count (PIC-5).
fn blank(picture: &mut Picture, region: Rect, protected: &[Rect]) {
    const MARGIN: i32 = 2;
    for field in protected {
        let field = Rect::new(field.x - MARGIN, field.y - MARGIN, field.width + 2 * MARGIN, field.height + 2 * MARGIN);
        let hidden = field.intersection(region).translated(-region.x, -region.y);
        for y in hidden.y..hidden.bottom() {
            for x in hidden.x..hidden.right() {
                let at = 3 * (y as usize * picture.width as usize + x as usize);
                if let Some(pixel) = picture.rgb.get_mut(at..at + 3) {
                    pixel.fill(0);
                }
            }
        }
    }
}

/// Wipes a result that is not kept (BUF-2).
fn wipe(mut result: OcrResult) {
    use zeroize::Zeroize;
    for block in &mut result.blocks {
        block.text.zeroize();
    }
    result.rows.zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-5
    #[test]
    fn protected_boxes_are_black_before_anything_is_recognised_pic_5() {
        let mut picture = Picture::new(10, 10, vec![200; 300]).unwrap();
        blank(&mut picture, Rect::new(100, 100, 10, 10), &[Rect::new(104, 104, 2, 2), Rect::new(0, 0, 5, 5)]);
        let black: Vec<(usize, usize)> =
            (0..100).filter(|i| picture.rgb[i * 3..i * 3 + 3] == [0, 0, 0]).map(|i| (i % 10, i / 10)).collect();
        assert_eq!(black.len(), 36, "the box and its margin");
        assert!(black.iter().all(|&(x, y)| (2..8).contains(&x) && (2..8).contains(&y)));
    }
}
