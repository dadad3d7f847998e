//! Chooses the parameters of whisper.cpp for a sound. Pure.

use luna_messages::engine::{STT_SAMPLE_RATE, SoundExtent};

/// Samples per encoder position: 20 ms.
const SAMPLES_A_POSITION: usize = STT_SAMPLE_RATE as usize / 50;
/// Encoder positions after the end of the sound: nearly 2 s. Whisper is trained on 30 s that end in silence, and a word that is cut off is recognised
/// worse; with the length of the sound and 128 positions its transcripts of short clips were the same as with all (whisper.cpp issue 1855).
const MARGIN: usize = 96;
/// Minimum encoder positions: 3.8 s. Measured with models of the real sizes and scripted words, one thread: a window of 0.8 s takes 170 ms with 192
/// positions and 215 ms with 256 (tiny), 415 and 475 ms (base). Fewer would be faster still, but models that are not tuned for it begin to repeat
/// themselves (whisper.cpp issue 1951 saw it even at 512 now and then; tuned ones go down to 159), and that needs real models to judge.
const MIN_POSITIONS: usize = 192;
/// Tokens of a window besides those for its length: punctuation, and words that begin before it.
const SPARE_TOKENS: usize = 16;
/// Maximum hint length in characters; no more than [`HINT_TOKENS`] tokens of it are used.
const LONGEST_HINT: usize = 1000;
/// Maximum tokens of a hint: half of the decoder's positions but one, as in whisper.cpp.
const HINT_TOKENS: usize = 223;
/// Maximum tokens of a hint for a window: some ten Korean syllables. Each costs 3 ms with tiny and 5 ms with base, as much as one of the text.
const WINDOW_HINT_TOKENS: usize = 24;

/// Parameters for one sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WhisperPlan {
    /// Produce a single segment without timestamps.
    pub window: bool,
    /// Encoder positions to compute; 0 means all.
    pub audio_ctx: usize,
    /// Maximum tokens of the hint; its end counts.
    pub hint_tokens: usize,
    /// Maximum tokens of a segment; 0 means the model's own limit.
    pub max_tokens: usize,
    /// Temperature increase after an implausible result; 0 accepts the first result.
    pub temperature_step: f32,
}

/// The parameters for `samples` samples and a model with `positions` encoder positions.
pub fn plan(extent: SoundExtent, samples: usize, positions: usize) -> WhisperPlan {
    match extent {
        SoundExtent::Utterance => {
            WhisperPlan { window: false, audio_ctx: 0, hint_tokens: HINT_TOKENS, max_tokens: 0, temperature_step: 0.2 }
        }
        SoundExtent::Window => {
            let needed = (samples.div_ceil(SAMPLES_A_POSITION) + MARGIN).next_multiple_of(64).max(MIN_POSITIONS);
            // A late partial result is worse than a briefly wrong one, so there are no second attempts, and no more tokens than a person can
            // say (Korean needs most, some 3 tokens a syllable).
            let max_tokens = SPARE_TOKENS + samples / (STT_SAMPLE_RATE as usize / 20);
            WhisperPlan {
                window: true,
                audio_ctx: if needed < positions { needed } else { 0 },
                hint_tokens: WINDOW_HINT_TOKENS,
                max_tokens,
                temperature_step: 0.0,
            }
        }
    }
}

/// Threads for the library: as configured, but one processor is left to others. Its threads wait for each other without giving up their processors:
/// if one of them has none, because another program uses it, a window that takes an eighth of a second takes several seconds.
pub fn threads(configured: usize, processors: usize) -> usize {
    configured.min(processors.saturating_sub(1)).max(1)
}

/// Cleans a hint: no control characters, and only its end if it is too long, because the end counts for Whisper.
pub fn hint(hint: &str) -> String {
    let clean: String = hint.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let clean: Vec<char> = clean.trim().chars().collect();
    clean[clean.len().saturating_sub(LONGEST_HINT)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // STT-1
    #[test]
    fn a_window_bounds_the_encoder_to_its_length_stt_1() {
        let check = |milliseconds: usize, positions: usize, audio_ctx: usize| {
            let plan = plan(SoundExtent::Window, milliseconds * 16, positions);
            assert_eq!((plan.audio_ctx, plan.window), (audio_ctx, true), "{milliseconds} ms of {positions}");
            assert!((18..600).contains(&plan.max_tokens) && plan.temperature_step == 0.0 && plan.hint_tokens == 24);
        };
        check(100, 1500, 192);
        check(800, 1500, 192);
        check(1500, 1500, 192);
        check(3000, 1500, 256);
        check(4000, 1500, 320);
        check(10_000, 1500, 640);
        check(29_000, 1500, 0);
        check(3000, 150, 0);
        let whole = plan(SoundExtent::Utterance, 16_000, 1500);
        assert_eq!((whole.window, whole.audio_ctx, whole.max_tokens, whole.hint_tokens), (false, 0, 0, HINT_TOKENS));
        assert!(whole.temperature_step > 0.0);
    }

    // STT-2
    #[test]
    fn one_processor_is_left_to_others_stt_2() {
        for (configured, processors, expect) in [(2, 1, 1), (2, 2, 1), (2, 3, 2), (2, 16, 2), (8, 4, 3), (1, 8, 1)] {
            assert_eq!(threads(configured, processors), expect, "{configured} of {processors}");
        }
    }

    #[test]
    fn a_hint_is_cleaned_and_cut_at_its_beginning() {
        assert_eq!(hint(" 루나,\n저장\0 "), "루나, 저장");
        assert_eq!(hint(""), "");
        let long = format!("{}끝", "가".repeat(5000));
        let cut = hint(&long);
        assert_eq!(cut.chars().count(), 1000);
        assert!(cut.ends_with("가끝"));
    }
}
