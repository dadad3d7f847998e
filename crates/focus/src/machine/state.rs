//! The states of focus mode and what is remembered in them.

use std::time::Duration;

use luna_messages::language_tasks::TranslationSource;
use luna_messages::pick::{Pick, PickRequest};
use luna_messages::reading::Style;
use luna_messages::{Fidelity, Lang, Point, RequestId};
use zeroize::Zeroize;

use super::lines::{LineDirection, LineWindow};

/// What the configuration says of focus mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FocusSettings {
    /// Whether a moved cursor picks again, `focus_mode.follow`.
    pub follow: bool,
    /// Moves up to this many pixels are no moves, `focus_mode.move_threshold_px`.
    pub move_threshold_px: u32,
    /// How long the cursor must have settled, `focus_mode.debounce_ms`.
    pub debounce: Duration,
    /// How long Luna waits for an answer, `focus_mode.wait_cmd_timeout_ms`.
    pub wait_command_timeout: Duration,
    /// After this long a pick counts as failed, whatever its components do. Not configurable: it only guards against their defects.
    pub pick_deadline: Duration,
    /// Lines kept before the current one, `windows.text.prev`.
    pub lines_before: usize,
    /// Lines kept after it, `windows.text.next`.
    pub lines_after: usize,
    /// Language of Luna's own sentences.
    pub lang: Lang,
    /// How free a translation is, `translation.mode_default`.
    pub fidelity: Fidelity,
}

impl Default for FocusSettings {
    fn default() -> Self {
        Self {
            follow: true,
            move_threshold_px: 24,
            debounce: Duration::from_millis(250),
            wait_command_timeout: Duration::from_millis(8000),
            pick_deadline: Duration::from_secs(5),
            lines_before: 2,
            lines_after: 2,
            lang: Lang::Ko,
            fidelity: Fidelity::Faithful,
        }
    }
}

/// The states of FOC-1. `ActOnCmd` is not among them: a command is acted on within one step, then reading goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum FocusState {
    /// Focus mode is off.
    Idle,
    /// Looking for the text under the cursor.
    Targeting {
        /// The request that counts; answers to others are ignored.
        id: RequestId,
        /// What was asked.
        request: PickRequest,
    },
    /// Reading a target.
    Reading(ReadingTarget),
    /// Reading a target that stays although the cursor moves.
    Pinned(ReadingTarget),
    /// There was no text; waiting for "bigger", Esc or time.
    WaitCommand {
        /// What was asked in vain.
        request: PickRequest,
    },
}

impl FocusState {
    /// The name of the state in FOC-1.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle => "Idle",
            Self::Targeting { .. } => "Targeting",
            Self::Reading(_) => "Reading",
            Self::Pinned(_) => "Pinned",
            Self::WaitCommand { .. } => "WaitCmd",
        }
    }
}

/// What is being read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingTarget {
    /// The text and where it is.
    pub pick: Pick,
    /// The request that found it.
    pub request: PickRequest,
    /// The reading that speaks it; events of others are not its own.
    pub reading: RequestId,
    pub style: Style,
    /// Lines around it, once they are known (BUF-1).
    pub lines: Option<LineWindow>,
}

impl Drop for ReadingTarget {
    /// Screen text does not stay in freed memory (BUF-2).
    fn drop(&mut self) {
        self.pick.text.zeroize();
        self.pick.rows.zeroize();
    }
}

/// Work of a language model for the text that is read.
#[derive(Debug)]
pub struct Work {
    /// Names its pieces and its end; those of another are ignored.
    pub id: RequestId,
    /// The reading that speaks it.
    pub(super) reading: RequestId,
    /// Whether its first piece is being spoken.
    pub(super) begun: bool,
    /// Whether the person stopped it.
    pub(super) stopped: bool,
    /// What is not translated yet: where it goes on after a stop (BRG-8). Nothing of a summary.
    pub(super) rest: Option<TranslationSource>,
    pub(super) to: Lang,
    pub(super) fidelity: Fidelity,
}

impl Drop for Work {
    /// Screen text does not stay in freed memory (BUF-2).
    fn drop(&mut self) {
        match &mut self.rest {
            Some(TranslationSource::Text(text)) => text.zeroize(),
            Some(TranslationSource::Rows { rows, .. }) => rows.zeroize(),
            None => {}
        }
    }
}

/// Focus mode.
#[derive(Debug)]
pub struct Focus {
    pub(super) settings: FocusSettings,
    pub(super) state: FocusState,
    /// Where the cursor was seen last; a settling move picks there.
    pub(super) cursor: Option<Point>,
    /// Where moves are counted from: the last target, or where the cursor was at the last stop.
    pub(super) origin: Point,
    /// The question where the pointer is, with which focus mode begins.
    pub(super) starting: Option<RequestId>,
    /// Idle, but not switched off: the next settled move is a new target (FOC-5).
    pub(super) armed: bool,
    /// The timer that ends the settling of the cursor.
    pub(super) settling: Option<u64>,
    /// The timer that ends a pick or a wait for a command.
    pub(super) deadline: Option<u64>,
    /// The newest question that was asked once more because the screen changed while it was read; it is not asked a third time.
    pub(super) asked_again: Option<RequestId>,
    /// Number of the newest timer.
    pub(super) timers: u64,
    /// A step by line that waits for the lines of the window: request and direction.
    pub(super) step_wanted: Option<(RequestId, LineDirection)>,
    /// What a language model does for the text that is read, or did until the person stopped it.
    pub(super) work: Option<Work>,
}

impl Focus {
    /// Focus mode, off.
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
            asked_again: None,
            timers: 0,
            step_wanted: None,
            work: None,
        }
    }

    #[must_use]
    pub const fn state(&self) -> &FocusState {
        &self.state
    }

    /// Takes over changed settings; they count from the next event on (CFG-4).
    pub const fn set_settings(&mut self, settings: FocusSettings) {
        self.settings = settings;
    }
}
