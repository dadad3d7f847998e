//! What the person said about reading (NLU-1, FOC-3).

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::reading::{Intent, ReadingWish, Style};
use luna_messages::tts::{ReadAloud, ReadRequest};

use super::effect::FocusEffect;
use super::requested_reading::{ReadingAction, RequestedReading};
use super::state::Focus;
use crate::announce::reads_rows;

impl Focus {
    /// Does what was wished with the text that is read, or with the next one (FOC-7).
    pub(super) fn wish(&mut self, id: RequestId, wish: &ReadingWish) -> Vec<FocusEffect> {
        // A model took long to understand it, and a stop came meanwhile.
        if id < self.stopped {
            return Vec::new();
        }
        // It is about what is read now: what is found after a small move would replace it.
        let mut effects = Vec::from_iter(self.end_probe());
        effects.push(FocusEffect::Publish(self.intent_request(wish)));
        effects.extend(self.request_reading(id, RequestedReading::of_wish(wish)));
        effects
    }

    fn intent_request(&self, wish: &ReadingWish) -> BusEvent {
        let (text, lang) = match self.current() {
            Some(target) => (target.text().to_owned(), target.pick.lang),
            None => (String::new(), self.settings.lang),
        };
        BusEvent::IntentRequest { utterance: wish.utterance.clone(), text, lang }
    }

    /// A reading that a command or words ask for.
    pub(super) fn request_reading(&mut self, id: RequestId, requested: RequestedReading) -> Vec<FocusEffect> {
        if self.current().is_none() {
            return self.intend(id, requested);
        }
        match requested.step {
            Some(step) => self.step_lines(id, step, Some(requested.there())),
            None => self.read_as_requested(id, requested),
        }
    }

    /// Does with the current text what was asked for (BRG-2).
    pub(super) fn read_as_requested(&mut self, id: RequestId, requested: RequestedReading) -> Vec<FocusEffect> {
        let Some(target) = self.current() else { return self.nothing_is_read() };
        match requested.action_on(target.pick.lang) {
            ReadingAction::Translate => self.translate(id, requested.lang, requested.fidelity),
            ReadingAction::Summarize => self.summarize(id, requested.lang),
            ReadingAction::Aloud(style) => self.replay(id, style, requested),
        }
    }

    /// Reads the same text in another style, or plainly from its beginning (BRG-2).
    fn replay(&mut self, id: RequestId, style: Style, requested: RequestedReading) -> Vec<FocusEffect> {
        let Some(mut target) = self.current().cloned() else { return self.nothing_is_read() };
        target.style = style;
        target.reading = id;
        let (intent, read) = match style {
            Style::News => (Intent::Read, self.read_anew(&target)),
            Style::Spell | Style::SpellJamo => (Intent::Spell, self.read(&target)),
            Style::Numbers => (Intent::Numbers, self.read(&target)),
        };
        // Spelling and numbers have no other language than their text.
        let lang_tgt = requested.lang.filter(|_| style == Style::News);
        self.set_current(target);
        vec![FocusEffect::Publish(BusEvent::IntentResult { intent, mode: None, lang_tgt }), read]
    }

    /// Reads a target plainly from its beginning: a table row by row, else its text.
    fn read_anew(&self, target: &super::state::ReadingTarget) -> FocusEffect {
        let pick = &target.pick;
        let reading = if reads_rows(pick) {
            ReadAloud::Rows { rows: pick.rows.clone(), has_header: pick.has_header, row: 0 }
        } else {
            ReadAloud::Text { text: target.text().to_owned(), offset: 0 }
        };
        FocusEffect::Read(ReadRequest { id: target.reading, reading, style: Style::News, lang: self.settings.lang })
    }
}
