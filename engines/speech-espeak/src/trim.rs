//! Trims silence at both ends of espeak-ng's output: the leading part would delay the first sound, the trailing part the next sentence.

/// Amplitude from which a sample is audible; a room masks less than a hundredth of full scale.
const AUDIBLE: u16 = 160;
/// Silence kept before the first audible sample, milliseconds, for soft onsets such as an s.
const BEFORE_MS: u32 = 5;
/// Silence kept after the last audible sample, milliseconds; the player adds the pauses between sentences.
const AFTER_MS: u32 = 40;

/// A piece of the kept sound.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TrimmedSound {
    pub samples: Vec<i16>,
    /// Where words begin: samples from the beginning of this piece, rising.
    pub words: Vec<u32>,
}

/// Trims silence from both ends of a sample stream; silence in between is kept.
#[derive(Debug)]
pub struct Trim {
    before: usize,
    after: usize,
    started: bool,
    /// Samples since the last audible one; released when another audible one follows.
    held: Vec<i16>,
    /// Samples taken before the first of `held`, trimmed ones included.
    passed: u64,
    /// Words that begin in sound that was not released yet, in samples taken.
    words: Vec<u64>,
}

impl Trim {
    /// `sample_rate` in samples per second.
    pub fn new(sample_rate: u32) -> Self {
        let samples = |ms: u32| (sample_rate * ms / 1000) as usize;
        Self {
            before: samples(BEFORE_MS),
            after: samples(AFTER_MS),
            started: false,
            held: Vec::new(),
            passed: 0,
            words: Vec::new(),
        }
    }

    /// Takes samples and the places of words, in samples from the first ever taken, and returns those that are certain to be kept. A word that begins
    /// in the silence before all sound begins with the sound.
    pub fn push(&mut self, samples: &[i16], words: &[u64]) -> TrimmedSound {
        self.held.extend_from_slice(samples);
        self.words.extend_from_slice(words);
        let Some(last) = self.held.iter().rposition(|s| s.unsigned_abs() >= AUDIBLE) else {
            if !self.started && self.held.len() > self.before {
                self.drop_first(self.held.len() - self.before);
            }
            return TrimmedSound::default();
        };
        let mut released = last + 1;
        if !self.started {
            self.started = true;
            let first = self.held.iter().position(|s| s.unsigned_abs() >= AUDIBLE).unwrap_or(0);
            let silent = first.saturating_sub(self.before);
            self.drop_first(silent);
            released -= silent;
        }
        self.release(released)
    }

    fn drop_first(&mut self, count: usize) {
        self.held.drain(..count);
        self.passed += count as u64;
    }

    fn release(&mut self, count: usize) -> TrimmedSound {
        let (begin, end) = (self.passed, self.passed + count as u64);
        let samples: Vec<i16> = self.held.drain(..count).collect();
        self.passed = end;
        let mut words: Vec<u32> = Vec::new();
        self.words.retain(|word| {
            let is_here = *word < end;
            if is_here {
                words.push(u32::try_from(word.saturating_sub(begin)).unwrap_or(0));
            }
            !is_here
        });
        words.sort_unstable();
        words.dedup();
        TrimmedSound { samples, words }
    }

    /// Ends the stream; returns the kept part of the trailing silence.
    pub fn finish(mut self) -> TrimmedSound {
        if !self.started {
            return TrimmedSound::default();
        }
        let kept = self.held.len().min(self.after);
        self.release(kept)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn check(chunks: &[&[i16]], expect: &[i16]) {
        // At 1000 samples a second, 5 are kept before and 40 after.
        let mut trim = Trim::new(1000);
        let mut out: Vec<i16> = chunks.iter().flat_map(|chunk| trim.push(chunk, &[]).samples).collect();
        out.extend(trim.finish().samples);
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

    // BRG-1
    #[test]
    fn words_begin_where_they_did_brg_1() {
        let (quiet, loud) = ([0_i16; 100], [500_i16; 100]);
        // In the trimmed silence, in the sound, in a silence that is released with the next sound, after all that is kept.
        let pushed: [(&[i16], &[u64]); 5] =
            [(&quiet, &[20]), (&loud, &[130, 180]), (&quiet, &[250]), (&loud, &[]), (&quiet, &[410, 490])];
        let mut trim = Trim::new(1000);
        let mut found = Vec::new();
        let mut length = 0;
        for (samples, words) in pushed {
            let out = trim.push(samples, words);
            found.extend(out.words.iter().map(|word| length + word));
            length += u32::try_from(out.samples.len()).unwrap();
        }
        let out = trim.finish();
        found.extend(out.words.iter().map(|word| length + word));
        // 95 samples of the silence before are gone.
        assert_eq!(found, [0, 35, 85, 155, 315]);
    }
}
