//! Validates and decodes the sound of a job, and detects silence.

use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind, STT_SAMPLE_RATE, SoundExtent};

const RATE: usize = STT_SAMPLE_RATE as usize;
/// Maximum length of an utterance, seconds.
const LONGEST_UTTERANCE: usize = 600;
/// Maximum length of a window, seconds: Whisper's input size.
const LONGEST_WINDOW: usize = 30;
/// Whisper recognises nothing in fewer samples: 100 ms.
const SHORTEST: usize = RATE / 10;
/// Samples per loudness measurement: 30 ms.
const STRETCH: usize = RATE * 30 / 1000;
/// Loudness, of 1.0, below which a stretch is silent: −66 dB. A microphone in a quiet room is louder.
const SILENT: f32 = 0.0005;
/// Loudness below which the loudest stretch of a sound is faint: −52 dB, the noise of a room or of a microphone. Speech into a microphone is louder
/// by 15 dB and more.
const FAINT: f32 = 0.0025;

/// Decodes the samples of a payload to −1 … 1.
///
/// # Errors
/// The payload is empty, ends inside a sample, or is too long.
pub fn samples(payload: &[u8], extent: SoundExtent) -> Result<Vec<f32>, EngineError> {
    let bad = |message: String, remedy: &str| failure(EngineErrorKind::BadInput, message, remedy);
    let form = "Send 16-bit samples of one channel, 16,000 a second.";
    if payload.is_empty() {
        return Err(bad("The job has no sound.".to_owned(), form));
    }
    if payload.len() % 2 == 1 {
        return Err(bad(format!("A sound of {} bytes ends in the middle of a sample.", payload.len()), form));
    }
    let (longest, remedy) = match extent {
        SoundExtent::Utterance => (LONGEST_UTTERANCE, "Cut it into parts."),
        SoundExtent::Window => (LONGEST_WINDOW, "Send the newest seconds only, or the whole as an utterance."),
    };
    let count = payload.len() / 2;
    if count > longest * RATE {
        let seconds = count.div_ceil(RATE);
        return Err(bad(format!("A sound of {seconds} s is longer than the {longest} s that are taken."), remedy));
    }
    Ok(payload.as_chunks::<2>().0.iter().map(|bytes| f32::from(i16::from_le_bytes(*bytes)) / 32_768.0).collect())
}

/// Whether the sound is too short or never louder than a microphone in a quiet room. Whisper invents words for such sounds (STT-4).
pub fn is_silent(samples: &[f32]) -> bool {
    samples.len() < SHORTEST || loudest(samples) < SILENT
}

/// Whether the sound is nowhere louder than the noise of a room. Whisper's words for such a sound need other signs that they were said (STT-4).
pub fn is_faint(samples: &[f32]) -> bool {
    loudest(samples) < FAINT
}

/// The loudness of the loudest stretch.
fn loudest(samples: &[f32]) -> f32 {
    let loudness = |stretch: &[f32]| {
        // A constant offset is no sound.
        let mean = stretch.iter().sum::<f32>() / stretch.len() as f32;
        (stretch.iter().map(|sample| (sample - mean).powi(2)).sum::<f32>() / stretch.len() as f32).sqrt()
    };
    samples.chunks(STRETCH).map(loudness).fold(0.0, f32::max)
}

/// Converts a sample count to milliseconds.
pub fn milliseconds(samples: usize) -> u64 {
    samples as u64 * 1000 / u64::from(STT_SAMPLE_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: usize, extent: SoundExtent, expect: Result<usize, &str>) {
        match (samples(&vec![0; bytes], extent), expect) {
            (Ok(samples), Ok(count)) => assert_eq!(samples.len(), count),
            (Err(error), Err(words)) => {
                assert_eq!(error.kind, EngineErrorKind::BadInput);
                assert!(error.message.contains(words) && error.message.ends_with('.'), "{error}");
            }
            (got, expect) => panic!("{bytes} bytes: {got:?}, expected {expect:?}"),
        }
    }

    // ENG-1
    #[test]
    fn a_payload_is_sound_or_refused_eng_1() {
        check(0, SoundExtent::Utterance, Err("no sound"));
        check(1, SoundExtent::Utterance, Err("middle of a sample"));
        check(33, SoundExtent::Window, Err("33 bytes"));
        check(32_000, SoundExtent::Utterance, Ok(16_000));
        check(600 * 32_000, SoundExtent::Utterance, Ok(9_600_000));
        check(600 * 32_000 + 2, SoundExtent::Utterance, Err("601 s is longer than the 600 s"));
        check(30 * 32_000 + 2, SoundExtent::Window, Err("31 s is longer than the 30 s"));
        let extremes: Vec<u8> = [i16::MIN, -1, 0, i16::MAX].iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let Ok(samples) = samples(&extremes, SoundExtent::Utterance) else { panic!("it is sound") };
        assert_eq!(samples, [-1.0, -1.0 / 32_768.0, 0.0, 32_767.0 / 32_768.0]);
    }

    // STT-4
    #[test]
    fn silence_is_told_from_sound_stt_4() {
        let tone = |loudness: f32, count: usize| (0..count).map(|at| loudness * (at as f32 * 0.3).sin()).collect();
        let check = |samples: Vec<f32>, expect: bool, name: &str| assert_eq!(is_silent(&samples), expect, "{name}");
        check(vec![], true, "nothing");
        check(vec![0.0; 32_000], true, "zeros");
        check(vec![0.2; 32_000], true, "a constant");
        check(tone(0.0005, 32_000), true, "a tone of -66 dB at its tops");
        check(tone(0.01, 32_000), false, "a low tone");
        check(tone(0.5, 1_000), true, "too short");
        let mut click = vec![0.0; 32_000];
        click[20_000..20_480].copy_from_slice(
            &vec![0.1; 480].iter().zip([1.0, -1.0].iter().cycle()).map(|(a, b)| a * b).collect::<Vec<f32>>(),
        );
        check(click, false, "a short loud stretch");
        let faint =
            |loudness: f32| is_faint(&(0..16_000).map(|at| loudness * (at as f32 * 0.3).sin()).collect::<Vec<_>>());
        assert!(faint(0.003) && !faint(0.004) && is_faint(&[]));
    }
}
