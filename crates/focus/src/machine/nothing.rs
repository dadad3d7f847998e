//! Nothing is there to read: what is said, and how the wait for a command ends (FOC-1, FOC-5).

use luna_messages::bus::BusEvent;
use luna_messages::pick::{Element, PickFailure, PickRequest};

use super::effect::FocusEffect;
use super::say::say;
use super::state::{Focus, FocusState};
use crate::phrases::Phrase;

impl Focus {
    /// Waits for a command. It is said at every new target: silence could also mean that Luna did not notice the move.
    pub(super) fn nothing(&mut self, request: PickRequest, failure: PickFailure) -> Vec<FocusEffect> {
        self.wait(request, failure, say(Phrase::NothingToRead(failure)))
    }

    /// A protected field is there. It is said which one; its text is not known (PIC-5).
    pub(super) fn protected(&mut self, request: PickRequest, field: &Element) -> Vec<FocusEffect> {
        if field.label.trim().is_empty() {
            return self.nothing(request, PickFailure::Protected);
        }
        let (name, phrase) = (field.label.trim().to_owned(), Phrase::NothingToRead(PickFailure::Protected));
        self.wait(request, PickFailure::Protected, FocusEffect::SayOf { name, phrase })
    }

    fn wait(&mut self, request: PickRequest, failure: PickFailure, said: FocusEffect) -> Vec<FocusEffect> {
        self.end_late_intention();
        self.state = FocusState::WaitCommand { request };
        let deadline = self.new_timer();
        self.deadline = Some(deadline);
        let mut effects = vec![
            FocusEffect::CountPick { method: "none", outcome: failure_name(failure) },
            FocusEffect::Publish(BusEvent::PickFailed { reason: failure_name(failure).to_owned() }),
            FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
            said,
            FocusEffect::StartTimer { generation: deadline, after: self.settings.wait_command_timeout },
        ];
        effects.extend(self.recheck_cursor());
        effects
    }

    /// The person did not answer the offer of a wider search. If follow is on, focus mode stays on: the next settled move is a new target (FOC-5).
    pub(super) fn wait_timed_out(&mut self) -> Vec<FocusEffect> {
        if !self.settings.follow {
            return self.switch_off(Phrase::FocusTimedOut);
        }
        let mut effects = self.enter_idle();
        self.armed = true;
        effects.extend([
            FocusEffect::Forget,
            FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
            say(Phrase::WaitTimedOut),
        ]);
        effects
    }

    /// Esc dismisses the question; in other states the key is meant for the application only.
    pub(super) fn escape(&mut self) -> Vec<FocusEffect> {
        match self.state {
            FocusState::WaitCommand { .. } => self.switch_off(Phrase::FocusOff),
            FocusState::Idle | FocusState::Targeting { .. } | FocusState::Reading(_) | FocusState::Pinned(_) => {
                Vec::new()
            }
        }
    }
}

const fn failure_name(failure: PickFailure) -> &'static str {
    match failure {
        PickFailure::NoText => "no_text",
        PickFailure::Protected => "protected",
        PickFailure::NoWindow => "no_window",
        PickFailure::WindowGone => "window_gone",
        PickFailure::Changed => "changed",
        PickFailure::NoAnswer => "no_answer",
        PickFailure::Unavailable => "unavailable",
        PickFailure::Failed => "failed",
    }
}
