//! The layered windows.

use std::sync::Once;

use luna_messages::Rect;
use luna_messages::overlay::{OverlayImage, OverlayPicture};
use windows::Win32::Foundation::{COLORREF, HINSTANCE, HWND, LPARAM, LRESULT, POINT, SIZE, WPARAM};
use windows::Win32::Graphics::Gdi::{
    AC_SRC_ALPHA, AC_SRC_OVER, BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BLACK_BRUSH, BLENDFUNCTION, CreateCompatibleDC,
    CreateDIBSection, DIB_RGB_COLORS, DeleteDC, DeleteObject, GetStockObject, HBRUSH, SelectObject,
};
use windows::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DefWindowProcW, DestroyWindow, HWND_TOPMOST, LWA_ALPHA, RegisterClassW, SW_SHOWNOACTIVATE,
    SWP_NOACTIVATE, SetLayeredWindowAttributes, SetWindowDisplayAffinity, SetWindowPos, ShowWindow, ULW_ALPHA,
    UpdateLayeredWindow, WDA_EXCLUDEFROMCAPTURE, WNDCLASSW, WS_EX_LAYERED, WS_EX_NOACTIVATE, WS_EX_TOOLWINDOW,
    WS_EX_TOPMOST, WS_EX_TRANSPARENT, WS_POPUP,
};
use windows::core::{Error, PCWSTR, w};

use crate::PlatformError;
use crate::win32::failed;

const CLASS: PCWSTR = w!("LunaOverlay");

/// A window, destroyed on drop. Only the thread that made it may drop it.
struct LayeredWindow {
    window: HWND,
    /// `None` of one that darkens.
    picture: Option<OverlayPicture>,
}

impl Drop for LayeredWindow {
    fn drop(&mut self) {
        // SAFETY: this thread made the window, and nothing else destroys it.
        let _ = unsafe { DestroyWindow(self.window) };
    }
}

/// All windows of the overlay.
#[derive(Default)]
pub(super) struct LayeredPainter {
    windows: Vec<LayeredWindow>,
    shades: Vec<LayeredWindow>,
}

impl LayeredPainter {
    /// Shows this in place of what was shown. Windows whose picture is the same stay as they are.
    pub(super) fn show(&mut self, image: &OverlayImage) -> Result<(), PlatformError> {
        let refused = |error: Error| {
            failed("Windows refuses to show Luna's marks", &error, "What Luna says does not depend on them.")
        };
        self.darken(image).map_err(refused)?;
        let mut old = std::mem::take(&mut self.windows);
        for picture in &image.pictures {
            let window = match old.iter().position(|one| one.picture.as_ref() == Some(picture)) {
                Some(index) => old.swap_remove(index),
                None => {
                    let mut one = create(picture.place).map_err(refused)?;
                    paint(one.window, picture).map_err(refused)?;
                    one.picture = Some(picture.clone());
                    one
                }
            };
            raise(window.window, picture.place).map_err(refused)?;
            self.windows.push(window);
        }
        Ok(())
    }

    pub(super) fn hide(&mut self) {
        self.windows.clear();
        self.shades.clear();
    }

    /// One window for each darkened part.
    fn darken(&mut self, image: &OverlayImage) -> Result<(), Error> {
        let parts = if image.darkness > 0 { &image.dimmed[..] } else { &[] };
        self.shades.truncate(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let window = match self.shades.get(index) {
                Some(one) => one.window,
                None => {
                    let one = create(*part)?;
                    let window = one.window;
                    self.shades.push(one);
                    window
                }
            };
            // SAFETY: the window is this thread's; the rest are numbers.
            unsafe { SetLayeredWindowAttributes(window, COLORREF(0), image.darkness, LWA_ALPHA) }?;
            raise(window, *part)?;
        }
        Ok(())
    }
}

/// A window that takes no input, is never activated, stands in no list of windows and in no picture of the screen (OVL-4).
fn create(place: Rect) -> Result<LayeredWindow, Error> {
    register_class();
    let style = WS_EX_LAYERED | WS_EX_TRANSPARENT | WS_EX_NOACTIVATE | WS_EX_TOOLWINDOW | WS_EX_TOPMOST;
    let Rect { x, y, width, height } = place;
    // SAFETY: the class is registered, and its name is a constant.
    let window =
        unsafe { CreateWindowExW(style, CLASS, CLASS, WS_POPUP, x, y, width, height, None, None, None, None) }?;
    let window = LayeredWindow { window, picture: None };
    // Before Windows 10 2004 there is no such thing: rather no mark than its text read aloud.
    // SAFETY: the window is this thread's.
    unsafe { SetWindowDisplayAffinity(window.window, WDA_EXCLUDEFROMCAPTURE) }?;
    Ok(window)
}

/// Puts a window above all others, at its place, and shows it without activating it.
fn raise(window: HWND, place: Rect) -> Result<(), Error> {
    let Rect { x, y, width, height } = place;
    // SAFETY: the window is this thread's; the rest are numbers.
    unsafe {
        SetWindowPos(window, Some(HWND_TOPMOST), x, y, width, height, SWP_NOACTIVATE)?;
        let _ = ShowWindow(window, SW_SHOWNOACTIVATE);
    }
    Ok(())
}

/// Gives a window its picture.
fn paint(window: HWND, picture: &OverlayPicture) -> Result<(), Error> {
    let Rect { x, y, width, height } = picture.place;
    let header = BITMAPINFOHEADER {
        biSize: u32::try_from(size_of::<BITMAPINFOHEADER>()).unwrap_or(40),
        biWidth: width,
        // Negative: the first row is the top one.
        biHeight: -height,
        biPlanes: 1,
        biBitCount: 32,
        biCompression: BI_RGB.0,
        ..BITMAPINFOHEADER::default()
    };
    let info = BITMAPINFO { bmiHeader: header, ..BITMAPINFO::default() };
    let mut pixels = std::ptr::null_mut();
    // SAFETY: `info` and `pixels` outlive the call, which writes the address of the bitmap's pixels.
    let bitmap = unsafe { CreateDIBSection(None, &raw const info, DIB_RGB_COLORS, &raw mut pixels, None, 0) }?;
    // SAFETY: the bitmap has `width * height` pixels of four bytes, which is what `argb` has, and nothing else writes them.
    unsafe { std::ptr::copy_nonoverlapping(picture.argb.as_ptr(), pixels.cast(), picture.argb.len()) };
    let (place, size, origin) = (POINT { x, y }, SIZE { cx: width, cy: height }, POINT::default());
    let blend = BLENDFUNCTION {
        BlendOp: u8::try_from(AC_SRC_OVER).unwrap_or(0),
        BlendFlags: 0,
        SourceConstantAlpha: 255,
        AlphaFormat: u8::try_from(AC_SRC_ALPHA).unwrap_or(1),
    };
    // SAFETY: all handles are this function's own, all pointers outlive the calls, and what is made is released.
    unsafe {
        let context = CreateCompatibleDC(None);
        let before = SelectObject(context, bitmap.into());
        let updated = UpdateLayeredWindow(
            window,
            None,
            Some(&raw const place),
            Some(&raw const size),
            Some(context),
            Some(&raw const origin),
            COLORREF(0),
            Some(&raw const blend),
            ULW_ALPHA,
        );
        SelectObject(context, before);
        let _ = DeleteDC(context);
        let _ = DeleteObject(bitmap.into());
        updated
    }
}

fn register_class() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: takes a constant.
        let black = HBRUSH(unsafe { GetStockObject(BLACK_BRUSH) }.0);
        let class = WNDCLASSW {
            lpfnWndProc: Some(on_message),
            hInstance: HINSTANCE::default(),
            lpszClassName: CLASS,
            hbrBackground: black,
            ..WNDCLASSW::default()
        };
        // SAFETY: the class outlives the call; a failure shows when a window is made.
        unsafe { RegisterClassW(&raw const class) };
    });
}

extern "system" fn on_message(window: HWND, message: u32, first: WPARAM, second: LPARAM) -> LRESULT {
    // SAFETY: passes on what Windows gave.
    unsafe { DefWindowProcW(window, message, first, second) }
}
