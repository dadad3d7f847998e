//! Sound input.

use std::sync::Arc;

use crate::PlatformError;

/// The format that the device delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputFormat {
    /// Samples per second.
    pub sample_rate: u32,
}

/// Takes a microphone's samples.
pub trait SoundSink: Send + 'static {
    /// Takes samples of one channel, -1 to 1, [`InputFormat::sample_rate`] a second, about 10 ms at a time. Called on the device's own thread, so it must
    /// not block and must not allocate much. The slice is overwritten afterwards (PRV-1).
    fn take(&mut self, samples: &[f32]);
}

/// An open device. Dropping it closes it; afterwards the sink takes nothing more.
pub trait OpenMicrophone: Send {
    fn format(&self) -> InputFormat;
    /// The error that the device reported since it was opened, if any, or that another device is to be used now; the microphone must then be opened
    /// again. A device that merely delivers nothing any more reports no error.
    fn lost(&self) -> Option<PlatformError>;
}

/// Sound input of a platform (STT-3).
pub trait Microphone: Send + Sync {
    /// Opens the default microphone, or the first device whose name or id contains `device` regardless of case, and hands its samples to the sink that
    /// `make_sink` creates for the device's format. What a loudspeaker plays ("monitor") is taken only if `device` names it. Blocks for some tens of
    /// milliseconds, or up to five seconds if the sound server does not answer.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if no such device exists or can be opened.
    fn open(
        &self,
        device: Option<&str>,
        make_sink: Box<dyn FnOnce(InputFormat) -> Box<dyn SoundSink> + Send>,
    ) -> Result<Box<dyn OpenMicrophone>, PlatformError>;

    /// Names of the devices, the default device first, for `luna doctor`.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if there is no device.
    fn devices(&self) -> Result<Vec<String>, PlatformError>;
}

/// The sound input of this platform.
#[must_use]
pub fn system() -> Arc<dyn Microphone> {
    Arc::new(device::DeviceMicrophone::new())
}

/// What this machine's loudspeakers play, as a sound input: the reference of echo cancellation if so configured (BRG-4). While nothing is played it may
/// deliver nothing at all.
#[must_use]
pub fn loopback() -> Arc<dyn Microphone> {
    Arc::new(device::DeviceLoopback::new())
}

pub mod device;
pub mod fault;
pub mod null;
pub mod queue;
pub mod watch;
