//! 16-bit floats.

/// Bits of the nearest 16-bit float, ties to even; too large numbers become infinite, too small ones zero.
pub(super) fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude >= 0x4780_0000 {
        // 65536 and above, infinity and NaN.
        return sign | if magnitude > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
    }
    // Below 2^-14 numbers are subnormal: the 10 fraction bits keep the weight of that exponent.
    let exponent = (magnitude >> 23) as i32 - 127;
    let shift = if exponent >= -14 { 13 } else { 13 + (-14 - exponent) };
    if shift > 24 {
        return sign;
    }
    let fraction = (magnitude & 0x007f_ffff) | if exponent >= -14 { 0 } else { 0x0080_0000 };
    let base = if exponent >= -14 { ((exponent + 14) as u32 + 1) << 10 } else { 0 };
    let half = 1u32 << (shift - 1);
    let kept = fraction >> shift;
    let lost = fraction & ((1 << shift) - 1);
    let up = u32::from(lost > half || (lost == half && kept & 1 == 1));
    // A carry from the fraction correctly increments the exponent.
    sign | (base + kept + up) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_the_nearest_half() {
        for (value, expect) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.5, 0x3800),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (1e9, 0x7c00),
            (-1e9, 0xfc00),
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            (1e-9, 0x0000),
            (1.000_488_3, 0x3c00),
            (1.001_464_8, 0x3c02),
            (0.1, 0x2e66),
        ] {
            assert_eq!(from_f32(value), expect, "{value}");
        }
        assert_eq!(from_f32(f32::NAN) & 0x7c00, 0x7c00);
        assert_ne!(from_f32(f32::NAN) & 0x03ff, 0);
    }
}
