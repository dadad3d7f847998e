//! Reproducible random numbers (SplitMix64) and the hash that assigns sentences to parts.

/// A sequence of random numbers, the same one for the same seed.
pub struct RandomSequence(u64);

impl RandomSequence {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below `limit`, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }

    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// FNV-1a, mixed once more, because its low bits of short texts are regular.
pub fn hash(text: &str) -> u64 {
    let fnv = text
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    RandomSequence::new(fnv).next()
}
