//! Transcribes one recording: sends it to the engine and returns the results to the caller.

use std::time::Duration;

use luna_engine_host::EngineAccess;
use luna_engine_host::process::EngineFailure;
use luna_engine_host::{StopReason, WorkError, WorkTicket};
use luna_engine_protocol::{EngineChunk, EngineJob};
use luna_messages::engine::TranscribedSegment;
use tokio::time::Instant;

use crate::work::{SttWork, TranscriptionRequest};

/// Grace period after a cancel. The library checks for it only after each pass of the encoder, which takes seconds with a real model; a program that
/// does not stop in time is ended, so a cancel always takes less than 100 ms. A standby, if there is one, takes its place.
const CANCEL_GRACE: Duration = Duration::from_millis(50);
/// Time limit per second of sound, added to [`DEADLINE_BASE`]; a slower engine counts as hanging.
const DEADLINE_PER_SECOND: Duration = Duration::from_secs(20);
const DEADLINE_BASE: Duration = Duration::from_secs(15);

/// Transcribes the sound of `request`.
pub async fn transcribe(
    engine: &EngineAccess<SttWork>,
    request: &TranscriptionRequest,
    ticket: &WorkTicket<SttWork>,
) -> Result<Vec<TranscribedSegment>, WorkError> {
    let lease = engine.acquire((), ticket, request.pieces.closed()).await?;
    let mut run = match lease.process.run(EngineJob::Transcribe(request.job.clone()), request.sound.clone()) {
        Ok(run) => run,
        Err(failure) => return Err(lease.fail(failure, ticket.stop_reason(), false).await),
    };
    let seconds = u32::try_from(request.sound.len() / 32_000 + 1).unwrap_or(u32::MAX);
    let mut until = Instant::now() + DEADLINE_BASE + DEADLINE_PER_SECOND.saturating_mul(seconds);
    let mut stop = None;
    let mut segments = Vec::new();
    loop {
        let stopped = tokio::select! {
            biased;
            why = ticket.stop_requested(), if stop.is_none() => why,
            () = request.pieces.closed(), if stop.is_none() => StopReason::Cancel,
            next = tokio::time::timeout_at(until, run.next()) => {
                match next.unwrap_or(Err(EngineFailure::TimedOut { what: "what was said", after: DEADLINE_BASE })) {
                    // Each partial result replaces the one before, so interrupted work can be repeated without harm.
                    Ok(Some((EngineChunk::PartialTranscript { text }, _))) if stop.is_none() => {
                        // The next iteration notices that the caller has gone.
                        let _ = request.pieces.force_send(text);
                    }
                    Ok(Some((EngineChunk::Transcript(segment), _))) => segments.push(segment),
                    Ok(Some(_)) => {}
                    Ok(None) if stop == Some(StopReason::Cancel) => return Err(WorkError::Cancelled(None)),
                    Ok(None) => return Ok(segments),
                    Err(failure) => {
                        let stop = if ticket.stop_reason() == Some(StopReason::Cancel) { ticket.stop_reason() } else { stop };
                        return Err(lease.fail(failure, stop, false).await);
                    }
                }
                continue;
            }
        };
        stop = Some(stopped);
        run.cancel();
        until = Instant::now() + CANCEL_GRACE;
    }
}

/// Reloads the engine for the next words if a cancel ended it and no standby took over: a person who interrupts is about to say something else.
/// Unnecessary if other work waits, because that loads the engine too.
pub async fn warm_up(engine: &EngineAccess<SttWork>, ticket: WorkTicket<SttWork>) {
    if engine.engine().is_warm() || engine.queue().waiting() > 0 {
        return;
    }
    drop(ticket);
    let ticket = engine.queue().idle_ticket();
    // A failure here is ignored; it is reported when the engine is needed.
    drop(engine.acquire((), &ticket, std::future::pending()).await);
}
