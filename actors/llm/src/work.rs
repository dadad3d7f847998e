//! Requests that wait for the engine.

use std::fmt;

use async_channel::Sender;
use bytes::Bytes;
use luna_messages::Reply;
use luna_messages::engine::{ChatMessage, GenerateJob, GenerationUsage, PictureSize, Prompt};
use luna_messages::llm::{CountTokens, Generate, GeneratedText, LlmTask};
use luna_messages::work::WorkFailure;
use tokio::time::Instant;
use zeroize::{Zeroize, Zeroizing};

/// An accepted request.
#[derive(Debug)]
pub enum LlmWork {
    Generate(QueuedGeneration),
    Count(QueuedTokenCount),
}

/// A queued request for text.
#[derive(Debug)]
pub struct QueuedGeneration {
    pub request: GenerationRequest,
    pub reply: Reply<Result<GenerationUsage, WorkFailure>>,
}

/// A generation, ready for the engine.
pub struct GenerationRequest {
    pub task: LlmTask,
    pub job: Box<GenerateJob>,
    pub include_thinking: bool,
    pub pieces: Sender<GeneratedText>,
    /// The pixels of all pictures. The last owner of the bytes wipes them (BUF-2).
    pub pixels: Bytes,
    pub since: Instant,
}

impl fmt::Debug for GenerationRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenerationRequest").field("task", &self.task).finish_non_exhaustive()
    }
}

impl Drop for GenerationRequest {
    fn drop(&mut self) {
        wipe(&mut self.job);
    }
}

impl LlmWork {
    pub fn generate(request: Generate) -> Self {
        let Generate { task, mut job, pictures, include_thinking, pieces, reply, .. } = request;
        job.pictures =
            pictures.iter().map(|picture| PictureSize { width: picture.width, height: picture.height }).collect();
        let pixels =
            Zeroizing::new(pictures.iter().flat_map(|picture| picture.rgb.iter().copied()).collect::<Vec<u8>>());
        let pixels = Bytes::from_owner(pixels);
        Self::Generate(QueuedGeneration {
            request: GenerationRequest { task, job, include_thinking, pieces, pixels, since: Instant::now() },
            reply,
        })
    }

    pub fn count(request: CountTokens) -> Self {
        let CountTokens { task, texts, reply, .. } = request;
        Self::Count(QueuedTokenCount { task, texts: Zeroizing::new(texts), reply })
    }
}

/// A request to count tokens.
pub struct QueuedTokenCount {
    pub task: LlmTask,
    pub texts: Zeroizing<Vec<String>>,
    pub reply: Reply<Result<Vec<u32>, WorkFailure>>,
}

impl fmt::Debug for QueuedTokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueuedTokenCount").field("task", &self.task).finish_non_exhaustive()
    }
}

/// Wipes the prompt, so that its text does not stay in freed memory (BUF-2).
fn wipe(job: &mut GenerateJob) {
    match &mut job.prompt {
        Prompt::Chat { messages } => messages.iter_mut().for_each(|ChatMessage { text, .. }| text.zeroize()),
        Prompt::Text { text } => text.zeroize(),
    }
}
