//! Captures and recognises a region of the screen.

use std::sync::Mutex;

use bytes::Bytes;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::stages::{Stage, timed};
use luna_engine_protocol::{PointedArea, RecogniseJob};
use luna_focus::choose::ChoiceReach;
use luna_focus::recognition;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::engine::RecognisedLine;
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrPick, OcrResult, ScreenShot};
use luna_messages::pick::{PickFailure, PickRequest, SearchedRegion};
use luna_messages::uia::TextLine;
use luna_messages::{Point, Rect};
use luna_platform::PlatformError;
use luna_platform::capture::{Capture, Shot};
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::engine::RecognitionEngine;
use crate::results::Results;
use crate::{OcrDependencies, OcrSettings};

/// Recognises the searched region and picks the text at the cursor.
pub async fn pick(
    dependencies: &OcrDependencies,
    engine: &RecognitionEngine,
    request: PickRequest,
    searched: &SearchedRegion,
) -> Result<OcrPick, PickFailure> {
    let settings = (dependencies.settings)();
    if searched.region.is_empty() {
        return Err(PickFailure::NoText);
    }
    let result = capture_and_recognise(dependencies, engine, settings, searched, Some(request)).await?;
    let reach = ChoiceReach::of(request.enlarge);
    let found = recognition::pick(&result, request.cursor, settings.weights, reach).ok_or(PickFailure::NoText);
    wipe(result);
    found
}

/// The lines of a whole window, from a recent result or by recognition.
pub async fn lines(
    dependencies: &OcrDependencies,
    engine: &RecognitionEngine,
    results: &Mutex<Results>,
    searched: &SearchedRegion,
) -> Result<Vec<TextLine>, PickFailure> {
    let window = searched.window.as_ref().ok_or(PickFailure::NoWindow)?.handle;
    let fresh = results.lock().ok().and_then(|results| results.of(window, Instant::now()));
    if let Some(result) = fresh {
        return Ok(recognition::text_lines(&result));
    }
    let settings = (dependencies.settings)();
    let mut result = capture_and_recognise(dependencies, engine, settings, searched, None).await?;
    let lines = recognition::text_lines(&result);
    result.blocks.truncate(settings.top);
    // A truncated result would end the line stepping too early, so it is not cached.
    if result.blocks.len() == lines.len()
        && let Ok(mut results) = results.lock()
    {
        results.remember(window, result, Instant::now());
    } else {
        wipe(result);
    }
    Ok(lines)
}

/// All that the searched region shows, for a tool.
pub async fn whole(
    dependencies: &OcrDependencies,
    engine: &RecognitionEngine,
    searched: &SearchedRegion,
) -> Result<OcrResult, PickFailure> {
    capture_and_recognise(dependencies, engine, (dependencies.settings)(), searched, None).await
}

/// A picture of the searched region, with what must not be seen blackened (PIC-5).
pub async fn shot(dependencies: &OcrDependencies, searched: &SearchedRegion) -> Result<ScreenShot, PickFailure> {
    let taken =
        shot_outcome(&dependencies.capabilities, timed(Stage::Capture, take(&dependencies.capture, searched)).await)?;
    let SearchedShot { shot: Shot { mut picture, region }, hidden } = taken.ok_or(PickFailure::Changed)?;
    blank(&mut picture, region, &hidden);
    Ok(ScreenShot { picture, region })
}

/// Recognises all of the searched region, or what a request needs of it.
async fn capture_and_recognise(
    dependencies: &OcrDependencies,
    engine: &RecognitionEngine,
    settings: OcrSettings,
    searched: &SearchedRegion,
    request: Option<PickRequest>,
) -> Result<OcrResult, PickFailure> {
    let taken =
        shot_outcome(&dependencies.capabilities, timed(Stage::Capture, take(&dependencies.capture, searched)).await)?;
    // A picture that does not show what was searched was dropped, which wipes it.
    let SearchedShot { shot: Shot { mut picture, region }, hidden } = taken.ok_or(PickFailure::Changed)?;
    blank(&mut picture, region, &hidden);
    let origin = Point::new(region.x, region.y);
    let around = request.map(|request| PointedArea {
        region: searched.chosen.translated(-origin.x, -origin.y),
        cursor: Point::new(request.cursor.x - origin.x, request.cursor.y - origin.y),
    });
    let magnify = request.map_or(1.0, |request| request.enlarge);
    let job = RecogniseJob { width: picture.width, height: picture.height, magnify, around };
    // Moved, not copied; the last owner of the bytes wipes them.
    let pixels = Bytes::from_owner(Zeroizing::new(std::mem::take(&mut picture.rgb)));
    let enough = |lines: &[RecognisedLine]| {
        request.is_some_and(|request| {
            recognition::is_settled(lines, origin, request.cursor, settings.weights, ChoiceReach::of(request.enlarge))
        })
    };
    let lines = engine.recognise(job, pixels, enough);
    let lines = timed(Stage::Recognition, lines).await.map_err(|_| PickFailure::Unavailable)?;
    Ok(recognition::assemble(&lines, origin, settings.low_quality))
}

/// A picture, and what of it is blackened.
struct SearchedShot {
    shot: Shot,
    hidden: Vec<Rect>,
}

/// Captures on a thread of its own, so that a hanging display server blocks no worker thread (KER-11). Returns `None` if the region shows other
/// windows than were searched, or the same at other places, because the picture may then show anything (SES-5). A window that others cover is
/// captured from its own picture if the system has one.
async fn take(
    capture: &BlockingService<dyn Capture>,
    searched: &SearchedRegion,
) -> Result<Option<SearchedShot>, PlatformError> {
    let searched = searched.clone();
    let taking = capture.ask(move |capture| {
        let SearchedRegion { region, hidden, shown, covered, .. } = searched;
        if let Some(covered) = covered
            && let Some(shot) = capture.window(covered.window, region)?
        {
            let is_there = capture.shown(region)?.contains(&covered.window);
            return Ok(is_there.then_some(SearchedShot { shot, hidden: covered.hidden }));
        }
        let shot = capture.region(region)?;
        // Queried after the picture, so that a window that appeared, moved or vanished between the search and the picture is noticed.
        Ok((capture.shown(region)? == shown).then_some(SearchedShot { shot, hidden }))
    });
    taking.await.unwrap_or_else(|_| Err(PlatformError::silent_display()))
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

/// Blackens hidden boxes, with a margin for borders outside of the tree's boxes (PIC-5).
fn blank(picture: &mut Picture, region: Rect, hidden: &[Rect]) {
    const MARGIN: i32 = 2;
    for field in hidden {
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
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use luna_messages::pick::ShownWindow;
    use luna_platform::capture::fault::{FaultyCapture, StillCapture};

    use super::*;

    // SES-5
    #[tokio::test]
    async fn a_picture_is_taken_of_what_was_searched_or_not_at_all_ses_5() {
        let window = |handle, x| ShownWindow { handle, bounds: Rect::new(x, 0, 8, 8) };
        let still = StillCapture::new(Picture::new(10, 10, vec![200; 300]).unwrap());
        let showing = FaultyCapture::new(Arc::new(still.with_shown(vec![window(1, 0), window(2, 2)])));
        let system: Arc<dyn Capture> = Arc::new(showing.clone());
        let capture = BlockingService::new("screen", Duration::from_secs(5), system);
        let region = Rect::new(2, 2, 6, 6);
        for (shown, is_taken) in [
            (vec![window(1, 0), window(2, 2)], true),
            // A window moved, came to the front, was added, or went.
            (vec![window(1, 1), window(2, 2)], false),
            (vec![window(2, 2), window(1, 0)], false),
            (vec![window(2, 2)], false),
            (vec![window(3, 0), window(1, 0), window(2, 2)], false),
        ] {
            let searched =
                SearchedRegion { window: None, region, chosen: region, hidden: Vec::new(), shown, covered: None };
            let taken = take(&capture, &searched).await.unwrap();
            assert_eq!(taken.map(|taken| taken.shot.region), is_taken.then_some(region), "{searched:?}");
        }
        assert!(
            showing.requested_regions().iter().all(|asked| *asked == region),
            "no more than what was searched is captured"
        );
    }

    /// A screen that keeps pictures of windows, or not.
    struct WindowPictures {
        screen: StillCapture,
        keeps: bool,
    }

    impl Capture for WindowPictures {
        fn region(&self, region: Rect) -> Result<Shot, PlatformError> {
            self.screen.region(region)
        }

        fn window(&self, _: ShownWindow, region: Rect) -> Result<Option<Shot>, PlatformError> {
            let pixels = Rect::new(0, 0, region.width, region.height);
            let picture = Picture::new(pixels.width as u32, pixels.height as u32, vec![7; 3 * 36]).unwrap();
            Ok(self.keeps.then_some(Shot { picture, region }))
        }

        fn shown(&self, region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
            self.screen.shown(region)
        }

        fn monitors(&self) -> Result<Vec<luna_platform::capture::Monitor>, PlatformError> {
            self.screen.monitors()
        }
    }

    // SES-5
    #[tokio::test]
    async fn a_covered_window_is_captured_from_its_own_picture_if_there_is_one_ses_5() {
        let (cover, window) = (Rect::new(2, 2, 8, 8), Rect::new(0, 0, 8, 8));
        let (cover, window) = (ShownWindow { handle: 2, bounds: cover }, ShownWindow { handle: 1, bounds: window });
        let region = Rect::new(2, 2, 6, 6);
        let (of_screen, of_window) = (vec![cover.bounds], vec![Rect::new(3, 3, 1, 1)]);
        let moved = ShownWindow { bounds: Rect::new(1, 0, 8, 8), ..window };
        for (keeps, now, expect) in [
            (true, vec![cover, window], Some((7, &of_window))),
            // What covers it may change: it is not in the picture.
            (true, vec![window], Some((7, &of_window))),
            (true, vec![cover, moved], None),
            (false, vec![cover, window], Some((200, &of_screen))),
            (false, vec![window], None),
        ] {
            let screen = StillCapture::new(Picture::new(10, 10, vec![200; 300]).unwrap()).with_shown(now.clone());
            let system: Arc<dyn Capture> = Arc::new(WindowPictures { screen, keeps });
            let capture = BlockingService::new("screen", Duration::from_secs(5), system);
            let covered = luna_messages::pick::CoveredWindow { window, hidden: of_window.clone() };
            let searched = SearchedRegion {
                window: None,
                region,
                chosen: region,
                hidden: of_screen.clone(),
                shown: vec![cover, window],
                covered: Some(covered),
            };
            let taken = take(&capture, &searched).await.unwrap();
            let taken = taken.map(|taken| (taken.shot.picture.rgb[0], taken.hidden));
            assert_eq!(taken, expect.map(|(pixel, hidden)| (pixel, hidden.clone())), "{keeps} {now:?}");
        }
    }

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
