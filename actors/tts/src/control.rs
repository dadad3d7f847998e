//! What the actor, the audio thread and the device's thread share: a few numbers, no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use luna_actor_runtime::periodic_task::PeriodicTaskWaker;
use tokio::time::Instant;

/// The shared numbers. Orders count from 1; 0 is none.
#[derive(Debug)]
pub struct PlaybackControl {
    /// What the times here count from.
    base: Instant,
    /// The order that may sound. Each stop and each sentence raises it; what carries another number is thrown away.
    order: AtomicU32,
    /// Halted: the ring is left as it is.
    paused: AtomicBool,
    /// The actor was replaced: nothing of it sounds any more, whatever it still orders.
    retired: AtomicBool,
    /// Order whose first sample was taken by the device.
    started: AtomicU32,
    /// Order whose last sample was taken by the device.
    ended: AtomicU32,
    /// When silence was ordered, in nanoseconds from `base`; 0 once it was measured.
    stop_requested: AtomicU64,
    /// How long the last stop took, in nanoseconds; 0 once it was reported.
    stop_took: AtomicU64,
    /// The order that a [`Hush`](crate::Hush) began: a stop that finds it unchanged is the same stop, and is not measured again.
    muted: AtomicU32,
    /// The audio thread: woken when there is something to report.
    wakes: OnceLock<PeriodicTaskWaker>,
}

impl PlaybackControl {
    /// Nothing sounds.
    #[must_use]
    pub fn new() -> Self {
        Self {
            base: Instant::now(),
            order: AtomicU32::new(0),
            paused: AtomicBool::new(false),
            retired: AtomicBool::new(false),
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

    /// The order that may sound.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order.load(Ordering::Acquire)
    }

    /// Begins a new order; what sounded before is over.
    pub fn next_order(&self) -> u32 {
        self.paused.store(false, Ordering::Release);
        self.order.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }

    /// Begins the order of a sentence: a stop before it that no device has obeyed, because none is open, is not measured.
    pub fn next_sentence(&self) -> u32 {
        self.stop_requested.store(0, Ordering::Release);
        self.next_order()
    }

    /// Silence from now on, timed.
    pub fn silence(&self) {
        if self.order() == self.muted.load(Ordering::Acquire) && self.order() != 0 {
            return;
        }
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.next_order();
    }

    /// Silence from now on, timed, ahead of the actor's own word.
    pub fn mute(&self) {
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.muted.store(self.next_order(), Ordering::Release);
        self.wake();
    }

    /// Halts, or lets go on.
    pub fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Release);
    }

    /// Silence for good: another actor speaks from here on.
    pub fn retire(&self) {
        self.retired.store(true, Ordering::Release);
        self.next_order();
        self.wake();
    }

    /// Whether another actor speaks now.
    #[must_use]
    pub fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Acquire)
    }

    /// Whether it is halted.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Acquire)
    }

    /// From the device's thread: it gives silence now where sound was.
    pub fn note_silent(&self) {
        let asked = self.stop_requested.swap(0, Ordering::AcqRel);
        if asked > 0 {
            self.stop_took.store(self.nanoseconds().saturating_sub(asked).max(1), Ordering::Release);
            self.wake();
        }
    }

    /// From the device's thread: the first sample of `order` goes out.
    pub fn note_started(&self, order: u32) {
        self.started.store(order, Ordering::Release);
        self.wake();
    }

    /// From the device's thread: the last sample of `order` went out.
    pub fn note_ended(&self, order: u32) {
        self.ended.store(order, Ordering::Release);
        self.wake();
    }

    /// Whether `order` has begun to sound.
    #[must_use]
    pub fn has_started(&self, order: u32) -> bool {
        self.started.load(Ordering::Acquire) == order
    }

    /// Whether `order` was heard to its end.
    #[must_use]
    pub fn has_ended(&self, order: u32) -> bool {
        self.ended.load(Ordering::Acquire) == order
    }

    /// How long the last stop took, once.
    pub fn take_stop(&self) -> Option<Duration> {
        let took = self.stop_took.swap(0, Ordering::AcqRel);
        (took > 0).then(|| Duration::from_nanos(took))
    }

    fn nanoseconds(&self) -> u64 {
        u64::try_from(self.base.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
