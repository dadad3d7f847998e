//! The noise of the room: the lowest loudness of the last seconds.

/// Blocks of 16 ms per window.
const WINDOW: usize = 25;
/// Windows that are remembered: 4.8 s, longer than people speak without a dip between syllables or words.
const WINDOWS: usize = 12;
/// The floor is never above -20 dB: a room as loud as that has no voices in it.
const HIGHEST: f32 = 1e-2;
/// Share of a new block in the smoothed power: the least power of single blocks lies far below the mean of a steady noise.
const SHARE: f32 = 0.25;

/// Follows quiet blocks at once and louder noise after some seconds.
pub(super) struct NoiseFloor {
    smooth: f32,
    lowest: [f32; WINDOWS],
    at: usize,
    /// Blocks in the current window; `None` before the first.
    blocks: Option<usize>,
}

impl NoiseFloor {
    pub const fn new() -> Self {
        Self { smooth: 0.0, lowest: [HIGHEST; WINDOWS], at: 0, blocks: None }
    }

    pub fn push(&mut self, power: f32) {
        let blocks = self.blocks.map_or(1, |blocks| blocks + 1);
        self.smooth = if self.blocks.is_none() { power } else { self.smooth + SHARE * (power - self.smooth) };
        self.lowest[self.at] = self.lowest[self.at].min(self.smooth);
        self.blocks = Some(blocks);
        if blocks == WINDOW {
            self.blocks = Some(0);
            self.at = (self.at + 1) % WINDOWS;
            self.lowest[self.at] = self.smooth;
        }
    }

    /// Mean square.
    pub fn power(&self) -> f32 {
        self.lowest.iter().copied().fold(HIGHEST, f32::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_silence_at_once_and_noise_after_some_seconds() {
        let mut floor = NoiseFloor::new();
        let mut after = |power: f32, blocks: usize| {
            (0..blocks).for_each(|_| floor.push(power));
            10.0 * floor.power().log10()
        };
        assert!((after(1e-5, 10) + 50.0).abs() < 1.0, "the first blocks are noise");
        assert!((after(1e-4, 62) + 50.0).abs() < 1.0, "a voice is no noise");
        assert!((after(1e-4, 320) + 40.0).abs() < 1.0);
        assert!(after(1e-7, 31) < -60.0);
        assert!(after(1e-4, 62) < -60.0, "a voice is no noise");
    }
}
