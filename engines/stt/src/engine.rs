//! The engine: loads a model and transcribes one sound after another.

use std::time::Instant;

use luna_engine_protocol::{
    Backend, EngineChunk, EngineJob, EngineNote, LoadSpec, LoadedModel, SttLoad, TranscribeJob,
};
use luna_engine_protocol::{CancelFlag, Engine, LoadReport, Output, failure};
use luna_messages::Lang;
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind, TranscribedSegment};

use crate::container::{self, Sizes};
use crate::hallucinations::{self, SpeechSigns};
use crate::native::{
    LoadError, SoundLanguage, SpeechSegment, TranscribeError, TranscriptionListener, TranscriptionParameters, Whisper,
};
use crate::partial::{self, Partials};
use crate::words::{self, RepetitionFilter};
use crate::{memory_estimate, plan, sound, watch};

/// The speech-recognition engine; empty until a model is loaded.
#[derive(Default)]
pub struct Stt {
    model: Option<SpeechModel>,
}

struct SpeechModel {
    name: String,
    sizes: Sizes,
    whisper: Whisper,
    /// The last language, which the next sound is probably in, too.
    last: Lang,
}

impl Engine for Stt {
    const KIND: EngineKind = EngineKind::Stt;
    const BACKENDS: &'static [Backend] = if cfg!(feature = "cuda") {
        &[Backend::Cpu, Backend::Cuda]
    } else if cfg!(feature = "vulkan") {
        &[Backend::Cpu, Backend::Vulkan]
    } else {
        &[Backend::Cpu]
    };

    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError> {
        self.unload();
        let LoadSpec::Stt(spec) = spec else {
            return Err(unsupported());
        };
        let (model, loaded) = SpeechModel::load(spec)?;
        self.model = Some(model);
        Ok(loaded)
    }

    fn run(
        &mut self,
        job: EngineJob,
        payload: Vec<u8>,
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let EngineJob::Transcribe(job) = job else {
            return Err(unsupported());
        };
        let model = self.model.as_mut().ok_or_else(|| {
            failure(
                EngineErrorKind::NotLoaded,
                "No speech recognition model is loaded.",
                "Load a model before handing over sound.",
            )
        })?;
        let samples = sound::samples(&payload, job.extent)?;
        drop(payload);
        if sound::is_silent(&samples) {
            return Ok(());
        }
        watch::watched(cancel, watch::GRACE, watch::end_program, || model.transcribe(&job, &samples, output, cancel))
    }

    fn unload(&mut self) {
        if self.model.take().is_some() {
            memory_estimate::trim_heap();
        }
    }
}

impl SpeechModel {
    fn load(spec: SttLoad) -> Result<(Self, LoadReport), EngineError> {
        let (file, bytes, sizes) = container::open(&spec.model)?;
        let gpu = spec.gpu && cfg!(any(feature = "cuda", feature = "vulkan"));
        memory_estimate::check(&spec.name, bytes, &sizes, gpu)?;
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = plan::threads(spec.threads, processors);
        let (whisper, on_card) = Whisper::load(file, gpu, threads).map_err(|error| match error {
            LoadError::Memory => {
                memory_estimate::out_of_memory(&spec.name, memory_estimate::needed(bytes, &sizes), None)
            }
            LoadError::Refused(_) => failure(
                EngineErrorKind::BadModel,
                format!("The model file {} can't be loaded: {error}.", spec.model.path.display()),
                "Fetch it again with `luna models fetch`, or name another file in the configuration.",
            ),
        })?;
        let mut notes = Vec::new();
        if spec.gpu && !gpu {
            notes.push(note(
                "gpu",
                "This build of the speech recognition engine has no support for graphics cards, so it uses the processor.",
                "Build it with the feature `cuda` or `vulkan`.",
            ));
        } else if spec.gpu && !on_card {
            notes.push(note(
                "gpu",
                "No usable graphics card was found, so speech recognition uses the processor.",
                "Check the driver of the card, or switch the card off in the configuration.",
            ));
        }
        if !sizes.multilingual() {
            notes.push(note(
                "korean",
                &format!("The model {} knows English only.", spec.name),
                "Choose a multilingual model in the configuration.",
            ));
        }
        // whisper.cpp puts the whole model on the card or nothing.
        let card_bytes = if on_card { bytes } else { 0 };
        let models = vec![LoadedModel { name: format!("whisper:{}", spec.name), bytes }];
        Ok((Self { name: spec.name, sizes, whisper, last: Lang::Ko }, LoadReport { models, notes, card_bytes }))
    }

    fn transcribe(
        &mut self,
        job: &TranscribeJob,
        samples: &[f32],
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let flag = cancel.shared();
        let hint = plan::hint(&job.hint);
        let plan = plan::plan(job.extent, samples.len(), self.sizes.audio_ctx as usize);
        let lang = match job.lang {
            Some(Lang::Ko) if !self.sizes.multilingual() => {
                return Err(failure(
                    EngineErrorKind::Unsupported,
                    format!("The model {} knows English only.", self.name),
                    "Choose a multilingual model in the configuration.",
                ));
            }
            Some(lang) => SoundLanguage::Known(lang),
            None if !self.sizes.multilingual() => SoundLanguage::Known(Lang::En),
            None => SoundLanguage::Detect { guess: self.last },
        };
        let parameters = TranscriptionParameters { plan, lang, hint: &hint, abort: &flag };
        if cancel.is_set() {
            return Ok(());
        }
        let mut filter = ResultFilter {
            output,
            cancel,
            lang: match lang {
                SoundLanguage::Known(lang) => lang,
                SoundLanguage::Detect { guess } => guess,
            },
            faint: sound::is_faint(samples),
            length_ms: sound::milliseconds(samples.len()),
            partials: job.partials.then(Partials::default),
            before: String::new(),
            repetitions: RepetitionFilter::default(),
        };
        let result = self.whisper.transcribe(samples, &parameters, &mut filter);
        self.last = filter.lang;
        result.or_else(ended)
    }
}

/// The result of a job that whisper.cpp did not complete. After a cancel the host reports `Cancelled` in any case.
fn ended(error: TranscribeError) -> Result<(), EngineError> {
    match error {
        TranscribeError::Cancelled => Ok(()),
        TranscribeError::Failed(_) => Err(failure(
            EngineErrorKind::Internal,
            format!("The speech could not be recognised: {error}."),
            "Try again; if it happens each time, report it with this message.",
        )),
    }
}

/// Forwards results without hallucinated text.
struct ResultFilter<'a> {
    output: &'a mut Output,
    cancel: &'a CancelFlag,
    lang: Lang,
    /// Whether the sound is nowhere louder than the noise of a room.
    faint: bool,
    length_ms: u64,
    /// `None` if partial results are not requested.
    partials: Option<Partials>,
    /// The text of the complete segments, which precedes partial results.
    before: String,
    repetitions: RepetitionFilter,
}

impl TranscriptionListener for ResultFilter<'_> {
    fn language(&mut self, lang: Lang) {
        self.lang = lang;
    }

    fn segment(&mut self, segment: SpeechSegment) {
        let (text, share) = words::clean(&segment.text);
        let no_speech = words::is_no_speech(segment.no_speech, segment.likely.log);
        let signs =
            SpeechSigns { no_speech: segment.no_speech, log_probability: segment.likely.log, faint: self.faint };
        let invented = text.is_empty() || no_speech || hallucinations::is_hallucinated(&text, signs);
        if invented || self.cancel.is_set() || self.repetitions.is_too_many(&text) {
            return;
        }
        if self.partials.is_some() {
            self.before = joined(&self.before, &text);
        }
        let within = |time: i64| u64::try_from(time).unwrap_or(0).min(self.length_ms);
        let (start_ms, end_ms) = (within(segment.start_ms), within(segment.end_ms));
        let chunk = EngineChunk::Transcript(TranscribedSegment {
            text,
            start_ms,
            end_ms: end_ms.max(start_ms),
            lang: self.lang,
            confidence: segment.likely.mean * share,
            no_speech: segment.no_speech,
        });
        self.output.chunk(chunk, &[]);
    }

    fn token(&mut self, text: &dyn Fn() -> Vec<u8>) {
        let Some(partials) = self.partials.as_mut() else { return };
        let now = Instant::now();
        if self.cancel.is_set() || !partials.is_due(now) {
            return;
        }
        let (newest, _) = words::clean(&partial::complete(&text()));
        if newest.is_empty() || hallucinations::is_never_said(&newest) {
            return;
        }
        if let Some(text) = partials.next_to_send(joined(&self.before, &newest), now) {
            self.output.chunk(EngineChunk::PartialTranscript { text }, &[]);
        }
    }
}

fn joined(before: &str, after: &str) -> String {
    if before.is_empty() { after.to_owned() } else { format!("{before} {after}") }
}

fn note(topic: &str, reason: &str, remedy: &str) -> EngineNote {
    EngineNote { topic: topic.to_owned(), reason: reason.to_owned(), remedy: remedy.to_owned() }
}

fn unsupported() -> EngineError {
    failure(
        EngineErrorKind::Unsupported,
        "The speech recognition engine only transcribes speech.",
        "Give this work to another engine.",
    )
}
