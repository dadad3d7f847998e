//! Input that only writes down what it was asked for, and misbehaves on request, for tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputRefusal, InputResult};
use luna_messages::keyboard::KeyChord;

use super::{Input, typed_characters};
use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;

/// What comes of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputFault {
    /// This is answered. Only what was not refused is written down.
    Answer(InputResult),
    /// It takes this long, then succeeds.
    Hang(Duration),
    /// Nothing is sent.
    Fail(PlatformError),
    /// The thread panics before anything is sent, as with a defect in a platform library.
    Panic,
}

/// What was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum SentInput {
    Click(ClickRequest),
    Hover(ClickPoint),
    Scroll { at: ClickPoint, notches: i16 },
    Press { chord: KeyChord, times: u8, window: u64 },
    Text { text: EnteredText, window: u64 },
}

#[derive(Default)]
struct InputScript {
    faults: VecDeque<InputFault>,
    sent: Vec<SentInput>,
}

/// A double of the input, scripted by a test. Clones share it. Without orders, everything succeeds at once.
#[derive(Clone, Default)]
pub struct ScriptedInput(Arc<Mutex<InputScript>>);

impl ScriptedInput {
    fn script(&self) -> MutexGuard<'_, InputScript> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues what comes of one call.
    pub fn order(&self, fault: InputFault) {
        self.script().faults.push_back(fault);
    }

    /// What was sent so far, in order. What was sent in part is there as a whole.
    #[must_use]
    pub fn sent(&self) -> Vec<SentInput> {
        self.script().sent.clone()
    }

    fn send(&self, input: SentInput, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        let fault = self.script().faults.pop_front();
        let result = match fault {
            Some(InputFault::Fail(error)) => return Err(error),
            Some(InputFault::Panic) => std::panic::panic_any("ordered by a test"),
            Some(InputFault::Answer(result)) => result,
            Some(InputFault::Hang(time)) => {
                std::thread::sleep(time);
                InputResult::Done
            }
            None => InputResult::Done,
        };
        if barrier.is_raised() {
            return Ok(InputResult::NotDone(InputRefusal::Stopped));
        }
        if !matches!(result, InputResult::NotDone(_)) {
            self.script().sent.push(input);
        }
        Ok(result)
    }
}

impl Input for ScriptedInput {
    fn click(&self, request: &ClickRequest, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.send(SentInput::Click(*request), barrier)
    }

    fn hover(&self, at: &ClickPoint, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.send(SentInput::Hover(*at), barrier)
    }

    fn scroll(&self, at: &ClickPoint, notches: i16, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.send(SentInput::Scroll { at: *at, notches }, barrier)
    }

    fn press(
        &self,
        chord: &KeyChord,
        times: u8,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        self.send(SentInput::Press { chord: *chord, times, window }, barrier)
    }

    fn type_text(&self, text: &EnteredText, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        match typed_characters(text) {
            Ok(_) => self.send(SentInput::Text { text: text.clone(), window }, barrier),
            Err(place) => Ok(InputResult::NotDone(InputRefusal::NotTypeable { place })),
        }
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::RequestId;

    use super::*;
    use crate::accessibility::actions::StopEpoch;

    // EXE-7, KER-11
    #[test]
    fn only_what_was_sent_is_written_down_exe_7_ker_11() {
        let (input, epoch, text) = (ScriptedInput::default(), StopEpoch::default(), EnteredText("가".into()));
        let refused = InputResult::NotDone(InputRefusal::Held);
        input.order(InputFault::Answer(refused.clone()));
        input.order(InputFault::Fail(PlatformError::Gone));
        assert_eq!(input.type_text(&text, 1, &epoch.barrier(RequestId(1))), Ok(refused));
        assert_eq!(input.type_text(&text, 1, &epoch.barrier(RequestId(1))), Err(PlatformError::Gone));
        let (raised, stopped) = (epoch.barrier(RequestId(1)), InputResult::NotDone(InputRefusal::Stopped));
        epoch.stop(RequestId(2));
        assert_eq!(input.type_text(&text, 1, &raised), Ok(stopped));
        assert!(input.sent().is_empty());
        assert_eq!(input.type_text(&text, 1, &epoch.barrier(RequestId(3))), Ok(InputResult::Done));
        assert_eq!(input.sent(), [SentInput::Text { text, window: 1 }]);
    }
}
