//! Order or talk (NLU-8): how probable it is that a sentence is an order to a desktop assistant and no statement, question or chat ("우리 애는 매일 일기 써",
//! "he told me to stop and I stopped").
//!
//! A logistic regression on hashed character n-grams ([`features`]), trained by `scripts/train-talk.sh`. It knows speech acts, not commands: the grammar
//! decides what an utterance orders, and asks here whether a sentence that it can parse is an order at all. The probability assumes that both are equally
//! frequent.
//!
//! The weights lie in a file beside the program ([`file`]) and not in it, because the licence of the texts that they were trained on differs from Luna's.

pub mod features;
pub mod file;

use self::features::Feature;

/// Errors of reading a classifier's file. Each means that the file has to be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// It begins otherwise than such a file does.
    OtherFormat,
    /// Its version of the format or of the features is another one than this program's.
    OtherVersion { found: u32, expected: u32 },
    /// Its length differs from what its header says, or its checksum is wrong.
    Damaged,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OtherFormat => f.write_str("it is no order-or-talk model"),
            Self::OtherVersion { found, expected } => {
                write!(f, "it is an order-or-talk model of version {found}, and this program reads version {expected}")
            }
            Self::Damaged => f.write_str("it is damaged or incomplete"),
        }
    }
}

impl std::error::Error for Error {}

/// A trained classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    /// One weight per bucket; their number is a power of two.
    weights: Box<[i8]>,
    /// The log odds are `slope` · sum of weights / √(number of features) + `offset`.
    slope: f32,
    offset: f32,
}

impl Classifier {
    /// A classifier of these weights; `None` unless their number is a power of two from 2^8 to 2^24 and the numbers are finite.
    #[must_use]
    pub fn new(weights: Box<[i8]>, slope: f32, offset: f32) -> Option<Self> {
        let fits = weights.len().is_power_of_two() && (8..=24).contains(&weights.len().trailing_zeros());
        (fits && slope.is_finite() && offset.is_finite()).then_some(Self { weights, slope, offset })
    }

    /// Reads the content of a file that [`Classifier::bytes`] wrote.
    ///
    /// # Errors
    /// If it is no such file, of another version, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        file::read(bytes)
    }

    /// The content of its file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// The probability that the utterance is an order, 0 to 1. The wake word must have been taken off. Without any letter or digit it is 0.
    #[must_use]
    pub fn order(&self, utterance: &str) -> f32 {
        self.log_odds(utterance).map_or(0.0, |odds| 1.0 / (1.0 + (-odds).exp()))
    }

    /// The logarithm of the odds that the utterance is an order; `None` without any letter or digit.
    #[must_use]
    pub fn log_odds(&self, utterance: &str) -> Option<f32> {
        let bits = self.weights.len().trailing_zeros();
        let (mut sum, mut count) = (0_i32, 0_u32);
        features::each(utterance, |feature: Feature| {
            let weight = i32::from(self.weights.get(feature.bucket(bits)).copied().unwrap_or(0));
            sum += if feature.is_negative() { -weight } else { weight };
            count += 1;
        });
        (count > 0).then(|| self.slope * sum as f32 / (count as f32).sqrt() + self.offset)
    }
}

#[cfg(test)]
mod tests;
