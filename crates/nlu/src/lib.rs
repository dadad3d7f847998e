//! Rule-based understanding of utterances (NLU-1 to NLU-3, BRG-1, EXE-3, DNG-1, RNK): no model, a few microseconds.
//!
//! Utterances are compared without spaces, because recognisers place them unreliably ([`normalised`]). A short command must be the *whole* utterance,
//! except for fillers and affixes: wake word, politeness, particles, endings ([`fillers`], [`phrases`]). So "멈춰 주실래요" stops, and "정류장에 멈춰 있는 버스"
//! does not. An utterance that matches no phrase exactly may still match the nearest one fuzzily, if only one command is nearest ([`slips`]).
//!
//! An utterance is classified in this order:
//!
//! 1. `reflex`: a command of BRG-1 and nothing else, whether Luna speaks or not. Translating, spelling, numbers and summarising are reflexes
//!    only while it speaks; else they are `reading`, with the same intent. Two different commands in a row are `ambiguous`.
//! 2. `answer`: a number, an ordinal, yes, no, cancel. "둘", "이번" and the like only if a question is open (`asking`) or there are candidates; "두
//!    번째", "3번", "네" always.
//! 3. `reading`: reading with a target language, a mode, a number of lines, a target. While Luna speaks, a reading with more than the words of
//!    BRG-1 is `ambiguous`: it stops speech and goes to the model (BRG-3) with the parsed command.
//! 4. `command`: an order with a desktop verb; several steps if verbs are joined (EXE-5). If the rules can't determine the action ("볼륨 올려"), it
//!    is `ambiguous`.
//! 5. `reflex` again, by fuzzy match.
//! 6. `answer` by the text of exactly one candidate (EXE-3).
//! 7. `command`, if Luna is silent: an element named by kind and place, without a verb ("파일 이름 아래의 버튼").
//! 8. `none`.
//!
//! An unsettled utterance gets two more attempts: without a clause that only gives the reason ("다 썼으니까 저장 눌러 줘", [`reasons`]), and, in English,
//! with a wish rewritten as an order and words replaced by homophones ([`again`]). A command that several candidates fit equally well is
//! `ambiguous` (NLU-4).
//!
//! `dangerous` applies to whatever acts: commands, ambiguous utterances, answers that choose a candidate; never to reading (DNG-3).

#![forbid(unsafe_code)]

mod hesitation;
pub mod normalised;
mod template;
mod trie;

pub mod fillers;
pub mod phrases;
mod slips;
mod unit_tree;
mod verbs;

mod reflex;

mod answers;
mod numbers;
mod reading;

mod desk;
mod draft;
mod english;
mod english_target;
mod keys;
mod korean;
mod korean_values;
mod scroll;
mod target;
mod target_words;

mod again;
mod by_name;
mod danger;
mod english_sounds;
mod label_lexicon;
mod label_numbers;
mod loanwords;
mod misheard;
pub mod offered;
pub mod rank;
mod reasons;
mod repair;

mod why;
mod wishes;
mod worded;

mod interpret;

use std::borrow::Cow;
use std::collections::BTreeMap;

use luna_messages::control::Command;
use luna_messages::reading::Intent;
use luna_messages::understanding::{CandidateInput, Interpretation, UtteranceInput, UtteranceKind};

use self::answers::Answers;
use self::danger::Danger;
use self::desk::Desk;
use self::draft::{Scene, labels};
use self::english::English;
use self::fillers::FillerWords;
use self::normalised::NormalisedUtterance;
use self::numbers::Numbers;
use self::phrases::{Frame, PhraseBook};
use self::rank::{Ranker, RankingWeightSet};
use self::reading::ReadingWords;
use self::repair::Repair;
use self::scroll::Scrolling;

/// The configured vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    /// `voice.wake_word`.
    pub wake_word: Option<String>,
    /// `voice.synonyms`: by the name of a reflex command, "click", "yes", "no" or "cancel" (VOI-2).
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// `voice.dangerous`.
    pub dangerous: Vec<String>,
    /// `ranking.weights` and `ranking.topk_for_llm`.
    pub weights: RankingWeightSet,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let dangerous = ["삭제", "비우", "전송", "구매", "결제"].map(str::to_owned).to_vec();
        Self {
            wake_word: Some("루나".to_owned()),
            synonyms: BTreeMap::new(),
            dangerous,
            weights: RankingWeightSet::default(),
        }
    }
}

/// Maximum characters of an utterance in which one misheard word may hide a command.
const SHORT: usize = 24;
/// Maximum words of an order that may contain a misheard word: a longer one is a statement.
const MAX_WORDS_WITH_A_SLIP: usize = 7;
/// No limit on the fuzzy match beyond that for the phrase's length.
const ANY_SLIP: u16 = 4;
/// The names in `voice.synonyms` for pressing.
const PRESSING: [&str; 3] = ["click", "invoke", "press"];
const ANSWERING: [&str; 3] = ["yes", "no", "cancel"];

/// The rule-based understanding, with its vocabulary prepared once.
#[derive(Debug, Clone)]
pub struct Understanding {
    grease: FillerWords,
    reflexes: PhraseBook,
    answers: Answers,
    numbers: Numbers,
    reading: ReadingWords,
    desk: Desk,
    english: English,
    scrolling: Scrolling,
    danger: Danger,
    ranker: Ranker,
    repair: Repair,
    misheard: misheard::Misheard,
    wishes: wishes::Wishes,
    unknown: Vec<String>,
}

impl Understanding {
    /// Prepares the vocabulary. Takes some ten milliseconds.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let (reflexes, mut unknown) = reflex::book(&vocabulary.synonyms);
        let words = |name: &str| vocabulary.synonyms.get(name).cloned().unwrap_or_default();
        let pressing: Vec<String> = PRESSING.iter().flat_map(|name| words(name)).collect();
        unknown.retain(|name| !PRESSING.contains(&name.as_str()) && !ANSWERING.contains(&name.as_str()));
        Self {
            grease: FillerWords::new(vocabulary.wake_word.as_deref()),
            reflexes,
            answers: Answers::new(words),
            numbers: Numbers::default(),
            reading: ReadingWords::new(),
            desk: Desk::new(&pressing),
            english: English::default(),
            scrolling: Scrolling::default(),
            danger: Danger::new(&vocabulary.dangerous),
            ranker: Ranker::new(vocabulary.weights),
            repair: Repair::new(),
            misheard: misheard::Misheard::new(),
            wishes: wishes::Wishes::new(),
            unknown,
        }
    }

    /// Names in `voice.synonyms` that match no command.
    #[must_use]
    pub fn unknown_synonyms(&self) -> &[String] {
        &self.unknown
    }

    /// Whether a label or a text of a model has a word that needs a confirmation (DNG-1, DNG-4).
    #[must_use]
    pub fn is_dangerous(&self, text: &str) -> bool {
        self.danger.is_label(text)
    }

    /// The reflex command that the whole text is, for partial transcripts (BRG-1). `slips`: a fuzzy match suffices.
    #[must_use]
    pub fn reflex(&self, text: &str, slips: bool) -> Option<Command> {
        let text = Some(text).filter(|text| !normalised::is_too_long(text))?;
        let found = match hesitation::without(text) {
            Cow::Owned(cleaned) => self.reflex_of(text, slips).or_else(|| self.reflex_of(&cleaned, slips)),
            Cow::Borrowed(text) => self.reflex_of(text, slips),
        };
        found.or_else(|| slips.then(|| self.reflex_again(text)).flatten())
    }

    fn reflex_of(&self, text: &str, slips: bool) -> Option<Command> {
        let heard = NormalisedUtterance::new(text);
        let frame = Frame::new(&heard, &self.grease);
        let found = self.reflexes.find(&heard, &self.grease, &frame);
        let found =
            found.or_else(|| slips.then(|| self.reflexes.near(&heard, &self.grease, &frame, ANY_SLIP)).flatten());
        found.and_then(reflex::command)
    }

    #[must_use]
    pub fn understand(&self, utterance: &UtteranceInput) -> Interpretation {
        let heard = NormalisedUtterance::new(&utterance.utterance);
        // A text that can't be a command, however long, skips everything below.
        if heard.is_empty() || heard.too_long {
            return why::nothing(&heard);
        }
        let cleaned = hesitation::without(&utterance.utterance);
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        // An utterance with sounds of hesitation is matched fuzzily only after these are removed.
        let mut understood = self.decide_as(&heard, utterance, offered, matches!(cleaned, Cow::Borrowed(_)));
        // "읽 어": apparent hesitation may be part of a word; unless the result is settled, that without hesitation takes precedence.
        let settled = understood.kind == UtteranceKind::Reflex || understood.target_id.is_some();
        if !settled && let Cow::Owned(cleaned) = &cleaned {
            let without = self.decide(&NormalisedUtterance::new(cleaned), utterance, offered);
            if without.kind != UtteranceKind::None {
                understood = without;
            }
        }
        // "1번 더 읽어 줘" is 한 번 더.
        let doubtful = matches!(understood.kind, UtteranceKind::None | UtteranceKind::Ambiguous);
        if let Some(words) = worded::worded(&utterance.utterance).filter(|_| doubtful) {
            let found = self.decide(&NormalisedUtterance::new(&words), utterance, offered);
            if found.kind == UtteranceKind::Reflex
                || (understood.kind == UtteranceKind::None && found.kind == UtteranceKind::Reading)
            {
                understood = found;
            }
        }
        if let Some(better) = self.without_reason(utterance, &utterance.utterance, offered, &understood) {
            understood = better;
        }
        if let Some(better) = self.again(utterance, &cleaned, offered, &understood) {
            understood = better;
        }
        understood.why = why::why(&understood, &heard);
        understood
    }

    fn decide(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
    ) -> Interpretation {
        self.decide_as(heard, utterance, offered, true)
    }

    /// `slips`: whether words may match fuzzily.
    fn decide_as(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
        slips: bool,
    ) -> Interpretation {
        let frame = Frame::new(heard, &self.grease);
        let labels = labels(offered);
        let scene = Scene {
            heard,
            frame: &frame,
            grease: &self.grease,
            desk: &self.desk,
            numbers: &self.numbers,
            labels: &labels,
        };
        let open = utterance.asking || !offered.is_empty();
        if let Some(found) = self.obeyed(&scene, utterance.speaking, self.reflexes.find(heard, &self.grease, &frame)) {
            return found;
        }
        if let Some(wish) = self.answers.read(&scene, open) {
            return self.answered(wish, heard, offered);
        }
        if let Some(row) = self.reflexes.row(heard, &self.grease, &frame) {
            if row.windows(2).all(|pair| pair.first() == pair.last()) {
                if let Some(found) = self.obeyed(&scene, utterance.speaking, row.first().copied()) {
                    return found;
                }
            } else {
                // "핵심만 영어로": one reading in two words.
                let silent = (!utterance.speaking).then(|| self.read(&scene, false, offered)).flatten();
                return silent
                    .unwrap_or(Interpretation { kind: UtteranceKind::Ambiguous, ..Interpretation::default() });
            }
        }
        if let Some(found) = self.labelled(&scene, offered) {
            return found;
        }
        if slips && heard.len() <= SHORT {
            let near = self.reflexes.near(heard, &self.grease, &frame, 1);
            if let Some(found) = self.obeyed(&scene, utterance.speaking, near) {
                return found;
            }
        }
        let steps = self.steps(&scene);
        let acts = steps.iter().any(|step| step.wish.action.is_some());
        let reads_last = steps.last().is_some_and(|step| step.wish.intent.is_some());
        if (!acts || steps.len() < 2 || reads_last)
            && let Some(found) = self.read(&scene, utterance.speaking, offered)
            // "설정 열고 읽어줘" is two steps, "한국어로 바꿔서 읽어줘" is one reading.
            && (steps.len() < 2 || found.wish.intent != Some(Intent::Read))
            && !(acts && found.wish.target_text.as_deref().is_some_and(|text| is_setting(text) || ends(heard, text)))
        {
            return found;
        }
        if acts {
            let found = self.commanded(steps, heard, offered);
            // "스크럴 내려" is not an order about an element called 스크럴.
            let better = (slips && found.kind == UtteranceKind::Ambiguous)
                .then(|| self.repaired(heard, utterance, offered))
                .flatten();
            return better.filter(|better| better.kind == UtteranceKind::Command).unwrap_or(found);
        }
        let short = heard.words(0, heard.len()).len() <= MAX_WORDS_WITH_A_SLIP + 2;
        let near = (slips && short).then(|| self.reflexes.near(heard, &self.grease, &frame, ANY_SLIP)).flatten();
        if let Some(found) = self.obeyed(&scene, utterance.speaking, near) {
            return found;
        }
        self.named(&scene, offered)
            .or_else(|| slips.then(|| self.repaired(heard, utterance, offered)).flatten())
            .or_else(|| (!utterance.speaking).then(|| self.pointed_at(&scene, offered)).flatten())
            .unwrap_or_default()
    }

    /// A command or reading after one or two words are replaced by the command words that they nearly match.
    fn repaired(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
    ) -> Option<Interpretation> {
        if heard.len() > 2 * SHORT || heard.words(0, heard.len()).len() > MAX_WORDS_WITH_A_SLIP {
            return None;
        }
        let once = NormalisedUtterance::new(&self.repair.repair(heard, &self.grease)?);
        self.put_right(&once, utterance, offered).or_else(|| {
            let twice = NormalisedUtterance::new(&self.repair.repair(&once, &self.grease)?);
            self.put_right(&twice, utterance, offered)
        })
    }

    fn put_right(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
    ) -> Option<Interpretation> {
        let frame = Frame::new(heard, &self.grease);
        let labels = labels(offered);
        let scene = Scene {
            heard,
            frame: &frame,
            grease: &self.grease,
            desk: &self.desk,
            numbers: &self.numbers,
            labels: &labels,
        };
        let steps = self.steps(&scene);
        if steps.iter().any(|step| step.wish.action.is_some()) {
            return Some(self.commanded(steps, heard, offered)).filter(|found| found.kind == UtteranceKind::Command);
        }
        self.read(&scene, utterance.speaking, offered)
    }
}

/// Whether a text is the end of the utterance, including its verb.
fn ends(heard: &NormalisedUtterance, text: &str) -> bool {
    let text = normalised::compact(text);
    text.len() > 2 && heard.has_hangul() && heard.cells.ends_with(&text)
}

/// Whether a target "in Korean" is a setting and not a text.
fn is_setting(target: &str) -> bool {
    ["언어", "자판", "키보드", "입력기", "입력 모드", "입력 언어"].iter().any(|setting| target.ends_with(setting))
}

#[cfg(test)]
mod tests;
