//! Summarises texts (PRE-5).

use luna_llm_tasks::prompt::{RetryNotice, summary};
use luna_llm_tasks::translation::TokenPreservationCheck;
use luna_llm_tasks::translation::summary::{SummaryStep, judge};
use luna_messages::Lang;
use luna_messages::dsl::DslTask;
use luna_messages::language_tasks::Summary;
use luna_messages::llm::LlmTask;
use luna_messages::work::WorkFailure;

use crate::LanguageTaskDependencies;
use crate::ask::{ModelRequest, ask, count};

/// Summarises a text.
///
/// # Errors
/// No model is available, its work failed, or it was cancelled.
pub async fn summarize(dependencies: LanguageTaskDependencies, text: String, to: Lang) -> Result<Summary, WorkFailure> {
    let settings = (dependencies.settings)();
    let sections = summary::sections(settings.lang, &text);
    let counts = count(&dependencies, LlmTask::Translate, sections.texts()).await?;
    let packed = sections.pack(&counts, &settings.caps);
    let shortened = packed.target < sections.target.len();
    let preservation = TokenPreservationCheck::new(&settings.glossary, &settings.classes);
    let mut notice = None;
    loop {
        let most = settings.summary_sentences;
        let prompt = summary::prompt(settings.lang, to, most, &sections, &packed, notice.as_ref());
        let question = ModelRequest {
            task: DslTask::SummarizeShort,
            model: LlmTask::Translate,
            prompt,
            grammar: None,
            barge_in: false,
        };
        let read =
            |said: &str| Some(said.to_owned()).filter(|said| !luna_llm_tasks::answer::plain(said, "").is_empty());
        let Some(said) = ask(&dependencies, &settings, question, read).await?.answer else {
            return Ok(Summary { text: String::new(), verified: false, shortened });
        };
        match judge(&said, &text, most, notice.is_some(), shortened, &preservation) {
            SummaryStep::Use(summary) => return Ok(summary),
            SummaryStep::Retry(tokens) => notice = Some(RetryNotice { tokens }),
        }
    }
}
