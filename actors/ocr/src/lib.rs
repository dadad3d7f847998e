//! The Ocr actor: text recognition of a part of the screen (OCR-1 to OCR-4, PIC-2, PIC-4).
//!
//! **Receives** [`OcrMessage`]. **Sends** answers to its callers. Works through the recognition engine, a program of its own.
//! **Never** keeps a picture after its recognition, never captures a region that was not searched for protected fields, never recognises the
//! protected fields in it (PIC-5, SES-5).

#![forbid(unsafe_code)]

mod engine;
mod recognise;
mod results;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::task::Task;
use luna_engine_host::process::EngineProgram;
use luna_engine_protocol::OcrLoad;
use luna_focus::choose::ChoiceWeights;
use luna_messages::capability::Unavailable;
use luna_messages::ocr::{OcrMessage, OcrPick};
use luna_messages::pick::{PickFailure, PickRequest, SearchedRegion};
use luna_platform::capture::Capture;
use tokio::time::Instant;

pub use crate::engine::RecognitionEngine;
use crate::results::Results;

/// Most pictures and recognitions for tools at a time.
const MOST_FOR_TOOLS: usize = 4;

/// Settings of recognition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OcrSettings {
    /// Weights for choosing the line, `focus_mode.ocr`.
    pub weights: ChoiceWeights,
    /// Mean confidence below which the quality is low, `focus_mode.ocr_low_quality`.
    pub low_quality: f32,
    /// Maximum blocks kept of a result, `windows.ocr.topk`.
    pub top: usize,
}

/// Settings of the cache of recent results (BUF-1); they are read only at Luna's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultSettings {
    /// Maximum results kept, `windows.ocr.history`.
    pub history: usize,
    /// Lifetime of a result, `windows.ocr.ttl_ms`.
    pub ttl: Duration,
    /// Longest interval at which expired results are wiped, `privacy.ttl_purge_ms`.
    pub purge_every: Duration,
}

/// Finds and checks the models, or says what is missing. Called at each start of the engine, because a file may have been added (KER-9).
pub type FindOcrModelsFn = dyn Fn() -> Result<OcrLoad, Unavailable> + Send + Sync;

pub type FindOcrModels = Arc<FindOcrModelsFn>;

/// Dependencies of the Ocr actor.
#[derive(Clone)]
pub struct OcrDependencies {
    /// Captures the screen.
    pub capture: BlockingService<dyn Capture>,
    pub program: EngineProgram,
    pub models: BlockingService<FindOcrModelsFn>,
    /// Reports whether screen capture and text recognition are available.
    pub capabilities: Capabilities,
    /// Returns the current settings; called at each recognition (CFG-4).
    pub settings: Arc<dyn Fn() -> OcrSettings + Send + Sync>,
    /// Settings of the cache.
    pub results: ResultSettings,
}

/// Runs recognitions and caches their results.
pub struct OcrActor {
    dependencies: OcrDependencies,
    /// The engine, started on demand and after a crash; shared with running jobs.
    engine: Arc<RecognitionEngine>,
    /// Recent results (BUF-1).
    results: Arc<Mutex<Results>>,
    /// The running pick; a newer pick replaces and thereby cancels it (KER-6).
    pick: Option<Task>,
    /// The running recognition of a window's lines.
    lines: Option<Task>,
    /// Running pictures and recognitions for tools. Each caller has one of its own; those that ended are dropped at the next.
    for_tools: Vec<Task>,
    /// The task that starts the engine before the first pick or after a failure.
    warm_up: Option<Task>,
    /// The timer for wiping and retries.
    timer: Option<Task>,
}

impl OcrActor {
    #[must_use]
    pub fn new(dependencies: OcrDependencies) -> Self {
        let engine = RecognitionEngine::new(
            dependencies.program.clone(),
            dependencies.models.clone(),
            dependencies.capabilities.clone(),
        );
        let results = Results::new(dependencies.results.history, dependencies.results.ttl, Instant::now());
        Self {
            dependencies,
            engine: Arc::new(engine),
            results: Arc::new(Mutex::new(results)),
            pick: None,
            lines: None,
            for_tools: Vec::new(),
            warm_up: None,
            timer: None,
        }
    }

    /// The oldest gives way to the newest, if there are too many.
    fn begin_for_tool(&mut self, task: Task) {
        self.for_tools.retain(|task| !task.is_finished());
        if self.for_tools.len() >= MOST_FOR_TOOLS {
            drop(self.for_tools.remove(0));
        }
        self.for_tools.push(task);
    }

    fn warm_up(&mut self, context: &ActorContext<OcrMessage>) {
        let engine = self.engine.clone();
        self.warm_up = Some(context.spawn_service(async move {
            // The engine reports the outcome to the capabilities itself.
            drop(engine.ready().await);
        }));
    }
}

#[async_trait]
impl Actor for OcrActor {
    type Message = OcrMessage;
    const NAME: &'static str = "ocr";

    async fn started(&mut self, context: &ActorContext<OcrMessage>) -> Result<(), ActorError> {
        self.timer = Some(context.every(self.dependencies.results.purge_every, || OcrMessage::Tick));
        self.warm_up(context);
        Ok(())
    }

    async fn handle(&mut self, message: OcrMessage, context: &ActorContext<OcrMessage>) -> Result<(), ActorError> {
        let (dependencies, engine, results) = (self.dependencies.clone(), self.engine.clone(), self.results.clone());
        match message {
            OcrMessage::Pick { request, searched, reply } => {
                self.pick = Some(context.spawn(async move {
                    reply.answer(recognise::pick(&dependencies, &engine, request, &searched).await);
                }));
            }
            OcrMessage::Lines { searched, reply } => {
                self.lines = Some(context.spawn(async move {
                    reply.answer(recognise::lines(&dependencies, &engine, &results, &searched).await);
                }));
            }
            OcrMessage::Shot { searched, reply } => {
                self.begin_for_tool(context.spawn(async move {
                    reply.answer(recognise::shot(&dependencies, &searched).await);
                }));
            }
            OcrMessage::Recognise { searched, reply } => {
                self.begin_for_tool(context.spawn(async move {
                    reply.answer(recognise::whole(&dependencies, &engine, &searched).await);
                }));
            }
            // Dropping a running recognition cancels it at the next stage or line (KER-6).
            OcrMessage::EndPick => self.pick = None,
            OcrMessage::Tick => {
                if let Ok(mut results) = results.lock() {
                    results.purge(Instant::now());
                }
                if engine.wants_retry(Instant::now()) {
                    self.warm_up(context);
                }
            }
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<OcrMessage>) {
        (self.pick, self.lines, self.warm_up, self.timer) = (None, None, None, None);
        self.for_tools.clear();
        self.engine.close().await;
    }
}

/// Recognises around a point without an actor, for batch commands.
///
/// # Errors
/// There is no text at the point, or the capture or the recognition failed.
pub async fn pick_once(
    dependencies: &OcrDependencies,
    request: PickRequest,
    searched: &SearchedRegion,
) -> Result<OcrPick, PickFailure> {
    let engine = RecognitionEngine::new(
        dependencies.program.clone(),
        dependencies.models.clone(),
        dependencies.capabilities.clone(),
    );
    let found = recognise::pick(dependencies, &engine, request, searched).await;
    engine.close().await;
    found
}
