//! Models with random weights.

use std::path::Path;

use super::codes::CodeDice;
use super::{WhisperError, WhisperSizes, write};

/// A model with random weights: meaningless transcripts at the cost of a real model of its size. Whisper tiny has 384 columns, 6 heads and 4 layers
/// each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomWhisper {
    pub sizes: WhisperSizes,
    /// The same seed gives the same file.
    pub seed: u64,
}

impl Default for RandomWhisper {
    fn default() -> Self {
        Self { sizes: WhisperSizes::default(), seed: 1 }
    }
}

impl RandomWhisper {
    /// Writes the model; returns its size in bytes.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write(&self, path: &Path) -> Result<u64, WhisperError> {
        let mut dice = CodeDice::new(self.seed);
        // Numbers come from a table, so that even an unoptimised program writes 100 MB in a second.
        let table: Vec<f32> = (0..4096).map(|_| dice.normal()).collect();
        let vocabulary = vocabulary();
        write(path, &self.sizes, &vocabulary, &mut |name, _, values| {
            if name.ends_with("ln.weight") || name.ends_with("ln_post.weight") {
                values.fill(1.0);
                return;
            }
            if name.ends_with("bias") {
                return;
            }
            let size = if name.ends_with("embedding") || name.ends_with("embedding.weight") { 0.3 } else { 0.05 };
            for five in values.chunks_mut(5) {
                let mut bits = dice.next();
                for value in five {
                    *value = size * table[(bits & 0xfff) as usize];
                    bits >>= 12;
                }
            }
        })
    }
}

/// Bytes, then all pairs of lower-case letters as words.
fn vocabulary() -> Vec<Vec<u8>> {
    let letters = || b'a'..=b'z';
    let pairs = letters().flat_map(|a| letters().map(move |b| vec![b' ', a, b]));
    (0..=255u8).map(|byte| vec![byte]).chain(pairs).collect()
}
