//! Who may confirm something dangerous (DNG-2).

use luna_messages::executor::{OrderSource, SpokenOrder};

/// A confirmation by the person. There is no other way to have one than those below.
#[derive(Debug, PartialEq, Eq)]
pub struct Consent(());

impl Consent {
    /// By an answer in words that says yes and nothing else. `needs_call`: yes counts only with the wake word.
    ///
    /// A program can't confirm, nor can a voice that began before the question was over: it may be Luna's own, or an answer to something else.
    #[must_use]
    pub const fn in_words(answer: &SpokenOrder, needs_call: bool) -> Option<Self> {
        let is_person = matches!(answer.source, OrderSource::Voice) && !answer.overlaps_playback;
        if is_person && (answer.called || !needs_call) { Some(Self(())) } else { None }
    }

    /// By the key for it.
    #[must_use]
    pub const fn by_key() -> Self {
        Self(())
    }
}
