//! The recognition engine as the actor uses it: started at need, started again after a crash, with its state told (ENG-2, KER-9).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::outside::Outside;
use luna_engine_host::engine::{EngineFailure, EngineHost, EngineProgram, Loaded};
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, RecogniseJob};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::RecognisedLine;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::FindOcrModels;

/// How long after a failed start the next one is tried.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// How long one recognition may take before the engine counts as hanging. A full screen takes about a second.
const RECOGNITION_DEADLINE: Duration = Duration::from_secs(20);

/// How long a load may take; it takes about a second.
const LOADS: Duration = Duration::from_secs(60);

/// How long the engine has to end by itself.
const CLOSING_BUDGET: Duration = Duration::from_millis(300);

/// The recognition engine.
pub struct RecognitionEngine {
    program: EngineProgram,
    models: Outside<FindOcrModels>,
    capabilities: Capabilities,
    /// The running engine with its models. Async, because starting takes most of a second and jobs wait for it meanwhile.
    host: Mutex<Option<EngineHost>>,
    /// When a start failed last, in milliseconds since `born`, plus one; 0: it did not.
    failed_at: AtomicU64,
    born: Instant,
}

impl RecognitionEngine {
    /// An engine that is not started yet.
    #[must_use]
    pub fn new(program: EngineProgram, models: Outside<FindOcrModels>, capabilities: Capabilities) -> Self {
        Self {
            program,
            models,
            capabilities,
            host: Mutex::new(None),
            failed_at: AtomicU64::new(0),
            born: Instant::now(),
        }
    }

    /// The engine with its models loaded; starts it where it isn't running.
    ///
    /// # Errors
    /// What is wrong and what to do; also told to the capabilities.
    pub async fn ready(&self) -> Result<EngineHost, Unavailable> {
        let mut slot = self.host.lock().await;
        if let Some(host) = slot.as_ref().filter(|host| host.is_alive()) {
            return Ok(host.clone());
        }
        *slot = None;
        match self.start().await {
            Ok((host, loaded)) => {
                self.failed_at.store(0, Ordering::Relaxed);
                self.tell(&loaded);
                *slot = Some(host.clone());
                Ok(host)
            }
            Err(why) => {
                let since = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
                self.failed_at.store(since + 1, Ordering::Relaxed);
                self.capabilities.set(Capability::TextRecognition, CapabilityState::Unavailable(why.clone()));
                Err(why)
            }
        }
    }

    async fn start(&self) -> Result<(EngineHost, Loaded), Unavailable> {
        let found = self.models.ask(|find| find()).await;
        let load = found.unwrap_or_else(|no_answer| {
            let reason = format!("The models of text recognition could not be checked: {no_answer}.");
            let remedy = "Luna tries again by itself; look whether the disk with the models works.".to_owned();
            Err(Unavailable { reason, remedy })
        })?;
        let host = EngineHost::start(&self.program).await.map_err(|failure| unavailable(&failure))?;
        // Dropping the host ends the program.
        let late = EngineFailure::TimedOut { what: "its models", after: LOADS };
        let loading = tokio::time::timeout(LOADS, host.load(LoadSpec::Ocr(load)));
        let loaded = loading.await.unwrap_or(Err(late)).map_err(|failure| unavailable(&failure))?;
        Ok((host, loaded))
    }

    fn tell(&self, loaded: &Loaded) {
        self.capabilities.set(Capability::TextRecognition, CapabilityState::Available);
        let korean =
            loaded.notes.iter().find(|note| note.topic == "korean").map_or(CapabilityState::Available, |note| {
                CapabilityState::Unavailable(Unavailable { reason: note.reason.clone(), remedy: note.remedy.clone() })
            });
        self.capabilities.set(Capability::KoreanTextRecognition, korean);
    }

    /// Whether a failed start is long enough ago to be tried again.
    #[must_use]
    pub fn wants_retry(&self, now: Instant) -> bool {
        match self.failed_at.load(Ordering::Relaxed) {
            0 => false,
            failed => now.duration_since(self.born) >= Duration::from_millis(failed - 1) + RETRY_AFTER,
        }
    }

    /// Recognises a picture. An engine that dies meanwhile is started again and the picture tried once more (ENG-2).
    ///
    /// # Errors
    /// What is wrong and what to do.
    pub async fn recognise(&self, job: RecogniseJob, pixels: Bytes) -> Result<Vec<RecognisedLine>, Unavailable> {
        let mut last = None;
        for _ in 0..2 {
            let host = self.ready().await?;
            let work = run(&host, job.clone(), pixels.clone());
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
            host.kill();
            tracing::warn!("Text recognition failed and is started again.");
        }
        Err(last.unwrap_or_else(|| Unavailable { reason: String::new(), remedy: String::new() }))
    }

    /// Ends the engine.
    pub async fn close(&self) {
        if let Some(host) = self.host.lock().await.take() {
            host.close(CLOSING_BUDGET).await;
        }
    }
}

async fn run(host: &EngineHost, job: RecogniseJob, pixels: Bytes) -> Result<Vec<RecognisedLine>, EngineFailure> {
    let mut run = host.run(EngineJob::Recognise(job), pixels)?;
    let mut lines = Vec::new();
    while let Some((chunk, _)) = run.next().await? {
        match chunk {
            EngineChunk::Line(line) => lines.push(line),
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

fn unavailable(failure: &EngineFailure) -> Unavailable {
    match failure {
        EngineFailure::Refused(error) => Unavailable { reason: error.message.clone(), remedy: error.remedy.clone() },
        other => Unavailable {
            reason: other.to_string(),
            remedy: "Luna tries again by herself; `luna doctor` tells more.".to_owned(),
        },
    }
}
