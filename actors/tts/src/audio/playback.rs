//! The order that is played: what of it is fed, what of it was reported, and the way back to a word (BRG-1).

use luna_speech::player::PlayRequest;
use tokio::time::Instant;

use super::PlaybackJob;
use super::feeding::{Fed, Feeding};
use crate::clip::ClipEnd;
use crate::control::PlaybackControl;
use crate::duck::DuckMark;
use crate::report::PlaybackReport;
use crate::ring::Ring;

/// The part of the audio thread that needs no device.
#[derive(Default)]
pub(super) struct Playback {
    feeding: Option<Feeding>,
    /// The order being played, until its end was reported.
    sounding: Option<(u32, PlayRequest)>,
    started: bool,
    /// The place of a duck that was looked up last, and the word there.
    mark: Option<DuckMark>,
    word: Option<DuckedWord>,
}

/// The word that sounded when a duck began.
#[derive(Debug, Clone, Copy)]
struct DuckedWord {
    mark: DuckMark,
    /// Its beginning, in samples of the clip.
    begin: usize,
}

impl Playback {
    pub const fn is_feeding(&self) -> bool {
        self.feeding.is_some()
    }

    pub const fn is_sounding(&self) -> bool {
        self.sounding.is_some()
    }

    /// Identifies what is played.
    pub fn play(&self) -> Option<PlayRequest> {
        self.sounding.map(|(_, play)| play)
    }

    /// Whether what is to be played can't be synthesised.
    pub fn is_impossible(&self) -> bool {
        self.feeding.as_ref().is_some_and(|feeding| feeding.job.clip.ended() == Some(ClipEnd::Impossible))
    }

    /// Begins a job, which replaces the current one.
    pub fn begin(&mut self, job: PlaybackJob) {
        self.sounding = Some((job.order, job.play));
        self.started = false;
        self.feeding = Some(Feeding::new(job));
    }

    /// Restarts the sentence: samples that a lost device had not played are gone with it (TTS-1).
    pub fn begin_anew(&mut self) {
        if let Some(feeding) = self.feeding.take() {
            self.feeding = Some(Feeding::new(feeding.job.clone()));
        }
        (self.mark, self.word) = (None, None);
    }

    /// Drops what was stopped.
    pub fn drop_stopped(&mut self, control: &PlaybackControl) {
        if self.sounding.is_some_and(|(order, _)| order != control.order()) {
            self.sounding = None;
            self.feeding = None;
        }
    }

    /// Keeps the word of a duck, and goes back to it if that is asked for. The device is `latency` samples late.
    pub fn follow_duck(&mut self, control: &PlaybackControl, latency: u32) {
        // Read before the place, which the device's thread sets first.
        let duck = control.duck_state();
        self.keep_word(control, latency);
        if !duck.returning {
            return;
        }
        if let Some(DuckedWord { mark, begin }) = self.word.take()
            && mark.epoch == duck.epoch
            && let Some(feeding) = self.feeding.as_mut().filter(|feeding| feeding.job.order == mark.order)
            && let Some(order) = control.renew_order(mark.order)
        {
            feeding.go_to(begin, order, self.started);
            self.sounding = self.sounding.map(|(_, play)| (order, play));
        }
        control.note_returned();
    }

    fn keep_word(&mut self, control: &PlaybackControl, latency: u32) {
        let mark = control.duck_mark();
        if self.mark == mark {
            return;
        }
        self.mark = mark;
        self.word = mark.and_then(|mark| {
            let feeding = self.feeding.as_ref().filter(|feeding| feeding.job.order == mark.order)?;
            let at = feeding.clip_sample(mark.played.saturating_sub(latency) as usize);
            Some(DuckedWord { mark, begin: feeding.job.clip.word(at) })
        });
    }

    /// Feeds the ring of a device with `sample_rate`, at the speaking rate `rate`; returns a failure.
    pub fn feed(&mut self, ring: &Ring, sample_rate: u32, rate: f32) -> Option<PlaybackReport> {
        let fed = self.feeding.as_mut()?.push(ring, sample_rate, rate);
        let report = match fed {
            Fed::Failed(ClipEnd::Crashed) => PlaybackReport::Broken,
            Fed::Failed(ClipEnd::Impossible) => PlaybackReport::Unspoken,
            Fed::Failed(ClipEnd::Done) | Fed::Waiting => return None,
        };
        self.feeding = None;
        self.sounding.take().map(|(_, play)| report(play))
    }

    /// Ends what can't be synthesised, for which no device is opened.
    pub fn give_up(&mut self) -> Option<PlaybackReport> {
        if !self.is_impossible() {
            return None;
        }
        self.feeding = None;
        self.sounding.take().map(|(_, play)| PlaybackReport::Unspoken(play))
    }

    /// What the device has begun or ended since the last call, each once.
    pub fn progress(
        &mut self,
        control: &PlaybackControl,
        now: Instant,
    ) -> impl Iterator<Item = PlaybackReport> + use<> {
        let (mut began, mut over) = (None, None);
        if let Some((order, play)) = self.sounding {
            // Read first: an order that has ended has also started, even if both happened since the last round.
            let ended = control.has_ended(order);
            if !self.started && (ended || control.has_started(order)) {
                self.started = true;
                began = Some(PlaybackReport::Started(play, now));
            }
            if ended {
                self.sounding = None;
                self.feeding = None;
                over = Some(PlaybackReport::Ended(play));
            }
        }
        began.into_iter().chain(over)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
