//! Detects truncated picture files for formats whose decoders don't: the JPEG decoder takes half a file for a whole picture, the WebP decoder calls
//! it damaged.

/// The end-of-image marker.
const END: u8 = 0xd9;
/// The start-of-scan marker; the pixels follow its segment.
const SCAN: u8 = 0xda;

/// Whether the file is a JPEG or a WebP that ends before its picture does.
#[must_use]
pub fn is_cut_short(bytes: &[u8]) -> bool {
    is_jpeg_cut_short(bytes) || is_webp_cut_short(bytes)
}

/// A WebP file starts with its length.
fn is_webp_cut_short(bytes: &[u8]) -> bool {
    let length = bytes.get(4..).and_then(|rest| rest.first_chunk()).map(|length| u32::from_le_bytes(*length));
    bytes.starts_with(b"RIFF")
        && bytes.get(8..12) == Some(b"WEBP")
        && length.is_some_and(|length| u64::from(length) + 8 > bytes.len() as u64)
}

/// Skips segments by their lengths, so that the end marker of an embedded preview does not count as the end of the picture.
fn is_jpeg_cut_short(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[0xff, 0xd8]) else { return false };
    loop {
        // Only fill bytes may stand between segments; the decoder judges anything else.
        let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xff && is_marker(pair[1])) else { return true };
        let (marker, behind) = (rest[at + 1], &rest[at + 2..]);
        rest = match marker {
            END => return false,
            // Markers without a segment.
            0x01 | 0xd8 => behind,
            _ => match behind
                .first_chunk::<2>()
                .and_then(|length| behind.get(usize::from(u16::from_be_bytes(*length))..))
            {
                // Pixels extend to the next marker; the search above passes over them.
                Some(behind) if marker == SCAN || !behind.is_empty() => behind,
                _ => return true,
            },
        };
    }
}

/// Whether this byte after a 255 begins a segment. If not, it belongs to the pixels: 0 encodes 255 itself, 255 is fill, and restart markers
/// separate pixels.
const fn is_marker(byte: u8) -> bool {
    !matches!(byte, 0 | 0xff | 0xd0..=0xd7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_is_whole_up_to_its_end_marker() {
        let preview = [0xff, 0xe1, 0, 6, 0xff, 0xd9, 1, 2];
        let scan = [0xff, 0xda, 0, 4, 9, 9, 7, 0xff, 0, 8, 0xff, 0xd3, 7];
        let whole = [&[0xff, 0xd8][..], &preview, &scan, &[0xff, 0xff, 0xd9]].concat();
        assert!(!is_cut_short(&whole));
        assert!(!is_cut_short(&[&whole[..], b"and more"].concat()), "what comes behind does not count");
        for length in 2..whole.len() {
            assert!(is_cut_short(&whole[..length]), "{length} of {}", whole.len());
        }
        for other in [&b""[..], b"\xff", b"\x89PNG\r\n\x1a\n", b"BM"] {
            assert!(!is_cut_short(other), "{other:?}");
        }
    }
}
