//! What the Windows modules share: one scale of coordinates, and errors of Windows as errors of Luna.

use std::sync::Once;

use windows::Win32::UI::HiDpi::{DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, SetProcessDpiAwarenessContext};

use crate::PlatformError;

/// Makes all coordinates of this process physical pixels of the whole desktop, also with monitors of different scale (PIC-7).
/// Everything that asks Windows for a place calls it before; only the first call has an effect.
pub(crate) fn become_dpi_aware() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: it takes a constant and changes a setting of this process only.
        let result = unsafe { SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2) };
        if let Err(error) = result {
            // Refused where a manifest or a library set it before; then it is right already, or can't be changed any more.
            tracing::debug!(code = error.code().0, "The scale of coordinates was set before.");
        }
    });
}

/// `what` failed with `error`, and what a person can do.
pub(crate) fn failed(what: &str, error: &windows::core::Error, remedy: &str) -> PlatformError {
    PlatformError::unavailable(
        format!("{what}: {} (0x{:08X}).", error.message().trim_end_matches('.'), error.code().0),
        remedy,
    )
}

/// The error of a thread that the system did not give.
pub(crate) fn no_thread(purpose: &str, error: &std::io::Error) -> PlatformError {
    PlatformError::unavailable(
        format!("The system gives no thread to {purpose} with: {error}."),
        "Close programs that use much memory.",
    )
}
