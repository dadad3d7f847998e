//! Chooses the parameters of whisper.cpp for a sound. Pure.

use luna_messages::engine::{STT_SAMPLE_RATE, SoundExtent};

/// Samples per encoder position: 20 ms.
const SAMPLES_A_POSITION: usize = STT_SAMPLE_RATE as usize / 50;
/// Encoder positions after the end of the sound, because a word that is cut off is recognised worse.
const MARGIN: usize = 64;
/// Minimum encoder positions that give sensible words.
const MIN_POSITIONS: usize = 256;
/// Maximum hint length in characters; Whisper keeps the last 223 tokens.
const LONGEST_HINT: usize = 1000;

/// Parameters for one sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WhisperPlan {
    /// Produce a single segment without timestamps.
    pub window: bool,
    /// Encoder positions to compute; 0 means all.
    pub audio_ctx: usize,
    /// Maximum tokens of a segment; 0 means the model's own limit.
    pub max_tokens: usize,
    /// Temperature increase after an implausible result; 0 accepts the first result.
    pub temperature_step: f32,
}

/// The parameters for `samples` samples and a model with `positions` encoder positions.
pub fn plan(extent: SoundExtent, samples: usize, positions: usize) -> WhisperPlan {
    match extent {
        SoundExtent::Utterance => WhisperPlan { window: false, audio_ctx: 0, max_tokens: 0, temperature_step: 0.2 },
        SoundExtent::Window => {
            let needed = (samples.div_ceil(SAMPLES_A_POSITION) + MARGIN).next_multiple_of(64).max(MIN_POSITIONS);
            // A late partial result is worse than a briefly wrong one, so there are no second attempts, and no more tokens than a person can
            // say (Korean needs most, some 3 tokens a syllable).
            let max_tokens = 32 + samples / (STT_SAMPLE_RATE as usize / 20);
            WhisperPlan {
                window: true,
                audio_ctx: if needed < positions { needed } else { 0 },
                max_tokens,
                temperature_step: 0.0,
            }
        }
    }
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
            assert!(plan.max_tokens >= 32 && plan.temperature_step == 0.0);
        };
        check(100, 1500, 256);
        check(3000, 1500, 256);
        check(4000, 1500, 320);
        check(10_000, 1500, 576);
        check(29_000, 1500, 0);
        check(3000, 150, 0);
        let whole = plan(SoundExtent::Utterance, 16_000, 1500);
        assert_eq!(whole, WhisperPlan { window: false, audio_ctx: 0, max_tokens: 0, temperature_step: 0.2 });
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
