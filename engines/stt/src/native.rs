//! Bindings to whisper.cpp; all unsafe code about it is here and below.
//!
//! Uses the raw interface: the safe layer of `whisper-rs` leaks the language and the hint of every job, and its setter of an abort closure
//! reads its data as another type than it stored.

mod loader;
pub mod log;

use std::ffi::{CStr, CString, c_int, c_void};
use std::fs::File;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luna_messages::Lang;
use whisper_rs::whisper_rs_sys as sys;

use crate::plan::WhisperPlan;

/// A loaded model with its working state.
pub struct Whisper {
    context: NonNull<sys::whisper_context>,
    state: NonNull<sys::whisper_state>,
    threads: c_int,
}

// SAFETY: neither is bound to the thread that made it; they are used by one thread at a time because all methods that work take `&mut
// self`.
unsafe impl Send for Whisper {}

/// Why a model was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Memory is too short, in RAM or on the card.
    #[error("there was not enough memory")]
    Memory,
    /// whisper.cpp rejected the model.
    #[error("whisper.cpp refused it: {0}")]
    Refused(String),
}

/// Why a sound was not transcribed.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// The abort flag was set.
    #[error("it was cancelled")]
    Cancelled,
    /// whisper.cpp failed.
    #[error("whisper.cpp failed with code {0}")]
    Failed(i32),
}

/// A segment of speech from whisper.cpp.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeechSegment {
    /// Invalid bytes are replaced.
    pub text: String,
    /// Milliseconds; may be before the beginning or after the end of the sound.
    pub start_ms: i64,
    /// Milliseconds.
    pub end_ms: i64,
    /// Confidence of its words.
    pub likely: TokenConfidence,
    /// Probability that the surrounding 30 s contain no speech, 0 to 1.
    pub no_speech: f32,
}

/// Confidence of the text tokens of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenConfidence {
    /// Mean probability, 0 to 1.
    pub mean: f32,
    /// Mean log probability, 0 or below.
    pub log: f32,
}

impl TokenConfidence {
    /// Covers the tokens below `end`; `None` if there are none.
    fn of(tokens: impl Iterator<Item = sys::whisper_token_data>, end: sys::whisper_token) -> Option<Self> {
        let (mut count, mut mean, mut log) = (0u32, 0f32, 0f32);
        for token in tokens.filter(|token| token.id < end) {
            count += 1;
            mean += token.p;
            log += token.plog;
        }
        (count > 0).then(|| Self { mean: (mean / count as f32).clamp(0.0, 1.0), log: log / count as f32 })
    }

    const fn least(self, other: Self) -> Self {
        Self { mean: self.mean.min(other.mean), log: self.log.min(other.log) }
    }
}

/// The parameters of one transcription.
pub struct TranscriptionParameters<'a> {
    pub plan: WhisperPlan,
    pub lang: Lang,
    pub hint: &'a str,
    /// Aborts the transcription when another thread sets it.
    pub abort: &'a Arc<AtomicBool>,
}

/// Receives results while whisper.cpp runs, on the same thread.
pub trait TranscriptionListener {
    /// A segment is complete.
    fn segment(&mut self, segment: SpeechSegment);
    /// A token was decoded; `text` returns the bytes of the tokens after the last complete segment.
    fn token(&mut self, text: &dyn Fn() -> Vec<u8>);
}

impl Whisper {
    /// Loads a checked model file; also returns whether a graphics card is used.
    ///
    /// # Errors
    /// Memory is too short, or whisper.cpp rejects the model.
    pub fn load(file: File, gpu: bool, threads: usize) -> Result<(Self, bool), LoadError> {
        let logged = log::capture();
        // SAFETY: returns a plain value.
        let mut params = unsafe { sys::whisper_context_default_params() };
        params.use_gpu = gpu;
        let context = loader::load(file, params).ok_or_else(|| failed(&logged))?;
        // SAFETY: the context was just made.
        let state = NonNull::new(unsafe { sys::whisper_init_state(context.as_ptr()) });
        let Some(state) = state else {
            // SAFETY: it was made above and nothing refers to it.
            unsafe { sys::whisper_free(context.as_ptr()) };
            return Err(failed(&logged));
        };
        let threads = c_int::try_from(threads.clamp(1, 64)).unwrap_or(1);
        Ok((Self { context, state, threads }, gpu && !logged.said("no GPU found")))
    }

    /// Probabilities of Korean and English, each 0 to 1, with the encoder size of the plan. The remainder is other languages.
    ///
    /// # Errors
    /// [`TranscribeError::Cancelled`] after a cancel, [`TranscribeError::Failed`] if whisper.cpp failed.
    pub fn languages(
        &mut self,
        samples: &[f32],
        parameters: &TranscriptionParameters<'_>,
    ) -> Result<(f32, f32), TranscribeError> {
        // whisper.cpp keeps the encoder size of the last transcription. So a transcription is started and aborted before its first pass; the
        // language is then detected from its spectrum.
        let mut params = self.params(parameters);
        params.language = code(Lang::En).as_ptr();
        params.encoder_begin_callback = Some(abort_before_encoding);
        self.full(params, samples)?;
        // SAFETY: takes nothing.
        let count = usize::try_from(unsafe { sys::whisper_lang_max_id() }).unwrap_or(0) + 1;
        let mut likely = vec![0f32; count];
        // SAFETY: both belong together; the callee writes one number per language, and the buffer has that length.
        let answer = unsafe {
            sys::whisper_lang_auto_detect_with_state(
                self.context.as_ptr(),
                self.state.as_ptr(),
                0,
                self.threads,
                likely.as_mut_ptr(),
            )
        };
        if answer < 0 {
            return Err(TranscribeError::Failed(answer));
        }
        let of = |lang: Lang| {
            // SAFETY: the name ends with a zero.
            let id = unsafe { sys::whisper_lang_id(code(lang).as_ptr()) };
            usize::try_from(id).ok().and_then(|id| likely.get(id)).copied().unwrap_or(0.0)
        };
        Ok((of(Lang::Ko), of(Lang::En)))
    }

    /// Transcribes the speech. Segments and tokens go to `listener` as they come.
    ///
    /// # Errors
    /// [`TranscribeError::Cancelled`] after a cancel, [`TranscribeError::Failed`] if whisper.cpp failed.
    pub fn transcribe(
        &mut self,
        samples: &[f32],
        parameters: &TranscriptionParameters<'_>,
        listener: &mut dyn TranscriptionListener,
    ) -> Result<(), TranscribeError> {
        // The plan has removed NULs.
        let hint = CString::new(parameters.hint).unwrap_or_default();
        let mut callback =
            CallbackContext { listener, threads: self.threads, segments: 0, attempts: 0, first: None, no_speech: None };
        let callback: *mut CallbackContext<'_> = &raw mut callback;
        let mut params = self.params(parameters);
        params.language = code(parameters.lang).as_ptr();
        if !hint.is_empty() {
            params.initial_prompt = hint.as_ptr();
        }
        params.encoder_begin_callback = Some(new_part);
        params.encoder_begin_callback_user_data = callback.cast();
        params.new_segment_callback = Some(new_segment);
        params.new_segment_callback_user_data = callback.cast();
        params.logits_filter_callback = Some(new_token);
        params.logits_filter_callback_user_data = callback.cast();
        params.abort_callback = Some(is_set);
        params.abort_callback_user_data = Arc::as_ptr(parameters.abort).cast::<c_void>().cast_mut();
        // `hint`, `callback` and the flag outlive the call.
        let result = self.full(params, samples);
        if parameters.abort.load(Ordering::Acquire) { Err(TranscribeError::Cancelled) } else { result }
    }

    fn params(&self, parameters: &TranscriptionParameters<'_>) -> sys::whisper_full_params {
        let plan = parameters.plan;
        let number = |value: usize| c_int::try_from(value).unwrap_or(c_int::MAX);
        // SAFETY: returns a plain value.
        let mut params =
            unsafe { sys::whisper_full_default_params(sys::whisper_sampling_strategy_WHISPER_SAMPLING_GREEDY) };
        params.n_threads = self.threads;
        // One decoder, so that callbacks run on this thread and partial results come from a single attempt.
        params.greedy.best_of = 1;
        params.no_context = true;
        params.single_segment = plan.window;
        params.no_timestamps = plan.window;
        // In a window, only a blank lets the model report silence.
        params.suppress_blank = !plan.window;
        params.suppress_nst = true;
        params.audio_ctx = number(plan.audio_ctx);
        params.max_tokens = number(plan.max_tokens);
        params.temperature_inc = plan.temperature_step;
        // whisper.cpp reads its own value from memory that was never written (its issue 1881): see `no_speech`.
        params.no_speech_thold = f32::INFINITY;
        // stdout carries the frames.
        params.print_progress = false;
        params.print_realtime = false;
        params.print_special = false;
        params.print_timestamps = false;
        params
    }

    fn full(&mut self, params: sys::whisper_full_params, samples: &[f32]) -> Result<(), TranscribeError> {
        let count = c_int::try_from(samples.len()).unwrap_or(c_int::MAX);
        // SAFETY: context and state belong together and are used by this thread only; `samples` has at least `count` numbers; the callers
        // keep everything that `params` points to alive through the call.
        let code = unsafe {
            sys::whisper_full_with_state(self.context.as_ptr(), self.state.as_ptr(), params, samples.as_ptr(), count)
        };
        if code == 0 { Ok(()) } else { Err(TranscribeError::Failed(code)) }
    }
}

impl Drop for Whisper {
    fn drop(&mut self) {
        // SAFETY: both were made by `load` and are not used again; the state goes first, as it refers to the context.
        unsafe {
            sys::whisper_free_state(self.state.as_ptr());
            sys::whisper_free(self.context.as_ptr());
        }
    }
}

/// The load error, derived from the log of whisper.cpp.
fn failed(logged: &log::LogCapture) -> LoadError {
    let lines = logged.errors();
    if lines.iter().any(|line| line.contains("failed to allocate") || line.contains("out of memory")) {
        return LoadError::Memory;
    }
    LoadError::Refused(lines.into_iter().next().unwrap_or_else(|| "it gave no reason".to_owned()))
}

const fn code(lang: Lang) -> &'static CStr {
    match lang {
        Lang::Ko => c"ko",
        Lang::En => c"en",
    }
}

/// The data of the callbacks.
struct CallbackContext<'a> {
    listener: &'a mut dyn TranscriptionListener,
    threads: c_int,
    /// Segments already reported.
    segments: c_int,
    /// Decoding attempts for the current 30 s, each at a higher temperature.
    attempts: u32,
    /// Token probabilities of the first attempt. Those of later attempts only look higher: their temperature is below 1, and whisper.cpp
    /// treats the first one as 1.
    first: Option<TokenConfidence>,
    /// Probability that the current 30 s contain no speech, once computed.
    no_speech: Option<f32>,
}

unsafe extern "C" fn is_set(flag: *mut c_void) -> bool {
    // SAFETY: `transcribe` passed a flag that outlives the call.
    unsafe { &*flag.cast::<AtomicBool>() }.load(Ordering::Acquire)
}

unsafe extern "C" fn abort_before_encoding(
    _: *mut sys::whisper_context,
    _: *mut sys::whisper_state,
    _: *mut c_void,
) -> bool {
    false
}

unsafe extern "C" fn new_part(_: *mut sys::whisper_context, _: *mut sys::whisper_state, callback: *mut c_void) -> bool {
    // SAFETY: `transcribe` passed it, it outlives the call, and no other reference to it exists meanwhile.
    let callback = unsafe { &mut *callback.cast::<CallbackContext<'_>>() };
    (callback.attempts, callback.first, callback.no_speech) = (0, None, None);
    true
}

unsafe extern "C" fn new_segment(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    _: c_int,
    callback: *mut c_void,
) {
    // SAFETY: as in `new_part`.
    let callback = unsafe { &mut *callback.cast::<CallbackContext<'_>>() };
    // SAFETY: whisper.cpp passes its own state to its callback.
    let count = unsafe { sys::whisper_full_n_segments_from_state(state) };
    while callback.segments < count {
        let no_speech = match callback.no_speech {
            Some(known) => known,
            // SAFETY: as above; the decoder is between two parts of the sound.
            None => *callback.no_speech.insert(unsafe { no_speech(context, state, callback.threads) }),
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

unsafe extern "C" fn new_token(
    context: *mut sys::whisper_context,
    _: *mut sys::whisper_state,
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

/// Probability that the last encoded part contains no speech, 0 to 1: that of the no-speech token directly after the start token. Costs one
/// decoded token.
///
/// # Safety
/// Context and state belong together, and no text is being decoded: its cache is used.
unsafe fn no_speech(context: *mut sys::whisper_context, state: *mut sys::whisper_state, threads: c_int) -> f32 {
    // SAFETY: as the caller promises; one token is passed.
    let (decoded, count, at) = unsafe {
        let start = sys::whisper_token_sot(context);
        (
            sys::whisper_decode_with_state(context, state, &raw const start, 1, 0, threads),
            sys::whisper_n_vocab(context),
            sys::whisper_token_nosp(context),
        )
    };
    // SAFETY: as the caller promises.
    let values = unsafe { sys::whisper_get_logits_from_state(state) };
    let (Ok(count), Ok(at)) = (usize::try_from(count), usize::try_from(at)) else { return 0.0 };
    if decoded != 0 || values.is_null() || at >= count {
        return 0.0;
    }
    // SAFETY: after one token there is one row, with one number per token of the vocabulary.
    let values = unsafe { std::slice::from_raw_parts(values, count) };
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = values.iter().map(|value| (value - most).exp()).sum();
    ((values[at] - most).exp() / sum).clamp(0.0, 1.0)
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
