//! Translates: puts the pipeline's questions to a model and sends finished pieces to the caller (TRN-2).

use async_channel::Sender;
use luna_actor_runtime::metric_names::{PRESERVE, SENTENCES, preserve_outcome, sentence_status};
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_llm_tasks::prompt::{self, RetryNotice, instructions, packing::FRAME};
use luna_llm_tasks::translation::{
    Ask, TokenPreservationCheck, TranslationEffect, TranslationEvent, TranslationRun, units,
};
use luna_messages::dsl::DslTask;
use luna_messages::language_tasks::{PieceStatus, TranslatedPiece, TranslationEnd, TranslationSource};
use luna_messages::llm::LlmTask;
use luna_messages::work::WorkFailure;
use luna_messages::{Fidelity, Lang};
use tokio::time::Instant;

use crate::ask::{ModelRequest, ask, count};
use crate::{LanguageTaskDependencies, LanguageTaskSettings};

/// Translates a source and sends finished pieces, in order.
///
/// # Errors
/// No model is available, its work failed, or the caller is gone. Pieces that were finished before have been sent.
pub async fn translate(
    dependencies: LanguageTaskDependencies,
    source: TranslationSource,
    to: Lang,
    fidelity: Fidelity,
    pieces: Sender<TranslatedPiece>,
) -> Result<TranslationEnd, WorkFailure> {
    let settings = (dependencies.settings)();
    let mut begun = Some(Instant::now());
    let mut units = units::split(&source, to);
    if units.iter().any(|unit| unit.kind != units::SegmentKind::Unchanged) {
        let most = fit_segments(&dependencies, &settings, fidelity, &mut units).await?;
        tracing::debug!(most, "The maximum tokens of a sentence are known.");
    }
    let larger = dependencies.has_model.ask(|has_model| has_model(LlmTask::TranslateLarge)).await.unwrap_or(false);
    let preservation = TokenPreservationCheck::new(&settings.glossary, &settings.classes);
    let mut translation = TranslationRun::new(units, fidelity, settings.escalation.clone(), larger);
    let mut event = TranslationEvent::Begin;
    loop {
        let mut asked = None;
        for effect in translation.step(event, &preservation) {
            match effect {
                TranslationEffect::Piece(piece) => {
                    record(&piece);
                    // An unchanged piece needed no model, so its time is not recorded.
                    if piece.status != PieceStatus::Unchanged
                        && let Some(begun) = begun.take()
                    {
                        record_stage(Stage::Planning, begun.elapsed());
                    }
                    // Fails if the caller is gone, which ends the translation.
                    pieces.send(piece).await.map_err(|_| WorkFailure::Cancelled)?;
                }
                TranslationEffect::Ask(ask) => {
                    if !ask.notice.is_empty() {
                        metrics::counter!(PRESERVE, "outcome" => preserve_outcome::ASKED_AGAIN).increment(1);
                    }
                    asked = Some(ask);
                }
                TranslationEffect::Done(end) => return Ok(end),
            }
        }
        let Some(question) = asked else {
            return Err(WorkFailure::Cancelled);
        };
        let answering = answer(&dependencies, &settings, &question, to, fidelity);
        event = tokio::select! {
            biased;
            () = pieces.closed() => return Err(WorkFailure::Cancelled),
            answered = answering => answered?,
        };
    }
}

/// Cuts sentences that exceed the budget of the answer or of the prompt (PAK-1); returns the maximum tokens of a sentence.
async fn fit_segments(
    dependencies: &LanguageTaskDependencies,
    settings: &LanguageTaskSettings,
    fidelity: Fidelity,
    units: &mut Vec<units::Segment>,
) -> Result<u32, WorkFailure> {
    let rules = instructions(DslTask::TranslateFaithful, settings.lang, fidelity).join("\n");
    let mut texts: Vec<String> = units.iter().map(|unit| unit.text.clone()).collect();
    texts.push(rules);
    let mut counts = count(dependencies, LlmTask::Translate, texts).await?;
    let system = counts.pop().unwrap_or(0);
    let available = settings.caps.max_tokens.saturating_sub(FRAME).saturating_sub(system);
    // Leaves a quarter for translations longer than their source; a truncated one is retried with half more.
    let answer = settings.budgets.for_task(DslTask::TranslateFaithful).answer;
    let most = available.min(answer - answer / 4).max(1);
    *units = units::fit(std::mem::take(units), &counts, most);
    Ok(most)
}

async fn answer(
    dependencies: &LanguageTaskDependencies,
    settings: &LanguageTaskSettings,
    question: &Ask,
    to: Lang,
    fidelity: Fidelity,
) -> Result<TranslationEvent, WorkFailure> {
    let notice = (!question.notice.is_empty()).then(|| RetryNotice { tokens: question.notice.clone() });
    let prompt = prompt::translation(settings.lang, to, fidelity, &settings.glossary, &question.text, notice.as_ref());
    let model = if question.larger { LlmTask::TranslateLarge } else { LlmTask::Translate };
    let asked = ModelRequest { task: DslTask::TranslateFaithful, model, prompt, grammar: None, barge_in: false };
    let text = &question.text;
    let read = |said: &str| {
        let plain = luna_llm_tasks::answer::plain(said, text);
        (!plain.is_empty()).then(|| said.to_owned())
    };
    match ask(dependencies, settings, asked, read).await {
        Ok(asked) => Ok(asked.answer.map_or(TranslationEvent::NoAnswer, TranslationEvent::Answered)),
        // The larger model does not fit or is not installed: the smaller one continues (TRN-4).
        Err(WorkFailure::OutOfMemory(_) | WorkFailure::Unavailable(_)) if question.larger => {
            Ok(TranslationEvent::NoLargerModel)
        }
        Err(why) => Err(why),
    }
}

/// Counts outcomes of the preservation check by sentence (MET-1).
fn record(piece: &TranslatedPiece) {
    metrics::counter!(SENTENCES, "status" => sentence_status::of(piece.status)).increment(1);
    if piece.status == PieceStatus::Failed {
        metrics::counter!(PRESERVE, "outcome" => preserve_outcome::MARKED).increment(1);
    }
}
