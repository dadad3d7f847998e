//! The borders of Luna's own readings: for a moment after the start and the end of one, a short sound is its echo, before the canceller has settled
//! (BRG-4). Sentences inside a reading have no borders (BRG-9).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::tts::SpeechEvent;

/// How long a paused reading counts as one that goes on.
const PAUSED: Duration = Duration::from_secs(30);
/// Borders kept: the beginning and end of the newest readings.
const KEPT: usize = 4;

/// What Luna reads now, and the borders of its readings.
#[derive(Debug, Default)]
pub struct ReadingBorders {
    /// The reading that sounds.
    sounding: Option<RequestId>,
    /// The reading that is paused, and since when.
    paused: Option<(RequestId, Duration)>,
    /// Times of the newest borders, the newest last.
    borders: Vec<Duration>,
}

impl ReadingBorders {
    /// Follows Luna's own speech.
    pub fn hear(&mut self, event: &SpeechEvent, now: Duration) {
        match event {
            SpeechEvent::Sentence { id, .. } | SpeechEvent::Resumed { id } => {
                if self.sounding != Some(*id) {
                    self.add(now);
                }
                (self.sounding, self.paused) = (Some(*id), None);
            }
            SpeechEvent::Finished { id } | SpeechEvent::Stopped { id, .. } | SpeechEvent::Paused { id } => {
                // A reading that another one replaced ends after it began.
                if self.sounding == Some(*id) {
                    self.sounding = None;
                    self.add(now);
                }
                if matches!(event, SpeechEvent::Paused { .. }) {
                    self.paused = Some((*id, now));
                } else {
                    self.paused.take_if(|(paused, _)| paused == id);
                }
            }
            SpeechEvent::Rate { .. } => {}
        }
    }

    /// What sounds is heard by nobody.
    pub const fn silence(&mut self) {
        self.sounding = None;
    }

    fn add(&mut self, now: Duration) {
        self.borders.push(now);
        if self.borders.len() > KEPT {
            self.borders.remove(0);
        }
    }

    /// Whether Luna speaks.
    pub const fn speaks(&self) -> bool {
        self.sounding.is_some()
    }

    /// Whether Luna speaks, or paused a moment ago: "resume" then needs no name either.
    pub fn speaks_or_paused(&self, now: Duration) -> bool {
        self.speaks() || self.paused.is_some_and(|(_, since)| now.saturating_sub(since) < PAUSED)
    }

    /// Whether a sound lies wholly within `gate` after a border.
    pub fn covers(&self, from: Duration, to: Duration, gate: Duration) -> bool {
        self.borders.iter().any(|border| *border <= from && to <= *border + gate)
    }
}
