//! Captures the log of llama.cpp, which must not reach stdout; its last errors explain a failure.

use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, PoisonError};

use llama_cpp_sys_2::{GGML_LOG_LEVEL_ERROR, ggml_log_level};

/// Number of error lines kept.
const MAX_LINES: usize = 8;

static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps errors from now on and drops other lines.
pub fn install() {
    // SAFETY: the function lives as long as the program, may be called from any thread, and needs no data of its own.
    unsafe {
        llama_cpp_sys_2::llama_log_set(Some(record_error), std::ptr::null_mut());
        llama_cpp_sys_2::ggml_log_set(Some(record_error), std::ptr::null_mut());
    }
}

unsafe extern "C" fn record_error(level: ggml_log_level, text: *const c_char, _: *mut c_void) {
    if level != GGML_LOG_LEVEL_ERROR || text.is_null() {
        return;
    }
    // SAFETY: llama.cpp passes a zero-terminated string that is valid until this returns.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let mut errors = ERRORS.lock().unwrap_or_else(PoisonError::into_inner);
    if errors.len() == MAX_LINES {
        errors.remove(0);
    }
    errors.push(text.trim().to_owned());
}

/// Takes the errors since the last call.
pub fn take() -> Vec<String> {
    std::mem::take(&mut *ERRORS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The error line that explains a failure best, without its leading function names.
pub fn reason(errors: &[String]) -> Option<String> {
    let line = errors.iter().find(|line| line.contains("error loading model:")).or_else(|| errors.last())?;
    let line = line.rsplit_once("error loading model: ").map_or(line.as_str(), |(_, after)| after);
    let line = match line.split_once(": ") {
        Some((function, after)) if !function.contains(' ') => after,
        Some(_) | None => line,
    };
    Some(line.trim_end_matches('.').to_owned())
}

/// Whether an error is about memory.
pub fn is_memory(errors: &[String]) -> bool {
    let words = ["out of memory", "failed to allocate", "unable to allocate", "bad_alloc"];
    errors.iter().any(|line| words.iter().any(|word| line.to_lowercase().contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-4
    #[test]
    fn the_telling_line_is_found_eng_4() {
        let check = |lines: &[&str], expect: Option<&str>| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(reason(&lines).as_deref(), expect, "{lines:?}");
        };
        check(&[], None);
        check(
            &["llama_model_load: error loading model: missing tensor 'x'", "failed to load"],
            Some("missing tensor 'x'"),
        );
        check(&["gguf_init: bad magic."], Some("bad magic"));
        check(&["some words: more"], Some("some words: more"));
        assert!(is_memory(&["ggml: Failed to allocate buffer".to_owned()]));
        assert!(!is_memory(&["missing tensor".to_owned()]));
    }
}
