//! A test double of a sound device: it keeps time, records what it plays, and on request fails to open, dies or stalls.
//! It makes no sound.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{AudioOutput, OpenOutput, OutputFormat, SoundSource};
use crate::PlatformError;

const SAMPLE_RATE: u32 = 48_000;

/// The double of a sound device. Clones share its state: the actor gets one clone, and the test keeps another.
#[derive(Debug, Clone, Default)]
pub struct FaultyOutput {
    state: Arc<FaultyAudioState>,
}

#[derive(Debug, Default)]
struct FaultyAudioState {
    /// Number of opens that fail before one succeeds; `u32::MAX` means all.
    failures: AtomicU32,
    /// How often the device was opened, successfully or not.
    opens: AtomicU32,
    /// Number of devices that are open now.
    open_now: AtomicU32,
    /// The test requested an error. Cleared by the device that reports the error, and when a device is opened.
    die: AtomicBool,
    /// While set, the device requests no samples and reports no error.
    stalled: AtomicBool,
    /// How long opening takes, in milliseconds.
    slow_ms: AtomicU32,
    /// The samples played since [`FaultyOutput::take_played`] was last called.
    played: Mutex<Vec<f32>>,
}

impl FaultyOutput {
    /// Works until the test requests otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the next `times` opens fail.
    pub fn fail_opening(&self, times: u32) {
        self.state.failures.store(times, Ordering::SeqCst);
    }

    /// Makes opening take this long.
    pub fn slow_opening(&self, time: Duration) {
        self.state.slow_ms.store(u32::try_from(time.as_millis()).unwrap_or(u32::MAX), Ordering::SeqCst);
    }

    /// Makes the open device report an error and fall silent.
    pub fn die(&self) {
        self.state.die.store(true, Ordering::SeqCst);
    }

    /// Makes the device stop requesting samples without an error, or resume.
    pub fn stall(&self, stalled: bool) {
        self.state.stalled.store(stalled, Ordering::SeqCst);
    }

    /// How often the device was opened, including failures.
    #[must_use]
    pub fn opens(&self) -> u32 {
        self.state.opens.load(Ordering::SeqCst)
    }

    /// Whether a device is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state.open_now.load(Ordering::SeqCst) > 0
    }

    /// The samples played since the last call, at 48,000 per second.
    #[must_use]
    pub fn take_played(&self) -> Vec<f32> {
        std::mem::take(&mut *self.state.played.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AudioOutput for FaultyOutput {
    fn open(
        &self,
        _device: Option<&str>,
        buffer_frames: u32,
        make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError> {
        self.state.opens.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(self.state.slow_ms.load(Ordering::SeqCst).into()));
        let fails = |left: u32| (left > 0).then(|| if left == u32::MAX { left } else { left - 1 });
        if self.state.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fails).is_ok() {
            return Err(PlatformError::unavailable("The test double refuses to open.", "Order it to work."));
        }
        let format = OutputFormat { sample_rate: SAMPLE_RATE, buffer_frames };
        self.state.die.store(false, Ordering::SeqCst);
        self.state.open_now.fetch_add(1, Ordering::SeqCst);
        let (state, source) = (self.state.clone(), make_source(format));
        let closed = Arc::new(AtomicBool::new(false));
        let lost = Arc::new(AtomicBool::new(false));
        let (closes, loses) = (closed.clone(), lost.clone());
        let clock = std::thread::spawn(move || play(&state, source, buffer_frames, &closes, &loses));
        Ok(Box::new(FaultyStream { state: self.state.clone(), format, closed, lost, clock: Some(clock) }))
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        Ok(vec!["test double".into()])
    }
}

struct FaultyStream {
    state: Arc<FaultyAudioState>,
    format: OutputFormat,
    closed: Arc<AtomicBool>,
    lost: Arc<AtomicBool>,
    clock: Option<JoinHandle<()>>,
}

impl OpenOutput for FaultyStream {
    fn format(&self) -> OutputFormat {
        self.format
    }

    fn lost(&self) -> Option<PlatformError> {
        let lost = self.lost.load(Ordering::SeqCst);
        lost.then(|| PlatformError::unavailable("The test double died on order.", "Open it again."))
    }
}

impl Drop for FaultyStream {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        if let Some(clock) = self.clock.take() {
            let _ = clock.join();
        }
        self.state.open_now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Takes one buffer of samples per buffer duration.
fn play(
    state: &FaultyAudioState,
    mut source: Box<dyn SoundSource>,
    frames: u32,
    closed: &AtomicBool,
    lost: &AtomicBool,
) {
    let mut buffer = vec![0.0; frames.max(1) as usize];
    let period = Duration::from_secs_f64(f64::from(frames.max(1)) / f64::from(SAMPLE_RATE));
    let mut due = Instant::now();
    while !closed.load(Ordering::SeqCst) {
        if state.die.swap(false, Ordering::SeqCst) {
            lost.store(true, Ordering::SeqCst);
        }
        if !lost.load(Ordering::SeqCst) && !state.stalled.load(Ordering::SeqCst) {
            let filled = source.fill(&mut buffer).min(buffer.len());
            buffer[filled..].fill(0.0);
            state.played.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer);
        }
        due += period;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    struct LoudSource;

    impl SoundSource for LoudSource {
        fn fill(&mut self, out: &mut [f32]) -> usize {
            out.fill(0.5);
            out.len()
        }
    }

    // KER-9
    #[test]
    fn it_fails_plays_and_dies_on_order_ker_9() {
        let output = FaultyOutput::new();
        output.fail_opening(1);
        let open = || output.open(None, 256, Box::new(|_| Box::new(LoudSource)));
        assert!(open().is_err());
        let device = open().unwrap();
        std::thread::sleep(Duration::from_millis(60));
        assert!(device.lost().is_none() && output.is_open());
        let played = output.take_played();
        assert!(played.len() >= 512 && played.iter().all(|s| *s == 0.5));
        output.die();
        std::thread::sleep(Duration::from_millis(60));
        assert!(device.lost().is_some());
        drop(device);
        assert!(!output.is_open() && output.opens() == 2);
    }
}
