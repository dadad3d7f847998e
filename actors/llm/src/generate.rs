//! One generation: from the engine to its asker, piece by piece.

use std::time::Duration;

use luna_actor_runtime::metric_names::{LLM_DURATION, LLM_FIRST_TOKEN, LLM_TOKENS, token_part};
use luna_engine_host::EngineAccess;
use luna_engine_host::process::EngineFailure;
use luna_engine_host::{StopReason, WorkError, WorkTicket};
use luna_engine_protocol::{EngineChunk, EngineJob};
use luna_messages::engine::{GenerationUsage, TextPart};
use luna_messages::llm::GeneratedText;

use crate::work::{GenerationRequest, LlmWork};

/// An engine that gives nothing for so long hangs. Reading a long prompt on a slow machine takes a while.
const SILENCE: Duration = Duration::from_secs(120);
/// An asker who takes nothing for so long has gone: it must not keep others from the memory.
const SLOW_ASKER: Duration = Duration::from_secs(30);

/// Has text generated and hands it over.
pub async fn generate(
    engine: &EngineAccess<LlmWork>,
    wish: &GenerationRequest,
    ticket: &WorkTicket<LlmWork>,
) -> Result<GenerationUsage, WorkError> {
    let lease = engine.acquire(wish.task, ticket, wish.pieces.closed()).await?;
    let job = EngineJob::Generate((*wish.job).clone());
    let mut run = match lease.process.run(job, wish.pixels.clone()) {
        Ok(run) => run,
        Err(failure) => return Err(lease.fail(failure, ticket.stop_reason(), false).await),
    };
    let mut stop = None;
    let mut begun = false;
    let mut usage = None;
    loop {
        let next = tokio::select! {
            biased;
            why = ticket.stop_requested(), if stop.is_none() => {
                stop = Some(why);
                run.cancel();
                continue;
            }
            () = wish.pieces.closed(), if stop.is_none() => {
                stop = Some(StopReason::Cancel);
                run.cancel();
                continue;
            }
            next = tokio::time::timeout(SILENCE, run.next()) => next,
        };
        let next = next.unwrap_or(Err(EngineFailure::TimedOut { what: "a piece of the answer", after: SILENCE }));
        match next {
            // A stop may find the work done but for its last words, so they are still given.
            Ok(Some((EngineChunk::Text { part, text }, _))) if stop != Some(StopReason::Cancel) => {
                if part == TextPart::Thinking && !wish.include_thinking {
                    continue;
                }
                begun = true;
                let sent = tokio::time::timeout(SLOW_ASKER, wish.pieces.send(GeneratedText { part, text })).await;
                if !matches!(sent, Ok(Ok(()))) {
                    stop = Some(StopReason::Cancel);
                    run.cancel();
                }
            }
            Ok(Some((EngineChunk::Usage(told), _))) => usage = Some(told),
            Ok(Some(_)) => {}
            Ok(None) => {
                return match (stop, usage) {
                    (None | Some(StopReason::Preempt), Some(usage)) => Ok(usage),
                    (Some(StopReason::Cancel), _) => Err(WorkError::Cancelled(None)),
                    (None | Some(StopReason::Preempt), None) => {
                        let what = "it did not say what a generation took".to_owned();
                        Err(lease.fail(EngineFailure::Protocol { what }, None, begun).await)
                    }
                };
            }
            Err(failure) => {
                // A cancel that came after a stop is the stronger.
                let stop = if ticket.stop_reason() == Some(StopReason::Cancel) { ticket.stop_reason() } else { stop };
                return Err(lease.fail(failure, stop, begun).await);
            }
        }
    }
}

/// Counts tokens and times (MET-1, REA-4).
pub fn record(wish: &GenerationRequest, usage: &GenerationUsage) {
    let count = |part: &'static str, tokens: u32| {
        metrics::counter!(LLM_TOKENS, "task" => wish.task.name(), "part" => part).increment(u64::from(tokens));
    };
    count(token_part::PROMPT, usage.prompt_tokens);
    count(token_part::REUSED, usage.reused_tokens);
    count(token_part::THINKING, usage.thinking_tokens);
    count(token_part::ANSWER, usage.answer_tokens);
    let first = Duration::from_micros(usage.first_token_us);
    metrics::histogram!(LLM_FIRST_TOKEN, "task" => wish.task.name()).record(first.as_secs_f64());
    metrics::histogram!(LLM_DURATION, "task" => wish.task.name()).record(wish.since.elapsed().as_secs_f64());
}
