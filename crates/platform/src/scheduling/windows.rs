//! Windows: a priority just above that of ordinary threads.

use windows::Win32::System::Threading::{GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_ABOVE_NORMAL};

use crate::PlatformError;

pub fn raise_thread_priority() -> Result<(), PlatformError> {
    // SAFETY: the handle stands for the calling thread and needs no closing.
    unsafe { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL) }.map_err(|error| {
        PlatformError::unavailable(
            format!("The system does not let threads ask for a higher priority: {error}"),
            "Commands still work, some milliseconds later if all cores are busy.",
        )
    })
}
