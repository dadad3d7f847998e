//! The sound of one sentence, while it is synthesised and played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luna_speech::dip;
use tokio::sync::Notify;
use zeroize::{Zeroize, Zeroizing};

use crate::control::PlaybackControl;

/// How a synthesis ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipEnd {
    /// The sound is complete.
    Done,
    /// The engine crashed or hung; a retry may succeed.
    Crashed,
    /// There is no engine, it can't speak this text, or too many sentences wait for it.
    Impossible,
}

#[derive(Debug, Default)]
struct ClipState {
    // Each piece keeps its own allocation: a growing vector would leave unwiped copies behind (BUF-2).
    pieces: Vec<Zeroizing<Vec<f32>>>,
    /// Samples in all pieces.
    length: usize,
    /// Where words begin, in samples from the beginning of the clip, rising. Empty if the engine doesn't tell.
    words: Vec<usize>,
    sample_rate: u32,
    end: Option<ClipEnd>,
}

/// The sound of one sentence: the engine's task appends, the audio thread reads.
#[derive(Debug)]
pub struct Clip {
    state: Mutex<ClipState>,
    cancelled: AtomicBool,
    /// Wakes the engine's task when the clip is cancelled.
    cancel: Notify,
    control: Arc<PlaybackControl>,
}

/// How far back a word is sought in sound without known words, in milliseconds: longer than most words.
const LONGEST_WORD_MS: u32 = 1200;

/// A reader's position in a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClipPosition {
    piece: usize,
    sample: usize,
}

impl ClipPosition {
    /// The beginning of a clip.
    pub const START: Self = Self { piece: 0, sample: 0 };
}

impl Clip {
    /// An empty clip; the audio thread of `control` is woken when the clip grows or ends.
    #[must_use]
    pub fn new(control: Arc<PlaybackControl>) -> Self {
        Self { state: Mutex::default(), cancelled: AtomicBool::new(false), cancel: Notify::new(), control }
    }

    fn state(&self) -> MutexGuard<'_, ClipState> {
        // Held only briefly, and no update can be left half-done, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends sound, in which words begin at `words` (samples from its beginning, rising). The first piece determines the sample rate, which is
    /// returned.
    pub fn append(&self, samples: Vec<f32>, sample_rate: u32, words: &[usize]) -> u32 {
        let mut state = self.state();
        if state.sample_rate == 0 {
            state.sample_rate = sample_rate;
        }
        let rate = state.sample_rate;
        let begin = state.length;
        state.words.extend(words.iter().map(|word| begin.saturating_add(*word)));
        state.length += samples.len();
        state.pieces.push(Zeroizing::new(samples));
        drop(state);
        self.control.wake();
        rate
    }

    /// Samples a second; `None` before the first sound.
    #[must_use]
    pub fn sample_rate(&self) -> Option<u32> {
        Some(self.state().sample_rate).filter(|rate| *rate > 0)
    }

    /// Ends the clip; no more sound follows. Only the first call has an effect.
    pub fn end(&self, end: ClipEnd) {
        self.state().end.get_or_insert(end);
        self.control.wake();
    }

    /// How the synthesis ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<ClipEnd> {
        self.state().end
    }

    /// The position of a sample, counted from the beginning of the clip.
    #[must_use]
    pub fn position(&self, mut sample: usize) -> ClipPosition {
        let state = self.state();
        for (piece, samples) in state.pieces.iter().enumerate() {
            if sample < samples.len() {
                return ClipPosition { piece, sample };
            }
            sample -= samples.len();
        }
        ClipPosition { piece: state.pieces.len(), sample: 0 }
    }

    /// The beginning of the word at `sample`, counted from the beginning of the clip; without known words, the sound after the last dip of energy.
    #[must_use]
    pub fn word(&self, sample: usize) -> usize {
        let state = self.state();
        if !state.words.is_empty() {
            return state.words.iter().copied().filter(|word| *word <= sample).max().unwrap_or(0);
        }
        let (rate, sample) = (state.sample_rate, sample.min(state.length));
        drop(state);
        let from = sample.saturating_sub((rate * LONGEST_WORD_MS / 1000) as usize);
        let mut before = Zeroizing::new(Vec::with_capacity(sample - from));
        self.read(&mut self.position(from), sample - from, &mut before);
        from + dip::last_word(&before, rate)
    }

    /// Appends up to `count` samples from `place` on to `out`, advances `place`, and returns their number.
    pub fn read(&self, place: &mut ClipPosition, count: usize, out: &mut Vec<f32>) -> usize {
        let state = self.state();
        let mut left = count;
        while left > 0
            && let Some(piece) = state.pieces.get(place.piece)
        {
            let part = &piece[place.sample..];
            let take = part.len().min(left);
            out.extend_from_slice(&part[..take]);
            left -= take;
            place.sample += take;
            if place.sample == piece.len() {
                *place = ClipPosition { piece: place.piece + 1, sample: 0 };
            }
        }
        count - left
    }

    /// Cancels the synthesis.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.cancel.notify_one();
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Resolves when the clip is cancelled.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.cancel.notified().await;
        }
    }

    /// Cancels the clip and wipes the sound.
    pub fn wipe(&self) {
        self.cancel();
        let mut state = self.state();
        state.pieces.zeroize();
        state.pieces.clear();
        state.words.clear();
        state.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_read_piece_by_piece() {
        let clip = Clip::new(Arc::new(PlaybackControl::new()));
        let (mut place, mut out) = (ClipPosition::default(), Vec::new());
        assert_eq!(clip.read(&mut place, 10, &mut out), 0);
        assert_eq!(clip.sample_rate(), None);
        assert_eq!(clip.append(vec![1.0, 2.0, 3.0], 22_050, &[]), 22_050);
        assert_eq!(clip.append(vec![4.0], 16_000, &[]), 22_050);
        assert_eq!(clip.read(&mut place, 2, &mut out), 2);
        assert_eq!(clip.read(&mut place, 10, &mut out), 2);
        clip.append(vec![5.0], 22_050, &[]);
        clip.end(ClipEnd::Done);
        clip.end(ClipEnd::Crashed);
        assert_eq!(clip.read(&mut place, 10, &mut out), 1);
        assert_eq!((out, clip.ended()), (vec![1.0, 2.0, 3.0, 4.0, 5.0], Some(ClipEnd::Done)));
        clip.wipe();
        assert!(clip.is_cancelled() && clip.state().pieces.is_empty());
    }

    // BRG-1
    #[test]
    fn a_place_belongs_to_the_word_that_began_last_brg_1() {
        let clip = Clip::new(Arc::new(PlaybackControl::new()));
        clip.append(vec![0.1; 100], 1000, &[0, 60]);
        clip.append(vec![0.2; 100], 1000, &[10, 100]);
        for (sample, word) in [(0, 0), (59, 0), (60, 60), (109, 60), (110, 110), (199, 110), (500, 200)] {
            assert_eq!(clip.word(sample), word, "at {sample}");
        }
        for (sample, piece, within) in [(0, 0, 0), (99, 0, 99), (100, 1, 0), (199, 1, 99), (200, 2, 0), (999, 2, 0)] {
            assert_eq!(clip.position(sample), ClipPosition { piece, sample: within });
        }
    }

    // BRG-1
    #[test]
    fn without_known_words_a_word_begins_after_a_dip_brg_1() {
        let clip = Clip::new(Arc::new(PlaybackControl::new()));
        for amplitude in [0.5, 0.0, 0.5] {
            clip.append(vec![amplitude; 400], 1000, &[]);
        }
        let word = clip.word(1000);
        assert!((760..=800).contains(&word), "{word}");
        assert!(clip.word(5000) <= 1200 && clip.word(0) == 0);
    }
}
