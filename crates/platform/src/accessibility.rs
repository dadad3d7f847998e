//! The accessibility tree: AT-SPI on Linux, UI Automation on Windows.

use std::sync::Arc;

use async_trait::async_trait;
use luna_messages::pick::{CaptureScope, Element, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::TextLine;
use luna_messages::{Point, Rect};

use crate::PlatformError;

/// What the tree has at a point.
#[derive(Debug, Clone, PartialEq)]
pub enum AtPoint {
    /// An element with a text that may be read (PIC-1).
    Element(Element),
    /// A protected field (PIC-5). No text of it was asked for.
    Protected(Rect),
    /// A window without readable element there; `protected` are the boxes of protected fields that meet `region_hint`.
    NoText {
        window: WindowInfo,
        /// Boxes that text recognition must not see.
        protected: Vec<Rect>,
    },
    NoWindow,
}

/// Questions to the accessibility tree.
///
/// Every call has a deadline of its own inside (some toolkits never answer some methods); a call that runs longer than about a second is
/// a defect. Dropping the future cancels the question. Text of protected fields is never fetched, not even to be thrown away.
#[async_trait]
pub trait Accessibility: Send + Sync {
    /// What is at `point`. `region_hint`: protected fields of the window are searched there; in an empty one nothing is, for who asks
    /// [`Accessibility::search`] before a picture is taken.
    ///
    /// # Errors
    /// [`PlatformError`]; an application that doesn't answer is [`PlatformError::NoAnswer`].
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError>;

    /// The top-level window at `point`, without asking the application.
    ///
    /// # Errors
    /// [`PlatformError`].
    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError>;

    /// The visible text of `window`, line by line in reading order, without protected fields. Keeps a budget: at most some hundred elements.
    ///
    /// # Errors
    /// [`PlatformError`].
    async fn window_lines(&self, window: &WindowInfo) -> Result<Vec<TextLine>, PlatformError>;

    /// What of `window` can be seen and has a text or can be acted on, with ids that stay (PIC-6), as candidates for a command (PIC-9).
    /// Rows and offset are left empty. Protected fields are left out, and their texts never asked for (PIC-5). Keeps a budget: at most
    /// 500 elements, and those that the application told of in time.
    ///
    /// # Errors
    /// [`PlatformError`].
    async fn window_elements(&self, window: &WindowInfo) -> Result<Vec<Element>, PlatformError>;

    /// Boxes of the protected fields of `window` that meet `region` (PIC-5).
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] also if the search was not finished within its budget: then nobody may look at the pixels.
    async fn protected_boxes(&self, window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError>;

    /// Searches what a picture of `region` would show: protected fields of every window in it, and what must not be in it at all (PIC-5,
    /// SES-5). With [`CaptureScope::Window`] that is whatever covers `pointed`. A pointed window that no tree tells of may be looked at:
    /// recognition is all there is for it; any other window that can't be searched is hidden as a whole.
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] if the pointed window could not be searched, [`PlatformError::Gone`] where it is no longer there:
    /// then nobody may look.
    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError>;

    /// Blocks elements of these roles from now on, as if they were protected (PRV-3, `privacy.block_roles`).
    fn block_roles(&self, roles: RoleSet);

    /// Whether the tree can be asked at all, for `luna doctor` and after trouble.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] with reason and remedy.
    async fn check(&self) -> Result<(), PlatformError>;
}

/// The accessibility of this platform. Connects at the first question, and again after the bus went away.
#[must_use]
pub fn system() -> Arc<dyn Accessibility> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::AtSpi::new());
    #[cfg(windows)]
    return Arc::new(windows::UiAutomation::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoAccessibility);
}

mod ancestor_walk;
mod id;
#[cfg(any(target_os = "linux", test))]
mod masked;
mod order;
#[cfg(any(target_os = "linux", test))]
mod secret_words;

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(windows)]
pub mod windows;
