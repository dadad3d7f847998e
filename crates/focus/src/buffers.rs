//! Short-term buffers: bounded in size and time, in memory only, wiped on expiry (BUF-1, BUF-2, BUF-3).
//!
//! Nothing here is serialisable, so no buffer can reach the disk.

use std::collections::VecDeque;
use std::time::Duration;

use zeroize::Zeroize;

/// The newest few values, each for a limited time. Time is a [`Duration`] since any fixed start.
pub struct ExpiringBuffer<T: Zeroize> {
    /// Newest last, with the time of insertion.
    entries: VecDeque<(Duration, T)>,
    capacity: usize,
    time_to_live: Duration,
}

impl<T: Zeroize> ExpiringBuffer<T> {
    /// Keeps at most `capacity` values for `time_to_live` each.
    #[must_use]
    pub const fn new(capacity: usize, time_to_live: Duration) -> Self {
        Self { entries: VecDeque::new(), capacity, time_to_live }
    }

    /// Adds a value; if the buffer is full, the oldest is wiped.
    pub fn push(&mut self, value: T, now: Duration) {
        self.purge(now);
        self.entries.push_back((now, value));
        while self.entries.len() > self.capacity {
            self.drop_oldest();
        }
    }

    /// The unexpired values, newest first.
    pub fn alive(&self, now: Duration) -> impl Iterator<Item = &T> {
        let oldest = now.saturating_sub(self.time_to_live);
        let all_alive = now < self.time_to_live;
        self.entries.iter().rev().filter(move |(at, _)| all_alive || *at > oldest).map(|(_, value)| value)
    }

    /// Wipes expired values. Call it at least every `privacy.ttl_purge_ms` (BUF-2).
    pub fn purge(&mut self, now: Duration) {
        while self.entries.front().is_some_and(|(at, _)| now.saturating_sub(*at) >= self.time_to_live) {
            self.drop_oldest();
        }
    }

    /// Wipes all values.
    pub fn clear(&mut self) {
        while !self.entries.is_empty() {
            self.drop_oldest();
        }
    }

    /// Number of values, including expired ones that have not been purged.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn drop_oldest(&mut self) {
        if let Some((_, value)) = self.entries.front_mut() {
            // Wiped in place before the move, because a move would leave a copy behind.
            value.zeroize();
        }
        self.entries.pop_front();
    }
}

impl<T: Zeroize> Drop for ExpiringBuffer<T> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The last seconds of speech as samples (BUF-1: a hot ring of 3 s, a full ring of 12 s).
pub struct SpeechRing {
    /// Samples, oldest first from `start`; the length is the capacity.
    samples: Vec<f32>,
    /// Index of the oldest sample.
    start: usize,
    /// Number of valid samples.
    len: usize,
}

impl SpeechRing {
    /// A ring for `seconds` at `sample_rate` samples per second.
    #[must_use]
    pub fn new(seconds: u32, sample_rate: u32) -> Self {
        Self { samples: vec![0.0; seconds as usize * sample_rate as usize], start: 0, len: 0 }
    }

    /// Adds samples; the oldest are overwritten.
    pub fn extend(&mut self, samples: &[f32]) {
        let capacity = self.samples.len();
        if capacity == 0 {
            return;
        }
        for &sample in &samples[samples.len().saturating_sub(capacity)..] {
            let at = (self.start + self.len) % capacity;
            self.samples[at] = sample;
            if self.len == capacity {
                self.start = (self.start + 1) % capacity;
            } else {
                self.len += 1;
            }
        }
    }

    /// The newest `count` samples, oldest first; fewer if the ring has fewer.
    #[must_use]
    pub fn newest(&self, count: usize) -> Vec<f32> {
        let count = count.min(self.len);
        let capacity = self.samples.len().max(1);
        (self.len - count..self.len).map(|i| self.samples[(self.start + i) % capacity]).collect()
    }

    /// Wipes all samples.
    pub fn clear(&mut self) {
        self.samples.zeroize();
        // `zeroize` also empties a vector; the ring keeps its capacity.
        let capacity = self.samples.capacity();
        self.samples.resize(capacity, 0.0);
        self.start = 0;
        self.len = 0;
    }
}

impl Drop for SpeechRing {
    fn drop(&mut self) {
        self.samples.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::*;

    /// A value that records when it is wiped.
    struct Witness(u32, Arc<Mutex<Vec<u32>>>);

    impl Zeroize for Witness {
        fn zeroize(&mut self) {
            self.1.lock().unwrap().push(self.0);
        }
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    // BUF-1, BUF-2
    #[test]
    fn the_oldest_makes_room_and_everything_is_wiped_once_buf_1_buf_2() {
        let wiped = Arc::new(Mutex::new(Vec::new()));
        let mut buffer = ExpiringBuffer::new(3, ms(1500));
        for i in 0..4 {
            buffer.push(Witness(i, wiped.clone()), ms(u64::from(i) * 100));
        }
        assert_eq!(*wiped.lock().unwrap(), [0]);
        assert_eq!(buffer.alive(ms(400)).map(|w| w.0).collect::<Vec<_>>(), [3, 2, 1]);
        // 1 was added at 100 ms: alive until 1600 ms, wiped by the purge at 1600 ms.
        assert_eq!(buffer.alive(ms(1599)).count(), 3);
        assert_eq!(buffer.alive(ms(1600)).count(), 2);
        buffer.purge(ms(1600));
        assert_eq!(*wiped.lock().unwrap(), [0, 1]);
        drop(buffer);
        assert_eq!(*wiped.lock().unwrap(), [0, 1, 2, 3]);
    }

    // BUF-1
    #[test]
    fn the_speech_ring_keeps_the_newest_buf_1() {
        let mut ring = SpeechRing::new(1, 4);
        ring.extend(&[1.0, 2.0, 3.0]);
        assert_eq!(ring.newest(10), [1.0, 2.0, 3.0]);
        ring.extend(&[4.0, 5.0, 6.0]);
        assert_eq!(ring.newest(10), [3.0, 4.0, 5.0, 6.0]);
        assert_eq!(ring.newest(2), [5.0, 6.0]);
        ring.clear();
        assert!(ring.newest(10).is_empty());
        ring.extend(&[7.0]);
        assert_eq!(ring.newest(10), [7.0]);
    }

    proptest! {
        #[test]
        fn the_speech_ring_equals_a_list_cut_to_size(parts in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 0..20), 0..10)) {
            let mut ring = SpeechRing::new(2, 8);
            let mut list: Vec<f32> = Vec::new();
            for part in &parts {
                ring.extend(part);
                list.extend(part);
            }
            prop_assert_eq!(ring.newest(usize::MAX), &list[list.len().saturating_sub(16)..]);
        }
    }
}
