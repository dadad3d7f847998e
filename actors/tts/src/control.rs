//! State shared by the actor, the audio thread and the device's thread: a few atomic numbers, no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use luna_actor_runtime::periodic_task::PeriodicTaskWaker;
use tokio::time::Instant;

use crate::duck::{DuckMark, DuckState, Ducking};

/// The shared state of playback. Orders count from 1; 0 is none.
#[derive(Debug)]
pub struct PlaybackControl {
    /// Reference time of `stop_requested`.
    base: Instant,
    /// The order that may be audible. Each stop and each sentence raises it; samples of other orders are dropped.
    order: AtomicU32,
    /// While paused, nothing is popped from the ring.
    paused: AtomicBool,
    /// Whether somebody speaks, and where that began.
    ducking: Ducking,
    /// When the duck began, in nanoseconds from `base`.
    ducked_at: AtomicU64,
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
            ducking: Ducking::default(),
            ducked_at: AtomicU64::new(0),
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

    /// Begins the order of a sentence. A preceding stop that no device has executed, because none is open, is not measured. A duck goes on: somebody
    /// still speaks.
    pub fn next_sentence(&self) -> u32 {
        self.stop_requested.store(0, Ordering::Release);
        let order = self.next_order();
        self.ducking.end_return();
        order
    }

    /// Ends what sounds, and a duck with it: what comes next is at full volume.
    pub fn end_sound(&self) -> u32 {
        // The order changes first: otherwise the old one would be loud for a moment.
        let order = self.next_order();
        self.ducking.clear();
        order
    }

    /// Continues the order `from` under a new number, so that what is in the ring is dropped; `None` if it was stopped or replaced. A pause goes on.
    pub fn renew_order(&self, from: u32) -> Option<u32> {
        let next = from.wrapping_add(1);
        self.order.compare_exchange(from, next, Ordering::AcqRel, Ordering::Acquire).is_ok().then_some(next)
    }

    /// Somebody begins to speak: what sounds becomes quiet, then waits.
    pub fn duck(&self) {
        if !self.ducking.state().ducked {
            self.ducked_at.store(self.nanoseconds(), Ordering::Release);
        }
        if self.ducking.begin() {
            self.wake();
        }
    }

    /// Nobody speaks any more: full volume, with `from_word` from the beginning of the word that sounded when the duck began.
    pub fn unduck(&self, from_word: bool) {
        if self.ducking.end(from_word) {
            self.wake();
        }
    }

    #[must_use]
    pub fn duck_state(&self) -> DuckState {
        self.ducking.state()
    }

    /// How long there has been a duck; zero if there is none.
    #[must_use]
    pub fn ducked_for(&self) -> Duration {
        let since = self.nanoseconds().saturating_sub(self.ducked_at.load(Ordering::Acquire));
        if self.ducking.state().ducked { Duration::from_nanos(since) } else { Duration::ZERO }
    }

    /// From the device's thread: the place where a duck took effect.
    pub fn note_ducked(&self, mark: DuckMark) {
        self.ducking.set_mark(mark);
        self.wake();
    }

    #[must_use]
    pub fn duck_mark(&self) -> Option<DuckMark> {
        self.ducking.mark()
    }

    /// From the audio thread: the return to a word is done, or can't be.
    pub fn note_returned(&self) {
        self.ducking.end_return();
    }

    /// Silences the output and measures how long that takes. Does nothing if [`Self::mute`] began the current order, because it has done both.
    pub fn silence(&self) {
        if self.order() == self.muted.load(Ordering::Acquire) && self.order() != 0 {
            return;
        }
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.end_sound();
    }

    /// As [`Self::silence`], ahead of the actor's own stop.
    pub fn mute(&self) {
        self.stop_requested.store(self.nanoseconds().max(1), Ordering::Release);
        self.muted.store(self.end_sound(), Ordering::Release);
        self.wake();
    }

    pub fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Release);
    }

    /// Silences the output for good, because another actor took over.
    pub fn disable(&self) {
        self.disabled.store(true, Ordering::Release);
        self.end_sound();
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
