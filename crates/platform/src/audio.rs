//! Sound output.

use std::sync::Arc;

use crate::PlatformError;

/// The source of a player's samples. Called on the device's own thread, so it must not block and must not allocate
/// much.
pub trait SoundSource: Send + 'static {
    /// Fills `out` (one channel, `sample_rate` of [`OutputFormat`]) from the start and returns the number of samples
    /// written. A number below `out.len()` means that no more samples are available now: the device plays silence and
    /// calls again.
    fn fill(&mut self, out: &mut [f32]) -> usize;
}

/// The format that the device plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputFormat {
    /// Samples per second.
    pub sample_rate: u32,
    /// Delay in samples between the source and the loudspeaker, as far as it is known.
    pub buffer_frames: u32,
}

/// An open device. Dropping it closes it and ends all sound at once.
pub trait OpenOutput: Send {
    fn format(&self) -> OutputFormat;
    /// The error that the device reported since it was opened, if any; the device must then be opened again.
    fn lost(&self) -> Option<PlatformError>;
}

/// Sound output of a platform.
pub trait AudioOutput: Send + Sync {
    /// Opens the default device, or the first device whose name or id contains `device` regardless of case, with a
    /// buffer of `buffer_frames` (128 to 4096; 512 is a good value), and plays the samples of the source that
    /// `make_source` creates for the device's format. Blocks for some tens of milliseconds, or up to two seconds if the
    /// sound server does not answer.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if no such device exists or can be opened.
    fn open(
        &self,
        device: Option<&str>,
        buffer_frames: u32,
        make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError>;

    /// Names of the devices, the default device first, for `luna doctor`.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if there is no device.
    fn devices(&self) -> Result<Vec<String>, PlatformError>;
}

/// The sound output of this platform.
#[must_use]
pub fn system() -> Arc<dyn AudioOutput> {
    Arc::new(device::DeviceOutput::new())
}

pub mod device;
pub mod fault;
pub mod null;
#[cfg(target_os = "linux")]
pub(crate) mod sound_server;
pub(crate) mod stream_errors;
pub mod tap;
