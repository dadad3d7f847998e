//! The file of a trained classifier: a header of 32 bytes, one signed byte per bucket, a checksum. All numbers are little-endian.
//!
//! | bytes | content |
//! |---:|---|
//! | 8 | `LUNATALK` |
//! | 4 | version of this format |
//! | 4 | version of the features |
//! | 4 | number of buckets as a power of two |
//! | 4 | zero |
//! | 4 | slope |
//! | 4 | offset |
//! | 2^n | weights |
//! | 8 | FNV-1a of everything before |

use super::{Classifier, Error, features};

const MAGIC: &[u8; 8] = b"LUNATALK";
const VERSION: u32 = 1;
const HEADER: usize = 32;
const CHECKSUM: usize = 8;

/// FNV-1a: notices accidents, not attacks.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

pub(super) fn read(bytes: &[u8]) -> Result<Classifier, Error> {
    if !bytes.starts_with(MAGIC) {
        return Err(Error::OtherFormat);
    }
    let word = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|part| <[u8; 4]>::try_from(part).ok());
        four.map(u32::from_le_bytes).ok_or(Error::Damaged)
    };
    for (at, expected) in [(8, VERSION), (12, features::VERSION)] {
        let found = word(at)?;
        if found != expected {
            return Err(Error::OtherVersion { found, expected });
        }
    }
    let (body, sum) = bytes.split_at_checked(bytes.len().saturating_sub(CHECKSUM)).ok_or(Error::Damaged)?;
    if sum != checksum(body).to_le_bytes() {
        return Err(Error::Damaged);
    }
    let weights: Box<[i8]> = body.get(HEADER..).ok_or(Error::Damaged)?.iter().map(|byte| byte.cast_signed()).collect();
    if weights.len().checked_ilog2() != Some(word(16)?) {
        return Err(Error::Damaged);
    }
    let (slope, offset) = (f32::from_bits(word(24)?), f32::from_bits(word(28)?));
    Classifier::new(weights, slope, offset).ok_or(Error::Damaged)
}

pub(super) fn write(classifier: &Classifier) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for word in [VERSION, features::VERSION, classifier.weights.len().trailing_zeros(), 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(classifier.slope.to_le_bytes());
    bytes.extend(classifier.offset.to_le_bytes());
    bytes.extend(classifier.weights.iter().map(|weight| weight.cast_unsigned()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}
