//! What waits for the engine, and who works through it.

use std::fmt;

use async_channel::Sender;
use bytes::Bytes;
use luna_actor_runtime::metric_names::{WORK, work_end};
use luna_engine_host::holder::{Miss, Taken, Ticket};
use luna_messages::Reply;
use luna_messages::engine::{ChatMessage, EngineKind, GenerateJob, GenerationUsage, PictureSize, Prompt};
use luna_messages::llm::{CountTokens, Generate, GeneratedText, LlmTask};
use luna_messages::work::WorkFailure;
use tokio::time::Instant;
use zeroize::{Zeroize, Zeroizing};

use crate::{LlmParts, count, generate};

/// A request that was accepted.
#[derive(Debug)]
pub enum LlmWork {
    Generate(Generation),
    Count(Counting),
}

/// A request for text.
#[derive(Debug)]
pub struct Generation {
    pub wish: Wish,
    reply: Reply<Result<GenerationUsage, WorkFailure>>,
}

/// What is wanted, ready for the engine.
pub struct Wish {
    pub task: LlmTask,
    pub job: Box<GenerateJob>,
    pub tell_thinking: bool,
    pub pieces: Sender<GeneratedText>,
    /// The pixels of all pictures. The last holder of the bytes wipes them (BUF-2).
    pub pixels: Bytes,
    pub since: Instant,
}

impl fmt::Debug for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wish").field("task", &self.task).finish_non_exhaustive()
    }
}

impl Drop for Wish {
    fn drop(&mut self) {
        wipe(&mut self.job);
    }
}

impl LlmWork {
    pub fn generate(asked: Generate) -> Self {
        let Generate { task, mut job, pictures, tell_thinking, pieces, reply, .. } = asked;
        job.pictures =
            pictures.iter().map(|picture| PictureSize { width: picture.width, height: picture.height }).collect();
        let pixels =
            Zeroizing::new(pictures.iter().flat_map(|picture| picture.rgb.iter().copied()).collect::<Vec<u8>>());
        let pixels = Bytes::from_owner(pixels);
        Self::Generate(Generation {
            wish: Wish { task, job, tell_thinking, pieces, pixels, since: Instant::now() },
            reply,
        })
    }

    pub fn count(asked: CountTokens) -> Self {
        let CountTokens { task, texts, reply, .. } = asked;
        Self::Count(Counting { task, texts: Zeroizing::new(texts), reply })
    }

    /// Tells the asker why there is nothing.
    pub fn fail(self, why: WorkFailure) {
        count_end(work_end::of(&why));
        match self {
            Self::Generate(work) => work.reply.answer(Err(why)),
            Self::Count(work) => work.reply.answer(Err(why)),
        }
    }
}

/// A request for numbers of tokens.
pub struct Counting {
    pub task: LlmTask,
    pub texts: Zeroizing<Vec<String>>,
    reply: Reply<Result<Vec<u32>, WorkFailure>>,
}

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counting").field("task", &self.task).finish_non_exhaustive()
    }
}

/// What stood in a prompt does not stay in freed memory (BUF-2).
fn wipe(job: &mut GenerateJob) {
    match &mut job.prompt {
        Prompt::Chat { messages } => messages.iter_mut().for_each(|ChatMessage { text, .. }| text.zeroize()),
        Prompt::Text { text } => text.zeroize(),
    }
}

/// Counts how a piece of work ended (MET-1).
fn count_end(end: &'static str) {
    metrics::counter!(WORK, "engine" => EngineKind::Llm.name(), "end" => end).increment(1);
}

/// Works on one request after another, for as long as it is polled.
pub async fn serve(parts: LlmParts) {
    loop {
        let taken = parts.queue.take().await;
        taken.ticket.cause().follow(Box::pin(perform(&parts, taken))).await;
    }
}

async fn perform(parts: &LlmParts, Taken { work, ticket }: Taken<LlmWork>) {
    match work {
        LlmWork::Generate(work) => match generate::generate(parts, &work.wish, &ticket).await {
            Ok(usage) => {
                generate::record(&work.wish, &usage);
                count_end(work_end::DONE);
                work.reply.answer(Ok(usage));
            }
            Err(miss) => give_up(LlmWork::Generate(work), miss, ticket).await,
        },
        LlmWork::Count(work) => match count::count(parts, work.task, &work.texts, &ticket).await {
            Ok(counts) => {
                count_end(work_end::DONE);
                work.reply.answer(Ok(counts));
            }
            Err(miss) => give_up(LlmWork::Count(work), miss, ticket).await,
        },
    }
}

/// Puts interrupted work of which nothing was given back once; else tells its asker.
async fn give_up(work: LlmWork, miss: Miss, ticket: Ticket<LlmWork>) {
    match miss {
        Miss::GaveWay { begun: false } if !ticket.is_again() => {
            count_end(work_end::PUT_BACK);
            ticket.put_back(work);
        }
        Miss::GaveWay { .. } => work.fail(WorkFailure::Interrupted),
        Miss::Failed(why) => work.fail(why),
        Miss::Cancelled(rest) => {
            work.fail(WorkFailure::Cancelled);
            if let Some(rest) = rest {
                rest.await;
            }
        }
    }
}
