//! Transcribes a sound file.

use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use async_channel::bounded;
use hound::{SampleFormat, WavReader};
use luna_messages::engine::{EngineKind, STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};
use luna_messages::stt::{Sound, SttMessage, Transcribe};
use luna_messages::{Lang, RequestId};
use luna_speech::resample::Resampler;

use super::models::{EngineProgress, ModelActors, TellLost, answer};
use crate::system::System;
use luna_config::Config;

mod header;

/// Longest sound file, in seconds.
const MAX_SECONDS: u64 = 600;

/// What [`transcribe`] reports while it runs.
#[derive(Debug)]
pub enum TranscriptionProgress {
    /// State of the engine.
    Step(EngineProgress),
    /// The text recognised so far.
    Partial(String),
}

/// Reads a WAV file into the engine's format: one channel, 16,000 samples a second. A sound without a known length is read to the end of the file.
///
/// # Errors
/// If the file can't be opened, is no WAV file, is truncated, empty or too long; the error says what to do.
pub fn open(path: &Path) -> anyhow::Result<Sound> {
    let name = path.display();
    let unreadable =
        || format!("{name} is no sound file that Luna can read; WAV with whole numbers of 8 to 32 bits or floats is");
    let mut file = std::fs::File::open(path).with_context(|| format!("the sound file {name} can't be opened"))?;
    let mut head = Vec::new();
    file.by_ref().take(header::MAX_BYTES).read_to_end(&mut head).with_context(unreadable)?;
    let endless = header::settle_unknown_length(&mut head);
    let reader = WavReader::new(BufReader::new(Cursor::new(head).chain(file))).with_context(unreadable)?;
    let spec = reader.spec();
    if spec.channels == 0 || spec.sample_rate == 0 {
        bail!("the sound file {name} has no channel or no sample rate");
    }
    let seconds = u64::from(reader.duration()) / u64::from(spec.sample_rate);
    if seconds > MAX_SECONDS && !endless {
        bail!("the sound file {name} is too long ({seconds} s; at most {MAX_SECONDS} s); cut it");
    }
    let samples = mono(reader, endless).map_err(|error| match error {
        // The header announces more than the file contains.
        hound::Error::IoError(_) => anyhow::anyhow!("the sound file {name} is cut short; get the whole file again"),
        error => anyhow::Error::new(error).context(unreadable()),
    })?;
    let Some(samples) = samples else { bail!("the sound file {name} is longer than {MAX_SECONDS} s; cut it") };
    if samples.is_empty() {
        bail!("the sound file {name} is empty; record something into it");
    }
    let mut resampler = Resampler::new(spec.sample_rate, STT_SAMPLE_RATE);
    let mut sound = Vec::new();
    resampler.push(&samples, &mut sound);
    resampler.finish(&mut sound);
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of 16 bits")]
    let samples = sound.iter().map(|sample| (sample.clamp(-1.0, 1.0) * 32767.0) as i16).collect();
    Ok(Sound { samples })
}

/// The mean of all channels, between −1 and 1; `None` if the sound exceeds the limit. `endless`: the header contains no length, and the sound ends
/// with the file.
fn mono(reader: WavReader<impl Read>, endless: bool) -> Result<Option<Vec<f32>>, hound::Error> {
    let spec = reader.spec();
    match spec.sample_format {
        SampleFormat::Float => means(reader.into_samples::<f32>(), spec, endless),
        SampleFormat::Int => {
            let full = 2_f32.powi(i32::from(spec.bits_per_sample) - 1);
            #[expect(clippy::cast_precision_loss, reason = "24 bits are precise enough for sound")]
            let float = |sample: hound::Result<i32>| sample.map(|sample| sample as f32 / full);
            means(reader.into_samples::<i32>().map(float), spec, endless)
        }
    }
}

fn means(
    samples: impl Iterator<Item = hound::Result<f32>>,
    spec: hound::WavSpec,
    endless: bool,
) -> Result<Option<Vec<f32>>, hound::Error> {
    let most = u64::from(spec.sample_rate).saturating_mul(MAX_SECONDS);
    let (mut means, mut sum, mut channel) = (Vec::new(), 0.0, 0);
    for sample in samples {
        match sample {
            Ok(sample) => sum += sample,
            Err(_) if endless => break,
            Err(error) => return Err(error),
        }
        channel += 1;
        if channel == spec.channels {
            if means.len() as u64 == most {
                return Ok(None);
            }
            means.push(sum / f32::from(spec.channels));
            (sum, channel) = (0.0, 0);
        }
    }
    Ok(Some(means))
}

/// Transcribes speech and reports partial results meanwhile.
///
/// # Errors
/// If the model or its engine is unavailable or fails; the error says what to do.
pub async fn transcribe(
    config: &Config,
    system: &System,
    sound: Sound,
    lang: Option<Lang>,
    tell_lost: TellLost,
    tell: impl Fn(TranscriptionProgress),
) -> anyhow::Result<Vec<TranscribedSegment>> {
    let models = ModelActors::start_shared(config, system, tell_lost);
    models.wiring.listening_full.store(true, Ordering::Relaxed);
    models.wiring.stt_standby.store(false, Ordering::Relaxed);
    // Capacity 1: each partial result replaces the one before.
    let (pieces, reader) = bounded(1);
    let (reply, answered) = answer();
    let request = Transcribe {
        id: RequestId::next(),
        sound,
        lang,
        extent: SoundExtent::Utterance,
        hint: String::new(),
        partials: true,
        pieces,
        reply,
    };
    let posted = models.wiring.stt.post(SttMessage::Transcribe(request));
    anyhow::ensure!(posted.is_ok(), "speech recognition takes no request");
    let work = async {
        while let Ok(text) = reader.recv().await {
            tell(TranscriptionProgress::Partial(text));
        }
        answered.await
    };
    let segments = models.watch(EngineKind::Stt, |step| tell(TranscriptionProgress::Step(step)), work).await;
    models.end().await;
    segments
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::cast_possible_truncation)]
mod tests {
    use hound::{WavSpec, WavWriter};

    use super::*;

    /// A 440 Hz tone of one second: checks zero crossings, number of samples and loudness.
    fn check(channels: u16, rate: u32, bits: u16, format: SampleFormat) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let spec = WavSpec { channels, sample_rate: rate, bits_per_sample: bits, sample_format: format };
        let mut writer = WavWriter::create(file.path(), spec).unwrap();
        for n in 0..rate {
            let value = 0.5 * (f64::from(n) / f64::from(rate) * 440.0 * std::f64::consts::TAU).sin();
            for _ in 0..channels {
                match format {
                    SampleFormat::Float => writer.write_sample(value as f32).unwrap(),
                    SampleFormat::Int => writer.write_sample((value * 2_f64.powi(i32::from(bits) - 1)) as i32).unwrap(),
                }
            }
        }
        writer.finalize().unwrap();
        let sound = open(file.path()).unwrap();
        let what = format!("{channels} × {rate} Hz, {bits} bits {format:?}");
        assert!(sound.samples.len().abs_diff(16_000) <= 40, "{what}: {}", sound.samples.len());
        let crossings = sound.samples.windows(2).filter(|pair| (pair[0] < 0) != (pair[1] < 0)).count();
        assert!(crossings.abs_diff(880) <= 6, "{what}: {crossings}");
        let loudest = sound.samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
        assert!((15_000..=17_800).contains(&loudest), "{what}: {loudest}");
    }

    // STT-3
    #[test]
    fn any_wav_becomes_16_khz_of_one_channel_stt_3() {
        check(1, 16_000, 16, SampleFormat::Int);
        check(2, 44_100, 16, SampleFormat::Int);
        check(1, 8_000, 8, SampleFormat::Int);
        check(2, 48_000, 24, SampleFormat::Int);
        check(1, 22_050, 32, SampleFormat::Int);
        check(6, 48_000, 32, SampleFormat::Float);
    }
}
