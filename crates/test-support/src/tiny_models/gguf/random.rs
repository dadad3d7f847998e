//! Models with random weights.

use std::io;
use std::path::Path;

use super::model::{self, GgufSizes};
use super::vocabulary::GgufVocabulary;
use super::writer::{self, Tensor, TensorFill};
use super::{CHATML, WeightFormat};

/// A model with random weights: meaningless output at realistic cost in time and memory.
#[derive(Debug, Clone)]
pub struct RandomLlm {
    /// Length of an embedding; an even multiple of `heads`.
    pub embedding: usize,
    /// Blocks.
    pub layers: usize,
    /// Attention heads; a multiple of `kv_heads`.
    pub heads: usize,
    /// Key/value heads.
    pub kv_heads: usize,
    /// Width of the hidden layer of each block.
    pub feed_forward: usize,
    /// Minimum number of tokens; some 260 are always present.
    pub vocabulary: usize,
    /// Declared training context, in tokens.
    pub context: u32,
    /// The same seed gives the same file.
    pub seed: u64,
    /// How the weights are stored.
    pub weights: WeightFormat,
    /// The chat template; `None`: the file has none.
    pub chat_template: Option<String>,
}

impl RandomLlm {
    /// Some 100,000 parameters, less than a megabyte.
    #[must_use]
    pub fn small(seed: u64) -> Self {
        Self {
            embedding: 64,
            layers: 2,
            heads: 2,
            kv_heads: 1,
            feed_forward: 128,
            vocabulary: 0,
            context: 2048,
            seed,
            weights: WeightFormat::F32,
            chat_template: Some(CHATML.into()),
        }
    }

    /// Some 110 million parameters with a vocabulary of 32,000; 117 MB. Large enough for measurements.
    #[must_use]
    pub fn hundred_million(seed: u64) -> Self {
        Self {
            embedding: 768,
            layers: 12,
            heads: 12,
            kv_heads: 12,
            feed_forward: 2048,
            vocabulary: 32_000,
            context: 4096,
            weights: WeightFormat::Q8_0,
            ..Self::small(seed)
        }
    }

    /// Number of weights in matrices.
    #[must_use]
    pub fn parameters(&self) -> usize {
        let kv = self.embedding / self.heads.max(1) * self.kv_heads;
        let block =
            2 * self.embedding * self.embedding + 2 * self.embedding * kv + 3 * self.embedding * self.feed_forward;
        self.layers * block + self.vocabulary * self.embedding
    }

    /// Writes the file; returns its size in bytes.
    ///
    /// # Errors
    /// Sizes that are impossible for the architecture, or a file that can't be written.
    pub fn write(&self, path: &Path) -> io::Result<u64> {
        let sizes = GgufSizes {
            embedding: self.embedding,
            layers: self.layers,
            heads: self.heads,
            kv_heads: self.kv_heads,
            feed_forward: self.feed_forward,
            context: self.context,
        };
        sizes.check(self.weights)?;
        let mut vocabulary = GgufVocabulary::new(true);
        pad_vocabulary(&mut vocabulary, self.vocabulary);
        let rows = Some(vocabulary.len());
        let mut file = model::file("luna-tiny-random", sizes, vocabulary, self.chat_template.as_deref());
        let mut seeds = writer::SeededRandom::new(self.seed);
        let mut fill =
            |columns: usize| TensorFill::Random { seed: seeds.next(), deviation: 1.0 / (columns as f32).sqrt() };
        // Also the output matrix; this deviation makes logits differ by some units.
        let embedding = Tensor {
            name: "token_embd.weight".into(),
            columns: self.embedding,
            rows,
            weights: self.weights,
            fill: TensorFill::Random { seed: self.seed, deviation: 2.0 / (self.embedding as f32).sqrt() },
        };
        file.tensors.push(embedding);
        for layer in 0..self.layers {
            file.tensors.extend(model::block(sizes, layer, self.weights, &mut fill));
        }
        file.write(path)
    }
}

/// Adds Korean syllables, then sequences of them, until the vocabulary has `tokens` tokens.
fn pad_vocabulary(vocabulary: &mut GgufVocabulary, tokens: usize) {
    const SYLLABLES: usize = 11_172;
    let syllable = |number: usize| char::from_u32(0xac00 + (number % SYLLABLES) as u32).unwrap_or('가');
    let missing = tokens.saturating_sub(vocabulary.len());
    for number in 0..missing {
        let mut text = String::from(syllable(number));
        for round in 1..=number / SYLLABLES {
            text.push(syllable(number * 7 + round));
        }
        vocabulary.add_piece(text.as_bytes());
    }
}
