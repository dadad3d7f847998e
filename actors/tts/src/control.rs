//! State shared by the actor, the audio thread and the device's thread: a few atomic numbers, no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use luna_actor_runtime::periodic_task::PeriodicTaskWaker;
use tokio::time::Instant;

/// The shared state of playback. Orders count from 1; 0 is none.
#[derive(Debug)]
pub struct PlaybackControl {
    /// Reference time of `stop_requested`.
    base: Instant,
    /// The order that may be audible. Each stop and each sentence raises it; samples of other orders are dropped.
    order: AtomicU32,
    /// While paused, nothing is popped from the ring.
    paused: AtomicBool,
    /// The actor was replaced: nothing that it still orders is audible.
    disabled: AtomicBool,
    /// The newest order that has begun to play.
    started: AtomicU32,
    /// The newest order that was played to its end.
    ended: AtomicU32,
    /// When silence was requested, in nanoseconds from `base`; 0 if no stop is being measured.
    stop_requested: AtomicU64,
    /// Duration of the last stop, in nanoseconds; 0 if there is none to report.
    stop_took: AtomicU64,
    /// The order that a [`Mute`](crate::Mute) began: a stop that finds it unchanged is the same stop, and is not measured again.
    muted: AtomicU32,
    /// Wakes the audio thread; set once the thread runs.
    wakes: OnceLock<PeriodicTaskWaker>,
}

impl PlaybackControl {
    /// No order yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            base: Instant::now(),
            order: AtomicU32::new(0),
            paused: AtomicBool::new(false),
            disabled: AtomicBool::new(false),
            started: AtomicU32::new(0),
            ended: AtomicU32::new(0),
            stop_requested: AtomicU64::new(0),
            stop_took: AtomicU64::new(0),
            muted: AtomicU32::new(0),
            wakes: OnceLock::new(),
        }
    }

    pub fn set_audio_thread(&self, thread: PeriodicTaskWaker) {
        let _ = self.wakes.set(thread);
    }

    /// Wakes the audio thread.
    pub fn wake(&self) {
        if let Some(thread) = self.wakes.get() {
            thread.wake();
        }
    }

    /// The order that may be audible.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order.load(Ordering::Acquire)
    }

    /// Begins a new order, which ends the previous one and any pause.
    pub fn next_order(&self) -> u32 {
        self.paused.store(false, Ordering::Release);
        self.order.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }

    /// Begins the order of a sentence. A preceding stop that no device has executed, because none is open, is not measured.
    pub fn next_sentence(&self) -> u32 {
        self.stop_requested.store(0, Ordering::Release);
        self.next_order()
    }

    /// Silences the output and measures how long that takes. Does nothing if [`Self::mute`] began the current order, because it has done both.
    pub fn silence(&self) {
        if self.order() == self.muted.load(Ordering::Acquire) && self.order() != 0 {
            return;
        }
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.next_order();
    }

    /// As [`Self::silence`], ahead of the actor's own stop.
    pub fn mute(&self) {
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.muted.store(self.next_order(), Ordering::Release);
        self.wake();
    }

    pub fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Release);
    }

    /// Silences the output for good, because another actor took over.
    pub fn disable(&self) {
        self.disabled.store(true, Ordering::Release);
        self.next_order();
        self.wake();
    }

    /// Whether another actor took over.
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        self.disabled.load(Ordering::Acquire)
    }

    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Acquire)
    }

    /// From the device's thread: the output is silent now.
    pub fn note_silent(&self) {
        let asked = self.stop_requested.swap(0, Ordering::AcqRel);
        if asked > 0 {
            self.stop_took.store(self.nanoseconds().saturating_sub(asked).max(1), Ordering::Release);
            self.wake();
        }
    }

    /// From the device's thread: the first sample of `order` was played.
    pub fn note_started(&self, order: u32) {
        self.started.store(order, Ordering::Release);
        self.wake();
    }

    /// From the device's thread: the last sample of `order` was played.
    pub fn note_ended(&self, order: u32) {
        self.ended.store(order, Ordering::Release);
        self.wake();
    }

    /// Whether `order` has begun to play.
    #[must_use]
    pub fn has_started(&self, order: u32) -> bool {
        self.started.load(Ordering::Acquire) == order
    }

    /// Whether `order` was played to its end.
    #[must_use]
    pub fn has_ended(&self, order: u32) -> bool {
        self.ended.load(Ordering::Acquire) == order
    }

    /// Takes the duration of the last stop; `None` if no stop was measured since the last call.
    pub fn take_stop(&self) -> Option<Duration> {
        let took = self.stop_took.swap(0, Ordering::AcqRel);
        (took > 0).then(|| Duration::from_nanos(took))
    }

    fn nanoseconds(&self) -> u64 {
        u64::try_from(self.base.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
