//! Models with random weights.

use std::path::Path;

use super::codes::CodeDice;
use super::{WhisperError, WhisperSizes, write};

/// A model with random weights: what it writes down means nothing, but it works as hard as a real one of its size. The shape of Whisper tiny
/// is 384 columns, 6 heads, 4 layers each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomWhisper {
    pub shape: WhisperSizes,
    /// The same seed gives the same file.
    pub seed: u64,
}

impl Default for RandomWhisper {
    fn default() -> Self {
        Self { shape: WhisperSizes::default(), seed: 1 }
    }
}

impl RandomWhisper {
    /// Writes the model; returns its size in bytes.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn write(&self, path: &Path) -> Result<u64, WhisperError> {
        let mut dice = CodeDice::new(self.seed);
        // Numbers are taken from a table: a file of 100 MB is then written in a second also by an unoptimised program.
        let table: Vec<f32> = (0..4096).map(|_| dice.normal()).collect();
        let vocabulary = vocabulary();
        write(path, &self.shape, &vocabulary, &mut |name, _, values| {
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

/// Bytes, then all pairs of lower-case letters as words: readable nonsense.
fn vocabulary() -> Vec<Vec<u8>> {
    let letters = || b'a'..=b'z';
    let pairs = letters().flat_map(|a| letters().map(move |b| vec![b' ', a, b]));
    (0..=255u8).map(|byte| vec![byte]).chain(pairs).collect()
}
