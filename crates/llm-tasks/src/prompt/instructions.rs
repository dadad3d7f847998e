//! The fixed instructions: versioned data files (REA-5, TRN-1).

use luna_messages::dsl::DslTask;
use luna_messages::{Fidelity, Lang};

/// Version of the instructions. A changed file needs a new version, because measurements cite it.
pub const VERSION: u32 = 1;

const fn file(task: DslTask, lang: Lang) -> &'static str {
    match (task, lang) {
        (DslTask::NluIntent, Lang::Ko) => {
            concat!(include_str!("text/understand.ko.md"), include_str!("text/intent.ko.md"))
        }
        (DslTask::NluIntent, Lang::En) => {
            concat!(include_str!("text/understand.en.md"), include_str!("text/intent.en.md"))
        }
        (DslTask::SelectionDisambiguation, Lang::Ko) => {
            concat!(include_str!("text/understand.ko.md"), include_str!("text/choose.ko.md"))
        }
        (DslTask::SelectionDisambiguation, Lang::En) => {
            concat!(include_str!("text/understand.en.md"), include_str!("text/choose.en.md"))
        }
        (DslTask::MacroPlan, Lang::Ko) => {
            concat!(include_str!("text/understand.ko.md"), include_str!("text/plan.ko.md"))
        }
        (DslTask::MacroPlan, Lang::En) => {
            concat!(include_str!("text/understand.en.md"), include_str!("text/plan.en.md"))
        }
        (DslTask::TranslateFaithful, Lang::Ko) => include_str!("text/translate.ko.md"),
        (DslTask::TranslateFaithful, Lang::En) => include_str!("text/translate.en.md"),
        (DslTask::SummarizeShort, Lang::Ko) => include_str!("text/summarize.ko.md"),
        (DslTask::SummarizeShort, Lang::En) => include_str!("text/summarize.en.md"),
    }
}

/// The instructions for a task in the person's language, one rule per entry, most important first: if a budget is too small, the last entries
/// are dropped (PAK-1).
#[must_use]
pub fn instructions(task: DslTask, lang: Lang, fidelity: Fidelity) -> Vec<String> {
    let fluent = match (task, fidelity, lang) {
        (DslTask::TranslateFaithful, Fidelity::Natural, Lang::Ko) => Some(include_str!("text/natural.ko.md")),
        (DslTask::TranslateFaithful, Fidelity::Natural, Lang::En) => Some(include_str!("text/natural.en.md")),
        _ => None,
    };
    let lines = file(task, lang).lines().chain(fluent.into_iter().flat_map(str::lines));
    lines.map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
