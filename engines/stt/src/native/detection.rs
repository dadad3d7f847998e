//! What the decoder predicts directly after the start token: the language, and whether there is speech at all. It is asked in the middle of a
//! transcription, between the encoder and the first token of the text, because the encoder is the greater part of the cost: whisper.cpp's own
//! detection runs it once more.

use std::ffi::c_int;

use luna_messages::Lang;
use whisper_rs::whisper_rs_sys as sys;

use super::code;

/// A pending detection of the language.
pub(super) struct LanguageDetection {
    /// The language of the prompt.
    pub guess: Lang,
    /// The prompt that the decoder has in its cache.
    pub prompt: Vec<sys::whisper_token>,
}

/// Logits of the token after the start token.
struct StartLogits<'a>(&'a [f32]);

impl LanguageDetection {
    /// The likelier of Korean and English, and the probability that there is no speech. If the guess is right, the decoder has the prompt again
    /// afterwards. `None` if whisper.cpp failed.
    ///
    /// # Safety
    /// Context and state belong together, and nothing but the prompt has been decoded: the cache is replaced.
    pub unsafe fn run(
        &self,
        context: *mut sys::whisper_context,
        state: *mut sys::whisper_state,
        threads: c_int,
    ) -> Option<(Lang, f32)> {
        // SAFETY: as the caller promises.
        let (korean, english, no_speech) = unsafe {
            let logits = StartLogits::compute(context, state, threads)?;
            (
                logits.of(language_token(context, Lang::Ko)),
                logits.of(language_token(context, Lang::En)),
                logits.probability(sys::whisper_token_nosp(context)),
            )
        };
        let lang = if korean > english { Lang::Ko } else { Lang::En };
        // SAFETY: as the caller promises.
        let restored = lang != self.guess || unsafe { decode(context, state, &self.prompt, threads) };
        restored.then_some((lang, no_speech))
    }
}

/// Probability that the last encoded part contains no speech, 0 to 1. Costs one decoded token.
///
/// # Safety
/// Context and state belong together, and no text is being decoded: its cache is used.
pub(super) unsafe fn no_speech(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    threads: c_int,
) -> f32 {
    // SAFETY: as the caller promises.
    unsafe {
        let logits = StartLogits::compute(context, state, threads);
        logits.map_or(0.0, |logits| logits.probability(sys::whisper_token_nosp(context)))
    }
}

/// The token of a language, in a multilingual model.
///
/// # Safety
/// `context` is a loaded model.
pub(super) unsafe fn language_token(context: *mut sys::whisper_context, lang: Lang) -> sys::whisper_token {
    // SAFETY: as the caller promises; the name ends with a zero.
    unsafe { sys::whisper_token_lang(context, sys::whisper_lang_id(code(lang).as_ptr())) }
}

/// Decodes tokens as the first of a text; whether it succeeded.
///
/// # Safety
/// Context and state belong together, and the cache of the decoder may be replaced.
unsafe fn decode(
    context: *mut sys::whisper_context,
    state: *mut sys::whisper_state,
    tokens: &[sys::whisper_token],
    threads: c_int,
) -> bool {
    let Ok(count) = c_int::try_from(tokens.len()) else { return false };
    // SAFETY: as the caller promises; `count` tokens are passed.
    unsafe { sys::whisper_decode_with_state(context, state, tokens.as_ptr(), count, 0, threads) == 0 }
}

impl StartLogits<'_> {
    /// Decodes the start token; `None` if whisper.cpp failed.
    ///
    /// # Safety
    /// Context and state belong together, the cache of the decoder may be replaced, and the state is not used while the result lives.
    unsafe fn compute(
        context: *mut sys::whisper_context,
        state: *mut sys::whisper_state,
        threads: c_int,
    ) -> Option<Self> {
        // SAFETY: as the caller promises.
        unsafe {
            let start = sys::whisper_token_sot(context);
            let decoded = decode(context, state, &[start], threads);
            let values = sys::whisper_get_logits_from_state(state);
            let count = usize::try_from(sys::whisper_n_vocab(context)).ok()?;
            // After one token there is one row, with one number per token of the vocabulary.
            (decoded && !values.is_null()).then(|| Self(std::slice::from_raw_parts(values, count)))
        }
    }

    fn of(&self, token: sys::whisper_token) -> f32 {
        usize::try_from(token).ok().and_then(|at| self.0.get(at)).copied().unwrap_or(f32::NEG_INFINITY)
    }

    /// The probability of a token, 0 to 1.
    fn probability(&self, token: sys::whisper_token) -> f32 {
        let most = self.0.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = self.0.iter().map(|value| (value - most).exp()).sum();
        ((self.of(token) - most).exp() / sum).clamp(0.0, 1.0)
    }
}
