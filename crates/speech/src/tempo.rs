//! Changes tempo without pitch (TTS-2): a streaming time stretch by overlapping windows of best fit (WSOLA).

use zeroize::Zeroize;

/// Half a window, the output of each step, in milliseconds. Windows are 30 ms long.
const HALF_WINDOW_MS: u32 = 15;
/// Search range around a window's ideal position, in milliseconds: a period of the deepest voice.
const SEARCH_MS: u32 = 10;

/// Stretches mono sound. At rate 1.0 the output equals the input bit for bit.
///
/// Looks ahead by at most [`Tempo::look_ahead`] samples. A rate change takes effect with the next 15 ms, from the same position.
#[derive(Debug)]
pub struct Tempo {
    rate: f64,
    half: usize,
    search: usize,
    /// Input still needed; its first sample is number `dropped` of all input.
    input: Vec<f32>,
    dropped: usize,
    /// Input position at which the last window would continue without stretching.
    natural: usize,
    /// Ideal start of the next window.
    ideal: f64,
}

impl Tempo {
    /// A stretch for sound at `sample_rate`, at rate 1.0.
    #[must_use]
    pub fn new(sample_rate: u32) -> Self {
        let samples = |ms: u32| (sample_rate * ms / 1000).max(2) as usize;
        Self {
            rate: 1.0,
            half: samples(HALF_WINDOW_MS),
            search: samples(SEARCH_MS),
            input: Vec::new(),
            dropped: 0,
            natural: 0,
            ideal: 0.0,
        }
    }

    /// Sets the rate, 0.25 to 4.0; above 1.0 is faster.
    pub fn set_rate(&mut self, rate: f32) {
        self.rate = if rate.is_finite() { f64::from(rate.clamp(0.25, 4.0)) } else { 1.0 };
    }

    /// Maximum input samples held back before output, at rates up to 1.0; above, one more step per multiple.
    #[must_use]
    pub const fn look_ahead(&self) -> usize {
        2 * self.half + self.search
    }

    /// Input samples that the output so far stands for: the place in the input from which the output goes on, to within 10 ms.
    #[must_use]
    pub fn place(&self) -> usize {
        self.position()
    }

    /// Stretches `sound` and appends the available output to `out`.
    pub fn push(&mut self, sound: &[f32], out: &mut Vec<f32>) {
        self.input.extend_from_slice(sound);
        while self.step(out, false) {}
        self.drop_used();
    }

    /// Flushes the rest; the stretch can then be used for other sound.
    pub fn finish(&mut self, out: &mut Vec<f32>) {
        let end = self.dropped + self.input.len();
        let real = self.input.len();
        // Silence for the lookahead.
        self.input.resize(real + self.look_ahead() + self.half, 0.0);
        while self.position() + self.half <= end && self.step(out, true) {}
        // The rest is shorter than a step.
        let left = end.saturating_sub(self.position().max(self.natural));
        let from = self.natural - self.dropped;
        out.extend_from_slice(self.input.get(from..(from + left).min(real)).unwrap_or_default());
        self.clear();
    }

    /// Wipes all input; the rate stays.
    pub fn clear(&mut self) {
        self.input.zeroize();
        self.input.clear();
        self.dropped = 0;
        self.natural = 0;
        self.ideal = 0.0;
    }

    fn position(&self) -> usize {
        if self.unchanged() { self.natural } else { self.ideal as usize }
    }

    fn unchanged(&self) -> bool {
        (self.rate - 1.0).abs() < 1e-6
    }

    /// Outputs half a window, if there is enough input.
    fn step(&mut self, out: &mut Vec<f32>, last: bool) -> bool {
        let have = self.dropped + self.input.len();
        if self.unchanged() {
            // Everything available. At the end only real input counts: `finish` copies the rest.
            let until = if last { self.natural + self.half } else { have };
            if until > have || until == self.natural {
                return false;
            }
            out.extend_from_slice(&self.input[self.natural - self.dropped..until - self.dropped]);
            self.natural = until;
            self.ideal = until as f64;
            return true;
        }
        let ideal = self.ideal as usize;
        if have < ideal.max(self.natural) + self.search + self.half {
            return false;
        }
        let begin = self.best_window(ideal);
        let (old, new) = (self.natural - self.dropped, begin - self.dropped);
        if old == new {
            out.extend_from_slice(&self.input[old..old + self.half]);
        } else {
            let step = 1.0 / self.half as f32;
            out.extend((0..self.half).map(|i| {
                let fade = i as f32 * step;
                self.input[old + i] * (1.0 - fade) + self.input[new + i] * fade
            }));
        }
        self.natural = begin + self.half;
        self.ideal += self.half as f64 * self.rate;
        true
    }

    /// The position near `ideal` with the input most similar to the natural continuation.
    fn best_window(&self, ideal: usize) -> usize {
        let lowest = ideal.saturating_sub(self.search).max(self.dropped);
        let highest = ideal + self.search;
        let target = &self.input[self.natural - self.dropped..][..self.half];
        let likeness = |begin: usize, stride: usize| {
            let window = &self.input[begin - self.dropped..][..self.half];
            let (mut product, mut energy) = (0.0_f32, 1e-9_f32);
            for (a, b) in target.iter().zip(window).step_by(stride) {
                product += a * b;
                energy += b * b;
            }
            product / energy.sqrt()
        };
        // Coarse, then fine; among equals (silence) the nearest to the ideal position wins.
        let mut best = (ideal.max(lowest), likeness(ideal.max(lowest), 2));
        for begin in (lowest..=highest).step_by(3) {
            let like = likeness(begin, 2);
            if like > best.1 * 1.000_1 + 1e-6 {
                best = (begin, like);
            }
        }
        let coarse = best.0;
        best.1 = likeness(coarse, 1);
        for begin in coarse.saturating_sub(2).max(lowest)..=(coarse + 2).min(highest) {
            let like = likeness(begin, 1);
            if like > best.1 * 1.000_1 + 1e-6 {
                best = (begin, like);
            }
        }
        best.0
    }

    fn drop_used(&mut self) {
        let needed = self.natural.min((self.ideal as usize).saturating_sub(self.search));
        let used = needed.saturating_sub(self.dropped).min(self.input.len());
        if used > 4 * self.half {
            self.input.drain(..used);
            self.dropped += used;
        }
    }
}

impl Drop for Tempo {
    fn drop(&mut self) {
        self.input.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE_RATE: u32 = 22_050;

    /// A voice-like sound: a pulse train at `hz` through a decaying resonance, with noise.
    fn voice(hz: f32, seconds: f32) -> Vec<f32> {
        let n = (SAMPLE_RATE as f32 * seconds) as usize;
        let period = SAMPLE_RATE as f32 / hz;
        let mut seed = 1_u32;
        (0..n)
            .map(|i| {
                let phase = (i as f32 % period) / SAMPLE_RATE as f32;
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let noise = (seed >> 16) as f32 / 65_536.0 - 0.5;
                0.5 * (-phase * 300.0).exp() * (phase * 700.0 * std::f32::consts::TAU).sin() + 0.01 * noise
            })
            .collect()
    }

    fn stretch(sound: &[f32], rate: f32, chunk: usize) -> Vec<f32> {
        let mut tempo = Tempo::new(SAMPLE_RATE);
        tempo.set_rate(rate);
        let mut out = Vec::new();
        for part in sound.chunks(chunk) {
            tempo.push(part, &mut out);
        }
        tempo.finish(&mut out);
        out
    }

    /// The pitch by autocorrelation over the middle of the sound.
    fn pitch(sound: &[f32]) -> f32 {
        let middle = &sound[sound.len() / 4..sound.len() * 3 / 4];
        let lags = (SAMPLE_RATE / 400) as usize..=(SAMPLE_RATE / 60) as usize;
        let like = |lag: usize| {
            middle.iter().zip(&middle[lag..]).map(|(a, b)| a * b).sum::<f32>() / (middle.len() - lag) as f32
        };
        let best = lags.clone().map(like).fold(f32::MIN, f32::max);
        // The shortest lag that is nearly as good: not a multiple of the period.
        let lag = lags.clone().find(|&lag| like(lag) > 0.9 * best && like(lag) >= like(lag + 1)).unwrap_or(*lags.end());
        SAMPLE_RATE as f32 / lag as f32
    }

    // TTS-2
    #[test]
    fn length_follows_the_rate_and_pitch_does_not_tts_2() {
        for hz in [90.0, 140.0, 220.0] {
            let sound = voice(hz, 2.0);
            for rate in [0.5, 0.75, 0.85, 1.15, 1.5, 2.0, 3.0] {
                let out = stretch(&sound, rate, 1323);
                let ratio = out.len() as f32 * rate / sound.len() as f32;
                assert!((ratio - 1.0).abs() < 0.05, "{hz} Hz at {rate}: length off by {ratio}");
                let heard = pitch(&out);
                assert!((heard / hz - 1.0).abs() < 0.03, "{hz} Hz at {rate}: heard {heard}");
            }
        }
    }

    // TTS-2
    #[test]
    fn rate_one_changes_no_bit_tts_2() {
        let sound = voice(120.0, 0.731);
        for chunk in [1, 7, 300, 100_000] {
            assert_eq!(stretch(&sound, 1.0, chunk), sound);
        }
        assert!(stretch(&[], 1.0, 1).is_empty() && stretch(&[], 2.0, 1).is_empty());
    }

    // TTS-2, BRG-1
    #[test]
    fn its_place_in_the_input_follows_the_rate_tts_2_brg_1() {
        let sound = voice(120.0, 1.0);
        for rate in [0.5, 1.0, 1.7, 3.0] {
            let mut tempo = Tempo::new(SAMPLE_RATE);
            tempo.set_rate(rate);
            let mut out = Vec::new();
            for part in sound.chunks(300) {
                tempo.push(part, &mut out);
                let off = (tempo.place() as f32 - out.len() as f32 * rate).abs() / SAMPLE_RATE as f32;
                assert!(off < 0.03, "off by {off} s at {rate}");
            }
        }
    }

    // TTS-2
    #[test]
    fn silence_stays_silence_tts_2() {
        for rate in [0.5, 2.0, 3.0] {
            let out = stretch(&vec![0.0; 22_050], rate, 500);
            assert!(out.iter().all(|s| *s == 0.0));
            assert!((out.len() as f32 * rate / 22_050.0 - 1.0).abs() < 0.05);
        }
    }

    // TTS-2
    #[test]
    fn chunks_do_not_matter_and_short_sounds_survive_tts_2() {
        let sound = voice(120.0, 0.5);
        assert_eq!(stretch(&sound, 1.3, 64), stretch(&sound, 1.3, 5000));
        for samples in [1, 10, 400, 900] {
            let out = stretch(&sound[..samples], 1.5, 100);
            assert!(!out.is_empty() && out.len() <= samples, "{samples} became {}", out.len());
        }
    }

    // TTS-2
    #[test]
    fn a_change_on_the_way_goes_on_from_the_same_place_tts_2() {
        // Two tones: the start of the second shows how much of the first was spoken.
        let second = SAMPLE_RATE as usize;
        let sound: Vec<f32> = voice(100.0, 1.0).into_iter().chain(voice(200.0, 1.0)).collect();
        let mut tempo = Tempo::new(SAMPLE_RATE);
        let mut out = Vec::new();
        tempo.push(&sound[..second / 2], &mut out);
        let before = out.len();
        assert_eq!(before, second / 2, "nothing is held back at rate 1.0");
        tempo.set_rate(2.0);
        tempo.push(&sound[second / 2..], &mut out);
        tempo.finish(&mut out);
        let expect = second / 2 + second / 4 + second / 2;
        assert!((out.len() as f32 / expect as f32 - 1.0).abs() < 0.05, "{} instead of {expect}", out.len());
        // No jump at the rate change.
        let jump = out[before - 50..before + 700].windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f32::max);
        let usual = sound.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f32::max);
        assert!(jump <= usual * 1.2, "{jump} instead of {usual}");
    }

    // TTS-2
    #[test]
    fn little_is_held_back_tts_2() {
        let sound = voice(120.0, 1.0);
        for rate in [0.5, 1.5, 2.0] {
            let mut tempo = Tempo::new(SAMPLE_RATE);
            tempo.set_rate(rate);
            assert!(tempo.look_ahead() * 1000 <= 50 * SAMPLE_RATE as usize);
            let mut out = Vec::new();
            tempo.push(&sound, &mut out);
            let said = out.len() as f32 * rate;
            assert!(sound.len() as f32 - said <= 0.08 * SAMPLE_RATE as f32, "{said} of {}", sound.len());
        }
    }
}
