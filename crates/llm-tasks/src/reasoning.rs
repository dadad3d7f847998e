//! Thinking, then an answer, each within its budget; one retry; then a question to the person, never an error (REA-1 to REA-4).
//!
//! [`Reasoning::step`] takes an event and returns effects. It knows neither prompts nor answers: the caller decides whether an answer is valid.

mod budget;
mod clarify;

use std::time::Duration;

pub use budget::{Budgets, StageBudget};
pub use clarify::clarify;

/// Outcome of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenerationEnd {
    /// Whether thinking reached its budget and was closed with `</think>`.
    pub thinking_cut: bool,
    /// Whether the answer reached its budget.
    pub answer_cut: bool,
    /// Tokens used.
    pub used: StageBudget,
}

/// Input of [`Reasoning::step`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReasoningEvent<T> {
    /// A generation ended, with its answer if it is valid.
    Ended(GenerationEnd, Option<T>),
    /// The generation failed: no model, no memory, or the engine ended.
    Failed,
    /// `timeout_ms_soft` has elapsed since the beginning.
    SoftTimeout,
}

/// Output of [`Reasoning::step`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReasoningEffect<T> {
    /// Generate within this budget.
    Generate {
        budget: StageBudget,
        /// Whether this is the retry; the prompt may then say what was wrong.
        retry: bool,
    },
    /// Send [`ReasoningEvent::SoftTimeout`] after this time.
    StartTimer(Duration),
    /// Use this answer.
    Use(T),
    /// There is no answer: ask the person.
    Clarify,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasoning {
    /// What the next generation may use.
    allowed: StageBudget,
    /// The budget of the running generation.
    running: StageBudget,
    /// Whether the retry has been used.
    retried: bool,
    /// Whether the soft timeout has enlarged the budgets.
    budgets_enlarged: bool,
    finished: bool,
    used: StageBudget,
}

impl Reasoning {
    /// Starts a request. `shrink` is `llm_budget.barge_in_shrink` if the person interrupted (REA-2); `soft` is `llm_budget.timeout_ms_soft`.
    #[must_use]
    pub fn begin<T>(base: StageBudget, shrink: Option<f64>, soft: Duration) -> (Self, Vec<ReasoningEffect<T>>) {
        let allowed = shrink.map_or(base, |shrink| base.shrunk(shrink));
        let new = Self {
            allowed,
            running: allowed,
            retried: false,
            budgets_enlarged: false,
            finished: false,
            used: StageBudget::default(),
        };
        (new, vec![ReasoningEffect::StartTimer(soft), ReasoningEffect::Generate { budget: allowed, retry: false }])
    }

    /// Tokens used so far, by stage (REA-4).
    #[must_use]
    pub const fn used(&self) -> StageBudget {
        self.used
    }

    /// Handles an event. After an answer or a question it returns no more effects.
    pub fn step<T>(&mut self, event: ReasoningEvent<T>) -> Vec<ReasoningEffect<T>> {
        if self.finished {
            return Vec::new();
        }
        match event {
            ReasoningEvent::SoftTimeout => {
                if !self.budgets_enlarged {
                    self.budgets_enlarged = true;
                    // A running generation can't get more tokens; if it runs out it is continued below.
                    self.allowed = self.allowed.enlarged();
                }
                Vec::new()
            }
            ReasoningEvent::Failed => self.end(ReasoningEffect::Clarify),
            ReasoningEvent::Ended(ended, answer) => {
                self.used = self.used.plus(ended.used);
                // A valid answer is used even if it is late or thinking was cut, unless the answer itself was cut.
                match answer {
                    Some(answer) if !ended.answer_cut => self.end(ReasoningEffect::Use(answer)),
                    answer => self.without_answer(ended, answer),
                }
            }
        }
    }

    fn without_answer<T>(&mut self, ended: GenerationEnd, answer: Option<T>) -> Vec<ReasoningEffect<T>> {
        let cut = ended.answer_cut || ended.thinking_cut;
        if cut && self.running.is_below(self.allowed) {
            // The budgets grew while it ran: continue with the current ones. The prompt is unchanged, so nearly all of it is in the cache.
            return vec![self.generate()];
        }
        if !self.retried {
            self.retried = true;
            self.allowed = self.allowed.enlarged();
            return vec![self.generate()];
        }
        // Truncated, but complete as far as the caller can tell.
        self.end(answer.map_or(ReasoningEffect::Clarify, ReasoningEffect::Use))
    }

    fn generate<T>(&mut self) -> ReasoningEffect<T> {
        self.running = self.allowed;
        ReasoningEffect::Generate { budget: self.allowed, retry: self.retried }
    }

    fn end<T>(&mut self, effect: ReasoningEffect<T>) -> Vec<ReasoningEffect<T>> {
        self.finished = true;
        vec![effect]
    }
}

#[cfg(test)]
mod tests;
