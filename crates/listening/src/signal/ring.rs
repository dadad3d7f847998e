//! The ring of recent sound (BUF-1, BUF-2).

use luna_messages::listening::SamplePosition;
use luna_messages::stt::Sound;
use zeroize::Zeroize;

/// The last samples of 16 kHz; older ones are overwritten.
pub(super) struct SoundRing {
    /// The sample at position `p` is at `p % samples.len()`.
    samples: Box<[i16]>,
    /// First position that is kept.
    start: SamplePosition,
    /// Position after the last sample.
    end: SamplePosition,
}

impl SoundRing {
    pub fn new(capacity: usize) -> Self {
        Self { samples: vec![0; capacity.max(1)].into_boxed_slice(), start: 0, end: 0 }
    }

    pub const fn end(&self) -> SamplePosition {
        self.end
    }

    pub fn push(&mut self, sound: &[f32]) {
        let capacity = self.samples.len() as u64;
        for sample in sound {
            // The cast of a float saturates.
            self.samples[(self.end % capacity) as usize] = (sample * 32_767.0) as i16;
            self.end += 1;
        }
        self.start = self.start.max(self.end.saturating_sub(capacity));
    }

    /// The samples between two positions, as far as they are kept.
    pub fn sound(&self, from: SamplePosition, to: SamplePosition) -> Sound {
        let (from, to) = (from.max(self.start), to.min(self.end));
        if from >= to {
            return Sound { samples: Vec::new() };
        }
        let capacity = self.samples.len();
        let (at, count) = ((from % capacity as u64) as usize, (to - from) as usize);
        // The exact capacity: a vector that grows leaves copies behind.
        let mut samples = Vec::with_capacity(count);
        let first = count.min(capacity - at);
        samples.extend_from_slice(&self.samples[at..at + first]);
        samples.extend_from_slice(&self.samples[..count - first]);
        Sound { samples }
    }

    /// Overwrites what lies before a position.
    pub fn wipe_before(&mut self, position: SamplePosition) {
        let capacity = self.samples.len() as u64;
        let position = position.min(self.end);
        for at in self.start..position {
            self.samples[(at % capacity) as usize].zeroize();
        }
        self.start = self.start.max(position);
    }

    pub fn wipe(&mut self) {
        self.samples.zeroize();
        self.start = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BUF-2, PRV-1
    #[test]
    fn what_expired_or_was_wiped_is_zero_in_memory_buf_2_prv_1() {
        let mut ring = SoundRing::new(100);
        ring.push(&[0.5; 130]);
        assert_eq!((ring.sound(0, 200).samples.len(), ring.sound(120, 125).samples.len()), (100, 5));
        ring.wipe_before(70);
        // Positions 30 to 69 lie at 30 to 69, positions 100 to 129 at 0 to 29.
        assert!(ring.samples[30..70].iter().all(|sample| *sample == 0));
        assert!(ring.samples[..30].iter().chain(&ring.samples[70..]).all(|sample| *sample == 16_383));
        assert_eq!(ring.sound(0, 200).samples.len(), 60);
        ring.wipe();
        assert!(ring.samples.iter().all(|sample| *sample == 0) && ring.sound(0, 200).samples.is_empty());
        assert_eq!(ring.end(), 130);
    }
}
