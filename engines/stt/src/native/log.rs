//! Captures the log of whisper.cpp and ggml: kept while a model loads, dropped otherwise. None of it reaches stdout, which carries the
//! frames, and nothing logged during a job is kept, because it may quote the hint.

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use whisper_rs::whisper_rs_sys as sys;

/// Maximum number of kept lines.
const MAX_LINES: usize = 100;

/// Lines with their level; `None` while nothing is kept.
static LINES: Mutex<Option<VecDeque<(u32, String)>>> = Mutex::new(None);

fn lines() -> MutexGuard<'static, Option<VecDeque<(u32, String)>>> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the log callback.
pub fn collect() {
    // SAFETY: the callback may be called by any thread at any time.
    unsafe { sys::whisper_log_set(Some(record_line), ptr::null_mut()) };
}

/// Keeps lines until it is dropped.
pub struct LogCapture(());

/// Starts keeping lines.
pub fn capture() -> LogCapture {
    *lines() = Some(VecDeque::new());
    LogCapture(())
}

impl LogCapture {
    /// The errors so far, oldest first.
    pub fn errors(&self) -> Vec<String> {
        let lines = lines();
        let errors = lines.iter().flatten().filter(|(level, _)| *level == sys::ggml_log_level_GGML_LOG_LEVEL_ERROR);
        errors.map(|(_, line)| line.clone()).collect()
    }

    /// Whether a line contains these words.
    pub fn said(&self, words: &str) -> bool {
        lines().iter().flatten().any(|(_, line)| line.contains(words))
    }
}

impl Drop for LogCapture {
    fn drop(&mut self) {
        *lines() = None;
    }
}

unsafe extern "C" fn record_line(level: sys::ggml_log_level, text: *const c_char, _: *mut c_void) {
    if text.is_null() {
        return;
    }
    if let Some(kept) = lines().as_mut() {
        // SAFETY: the text ends with a zero and lives during the call.
        let line = unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().to_owned();
        if kept.len() == MAX_LINES {
            kept.pop_front();
        }
        kept.push_back((level, line));
    }
}
