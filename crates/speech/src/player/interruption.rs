//! What ends, interrupts or suspends speech. During a pause, what is paused gives way to notices and stays paused (TTS-2, FOC-6).

use luna_messages::tts::SpeechEvent;

use super::{CurrentSentence, MAX_WAITING_NOTICES, Player, PlayerContent, PlayerEffect, PlayerInput, PlayerPosition};

/// What the person paused, while notices sound in its place.
#[derive(Debug)]
pub(super) struct SuspendedSpeech {
    now: CurrentSentence,
    outcome: Option<PlayerInput>,
    /// The notice and whether it answers the person, if a notice was paused.
    notice: Option<(PlayerPosition, bool)>,
    /// Whether the person resumed it meanwhile; then it goes on after the notices, else it stays paused.
    resumed: bool,
}

impl Player {
    /// Puts aside what is paused, so that a notice can sound; returns whether anything was paused.
    pub(super) fn suspend(&mut self, to: &mut Vec<PlayerEffect>) -> bool {
        let Some(now) = self.now.take_if(|_| self.paused) else { return false };
        self.paused = false;
        let outcome = self.outcome.take();
        let notice = match now.content {
            PlayerContent::Reading => None,
            PlayerContent::Notice => self.notice.take().map(|place| (place, self.answer)),
        };
        match notice {
            // Each is a notice that the person paused while the one before it was paused.
            Some((notice, _)) if self.suspended.len() >= MAX_WAITING_NOTICES => {
                to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
            }
            notice => {
                let now = CurrentSentence { replaced: true, ..now };
                self.suspended.push(SuspendedSpeech { now, outcome, notice, resumed: false });
            }
        }
        true
    }

    /// What is put aside goes on after the notices that sound.
    pub(super) fn resume_suspended(&mut self) {
        for speech in &mut self.suspended {
            speech.resumed = true;
        }
    }

    /// Returns to what was put aside last: paused, or resumed if the person said so meanwhile. Returns whether there was anything.
    pub(super) fn return_to_pause(&mut self, to: &mut Vec<PlayerEffect>) -> bool {
        let Some(speech) = self.suspended.pop() else { return false };
        if let Some((place, answer)) = speech.notice {
            self.notice = Some(place);
            self.answer = answer;
        }
        self.now = Some(speech.now);
        self.outcome = speech.outcome;
        self.paused = true;
        if speech.resumed {
            self.resume(to);
        }
        true
    }

    /// Ends the current order without a new one, and publishes what was interrupted. Positions are kept.
    pub(super) fn interrupt(&mut self, to: &mut Vec<PlayerEffect>) {
        let now = self.now.take();
        self.paused = false;
        self.outcome = None;
        self.awaiting = false;
        if now.is_some_and(|now| now.content == PlayerContent::Notice)
            && let Some(notice) = &self.notice
        {
            to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
        }
        for (notice, _) in self.suspended.drain(..).filter_map(|speech| speech.notice) {
            to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
        }
        if std::mem::take(&mut self.open)
            && let Some(reading) = &self.reading
        {
            to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: reading.id(), idx: reading.idx }));
        }
    }

    /// Ends a pause and publishes that the order continues.
    pub(super) fn end_pause(&mut self, to: &mut Vec<PlayerEffect>) {
        if std::mem::take(&mut self.paused)
            && let Some(id) = self.now_id()
        {
            to.push(PlayerEffect::Publish(SpeechEvent::Resumed { id }));
        }
    }

    /// Ends a notice that the person skips; returns whether one was playing.
    pub(super) fn skip_notice(&mut self, to: &mut Vec<PlayerEffect>) -> bool {
        if self.now.is_none_or(|now| now.content != PlayerContent::Notice) {
            return false;
        }
        self.now = None;
        self.paused = false;
        self.outcome = None;
        if let Some(notice) = self.notice.take() {
            to.push(PlayerEffect::Publish(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
        }
        true
    }
}
