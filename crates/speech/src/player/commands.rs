//! The effect of each command on the player.

use luna_messages::tts::{NoticeTiming, SpeechEvent};

use super::{MAX_WAITING_NOTICES, Player, PlayerContent, PlayerEffect, PlayerPosition, Rates, SpeechScript};

impl Player {
    /// `more`: further sentences will arrive.
    pub(super) fn read(&mut self, utterance: SpeechScript, more: bool, to: &mut Vec<PlayerEffect>) {
        self.interrupt(to);
        self.notice = None;
        let empty = utterance.sentences.is_empty() && !more;
        let idx = utterance.first.min(utterance.sentences.len().saturating_sub(1));
        self.finished = empty;
        self.open = !empty;
        if empty {
            to.push(PlayerEffect::Publish(SpeechEvent::Finished { id: utterance.id }));
            self.reading = None;
        } else {
            self.awaiting = utterance.sentences.is_empty();
            self.reading = Some(PlayerPosition { utterance, idx, more });
        }
        self.continue_speech(to, false);
    }

    pub(super) fn say(&mut self, utterance: SpeechScript, timing: NoticeTiming, to: &mut Vec<PlayerEffect>) {
        if utterance.sentences.is_empty() {
            to.push(PlayerEffect::Publish(SpeechEvent::Finished { id: utterance.id }));
            return;
        }
        match timing {
            NoticeTiming::AfterSentence if self.now.is_some() => {
                // In a pause no sentence ends that the notice could wait for.
                let suspended = self.suspend(to);
                if self.waiting.len() >= MAX_WAITING_NOTICES
                    && let Some(oldest) = self.waiting.pop_front()
                {
                    to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: oldest.id, idx: 0 }));
                }
                self.waiting.push_back(utterance);
                if suspended {
                    self.continue_speech(to, true);
                }
            }
            NoticeTiming::AfterSentence | NoticeTiming::Now => {
                self.interrupt(to);
                self.say_notice(PlayerPosition { utterance, idx: 0, more: false }, timing == NoticeTiming::Now, to);
            }
        }
    }

    pub(super) fn stop(&mut self, to: &mut Vec<PlayerEffect>) {
        if self.is_silent() {
            return;
        }
        self.interrupt(to);
        for notice in self.waiting.drain(..) {
            to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: notice.id, idx: 0 }));
        }
    }

    pub(super) fn forget(&mut self, to: &mut Vec<PlayerEffect>) {
        self.stop(to);
        // Dropping a sentence wipes it.
        self.reading = None;
        self.notice = None;
        self.finished = true;
        to.push(PlayerEffect::Wipe);
    }

    pub(super) fn pause(&mut self, to: &mut Vec<PlayerEffect>) {
        if self.is_speaking()
            && let Some(id) = self.now_id()
        {
            self.paused = true;
            to.extend([PlayerEffect::Pause, PlayerEffect::Publish(SpeechEvent::Paused { id })]);
        }
    }

    pub(super) fn resume(&mut self, to: &mut Vec<PlayerEffect>) {
        self.resume_suspended();
        if self.paused {
            self.end_pause(to);
            let replaced = self.now.as_mut().is_some_and(|now| std::mem::take(&mut now.replaced));
            match (self.outcome.take(), self.now) {
                (Some(outcome), _) => to.extend(self.step(outcome)),
                (None, Some(now)) if replaced => self.order(now.content, to),
                (None, _) => to.push(PlayerEffect::Continue),
            }
        } else if self.now.is_none() && !self.finished && !self.awaiting {
            self.speak_reading(to);
        }
    }

    pub(super) fn repeat(&mut self, to: &mut Vec<PlayerEffect>) {
        match self.now.map(|now| now.content) {
            Some(PlayerContent::Notice) => {
                self.end_pause(to);
                self.order(PlayerContent::Notice, to);
            }
            Some(PlayerContent::Reading) => self.speak_reading(to),
            None => match self.notice.take() {
                Some(answer) => {
                    to.push(PlayerEffect::Publish(SpeechEvent::Resumed { id: answer.id() }));
                    self.say_notice(PlayerPosition { idx: 0, ..answer }, true, to);
                }
                None => self.speak_reading(to),
            },
        }
    }

    pub(super) fn next(&mut self, to: &mut Vec<PlayerEffect>) {
        let skipped = self.skip_notice(to);
        if skipped && self.return_to_pause(to) {
            return self.next(to);
        }
        match &mut self.reading {
            // Only the notice is skipped: the sentence after it is spoken.
            Some(_) if skipped && self.open && !self.awaiting => self.speak_reading(to),
            Some(reading) if !reading.is_last() => {
                reading.idx += 1;
                self.speak_reading(to);
            }
            // The next sentence has not arrived yet.
            Some(reading) if reading.more => {
                if self.now.is_some() && self.open {
                    self.end_pause(to);
                    self.outcome = None;
                    self.now = None;
                    self.awaiting = true;
                }
            }
            Some(_) if self.open => {
                self.end_pause(to);
                self.outcome = None;
                self.now = None;
                self.finish_reading(to);
                self.continue_speech(to, true);
            }
            Some(_) | None if skipped => self.continue_speech(to, true),
            Some(_) | None => {}
        }
    }

    pub(super) fn previous(&mut self, to: &mut Vec<PlayerEffect>) {
        let skipped = self.skip_notice(to);
        if skipped && self.return_to_pause(to) {
            return self.previous(to);
        }
        if let Some(reading) = &mut self.reading {
            reading.idx = reading.idx.saturating_sub(1);
            self.speak_reading(to);
        } else if skipped {
            self.continue_speech(to, true);
        }
    }

    pub(super) fn configure(&mut self, rates: Rates, to: &mut Vec<PlayerEffect>) {
        let before = std::mem::replace(&mut self.rates, rates);
        let rate = if rates.rate == before.rate { self.rate } else { rates.rate };
        if rate.max(rates.min).min(rates.max) != self.rate {
            self.set_rate(rate, to);
        }
    }

    pub(super) fn set_rate(&mut self, rate: u32, to: &mut Vec<PlayerEffect>) {
        let rate = rate.max(self.rates.min).min(self.rates.max);
        self.rate = rate;
        to.extend([PlayerEffect::Tempo(self.rate()), PlayerEffect::Publish(SpeechEvent::Rate { thousandths: rate })]);
    }
}
