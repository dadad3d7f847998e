//! No input: where Luna has no way to click and type (KER-9).

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputResult};
use luna_messages::keyboard::KeyChord;

use super::Input;
use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;

/// Input that is not available; every call is refused with the reason, and sends nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoInput {
    /// The platform offers none.
    Platform,
}

impl NoInput {
    fn error(self) -> PlatformError {
        match self {
            Self::Platform => PlatformError::unavailable(
                "This system has no way for Luna to click and type.",
                "Use Luna on Windows, or on Linux with an X display.",
            ),
        }
    }
}

impl Input for NoInput {
    fn click(&self, _request: &ClickRequest, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(self.error())
    }

    fn hover(&self, _at: &ClickPoint, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(self.error())
    }

    fn scroll(&self, _at: &ClickPoint, _notches: i16, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(self.error())
    }

    fn press(
        &self,
        _chord: &KeyChord,
        _times: u8,
        _window: u64,
        _barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        Err(self.error())
    }

    fn type_text(
        &self,
        _text: &EnteredText,
        _window: u64,
        _barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        Err(self.error())
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::RequestId;

    use super::*;
    use crate::accessibility::actions::StopEpoch;

    // KER-9, SES-1
    #[test]
    fn what_is_missing_says_why_and_what_to_do_ker_9_ses_1() {
        let text = EnteredText("가".into());
        let typed = NoInput::Platform.type_text(&text, 1, &StopEpoch::default().barrier(RequestId(1)));
        let Err(PlatformError::Unavailable(why)) = typed else { panic!("{typed:?}") };
        assert!(!why.reason.is_empty() && why.remedy.contains("Windows"), "{why:?}");
    }
}
