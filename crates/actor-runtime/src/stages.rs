//! The stages of a request, each with its time budget (MET-4).

use std::time::Duration;

use tokio::time::Instant;

use crate::metric_names::{STAGE_BUDGET, STAGE_DURATION};

/// A stage between an action of the person and what they hear. Its name is the label, so that labels are bounded (MET-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// From the query for the element under the pointer to the tree's answer.
    Pick,
    /// From the request for a picture to its pixels.
    Capture,
    /// From a picture to its lines of text.
    Recognition,
    /// From complete sound to its words; waiting and loading included.
    Hearing,
    /// From words to a model's interpretation; interpretation by rules is too fast to be worth measuring.
    Understanding,
    /// From the request to a language model to the first speakable or executable result: a plan, a summary, the first sentence of a translation.
    Planning,
    /// From a decided action to its end. Luna does not act yet, so nothing is recorded.
    Acting,
    /// From the request to speak to the first sample that the device plays.
    FirstSound,
    /// Reading what is under the pointer as a whole: from the pick to the first sample that the device plays.
    PickToSound,
    /// From the event of a move of the keyboard focus to the element, its words decided.
    Focus,
    /// From the same event to the first sample that the device plays.
    FocusToSound,
}

impl Stage {
    /// All stages, in the order of a request.
    pub const ALL: [Self; 11] = [
        Self::Pick,
        Self::Capture,
        Self::Recognition,
        Self::Hearing,
        Self::Understanding,
        Self::Planning,
        Self::Acting,
        Self::FirstSound,
        Self::PickToSound,
        Self::Focus,
        Self::FocusToSound,
    ];

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
            Self::Focus => "focus",
            Self::FocusToSound => "focus_to_sound",
        }
    }

    /// The time that 95 of 100 observations must stay within. A requirement gives it, or it follows from the reason beside it.
    #[must_use]
    pub const fn budget(self) -> Duration {
        Duration::from_millis(match self {
            // The limit of ATT-2 from the event to the announcement, less that of VOX-3 for the first sound.
            Self::Pick => 40,
            // A third of the shorter reference time of TOOL-4, 100 ms: three times as fast in all but the model itself.
            Self::Capture => 33,
            // The shorter reference time of TOOL-4; nearly all of it is the model itself.
            Self::Recognition => 500,
            // No requirement gives one. Other assistants react 200 to 500 ms after a word; slower reactions are felt as waiting.
            Self::Hearing => 500,
            // The default of `llm_budget.timeout_ms_soft`, after which a first result is due (REA-3).
            Self::Understanding => 600,
            // The shorter reference time of TOOL-4 for one output of a model, a quick summary.
            Self::Planning => 1000,
            // A third of the shorter reference time of TOOL-4 for a click by coordinates, 100 ms.
            Self::Acting => 33,
            // VOX-3, for the embedded voice.
            Self::FirstSound => 60,
            // ATT-2.
            Self::PickToSound | Self::FocusToSound => 100,
            // As for a pick: the limit of ATT-2 less that of VOX-3.
            Self::Focus => 40,
        })
    }
}

/// Records how long a stage took.
pub fn record_stage(stage: Stage, took: Duration) {
    metrics::histogram!(STAGE_DURATION, "stage" => stage.name()).record(took.as_secs_f64());
}

/// Runs a stage and records how long it took. A stage that fails or is dropped before its end has no comparable duration and is not recorded.
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

/// Publishes the budgets, which never change. Call it once, after the recorder was installed.
pub fn publish_budgets() {
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
