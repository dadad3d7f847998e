//! A test double of a microphone: it keeps time, delivers the samples that a test gives, and on request fails to open, dies, stalls, is muted or comes
//! back with another rate.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{InputFormat, Microphone, OpenMicrophone, SoundSink};
use crate::PlatformError;

/// Samples per second at first.
const SAMPLE_RATE: u32 = 48_000;
/// How much the double delivers at a time.
const PERIOD: Duration = Duration::from_millis(10);
/// Loudness of the noise that it delivers where the test gives nothing, -80 dB: a microphone that is not muted is never quite silent.
const NOISE: f32 = 0.000_1;

/// The double of a microphone. Clones share its state: the actor gets one clone, and the test keeps another.
#[derive(Debug, Clone, Default)]
pub struct FaultyMicrophone {
    state: Arc<FaultyMicrophoneState>,
}

#[derive(Debug)]
struct FaultyMicrophoneState {
    /// Number of opens that fail before one succeeds; `u32::MAX` means all.
    failures: AtomicU32,
    /// How often the device was opened, successfully or not.
    opens: AtomicU32,
    /// Number of devices that are open now.
    open_now: AtomicU32,
    /// The test requested an error. Cleared by the device that reports the error, and when a device is opened.
    die: AtomicBool,
    /// While set, the device delivers nothing and reports no error.
    stalled: AtomicBool,
    /// While set, the device delivers zeros.
    muted: AtomicBool,
    /// Samples that are delivered at once, in the next period.
    burst: AtomicU32,
    /// How long opening takes, in milliseconds.
    slow_ms: AtomicU32,
    /// Rate of the next device that is opened.
    rate: AtomicU32,
    /// The samples that wait to be delivered.
    sound: Mutex<VecDeque<f32>>,
    /// Signalled when all were delivered.
    delivered: Condvar,
}

impl Default for FaultyMicrophoneState {
    fn default() -> Self {
        Self {
            failures: AtomicU32::new(0),
            opens: AtomicU32::new(0),
            open_now: AtomicU32::new(0),
            die: AtomicBool::new(false),
            stalled: AtomicBool::new(false),
            muted: AtomicBool::new(false),
            burst: AtomicU32::new(0),
            slow_ms: AtomicU32::new(0),
            rate: AtomicU32::new(SAMPLE_RATE),
            sound: Mutex::default(),
            delivered: Condvar::new(),
        }
    }
}

impl FaultyMicrophoneState {
    fn sound(&self) -> MutexGuard<'_, VecDeque<f32>> {
        self.sound.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultyMicrophone {
    /// Works until the test requests otherwise, and delivers faint noise until it is given sound.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends to what the open device, or the next one, delivers; at the rate of that device.
    pub fn hear(&self, samples: &[f32]) {
        self.state.sound().extend(samples);
    }

    /// Waits until all of it was delivered, at most `limit`; returns whether it was.
    #[must_use]
    pub fn wait_until_heard(&self, limit: Duration) -> bool {
        let waits = |sound: &mut VecDeque<f32>| !sound.is_empty();
        let result = self.state.delivered.wait_timeout_while(self.state.sound(), limit, waits);
        !result.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Makes the next `times` opens fail.
    pub fn fail_opening(&self, times: u32) {
        self.state.failures.store(times, Ordering::SeqCst);
    }

    /// Makes opening take this long.
    pub fn slow_opening(&self, time: Duration) {
        self.state.slow_ms.store(u32::try_from(time.as_millis()).unwrap_or(u32::MAX), Ordering::SeqCst);
    }

    /// Makes the open device report an error and deliver nothing more.
    pub fn die(&self) {
        self.state.die.store(true, Ordering::SeqCst);
    }

    /// Makes the device stop delivering without an error, or resume.
    pub fn stall(&self, stalled: bool) {
        self.state.stalled.store(stalled, Ordering::SeqCst);
    }

    /// Makes the device deliver zeros, whatever it hears, or resume.
    pub fn mute(&self, muted: bool) {
        self.state.muted.store(muted, Ordering::SeqCst);
    }

    /// Makes the device deliver this many samples at once, as a device does whose machine was too busy.
    pub fn burst(&self, samples: u32) {
        self.state.burst.store(samples, Ordering::SeqCst);
    }

    /// Sets the rate of the devices that are opened from now on.
    pub fn set_rate(&self, sample_rate: u32) {
        self.state.rate.store(sample_rate, Ordering::SeqCst);
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
}

impl Microphone for FaultyMicrophone {
    fn open(
        &self,
        _device: Option<&str>,
        make_sink: Box<dyn FnOnce(InputFormat) -> Box<dyn SoundSink> + Send>,
    ) -> Result<Box<dyn OpenMicrophone>, PlatformError> {
        self.state.opens.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(self.state.slow_ms.load(Ordering::SeqCst).into()));
        let fails = |left: u32| (left > 0).then(|| if left == u32::MAX { left } else { left - 1 });
        if self.state.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fails).is_ok() {
            return Err(PlatformError::unavailable("The test double refuses to open.", "Order it to work."));
        }
        let format = InputFormat { sample_rate: self.state.rate.load(Ordering::SeqCst) };
        self.state.die.store(false, Ordering::SeqCst);
        self.state.open_now.fetch_add(1, Ordering::SeqCst);
        let (state, sink) = (self.state.clone(), make_sink(format));
        let closed = Arc::new(AtomicBool::new(false));
        let lost = Arc::new(AtomicBool::new(false));
        let (closes, loses) = (closed.clone(), lost.clone());
        let clock = std::thread::spawn(move || deliver(&state, sink, format, &closes, &loses));
        Ok(Box::new(FaultyInput { state: self.state.clone(), format, closed, lost, clock: Some(clock) }))
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        Ok(vec!["test double".into()])
    }
}

struct FaultyInput {
    state: Arc<FaultyMicrophoneState>,
    format: InputFormat,
    closed: Arc<AtomicBool>,
    lost: Arc<AtomicBool>,
    clock: Option<JoinHandle<()>>,
}

impl OpenMicrophone for FaultyInput {
    fn format(&self) -> InputFormat {
        self.format
    }

    fn lost(&self) -> Option<PlatformError> {
        let lost = self.lost.load(Ordering::SeqCst);
        lost.then(|| PlatformError::unavailable("The test double died on order.", "Open it again."))
    }
}

impl Drop for FaultyInput {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        if let Some(clock) = self.clock.take() {
            let _ = clock.join();
        }
        self.state.open_now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Delivers one period of samples per period.
fn deliver(
    state: &FaultyMicrophoneState,
    mut sink: Box<dyn SoundSink>,
    format: InputFormat,
    closed: &AtomicBool,
    lost: &AtomicBool,
) {
    let mut buffer = vec![0.0; (format.sample_rate as usize / 100).max(1)];
    let (mut due, mut seed) = (Instant::now(), 1_u32);
    while !closed.load(Ordering::SeqCst) {
        if state.die.swap(false, Ordering::SeqCst) {
            lost.store(true, Ordering::SeqCst);
        }
        if !lost.load(Ordering::SeqCst) && !state.stalled.load(Ordering::SeqCst) {
            let all = {
                let mut sound = state.sound();
                for sample in &mut buffer {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let noise = (seed >> 8) as f32 / (1 << 23) as f32 - 1.0;
                    *sample = sound.pop_front().unwrap_or(noise * NOISE);
                }
                sound.is_empty()
            };
            if state.muted.load(Ordering::SeqCst) {
                buffer.fill(0.0);
            }
            sink.take(&buffer);
            let burst = state.burst.swap(0, Ordering::SeqCst);
            if burst > 0 {
                sink.take(&vec![NOISE; burst as usize]);
            }
            if all {
                state.delivered.notify_all();
            }
        }
        due += PERIOD;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use crate::microphone::queue::queue;

    const LIMIT: Duration = Duration::from_secs(20);

    // KER-9, STT-3
    #[test]
    fn it_fails_hears_is_muted_dies_and_comes_back_on_order_ker_9_stt_3() {
        let microphone = FaultyMicrophone::new();
        microphone.fail_opening(1);
        let (producer, mut consumer) = queue(1 << 20);
        assert!(microphone.open(None, Box::new(|_| panic!("a device that can't be opened has no sink"))).is_err());
        let device = microphone.open(None, Box::new(|_| Box::new(producer))).unwrap();
        assert!(device.lost().is_none() && microphone.is_open() && device.format().sample_rate == 48_000);
        let mut taken = Vec::new();
        let mut heard = |consumer: &mut crate::microphone::queue::SampleConsumer| {
            microphone.hear(&[0.5; 960]);
            assert!(microphone.wait_until_heard(LIMIT));
            taken.clear();
            consumer.take(usize::MAX, &mut taken);
            let loud = taken.iter().filter(|s| **s == 0.5).count();
            let zeros = taken.iter().filter(|s| **s == 0.0).count();
            (loud, zeros)
        };
        assert_eq!(heard(&mut consumer), (960, 0), "what is not given is noise, not zeros");
        microphone.mute(true);
        let (loud, zeros) = heard(&mut consumer);
        assert!(loud == 0 && zeros >= 960);
        microphone.mute(false);
        microphone.stall(true);
        microphone.hear(&[0.5; 480]);
        assert!(!microphone.wait_until_heard(Duration::from_millis(60)));
        microphone.stall(false);
        assert!(microphone.wait_until_heard(LIMIT));
        microphone.die();
        let due = Instant::now() + LIMIT;
        while device.lost().is_none() {
            assert!(Instant::now() < due);
            std::thread::yield_now();
        }
        drop(device);
        assert!(!microphone.is_open() && consumer.is_closed());
        microphone.set_rate(16_000);
        let device = microphone.open(None, Box::new(|_| Box::new(queue(16).0))).unwrap();
        assert_eq!((device.format().sample_rate, microphone.opens()), (16_000, 3));
    }
}
