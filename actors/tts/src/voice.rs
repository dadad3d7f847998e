//! The engine's task: starts the engine, has sentences spoken into clips one after another, starts it again when it crashed (ENG-2).

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

/// Silence after a sentence: the engine's own was cut, so that it delays nothing.
const AFTER_SENTENCE_MS: u32 = 130;
/// Longest wait for the next piece of sound; an engine that takes longer hangs.
const HANGS: Duration = Duration::from_secs(8);
/// Sentences that wait to be spoken, at most.
const WAITING: usize = 8;

/// Which voice speaks which language; the engine's own choice if there is none. Clones share it.
#[derive(Clone, Default)]
pub struct VoiceTable(Arc<Mutex<BTreeMap<Lang, String>>>);

impl VoiceTable {
    /// These voices.
    pub fn new(voices: BTreeMap<Lang, String>) -> Self {
        Self(Arc::new(Mutex::new(voices)))
    }

    /// Others from the next sentence on.
    pub fn set(&self, voices: BTreeMap<Lang, String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = voices;
    }

    fn of(&self, lang: Lang) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&lang).cloned()
    }
}

/// What the task needs.
pub struct VoiceDependencies {
    pub program: EngineProgram,
    /// Library and data.
    pub load: SpeechLoad,
    /// Voices by language; the engine's own choice if there is none.
    pub voices: VoiceTable,
    /// Where a missing engine is told.
    pub capabilities: Capabilities,
}

/// A sentence to be spoken into a clip.
struct SynthesisOrder {
    sentence: Sentence,
    clip: Arc<Clip>,
}

/// Sentences that wait. Clones share it.
#[derive(Clone, Default)]
pub struct VoiceQueue {
    orders: Arc<Mutex<VecDeque<SynthesisOrder>>>,
    came: Arc<Notify>,
    /// Asks the task to start the engine now, if it does not run.
    start: Arc<std::sync::atomic::AtomicBool>,
}

impl VoiceQueue {
    /// Has `sentence` spoken into `clip`; before all others where it is to sound now.
    pub fn order(&self, sentence: Sentence, clip: Arc<Clip>, now: bool) {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders.retain(|order| !order.clip.is_cancelled());
        let order = SynthesisOrder { sentence, clip };
        if now {
            orders.push_front(order);
        } else {
            orders.push_back(order);
        }
        if orders.len() > WAITING
            && let Some(last) = orders.pop_back()
        {
            last.clip.end(ClipEnd::Impossible);
        }
        drop(orders);
        self.came.notify_one();
    }

    /// Tries to start the engine if it does not run (KER-9).
    pub fn start_engine(&self) {
        self.start.store(true, std::sync::atomic::Ordering::Release);
        self.came.notify_one();
    }

    /// Drops what waits.
    pub fn clear(&self) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Option<SynthesisOrder> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// The task. It ends when it is dropped, and the engine with it.
pub async fn run(dependencies: VoiceDependencies, queue: VoiceQueue) {
    let mut voice =
        SpeechSynthesis { dependencies, engine: ManagedEngine::unleased(EngineKind::Speech), unknown: BTreeSet::new() };
    loop {
        if queue.start.swap(false, std::sync::atomic::Ordering::AcqRel) {
            voice.engine.try_again_now();
            let _ = voice.process().await;
        }
        match queue.take() {
            Some(order) if order.clip.is_cancelled() => {}
            Some(order) => {
                let end = tokio::select! {
                    biased;
                    () = order.clip.cancelled() => continue,
                    end = voice.speak(&order) => end,
                };
                order.clip.end(end);
            }
            None => queue.came.notified().await,
        }
    }
}

struct SpeechSynthesis {
    dependencies: VoiceDependencies,
    /// It ends with this task.
    engine: Arc<ManagedEngine>,
    /// Configured voices that the engine does not know.
    unknown: BTreeSet<String>,
}

impl SpeechSynthesis {
    /// The engine, started if it does not run.
    async fn process(&self) -> Option<EngineProcess> {
        let load = LoadSpec::Speech(self.dependencies.load.clone());
        let ready = self.engine.ready(&self.dependencies.program, async { Ok(load) }, |outcome| self.tell(outcome));
        ready.await.ok()
    }

    /// Tells what came of a start.
    fn tell(&self, outcome: Result<&LoadedEngine, &StartError>) {
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
                tracing::warn!(%failure, "The speech engine can't be used; what is said is only told as events.");
                CapabilityState::Unavailable(unavailable(failure))
            }
        };
        self.dependencies.capabilities.set(Capability::SpeechSynthesis, state);
    }

    async fn speak(&mut self, order: &SynthesisOrder) -> ClipEnd {
        let Some(process) = self.process().await else { return ClipEnd::Impossible };
        let mut resampler = None;
        for words in &order.sentence.runs {
            let voice = self.dependencies.voices.of(words.lang).filter(|name| !self.unknown.contains(name));
            let mut spoken = speak_run(&process, words, voice.clone(), &order.clip, &mut resampler).await;
            if let (Err(EngineFailure::Refused(error)), Some(name)) = (&spoken, voice)
                && error.kind == EngineErrorKind::BadInput
            {
                tracing::warn!(%error, "The configured voice is not there; the engine's own choice speaks instead.");
                self.unknown.insert(name);
                spoken = speak_run(&process, words, None, &order.clip, &mut resampler).await;
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
        if let Some(rate) = order.clip.sample_rate() {
            order.clip.append(vec![0.0; (rate * AFTER_SENTENCE_MS / 1000) as usize], rate);
        }
        ClipEnd::Done
    }
}

/// Has one voice speak its part; sound of another sample rate than the clip's is brought to it.
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
        let hangs = EngineFailure::TimedOut { what: "any sound", after: HANGS };
        match timeout(HANGS, run.next()).await.unwrap_or(Err(hangs))? {
            Some((EngineChunk::Sound { sample_rate }, payload)) => {
                let samples =
                    payload.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0);
                let samples: Vec<f32> = samples.collect();
                match clip.sample_rate() {
                    Some(rate) if rate != sample_rate => {
                        let (from, resampler) =
                            resampler.get_or_insert_with(|| (sample_rate, Resampler::new(sample_rate, rate)));
                        if *from != sample_rate {
                            (*from, *resampler) = (sample_rate, Resampler::new(sample_rate, rate));
                        }
                        let mut out = Vec::new();
                        resampler.push(&samples, &mut out);
                        clip.append(out, rate);
                    }
                    Some(_) | None => {
                        clip.append(samples, sample_rate);
                    }
                }
            }
            Some((
                EngineChunk::Line(_)
                | EngineChunk::Text { .. }
                | EngineChunk::Usage(_)
                | EngineChunk::TokenCounts { .. }
                | EngineChunk::PartialTranscript { .. }
                | EngineChunk::Transcript(_),
                _,
            )) => return Err(EngineFailure::Protocol { what: "it sent text where sound was asked for".into() }),
            None => return Ok(()),
        }
    }
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
