//! Text that arrives piecewise (TRN-2), and the event for a sentence.

use luna_messages::tts::SpeechEvent;

use super::{Player, PlayerContent, PlayerEffect, PlayerInput, StreamedPart};

impl PlayerInput {
    /// Whether the input reports on a play order instead of being a command.
    pub(super) const fn is_report(&self) -> bool {
        matches!(self, Self::Started(_) | Self::Unheard(_) | Self::Ended(_) | Self::Broken(_) | Self::Unspoken(_))
    }
}

impl Player {
    /// Handles a piece. A piece of a reading that was replaced meanwhile is dropped.
    pub(super) fn part(&mut self, part: StreamedPart, to: &mut Vec<PlayerEffect>) {
        let StreamedPart { mut utterance, first, last, stop } = part;
        if first {
            self.read(utterance, !last, to);
        } else {
            let Some(reading) = self.reading.as_mut().filter(|reading| reading.id() == utterance.id) else { return };
            let joined = !utterance.sentences.is_empty();
            let said = usize::from(!reading.utterance.sentences.is_empty());
            reading.utterance.sentences.append(&mut utterance.sentences);
            reading.more = !last;
            if joined && std::mem::take(&mut self.awaiting) {
                reading.idx += said;
                if self.now.is_none() {
                    self.order(PlayerContent::Reading, to);
                }
            } else if last && self.awaiting {
                self.finish_reading(to);
                if self.now.is_none() {
                    self.continue_speech(to, true);
                }
            }
        }
        if stop {
            self.stop(to);
        }
    }

    pub(super) fn publish_sentence(&mut self, to: &mut Vec<PlayerEffect>) {
        let Some(now) = &mut self.now else { return };
        if std::mem::replace(&mut now.published, true) {
            return;
        }
        let notice = now.content == PlayerContent::Notice;
        let Some(place) = self.now_place() else {
            return;
        };
        let Some(sentence) = place.utterance.sentences.get(place.idx) else {
            return;
        };
        to.push(PlayerEffect::Publish(SpeechEvent::Sentence {
            id: place.id(),
            idx: place.idx,
            of: place.utterance.sentences.len(),
            text: sentence.text.clone(),
            lang: sentence.lang,
            notice,
        }));
    }
}
