//! Pictures of the screen on Windows: one per monitor, combined if a region spans several.

use luna_messages::Rect;
use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;
use xcap::{Monitor as Screen, XCapError};

use super::{Capture, Monitor, Shot};
use crate::PlatformError;
use crate::win32::{become_dpi_aware, windows_in};

/// The capture of Windows (PIC-3, PIC-7). Monitors come and go, so nothing is cached between pictures.
#[derive(Debug, Default, Clone, Copy)]
pub struct WindowsCapture;

impl WindowsCapture {
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Capture for WindowsCapture {
    fn region(&self, wanted: Rect) -> Result<Shot, PlatformError> {
        let mut pieces = Vec::new();
        for screen in screens()? {
            let bounds = bounds(&screen).map_err(|error| refused(&error))?;
            let part = wanted.intersection(bounds);
            if !part.is_empty() {
                pieces.push((part, capture_part(&screen, bounds, part)?));
            }
        }
        let shot = combine(&pieces);
        for (_, pixels) in &mut pieces {
            // What was on the screen must not stay in freed memory (PRV-1).
            pixels.fill(0);
            std::hint::black_box(&*pixels);
        }
        shot
    }

    fn shown(&self, region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        Ok(windows_in(region))
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        screens()?
            .iter()
            .map(|screen| {
                let scale = f64::from(screen.scale_factor()?);
                Ok(Monitor { bounds: bounds(screen)?, scale: if scale > 0.0 { scale } else { 1.0 } })
            })
            .collect::<Result<_, XCapError>>()
            .map_err(|error| refused(&error))
    }
}

/// All monitors, at least one.
fn screens() -> Result<Vec<Screen>, PlatformError> {
    become_dpi_aware();
    let screens = Screen::all().map_err(|error| refused(&error))?;
    if screens.is_empty() {
        return Err(PlatformError::unavailable(
            "There is no monitor.",
            "Connect a monitor, or start a remote session with a desktop.",
        ));
    }
    Ok(screens)
}

fn bounds(screen: &Screen) -> Result<Rect, XCapError> {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    Ok(Rect::new(screen.x()?, screen.y()?, side(screen.width()?), side(screen.height()?)))
}

fn refused(error: &XCapError) -> PlatformError {
    PlatformError::unavailable(
        format!("Windows gives no picture of the screen: {error}."),
        "It works again when the lock screen or the question of an administrator is gone.",
    )
}

/// The pixels of `part`, which lies on `screen`, as RGBA.
fn capture_part(screen: &Screen, bounds: Rect, part: Rect) -> Result<Vec<u8>, PlatformError> {
    let inside = part.translated(bounds.x.saturating_neg(), bounds.y.saturating_neg());
    let number = |value: i32| u32::try_from(value).map_err(|_| PlatformError::OutsideScreen);
    let picture = screen
        .capture_region(number(inside.x)?, number(inside.y)?, number(inside.width)?, number(inside.height)?)
        .map_err(|error| refused(&error))?;
    Ok(picture.into_raw())
}

/// Combines the pieces (RGBA) into one picture. Gaps between monitors are black.
fn combine(pieces: &[(Rect, Vec<u8>)]) -> Result<Shot, PlatformError> {
    let region = pieces.iter().fold(Rect::default(), |all, (part, _)| all.union(*part));
    let (Ok(width), Ok(height)) = (usize::try_from(region.width), usize::try_from(region.height)) else {
        return Err(PlatformError::OutsideScreen);
    };
    let mut rgb = vec![0; width * height * 3];
    for (part, rgba) in pieces {
        let (Ok(x), Ok(y), Ok(columns)) =
            (usize::try_from(part.x - region.x), usize::try_from(part.y - region.y), usize::try_from(part.width))
        else {
            continue;
        };
        for (row, from) in rgba.chunks_exact(columns * 4).enumerate() {
            let start = ((y + row) * width + x) * 3;
            let Some(to) = rgb.get_mut(start..start + columns * 3) else {
                break;
            };
            for (from, to) in from.chunks_exact(4).zip(to.chunks_exact_mut(3)) {
                to.copy_from_slice(&from[..3]);
            }
        }
    }
    let (width, height) = (u32::try_from(width), u32::try_from(height));
    let (Ok(width), Ok(height)) = (width, height) else {
        return Err(PlatformError::OutsideScreen);
    };
    // Fails only for a region without pixels.
    let picture = Picture::new(width, height, rgb).map_err(|_| PlatformError::OutsideScreen)?;
    Ok(Shot { picture, region })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn piece(part: Rect, colour: u8) -> (Rect, Vec<u8>) {
        let pixels = usize::try_from(part.width * part.height).unwrap();
        (part, [colour, colour, colour, 255].repeat(pixels))
    }

    // PIC-7
    #[test]
    fn pieces_of_several_monitors_make_one_picture_pic_7() {
        let left = piece(Rect::new(-2, 0, 2, 1), 7);
        let right = piece(Rect::new(0, 0, 1, 2), 9);
        let shot = combine(&[left, right]).unwrap();
        assert_eq!(shot.region, Rect::new(-2, 0, 3, 2));
        let first: Vec<u8> = shot.picture.rgb.chunks_exact(3).map(|pixel| pixel[0]).collect();
        assert_eq!(first, [7, 7, 9, 0, 0, 9]);
        assert_eq!(combine(&[]), Err(PlatformError::OutsideScreen));
    }
}
