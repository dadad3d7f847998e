//! The callbacks that whisper.cpp calls during a transcription, all on the thread that runs it.

use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use luna_messages::Lang;
use whisper_rs::whisper_rs_sys as sys;

use super::detection::{self, LanguageDetection};
use super::{SpeechSegment, TokenConfidence, TranscriptionListener};

/// Why whisper.cpp is to stop.
pub(super) struct AbortSignal<'a> {
    pub cancel: &'a AtomicBool,
    /// The prompt is in the wrong language, or lost.
    pub wrong_language: AtomicBool,
}

/// The data of the callbacks.
pub(super) struct CallbackContext<'a> {
    pub listener: &'a mut dyn TranscriptionListener,
    pub signal: &'a AbortSignal<'a>,
    pub threads: c_int,
    /// Segments already reported.
    pub segments: c_int,
    /// Decoding attempts for the current 30 s, each at a higher temperature.
    pub attempts: u32,
    /// Token probabilities of the first attempt. Those of later attempts only look higher: their temperature is below 1, and whisper.cpp
    /// treats the first one as 1.
    pub first: Option<TokenConfidence>,
    /// Probability that the current 30 s contain no speech, once computed.
    pub no_speech: Option<f32>,
    /// The detection of the language; `None` if it is known or detected.
    pub detection: Option<LanguageDetection>,
    /// The detected language if it is not that of the prompt.
    pub other: Option<Lang>,
}

pub(super) unsafe extern "C" fn is_set(signal: *mut c_void) -> bool {
    // SAFETY: `attempt` passed a signal that outlives the call.
    let signal = unsafe { &*signal.cast::<AbortSignal<'_>>() };
    signal.cancel.load(Ordering::Acquire) || signal.wrong_language.load(Ordering::Acquire)
}

pub(super) unsafe extern "C" fn new_part(
    _: *mut sys::whisper_context,
    _: *mut sys::whisper_state,
    callback: *mut c_void,
) -> bool {
    // SAFETY: `attempt` passed it, it outlives the call, and no other reference to it exists meanwhile.
    let callback = unsafe { &mut *callback.cast::<CallbackContext<'_>>() };
    (callback.attempts, callback.first, callback.no_speech) = (0, None, None);
    true
}

pub(super) unsafe extern "C" fn new_segment(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    _: c_int,
    callback: *mut c_void,
) {
    // SAFETY: as in `new_part`.
    let callback = unsafe { &mut *callback.cast::<CallbackContext<'_>>() };
    if callback.signal.wrong_language.load(Ordering::Acquire) {
        return;
    }
    // SAFETY: whisper.cpp passes its own state to its callback.
    let count = unsafe { sys::whisper_full_n_segments_from_state(state) };
    while callback.segments < count {
        let no_speech = match callback.no_speech {
            Some(known) => known,
            // SAFETY: as above; the decoder is between two parts of the sound.
            None => *callback.no_speech.insert(unsafe { detection::no_speech(context, state, callback.threads) }),
        };
        // SAFETY: as above; the number is below the count.
        let mut segment = unsafe { segment(context, state, callback.segments, no_speech) };
        if callback.attempts > 1 {
            segment.likely = callback.first.map_or(segment.likely, |first| first.least(segment.likely));
        }
        callback.segments += 1;
        callback.listener.segment(segment);
    }
}

pub(super) unsafe extern "C" fn new_token(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    tokens: *const sys::whisper_token_data,
    count: c_int,
    _: *mut f32,
    callback: *mut c_void,
) {
    // SAFETY: as in `new_part`.
    let callback = unsafe { &mut *callback.cast::<CallbackContext<'_>>() };
    let count = usize::try_from(count).unwrap_or(0);
    if tokens.is_null() || count == 0 {
        callback.attempts += 1;
        if let Some(detection) = callback.detection.take() {
            // SAFETY: whisper.cpp passes its own state; the values of the first token have been copied out of it, so the state may be used.
            unsafe { detect(callback, &detection, context, state) };
        }
        return;
    }
    // SAFETY: whisper.cpp passes that many tokens.
    let tokens = unsafe { std::slice::from_raw_parts(tokens, count) };
    // SAFETY: it is whisper.cpp's own context.
    let end = unsafe { sys::whisper_token_eot(context) };
    if callback.attempts == 1 {
        callback.first = TokenConfidence::of(tokens.iter().copied(), end);
    }
    let text = || {
        let mut bytes = Vec::with_capacity(4 * count);
        for token in tokens.iter().filter(|token| token.id < end) {
            // SAFETY: the token belongs to the model; its text ends with a zero and lives as long as the model.
            bytes.extend_from_slice(unsafe { CStr::from_ptr(sys::whisper_token_to_str(context, token.id)) }.to_bytes());
        }
        bytes
    };
    callback.listener.token(&text);
}

/// Detects the language of the part that was just encoded, and stops the transcription if its prompt is in another one.
///
/// # Safety
/// Context and state belong together, and the decoder has no token of the text yet: its cache is replaced.
unsafe fn detect(
    callback: &mut CallbackContext<'_>,
    detection: &LanguageDetection,
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
) {
    let abort = || callback.signal.wrong_language.store(true, Ordering::Release);
    // SAFETY: as the caller promises.
    match unsafe { detection.run(context, state, callback.threads) } {
        Some((lang, no_speech)) => {
            callback.no_speech = Some(no_speech);
            callback.listener.language(lang);
            if lang != detection.guess {
                callback.other = Some(lang);
                abort();
            }
        }
        // The cache has lost the prompt, so whisper.cpp must fail.
        None => abort(),
    }
}

/// Segment number `at` of the state.
///
/// # Safety
/// Context and state belong together, and the state has more than `at` segments.
unsafe fn segment(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    at: c_int,
    no_speech: f32,
) -> SpeechSegment {
    // SAFETY: as the caller promises.
    let (text, start, end, count, end_of_text) = unsafe {
        (
            sys::whisper_full_get_segment_text_from_state(state, at),
            sys::whisper_full_get_segment_t0_from_state(state, at),
            sys::whisper_full_get_segment_t1_from_state(state, at),
            sys::whisper_full_n_tokens_from_state(state, at),
            sys::whisper_token_eot(context),
        )
    };
    let text = if text.is_null() {
        String::new()
    } else {
        // SAFETY: the text ends with a zero and lives as long as the state's result.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    // SAFETY: as the caller promises, and the number is below the count.
    let tokens = (0..count).map(|token| unsafe { sys::whisper_full_get_token_data_from_state(state, at, token) });
    let likely =
        TokenConfidence::of(tokens, end_of_text).unwrap_or(TokenConfidence { mean: 0.0, log: f32::NEG_INFINITY });
    // The times are in hundredths of a second.
    SpeechSegment { text, start_ms: start * 10, end_ms: end * 10, likely, no_speech }
}
