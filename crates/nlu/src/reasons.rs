//! An order with its reason: "다 썼으니까 저장 버튼 눌러 줄래", "I'm in a hurry, read it faster". The reason is left out (NLU-2).

use luna_messages::understanding::{CandidateInput, Interpretation, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::normalised::{NormalisedUtterance, compact};

/// Letters of an utterance that may hold a reason; more are a text.
const LONGEST: usize = 160;
/// Clauses that are tried.
const TRIES: usize = 4;
/// Words of the order.
const MAX_WORDS: usize = 14;
/// Letters of a target that is no clause of its own.
const LONGEST_TARGET: usize = 24;
/// How a Korean clause ends that gives a reason.
const CAUSES: [&str; 41] = [
    "니까",
    "니깐",
    "거든",
    "거든요",
    "라서",
    "느라",
    "는데",
    "은데",
    "한데",
    "었어",
    "았어",
    "했어",
    "되네",
    "하네",
    "가네",
    "오네",
    "있네",
    "없네",
    "좋네",
    "같네",
    "겠네",
    "었네",
    "았네",
    "했네",
    "렸네",
    "졌네",
    "프네",
    "리네",
    "르네",
    "렵네",
    "둡네",
    "프다",
    "겠다",
    "네요",
    "어요",
    "아서",
    "겠어",
    "려워",
    "안 보여",
    "안 들려",
    "없어",
];
/// Those that make one word a reason.
const SURE_CAUSES: [&str; 6] = ["니까", "니깐", "는데", "은데", "라서", "거든"];
/// How an English clause begins that tells of the person or of the text.
const TELLING: [&str; 22] = [
    "i ", "i'm", "i’m", "i've", "i’ve", "i'd", "i can't", "my ", "it's ", "it’s ", "this is", "that's", "that’s",
    "that is", "you're", "you’re", "because", "since ", "as i", "we ", "we're", "there",
];
/// Words without which a reflex is not taken out of a longer sentence: others talk in the room, too.
const OF_READING: [&str; 17] = [
    "읽", "말해", "들려", "낭독", "소리", "read", "speak", "say", "talk", "slow", "fast", "repeat", "again", "louder",
    "크게", "bigger", "spell",
];

/// A part of an utterance that may be the order, and the rest of it.
struct Split<'a> {
    order: &'a str,
    reason: &'a str,
}

/// The ways to tell an order from its reason.
fn splits(text: &str) -> Vec<Split<'_>> {
    let mut found = Vec::new();
    let marks = [',', ';', '.', '!', '?', '、', '。'];
    let cut = |at: usize, after: usize| Some((text.get(..at)?.trim(), text.get(after..)?.trim()));
    for (at, mark) in text.char_indices().filter(|(_, c)| marks.contains(c)) {
        let after = at + mark.len_utf8();
        let Some((before, behind)) = cut(at, after).filter(|_| text.get(after..).is_some_and(|s| s.starts_with(' ')))
        else {
            continue;
        };
        found.push(Split { order: behind, reason: before });
        found.push(Split { order: before, reason: behind });
    }
    let mut words = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at);
    let causes = words.by_ref().filter(|at| {
        let before = text.get(..*at).unwrap_or_default();
        CAUSES.iter().any(|cause| before.ends_with(cause)) && before.chars().filter(|c| *c != ' ').count() > 3
    });
    found.extend(causes.filter_map(|at| cut(at, at)).map(|(reason, order)| Split { order, reason }));
    found.retain(|split| !split.order.is_empty() && !split.reason.is_empty());
    found
}

impl Understanding {
    /// What the order in an utterance means, where `first`, which took the whole for one, came to nothing or to a thing with too long a name.
    pub(super) fn without_reason(
        &self,
        utterance: &UtteranceInput,
        text: &str,
        offered: &[CandidateInput],
        first: &Interpretation,
    ) -> Option<Interpretation> {
        let long = first.wish.target_text.as_deref().is_some_and(|text| text.contains(' '));
        let open = match first.kind {
            UtteranceKind::None => true,
            UtteranceKind::Command | UtteranceKind::Ambiguous | UtteranceKind::Reading => {
                first.target_id.is_none()
                    && first.steps.is_empty()
                    && first.wish.value.is_none()
                    && (long || utterance.speaking)
            }
            UtteranceKind::Reflex | UtteranceKind::Answer => false,
        };
        if !open || text.chars().nth(LONGEST).is_some() || text.contains(['"', '“', '”', '‘', '「', '『', '`'])
        {
            return None;
        }
        splits(text).into_iter().take(TRIES).find_map(|split| {
            if !gives_reason(split.reason) {
                return None;
            }
            let order = NormalisedUtterance::new(split.order);
            if order.is_empty() || order.words(0, order.len()).len() > MAX_WORDS {
                return None;
            }
            let mut found = self.decide(&order, utterance, offered);
            if let Some(better) = self.again(utterance, split.order, offered, &found) {
                found = better;
            }
            let named = found.wish.target_text.as_deref().map_or(0, |text| text.chars().count()) <= LONGEST_TARGET;
            let definite = match found.kind {
                UtteranceKind::Command => named && (found.wish.action.is_some() || !found.steps.is_empty()),
                UtteranceKind::Reading => {
                    named && (first.kind != UtteranceKind::Reading || found.wish.target_text.is_none())
                }
                UtteranceKind::Reflex => is_of_reading(split.order),
                UtteranceKind::Ambiguous | UtteranceKind::Answer | UtteranceKind::None => false,
            };
            let reason = NormalisedUtterance::new(split.reason);
            let words = reason.words(0, reason.len());
            // What was taken for the thing's name has to hold the reason's end.
            let last = words.last().map(|(from, to)| reason.part(*from, *to)).unwrap_or_default();
            let target = first.wish.target_text.as_deref().map(compact).unwrap_or_default();
            let taken = target.is_empty() || target.windows(last.len().max(1)).any(|part| part == last);
            // Two orders are no order with a reason.
            let sure = words.len() > 1 || SURE_CAUSES.iter().any(|cause| split.reason.ends_with(cause));
            if !definite || !sure || !taken || self.decide(&reason, utterance, offered).kind != UtteranceKind::None {
                return None;
            }
            found.dangerous |= found.kind == UtteranceKind::Command && self.danger.is_in(&order);
            Some(found)
        })
    }
}

/// Whether an order says that it is about reading, in more than one word.
fn is_of_reading(order: &str) -> bool {
    let order = order.to_lowercase();
    order.trim().contains(' ') && OF_READING.iter().any(|word| order.contains(word))
}

/// Whether a clause tells why.
fn gives_reason(reason: &str) -> bool {
    let reason = reason.trim().to_lowercase();
    CAUSES.iter().any(|cause| reason.ends_with(cause)) || TELLING.iter().any(|word| reason.starts_with(word))
}
