//! Nearly orthogonal vectors of +1 and −1, and their random number generator.

/// SplitMix64: small, and good enough for meaningless weights.
#[derive(Debug, Clone)]
pub(super) struct CodeDice(u64);

impl CodeDice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Approximately normal with mean 0 and deviation 1: the sum of four uniform numbers.
    pub(super) fn normal(&mut self) -> f32 {
        let bits = self.next();
        let sum: f32 = (0..4).map(|part| ((bits >> (16 * part)) & 0xffff) as f32 / 65_535.0 - 0.5).sum();
        sum * 3f32.sqrt()
    }
}

/// Vectors of `width` numbers with as many +1 as −1, so that a layer norm does not change them. The scalar product of any two is at most
/// `3 √width`.
pub(super) fn codes(width: usize, count: usize) -> Vec<Vec<f32>> {
    let mut dice = CodeDice::new(1);
    let limit = 3.0 * (width as f32).sqrt();
    let mut codes: Vec<Vec<f32>> = Vec::with_capacity(count);
    while codes.len() < count {
        let mut code: Vec<f32> = (0..width).map(|at| if at % 2 == 0 { 1.0 } else { -1.0 }).collect();
        for at in (1..width).rev() {
            code.swap(at, (dice.next() % (at as u64 + 1)) as usize);
        }
        let near = |other: &Vec<f32>| other.iter().zip(&code).map(|(a, b)| a * b).sum::<f32>().abs() > limit;
        if !codes.iter().any(near) {
            codes.push(code);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_balanced_and_far_from_each_other() {
        let codes = codes(64, 256);
        assert_eq!(codes.len(), 256);
        for (at, code) in codes.iter().enumerate() {
            assert_eq!(code.iter().sum::<f32>(), 0.0);
            for other in &codes[..at] {
                let product: f32 = code.iter().zip(other).map(|(a, b)| a * b).sum();
                assert!(product.abs() <= 24.0, "{product}");
            }
        }
    }

    #[test]
    fn the_dice_are_about_normal() {
        let mut dice = CodeDice::new(7);
        let values: Vec<f32> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let deviation = (values.iter().map(|v| v * v).sum::<f32>() / values.len() as f32).sqrt();
        assert!(mean.abs() < 0.05 && (deviation - 1.0).abs() < 0.05, "{mean} {deviation}");
    }
}
