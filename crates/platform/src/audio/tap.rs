//! What the sound device was given to play: the reference of echo cancellation (BRG-4).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Samples kept for a reader: 2 s at 48,000 a second. A reader that comes later has lost the beginning.
const SLOTS: u64 = 96_000;
/// How long the output counts as audible after its last sample that is not zero, in milliseconds: longer than a pause inside a word, and than the
/// way from here to the loudspeaker.
const AUDIBLE_MS: u64 = 300;

/// Lets others read what the device plays, without ever making the device's thread wait. While the device is open its silence counts, too, so the
/// samples are continuous in time. They are kept only while somebody reads, and are wiped when taken (BUF-2). Clones share the samples.
#[derive(Clone, Default)]
pub struct PlaybackTap {
    ring: Arc<TapRing>,
}

struct TapRing {
    /// Sample number n is in slot n modulo their number: its round in the upper half, its bits in the lower; 0: none.
    slots: Box<[AtomicU64]>,
    /// Samples ever put.
    written: AtomicU64,
    /// Samples per second; 0 before the first.
    sample_rate: AtomicU32,
    /// The first sample of that rate.
    rate_since: AtomicU64,
    /// Number of the sample after the last that is not zero; 0: nothing is audible.
    audible_until: AtomicU64,
    readers: AtomicUsize,
}

impl Default for TapRing {
    fn default() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
            written: AtomicU64::new(0),
            sample_rate: AtomicU32::new(0),
            rate_since: AtomicU64::new(0),
            audible_until: AtomicU64::new(0),
            readers: AtomicUsize::new(0),
        }
    }
}

impl TapRing {
    /// The slot of a sample, and the upper half of its content.
    fn slot(&self, number: u64) -> (&AtomicU64, u64) {
        // The remainder is below the number of slots; rounds count from 1.
        (&self.slots[(number % SLOTS) as usize], (number / SLOTS + 1) << 32)
    }

    /// Takes a sample, unless it was overwritten.
    fn take(&self, number: u64) -> Option<f32> {
        let (slot, round) = self.slot(number);
        let content = slot.load(Ordering::Relaxed);
        let is_it = content >> 32 << 32 == round;
        // The exchange fails if the device's thread overwrites it meanwhile.
        let taken = is_it && slot.compare_exchange(content, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        taken.then(|| f32::from_bits(content as u32))
    }

    fn wipe(&self) {
        for slot in &self.slots {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

impl Drop for TapRing {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl PlaybackTap {
    /// Nothing was played yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the device is given now, at `sample_rate` samples per second. From the device's thread: takes no lock and allocates nothing.
    pub fn put(&self, samples: &[f32], sample_rate: u32) {
        let ring = &self.ring;
        let mut at = ring.written.load(Ordering::Relaxed);
        if ring.sample_rate.swap(sample_rate, Ordering::AcqRel) != sample_rate {
            // What was played at another rate is not for the readers of this one.
            ring.rate_since.store(at, Ordering::Release);
            ring.audible_until.store(0, Ordering::Release);
        }
        let keep = ring.readers.load(Ordering::Acquire) > 0;
        let mut audible = None;
        for sample in samples {
            if keep {
                let (slot, round) = ring.slot(at);
                slot.store(round | u64::from(sample.to_bits()), Ordering::Relaxed);
            }
            at += 1;
            if *sample != 0.0 {
                audible = Some(at);
            }
        }
        if let Some(until) = audible {
            ring.audible_until.store(until, Ordering::Release);
        }
        ring.written.store(at, Ordering::Release);
    }

    /// The device was closed: nothing is audible, and nothing is put until one is opened.
    pub fn close(&self) {
        self.ring.audible_until.store(0, Ordering::Release);
    }

    /// A reader of what is played from now on. There should be one at a time: each sample goes to one reader.
    #[must_use]
    pub fn reader(&self) -> TapReader {
        self.ring.readers.fetch_add(1, Ordering::AcqRel);
        TapReader { taken: self.ring.written.load(Ordering::Acquire), ring: self.ring.clone() }
    }

    /// Whether a sample that is not zero was played within the last 300 ms of samples.
    #[must_use]
    pub fn is_audible(&self) -> bool {
        let until = self.ring.audible_until.load(Ordering::Acquire);
        let silent = self.ring.written.load(Ordering::Acquire).saturating_sub(until);
        let rate = u64::from(self.ring.sample_rate.load(Ordering::Acquire));
        until > 0 && silent * 1000 < AUDIBLE_MS * rate
    }
}

impl fmt::Debug for PlaybackTap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlaybackTap")
    }
}

/// Takes what the device was given. Dropping the last reader wipes what was not taken.
pub struct TapReader {
    ring: Arc<TapRing>,
    /// The next sample to take.
    taken: u64,
}

impl TapReader {
    /// Appends to `out` what was played since the last call, at most the last 96,000 samples, and returns their rate in samples per second; 0 if
    /// nothing was ever played. Samples of an earlier rate are dropped. Never waits.
    pub fn take(&mut self, out: &mut Vec<f32>) -> u32 {
        let end = self.ring.written.load(Ordering::Acquire);
        let sample_rate = self.ring.sample_rate.load(Ordering::Acquire);
        let since = self.ring.rate_since.load(Ordering::Acquire);
        let start = self.taken.max(since).max(end.saturating_sub(SLOTS)).min(end);
        out.extend((start..end).filter_map(|number| self.ring.take(number)));
        self.taken = end;
        sample_rate
    }
}

impl Drop for TapReader {
    fn drop(&mut self) {
        if self.ring.readers.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.ring.wipe();
        }
    }
}

impl fmt::Debug for TapReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapReader").field("taken", &self.taken).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(reader: &mut TapReader) -> (u32, Vec<f32>) {
        let mut out = Vec::new();
        (reader.take(&mut out), out)
    }

    fn wiped(tap: &PlaybackTap) -> bool {
        tap.ring.slots.iter().all(|slot| slot.load(Ordering::Relaxed) == 0)
    }

    // BRG-4, BUF-2
    #[test]
    fn a_reader_gets_each_sample_once_and_leaves_none_behind_brg_4_buf_2() {
        let tap = PlaybackTap::new();
        let mut reader = tap.reader();
        assert_eq!(take(&mut reader), (0, vec![]), "nothing was ever played");
        tap.clone().put(&[0.5, 0.0, -0.25], 48_000);
        tap.put(&[0.125], 48_000);
        assert_eq!(take(&mut reader), (48_000, vec![0.5, 0.0, -0.25, 0.125]));
        assert_eq!(take(&mut reader), (48_000, vec![]));
        assert!(wiped(&tap));
        tap.put(&[0.5], 48_000);
        assert!(!wiped(&tap));
        drop(reader);
        assert!(wiped(&tap), "the last reader wipes");
        tap.put(&[0.75], 48_000);
        assert!(wiped(&tap), "nothing is kept for nobody");
        assert_eq!(take(&mut tap.reader()), (48_000, vec![]), "a reader begins with what is played next");
    }

    // BRG-4
    #[test]
    fn a_late_reader_gets_the_newest_samples_brg_4() {
        let tap = PlaybackTap::new();
        let mut reader = tap.reader();
        let sound: Vec<f32> = (0..SLOTS as usize + 1000).map(|n| n as f32).collect();
        sound.chunks(64).for_each(|part| tap.put(part, 48_000));
        assert_eq!(take(&mut reader), (48_000, sound[1000..].to_vec()));
        // Another rate begins anew.
        tap.put(&[1.0], 48_000);
        tap.put(&[2.0, 3.0], 44_100);
        assert_eq!(take(&mut reader), (44_100, vec![2.0, 3.0]));
    }

    // BRG-4
    #[test]
    fn it_is_audible_until_300_ms_of_silence_brg_4() {
        let tap = PlaybackTap::new();
        assert!(!tap.is_audible());
        tap.put(&[0.0; 100], 1000);
        assert!(!tap.is_audible(), "silence is not audible");
        tap.put(&[0.0, 0.1, 0.0], 1000);
        assert!(tap.is_audible());
        tap.put(&[0.0; 298], 1000);
        assert!(tap.is_audible(), "299 ms");
        tap.put(&[0.0], 1000);
        assert!(!tap.is_audible(), "300 ms");
        tap.put(&[0.1], 1000);
        tap.close();
        assert!(!tap.is_audible(), "a closed device plays nothing");
    }

    // BRG-4
    #[test]
    fn two_threads_lose_nothing_brg_4() {
        let tap = PlaybackTap::new();
        let mut reader = tap.reader();
        let device = tap.clone();
        let all = 200_000_u32;
        let thread = std::thread::spawn(move || {
            for start in (0..all).step_by(64) {
                let part: Vec<f32> = (start..start + 64).map(|n| n as f32).collect();
                device.put(&part, 48_000);
                std::thread::yield_now();
            }
        });
        let mut last = -1.0;
        while last < (all - 1) as f32 {
            for sample in take(&mut reader).1 {
                // A slow reader may miss some, but none is torn, old, empty or repeated.
                assert!(sample > last, "{sample} after {last}");
                last = sample;
            }
        }
        assert!(thread.join().is_ok());
    }
}
