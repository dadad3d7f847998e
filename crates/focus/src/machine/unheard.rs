//! What of an announcement of the keyboard focus was heard, for a change of the element that comes while it is read (ANN-5), and for a move of the
//! focus within a dialog that opened just before (ATT-2): many dialogs focus one element, and then their default button.
//!
//! Many elements change right after they get the focus: the address bar of a browser opens its list. The change alone would cut off the words that
//! tell what has the focus.

use luna_messages::RequestId;
use luna_messages::tts::SpeechEvent;

use crate::announce::Announcement;

/// The newest announcement of the keyboard focus.
#[derive(Debug)]
pub(super) struct Announced {
    /// The reading that speaks it.
    reading: RequestId,
    /// The dialogs that are said before the element.
    dialogs: Vec<Announcement>,
    /// Number of sentences after the one that tells the element.
    body: usize,
    heard: ReadSoFar,
    /// Whether it repeats one that was cut off. It happens once, so that a key that is held down does not begin the same words again and again.
    is_repeated: bool,
}

/// How far it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadSoFar {
    /// Nothing, or the beginning of its first sentence, which has this index.
    Beginning(Option<usize>),
    /// Something of the dialogs.
    Dialogs,
    /// The beginning of what tells the element.
    Element,
    Everything,
}

/// An announcement to say again, with the change in it.
pub(super) struct Repetition {
    pub(super) dialogs: Vec<Announcement>,
}

impl Announced {
    pub(super) fn new(reading: RequestId, dialogs: Vec<Announcement>, said: &Announcement, is_repeated: bool) -> Self {
        let body = said.sentences_after_introduction();
        Self { reading, dialogs, body, heard: ReadSoFar::Beginning(None), is_repeated }
    }

    /// What to say again if the element changes now; `None` if the person heard what it is, so that the change is enough.
    pub(super) fn repetition(self, reading: RequestId) -> Option<Repetition> {
        if self.reading != reading {
            return None;
        }
        match self.heard {
            ReadSoFar::Beginning(_) if !self.is_repeated => Some(Repetition { dialogs: self.dialogs }),
            ReadSoFar::Beginning(None) | ReadSoFar::Dialogs => Some(Repetition { dialogs: Vec::new() }),
            ReadSoFar::Beginning(Some(_)) if !self.dialogs.is_empty() => Some(Repetition { dialogs: Vec::new() }),
            ReadSoFar::Element if !self.is_repeated => Some(Repetition { dialogs: Vec::new() }),
            ReadSoFar::Beginning(Some(_)) | ReadSoFar::Element | ReadSoFar::Everything => None,
        }
    }

    /// The dialogs to say again if the focus moves on in them now, and whether the person heard them begin. That is said again once; what was
    /// not heard at all stays to be said.
    pub(super) fn unheard_dialogs(self, reading: RequestId) -> (Vec<Announcement>, bool) {
        match self.heard {
            _ if self.reading != reading => (Vec::new(), false),
            ReadSoFar::Beginning(None) => (self.dialogs, self.is_repeated),
            ReadSoFar::Beginning(Some(_)) if !self.is_repeated => (self.dialogs, true),
            ReadSoFar::Beginning(Some(_)) | ReadSoFar::Dialogs | ReadSoFar::Element | ReadSoFar::Everything => {
                (Vec::new(), false)
            }
        }
    }

    pub(super) fn hear(&mut self, event: &SpeechEvent) {
        match event {
            SpeechEvent::Sentence { id, idx, of, .. } if *id == self.reading => {
                let element = of.saturating_sub(self.body + 1);
                self.heard = match self.heard {
                    _ if *idx > element => ReadSoFar::Everything,
                    ReadSoFar::Beginning(None) => ReadSoFar::Beginning(Some(*idx)),
                    ReadSoFar::Beginning(Some(first)) if first == *idx => ReadSoFar::Beginning(Some(first)),
                    _ if *idx == element => ReadSoFar::Element,
                    _ => ReadSoFar::Dialogs,
                };
            }
            SpeechEvent::Finished { id } | SpeechEvent::Stopped { id, .. } if *id == self.reading => {
                self.heard = ReadSoFar::Everything;
            }
            _ => {}
        }
    }
}
