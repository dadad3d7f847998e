//! The engine's task: starts the engine, has it synthesise sentences into clips one after another, restarts it after a crash (ENG-2).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use luna_actor_runtime::Capabilities;
use luna_engine_host::process::LoadedEngine;
use luna_engine_host::{EngineFailure, EngineProcess, EngineProgram, ManagedEngine, StartError};
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, SpeakJob, SpeechLoad};
use luna_messages::Lang;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_speech::resample::Resampler;
use luna_speech::script::Sentence;
use luna_text::runs::VoiceRun as Words;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::clip::{Clip, ClipEnd};

/// Silence after a sentence, in milliseconds; the engine's own is trimmed, so that it delays nothing.
const AFTER_SENTENCE_MS: u32 = 130;
/// Longest wait for the next piece of sound, after which the engine counts as hanging.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(8);
/// Maximum sentences that wait for synthesis.
const MAX_QUEUED: usize = 8;

/// Voices by language; the engine's default for a language without one. Clones share the table.
#[derive(Clone, Default)]
pub struct VoiceTable(Arc<Mutex<BTreeMap<Lang, String>>>);

impl VoiceTable {
    pub fn new(voices: BTreeMap<Lang, String>) -> Self {
        Self(Arc::new(Mutex::new(voices)))
    }

    /// Replaces the voices, from the next sentence on.
    pub fn set(&self, voices: BTreeMap<Lang, String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = voices;
    }

    fn of(&self, lang: Lang) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&lang).cloned()
    }
}

/// Dependencies of the engine's task.
pub struct VoiceDependencies {
    pub program: EngineProgram,
    /// Load specification: library and data.
    pub load: SpeechLoad,
    /// Voices by language.
    pub voices: VoiceTable,
    /// Reports whether the engine is available.
    pub capabilities: Capabilities,
}

/// A sentence to be synthesised into a clip.
struct SynthesisRequest {
    sentence: Sentence,
    clip: Arc<Clip>,
}

/// Sentences that wait for synthesis. Clones share the queue.
#[derive(Clone, Default)]
pub struct VoiceQueue {
    requests: Arc<Mutex<VecDeque<SynthesisRequest>>>,
    notify: Arc<Notify>,
    /// Requests a start of the engine unless it runs.
    start: Arc<std::sync::atomic::AtomicBool>,
}

impl VoiceQueue {
    /// Queues `sentence` for synthesis into `clip`; ahead of all others if it plays `now`. If the queue is full, its last sentence ends as
    /// [`ClipEnd::Impossible`].
    pub fn enqueue(&self, sentence: Sentence, clip: Arc<Clip>, now: bool) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.retain(|request| !request.clip.is_cancelled());
        let request = SynthesisRequest { sentence, clip };
        if now {
            requests.push_front(request);
        } else {
            requests.push_back(request);
        }
        if requests.len() > MAX_QUEUED
            && let Some(last) = requests.pop_back()
        {
            last.clip.end(ClipEnd::Impossible);
        }
        drop(requests);
        self.notify.notify_one();
    }

    /// Requests a start of the engine unless it runs (KER-9).
    pub fn start_engine(&self) {
        self.start.store(true, std::sync::atomic::Ordering::Release);
        self.notify.notify_one();
    }

    /// Drops all queued sentences.
    pub fn clear(&self) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Option<SynthesisRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Runs the engine's task. Dropping the future ends the task and the engine.
pub async fn run(dependencies: VoiceDependencies, queue: VoiceQueue) {
    let mut voice =
        SpeechSynthesis { dependencies, engine: ManagedEngine::unleased(EngineKind::Speech), unknown: BTreeSet::new() };
    loop {
        if queue.start.swap(false, std::sync::atomic::Ordering::AcqRel) {
            voice.engine.end_start_pause();
            let _ = voice.process().await;
        }
        match queue.take() {
            Some(request) if request.clip.is_cancelled() => {}
            Some(request) => {
                let end = tokio::select! {
                    biased;
                    () = request.clip.cancelled() => continue,
                    end = voice.speak(&request) => end,
                };
                request.clip.end(end);
            }
            None => queue.notify.notified().await,
        }
    }
}

struct SpeechSynthesis {
    dependencies: VoiceDependencies,
    /// The engine, which ends with this task.
    engine: Arc<ManagedEngine>,
    /// Configured voices that the engine doesn't have.
    unknown: BTreeSet<String>,
}

impl SpeechSynthesis {
    /// The running engine, started if necessary; `None` if it can't be started.
    async fn process(&self) -> Option<EngineProcess> {
        let load = LoadSpec::Speech(self.dependencies.load.clone());
        let ready =
            self.engine.ready(&self.dependencies.program, async { Ok(load) }, |outcome| self.report_start(outcome));
        ready.await.ok()
    }

    /// Reports the outcome of a start.
    fn report_start(&self, outcome: Result<&LoadedEngine, &StartError>) {
        let state = match outcome {
            Ok(loaded) => {
                for note in &loaded.notes {
                    tracing::warn!(
                        topic = note.topic,
                        reason = note.reason,
                        remedy = note.remedy,
                        "The speech engine lacks something."
                    );
                }
                CapabilityState::Available
            }
            Err(failure) => {
                tracing::warn!(%failure, "The speech engine can't be used; speech is only published as events.");
                CapabilityState::Unavailable(unavailable(failure))
            }
        };
        self.dependencies.capabilities.set(Capability::SpeechSynthesis, state);
    }

    async fn speak(&mut self, request: &SynthesisRequest) -> ClipEnd {
        let Some(process) = self.process().await else { return ClipEnd::Impossible };
        let mut resampler = None;
        for words in &request.sentence.runs {
            let voice = self.dependencies.voices.of(words.lang).filter(|name| !self.unknown.contains(name));
            let mut spoken = speak_run(&process, words, voice.clone(), &request.clip, &mut resampler).await;
            if let (Err(EngineFailure::Refused(error)), Some(name)) = (&spoken, voice)
                && error.kind == EngineErrorKind::BadInput
            {
                tracing::warn!(%error, "The configured voice is not there; the engine's own choice speaks instead.");
                self.unknown.insert(name);
                spoken = speak_run(&process, words, None, &request.clip, &mut resampler).await;
            }
            match spoken {
                Ok(()) => {}
                Err(EngineFailure::Refused(error)) => {
                    tracing::warn!(%error, "The speech engine refused a sentence.");
                    return ClipEnd::Impossible;
                }
                Err(failure) => {
                    tracing::warn!(%failure, "The speech engine failed and is started again.");
                    self.engine.stop();
                    return ClipEnd::Crashed;
                }
            }
        }
        if let Some(rate) = request.clip.sample_rate() {
            request.clip.append(vec![0.0; (rate * AFTER_SENTENCE_MS / 1000) as usize], rate, &[]);
        }
        ClipEnd::Done
    }
}

/// Synthesises words of one voice into `clip`; resamples the sound if its sample rate differs from the clip's.
async fn speak_run(
    process: &EngineProcess,
    words: &Words,
    voice: Option<String>,
    clip: &Clip,
    resampler: &mut Option<(u32, Resampler)>,
) -> Result<(), EngineFailure> {
    let job = EngineJob::Speak(SpeakJob { text: words.text.clone(), lang: words.lang, voice });
    let mut run = process.run(job, Bytes::new())?;
    loop {
        let hangs = EngineFailure::TimedOut { what: "any sound", after: ENGINE_TIMEOUT };
        match timeout(ENGINE_TIMEOUT, run.next()).await.unwrap_or(Err(hangs))? {
            Some((EngineChunk::Sound { sample_rate, words }, payload)) => {
                append_sound(clip, &payload, sample_rate, &words, resampler);
            }
            Some((
                EngineChunk::Line(_)
                | EngineChunk::Text { .. }
                | EngineChunk::Usage(_)
                | EngineChunk::TokenCounts { .. }
                | EngineChunk::PartialTranscript { .. }
                | EngineChunk::Transcript(_),
                _,
            )) => return Err(EngineFailure::Protocol { what: "it sent text instead of sound".into() }),
            None => return Ok(()),
        }
    }
}

/// Appends 16-bit samples to `clip`, at its sample rate, with the places at which words begin in them.
fn append_sound(
    clip: &Clip,
    payload: &[u8],
    sample_rate: u32,
    words: &[u32],
    resampler: &mut Option<(u32, Resampler)>,
) {
    let samples = payload.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0);
    let samples: Vec<f32> = samples.collect();
    let rate = clip.sample_rate().unwrap_or(sample_rate);
    // The resampler holds back half a millisecond, which is too little to matter for a word.
    let at = |word: &u32| u64::from(*word) * u64::from(rate) / u64::from(sample_rate.max(1));
    let words: Vec<usize> = words.iter().map(|word| usize::try_from(at(word)).unwrap_or(usize::MAX)).collect();
    if rate == sample_rate {
        clip.append(samples, rate, &words);
        return;
    }
    let (from, resampler) = resampler.get_or_insert_with(|| (sample_rate, Resampler::new(sample_rate, rate)));
    if *from != sample_rate {
        (*from, *resampler) = (sample_rate, Resampler::new(sample_rate, rate));
    }
    let mut out = Vec::new();
    resampler.push(&samples, &mut out);
    clip.append(out, rate, &words);
}

fn unavailable(error: &StartError) -> Unavailable {
    match error {
        StartError::Model(why) => why.clone(),
        StartError::Failed(EngineFailure::Refused(error)) => {
            Unavailable { reason: error.message.clone(), remedy: error.remedy.clone() }
        }
        failure => Unavailable {
            reason: failure.to_string(),
            remedy: match failure {
                StartError::Failed(EngineFailure::NotStarted { .. } | EngineFailure::Protocol { .. }) => {
                    "Install Luna's speech engine beside Luna; it tries again by itself.".into()
                }
                _ => "Luna tries again by itself; `luna doctor` tells more.".into(),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::PlaybackControl;

    // BRG-1, TTS-5
    #[test]
    fn words_keep_their_places_between_voices_of_different_rates_brg_1_tts_5() {
        let clip = Clip::new(Arc::new(PlaybackControl::new()));
        let mut resampler = None;
        let mut append = |milliseconds: u32, rate: u32, words: &[u32]| {
            let words: Vec<u32> = words.iter().map(|word| word * rate / 1000).collect();
            append_sound(&clip, &vec![1; (milliseconds * rate / 1000 * 2) as usize], rate, &words, &mut resampler);
        };
        append(500, 22_050, &[0, 300]);
        append(500, 16_000, &[100, 400]);
        append(500, 16_000, &[200]);
        append(500, 48_000, &[250]);
        append(500, 22_050, &[0]);
        // The last word that began at each time, in milliseconds; the clip's rate is the first voice's.
        for (time, word) in [
            (299, 0),
            (320, 300),
            (590, 300),
            (610, 600),
            (890, 600),
            (1190, 900),
            (1210, 1200),
            (1740, 1200),
            (1760, 1750),
            (2490, 2000),
        ] {
            let found = clip.word(time * 22_050 / 1000) * 1000 / 22_050;
            assert!(found.abs_diff(word) <= 2, "{found} instead of {word} at {time} ms");
        }
    }
}
