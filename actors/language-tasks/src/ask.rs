//! One question to a model, within its budgets and with a second try (REA-1 to REA-4).

use async_channel::bounded;
use luna_actor_runtime::inbox::Inbox;
use luna_llm_tasks::answer;
use luna_llm_tasks::reasoning::{GenerationEnd, Reasoning, ReasoningEffect, ReasoningEvent, StageBudget};
use luna_messages::dsl::DslTask;
use luna_messages::engine::{FinishReason, GenerateJob, GenerationUsage, Grammar, Prompt, Sampling, TextPart};
use luna_messages::llm::{CountTokens, Generate, LlmMessage, LlmTask};
use luna_messages::work::WorkFailure;
use luna_messages::{Reply, RequestId};
use tokio::sync::oneshot;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::{LanguageTaskDependencies, LanguageTaskSettings};

/// Capacity of the channel of text pieces.
const CHANNEL_CAPACITY: usize = 64;
/// Temperature of the retry after an invalid answer: the same question at temperature 0 would give the same answer.
const RETRY_TEMPERATURE: f32 = 0.3;

/// A question to a model.
pub struct ModelRequest {
    /// Determines the budgets.
    pub task: DslTask,
    pub model: LlmTask,
    pub prompt: Prompt,
    /// Grammar of the answer.
    pub grammar: Option<String>,
    /// Whether the person interrupted Luna (REA-2).
    pub barge_in: bool,
}

/// The outcome of a question.
pub struct ModelResponse<T> {
    /// The answer; `None` if the model gave no valid one.
    pub answer: Option<T>,
    /// Tokens used by all generations.
    pub used: StageBudget,
    /// Number of generations.
    pub generations: u32,
}

/// Awaits a reply; a lost one becomes an error.
async fn outcome<T>(
    answer: oneshot::Receiver<Result<Result<T, WorkFailure>, luna_messages::NoReply>>,
) -> Result<T, WorkFailure> {
    match answer.await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(lost)) => Err(WorkFailure::EngineEnded { reason: format!("{}.", capital(&lost.to_string())) }),
        Err(_) => Err(WorkFailure::EngineEnded { reason: "The request was lost.".to_owned() }),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn reply<T: Send + 'static>() -> (Reply<T>, oneshot::Receiver<Result<T, luna_messages::NoReply>>) {
    let (sender, answer) = oneshot::channel();
    (Reply::new(move |answer| drop(sender.send(answer))), answer)
}

/// Counts the tokens of texts (PAK-2).
pub async fn count(
    dependencies: &LanguageTaskDependencies,
    task: LlmTask,
    texts: Vec<String>,
) -> Result<Vec<u32>, WorkFailure> {
    let (reply, answer) = reply();
    let id = RequestId::next();
    let mut unfinished = CancelRequestOnDrop { llm: &dependencies.llm, id: Some(id) };
    let request = CountTokens { id, task, texts, reply };
    // A refused request drops its reply, which answers it.
    drop(dependencies.llm.post(LlmMessage::CountTokens(request)));
    let counts = outcome(answer).await;
    unfinished.id = None;
    counts
}

/// Cancels a request that is dropped before its answer, so that no model is loaded for nothing (KER-6).
struct CancelRequestOnDrop<'a> {
    llm: &'a Inbox<LlmMessage>,
    id: Option<RequestId>,
}

impl Drop for CancelRequestOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            drop(self.llm.post(LlmMessage::Cancel { id }));
        }
    }
}

/// Runs one generation; returns its text without thinking, and its token usage.
async fn generate(
    dependencies: &LanguageTaskDependencies,
    task: LlmTask,
    job: GenerateJob,
) -> Result<(Zeroizing<String>, GenerationUsage), WorkFailure> {
    let (pieces, reader) = bounded(CHANNEL_CAPACITY);
    let (reply, answer) = reply();
    let request = Generate {
        id: RequestId::next(),
        task,
        job: Box::new(job),
        pictures: Vec::new(),
        include_thinking: false,
        pieces,
        reply,
    };
    drop(dependencies.llm.post(LlmMessage::Generate(request)));
    let mut said = Zeroizing::new(String::new());
    while let Ok(piece) = reader.recv().await {
        if piece.part == TextPart::Answer && said.len() < answer::MAX_BYTES {
            said.push_str(&piece.text);
        }
    }
    outcome(answer).await.map(|usage| (said, usage))
}

/// Asks a model, and asks again after an invalid answer (REA-3). Dropping the future cancels the generation at its next token (KER-6).
///
/// # Errors
/// A generation failed or was cancelled; the caller decides what that means for the person.
pub async fn ask<T>(
    dependencies: &LanguageTaskDependencies,
    settings: &LanguageTaskSettings,
    question: ModelRequest,
    mut read: impl FnMut(&str) -> Option<T>,
) -> Result<ModelResponse<T>, WorkFailure> {
    let base = settings.budgets.for_task(question.task);
    let shrink = question.barge_in.then_some(settings.barge_in_shrink);
    let (mut reasoning, effects) = Reasoning::begin(base, shrink, settings.timeout_soft);
    let begun = Instant::now();
    let mut effects: std::collections::VecDeque<ReasoningEffect<T>> = effects.into();
    let mut soft = begun + settings.timeout_soft;
    let mut generations = 0;
    let end = loop {
        let Some(effect) = effects.pop_front() else { break None };
        match effect {
            ReasoningEffect::StartTimer(after) => soft = begun + after,
            ReasoningEffect::Use(answer) => break Some(answer),
            ReasoningEffect::Clarify => break None,
            ReasoningEffect::Generate { budget, retry } => {
                generations += 1;
                let job = job(&question, budget, retry);
                let generated = generate(dependencies, question.model, job).await;
                // A generation that ends after its soft timeout reports the timeout first: the order in which they happened.
                if Instant::now() >= soft {
                    effects.extend(reasoning.step(ReasoningEvent::SoftTimeout));
                }
                let event = match generated {
                    Ok((said, usage)) => {
                        let ended = GenerationEnd {
                            thinking_cut: usage.thinking_cut,
                            answer_cut: matches!(usage.stop, FinishReason::AnswerLimit | FinishReason::ContextFull),
                            used: StageBudget { thinking: usage.thinking_tokens, answer: usage.answer_tokens },
                        };
                        ReasoningEvent::Ended(ended, read(&said))
                    }
                    Err(why) => return Err(why),
                };
                effects.extend(reasoning.step(event));
            }
        }
    };
    Ok(ModelResponse { answer: end, used: reasoning.used(), generations })
}

fn job(question: &ModelRequest, budget: StageBudget, retry: bool) -> GenerateJob {
    let sampling = Sampling {
        temperature: if retry { RETRY_TEMPERATURE } else { 0.0 },
        seed: u32::from(retry),
        ..Sampling::default()
    };
    GenerateJob {
        prompt: question.prompt.clone(),
        max_answer_tokens: budget.answer,
        max_thinking_tokens: budget.thinking,
        sampling,
        stop: Vec::new(),
        grammar: question.grammar.clone().map(|schema| Grammar::JsonSchema { schema }),
        pictures: Vec::new(),
    }
}
