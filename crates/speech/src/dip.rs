//! Where a word probably begins, for voices that don't tell: after a dip of the energy.

/// Length of a frame whose energy is measured, in milliseconds.
const FRAME_MS: u32 = 10;
/// A frame is a dip below this part of the loudest one's energy: −20 dB, between the consonants and the pauses of a voice.
const DIP: f32 = 0.01;
/// Frames that a dip has at least: 30 ms, longer than the valley between two periods of a deep voice.
const FRAMES: usize = 3;
/// Frames before the end that don't count: a dip there would cut into the word that is meant.
const SKIPPED: usize = 10;

/// The place in `sound` after its last dip of energy, at which the last word probably begins: an index into `sound`. Without a dip it is the
/// quietest place; 0 if the sound is too short.
#[must_use]
pub fn last_word(sound: &[f32], sample_rate: u32) -> usize {
    let frame = (sample_rate * FRAME_MS / 1000).max(1) as usize;
    // Frames are counted from the end, which is the place that matters; what doesn't fill one at the beginning is left out.
    let offset = sound.len() % frame;
    let energies: Vec<f32> =
        sound[offset..].chunks_exact(frame).map(|part| part.iter().map(|s| s * s).sum::<f32>()).collect();
    let loudest = energies.iter().copied().fold(0.0, f32::max);
    let Some(searched) = energies.len().checked_sub(SKIPPED).and_then(|until| energies.get(..until)) else { return 0 };
    let dip = searched.windows(FRAMES).rposition(|part| part.iter().all(|energy| *energy <= loudest * DIP));
    let quietest = || (0..searched.len()).min_by(|a, b| searched[*a].total_cmp(&searched[*b]));
    // The last frame of a dip is kept, for the onset of the word.
    dip.map(|first| first + FRAMES - 1).or_else(quietest).map_or(0, |at| offset + at * frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds at 1000 samples a second: pairs of a length and an amplitude.
    fn check(parts: &[(usize, f32)], expect: usize) {
        let sound: Vec<f32> = parts.iter().flat_map(|(length, loud)| vec![*loud; *length]).collect();
        assert_eq!(last_word(&sound, 1000), expect, "{parts:?}");
    }

    #[test]
    fn a_word_begins_after_the_last_dip() {
        check(&[], 0);
        check(&[(90, 0.5)], 0);
        check(&[(300, 0.5), (100, 0.0), (300, 0.5)], 390);
        check(&[(303, 0.5), (100, 0.0), (300, 0.5)], 393);
        check(&[(300, 0.5), (100, 0.001), (300, 0.5), (60, 0.0), (200, 0.3)], 750);
        // A dip just before the end is within the word.
        check(&[(300, 0.5), (100, 0.001), (300, 0.5), (60, 0.0), (20, 0.3)], 390);
        // One too short is none.
        check(&[(300, 0.5), (100, 0.001), (300, 0.5), (20, 0.0), (200, 0.3)], 390);
        // Without any, the quietest frame.
        check(&[(300, 0.5), (100, 0.3), (300, 0.5)], 300);
    }
}
