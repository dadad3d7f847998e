//! Decides what an utterance means: only among the offered candidates, and a question if that is not certain (NLU-4, REA-3, DSL-4).

use luna_actor_runtime::metric_names::{CLARIFICATIONS, REJECTIONS};
use luna_actor_runtime::stages::{Stage, timed};
use luna_llm_tasks::dsl::{self, Offer, schema};
use luna_llm_tasks::prompt::{Situation, command};
use luna_llm_tasks::reasoning::{StageBudget, clarify};
use luna_messages::candidate::Candidate;
use luna_messages::dsl::{Action, DslAnswer, DslCommand, DslTask};
use luna_messages::language_tasks::{ChosenCommand, ClarifyOption, Decide, Meaning, ModelDecision};
use luna_messages::llm::LlmTask;
use luna_messages::work::WorkFailure;
use luna_messages::{Reply, RequestId};

use crate::ask::{self, ask, count};
use crate::{LanguageTaskDependencies, LanguageTaskSettings};

/// An utterance to decide about, with its candidates and situation.
pub struct DecisionRequest {
    task: DslTask,
    utterance: String,
    candidates: Vec<Candidate>,
    text: String,
    barge_in: bool,
}

impl DecisionRequest {
    /// Splits a message into id, reply and question.
    pub fn from_message(request: Decide) -> (RequestId, Reply<Result<ModelDecision, WorkFailure>>, Self) {
        let Decide { id, task, utterance, candidates, text, barge_in, reply } = request;
        (id, reply, Self { task, utterance, candidates, text, barge_in })
    }
}

/// Decides. If no model can be asked or none gives a valid answer, the result is a question to the person.
///
/// # Errors
/// [`WorkFailure::Cancelled`] if the model's work was cancelled; any other failure becomes a question to the person.
pub async fn decide(
    dependencies: LanguageTaskDependencies,
    question: DecisionRequest,
) -> Result<ModelDecision, WorkFailure> {
    let settings = (dependencies.settings)();
    let most = if question.task == DslTask::MacroPlan { usize::MAX } else { settings.top };
    let count = question.candidates.len().min(most);
    let mut offer = Offer::new(question.candidates.get(..count).unwrap_or_default());
    let all = offer.clone();
    let stage = if question.task == DslTask::MacroPlan { Stage::Planning } else { Stage::Understanding };
    let decision = match timed(stage, by_model(&dependencies, &settings, &question, &mut offer)).await {
        Ok(asked) => {
            let fallback = asked.answer.is_none();
            let meaning = match asked.answer {
                Some(DslAnswer::Command(command)) => meaning(command, &offer, &all),
                Some(DslAnswer::Reading(reading)) => Meaning::Reading(reading),
                Some(DslAnswer::Plan(commands)) => {
                    Meaning::Plan(commands.into_iter().map(|command| chosen(command, &offer)).collect())
                }
                Some(DslAnswer::Text(_)) | None => clarification(clarify(&all), &all, fallback),
            };
            let StageBudget { thinking, answer } = asked.used;
            ModelDecision {
                meaning,
                thinking_tokens: thinking,
                answer_tokens: answer,
                generations: asked.generations,
                without_model: None,
            }
        }
        Err(WorkFailure::Cancelled) => return Err(WorkFailure::Cancelled),
        Err(why) => ModelDecision {
            meaning: clarification(clarify(&all), &all, true),
            thinking_tokens: 0,
            answer_tokens: 0,
            generations: 0,
            without_model: Some(why.to_string()),
        },
    };
    if matches!(decision.meaning, Meaning::Clarify { .. }) {
        metrics::counter!(CLARIFICATIONS).increment(1);
    }
    Ok(decision)
}

async fn by_model(
    dependencies: &LanguageTaskDependencies,
    settings: &LanguageTaskSettings,
    question: &DecisionRequest,
    offer: &mut Offer,
) -> Result<ask::ModelResponse<DslAnswer>, WorkFailure> {
    let DecisionRequest { task, utterance, text, barge_in, .. } = question;
    let lang = settings.lang;
    // What is not told in time is left out.
    let kept = dependencies.situation.ask(move |situation| situation(lang)).await.unwrap_or_default();
    let situation = Situation { text: text.clone(), ..kept };
    let sections = command::sections(*task, lang, utterance, offer, &settings.dangerous, &situation);
    let counts = count(dependencies, LlmTask::Intent, sections.texts()).await?;
    let packed = sections.pack(&counts, &settings.caps);
    let prompt = command::prompt(*task, &sections, &packed, offer, &settings.dangerous);
    let grammar = schema::answer_schema(*task, offer);
    let asked = ask::ModelRequest { task: *task, model: LlmTask::Intent, prompt, grammar, barge_in: *barge_in };
    ask(dependencies, settings, asked, |said| match dsl::read(*task, said, offer) {
        Ok(answer) => Some(answer),
        Err(why) => {
            // Logged only at debug level, because the reason may contain screen text.
            tracing::debug!(%why, "An answer of the model was rejected.");
            metrics::counter!(REJECTIONS).increment(1);
            None
        }
    })
    .await
}

fn chosen(command: DslCommand, offer: &Offer) -> ChosenCommand {
    let element = command.target.as_ref().and_then(|target| offer.element(&target.id)).cloned();
    ChosenCommand { command, element }
}

fn meaning(command: DslCommand, offer: &Offer, all: &Offer) -> Meaning {
    if command.action != Action::Clarify {
        return Meaning::Command(chosen(command, offer));
    }
    // A clarify without options or target offers all candidates.
    if command.options.is_empty() && command.target.is_none() {
        return clarification(clarify(all), all, true);
    }
    clarification(command, offer, false)
}

fn clarification(command: DslCommand, offer: &Offer, fallback: bool) -> Meaning {
    let option = |text: String| {
        let candidate = offer.named(&text);
        let element = candidate.and_then(|candidate| offer.element(&candidate.id)).cloned();
        // Ids mean nothing to a person, so the candidate's text replaces them.
        let text = match candidate {
            Some(candidate) if !candidate.text.is_empty() => candidate.text.clone(),
            Some(_) | None => text,
        };
        ClarifyOption { text, element }
    };
    let element = command.target.as_ref().and_then(|target| offer.element(&target.id)).cloned();
    Meaning::Clarify { options: command.options.into_iter().map(option).collect(), element, fallback }
}
