//! The second program of a residency: loaded behind the first, so that a cancel which ends that one leaves the next one warm (STT-1).
//!
//! It begins once the first one has its model, so that nobody's first words wait for it, and gives way to every load that the token allows. One
//! that ends by itself is replaced after a pause that doubles; a model on which programs die for no work does not loop.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::{Residency, Standby, StandbyOutcome};
use crate::load_gate::LoadGate;
use crate::process::{EngineFailure, EngineProcess, EngineProgram};

/// The pause after the first end without cause; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// So many ends in a row, and the residency goes on without.
const MOST_FAILURES: u32 = 6;
/// A program that lived so long did not fail because of the model.
const LASTING: Duration = Duration::from_secs(60);

/// What came of the attempt to have a program stand by.
enum StandbyStart {
    Ready(EngineProcess),
    /// It gave way to a load that the token allowed.
    GaveWay,
    Failed(EngineFailure),
    /// The residency is over.
    Over,
}

/// Keeps a program standing by for as long as the residency lasts. Comes back when none is left.
pub(super) async fn keep(residency: &Residency, program: &EngineProgram, gate: &LoadGate) {
    if !residency.is_loaded().await {
        return;
    }
    let mut failures = 0;
    while failures < MOST_FAILURES {
        if residency.lasts(sleep(pause(failures))).await.is_none() {
            return;
        }
        failures = match start(residency, program, gate).await {
            StandbyStart::Ready(process) => {
                let since = Instant::now();
                match residency.standby_outcome(&process).await {
                    // As often as somebody works: those who work are the bound.
                    StandbyOutcome::TookOver { after_use: true } => 0,
                    StandbyOutcome::Ended | StandbyOutcome::TookOver { after_use: false }
                        if since.elapsed() >= LASTING =>
                    {
                        1
                    }
                    StandbyOutcome::Ended | StandbyOutcome::TookOver { after_use: false } => failures + 1,
                }
            }
            StandbyStart::GaveWay => failures,
            // What it refuses now it will refuse again.
            StandbyStart::Failed(failure @ EngineFailure::Refused(_)) => {
                tracing::warn!(%failure, "No second engine can stand by.");
                MOST_FAILURES
            }
            StandbyStart::Failed(failure) => {
                tracing::warn!(%failure, "A second engine was to stand by and does not.");
                failures + 1
            }
            StandbyStart::Over => return,
        };
    }
}

/// How long is waited after so many failures in a row.
const fn pause(failures: u32) -> Duration {
    match failures {
        0 => Duration::ZERO,
        more => FIRST_PAUSE.saturating_mul(1 << (more - 1)),
    }
}

/// Starts a program and has it load; whatever it returns but [`StandbyStart::Ready`], no program is left.
async fn start(residency: &Residency, program: &EngineProgram, gate: &LoadGate) -> StandbyStart {
    let Some(permit) = residency.lasts(gate.standby()).await else { return StandbyStart::Over };
    // Given up in the middle, a program that has not greeted yet is ended.
    let process = match residency.lasts(EngineProcess::start(program)).await {
        None => return StandbyStart::Over,
        Some(Err(failure)) => return StandbyStart::Failed(failure),
        Some(Ok(process)) => process,
    };
    let outcome = if residency.place(Standby::Loading(process.clone())) {
        tokio::select! {
            biased;
            () = residency.over() => StandbyStart::Over,
            () = permit.disturbed() => StandbyStart::GaveWay,
            loaded = timeout(residency.load_timeout, process.load(residency.spec.clone())) => match loaded {
                Ok(Ok(_)) if residency.place(Standby::Ready(process.clone())) => return StandbyStart::Ready(process),
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
    residency.clear();
    // Until here, so that nothing else is loaded before.
    drop(permit);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-2
    #[test]
    fn the_pauses_double_and_end_eng_2() {
        let pauses: Vec<u64> = (0..MOST_FAILURES).map(|failures| pause(failures).as_secs()).collect();
        assert_eq!(pauses, [0, 1, 2, 4, 8, 16]);
    }
}
