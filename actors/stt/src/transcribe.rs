//! One stretch of sound: from its asker to the engine, and what was said back.

use std::time::Duration;

use luna_engine_host::engine::EngineFailure;
use luna_engine_host::holder::worker::EngineAccess;
use luna_engine_host::holder::{Halt, Miss, Ticket};
use luna_engine_protocol::{EngineChunk, EngineJob};
use luna_messages::engine::TranscribedSegment;
use tokio::time::Instant;

use crate::work::{SttWork, Wish};

/// How long the engine may go on after a cancel. Its library looks up only after each pass of the encoder, which takes seconds with a real
/// model; a program that does not stop is ended, and a cancel so takes less than 100 ms whatever it does. One that stands by takes its place.
const STOPS_WITHIN: Duration = Duration::from_millis(50);
/// How long a second of sound may take at most, with a quarter of a minute besides; an engine that takes longer hangs.
const PER_SECOND: Duration = Duration::from_secs(20);
const BESIDES: Duration = Duration::from_secs(15);

/// Has sound written down.
pub async fn transcribe(
    engine: &EngineAccess<SttWork>,
    wish: &Wish,
    ticket: &Ticket<SttWork>,
) -> Result<Vec<TranscribedSegment>, Miss> {
    let held = engine.acquire((), ticket, wish.parts.nobody_reads()).await?;
    let mut run = match held.host.run(EngineJob::Transcribe(wish.job.clone()), wish.sound.clone()) {
        Ok(run) => run,
        Err(failure) => return Err(held.miss(failure, ticket.halt(), false).await),
    };
    let seconds = u32::try_from(wish.sound.len() / 32_000 + 1).unwrap_or(u32::MAX);
    let mut until = Instant::now() + BESIDES + PER_SECOND.saturating_mul(seconds);
    let mut halt = None;
    let mut segments = Vec::new();
    loop {
        let stopped = tokio::select! {
            biased;
            why = ticket.halted(), if halt.is_none() => why,
            () = wish.parts.nobody_reads(), if halt.is_none() => Halt::Cancel,
            next = tokio::time::timeout_at(until, run.next()) => {
                match next.unwrap_or(Err(EngineFailure::TimedOut { what: "what was said", after: BESIDES })) {
                    // Only results that replace one another were given, so an interrupted one can be done anew without harm.
                    Ok(Some((EngineChunk::PartialTranscript { text }, _))) if halt.is_none() => {
                        // That the asker has gone is noticed in the next round.
                        let _ = wish.parts.replace(text);
                    }
                    Ok(Some((EngineChunk::Transcript(segment), _))) => segments.push(segment),
                    Ok(Some(_)) => {}
                    Ok(None) if halt == Some(Halt::Cancel) => return Err(Miss::Cancelled(None)),
                    Ok(None) => return Ok(segments),
                    Err(failure) => {
                        let halt = if ticket.halt() == Some(Halt::Cancel) { ticket.halt() } else { halt };
                        return Err(held.miss(failure, halt, false).await);
                    }
                }
                continue;
            }
        };
        halt = Some(stopped);
        run.cancel();
        until = Instant::now() + STOPS_WITHIN;
    }
}

/// Has the engine ready for the next words, where a cancel ended it and no other stood by: the person who broke off is about to say something
/// else. Without work that waits; that would do the same.
pub async fn warm_up(engine: &EngineAccess<SttWork>, ticket: Ticket<SttWork>) {
    if engine.engine().is_warm() || engine.queue().waiting() > 0 {
        return;
    }
    drop(ticket);
    let ticket = engine.queue().idle_ticket();
    // What fails is said when it is needed.
    drop(engine.acquire((), &ticket, std::future::pending()).await);
}
