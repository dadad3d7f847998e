//! Runs one generation and sends its pieces from the engine to the caller.

use std::time::Duration;

use luna_actor_runtime::metric_names::{LLM_DURATION, LLM_FIRST_TOKEN, LLM_TOKENS, token_part};
use luna_engine_host::EngineAccess;
use luna_engine_host::process::EngineFailure;
use luna_engine_host::{StopReason, WorkError, WorkTicket};
use luna_engine_protocol::{EngineChunk, EngineJob};
use luna_messages::engine::{GenerationUsage, TextPart};
use luna_messages::llm::GeneratedText;

use crate::work::{GenerationRequest, LlmWork};

/// An engine that sends nothing for so long counts as hanging. Reading a long prompt on a slow machine takes a while.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(120);
/// A caller that reads nothing for so long counts as gone, so that it does not keep the engine from other requests.
const CALLER_TIMEOUT: Duration = Duration::from_secs(30);

/// Generates text and sends it to the caller.
pub async fn generate(
    engine: &EngineAccess<LlmWork>,
    request: &GenerationRequest,
    ticket: &WorkTicket<LlmWork>,
) -> Result<GenerationUsage, WorkError> {
    let lease = engine.acquire(request.task, ticket, request.pieces.closed()).await?;
    let job = EngineJob::Generate((*request.job).clone());
    let mut run = match lease.process.run(job, request.pixels.clone()) {
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
            () = request.pieces.closed(), if stop.is_none() => {
                stop = Some(StopReason::Cancel);
                run.cancel();
                continue;
            }
            next = tokio::time::timeout(ENGINE_TIMEOUT, run.next()) => next,
        };
        let next =
            next.unwrap_or(Err(EngineFailure::TimedOut { what: "a piece of the answer", after: ENGINE_TIMEOUT }));
        match next {
            // The work may be almost done when it is preempted, so its last pieces are still sent.
            Ok(Some((EngineChunk::Text { part, text }, _))) if stop != Some(StopReason::Cancel) => {
                if part == TextPart::Thinking && !request.include_thinking {
                    continue;
                }
                begun = true;
                let sent =
                    tokio::time::timeout(CALLER_TIMEOUT, request.pieces.send(GeneratedText { part, text })).await;
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
                // A cancel overrides an earlier preemption.
                let stop = if ticket.stop_reason() == Some(StopReason::Cancel) { ticket.stop_reason() } else { stop };
                return Err(lease.fail(failure, stop, begun).await);
            }
        }
    }
}

/// Records tokens and durations (MET-1, REA-4).
pub fn record(request: &GenerationRequest, usage: &GenerationUsage) {
    let count = |part: &'static str, tokens: u32| {
        metrics::counter!(LLM_TOKENS, "task" => request.task.name(), "part" => part).increment(u64::from(tokens));
    };
    count(token_part::PROMPT, usage.prompt_tokens);
    count(token_part::REUSED, usage.reused_tokens);
    count(token_part::THINKING, usage.thinking_tokens);
    count(token_part::ANSWER, usage.answer_tokens);
    let first = Duration::from_micros(usage.first_token_us);
    metrics::histogram!(LLM_FIRST_TOKEN, "task" => request.task.name()).record(first.as_secs_f64());
    metrics::histogram!(LLM_DURATION, "task" => request.task.name()).record(request.since.elapsed().as_secs_f64());
}
