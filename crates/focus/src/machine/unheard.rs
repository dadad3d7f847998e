//! What of an announcement of the keyboard focus was heard, for a change of the element that comes while it is read (ANN-5).
//!
//! Many elements change right after they get the focus: the address bar of a browser opens its list. The change alone would cut off the words that
//! tell what has the focus.

use luna_messages::RequestId;
use luna_messages::tts::SpeechEvent;

use super::state::Focus;
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
    heard: Heard,
    /// Whether it repeats one that was cut off. It happens once, so that a key that is held down does not begin the same words again and again.
    is_repeated: bool,
}

/// How far it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
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
    pub(super) fn new(
        reading: RequestId,
        dialogs: Vec<Announcement>,
        said: &Announcement,
        repeats: Option<&Repetition>,
    ) -> Self {
        let (body, is_repeated) = (said.sentences_after_introduction(), repeats.is_some());
        Self { reading, dialogs, body, heard: Heard::Beginning(None), is_repeated }
    }

    /// What to say again if the element changes now; `None` if the person heard what it is, so that the change is enough.
    pub(super) fn repetition(self, reading: RequestId) -> Option<Repetition> {
        if self.reading != reading {
            return None;
        }
        match self.heard {
            Heard::Beginning(_) if !self.is_repeated => Some(Repetition { dialogs: self.dialogs }),
            Heard::Beginning(None) | Heard::Dialogs => Some(Repetition { dialogs: Vec::new() }),
            Heard::Beginning(Some(_)) if !self.dialogs.is_empty() => Some(Repetition { dialogs: Vec::new() }),
            Heard::Element if !self.is_repeated => Some(Repetition { dialogs: Vec::new() }),
            Heard::Beginning(Some(_)) | Heard::Element | Heard::Everything => None,
        }
    }

    fn hear(&mut self, event: &SpeechEvent) {
        match event {
            SpeechEvent::Sentence { id, idx, of, .. } if *id == self.reading => {
                let element = of.saturating_sub(self.body + 1);
                self.heard = match self.heard {
                    _ if *idx > element => Heard::Everything,
                    Heard::Beginning(None) => Heard::Beginning(Some(*idx)),
                    Heard::Beginning(Some(first)) if first == *idx => Heard::Beginning(Some(first)),
                    _ if *idx == element => Heard::Element,
                    _ => Heard::Dialogs,
                };
            }
            SpeechEvent::Finished { id } | SpeechEvent::Stopped { id, .. } if *id == self.reading => {
                self.heard = Heard::Everything;
            }
            _ => {}
        }
    }
}

impl Focus {
    pub(super) fn hear(&mut self, event: &SpeechEvent) {
        if let Some(announced) = &mut self.announced {
            announced.hear(event);
        }
    }
}
