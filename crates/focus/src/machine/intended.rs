//! What was asked for before its text was there: it decides what the next pick does (FOC-7).

use std::time::Duration;

use luna_messages::RequestId;

use super::effect::FocusEffect;
use super::pending::IntendedReading;
use super::requested_reading::RequestedReading;
use super::state::{Focus, FocusState};

/// How long it waits for its text (FOC-7).
const MAX_AGE: Duration = Duration::from_secs(5);

impl Focus {
    /// Nothing is read that `requested` could be about: it is about what is picked next.
    pub(super) fn intend(&mut self, id: RequestId, requested: RequestedReading) -> Vec<FocusEffect> {
        let timer = self.new_timer();
        self.intended = Some(IntendedReading { id, requested, timer, is_last_search: false });
        // A search that is under way answers by itself.
        let searches = matches!(self.state, FocusState::Targeting { .. });
        let mut effects = if searches { Vec::new() } else { self.nothing_is_read() };
        effects.push(FocusEffect::StartTimer { generation: timer, after: MAX_AGE });
        effects
    }

    /// The wait of timer `generation` is over.
    pub(super) fn end_intention(&mut self, generation: u64) {
        if let Some(intended) = self.intended.as_mut().filter(|intended| intended.timer == generation) {
            intended.is_last_search = true;
            if !matches!(self.state, FocusState::Targeting { .. }) {
                self.intended = None;
            }
        }
    }

    /// The search found nothing.
    pub(super) fn end_late_intention(&mut self) {
        self.intended.take_if(|intended| intended.is_last_search);
    }

    /// What is done with the text that was found, if something was asked for before. Once only.
    pub(super) fn take_intention(&mut self) -> Option<(RequestId, RequestedReading)> {
        self.intended.take().map(|intended| (intended.id, intended.requested))
    }
}
