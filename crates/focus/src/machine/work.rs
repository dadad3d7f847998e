//! Work of a language model on the text being read: translation and summary (BRG-1, BRG-2, TRN-2, PRE-5).

use luna_messages::bus::BusEvent;
use luna_messages::language_tasks::{Summary, TranslatedPiece, TranslationEnd, TranslationSource};
use luna_messages::reading::Intent;
use luna_messages::tts::{NoticeTiming, ReadPart};
use luna_messages::work::WorkFailure;
use luna_messages::{Fidelity, Lang, NoReply, RequestId};
use zeroize::Zeroize;

use super::effect::FocusEffect;
use super::say::{say, sentence_start};
use super::state::{Focus, FocusState, ReadingTarget, Work};
use crate::phrases::Phrase;

/// The target language: English for Korean, Korean for anything else (NLU-1).
const fn target_language(lang: Lang) -> Lang {
    match lang {
        Lang::Ko => Lang::En,
        Lang::En => Lang::Ko,
    }
}

/// The part of a target to translate: from the sentence or row pointed at.
fn source(target: &ReadingTarget) -> TranslationSource {
    let pick = &target.pick;
    if pick.is_table && !pick.rows.is_empty() {
        let header = usize::from(pick.has_header);
        let first = header + pick.row.unwrap_or(0).saturating_sub(header);
        let rows = pick.rows.iter().take(header).chain(pick.rows.iter().skip(first));
        return TranslationSource::Rows { rows: rows.cloned().collect(), has_header: pick.has_header };
    }
    let text = target.text();
    let start = sentence_start(text, pick.offset.unwrap_or(0));
    TranslationSource::Text(text.chars().skip(start).collect())
}

impl Focus {
    /// Translates the text into `lang`, else into the other language, sentence by sentence (BRG-2).
    pub(super) fn translate(
        &mut self,
        id: RequestId,
        lang: Option<Lang>,
        fidelity: Option<Fidelity>,
    ) -> Vec<FocusEffect> {
        let Some(target) = self.current() else { return self.nothing_is_read() };
        let source = source(target);
        let to = lang.unwrap_or_else(|| target_language(target.pick.lang));
        let fidelity = fidelity.unwrap_or(self.settings.fidelity);
        let id = self.begin_work(id, Some(source.clone()), to, fidelity).id;
        let result = BusEvent::IntentResult { intent: Intent::Translate, mode: Some(fidelity), lang_tgt: Some(to) };
        vec![
            FocusEffect::Publish(result),
            say(Phrase::Translating),
            FocusEffect::Translate { id, source, to, fidelity },
        ]
    }

    /// Summarises the text in a few sentences of `lang`, else of its own language (PRE-5).
    pub(super) fn summarize(&mut self, id: RequestId, lang: Option<Lang>) -> Vec<FocusEffect> {
        let Some(target) = self.current() else { return self.nothing_is_read() };
        let (text, to) = (target.text().to_owned(), lang.unwrap_or(target.pick.lang));
        let id = self.begin_work(id, None, to, self.settings.fidelity).id;
        let result = BusEvent::IntentResult { intent: Intent::Summarize, mode: None, lang_tgt: Some(to) };
        vec![FocusEffect::Publish(result), say(Phrase::Summarizing), FocusEffect::Summarize { id, text, to }]
    }

    fn begin_work(
        &mut self,
        reading: RequestId,
        rest: Option<TranslationSource>,
        to: Lang,
        fidelity: Fidelity,
    ) -> &Work {
        let id = RequestId::next();
        let asked = reading;
        self.work.insert(Work { id, reading, asked, speech_started: false, stopped: false, rest, to, fidelity })
    }

    /// Stop ends the generation with the speech; the untranslated rest is remembered.
    pub(super) fn stop_work(&mut self) -> Vec<FocusEffect> {
        let lang = self.settings.lang;
        let Some(work) = self.work.as_mut().filter(|work| !work.stopped) else { return Vec::new() };
        work.stopped = true;
        let part = work.speech_started.then(|| FocusEffect::ReadOn(ReadPart { stop: true, ..end_of(work, lang) }));
        if work.rest.is_none() {
            self.work = None;
        }
        std::iter::once(FocusEffect::EndWork).chain(part).collect()
    }

    /// Continues a stopped translation with the untranslated rest while finished pieces are spoken (BRG-8).
    pub(super) fn resume_work(&mut self, id: RequestId) -> Vec<FocusEffect> {
        let Some(work) = self.work.as_mut().filter(|work| work.stopped) else { return Vec::new() };
        let Some(source) = work.rest.clone() else { return Vec::new() };
        (work.id, work.asked, work.stopped) = (RequestId::next(), id, false);
        vec![FocusEffect::Translate { id: work.id, source, to: work.to, fidelity: work.fidelity }]
    }

    /// A new reading or search makes work on the old text obsolete (KER-6).
    pub(super) fn drop_obsolete_work(&mut self, before: Option<RequestId>, effects: &mut Vec<FocusEffect>) {
        // A question after a small move is not a search: the text stays until something else is found.
        let searches = matches!(self.state, FocusState::Targeting { .. });
        let is_new = |effect: &FocusEffect| match effect {
            FocusEffect::Read(_) | FocusEffect::Forget => true,
            FocusEffect::AskTree { .. } => searches,
            _ => false,
        };
        if before.is_some() && self.work.as_ref().map(|work| work.id) == before && effects.iter().any(is_new) {
            self.work = None;
            effects.insert(0, FocusEffect::EndWork);
        }
    }

    /// Speaks a finished piece while the next one is translated (TRN-2).
    pub(super) fn translated(&mut self, id: RequestId, piece: TranslatedPiece) -> Vec<FocusEffect> {
        let lang = self.settings.lang;
        let Some(work) = self.work.as_mut().filter(|work| work.id == id && !work.stopped) else { return Vec::new() };
        let first = !std::mem::replace(&mut work.speech_started, true);
        // The bars between cells are only for the model.
        let table = matches!(work.rest, Some(TranslationSource::Rows { .. }));
        let text = if table { piece.text.replace(" | ", ", ") } else { piece.text.clone() };
        if let Some(rest) = &mut work.rest {
            remove_piece(rest, &piece);
        }
        vec![FocusEffect::ReadOn(ReadPart { text, first, last: false, ..end_of(work, lang) })]
    }

    pub(super) fn translation_ended(
        &mut self,
        id: RequestId,
        answer: Result<Result<TranslationEnd, WorkFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let lang = self.settings.lang;
        let Some(work) = self.work.take_if(|work| work.id == id && !work.stopped) else { return Vec::new() };
        let end = work.speech_started.then(|| FocusEffect::ReadOn(end_of(&work, lang)));
        let failed = match answer {
            Ok(Ok(_)) => None,
            Ok(Err(why)) => phrase(&why),
            Err(NoReply::Crashed) => Some(Phrase::ModelFailed),
        };
        // The finished pieces are heard to the end first.
        let timing = if work.speech_started { NoticeTiming::AfterSentence } else { NoticeTiming::Now };
        end.into_iter().chain(failed.map(|phrase| FocusEffect::Say(phrase, timing))).collect()
    }

    pub(super) fn summarized(
        &mut self,
        id: RequestId,
        answer: Result<Result<Summary, WorkFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let lang = self.settings.lang;
        let Some(work) = self.work.take_if(|work| work.id == id && !work.stopped) else { return Vec::new() };
        let failed = match answer {
            Ok(Ok(summary)) if !summary.text.is_empty() => {
                let mut effects =
                    vec![FocusEffect::ReadOn(ReadPart { text: summary.text, first: true, ..end_of(&work, lang) })];
                if summary.shortened {
                    effects.push(FocusEffect::Say(Phrase::SummaryOfBeginning, NoticeTiming::AfterSentence));
                }
                return effects;
            }
            Ok(Ok(_)) | Err(NoReply::Crashed) => Some(Phrase::ModelFailed),
            Ok(Err(why)) => phrase(&why),
        };
        failed.map(say).into_iter().collect()
    }
}

/// The last part of a piecewise reading.
const fn end_of(work: &Work, lang: Lang) -> ReadPart {
    ReadPart { id: work.reading, asked: work.asked, text: String::new(), lang, first: false, last: true, stop: false }
}

/// The phrase for a missing result; `None` if the person cancelled.
const fn phrase(why: &WorkFailure) -> Option<Phrase> {
    match why {
        WorkFailure::Unavailable(_) | WorkFailure::OutOfMemory(_) => Some(Phrase::NoLanguageModel),
        WorkFailure::Cancelled => None,
        WorkFailure::Busy { .. }
        | WorkFailure::Refused(_)
        | WorkFailure::EngineEnded { .. }
        | WorkFailure::Interrupted => Some(Phrase::ModelFailed),
    }
}

/// Removes a finished piece from the rest.
fn remove_piece(rest: &mut TranslationSource, piece: &TranslatedPiece) {
    match rest {
        TranslationSource::Text(text) => {
            let done = piece.gap.len() + piece.source.len();
            let left = text.get(done..).map(str::to_owned).unwrap_or_default();
            text.zeroize();
            *text = left;
        }
        TranslationSource::Rows { rows, has_header } => {
            if !rows.is_empty() {
                rows.remove(0).zeroize();
            }
            *has_header = false;
        }
    }
}
