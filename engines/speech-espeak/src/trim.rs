//! Trims silence at both ends of espeak-ng's output: the leading part would delay the first sound, the trailing part the next sentence.

/// Amplitude from which a sample is audible; a room masks less than a hundredth of full scale.
const AUDIBLE: u16 = 160;
/// Silence kept before the first audible sample, milliseconds, for soft onsets such as an s.
const BEFORE_MS: u32 = 5;
/// Silence kept after the last audible sample, milliseconds; the player adds the pauses between sentences.
const AFTER_MS: u32 = 40;

/// Trims silence from both ends of a sample stream; silence in between is kept.
#[derive(Debug)]
pub struct Trim {
    before: usize,
    after: usize,
    started: bool,
    /// Samples since the last audible one; released when another audible one follows.
    held: Vec<i16>,
}

impl Trim {
    /// `sample_rate` in samples per second.
    pub fn new(sample_rate: u32) -> Self {
        let samples = |ms: u32| (sample_rate * ms / 1000) as usize;
        Self { before: samples(BEFORE_MS), after: samples(AFTER_MS), started: false, held: Vec::new() }
    }

    /// Takes samples and returns those that are certain to be kept.
    pub fn push(&mut self, samples: &[i16]) -> Vec<i16> {
        self.held.extend_from_slice(samples);
        let Some(last) = self.held.iter().rposition(|s| s.unsigned_abs() >= AUDIBLE) else {
            if !self.started && self.held.len() > self.before {
                let silent = self.held.len() - self.before;
                self.held.drain(..silent);
            }
            return Vec::new();
        };
        if !self.started {
            self.started = true;
            let first = self.held.iter().position(|s| s.unsigned_abs() >= AUDIBLE).unwrap_or(0);
            let from = first.saturating_sub(self.before);
            return self.held.drain(..=last).skip(from).collect();
        }
        self.held.drain(..=last).collect()
    }

    /// Ends the stream; returns the kept part of the trailing silence.
    pub fn finish(mut self) -> Vec<i16> {
        if !self.started {
            return Vec::new();
        }
        self.held.truncate(self.after);
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&[i16]], expect: &[i16]) {
        // At 1000 samples a second, 5 are kept before and 40 after.
        let mut trim = Trim::new(1000);
        let mut out: Vec<i16> = chunks.iter().flat_map(|chunk| trim.push(chunk)).collect();
        out.extend(trim.finish());
        assert_eq!(out, expect);
    }

    #[test]
    fn silence_is_cut_at_both_ends_only() {
        let quiet = [0_i16; 100];
        check(&[], &[]);
        check(&[&quiet], &[]);
        check(&[&[500, 600]], &[500, 600]);
        check(&[&quiet, &[500]], &[0, 0, 0, 0, 0, 500]);
        check(&[&quiet, &quiet, &[1, 2, 500], &[600], &quiet], &[&[0, 0, 0, 1, 2, 500, 600][..], &[0; 40]].concat());
        check(&[&[500], &quiet, &[-700]], &[&[500][..], &quiet, &[-700]].concat());
        check(&[&[0, 500, 0], &[0, 0]], &[0, 500, 0, 0, 0]);
    }
}
