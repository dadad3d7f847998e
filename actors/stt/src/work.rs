//! What waits for the engine, and who works through it.

use async_channel::Sender;
use bytes::Bytes;
use luna_actor_runtime::metric_names::{STT_DURATION, WORK, extent, work_end};
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_engine_host::holder::{Miss, Taken, Ticket};
use luna_engine_protocol::TranscribeJob;
use luna_messages::Reply;
use luna_messages::engine::{EngineKind, TranscribedSegment};
use luna_messages::stt::Transcribe;
use luna_messages::work::WorkFailure;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::{SttParts, transcribe};

/// A request that was accepted.
#[derive(Debug)]
pub struct SttWork {
    pub wish: Wish,
    reply: Reply<Result<Vec<TranscribedSegment>, WorkFailure>>,
}

/// What is to be written down.
#[derive(Debug)]
pub struct Wish {
    pub job: TranscribeJob,
    pub pieces: Sender<String>,
    /// The sound as the engine takes it. The last holder of the bytes wipes them (BUF-2).
    pub sound: Bytes,
    since: Instant,
}

impl SttWork {
    pub fn new(mut asked: Transcribe) -> Self {
        let samples = Zeroizing::new(std::mem::take(&mut asked.sound.samples));
        let bytes = Zeroizing::new(samples.iter().flat_map(|sample| sample.to_le_bytes()).collect::<Vec<u8>>());
        let Transcribe { lang, extent, hint, partials, pieces, reply, .. } = asked;
        let job = TranscribeJob { lang, extent, hint, partials };
        Self { wish: Wish { job, pieces, sound: Bytes::from_owner(bytes), since: Instant::now() }, reply }
    }

    /// Tells the asker why there is nothing.
    pub fn fail(self, why: WorkFailure) {
        count_end(work_end::of(&why));
        self.reply.answer(Err(why));
    }

    fn done(self, segments: Vec<TranscribedSegment>) {
        let took = self.wish.since.elapsed();
        metrics::histogram!(STT_DURATION, "extent" => extent::of(self.wish.job.extent)).record(took.as_secs_f64());
        record_stage(Stage::Hearing, took);
        count_end(work_end::DONE);
        self.reply.answer(Ok(segments));
    }
}

/// Counts how a piece of work ended (MET-1).
fn count_end(end: &'static str) {
    metrics::counter!(WORK, "engine" => EngineKind::Stt.name(), "end" => end).increment(1);
}

/// Works on one request after another, for as long as it is polled.
pub async fn serve(parts: SttParts) {
    loop {
        let taken = parts.queue.take().await;
        taken.ticket.cause().follow(Box::pin(perform(&parts, taken))).await;
    }
}

async fn perform(parts: &SttParts, Taken { work, ticket }: Taken<SttWork>) {
    match transcribe::transcribe(parts, &work.wish, &ticket).await {
        Ok(segments) => work.done(segments),
        Err(miss) => give_up(parts, work, miss, ticket).await,
    }
}

/// Puts interrupted work of which nothing was given back once; else tells its asker.
async fn give_up(parts: &SttParts, work: SttWork, miss: Miss, ticket: Ticket<SttWork>) {
    match miss {
        Miss::GaveWay { begun: false } if !ticket.is_again() => {
            count_end(work_end::PUT_BACK);
            ticket.put_back(work);
        }
        Miss::GaveWay { .. } => work.fail(WorkFailure::Interrupted),
        Miss::Failed(why) => work.fail(why),
        Miss::Cancelled(rest) => {
            work.fail(WorkFailure::Cancelled);
            match rest {
                Some(rest) => rest.await,
                None => transcribe::warm_up(parts, ticket).await,
            }
        }
    }
}
