//! Sound that comes out of a device.

use std::sync::Arc;

use crate::PlatformError;

/// Where a player gets its sound from. Called on the device's own thread: never blocks, never allocates much.
pub trait SoundSource: Send + 'static {
    /// Fills `out` (one channel, `sample_rate` of [`OutputFormat`]) from the start and returns how many samples are sound.
    /// Less than all means that nothing more is there now: the rest is silence, and the source is asked again.
    fn fill(&mut self, out: &mut [f32]) -> usize;
}

/// What the device plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputFormat {
    /// Samples a second.
    pub sample_rate: u32,
    /// Samples between what is taken from the source and what is heard, as far as known.
    pub buffer_frames: u32,
}

/// An open device. Dropping it closes it and ends all sound at once.
pub trait OpenOutput: Send {
    /// What it plays.
    fn format(&self) -> OutputFormat;
    /// Whether the device reported an error since it was opened; then it must be opened again.
    fn lost(&self) -> Option<PlatformError>;
}

/// Sound output.
pub trait AudioOutput: Send + Sync {
    /// Opens the default device, or the one whose name contains `device`, with a buffer of `buffer_frames` (256 to 4096; 512 is good),
    /// and plays what `source` gives. `make_source` is told the format first. Blocks for some ten milliseconds.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] with reason and remedy.
    fn open(
        &self,
        device: Option<&str>,
        buffer_frames: u32,
        make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError>;

    /// Names of the devices, the default one first, for `luna doctor`.
    ///
    /// # Errors
    /// [`PlatformError`].
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
mod sound_server;
