//! 16-bit floats.

/// Bits of the nearest 16-bit float; too large numbers become infinite, too small ones zero.
pub(super) fn bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let half = if magnitude >= 0x4780_0000 {
        // 65536 and above, infinity and NaN.
        if magnitude > 0x7f80_0000 { 0x7e00 } else { 0x7c00 }
    } else if magnitude < 0x3880_0000 {
        // Subnormal: multiples of 2^-24.
        (f32::from_bits(magnitude) * 16_777_216.0).round_ties_even() as u32
    } else {
        let rounded = magnitude + 0x0fff + ((magnitude >> 13) & 1);
        (rounded - 0x3800_0000) >> 13
    };
    (sign | half) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_have_their_bits() {
        for (value, expect) in [
            (0.0, 0),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.1, 0x2e66),
            (65504.0, 0x7bff),
            (1e6, 0x7c00),
            (5.960_464_5e-8, 1),
            (6.103_515_6e-5, 0x0400),
        ] {
            assert_eq!(bits(value), expect, "{value}");
        }
    }
}
