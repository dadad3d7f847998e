//! Thinking, then an answer, each within its budget; one second try; then a question to the person, never an error (REA-1 to REA-4).
//!
//! [`Reasoning::step`] takes what happened and says what to do. It knows neither prompts nor answers: whether what was said is a valid answer says
//! who reads it.

mod budget;
mod clarify;

use std::time::Duration;

pub use budget::{Budgets, StageBudget};
pub use clarify::clarify;

/// How a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Whether thinking reached its budget and was closed with `</think>`.
    pub thinking_cut: bool,
    /// Whether the answer reached its budget.
    pub answer_cut: bool,
    /// Tokens that were used.
    pub used: StageBudget,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReasoningEvent<T> {
    /// A generation ended; its answer, if it is valid.
    Ended(Ended, Option<T>),
    /// It could not be done: no model, no memory, an engine that ended.
    Failed,
    /// `timeout_ms_soft` went by since the beginning.
    SoftTimeout,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReasoningEffect<T> {
    /// Generate within this budget. `again`: the prompt may say what was wrong.
    Generate {
        budget: StageBudget,
        /// Whether this is the second try.
        again: bool,
    },
    /// Tell [`ReasoningEvent::SoftTimeout`] after this time.
    StartTimer(Duration),
    /// There is an answer.
    Use(T),
    /// There is none: ask the person.
    Clarify,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasoning {
    /// What a generation may use now.
    allowed: StageBudget,
    /// What the one that runs was given.
    running: StageBudget,
    /// Whether it was tried a second time.
    again: bool,
    /// Whether the budgets grew because time went by.
    grown: bool,
    over: bool,
    used: StageBudget,
}

impl Reasoning {
    /// Begins. `shrink` is `llm_budget.barge_in_shrink` where the person interrupted (REA-2); `soft` is `llm_budget.timeout_ms_soft`.
    #[must_use]
    pub fn begin<T>(base: StageBudget, shrink: Option<f64>, soft: Duration) -> (Self, Vec<ReasoningEffect<T>>) {
        let allowed = shrink.map_or(base, |shrink| base.shrunk(shrink));
        let new =
            Self { allowed, running: allowed, again: false, grown: false, over: false, used: StageBudget::default() };
        (new, vec![ReasoningEffect::StartTimer(soft), ReasoningEffect::Generate { budget: allowed, again: false }])
    }

    /// Tokens that were used so far, by stage (REA-4).
    #[must_use]
    pub const fn used(&self) -> StageBudget {
        self.used
    }

    /// Takes what happened. After an answer or a question nothing more comes.
    pub fn step<T>(&mut self, event: ReasoningEvent<T>) -> Vec<ReasoningEffect<T>> {
        if self.over {
            return Vec::new();
        }
        match event {
            ReasoningEvent::SoftTimeout => {
                if !self.grown {
                    self.grown = true;
                    // A generation that runs can't be given more; if it ends for want of tokens it is continued below.
                    self.allowed = self.allowed.half_more();
                }
                Vec::new()
            }
            ReasoningEvent::Failed => self.end(ReasoningEffect::Clarify),
            ReasoningEvent::Ended(ended, answer) => {
                self.used = self.used.plus(ended.used);
                // A valid answer is used even if it came late, and though thinking was cut.
                match answer {
                    Some(answer) if !ended.answer_cut => self.end(ReasoningEffect::Use(answer)),
                    answer => self.without_answer(ended, answer),
                }
            }
        }
    }

    fn without_answer<T>(&mut self, ended: Ended, answer: Option<T>) -> Vec<ReasoningEffect<T>> {
        let cut = ended.answer_cut || ended.thinking_cut;
        if cut && self.running.is_below(self.allowed) {
            // The budgets grew while it ran: it goes on with what it may use by now. The prompt is the same, so nearly all of it is in the cache.
            return vec![self.generate()];
        }
        if !self.again {
            self.again = true;
            self.allowed = self.allowed.half_more();
            return vec![self.generate()];
        }
        // Cut off, but whole as far as its reader can tell.
        self.end(answer.map_or(ReasoningEffect::Clarify, ReasoningEffect::Use))
    }

    fn generate<T>(&mut self) -> ReasoningEffect<T> {
        self.running = self.allowed;
        ReasoningEffect::Generate { budget: self.allowed, again: self.again }
    }

    fn end<T>(&mut self, effect: ReasoningEffect<T>) -> Vec<ReasoningEffect<T>> {
        self.over = true;
        vec![effect]
    }
}

#[cfg(test)]
mod tests;
