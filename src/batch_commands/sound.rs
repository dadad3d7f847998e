//! Speech without a running Luna: aloud, or into a file.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use luna_actor_runtime::restart::RestartPolicy;
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_actor_tts::TtsActor;
use luna_engine_host::process::start_and_load;
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, SpeakJob};
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::engine::EngineKind;
use luna_messages::reading::Style;
use luna_messages::tts::{ReadAloud, ReadRequest, TtsMessage};
use luna_messages::{Lang, Reply, RequestId};
use luna_speech::script;
use luna_speech::tempo::Tempo;
use tokio::sync::oneshot;

use crate::engines;
use crate::settings::{self, LiveConfig};
use crate::system::System;
use crate::wiring::Wiring;
use luna_config::Config;

/// Interval at which the sound device is checked.
const DEVICE_POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(50);

/// A request to read a text.
#[must_use]
pub fn request(reading: ReadAloud, lang: Lang) -> ReadRequest {
    ReadRequest { id: RequestId::next(), reading, style: Style::News, lang }
}

/// Reads aloud; returns when everything was spoken.
///
/// # Errors
/// If the speech engine or the sound device is unavailable.
pub async fn aloud(config: &Config, system: &System, request: ReadRequest) -> anyhow::Result<()> {
    let wiring = Wiring::new(&LiveConfig::new(config.clone()), system);
    let tree = SupervisionTree::new(Arc::new(|_| {}));
    let (dependencies, settings) = (wiring.tts_dependencies(), settings::tts_settings(config));
    tree.add(RestartPolicy::default(), wiring.tts.clone(), move || {
        TtsActor::new(settings.clone(), dependencies.clone())
    });
    let (sender, spoken) = oneshot::channel();
    let reply = Reply::new(move |_| {
        let _ = sender.send(());
    });
    if wiring.tts.post(TtsMessage::Read(request)).is_err() || wiring.tts.post(TtsMessage::Idle { reply }).is_err() {
        bail!("the speech actor accepts no request now");
    }
    // A running Luna waits for a lost device; a batch command says what is missing and ends.
    let lost = async {
        let missing = || wiring.capabilities.get(Capability::AudioOutput);
        while !matches!(missing(), CapabilityState::Unavailable(_)) {
            tokio::time::sleep(DEVICE_POLL_INTERVAL).await;
        }
    };
    tokio::select! {
        _ = spoken => {}
        () = lost => {}
    }
    let trouble = wiring.capabilities.snapshot().into_iter().find_map(|(_, state)| match state {
        CapabilityState::Unavailable(why) => Some(why),
        _ => None,
    });
    tree.shutdown(std::time::Duration::from_secs(1)).await;
    match trouble {
        Some(why) => Err(super::picture::sentence(&why)),
        None => Ok(()),
    }
}

/// Writes the speech to a WAV file and returns its length in seconds.
///
/// # Errors
/// If the speech engine is unavailable or fails, or the file can't be written.
pub async fn to_file(config: &Config, request: &ReadRequest, path: &Path) -> anyhow::Result<f64> {
    let settings = settings::tts_settings(config);
    let load = LoadSpec::Speech(engines::speech_load());
    let (process, _) = start_and_load(&engines::program(EngineKind::Speech, config), load).await?;
    let utterance = script::from_request(request);
    let mut file: Option<(hound::WavWriter<_>, Tempo)> = None;
    let mut samples = 0_u64;
    for run in utterance.sentences.iter().flat_map(|sentence| &sentence.runs) {
        let job =
            SpeakJob { text: run.text.clone(), lang: run.lang, voice: settings.speech.voices.get(&run.lang).cloned() };
        let mut speaking = process.run(EngineJob::Speak(job), Bytes::new())?;
        while let Some((chunk, payload)) = speaking.next().await? {
            let EngineChunk::Sound { sample_rate, .. } = chunk else { continue };
            let (writer, tempo) = match &mut file {
                Some(open) => open,
                None => file.insert(create(path, sample_rate, settings.speech.rate)?),
            };
            let sound: Vec<f32> =
                payload.chunks_exact(2).map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32768.0).collect();
            let mut stretched = Vec::new();
            tempo.push(&sound, &mut stretched);
            samples += write(writer, &stretched)?;
        }
    }
    let Some((mut writer, mut tempo)) = file else { bail!("there is nothing to say in this text") };
    let mut rest = Vec::new();
    tempo.finish(&mut rest);
    samples += write(&mut writer, &rest)?;
    let rate = writer.spec().sample_rate;
    writer.finalize().with_context(|| format!("the sound file {} can't be finished", path.display()))?;
    process.close(std::time::Duration::from_millis(300)).await;
    #[expect(clippy::cast_precision_loss, reason = "far less than 2^52 samples")]
    Ok(samples as f64 / f64::from(rate))
}

type SoundWriter = hound::WavWriter<std::io::BufWriter<std::fs::File>>;

fn create(path: &Path, sample_rate: u32, rate: f32) -> anyhow::Result<(SoundWriter, Tempo)> {
    let spec =
        hound::WavSpec { channels: 1, sample_rate, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let writer = hound::WavWriter::create(path, spec)
        .with_context(|| format!("the sound file {} can't be written", path.display()))?;
    let mut tempo = Tempo::new(sample_rate);
    tempo.set_rate(rate);
    Ok((writer, tempo))
}

fn write(writer: &mut SoundWriter, sound: &[f32]) -> anyhow::Result<u64> {
    for sample in sound {
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of 16 bits")]
        writer.write_sample((sample.clamp(-1.0, 1.0) * 32767.0) as i16).context("the sound file can't be written")?;
    }
    Ok(sound.len() as u64)
}
