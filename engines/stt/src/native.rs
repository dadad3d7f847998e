//! Bindings to whisper.cpp; all unsafe code about it is here and below.
//!
//! Uses the raw interface: the safe layer of `whisper-rs` leaks the language and the hint of every job, and its setter of an abort closure
//! reads its data as another type than it stored.

mod callbacks;
mod detection;
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
use callbacks::{AbortSignal, CallbackContext};
use detection::LanguageDetection;

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

/// The language of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoundLanguage {
    Known(Lang),
    /// Korean or English, whichever is likelier. Costs one decoder pass if `guess` is right, an encoder pass if it is not.
    Detect {
        guess: Lang,
    },
}

/// The parameters of one transcription.
pub struct TranscriptionParameters<'a> {
    pub plan: WhisperPlan,
    pub lang: SoundLanguage,
    pub hint: &'a str,
    /// Aborts the transcription when another thread sets it.
    pub abort: &'a Arc<AtomicBool>,
}

/// Receives results while whisper.cpp runs, on the same thread.
pub trait TranscriptionListener {
    /// The language was detected; before the first token.
    fn language(&mut self, lang: Lang);
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

    /// Transcribes the speech. Language, segments and tokens go to `listener` as they come.
    ///
    /// # Errors
    /// [`TranscribeError::Cancelled`] after a cancel, [`TranscribeError::Failed`] if whisper.cpp failed.
    pub fn transcribe(
        &mut self,
        samples: &[f32],
        parameters: &TranscriptionParameters<'_>,
        listener: &mut dyn TranscriptionListener,
    ) -> Result<(), TranscribeError> {
        let (lang, detect) = match parameters.lang {
            SoundLanguage::Known(lang) => (lang, false),
            SoundLanguage::Detect { guess } => (guess, true),
        };
        match self.attempt(samples, parameters, lang, detect, listener)? {
            None => Ok(()),
            Some(other) => self.attempt(samples, parameters, other, false, listener).map(drop),
        }
    }

    /// Transcribes in this language. With `detect`, returns the other one as soon as it turns out to be the likelier.
    fn attempt(
        &mut self,
        samples: &[f32],
        parameters: &TranscriptionParameters<'_>,
        lang: Lang,
        detect: bool,
        listener: &mut dyn TranscriptionListener,
    ) -> Result<Option<Lang>, TranscribeError> {
        let hint = self.tokens(parameters.hint, parameters.plan.hint_tokens);
        let signal = AbortSignal { cancel: parameters.abort, wrong_language: AtomicBool::new(false) };
        let mut callback = CallbackContext {
            listener,
            signal: &signal,
            threads: self.threads,
            segments: 0,
            attempts: 0,
            first: None,
            no_speech: None,
            detection: detect.then(|| LanguageDetection { guess: lang, prompt: self.prompt(&hint, lang, parameters) }),
            other: None,
        };
        let context: *mut CallbackContext<'_> = &raw mut callback;
        let mut params = self.params(parameters);
        params.language = code(lang).as_ptr();
        if !hint.is_empty() {
            params.prompt_tokens = hint.as_ptr();
            params.prompt_n_tokens = c_int::try_from(hint.len()).unwrap_or(0);
        }
        params.encoder_begin_callback = Some(callbacks::new_part);
        params.encoder_begin_callback_user_data = context.cast();
        params.new_segment_callback = Some(callbacks::new_segment);
        params.new_segment_callback_user_data = context.cast();
        params.logits_filter_callback = Some(callbacks::new_token);
        params.logits_filter_callback_user_data = context.cast();
        params.abort_callback = Some(callbacks::is_set);
        params.abort_callback_user_data = (&raw const signal).cast::<c_void>().cast_mut();
        // `hint`, `callback` and `signal` outlive the call.
        let result = self.full(params, samples);
        if parameters.abort.load(Ordering::Acquire) {
            return Err(TranscribeError::Cancelled);
        }
        match callback.other {
            Some(other) => Ok(Some(other)),
            None => result.map(|()| None),
        }
    }

    /// The last `most` tokens of a hint; none of an empty one.
    fn tokens(&self, hint: &str, most: usize) -> Vec<sys::whisper_token> {
        // The plan has removed NULs.
        let text = CString::new(hint).unwrap_or_default();
        if text.is_empty() {
            return Vec::new();
        }
        // A token has at least one byte.
        let mut tokens = vec![0; text.as_bytes().len()];
        let room = c_int::try_from(tokens.len()).unwrap_or(c_int::MAX);
        // SAFETY: the text ends with a zero, and the buffer has room for `room` tokens.
        let count = unsafe { sys::whisper_tokenize(self.context.as_ptr(), text.as_ptr(), tokens.as_mut_ptr(), room) };
        tokens.truncate(usize::try_from(count).unwrap_or(0));
        tokens.split_off(tokens.len().saturating_sub(most))
    }

    /// The tokens that whisper.cpp gives the decoder before the first token of the text.
    fn prompt(
        &self,
        hint: &[sys::whisper_token],
        lang: Lang,
        parameters: &TranscriptionParameters<'_>,
    ) -> Vec<sys::whisper_token> {
        let context = self.context.as_ptr();
        let mut prompt = Vec::with_capacity(hint.len() + 5);
        // SAFETY: these read the model; the name of the language ends with a zero.
        unsafe {
            if !hint.is_empty() {
                prompt.push(sys::whisper_token_prev(context));
                prompt.extend_from_slice(hint);
            }
            prompt.push(sys::whisper_token_sot(context));
            prompt.push(detection::language_token(context, lang));
            prompt.push(sys::whisper_token_transcribe(context));
            if self.no_timestamps(parameters.plan) {
                prompt.push(sys::whisper_token_not(context));
            }
        }
        prompt
    }

    /// Whether a transcript has no timestamps. Distilled models, those with two decoder layers, know none.
    fn no_timestamps(&self, plan: WhisperPlan) -> bool {
        // SAFETY: reads the model.
        let layers = unsafe { sys::whisper_model_n_text_layer(self.context.as_ptr()) };
        plan.window || layers == 2
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
        params.no_timestamps = self.no_timestamps(plan);
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
