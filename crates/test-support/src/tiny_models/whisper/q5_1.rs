//! The quantised format Q5_1 of ggml: blocks of 32 numbers, each 5 bits, with a scale and a minimum of 16 bits.

use std::io;

use super::half;

/// Numbers per block.
const BLOCK: usize = 32;
/// The largest number of 5 bits.
const LARGEST: f32 = 31.0;

/// Encodes numbers, whose count must be a multiple of 32.
///
/// # Errors
/// The last block is incomplete.
pub(super) fn encode(values: &[f32]) -> io::Result<Vec<u8>> {
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    if !rest.is_empty() {
        return Err(io::Error::other("a quantised matrix needs a multiple of 32 columns"));
    }
    let mut bytes = Vec::with_capacity(blocks.len() * 24);
    for block in blocks {
        let least = block.iter().copied().fold(f32::INFINITY, f32::min);
        let most = block.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let scale = (most - least) / LARGEST;
        let inverse = if scale > 0.0 { scale.recip() } else { 0.0 };
        let mut fifth_bits = 0u32;
        let mut low = [0u8; BLOCK / 2];
        for (at, value) in block.iter().enumerate() {
            let level = ((value - least) * inverse).round().clamp(0.0, LARGEST) as u32;
            fifth_bits |= (level >> 4) << at;
            // The first half of a block is in the low four bits, the second in the high ones.
            low[at % (BLOCK / 2)] |= ((level & 15) << (4 * (at / (BLOCK / 2)))) as u8;
        }
        bytes.extend_from_slice(&half::from_f32(scale).to_le_bytes());
        bytes.extend_from_slice(&half::from_f32(least).to_le_bytes());
        bytes.extend_from_slice(&fifth_bits.to_le_bytes());
        bytes.extend_from_slice(&low);
    }
    Ok(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may fail")]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_scale_its_minimum_and_its_levels() {
        // 31 steps of 1 from −15: the levels are 0, 1, 2 … 31.
        let values: Vec<f32> = (0u8..32).map(|level| f32::from(level) - 15.0).collect();
        let bytes = encode(&values).unwrap();
        assert_eq!(bytes.len(), 24);
        assert_eq!(bytes[..4], [0x00, 0x3c, 0x80, 0xcb], "1.0 and −15.0");
        assert_eq!(bytes[4..8], 0xffff_0000_u32.to_le_bytes());
        assert_eq!(bytes[8..10], [0x00, 0x11]);
        assert_eq!(bytes[23], 0xff);
        assert_eq!(encode(&[0.0; 64]).unwrap(), [0; 48]);
        assert!(encode(&[0.0; 33]).is_err());
    }
}
