//! The states of focus mode and their data.

use std::time::Duration;

use luna_messages::control::FocusStateKind;
use luna_messages::language_tasks::TranslationSource;
use luna_messages::pick::{Pick, PickRequest, WindowInfo};
use luna_messages::reading::{Style, Verbosity};
use luna_messages::{Fidelity, Lang, Point, RequestId};
use zeroize::Zeroize;

use super::lines::LineWindow;
use super::pending::{IntendedReading, MoveProbe, PendingRows, PendingStep};
use super::unheard::Announced;
use crate::help::VoiceCall;

/// What draws the attention of focus mode, `focus_mode.sources` (ATT-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttentionSources {
    /// The pointer at rest.
    pub pointer: bool,
    /// The keyboard focus.
    pub focus: bool,
}

/// Configuration of focus mode.
#[derive(Debug, Clone, PartialEq)]
pub struct FocusSettings {
    /// What draws the attention, `focus_mode.sources`.
    pub sources: AttentionSources,
    /// Whether a moved cursor picks again, `focus_mode.follow`.
    pub follow: bool,
    /// Moves of up to this many pixels within one element and line are ignored, `focus_mode.move_threshold_px`.
    pub move_threshold_px: u32,
    /// How long the cursor must have been still, `focus_mode.debounce_ms`.
    pub debounce: Duration,
    /// How long Luna waits for a command after finding no text, `focus_mode.wait_cmd_timeout_ms`.
    pub wait_command_timeout: Duration,
    /// Timeout of a pick. Not configurable: it only guards against defects of the components.
    pub pick_deadline: Duration,
    /// Lines kept before the current one, `windows.text.prev`.
    pub lines_before: usize,
    /// Lines kept after it, `windows.text.next`.
    pub lines_after: usize,
    /// Language of Luna's own sentences.
    pub lang: Lang,
    /// Fidelity of a translation, `translation.mode_default`.
    pub fidelity: Fidelity,
    /// How much is said of an element, `reading.verbosity`.
    pub verbosity: Verbosity,
    /// What has to come before words that are meant for Luna, `voice.command_mode`.
    pub call: VoiceCall,
}

impl Default for FocusSettings {
    fn default() -> Self {
        Self {
            sources: AttentionSources { pointer: true, focus: true },
            follow: true,
            move_threshold_px: 24,
            debounce: Duration::from_millis(150),
            wait_command_timeout: Duration::from_millis(8000),
            pick_deadline: Duration::from_secs(5),
            lines_before: 2,
            lines_after: 2,
            lang: Lang::Ko,
            fidelity: Fidelity::Faithful,
            verbosity: Verbosity::Normal,
            call: VoiceCall::Nothing,
        }
    }
}

/// The states of FOC-1. `ActOnCmd` is not a state of its own: a command is handled within one step, then reading continues.
#[derive(Debug, Clone, PartialEq)]
pub enum FocusState {
    /// Focus mode is off.
    Idle,
    /// Looking for the text under the cursor.
    Targeting {
        /// The current request; answers to others are ignored.
        id: RequestId,
        request: PickRequest,
    },
    Reading(ReadingTarget),
    /// Reading a target that is kept although the cursor moves.
    Pinned(ReadingTarget),
    /// No text was found; waiting for "bigger", Esc or the timeout.
    WaitCommand {
        /// The request that found nothing.
        request: PickRequest,
    },
}

impl FocusState {
    /// The name of the state in FOC-1.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// The state without its data.
    #[must_use]
    pub const fn kind(&self) -> FocusStateKind {
        match self {
            Self::Idle => FocusStateKind::Idle,
            Self::Targeting { .. } => FocusStateKind::Targeting,
            Self::Reading(_) => FocusStateKind::Reading,
            Self::Pinned(_) => FocusStateKind::Pinned,
            Self::WaitCommand { .. } => FocusStateKind::WaitCmd,
        }
    }
}

/// What drew the attention to a target (ATT-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetSource {
    Pointer,
    KeyboardFocus,
}

/// The text being read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingTarget {
    /// The text and its position.
    pub pick: Pick,
    /// The request that found it.
    pub request: PickRequest,
    pub source: TargetSource,
    /// The reading that speaks it; events of other readings are ignored.
    pub reading: RequestId,
    pub style: Style,
    /// Lines around it, once known (BUF-1).
    pub lines: Option<LineWindow>,
    /// The window of these lines. Steps stay in it even if another window covers it by then (FOC-4).
    pub window: Option<WindowInfo>,
}

impl ReadingTarget {
    /// What is spelt, translated or read anew: its text, or the name of an element that has no text of its own.
    pub(super) fn text(&self) -> &str {
        if self.pick.text.trim().is_empty() { &self.pick.label } else { &self.pick.text }
    }

    /// A point in the target: where it was pointed at, if that is still in it. `None` if nobody tells where the element with the keyboard focus is, as
    /// under Wayland.
    pub(super) fn place(&self) -> Option<Point> {
        let bbox = self.pick.bbox;
        match self.source {
            _ if bbox.contains(self.request.cursor) => Some(self.request.cursor),
            TargetSource::KeyboardFocus if bbox.is_empty() => None,
            TargetSource::Pointer if bbox.is_empty() => Some(self.request.cursor),
            TargetSource::Pointer | TargetSource::KeyboardFocus => Some(bbox.center()),
        }
    }
}

impl Drop for ReadingTarget {
    /// Wipes the text, so that no screen text stays in freed memory (BUF-2).
    fn drop(&mut self) {
        self.pick.text.zeroize();
        self.pick.rows.zeroize();
    }
}

/// Work of a language model on the text being read.
#[derive(Debug)]
pub struct Work {
    /// Id of its pieces and its end; those of other work are ignored.
    pub id: RequestId,
    /// The reading that speaks it.
    pub(super) reading: RequestId,
    /// The command that asked for it, or resumed it; a later stop ends it whenever its pieces come (FOC-6).
    pub(super) asked: RequestId,
    /// Whether its first piece was handed to speech.
    pub(super) speech_started: bool,
    /// Whether the person stopped it.
    pub(super) stopped: bool,
    /// The part not yet translated, from which it continues after a stop (BRG-8). `None` for a summary.
    pub(super) rest: Option<TranslationSource>,
    pub(super) to: Lang,
    pub(super) fidelity: Fidelity,
}

impl Drop for Work {
    /// Wipes the text, so that no screen text stays in freed memory (BUF-2).
    fn drop(&mut self) {
        match &mut self.rest {
            Some(TranslationSource::Text(text)) => text.zeroize(),
            Some(TranslationSource::Rows { rows, .. }) => rows.zeroize(),
            None => {}
        }
    }
}

/// What the person knows of a pointer whose position is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingPointer {
    /// The position is known, or was not asked for.
    None,
    /// To be told with what is read instead.
    Untold,
    Told,
}

/// The state machine of focus mode.
#[derive(Debug)]
pub struct Focus {
    pub(super) settings: FocusSettings,
    pub(super) state: FocusState,
    /// Last known position of the cursor; a settled move picks there.
    pub(super) cursor: Option<Point>,
    /// Origin of moves: the last target of the pointer, or the cursor at the last stop or move of the keyboard focus.
    pub(super) origin: Point,
    /// The request for the pointer, or for the focused element, with which focus mode starts.
    pub(super) starting: Option<RequestId>,
    /// What the person knows of a pointer whose position is unknown while focus mode goes on without it.
    pub(super) missing_pointer: MissingPointer,
    /// Idle, but not switched off: the next settled move is a new target (FOC-5).
    pub(super) armed: bool,
    /// Number of the timer that waits for the cursor to settle.
    pub(super) settling: Option<u64>,
    /// Number of the timer that limits a pick or the wait for a command.
    pub(super) deadline: Option<u64>,
    /// The newest request that was repeated because the screen changed meanwhile; it is not repeated again.
    pub(super) repeated_request: Option<RequestId>,
    /// Number of the newest timer.
    pub(super) timers: u64,
    /// The question after a small move, and where the pointer was looked at last (FOC-2).
    pub(super) probe: MoveProbe,
    /// What the next pick does, if a command asked for it before there was a text (FOC-7).
    pub(super) intended: Option<IntendedReading>,
    /// The last stop: what was asked for before it is not done, however late it comes (FOC-6).
    pub(super) stopped: RequestId,
    /// What was read before the current search, for what is said only if it changed (ANN-3).
    pub(super) previous: Option<ReadingTarget>,
    /// A target found without a search of its own, whose search the outside is told of afterwards, so that it sees the transitions of FOC-1 only.
    pub(super) found_at_once: Option<PickRequest>,
    /// The newest announcement of the keyboard focus.
    pub(super) announced: Option<Announced>,
    /// The sources that are watched now.
    pub(super) watched: AttentionSources,
    /// A line step that awaits the lines of the window.
    pub(super) pending_step: Option<PendingStep>,
    /// Rows that the person asked for.
    pub(super) pending_rows: Option<PendingRows>,
    /// Work of a language model on the text being read, running or stopped by the person.
    pub(super) work: Option<Work>,
}

impl Focus {
    /// Creates focus mode, switched off.
    #[must_use]
    pub const fn new(settings: FocusSettings) -> Self {
        Self {
            settings,
            state: FocusState::Idle,
            cursor: None,
            origin: Point { x: 0, y: 0 },
            starting: None,
            armed: false,
            settling: None,
            deadline: None,
            repeated_request: None,
            timers: 0,
            probe: MoveProbe::new(),
            missing_pointer: MissingPointer::None,
            intended: None,
            stopped: RequestId(0),
            previous: None,
            found_at_once: None,
            announced: None,
            watched: AttentionSources { pointer: false, focus: false },
            pending_step: None,
            pending_rows: None,
            work: None,
        }
    }

    #[must_use]
    pub const fn state(&self) -> &FocusState {
        &self.state
    }

    /// Replaces the settings, effective from the next event on (CFG-4).
    pub fn set_settings(&mut self, settings: FocusSettings) {
        self.settings = settings;
    }
}
