//! Counts tokens (PAK-2).

use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::EngineAccess;
use luna_engine_host::process::EngineFailure;
use luna_engine_host::{WorkError, WorkTicket};
use luna_engine_protocol::{CountTokensJob, EngineChunk, EngineJob};
use luna_messages::llm::LlmTask;

use crate::work::LlmWork;

/// Time limit of counting, which normally takes milliseconds; a slower engine counts as hanging.
const DEADLINE: Duration = Duration::from_secs(20);

/// Lets the engine count the tokens of `texts`.
pub async fn count(
    engine: &EngineAccess<LlmWork>,
    task: LlmTask,
    texts: &[String],
    ticket: &WorkTicket<LlmWork>,
) -> Result<Vec<u32>, WorkError> {
    let lease = engine.acquire(task, ticket, std::future::pending()).await?;
    let job = EngineJob::CountTokens(CountTokensJob { texts: texts.to_vec() });
    let mut run = match lease.process.run(job, Bytes::new()) {
        Ok(run) => run,
        Err(failure) => return Err(lease.fail(failure, ticket.stop_reason(), false).await),
    };
    let mut counts = None;
    let counting = async {
        while let Some((chunk, _)) = run.next().await? {
            if let EngineChunk::TokenCounts { counts: received } = chunk {
                counts = Some(received);
            }
        }
        Ok(())
    };
    // Stop requests are ignored: counting is too short to be worth stopping.
    let end = tokio::time::timeout(DEADLINE, counting).await;
    let end = end.unwrap_or(Err(EngineFailure::TimedOut { what: "the numbers of tokens", after: DEADLINE }));
    if let Err(failure) = end {
        return Err(lease.fail(failure, ticket.stop_reason(), false).await);
    }
    match counts.filter(|counts| counts.len() == texts.len()) {
        Some(counts) => Ok(counts),
        None => {
            let what = "it did not count the tokens of each text".to_owned();
            Err(lease.fail(EngineFailure::Protocol { what }, None, false).await)
        }
    }
}
