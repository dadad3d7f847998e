//! Small things that several steps need: a sentence of Luna's own, and where a sentence of the text begins.

use luna_messages::tts::NoticeTiming;

use super::effect::FocusEffect;
use crate::phrases::Phrase;
use luna_text::sentence;

/// Luna says it at once.
pub(super) const fn say(phrase: Phrase) -> FocusEffect {
    FocusEffect::Say(phrase, NoticeTiming::Now)
}

/// If the sentence that holds `offset` begins, in characters.
pub(super) fn sentence_start(text: &str, offset: usize) -> usize {
    let starts: Vec<usize> = sentence::split(text).iter().map(|piece| piece.start).collect();
    starts.get(sentence::at(&starts, offset)).copied().unwrap_or(0)
}
