//! Token budgets for thinking and for the answer.

use luna_messages::dsl::DslTask;

/// Tokens by stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageBudget {
    pub thinking: u32,
    pub answer: u32,
}

impl StageBudget {
    /// Both multiplied by 1.5, rounded down (REA-3).
    #[must_use]
    pub const fn enlarged(self) -> Self {
        const fn more(tokens: u32) -> u32 {
            tokens.saturating_add(tokens / 2)
        }
        Self { thinking: more(self.thinking), answer: more(self.answer) }
    }

    /// Both multiplied by a factor of 0 to 1, rounded down (REA-2). An answer needs at least one token.
    #[must_use]
    pub fn shrunk(self, factor: f64) -> Self {
        // The factor's rounding error in binary must not cost a token.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the tokens")]
        let part = |tokens: u32| (f64::from(tokens) * factor.clamp(0.0, 1.0) + 1e-6).floor() as u32;
        Self { thinking: part(self.thinking), answer: part(self.answer).max(1) }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            thinking: self.thinking.saturating_add(other.thinking),
            answer: self.answer.saturating_add(other.answer),
        }
    }

    pub(super) const fn is_below(self, other: Self) -> bool {
        self.thinking < other.thinking || self.answer < other.answer
    }
}

/// Budgets by task (`thinking_budget`, `answer_budget`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the tasks say it")]
pub struct Budgets {
    pub nlu_intent: StageBudget,
    pub selection_disambiguation: StageBudget,
    pub translate_faithful: StageBudget,
    pub summarize_short: StageBudget,
    pub macro_plan: StageBudget,
}

impl Budgets {
    #[must_use]
    pub const fn for_task(&self, task: DslTask) -> StageBudget {
        match task {
            DslTask::NluIntent => self.nlu_intent,
            DslTask::SelectionDisambiguation => self.selection_disambiguation,
            DslTask::TranslateFaithful => self.translate_faithful,
            DslTask::SummarizeShort => self.summarize_short,
            DslTask::MacroPlan => self.macro_plan,
        }
    }
}

impl Default for Budgets {
    /// The defaults of REA-1.
    fn default() -> Self {
        const fn budget(thinking: u32, answer: u32) -> StageBudget {
            StageBudget { thinking, answer }
        }
        Self {
            nlu_intent: budget(96, 96),
            selection_disambiguation: budget(256, 128),
            translate_faithful: budget(192, 192),
            summarize_short: budget(256, 128),
            macro_plan: budget(384, 192),
        }
    }
}
