//! Generates text with a language model.

use async_channel::bounded;
use luna_messages::RequestId;
use luna_messages::engine::{EngineKind, GenerateJob, GenerationUsage};
use luna_messages::llm::{Generate, GeneratedText, LlmMessage, LlmTask};

use super::models::{EngineProgress, ModelActors, TellLost, answer};
use crate::system::System;
use luna_config::Config;

/// Capacity of the channel from the engine to the printer, in text pieces.
const CHANNEL_CAPACITY: usize = 256;

/// What [`generate`] reports while it runs.
#[derive(Debug)]
pub enum GenerationProgress {
    /// State of the engine.
    Step(EngineProgress),
    /// A piece of text. If the callback returns false, the reader is gone and the model is stopped.
    Text(GeneratedText),
}

/// Generates text with the model for understanding commands and reports it piece by piece. Returns `None` if the reader is gone.
///
/// # Errors
/// If the model or its engine is unavailable or fails; the error says what to do.
pub async fn generate(
    config: &Config,
    system: &System,
    job: GenerateJob,
    include_thinking: bool,
    tell_lost: TellLost,
    tell: impl Fn(GenerationProgress) -> bool,
) -> anyhow::Result<Option<GenerationUsage>> {
    let models = ModelActors::start_shared(config, system, tell_lost);
    let (pieces, reader) = bounded(CHANNEL_CAPACITY);
    let (reply, answered) = answer();
    let request = Generate {
        id: RequestId::next(),
        task: LlmTask::Intent,
        job: Box::new(job),
        pictures: Vec::new(),
        include_thinking,
        pieces,
        reply,
    };
    let posted = models.wiring.llm.post(LlmMessage::Generate(request));
    anyhow::ensure!(posted.is_ok(), "the language model takes no request");
    let work = async {
        while let Ok(text) = reader.recv().await {
            if !tell(GenerationProgress::Text(text)) {
                drop(reader);
                return Ok(None);
            }
        }
        answered.await.map(Some)
    };
    let step = |step| {
        tell(GenerationProgress::Step(step));
    };
    let usage = models.watch(EngineKind::Llm, step, work).await;
    models.end().await;
    usage
}
