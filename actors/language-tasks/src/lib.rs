//! The language-tasks actor: translating, summarising and deciding with a language model (TRN-1 to TRN-5, PRE-4, PRE-5, REA-1 to REA-4, NLU-4).
//!
//! **Receives** [`LanguageTaskMessage`]: texts to translate or summarise, utterances to decide about. **Sends** [`LlmMessage`] to the Llm actor, and
//! to its callers each sentence once it is finished, then the end.
//! **Never** decides by itself: `luna_llm_tasks::reasoning`, `translation` and `dsl` do. Never passes on a choice that was not offered or a
//! translation whose tokens were not compared, never keeps or reports a model's thinking, never has a model in memory (the Llm actor does).

#![forbid(unsafe_code)]

mod ask;
mod decide;
mod jobs;
mod summarize;
mod translate;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::stages::{Stage, timed};
use luna_llm_tasks::prompt::{PartCaps, Situation};
use luna_llm_tasks::reasoning::Budgets;
use luna_llm_tasks::translation::Escalation;
use luna_messages::Lang;
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::llm::{LlmMessage, LlmTask};
use luna_messages::preserve::TokenClass;

use crate::jobs::RunningJobs;

/// Budgets, limits and word lists of language tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct LanguageTaskSettings {
    /// Language of the instructions to the model: the person's.
    pub lang: Lang,
    /// Maximum tokens of the parts of a prompt (PAK-1).
    pub caps: PartCaps,
    /// Maximum tokens of thinking and answers (REA-1).
    pub budgets: Budgets,
    /// Factor for the budgets after an interruption (REA-2).
    pub barge_in_shrink: f64,
    /// Time after which the budgets grow (REA-3).
    pub timeout_soft: Duration,
    /// Words for which a model must ask back (REA-5).
    pub dangerous: Vec<String>,
    /// Maximum candidates that a model sees (RNK-1).
    pub top: usize,
    /// Names that stay untranslated (PRE-1).
    pub glossary: Vec<String>,
    /// Token classes that the preservation check compares.
    pub classes: Vec<TokenClass>,
    /// When the larger model is asked (TRN-4).
    pub escalation: Escalation,
    /// Maximum sentences of a summary (PRE-5).
    pub summary_sentences: u32,
}

/// Dependencies of the language-tasks actor.
#[derive(Clone)]
pub struct LanguageTaskDependencies {
    /// Receives generations and token counts.
    pub llm: Inbox<LlmMessage>,
    /// Whether a model for a task is configured and installed. May read the disk.
    pub has_model: BlockingService<dyn Fn(LlmTask) -> bool + Send + Sync>,
    /// What is known of the device and of what was wanted last, in this language, without a text (PAK-4). May ask the desktop.
    pub situation: BlockingService<dyn Fn(Lang) -> Situation + Send + Sync>,
    /// Returns the current settings; called at the start of each task (CFG-4).
    pub settings: Arc<dyn Fn() -> LanguageTaskSettings + Send + Sync>,
}

/// Runs each language task as a cancellable job.
pub struct LanguageTasksActor {
    dependencies: LanguageTaskDependencies,
    /// Running jobs. They end with this incarnation, and their callers get an error.
    jobs: RunningJobs,
}

impl LanguageTasksActor {
    #[must_use]
    pub fn new(dependencies: LanguageTaskDependencies) -> Self {
        Self { dependencies, jobs: RunningJobs::default() }
    }
}

#[async_trait]
impl Actor for LanguageTasksActor {
    type Message = LanguageTaskMessage;
    const NAME: &'static str = "mind";

    async fn handle(
        &mut self,
        message: LanguageTaskMessage,
        context: &ActorContext<LanguageTaskMessage>,
    ) -> Result<(), ActorError> {
        let dependencies = self.dependencies.clone();
        match message {
            LanguageTaskMessage::Translate(request) => {
                let (id, reply) = (request.id, request.reply);
                let work =
                    translate::translate(dependencies, request.source, request.to, request.fidelity, request.pieces);
                self.jobs.start(id, reply, work, context);
            }
            LanguageTaskMessage::Summarize(request) => {
                let (id, reply) = (request.id, request.reply);
                let work = timed(Stage::Planning, summarize::summarize(dependencies, request.text, request.to));
                self.jobs.start(id, reply, work, context);
            }
            LanguageTaskMessage::Decide(request) => {
                let (id, reply, question) = decide::DecisionRequest::from_message(request);
                self.jobs.start(id, reply, decide::decide(dependencies, question), context);
            }
            LanguageTaskMessage::Cancel { id } => self.jobs.cancel(id),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<LanguageTaskMessage>) {
        self.jobs.end();
    }
}
