//! An orderly shutdown in phases with a budget (KER-10). The plan is pure; the executor keeps to it.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

/// The phases of a shutdown, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownPhase {
    /// Accept no new work.
    StopTaking,
    /// Silence speech.
    Silence,
    /// Write persistent data.
    Persist,
    /// End actors and their engines.
    EndActors,
}

impl ShutdownPhase {
    pub const ALL: [Self; 4] = [Self::StopTaking, Self::Silence, Self::Persist, Self::EndActors];

    /// Share of the budget in percent; together 100.
    #[must_use]
    pub const fn share(self) -> u32 {
        match self {
            Self::StopTaking => 5,
            Self::Silence => 15,
            Self::Persist => 30,
            Self::EndActors => 50,
        }
    }
}

/// When a phase must be over, counted from the start of the shutdown. Time that an earlier phase leaves goes to the later ones.
#[must_use]
pub fn deadline(budget: Duration, phase: ShutdownPhase) -> Duration {
    let hundredths: u32 =
        ShutdownPhase::ALL.into_iter().take_while(|other| *other as u8 <= phase as u8).map(ShutdownPhase::share).sum();
    budget * hundredths / 100
}

/// Performs the phases one after another and cuts off each that overruns. Returns the phases that were cut off.
pub async fn run<F: Future<Output = ()>>(
    budget: Duration,
    mut perform: impl FnMut(ShutdownPhase, Duration) -> F,
) -> Vec<ShutdownPhase> {
    let start = Instant::now();
    let mut overrun = Vec::new();
    for phase in ShutdownPhase::ALL {
        let until = start + deadline(budget, phase);
        let left = until.saturating_duration_since(Instant::now());
        if tokio::time::timeout_at(until, perform(phase, left)).await.is_err() {
            tracing::warn!(?phase, "A phase of the shutdown took too long and was cut off.");
            overrun.push(phase);
        }
    }
    overrun
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-10
    #[test]
    fn deadlines_rise_to_the_budget_ker_10() {
        let deadlines = ShutdownPhase::ALL.map(|phase| deadline(Duration::from_secs(10), phase).as_millis());
        assert_eq!(deadlines, [500, 2000, 5000, 10_000]);
    }

    // KER-10
    #[tokio::test]
    async fn a_phase_that_hangs_is_cut_off_and_the_others_happen_ker_10() {
        let mut seen = Vec::new();
        let start = Instant::now();
        let overrun = run(Duration::from_millis(200), |phase, _| {
            seen.push(phase);
            async move {
                if phase == ShutdownPhase::Silence {
                    std::future::pending::<()>().await;
                }
            }
        })
        .await;
        assert_eq!(overrun, [ShutdownPhase::Silence]);
        assert_eq!(seen, ShutdownPhase::ALL);
        assert!(start.elapsed() < Duration::from_millis(200));
    }
}
