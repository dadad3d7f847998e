//! One voice, from its onset until it is decided what it was.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::control::Command;
use luna_messages::listening::SamplePosition;
use zeroize::Zeroizing;

use super::positions::{duration, samples};

/// Quiet that ends a sentence, as far as a command is concerned: longer than between the words of one, shorter than the hang-over of a voice.
pub const PAUSE: Duration = Duration::from_millis(200);

/// A window that is being transcribed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenWindow {
    pub id: RequestId,
    /// Where its sound ends.
    pub to: SamplePosition,
}

/// Words at the beginning of a voice that were obeyed.
#[derive(Debug)]
pub struct ObeyedWords {
    pub text: Zeroizing<String>,
    pub command: Command,
    pub at: Duration,
}

/// The end of a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoiceEnd {
    /// Where the voice ends.
    pub to: SamplePosition,
    /// When its last voiced sound ended.
    pub at: Duration,
}

/// What becomes of a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceState {
    /// It is listened to by windows.
    Open,
    /// It is transcribed as a whole; the request.
    Closing(RequestId),
    /// It is decided; nothing that comes late changes it.
    Decided,
}

/// A voice that somebody was noticed by: what is known of it so far.
#[derive(Debug)]
pub struct HeardVoice {
    pub from: SamplePosition,
    /// When its first voiced sound began, before it was noticed.
    pub began: Duration,
    pub end: Option<VoiceEnd>,
    /// Where its newest voiced sound ends.
    pub voiced: SamplePosition,
    /// Share of its sound that Luna's own playback explains.
    pub own: f32,
    /// Whether it began as Luna's own; then only the least share of its newest parts tells whose it is.
    pub joined_in: bool,
    /// Whether Luna spoke when it began.
    pub interrupts: bool,
    /// Whether Luna is quiet because of it.
    pub keeps_quiet: bool,
    /// Whether Luna may become quiet for it once more, when it says something new.
    pub may_duck_again: bool,
    /// Since when it is.
    pub quiet_since: Duration,
    /// Whether the wake word was heard in it.
    pub called: bool,
    /// Whether the key for speaking was held, or Luna waited for words.
    pub expected: bool,
    /// What of it was obeyed while it went on; what follows may be another command.
    pub obeyed: Option<ObeyedWords>,
    pub window: Option<OpenWindow>,
    /// Where the sound of the last answered window ends.
    pub covered: SamplePosition,
    /// Whether it is talk for which Luna does not become quiet again.
    pub is_talk: bool,
    /// The words of the last answered window.
    pub words: Zeroizing<String>,
    /// Where the sound of the last window that had new words ends.
    pub news: SamplePosition,
    /// Answered windows in a row in which nobody talks to Luna.
    pub strange: u32,
    pub state: VoiceState,
}

impl HeardVoice {
    /// A voice that was noticed now.
    pub fn new(from: SamplePosition, began: Duration, own: f32) -> Self {
        Self {
            from,
            began,
            end: None,
            voiced: from,
            own,
            joined_in: false,
            interrupts: false,
            keeps_quiet: false,
            may_duck_again: false,
            quiet_since: Duration::ZERO,
            called: false,
            expected: false,
            obeyed: None,
            window: None,
            covered: from,
            is_talk: false,
            words: Zeroizing::default(),
            news: from,
            strange: 0,
            state: VoiceState::Open,
        }
    }

    /// How long it lasts so far, without the quiet after it.
    pub fn length(&self) -> Duration {
        duration(self.voiced.saturating_sub(self.from))
    }

    /// Whether a window has all of it and a pause after it, so that no word is half a sentence.
    pub fn is_settled(&self) -> bool {
        self.end.is_some() || self.covered >= self.voiced + samples(PAUSE)
    }

    /// Whether what is heard of it still matters.
    pub fn is_undecided(&self) -> bool {
        self.state != VoiceState::Decided
    }

    /// Whether it is this request that is awaited.
    pub fn awaits(&self, id: RequestId) -> bool {
        self.is_undecided()
            && (self.window.is_some_and(|window| window.id == id) || self.state == VoiceState::Closing(id))
    }
}
