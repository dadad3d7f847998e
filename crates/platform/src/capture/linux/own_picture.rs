//! A window's own picture, without the windows that cover it (SES-5).
//!
//! A compositing manager keeps one of every window. Without one, the server is asked to keep it for a moment: it then
//! tells the window to draw the parts that were covered, and until that is done those parts may still hold pixels of the
//! windows above. They are black unless the window was seen to draw them.

use std::time::{Duration, Instant};

use luna_messages::geometry::WindowPixels;
use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;
use luna_messages::{Coordinates, Rect};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::composite::{self, ConnectionExt as _, Redirect};
use x11rb::protocol::damage::{self, ConnectionExt as _, ReportLevel};
use x11rb::protocol::xproto::{ConnectionExt as _, Pixmap, Window};
use x11rb::protocol::{ErrorKind, Event};

use super::pixels::PixelLayout;
use super::{CaptureArea, CaptureSession, shot};
use crate::PlatformError;
use crate::capture::Shot;
use crate::x11::{Failure, Waker, XDisplay, stacking, unless_gone, wait};

/// How long to wait for a window to draw what was covered. Programs on a busy machine take some tens of milliseconds.
const REDRAW_LIMIT: Duration = Duration::from_millis(150);
/// How long a window draws nothing once it has drawn what was covered: two frames at 60 Hz, because some draw the
/// background first.
const REDRAW_PAUSE: Duration = Duration::from_millis(34);

/// Notices what a window draws.
pub(super) struct RedrawWatch {
    /// Never used; the wait for events needs one.
    waker: Waker,
}

impl RedrawWatch {
    /// `None` if the server lacks the extensions Composite or Damage.
    pub(super) fn new(display: &XDisplay) -> Result<Option<Self>, Failure> {
        let connection = &display.connection;
        for name in [composite::X11_EXTENSION_NAME, damage::X11_EXTENSION_NAME] {
            if connection.extension_information(name)?.is_none() {
                return Ok(None);
            }
        }
        // Version 0.2 brought pictures of windows; the server expects both questions before any other request.
        let version = connection.composite_query_version(0, 4)?.reply()?;
        connection.damage_query_version(1, 1)?.reply()?;
        let has_pictures = (version.major_version, version.minor_version) >= (0, 2);
        Ok(if has_pictures { Some(Self { waker: Waker::new()? }) } else { None })
    }

    /// Waits until the window has drawn all of `covered`, and takes what it has drawn from it.
    fn wait_for(&self, display: &XDisplay, covered: &mut Vec<Rect>, window: Rect) -> Result<(), Failure> {
        let start = Instant::now();
        let mut last = start;
        loop {
            while let Some(event) = display.connection.poll_for_event()? {
                if let Event::DamageNotify(drawn) = event {
                    let area = Rect::new(
                        drawn.area.x.into(),
                        drawn.area.y.into(),
                        drawn.area.width.into(),
                        drawn.area.height.into(),
                    );
                    let area = Coordinates::<WindowPixels, Rect>::new(area).on_desktop(window);
                    *covered = covered.iter().flat_map(|part| stacking::without(*part, area)).collect();
                    last = Instant::now();
                }
            }
            let now = Instant::now();
            let pause = if covered.is_empty() { REDRAW_PAUSE.saturating_sub(now - last) } else { REDRAW_PAUSE };
            let left = REDRAW_LIMIT.saturating_sub(now - start).min(pause);
            if left.is_zero() {
                return Ok(());
            }
            wait(&display.connection, &self.waker, Some(left));
        }
    }
}

/// A part of a window's own picture.
pub(super) struct OwnPicture {
    pub(super) shot: Shot,
    /// Whether nothing of it is black because it could not be had.
    pub(super) is_whole: bool,
}

impl CaptureSession {
    /// The part of the window's own picture in `region`; `None` if the server keeps none.
    pub(super) fn window(&mut self, window: ShownWindow, region: Rect) -> Result<Option<OwnPicture>, Failure> {
        self.window_as(window, region, |layout| layout)
    }

    /// As [`Self::window`]; `of` says what of the pixels becomes the picture.
    pub(super) fn window_as(
        &mut self,
        window: ShownWindow,
        region: Rect,
        of: impl Fn(PixelLayout) -> PixelLayout,
    ) -> Result<Option<OwnPicture>, Failure> {
        let (Ok(id), true) = (Window::try_from(window.handle), self.redraw_watch.is_some()) else { return Ok(None) };
        let part = Coordinates::of_window(region, window.bounds);
        let region = part.on_desktop(window.bounds);
        let area = CaptureArea::of(part.raw()).ok_or(PlatformError::OutsideScreen)?;
        let connection = &self.display.connection;
        let (attributes, geometry) = (connection.get_window_attributes(id)?, connection.get_geometry(id)?);
        let attributes = unless_gone(attributes.reply().map_err(Failure::from))?;
        let geometry = unless_gone(geometry.reply().map_err(Failure::from))?;
        let (Some(attributes), Some(geometry)) = (attributes, geometry) else {
            return Err(PlatformError::Gone.into());
        };
        let Some(layout) = PixelLayout::of_visual(&self.display, attributes.visual, geometry.depth) else {
            return Ok(None);
        };
        let layout = of(layout);
        let mut missing = Vec::new();
        let rgb = if stacking::composited(&self.display)? {
            self.kept_pixels(id, area, layout)?
        } else {
            let above = stacking::shown(&self.display, region)?;
            let above = above.into_iter().take_while(|one| *one != window);
            missing.extend(above.map(|one| one.bounds.intersection(region)));
            missing.extend(self.overlay_in(region)?);
            self.redrawn_pixels(id, window, area, layout, &mut missing)?
        };
        let Some(rgb) = rgb else { return Ok(None) };
        let mut shot = shot(area, region, rgb)?;
        for part in &missing {
            blacken(&mut shot.picture, part.intersection(region).translated(-region.x, -region.y));
        }
        let is_whole = missing.iter().all(|part| part.intersection(region).is_empty());
        Ok(Some(OwnPicture { shot, is_whole }))
    }

    /// The pixels of a picture that the server keeps; `None` if it keeps none of this window.
    fn kept_pixels(&mut self, id: Window, area: CaptureArea, layout: PixelLayout) -> Result<Option<Vec<u8>>, Failure> {
        let connection = &self.display.connection;
        let pixmap: Pixmap = connection.generate_id()?;
        match connection.composite_name_window_pixmap(id, pixmap)?.check().map_err(Failure::from) {
            Ok(()) => {}
            // Not kept, not visible, or gone; the search or the check afterwards notices the latter.
            Err(Failure::Refused(error)) if matches!(error.error_kind, ErrorKind::Match | ErrorKind::Window) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        let rgb = self.pixels(pixmap, area, layout);
        self.display.connection.free_pixmap(pixmap)?;
        match rgb {
            // The window shrank meanwhile.
            Err(Failure::Refused(error)) if error.error_kind == ErrorKind::Match => Ok(None),
            rgb => rgb.map(Some),
        }
    }

    /// The pixels of a window that is redirected for a moment. Of `covered`, only what was not drawn in time is left.
    fn redrawn_pixels(
        &mut self,
        id: Window,
        window: ShownWindow,
        area: CaptureArea,
        layout: PixelLayout,
        covered: &mut Vec<Rect>,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let connection = &self.display.connection;
        let watch_id = connection.generate_id()?;
        let watch = connection.damage_create(watch_id, id, ReportLevel::RAW_RECTANGLES)?;
        let is_watched = unless_gone(watch.check().map_err(Failure::from))?;
        // A new watch reports the whole window as drawn.
        while connection.poll_for_event()?.is_some() {}
        let redirect = connection.composite_redirect_window(id, Redirect::AUTOMATIC)?;
        let is_redirected = unless_gone(redirect.check().map_err(Failure::from))?;
        let pixels = match (&self.redraw_watch, is_watched, is_redirected) {
            (Some(redraw_watch), Some(()), Some(())) => redraw_watch
                .wait_for(&self.display, covered, window.bounds)
                .and_then(|()| self.kept_pixels(id, area, layout)),
            _ => Ok(None),
        };
        let connection = &self.display.connection;
        if is_watched.is_some() {
            connection.damage_destroy(watch_id)?.ignore_error();
        }
        if is_redirected.is_some() {
            connection.composite_unredirect_window(id, Redirect::AUTOMATIC)?.ignore_error();
        }
        connection.flush()?;
        pixels
    }
}

pub(super) fn blacken(picture: &mut Picture, part: Rect) {
    for y in part.y..part.bottom() {
        for x in part.x..part.right() {
            let at = 3 * (y as usize * picture.width as usize + x as usize);
            if let Some(pixel) = picture.rgb.get_mut(at..at + 3) {
                pixel.fill(0);
            }
        }
    }
}
