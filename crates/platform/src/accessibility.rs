//! The accessibility tree: AT-SPI on Linux, UI Automation on Windows.

use std::sync::Arc;

use async_trait::async_trait;
use luna_messages::focus::FocusChange;
use luna_messages::pick::{CaptureScope, Element, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::{RowsExtent, TextLine};
use luna_messages::{Point, Rect, RequestId};

use tokio::time::Instant;

use crate::PlatformError;
use crate::accessibility::actions::ElementActions;
pub use crate::pointer::Watch;

/// What the accessibility tree knows about a point.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one such answer at a time, and most are elements")]
pub enum AtPoint {
    /// An element whose text may be read (PIC-1).
    Element(Element),
    /// A protected field, with its label and states (PIC-5). Its text was not requested.
    Protected(Element),
    /// A window without a readable element there; `protected` are the boxes of protected fields that intersect
    /// `region_hint`.
    NoText {
        window: WindowInfo,
        /// Boxes that text recognition must not see.
        protected: Vec<Rect>,
    },
    NoWindow,
}

/// Visible lines of a window's text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VisibleLines {
    /// In reading order.
    pub lines: Vec<TextLine>,
    /// Whether no line is missing, because of a limit or of an application that is too slow.
    pub is_complete: bool,
}

/// A move of the keyboard focus, and when the application told it.
#[derive(Debug, Clone, PartialEq)]
pub struct FocusMove {
    /// Given when the event arrived: what is said of the move is older than a stop that came while the tree was asked (FOC-6).
    pub id: RequestId,
    /// Where the focus is now.
    pub change: FocusChange,
    /// When the event of the move arrived.
    pub event_at: Instant,
}

/// Queries of the accessibility tree.
///
/// Every call has its own deadline (some toolkits never answer some methods); a call that takes longer than about a
/// second is a defect. Dropping the future cancels the query. Text of protected fields is never fetched, not even to be
/// discarded.
#[async_trait]
pub trait Accessibility: Send + Sync {
    /// What is at `point`. Protected fields of the window are searched within `region_hint`; an empty region skips that
    /// search, for callers that use [`Accessibility::search`] before they take a picture.
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] if the application doesn't answer in time, [`PlatformError::Gone`] if the window
    /// disappeared, [`PlatformError::Unavailable`] if the tree or the display can't be reached.
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError>;

    /// The table or list at `point`, or its row there: an element with rows (ANN-3, OCR-4). [`AtPoint::NoText`] if the
    /// point is in no table and no list.
    ///
    /// # Errors
    /// As [`Accessibility::at_point`].
    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError>;

    /// The top-level window at `point`; `None` if there is none. Does not query the application.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError>;

    /// The open windows of programs, the active one first, then topmost first; at most 32. Does not query the applications.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    async fn windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        Err(PlatformError::unavailable(
            "This system does not tell which windows are open.",
            "On Linux, use a session with an X display.",
        ))
    }

    /// The text of `window` that is visible within its bounds as given, line by line in reading order, without protected
    /// fields. Limited to the first 500 (Linux) or 600 (Windows) elements; smaller bounds reach further ones.
    ///
    /// # Errors
    /// As [`Accessibility::at_point`].
    async fn window_lines(&self, window: &WindowInfo) -> Result<VisibleLines, PlatformError>;

    /// The visible elements of `window` that have a text or can be acted on, with stable ids (PIC-6), as candidates for
    /// a command (PIC-9). Rows and offset are empty. Protected fields are left out, and their texts are never requested
    /// (PIC-5). Limited to 500 elements, and to those that the application reports in time.
    ///
    /// # Errors
    /// As [`Accessibility::at_point`].
    async fn window_elements(&self, window: &WindowInfo) -> Result<Vec<Element>, PlatformError>;

    /// Boxes of the protected fields of `window` that intersect `region` (PIC-5).
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] if the application does not answer or the search exceeds its budget, otherwise as
    /// [`Accessibility::at_point`]. After any error the pixels must not be used.
    async fn protected_boxes(&self, window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError>;

    /// Searches what a picture of `region` would show: protected fields of every window in it, and what must not be in
    /// it at all (PIC-5, SES-5). With [`CaptureScope::Window`], windows that cover `pointed` must not be in it. A
    /// pointed window without an accessibility tree may be captured, because recognition is all there is for it; any
    /// other window that can't be searched is hidden as a whole.
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] if the pointed window could not be searched, [`PlatformError::Gone`] if it no longer
    /// exists, [`PlatformError::Unavailable`] if the display can't be queried. After any error no picture may be taken.
    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError>;

    /// Number of programs that show their trees, whether or not there is a display that tells where their windows are
    /// (SES-1).
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the tree can't be reached.
    async fn programs(&self) -> Result<usize, PlatformError> {
        self.check().await.map(|()| 0)
    }

    /// Asks for events of the keyboard focus as Luna does while it runs, and withdraws that at once, for `luna doctor`
    /// (SES-1).
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if they can't be had.
    async fn try_focus_events(&self) -> Result<(), PlatformError> {
        self.check().await
    }
    /// Calls `moved` after each move of the keyboard focus on a separate thread, until the watch is dropped (ATT-2); where
    /// the focus is already is not reported. The element that has the focus is reported again if its state or value
    /// changes (ANN-5). Needs neither a pointer nor a display. Of a burst of moves only the newest is
    /// reported, and moves in windows that are not active are not. `moved` must return at once. `lost` is called once if
    /// the tree is lost meanwhile.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the tree can't be reached, [`PlatformError::NoAnswer`] if it does not report moves
    /// of the focus.
    async fn watch_focus(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError>;

    /// What has the keyboard focus now, with the windows that it is in; `None` if no active window tells.
    ///
    /// # Errors
    /// As [`Accessibility::at_point`], but no display is needed.
    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError>;

    /// Blocks elements with these roles from now on, as if they were protected (PRV-3, `privacy.block_roles`).
    fn block_roles(&self, roles: RoleSet);

    /// Checks that the tree can be queried at all, for `luna doctor` and after failures.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] with reason and remedy.
    async fn check(&self) -> Result<(), PlatformError>;
}

/// The accessibility tree of this platform. Connects at the first query, and reconnects if the connection is lost.
#[must_use]
pub fn system() -> Arc<dyn Accessibility> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::AtSpi::new());
    #[cfg(windows)]
    return Arc::new(windows::UiAutomation::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoAccessibility);
}

/// As [`system`], together with acting on its elements: both share one connection.
#[must_use]
pub fn system_with_actions() -> (Arc<dyn Accessibility>, Arc<dyn ElementActions>) {
    #[cfg(target_os = "linux")]
    let tree = Arc::new(linux::AtSpi::new());
    #[cfg(windows)]
    let tree = Arc::new(windows::UiAutomation::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    let tree = Arc::new(null::NoAccessibility);
    (Arc::clone(&tree) as Arc<dyn Accessibility>, tree)
}

mod ancestor_walk;
mod id;
#[cfg(any(target_os = "linux", test))]
mod masked;
mod order;
mod row_extent;
#[cfg(any(target_os = "linux", test))]
mod secret_words;
#[cfg(any(windows, test))]
mod uia_properties;

pub mod actions;
pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(windows)]
pub mod windows;
