//! Whether the linear filter of the echo canceller knows the room: how much of Luna's voice it took away while nobody else spoke.

/// What remains of the weight of a block of 16 ms from one block to the next: half a second counts.
const DECAY: f32 = 0.97;
/// Reduction from which the filter is trusted, 10 dB.
const TRUSTED: f32 = 10.0;
/// Blocks of echo before that, a second: a filter that has just begun to adapt fits one sound and not the next.
const ENOUGH: u32 = 60;
/// Power of echo from which there is something to learn, -60 dB.
const LEAST: f32 = 1e-6;

#[derive(Default)]
pub(super) struct FilterTrust {
    echo: f32,
    left: f32,
    blocks: u32,
}

impl FilterTrust {
    /// Takes the power of a block in which nobody spoke but Luna, and what the filter left of it, both without the noise of the room.
    pub fn learn(&mut self, echo: f32, left: f32) {
        if echo > LEAST {
            self.echo = DECAY * self.echo + echo;
            self.left = DECAY * self.left + left.max(0.0);
            self.blocks = self.blocks.saturating_add(1);
        }
    }

    pub fn is_trusted(&self) -> bool {
        self.blocks >= ENOUGH && self.echo >= TRUSTED * self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BRG-4
    #[test]
    fn a_filter_is_trusted_after_it_took_echo_away_brg_4() {
        let mut trust = FilterTrust::default();
        assert!(!trust.is_trusted());
        let mut after = |echo: f32, left: f32, blocks: usize| {
            (0..blocks).for_each(|_| trust.learn(echo, left));
            trust.is_trusted()
        };
        assert!(!after(1e-3, 5e-4, 50));
        assert!(!after(1e-3, 2e-5, 9), "too little was heard");
        assert!(after(1e-3, 2e-5, 100));
        assert!(after(1e-8, 1e-8, 100), "there is nothing to learn from silence");
        assert!(!after(1e-3, 1e-3, 10), "the room changed");
    }
}
