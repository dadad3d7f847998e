//! The request kinds: the sections of each, and how the packed sections are assembled.

use luna_messages::dsl::DslTask;
use luna_messages::engine::Prompt;
use luna_messages::{Fidelity, Lang};

use super::fence::fenced;
use super::instructions::instructions;
use super::packing::{PackedSections, Sections, chat};
use crate::dsl::Offer;
use luna_text::sentence;

/// The context in which a command was spoken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Situation {
    /// State of the devices, one line each, most important first.
    pub device_state: Vec<String>,
    /// Recent events, the newest last; at most two lines (PAK-1).
    pub digest: Vec<String>,
    /// The text being read, if the command may refer to it.
    pub text: String,
}

/// Requests about a command (DSL-1): sections, and the prompt once they are packed.
pub mod command {
    use super::{
        DslTask, Fidelity, Lang, Offer, PackedSections, Prompt, Sections, Situation, chat, fenced, instructions, json,
        sentence,
    };

    /// The sections to be counted and packed.
    #[must_use]
    pub fn sections(
        task: DslTask,
        lang: Lang,
        utterance: &str,
        offer: &Offer,
        dangerous: &[String],
        situation: &Situation,
    ) -> Sections {
        let mut empty = offer.clone();
        empty.keep(0);
        Sections {
            system: instructions(task, lang, Fidelity::Faithful),
            device_state: situation.device_state.clone(),
            digest: situation.digest.clone(),
            frame: json(&empty.request(task, "", dangerous)),
            candidates: offer.candidates().iter().map(json).collect(),
            utterance: utterance.split_whitespace().map(str::to_owned).collect(),
            target: sentence::split(&situation.text).iter().map(|piece| piece.text.to_owned()).collect(),
        }
    }

    /// The prompt. `offer` loses the candidates that did not fit.
    #[must_use]
    pub fn prompt(
        task: DslTask,
        sections: &Sections,
        packed: &PackedSections,
        offer: &mut Offer,
        dangerous: &[String],
    ) -> Prompt {
        offer.keep(packed.candidates);
        let request = json(&offer.request(task, &packed.utterance, dangerous));
        let mut user = Vec::new();
        user.extend((!packed.device_state.is_empty()).then(|| packed.device_state.join("\n")));
        user.extend((!packed.digest.is_empty()).then(|| packed.digest.join("\n")));
        let target: Vec<&str> = sections.target.iter().take(packed.target).map(String::as_str).collect();
        user.extend((!target.is_empty()).then(|| fenced(&target.join(" "))));
        user.push(request);
        chat(&packed.system, user.join("\n\n"))
    }
}

/// JSON of a value that always serialises.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

const fn language(lang: Lang, to: Lang) -> &'static str {
    match (lang, to) {
        (Lang::Ko, Lang::Ko) => "한국어",
        (Lang::Ko, Lang::En) => "영어",
        (Lang::En, Lang::Ko) => "Korean",
        (Lang::En, Lang::En) => "English",
    }
}

/// What a repeated request says was wrong with the previous answer (PRE-4, PRE-5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryNotice {
    /// Tokens that the translation must keep, or numbers of a summary that its source lacks.
    pub tokens: Vec<String>,
}

impl RetryNotice {
    fn text(&self, lang: Lang) -> String {
        // The wording of PRE-4, in either language.
        let what = match lang {
            Lang::Ko => "다음은 글자 그대로 있어야 한다",
            Lang::En => "these must stand in the translation exactly as they are",
        };
        format!("보존 규칙 위반 — {what}: {}", self.tokens.join(" | "))
    }
}

/// The prompt for one sentence or table row (TRN-1, TRN-2).
///
/// It has no optional parts: a sentence is translated whole or not at all; the caller that segments the text limits its length.
#[must_use]
pub fn translation(
    lang: Lang,
    to: Lang,
    fidelity: Fidelity,
    glossary: &[String],
    text: &str,
    notice: Option<&RetryNotice>,
) -> Prompt {
    let mut user = match lang {
        Lang::Ko => format!("{}로 옮겨라.\n", language(lang, to)),
        Lang::En => format!("Translate into {}.\n", language(lang, to)),
    };
    let names: Vec<&str> = glossary.iter().map(String::as_str).filter(|name| text.contains(name)).collect();
    if !names.is_empty() {
        user.push_str(match lang {
            Lang::Ko => "그대로 둘 이름: ",
            Lang::En => "Names to keep as they are: ",
        });
        user.push_str(&names.join(", "));
        user.push('\n');
    }
    if let Some(notice) = notice {
        user.push_str(&notice.text(lang));
        user.push('\n');
    }
    user.push_str(&fenced(text));
    chat(&instructions(DslTask::TranslateFaithful, lang, fidelity), user)
}

/// Requests for a summary: sections, and the prompt once they are packed (PRE-5).
pub mod summary {
    use super::{
        DslTask, Fidelity, Lang, PackedSections, Prompt, RetryNotice, Sections, chat, fenced, instructions, language,
        sentence,
    };

    /// The sections to be counted and packed.
    #[must_use]
    pub fn sections(lang: Lang, text: &str) -> Sections {
        Sections {
            system: instructions(DslTask::SummarizeShort, lang, Fidelity::Faithful),
            target: sentence::split(text).iter().map(|piece| piece.text.to_owned()).collect(),
            ..Sections::default()
        }
    }

    /// The prompt: in language `to`, with the given maximum number of sentences.
    #[must_use]
    pub fn prompt(
        lang: Lang,
        to: Lang,
        most_sentences: u32,
        sections: &Sections,
        packed: &PackedSections,
        notice: Option<&RetryNotice>,
    ) -> Prompt {
        let named = language(lang, to);
        let mut user = match lang {
            Lang::Ko => format!("{named}로, 최대 {most_sentences}문장으로 요약하라.\n"),
            Lang::En => format!("Summarize in {named} in at most {most_sentences} sentences.\n"),
        };
        if let Some(notice) = notice {
            user.push_str(&match lang {
                Lang::Ko => format!("보존 규칙 위반 — 글에 없는 숫자다: {}\n", notice.tokens.join(" | ")),
                Lang::En => {
                    format!("보존 규칙 위반 — these numbers do not stand in the text: {}\n", notice.tokens.join(" | "))
                }
            });
        }
        let text: Vec<&str> = sections.target.iter().take(packed.target).map(String::as_str).collect();
        user.push_str(&fenced(&text.join("\n")));
        chat(&packed.system, user)
    }
}
