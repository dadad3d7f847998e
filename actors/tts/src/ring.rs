//! A lock-free ring that carries samples from the audio thread to the device's thread. Each sample carries the number of its order, so that nothing
//! of a replaced or stopped order can be played, whatever the timing (TTS-4).
//!
//! Why not `rtrb`, the usual ring between an audio callback and its thread: it is wait-free and bounded like this one, but
//! - popped values stay in its memory: samples have to be wiped (BUF-2), and a wrapper that wipes in `Drop` can't be inspected by a safe test;
//! - it counts only free slots, not those ever popped, by which a stuck device is detected ([`Ring::popped`]);
//! - its halves are two objects with `&mut`; the device's opener, the pushing thread and the tests share one ring;
//! - an adapter for all this would be as long as the ring itself, which needs no `unsafe`: order and sample share an atomic word, so none is torn.
//!   Its advantage, cached indices, is negligible at 48,000 samples a second.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The content of a slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RingSlot {
    Sample(f32),
    /// The order begins.
    Start,
    /// The order ends.
    End,
}

/// NaN bit patterns that no sample has: a sample that is not finite is pushed as 0.
const START: u32 = 0x7FC0_0001;
const END: u32 = 0x7FC0_0002;

impl RingSlot {
    fn bits(self) -> u32 {
        match self {
            Self::Sample(sample) if sample.is_finite() => sample.to_bits(),
            Self::Sample(_) => 0,
            Self::Start => START,
            Self::End => END,
        }
    }

    const fn from_bits(bits: u32) -> Self {
        match bits {
            START => Self::Start,
            END => Self::End,
            sample => Self::Sample(f32::from_bits(sample)),
        }
    }
}

/// A bounded ring with one producer and one consumer: one thread pushes, one pops.
#[derive(Debug)]
pub struct Ring {
    /// The order's number in the upper half, the sample's bits in the lower.
    slots: Box<[AtomicU64]>,
    /// Slots ever popped; only the popping thread writes it.
    popped: AtomicUsize,
    /// Slots ever pushed; only the pushing thread writes it.
    pushed: AtomicUsize,
}

impl Ring {
    /// A ring of `slots` slots.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        let slots = (0..slots.max(1)).map(|_| AtomicU64::new(0)).collect();
        Self { slots, popped: AtomicUsize::new(0), pushed: AtomicUsize::new(0) }
    }

    /// Free slots, for the pushing thread.
    #[must_use]
    pub fn free(&self) -> usize {
        self.slots.len() - self.pushed.load(Ordering::Relaxed).wrapping_sub(self.popped.load(Ordering::Acquire))
    }

    /// Slots ever popped: the number grows while the device takes samples.
    #[must_use]
    pub fn popped(&self) -> usize {
        self.popped.load(Ordering::Acquire)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.free() == self.slots.len()
    }

    /// Pushes a slot; false if the ring is full. Only from the one pushing thread.
    pub fn push(&self, order: u32, slot: RingSlot) -> bool {
        if self.free() == 0 {
            return false;
        }
        let at = self.pushed.load(Ordering::Relaxed);
        self.slots[at % self.slots.len()].store(u64::from(order) << 32 | u64::from(slot.bits()), Ordering::Relaxed);
        self.pushed.store(at.wrapping_add(1), Ordering::Release);
        true
    }

    /// Pops the next slot and wipes it (BUF-2). Only from the one popping thread.
    pub fn pop(&self) -> Option<(u32, RingSlot)> {
        let at = self.popped.load(Ordering::Relaxed);
        if at == self.pushed.load(Ordering::Acquire) {
            return None;
        }
        let packed = self.slots[at % self.slots.len()].swap(0, Ordering::Relaxed);
        self.popped.store(at.wrapping_add(1), Ordering::Release);
        Some(((packed >> 32) as u32, RingSlot::from_bits(packed as u32)))
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        for slot in &self.slots {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn slots_come_out_in_order_and_the_bound_holds() {
        let ring = Ring::new(3);
        assert!(ring.push(1, RingSlot::Start) && ring.push(1, RingSlot::Sample(0.5)) && ring.push(2, RingSlot::End));
        assert!(!ring.push(2, RingSlot::End) && ring.free() == 0);
        assert_eq!(ring.pop(), Some((1, RingSlot::Start)));
        assert!(ring.push(3, RingSlot::Sample(f32::NAN)));
        assert_eq!(
            [ring.pop(), ring.pop(), ring.pop(), ring.pop()],
            [Some((1, RingSlot::Sample(0.5))), Some((2, RingSlot::End)), Some((3, RingSlot::Sample(0.0))), None]
        );
        assert!(ring.is_empty() && ring.slots.iter().all(|s| s.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn two_threads_lose_nothing() {
        let ring = Arc::new(Ring::new(64));
        let pushing = ring.clone();
        let thread = std::thread::spawn(move || {
            for i in 0..100_000_u32 {
                while !pushing.push(i, RingSlot::Sample(i as f32)) {
                    std::thread::yield_now();
                }
            }
        });
        let mut next = 0;
        while next < 100_000 {
            match ring.pop() {
                Some((order, RingSlot::Sample(sample))) => {
                    assert_eq!((order, sample), (next, next as f32));
                    next += 1;
                }
                Some(_) => unreachable!("only samples were pushed"),
                None => std::thread::yield_now(),
            }
        }
        assert!(thread.join().is_ok());
    }
}
