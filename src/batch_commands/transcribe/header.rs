//! The header of a WAV file that was written into a pipe or not finished: it does not contain the length of the sound.

/// Maximum bytes of a header, with space for metadata such as a title.
pub const MAX_BYTES: u64 = 64 << 10;

/// Lengths from this value on mean "unknown": accepted sounds are shorter, and writers put 2³², 2³¹ or nearly that.
const UNKNOWN: u32 = 0x7fff_0000;

/// Replaces an unknown length by the maximum; returns whether it did. The sound then ends with the file.
pub fn settle_unknown_length(head: &mut [u8]) -> bool {
    let Some((length_at, frame)) = data(head) else { return false };
    let sound_at = length_at + 4;
    let (Some(length), Some(file)) = (number(head, length_at), number(head, 4)) else { return false };
    // A length of 0 with other chunks behind it is an empty sound; with nothing but data behind it, the length is unknown.
    let others = (u64::from(file) + 8 > sound_at as u64) && file < UNKNOWN;
    let unknown = length >= UNKNOWN || (length == 0 && !others && head.len() > sound_at);
    if unknown && let Some(place) = head.get_mut(length_at..sound_at) {
        let longest = u32::MAX / u32::from(frame) * u32::from(frame);
        place.copy_from_slice(&longest.to_le_bytes());
    }
    unknown
}

/// Offset of the sound's length, and the bytes of a frame.
fn data(head: &[u8]) -> Option<(usize, u16)> {
    if !head.starts_with(b"RIFF") || head.get(8..12) != Some(b"WAVE") {
        return None;
    }
    let (mut at, mut frame) = (12, None);
    loop {
        let (kind, length) = (head.get(at..at + 4)?, number(head, at + 4)?);
        match kind {
            b"fmt " => frame = head.get(at + 20..at + 22).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]])),
            b"data" => return Some((at + 4, frame.filter(|frame| *frame > 0)?)),
            _ => {}
        }
        at = at.checked_add(8)?.checked_add(usize::try_from(length).ok()?)?;
    }
}

fn number(head: &[u8], at: usize) -> Option<u32> {
    head.get(at..).and_then(|rest| rest.first_chunk()).map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(file: u32, length: u32, before: &[u8], sound: &[u8]) -> Vec<u8> {
        let format = b"WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0";
        let parts = [format.as_slice(), before, b"data", &length.to_le_bytes(), sound];
        [b"RIFF".as_slice(), &file.to_le_bytes(), &parts.concat()].concat()
    }

    // STT-3
    #[test]
    fn a_length_that_was_not_known_is_told_from_one_that_was_stt_3() {
        let list = [b"LIST".as_slice(), &4_u32.to_le_bytes(), b"INFO"].concat();
        for (file, length, sound, expect) in [
            (0xffff_ffff, 0xffff_ffff, &[0; 8][..], true),
            (0x7fff_f024, 0x7fff_f000, &[0; 8], true),
            (0x8000_0024, 0x8000_0000, &[0; 8], true),
            (0, 0, &[0; 8], true),
            (36, 0, &[0; 8], true),
            (0, 0, &[], false),
            (44, 8, &[0; 8], false),
            (144, 108, &[0; 8], false),
            // An empty sound with another chunk behind it.
            (56, 0, &list, false),
        ] {
            for before in [&b""[..], &list] {
                let file = if before.is_empty() || file == 0 || file >= UNKNOWN { file } else { file + 12 };
                let mut head = head(file, length, before, sound);
                assert_eq!(settle_unknown_length(&mut head), expect, "{file} {length} {sound:?}");
                let settled = data(&head).and_then(|(at, _)| number(&head, at));
                assert_eq!(settled, Some(if expect { u32::MAX - 3 } else { length }));
            }
        }
        for other in
            [&b""[..], b"RIFF", b"RIFFxxxxWAVE", b"RIFFxxxxWAVEdata\0\0\0\0x", b"RIFFxxxxWAVEjunk\xff\xff\xff\xff"]
        {
            assert!(!settle_unknown_length(&mut other.to_vec()), "{other:?}");
        }
    }
}
