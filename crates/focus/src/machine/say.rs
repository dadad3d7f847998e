//! Helpers for several steps: a sentence of Luna's own, and the start of a sentence of the text.

use luna_messages::tts::NoticeTiming;

use super::effect::FocusEffect;
use crate::phrases::Phrase;
use luna_text::sentence;

/// Speaks a phrase immediately.
pub(super) const fn say(phrase: Phrase) -> FocusEffect {
    FocusEffect::Say(phrase, NoticeTiming::Now)
}

/// Speaks a phrase after the current sentence.
pub(super) const fn say_after_sentence(phrase: Phrase) -> FocusEffect {
    FocusEffect::Say(phrase, NoticeTiming::AfterSentence)
}

/// Start of the sentence that contains `offset`, in characters.
pub(super) fn sentence_start(text: &str, offset: usize) -> usize {
    let starts: Vec<usize> = sentence::split(text).iter().map(|piece| piece.start).collect();
    starts.get(sentence::at(&starts, offset)).copied().unwrap_or(0)
}
