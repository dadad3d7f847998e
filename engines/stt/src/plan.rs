//! How to listen. Pure.

use luna_messages::engine::{STT_SAMPLE_RATE, SoundExtent};

/// Samples that one position of the encoder stands for: 20 ms.
const SAMPLES_A_POSITION: usize = STT_SAMPLE_RATE as usize / 50;
/// Positions of the encoder after the end of the sound: a word that is cut off is understood worse.
const MARGIN: usize = 64;
/// The fewest positions that give sensible words.
const FEWEST: usize = 256;
/// Longest hint, in characters; Whisper keeps the last 223 tokens.
const LONGEST_HINT: usize = 1000;

/// How to listen to one sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListeningPlan {
    /// Everything is one segment without timestamps.
    pub window: bool,
    /// Positions that the encoder computes; 0: all of them.
    pub audio_ctx: usize,
    /// Most tokens of a segment; 0: no bound but the model's.
    pub max_tokens: usize,
    /// By how much the temperature rises if a result is not credible; 0: the first result counts.
    pub temperature_step: f32,
}

/// Says how to listen to so many samples, with a model that has so many positions.
pub fn plan(extent: SoundExtent, samples: usize, positions: usize) -> ListeningPlan {
    match extent {
        SoundExtent::Utterance => ListeningPlan { window: false, audio_ctx: 0, max_tokens: 0, temperature_step: 0.2 },
        SoundExtent::Window => {
            let needed = (samples.div_ceil(SAMPLES_A_POSITION) + MARGIN).next_multiple_of(64).max(FEWEST);
            // A partial result that comes late is worse than one that is wrong for a moment: no second attempts, and no more tokens than
            // anybody says (Korean takes most, some 3 tokens a syllable).
            let max_tokens = 32 + samples / (STT_SAMPLE_RATE as usize / 20);
            ListeningPlan {
                window: true,
                audio_ctx: if needed < positions { needed } else { 0 },
                max_tokens,
                temperature_step: 0.0,
            }
        }
    }
}

/// A hint as whisper.cpp takes it: without control characters, and not too long. The end of it is what counts for Whisper.
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
        assert_eq!(whole, ListeningPlan { window: false, audio_ctx: 0, max_tokens: 0, temperature_step: 0.2 });
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
