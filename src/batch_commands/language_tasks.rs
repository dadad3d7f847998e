//! Batch commands that need a language model: translating, summarising, deciding what an utterance means.

use async_channel::bounded;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::DslTask;
use luna_messages::engine::EngineKind;
use luna_messages::language_tasks::{
    Decide, LanguageTaskMessage, ModelDecision, Summarize, Summary, Translate, TranslatedPiece, TranslationEnd,
    TranslationSource,
};
use luna_messages::{Fidelity, Lang, RequestId};

use super::models::{EngineProgress, ModelActors, TellLost, answer};
use crate::system::System;
use luna_config::Config;

/// Capacity of the channel from the actor to the printer, in translated pieces.
const CHANNEL_CAPACITY: usize = 4;

/// What [`translate`] reports while it runs.
#[derive(Debug)]
pub enum TranslationProgress {
    /// State of the engine.
    Step(EngineProgress),
    /// A finished sentence or row. If the callback returns false, the reader is gone and the translation ends.
    Piece(TranslatedPiece),
}

/// Translates a text and reports each piece as soon as it is finished (TRN-2).
///
/// # Errors
/// If the model or its engine is unavailable or fails; the error says what to do.
pub async fn translate(
    config: &Config,
    system: &System,
    source: TranslationSource,
    to: Lang,
    fidelity: Fidelity,
    tell_lost: TellLost,
    tell: impl Fn(TranslationProgress) -> bool,
) -> anyhow::Result<TranslationEnd> {
    let models = ModelActors::start_shared(config, system, tell_lost);
    let (pieces, reader) = bounded(CHANNEL_CAPACITY);
    let (reply, answered) = answer();
    let request = Translate { id: RequestId::next(), source, to, fidelity, pieces, reply };
    let posted = models.wiring.language_tasks.post(LanguageTaskMessage::Translate(request));
    anyhow::ensure!(posted.is_ok(), "no translation is taken now");
    let work = async {
        while let Ok(piece) = reader.recv().await {
            if !tell(TranslationProgress::Piece(piece)) {
                drop(reader);
                return Ok(TranslationEnd::default());
            }
        }
        answered.await
    };
    let step = |step| {
        tell(TranslationProgress::Step(step));
    };
    let end = models.watch(EngineKind::Llm, step, work).await;
    models.end().await;
    end
}

/// Summarises a text (PRE-5).
///
/// # Errors
/// If the model or its engine is unavailable or fails; the error says what to do.
pub async fn summarize(
    config: &Config,
    system: &System,
    text: String,
    to: Lang,
    tell_lost: TellLost,
    tell: impl Fn(EngineProgress),
) -> anyhow::Result<Summary> {
    let models = ModelActors::start_shared(config, system, tell_lost);
    let (reply, answered) = answer();
    let request = Summarize { id: RequestId::next(), text, to, reply };
    let posted = models.wiring.language_tasks.post(LanguageTaskMessage::Summarize(request));
    anyhow::ensure!(posted.is_ok(), "no summary is taken now");
    let summary = models.watch(EngineKind::Llm, tell, answered).await;
    models.end().await;
    summary
}

/// Input of a decision by a model.
#[derive(Debug, Clone)]
pub struct DecisionInput {
    /// Understanding, choosing, or planning.
    pub task: DslTask,
    /// What the person said.
    pub utterance: String,
    /// What the utterance may refer to, likeliest first.
    pub candidates: Vec<Candidate>,
    /// The text that is being read; may be empty.
    pub text: String,
    /// Whether the utterance interrupted Luna (REA-2).
    pub barge_in: bool,
}

/// Model actors that answer many questions after one start.
pub struct Decider {
    models: ModelActors,
}

impl Decider {
    /// Starts the actors. The model is loaded at the first question.
    #[must_use]
    pub fn start(config: &Config, system: &System, tell_lost: TellLost) -> Self {
        Self { models: ModelActors::start_shared(config, system, tell_lost) }
    }

    /// Decides what an utterance means. If no model can answer, the result is a question to the person, never an error (REA-3).
    ///
    /// # Errors
    /// If the actor accepts no request or ends without an answer.
    pub async fn decide(&self, question: DecisionInput) -> anyhow::Result<ModelDecision> {
        let (reply, answered) = answer();
        let DecisionInput { task, utterance, candidates, text, barge_in } = question;
        let id = RequestId::next();
        let request = Decide { id, task, utterance, candidates, text, barge_in, reply };
        let posted = self.models.wiring.language_tasks.post(LanguageTaskMessage::Decide(request));
        anyhow::ensure!(posted.is_ok(), "the language-tasks actor accepts no request now");
        answered.await
    }

    /// Stops models and actors.
    pub async fn end(self) {
        self.models.end().await;
    }
}
