//! The second program of a stay: loaded behind the first, so that a cancel which ends that one leaves the next one warm (STT-1).
//!
//! It begins once the first one has its model, so that nobody's first words wait for it, and gives way to every load that the token allows. One
//! that ends by itself is replaced after a pause that doubles; a model on which programs die for no work does not loop.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::loads::Loads;
use super::stay::{Fate, Standby, Stay};
use crate::engine::{EngineFailure, EngineHost, EngineProgram};

/// The pause after the first end without cause; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// So many ends in a row, and the stay goes on without.
const MOST_FAILURES: u32 = 6;
/// Who lived so long did not fail because of the model.
const LASTING: Duration = Duration::from_secs(60);

/// What came of the attempt to have a program stand by.
enum Raised {
    Ready(EngineHost),
    /// It gave way to a load that the token allowed.
    GaveWay,
    Failed(EngineFailure),
    /// The stay is over.
    Over,
}

/// Keeps a program standing by for as long as the stay lasts. Comes back when none is left.
pub(super) async fn keep(stay: &Stay, program: &EngineProgram, loads: &Loads) {
    if !stay.is_loaded().await {
        return;
    }
    let mut failures = 0;
    while failures < MOST_FAILURES {
        if stay.lasts(sleep(pause(failures))).await.is_none() {
            return;
        }
        failures = match raise(stay, program, loads).await {
            Raised::Ready(host) => {
                let since = Instant::now();
                match stay.fate(&host).await {
                    // As often as somebody works: those who work are the bound.
                    Fate::TookOver { after_use: true } => 0,
                    Fate::Ended | Fate::TookOver { after_use: false } if since.elapsed() >= LASTING => 1,
                    Fate::Ended | Fate::TookOver { after_use: false } => failures + 1,
                }
            }
            Raised::GaveWay => failures,
            // What it refuses now it will refuse again.
            Raised::Failed(failure @ EngineFailure::Refused(_)) => {
                tracing::warn!(%failure, "No second engine can stand by.");
                MOST_FAILURES
            }
            Raised::Failed(failure) => {
                tracing::warn!(%failure, "A second engine was to stand by and does not.");
                failures + 1
            }
            Raised::Over => return,
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

/// Starts a program and has it load; whatever it returns but [`Raised::Ready`], no program is left.
async fn raise(stay: &Stay, program: &EngineProgram, loads: &Loads) -> Raised {
    let Some(turn) = stay.lasts(loads.standby()).await else { return Raised::Over };
    // Given up in the middle, a program that has not greeted yet is ended.
    let host = match stay.lasts(EngineHost::start(program)).await {
        None => return Raised::Over,
        Some(Err(failure)) => return Raised::Failed(failure),
        Some(Ok(host)) => host,
    };
    let raised = if stay.place(Standby::Loading(host.clone())) {
        tokio::select! {
            biased;
            () = stay.over() => Raised::Over,
            () = turn.disturbed() => Raised::GaveWay,
            loaded = timeout(stay.loads_within, host.load(stay.spec.clone())) => match loaded {
                Ok(Ok(_)) if stay.place(Standby::Ready(host.clone())) => return Raised::Ready(host),
                Ok(Ok(_)) => Raised::Over,
                Ok(Err(failure)) => Raised::Failed(failure),
                Err(_) => Raised::Failed(EngineFailure::TimedOut { what: "the loaded model", after: stay.loads_within }),
            },
        }
    } else {
        Raised::Over
    };
    host.kill();
    host.ended().await;
    stay.clear();
    // Until here, so that nothing else is loaded before.
    drop(turn);
    raised
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
