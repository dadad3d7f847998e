//! Pictures of an X11 screen by MIT-SHM: the server writes into shared memory. If that is missing, by GetImage.

mod below_overlay;
mod monitors;
mod own_picture;
mod pixels;
mod segment;

use std::sync::{Mutex, PoisonError};

use luna_messages::Rect;
use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;
use x11rb::connection::RequestConnection as _;
use x11rb::protocol::ErrorKind;
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, Drawable, ImageFormat};

use self::own_picture::RedrawWatch;
use self::pixels::PixelLayout;
use self::segment::SharedMemorySegment;
use super::{Capture, Monitor, Shot};
use crate::PlatformError;
use crate::x11::{Failure, XDisplay, stacking, with_reconnect};

/// The capture of an X11 display (PIC-3, PIC-7).
#[derive(Default)]
pub struct X11Capture {
    /// Kept between pictures, because connecting takes longer than a picture.
    session: Mutex<Option<CaptureSession>>,
    /// Whether to avoid shared memory even if it is available.
    plain: bool,
}

impl X11Capture {
    /// Connects at the first picture.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Never uses shared memory, for displays on another machine and to check that both methods return the same
    /// picture.
    #[must_use]
    pub fn without_shared_memory() -> Self {
        Self { session: Mutex::default(), plain: true }
    }

    /// The window with its frame that contains the window with this handle; `None` if that is not on the display.
    ///
    /// # Errors
    /// As [`Capture::shown`].
    pub fn frame_of(&self, window: u64) -> Result<Option<ShownWindow>, PlatformError> {
        let Ok(window) = window.try_into() else { return Ok(None) };
        self.with_session(|session| stacking::frame_of(&session.display, window))
    }

    /// As [`Capture::window`], but `None` if a part of `region` could not be had.
    ///
    /// # Errors
    /// As [`Capture::window`].
    pub fn whole_window(&self, window: ShownWindow, region: Rect) -> Result<Option<Shot>, PlatformError> {
        let own = self.with_session(|session| session.window(window, region))?;
        Ok(own.filter(|own| own.is_whole).map(|own| own.shot))
    }

    fn with_session<T>(&self, work: impl Fn(&mut CaptureSession) -> Result<T, Failure>) -> Result<T, PlatformError> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        with_reconnect(&mut session, || CaptureSession::open(self.plain), work)
    }
}

impl Capture for X11Capture {
    fn region(&self, region: Rect) -> Result<Shot, PlatformError> {
        self.with_session(|session| session.region(region))
    }

    fn window(&self, window: ShownWindow, region: Rect) -> Result<Option<Shot>, PlatformError> {
        Ok(self.with_session(|session| session.window(window, region))?.map(|own| own.shot))
    }

    fn shown(&self, region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        self.with_session(|session| stacking::shown(&session.display, region))
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        self.with_session(|session| monitors::monitors(&session.display))
    }
}

/// A connection to the server, and what the server supports.
struct CaptureSession {
    /// Declared first, so that it is dropped before the connection.
    segment: Option<SharedMemorySegment>,
    display: XDisplay,
    /// How the screen stores its colours.
    layout: PixelLayout,
    /// Whether the server can share memory with this process.
    shared_memory: bool,
    /// Watches windows that are captured although others cover them; `None` if the server lacks an extension for it.
    redraw_watch: Option<RedrawWatch>,
}

impl CaptureSession {
    fn open(plain: bool) -> Result<Self, PlatformError> {
        let display = XDisplay::open()?;
        let layout = PixelLayout::of(&display)?;
        let shared_memory = !plain && can_share_memory(&display);
        let redraw_watch = RedrawWatch::new(&display)?;
        tracing::debug!(shared_memory, own_pictures = redraw_watch.is_some(), "The screen can be captured.");
        Ok(Self { segment: None, display, layout, shared_memory, redraw_watch })
    }

    fn region(&mut self, wanted: Rect) -> Result<Shot, Failure> {
        // Queried each time: the screen's size changes when a monitor is connected or removed.
        let (width, height) = self.display.size()?;
        let region = wanted.intersection(Rect::new(0, 0, width.into(), height.into()));
        let area = CaptureArea::of(region).ok_or(PlatformError::OutsideScreen)?;
        let (rgb, overlay) = self.screen_with_overlay(area, region)?;
        let mut shot = shot(area, region, rgb)?;
        if !overlay.is_empty() {
            self.paint_below(&mut shot, &overlay)?;
        }
        Ok(shot)
    }

    /// The pixels of `area` of the screen or of a window's own picture.
    fn pixels(&mut self, from: Drawable, area: CaptureArea, layout: PixelLayout) -> Result<Vec<u8>, Failure> {
        if self.shared_memory {
            match self.by_shared_memory(from, area, layout) {
                Ok(rgb) => return Ok(rgb),
                // The screen shrank between the two requests, and the server rejects an area that now lies outside.
                Err(Failure::Refused(error)) if error.error_kind == ErrorKind::Match => {
                    return Err(PlatformError::OutsideScreen.into());
                }
                Err(Failure::Refused(error)) => {
                    // A forwarded display fails only at this request.
                    tracing::debug!(kind = ?error.error_kind, "The display shares no memory; pictures are fetched by GetImage.");
                    self.shared_memory = false;
                    self.segment = None;
                }
                Err(failure) => return Err(failure),
            }
        }
        self.by_message(from, area, layout)
    }

    fn by_shared_memory(&mut self, from: Drawable, area: CaptureArea, layout: PixelLayout) -> Result<Vec<u8>, Failure> {
        let connection = &self.display.connection;
        let bytes = area.pixels() * 4;
        let segment = match self.segment.take() {
            Some(segment) if segment.len() >= bytes => segment,
            // Free the old segment before allocating a larger one.
            old => {
                if let Some(old) = old {
                    old.detach(connection);
                }
                SharedMemorySegment::new(connection, bytes)?
            }
        };
        let segment = self.segment.insert(segment);
        let format = ImageFormat::Z_PIXMAP.into();
        connection
            .shm_get_image(from, area.x, area.y, area.width, area.height, !0, format, segment.id(), 0)?
            .reply()
            .map_err(Failure::from)?;
        let rgb = layout.to_rgb(segment.written(bytes));
        // What was on the screen must not stay in shared memory (PRV-1).
        segment.wipe(bytes);
        Ok(rgb)
    }

    fn by_message(&self, from: Drawable, area: CaptureArea, layout: PixelLayout) -> Result<Vec<u8>, Failure> {
        let reply = self
            .display
            .connection
            .get_image(ImageFormat::Z_PIXMAP, from, area.x, area.y, area.width, area.height, !0)?
            .reply();
        let mut data = match reply {
            Ok(reply) => reply.data,
            Err(error) => {
                return match error.into() {
                    Failure::Refused(error) if error.error_kind == ErrorKind::Match => {
                        Err(PlatformError::OutsideScreen.into())
                    }
                    failure => Err(failure),
                };
            }
        };
        let rgb = layout.to_rgb(&data);
        data.fill(0);
        std::hint::black_box(&data);
        Ok(rgb)
    }
}

fn can_share_memory(display: &XDisplay) -> bool {
    let known = display.connection.extension_information(shm::X11_EXTENSION_NAME).ok().flatten().is_some();
    // Version 1.2 passes the memory as a file descriptor, so that no System V segment is left behind after a crash.
    known
        && display
            .connection
            .shm_query_version()
            .ok()
            .and_then(|cookie| cookie.reply().ok())
            .is_some_and(|version| (version.major_version, version.minor_version) >= (1, 2))
}

fn shot(area: CaptureArea, region: Rect, rgb: Vec<u8>) -> Result<Shot, Failure> {
    let picture = Picture::new(area.width.into(), area.height.into(), rgb).map_err(|error| {
        PlatformError::unavailable(format!("The X display sent a broken picture: {error}."), "Try again.")
    })?;
    Ok(Shot { picture, region })
}

/// A non-empty region in the types of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CaptureArea {
    x: i16,
    y: i16,
    width: u16,
    height: u16,
}

impl CaptureArea {
    /// `None` if `region` is empty or beyond the protocol's range.
    fn of(region: Rect) -> Option<Self> {
        if region.is_empty() {
            return None;
        }
        Some(Self {
            x: region.x.try_into().ok()?,
            y: region.y.try_into().ok()?,
            width: region.width.try_into().ok()?,
            height: region.height.try_into().ok()?,
        })
    }

    fn pixels(self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_become_areas_of_the_protocol() {
        let area = |x, y, width, height| Some(CaptureArea { x, y, width, height });
        for (region, expect) in [
            (Rect::new(1, 2, 3, 4), area(1, 2, 3, 4)),
            (Rect::new(0, 0, 0, 4), None),
            (Rect::new(0, 0, 4, -1), None),
            (Rect::new(40_000, 0, 1, 1), None),
            (Rect::new(0, 0, 70_000, 1), None),
        ] {
            assert_eq!(CaptureArea::of(region), expect, "{region:?}");
        }
    }
}
