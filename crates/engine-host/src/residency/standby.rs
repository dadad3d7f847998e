//! The standby of a residency: loaded after the first program, so that the next request finds a loaded model even if a cancel ended the first
//! program (STT-1).
//!
//! It starts once the first program has its model, so that no first request waits for it, and is preempted by every load that the token grants. A
//! standby that crashes is replaced after a pause that doubles, and not for ever: a model that crashes idle programs must not cause an endless loop.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::{Residency, Standby, StandbyOutcome};
use crate::load_gate::LoadGate;
use crate::process::{EngineFailure, EngineProcess, EngineProgram};

/// Pause after the first crash; doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// After this many failures in a row, the residency goes on without a standby.
const MAX_FAILURES: u32 = 6;
/// A program that lived this long did not fail because of the model.
const STABLE_AFTER: Duration = Duration::from_secs(60);

/// The outcome of starting a standby.
enum StandbyStart {
    Ready(EngineProcess),
    /// Preempted by a load that the token granted.
    Preempted,
    Failed(EngineFailure),
    /// The residency is ending.
    Over,
}

/// Keeps a standby until the residency ends or [`MAX_FAILURES`] standbys in a row failed. Returns when no standby is left.
pub(super) async fn keep(residency: &Residency, program: &EngineProgram, gate: &LoadGate) {
    if !residency.is_loaded().await {
        return;
    }
    let mut failures = 0;
    while failures < MAX_FAILURES {
        if residency.run_unless_over(sleep(pause(failures))).await.is_none() {
            return;
        }
        failures = match start(residency, program, gate).await {
            StandbyStart::Ready(process) => {
                let since = Instant::now();
                match residency.standby_outcome(&process).await {
                    // Not counted as a failure: requests bound how often this happens.
                    StandbyOutcome::TookOver { after_use: true } => 0,
                    StandbyOutcome::Ended | StandbyOutcome::TookOver { after_use: false }
                        if since.elapsed() >= STABLE_AFTER =>
                    {
                        1
                    }
                    StandbyOutcome::Ended | StandbyOutcome::TookOver { after_use: false } => failures + 1,
                }
            }
            StandbyStart::Preempted => failures,
            // A refusal is permanent.
            StandbyStart::Failed(failure @ EngineFailure::Refused(_)) => {
                tracing::warn!(%failure, "No standby engine can be started.");
                MAX_FAILURES
            }
            StandbyStart::Failed(failure) => {
                tracing::warn!(%failure, "The standby engine could not be started.");
                failures + 1
            }
            StandbyStart::Over => return,
        };
    }
}

/// Pause after `failures` failures in a row.
const fn pause(failures: u32) -> Duration {
    match failures {
        0 => Duration::ZERO,
        more => FIRST_PAUSE.saturating_mul(1 << (more - 1)),
    }
}

/// Starts a program and loads its model; unless it returns [`StandbyStart::Ready`], no program is left.
async fn start(residency: &Residency, program: &EngineProgram, gate: &LoadGate) -> StandbyStart {
    let Some(permit) = residency.run_unless_over(gate.acquire_standby()).await else { return StandbyStart::Over };
    // If the residency ends first, dropping the start ends a program that has not greeted yet.
    let process = match residency.run_unless_over(EngineProcess::start(program)).await {
        None => return StandbyStart::Over,
        Some(Err(failure)) => return StandbyStart::Failed(failure),
        Some(Ok(process)) => process,
    };
    let outcome = if residency.set_standby(Standby::Loading(process.clone())) {
        tokio::select! {
            biased;
            () = residency.until_ending() => StandbyStart::Over,
            () = permit.preempted() => StandbyStart::Preempted,
            loaded = timeout(residency.load_timeout, process.load(residency.spec.clone())) => match loaded {
                Ok(Ok(_)) if residency.set_standby(Standby::Ready(process.clone())) => return StandbyStart::Ready(process),
                Ok(Ok(_)) => StandbyStart::Over,
                Ok(Err(failure)) => StandbyStart::Failed(failure),
                Err(_) => StandbyStart::Failed(EngineFailure::TimedOut { what: "the loaded model", after: residency.load_timeout }),
            },
        }
    } else {
        StandbyStart::Over
    };
    process.kill();
    process.ended().await;
    residency.clear_standby();
    // Kept until here, so that nothing else loads before the program is gone.
    drop(permit);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-2
    #[test]
    fn the_pauses_double_and_end_eng_2() {
        let pauses: Vec<u64> = (0..MAX_FAILURES).map(|failures| pause(failures).as_secs()).collect();
        assert_eq!(pauses, [0, 1, 2, 4, 8, 16]);
    }
}
