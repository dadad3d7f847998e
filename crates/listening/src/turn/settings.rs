//! Settings of turns.

use std::time::Duration;

use luna_messages::Lang;

/// When words count as said to Luna (VOI-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addressing {
    /// After the wake word; without it while Luna speaks or waits for an answer.
    Auto,
    /// While the key for speaking is held.
    Hold,
    /// Only after the wake word.
    WakeOnly,
}

/// Settings of [`TurnMachine`](super::TurnMachine).
#[derive(Debug, Clone, PartialEq)]
pub struct TurnSettings {
    pub addressing: Addressing,
    /// The wake word; without one, Luna is always addressed (VOI-1).
    pub wake_word: Option<String>,
    /// Whether a voice may interrupt Luna (BRG).
    pub barge_in: bool,
    /// Shortest voice that is obeyed while it lasts; a shorter one is when it has ended (BRG-5).
    pub debounce: Duration,
    /// Time within which the same command counts once (BRG-5).
    pub min_repeat: Duration,
    /// Time at the beginning and end of Luna's own readings in which short sounds count as its echo (BRG-4, BRG-9).
    pub safety_gate: Duration,
    /// Longest window (BUF-1).
    pub hot: Duration,
    /// Language of Luna's own sentences.
    pub lang: Lang,
    /// Likely words for the recogniser; may be empty.
    pub hint: String,
}

impl Default for TurnSettings {
    fn default() -> Self {
        Self {
            addressing: Addressing::Auto,
            wake_word: Some("루나".to_owned()),
            barge_in: true,
            debounce: Duration::from_millis(300),
            min_repeat: Duration::from_millis(800),
            safety_gate: Duration::from_millis(200),
            hot: Duration::from_secs(3),
            lang: Lang::Ko,
            hint: String::new(),
        }
    }
}
