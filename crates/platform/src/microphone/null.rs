//! No sound input, for a machine without a microphone or a user who wants none.

use luna_messages::capability::Unavailable;

use super::{InputFormat, Microphone, OpenMicrophone, SoundSink};
use crate::PlatformError;

/// A sound input that always fails to open, with the given reason.
#[derive(Debug, Clone)]
pub struct NoMicrophone {
    why: Unavailable,
}

impl NoMicrophone {
    /// `why` tells why there is no microphone and what to do.
    #[must_use]
    pub const fn new(why: Unavailable) -> Self {
        Self { why }
    }
}

impl Default for NoMicrophone {
    fn default() -> Self {
        Self::new(Unavailable {
            reason: "There is no sound input on this platform.".into(),
            remedy: "Tell Luna what to do with the keyboard, or with `luna ctl say-to`.".into(),
        })
    }
}

impl Microphone for NoMicrophone {
    fn open(
        &self,
        _device: Option<&str>,
        _make_sink: Box<dyn FnOnce(InputFormat) -> Box<dyn SoundSink> + Send>,
    ) -> Result<Box<dyn OpenMicrophone>, PlatformError> {
        Err(PlatformError::Unavailable(self.why.clone()))
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        Err(PlatformError::Unavailable(self.why.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-9
    #[test]
    fn it_says_why_there_is_no_microphone_ker_9() {
        let error = NoMicrophone::default().devices().err().map(|e| e.to_string());
        assert!(error.is_some_and(|e| e.contains("no sound input") && e.contains("luna ctl say-to")));
    }
}
