//! The stages of a wish, each with its budget beside it (MET-4).

use std::time::Duration;

use tokio::time::Instant;

use crate::metric_names::{STAGE_BUDGET, STAGE_DURATION};

/// A stage on the way from what the person does to what they hear. Its name is the label, so that labels are bounded (MET-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// From the question what is under the pointer to the tree's answer.
    Pick,
    /// From the order to take a picture to its pixels.
    Capture,
    /// From a picture to its lines of text.
    Recognition,
    /// From sound that is complete to its words; waiting and loading included.
    Hearing,
    /// From words to what a model says was meant; what rules understand takes less than the clock is worth.
    Understanding,
    /// From the order to a language model until there is something to say or to do: a plan, a summary, the first sentence of a translation.
    Planning,
    /// From a decided action to its end. The part that acts is not there yet, so nothing is recorded.
    Acting,
    /// From the order to speak to the first sample that the device plays.
    FirstSound,
    /// All of reading what is under the pointer: from the pick to the first sample that the device plays.
    PickToSound,
}

impl Stage {
    /// All stages, in the order of a wish.
    pub const ALL: [Self; 9] = [
        Self::Pick,
        Self::Capture,
        Self::Recognition,
        Self::Hearing,
        Self::Understanding,
        Self::Planning,
        Self::Acting,
        Self::FirstSound,
        Self::PickToSound,
    ];

    /// Value of the label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Capture => "capture",
            Self::Recognition => "recognition",
            Self::Hearing => "hearing",
            Self::Understanding => "understanding",
            Self::Planning => "planning",
            Self::Acting => "acting",
            Self::FirstSound => "first_sound",
            Self::PickToSound => "pick_to_sound",
        }
    }

    /// What 95 of 100 are to keep within. If a requirement gives the time it is that one; else it follows from what is named beside it.
    #[must_use]
    pub const fn budget(self) -> Duration {
        Duration::from_millis(match self {
            // What ATT-2 gives from the event to the announcement, less what VOX-3 gives to the first sound.
            Self::Pick => 40,
            // A third of the shorter reference time of TOOL-4, 100 ms: three times faster in what is not the model itself.
            Self::Capture => 33,
            // The shorter reference time of TOOL-4; nearly all of it is the model itself.
            Self::Recognition => 500,
            // No requirement gives one. Other assistants react 200 to 500 ms after a word; what is slower is felt as waiting.
            Self::Hearing => 500,
            // The default of `llm_budget.timeout_ms_soft`: after it a first result is due (REA-3).
            Self::Understanding => 600,
            // The shorter reference time of TOOL-4 for what a model makes in one go, a quick summary.
            Self::Planning => 1000,
            // A third of the shorter reference time of TOOL-4 for a click by coordinates, 100 ms.
            Self::Acting => 33,
            // VOX-3, for the embedded voice.
            Self::FirstSound => 60,
            // ATT-2.
            Self::PickToSound => 100,
        })
    }
}

/// Records how long a stage took.
pub fn record_stage(stage: Stage, took: Duration) {
    metrics::histogram!(STAGE_DURATION, "stage" => stage.name()).record(took.as_secs_f64());
}

/// Runs a stage and records how long it took. One that is dropped before its end, or fails, took no time that anybody could compare.
///
/// # Errors
/// Those of `work`.
pub async fn timed<T, E>(stage: Stage, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let begun = Instant::now();
    let done = work.await;
    if done.is_ok() {
        record_stage(stage, begun.elapsed());
    }
    done
}

/// Shows the budgets, which never change. To be called once, after the recorder was installed.
pub fn show_budgets() {
    for stage in Stage::ALL {
        metrics::gauge!(STAGE_BUDGET, "stage" => stage.name()).set(stage.budget().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric_names::STAGE_BUCKETS;

    // MET-4
    #[test]
    fn every_budget_is_a_bound_of_the_buckets_met_4() {
        for stage in Stage::ALL {
            let budget = stage.budget().as_secs_f64();
            assert!(STAGE_BUCKETS.contains(&budget), "{}: {budget}", stage.name());
        }
        assert!(STAGE_BUCKETS.is_sorted_by(|a, b| a < b));
    }

    // MET-2
    #[test]
    fn no_two_stages_share_a_name_met_2() {
        let mut names = Stage::ALL.map(Stage::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Stage::ALL.len());
    }
}
