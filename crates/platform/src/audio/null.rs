//! No sound output, for a machine without a device or a user who wants no sound.

use luna_messages::capability::Unavailable;

use super::{AudioOutput, OpenOutput, OutputFormat, SoundSource};
use crate::PlatformError;

/// A sound output that always fails to open, with the given reason.
#[derive(Debug, Clone)]
pub struct NoAudio {
    why: Unavailable,
}

impl NoAudio {
    /// `why` tells why there is no sound and what to do.
    #[must_use]
    pub const fn new(why: Unavailable) -> Self {
        Self { why }
    }
}

impl Default for NoAudio {
    fn default() -> Self {
        Self::new(Unavailable {
            reason: "There is no sound output on this platform.".into(),
            remedy: "Follow what Luna says with `luna ctl events --follow`.".into(),
        })
    }
}

impl AudioOutput for NoAudio {
    fn open(
        &self,
        _device: Option<&str>,
        _buffer_frames: u32,
        _make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError> {
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
    fn it_says_why_there_is_no_sound_ker_9() {
        let error = NoAudio::default().devices().err().map(|e| e.to_string());
        assert!(error.is_some_and(|e| e.contains("no sound output") && e.contains("luna ctl events")));
    }
}
