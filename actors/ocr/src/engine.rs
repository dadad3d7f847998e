//! The recognition engine of the actor: reports its state, and retries a picture after a crash (ENG-2, KER-9).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_engine_host::process::{EngineFailure, EngineProcess, EngineProgram, LoadedEngine};
use luna_engine_host::{ManagedEngine, StartError};
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, RecogniseJob};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::{EngineKind, RecognisedLine};
use tokio::time::Instant;

use crate::FindOcrModelsFn;

/// Time from a failed start to the next try.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Time after which a recognition counts as hanging. A full screen takes about a second.
const RECOGNITION_DEADLINE: Duration = Duration::from_secs(20);

/// The managed engine of text recognition with its chosen models.
pub struct RecognitionEngine {
    program: EngineProgram,
    models: BlockingService<FindOcrModelsFn>,
    capabilities: Capabilities,
    /// Started on demand; recognitions may run concurrently.
    engine: Arc<ManagedEngine>,
    /// Time of the last failed start, in milliseconds since `created_at`, plus one; 0 if no start has failed since the last success.
    failed_at: AtomicU64,
    created_at: Instant,
}

impl RecognitionEngine {
    /// An engine that is not started yet.
    #[must_use]
    pub fn new(program: EngineProgram, models: BlockingService<FindOcrModelsFn>, capabilities: Capabilities) -> Self {
        let engine = ManagedEngine::unleased(EngineKind::Ocr);
        Self { program, models, capabilities, engine, failed_at: AtomicU64::new(0), created_at: Instant::now() }
    }

    /// The engine with its models loaded; starts it unless it runs.
    ///
    /// # Errors
    /// The models are missing or the engine can't be started; also reported as an unavailable capability.
    pub async fn ready(&self) -> Result<EngineProcess, Unavailable> {
        let ready = self.engine.ready(&self.program, self.find(), |outcome| match outcome {
            Ok(loaded) => {
                self.failed_at.store(0, Ordering::Relaxed);
                self.report_loaded(loaded);
            }
            Err(error) => {
                let since = u64::try_from(self.created_at.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
                self.failed_at.store(since + 1, Ordering::Relaxed);
                let state = CapabilityState::Unavailable(not_started(error));
                self.capabilities.set(Capability::TextRecognition, state);
            }
        });
        ready.await.map_err(|error| not_started(&error))
    }

    async fn find(&self) -> Result<LoadSpec, Unavailable> {
        let found = self.models.ask(|find| find()).await;
        let load = found.unwrap_or_else(|no_answer| {
            let reason = format!("The models of text recognition could not be checked: {no_answer}.");
            let remedy = "Luna tries again by itself; look whether the disk with the models works.".to_owned();
            Err(Unavailable { reason, remedy })
        })?;
        Ok(LoadSpec::Ocr(load))
    }

    fn report_loaded(&self, loaded: &LoadedEngine) {
        self.capabilities.set(Capability::TextRecognition, CapabilityState::Available);
        let korean =
            loaded.notes.iter().find(|note| note.topic == "korean").map_or(CapabilityState::Available, |note| {
                CapabilityState::Unavailable(Unavailable { reason: note.reason.clone(), remedy: note.remedy.clone() })
            });
        self.capabilities.set(Capability::KoreanTextRecognition, korean);
    }

    /// Whether a failed start is due for a retry.
    #[must_use]
    pub fn wants_retry(&self, now: Instant) -> bool {
        match self.failed_at.load(Ordering::Relaxed) {
            0 => false,
            failed => now.duration_since(self.created_at) >= Duration::from_millis(failed - 1) + RETRY_AFTER,
        }
    }

    /// Recognises a picture. If the engine fails or hangs meanwhile, it is restarted and the picture retried once (ENG-2).
    ///
    /// Ends as soon as the lines so far are `enough`; the engine then stops.
    ///
    /// # Errors
    /// The engine can't be started, refuses the picture, or fails or hangs twice.
    pub async fn recognise(
        &self,
        job: RecogniseJob,
        pixels: Bytes,
        enough: impl Fn(&[RecognisedLine]) -> bool,
    ) -> Result<Vec<RecognisedLine>, Unavailable> {
        let mut last = None;
        for _ in 0..2 {
            let process = self.ready().await?;
            let work = run(&process, job.clone(), pixels.clone(), &enough);
            match tokio::time::timeout(RECOGNITION_DEADLINE, work).await {
                Ok(Ok(lines)) => return Ok(lines),
                Ok(Err(failure @ EngineFailure::Refused(_))) => return Err(unavailable(&failure)),
                Ok(Err(failure)) => last = Some(unavailable(&failure)),
                Err(_) => {
                    last = Some(Unavailable {
                        reason: "Text recognition took too long.".to_owned(),
                        remedy: "It was started again; try a smaller region.".to_owned(),
                    });
                }
            }
            process.kill();
            tracing::warn!("Text recognition failed and is started again.");
        }
        Err(last.unwrap_or_else(|| Unavailable { reason: String::new(), remedy: String::new() }))
    }

    /// Stops the engine.
    pub async fn close(&self) {
        self.engine.close().await;
    }
}

async fn run(
    process: &EngineProcess,
    job: RecogniseJob,
    pixels: Bytes,
    enough: &impl Fn(&[RecognisedLine]) -> bool,
) -> Result<Vec<RecognisedLine>, EngineFailure> {
    let mut run = process.run(EngineJob::Recognise(job), pixels)?;
    let mut lines = Vec::new();
    while let Some((chunk, _)) = run.next().await? {
        match chunk {
            EngineChunk::Line(line) => {
                lines.push(line);
                // Dropping the run cancels it.
                if enough(&lines) {
                    break;
                }
            }
            EngineChunk::Sound { .. }
            | EngineChunk::Text { .. }
            | EngineChunk::Usage(_)
            | EngineChunk::TokenCounts { .. }
            | EngineChunk::PartialTranscript { .. }
            | EngineChunk::Transcript(_) => {
                return Err(EngineFailure::Protocol { what: "it sent something else than lines of text".into() });
            }
        }
    }
    Ok(lines)
}

fn not_started(error: &StartError) -> Unavailable {
    match error {
        StartError::Model(why) => why.clone(),
        StartError::Failed(failure) => unavailable(failure),
        StartError::Paused => unavailable(&EngineFailure::Cancelled),
    }
}

fn unavailable(failure: &EngineFailure) -> Unavailable {
    match failure {
        EngineFailure::Refused(error) => Unavailable { reason: error.message.clone(), remedy: error.remedy.clone() },
        other => Unavailable {
            reason: other.to_string(),
            remedy: "Luna tries again by itself; `luna doctor` tells more.".to_owned(),
        },
    }
}
