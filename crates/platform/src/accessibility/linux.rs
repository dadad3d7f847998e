//! AT-SPI, the accessibility tree of Linux desktops.
//!
//! X11's stacking order → process → application on the accessibility bus → its element for the window → the element
//! under the point → the element that the user means → its text. Each call has a deadline, and so has each query as a
//! whole.

mod attributes;
mod role;
mod states;

mod call_error;

mod allowance;
mod socket;

mod bus;
mod children;
mod display;
mod field;
mod guard;
mod node;
mod session;
mod worker;

mod ancestor_path;
mod beside;
mod cell;
mod details;
mod displacement;
mod element;
mod elements;
mod embedded;
mod field_content;
mod hit;
mod lines;
mod lines_of_text;
mod pick;
mod position;
mod protect;
mod reading;
mod related;
mod rows;
mod search;
mod text;
mod text_location;
mod value;
mod walk;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::pick::{CaptureScope, Element, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::{RowsExtent, TextLine};
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use self::call_error::CallError;
use self::display::{TopLevelWindow, WindowLookup};
use self::guard::Guard;
use self::node::{App, LinuxNode};
use self::session::AccessibilitySession;
use self::worker::AccessibilityThread;
use super::{Accessibility, AtPoint};
use crate::PlatformError;

/// Deadline of one query as a whole.
const QUERY_DEADLINE: Duration = Duration::from_millis(900);
/// How long Luna does not query an application again after it did not answer.
const BACK_OFF: Duration = Duration::from_secs(3);

/// The accessibility tree by AT-SPI. Connects at the first query, and reconnects if the bus is lost. Queries run on a
/// separate thread.
#[derive(Default)]
pub struct AtSpi {
    /// Shared with the queries that run on the thread.
    tree: Arc<LinuxTree>,
    /// Started at the first query.
    worker: OnceLock<Result<AccessibilityThread, PlatformError>>,
}

impl AtSpi {
    /// The tree of this desktop session.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The tree of the session whose session bus has this D-Bus address.
    #[must_use]
    pub fn with_session_bus(address: &str) -> Self {
        let tree = LinuxTree { session_bus: Some(address.to_owned()), ..LinuxTree::default() };
        Self { tree: Arc::new(tree), worker: OnceLock::new() }
    }

    async fn run<T, F>(&self, question: impl FnOnce(Arc<LinuxTree>) -> F) -> Result<T, PlatformError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, PlatformError>> + Send + 'static,
    {
        let worker = self.worker.get_or_init(AccessibilityThread::start).as_ref().map_err(Clone::clone)?;
        let answer = worker.run(question(Arc::clone(&self.tree))).await;
        answer.unwrap_or(Err(PlatformError::NoAnswer))
    }
}

/// The state of the connection, shared by all queries.
#[derive(Default)]
struct LinuxTree {
    /// Address of the session bus; `None` selects the bus named in the environment.
    session_bus: Option<String>,
    windows: WindowLookup,
    /// Which roles must not be read.
    guard: Arc<Guard>,
    /// The connection to the bus; `None` before the first query, and after it was lost.
    session: tokio::sync::Mutex<Option<Arc<AccessibilitySession>>>,
    /// Processes that did not answer, and until when they are not queried.
    silent: Mutex<HashMap<u32, Instant>>,
}

/// A window and the element that represents it in its application's tree.
struct WindowContext {
    session: Arc<AccessibilitySession>,
    app: Arc<App>,
    frame: LinuxNode,
    /// The point that the application's coordinates are relative to.
    origin: Point,
}

impl LinuxTree {
    async fn session(&self) -> Result<Arc<AccessibilitySession>, PlatformError> {
        let mut session = self.session.lock().await;
        if let Some(session) = &*session {
            return Ok(Arc::clone(session));
        }
        let opened = Arc::new(AccessibilitySession::open(self.session_bus.as_deref(), &self.guard).await?);
        *session = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Drops a dead connection, unless another query has replaced it already.
    async fn drop_session(&self, dead: &Arc<AccessibilitySession>) {
        let mut session = self.session.lock().await;
        if session.as_ref().is_some_and(|current| Arc::ptr_eq(current, dead)) {
            *session = None;
        }
    }

    fn is_silent(&self, process: u32, now: Instant) -> bool {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.get(&process).is_some_and(|&until| now < until)
    }

    fn note_silence(&self, process: u32, now: Instant) {
        tracing::debug!(process, "An application does not answer; it is not queried for a while.");
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.retain(|_, until| now < *until);
        silent.insert(process, now + BACK_OFF);
    }

    /// Runs a query about a window: `question` gets the window's context, or `None` if the window is not on the bus.
    /// After a failure other than a timeout, drops what is cached about the window, reconnects if necessary, and tries
    /// once more. Maps call errors to [`PlatformError`].
    async fn ask<T, F>(
        &self,
        top: &TopLevelWindow,
        question: impl Fn(Option<WindowContext>) -> F,
    ) -> Result<T, PlatformError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let process = top.info.process;
        if self.is_silent(process, Instant::now()) {
            return Err(PlatformError::NoAnswer);
        }
        let attempts = async {
            for is_last in [false, true] {
                let session = self.session().await?;
                let attempt = async { question(Self::context(&session, top).await?).await };
                match attempt.await {
                    Ok(answer) => return Ok(answer),
                    Err(CallError::Late) => break,
                    Err(error) if is_last => {
                        tracing::debug!(process, %error, "An application's tree can't be read.");
                        break;
                    }
                    Err(_) => {
                        // The application ended or changed its window, or the bus itself is gone.
                        session.forget(&top.info);
                        if session.check().await.is_err() {
                            self.drop_session(&session).await;
                        }
                        if self.windows.find(top.info.handle)?.is_none() {
                            return Err(PlatformError::Gone);
                        }
                    }
                }
            }
            Err(PlatformError::NoAnswer)
        };
        let (result, has_answered) = allowance::within(QUERY_DEADLINE, attempts).await;
        let result = result.unwrap_or(Err(PlatformError::NoAnswer));
        if matches!(result, Err(PlatformError::NoAnswer)) {
            if self.windows.find(top.info.handle)?.is_none() {
                return Err(PlatformError::Gone);
            }
            // A large tree takes its time; only an application that answers nothing is left alone.
            if !has_answered {
                self.note_silence(process, Instant::now());
            }
        }
        result
    }

    async fn context(
        session: &Arc<AccessibilitySession>,
        top: &TopLevelWindow,
    ) -> Result<Option<WindowContext>, CallError> {
        let Some(app) = session.app(&top.info, Instant::now()).await? else {
            return Ok(None);
        };
        let Some(frame) = session.frame(&app, &top.info).await? else {
            return Ok(None);
        };
        let bounds = top.info.bounds;
        let origin = if app.local { Point::new(bounds.x, bounds.y) } else { Point::default() };
        let session = Arc::clone(session);
        Ok(Some(WindowContext { session, app, frame, origin }))
    }
}

/// Whether the frame represents the popup itself and not another window of the application.
async fn is_own_frame(context: &WindowContext, popup: Rect) -> Result<bool, CallError> {
    let bbox = context.frame.extents(context.origin).await?;
    let meets = bbox.intersection(popup);
    let area = |rect: Rect| i64::from(rect.width) * i64::from(rect.height);
    Ok(!meets.is_empty() && 2 * area(meets) > area(bbox))
}

impl LinuxTree {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        let Some(top) = self.windows.at(point)? else {
            return Ok(AtPoint::NoWindow);
        };
        if !top.info.bounds.contains(point)
            && !top.has_shadow
            && let Some(title) = element::title_bar(&top.info, point)
        {
            return Ok(AtPoint::Element(title));
        }
        self.ask(&top, |context| Self::pick(context, &top, point, region_hint)).await
    }

    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        let Some(top) = self.windows.at(point)? else {
            return Ok(AtPoint::NoWindow);
        };
        self.ask(&top, |context| Self::rows(context, &top, point, extent)).await
    }

    fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        Ok(self.windows.at(point)?.map(|top| top.info))
    }

    async fn window_lines(&self, window: WindowInfo) -> Result<Vec<TextLine>, PlatformError> {
        let Some(top) = self.windows.find(window.handle)? else {
            return Err(PlatformError::Gone);
        };
        let view = top.info.bounds;
        self.ask(&top, |context| async move {
            match context {
                Some(context) => lines::lines(&context.frame, view, context.origin).await,
                None => Ok(Vec::new()),
            }
        })
        .await
    }

    async fn window_elements(&self, window: WindowInfo) -> Result<Vec<Element>, PlatformError> {
        let Some(top) = self.windows.find(window.handle)? else {
            return Err(PlatformError::Gone);
        };
        self.ask(&top, |context| async {
            match context {
                Some(context) => elements::elements(&context, &top).await,
                None => Ok(Vec::new()),
            }
        })
        .await
    }

    async fn protected_boxes(&self, window: WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError> {
        let Some(top) = self.windows.find(window.handle)? else {
            return Err(PlatformError::Gone);
        };
        self.ask(&top, |context| async move {
            match context {
                Some(context) => protect::boxes(&context.frame, region, context.origin).await,
                None => Ok(Vec::new()),
            }
        })
        .await
    }

    async fn check(&self) -> Result<(), PlatformError> {
        // Without a display no window can be found, whatever the bus reports.
        self.windows.at(Point::new(i32::MIN / 2, i32::MIN / 2))?;
        for _ in 0..2 {
            let session = self.session().await?;
            if session.check().await.is_ok() {
                return Ok(());
            }
            self.drop_session(&session).await;
        }
        Err(PlatformError::unavailable(
            "The accessibility bus does not answer.",
            "Log out and in again, or install at-spi2-core (apt install at-spi2-core).",
        ))
    }
}

#[async_trait]
impl Accessibility for AtSpi {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        self.run(|tree| async move { tree.at_point(point, region_hint).await }).await
    }

    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        self.run(move |tree| async move { tree.rows_at(point, extent).await }).await
    }

    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        self.run(|tree| async move { tree.window_at(point) }).await
    }

    async fn window_lines(&self, window: &WindowInfo) -> Result<Vec<TextLine>, PlatformError> {
        let window = window.clone();
        self.run(|tree| async move { tree.window_lines(window).await }).await
    }

    async fn window_elements(&self, window: &WindowInfo) -> Result<Vec<Element>, PlatformError> {
        let window = window.clone();
        self.run(|tree| async move { tree.window_elements(window).await }).await
    }

    async fn protected_boxes(&self, window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError> {
        let window = window.clone();
        self.run(|tree| async move { tree.protected_boxes(window, region).await }).await
    }

    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        let pointed = pointed.cloned();
        self.run(|tree| async move { tree.search(pointed, region, scope).await }).await
    }

    fn block_roles(&self, roles: RoleSet) {
        self.tree.guard.block(roles);
    }

    async fn check(&self) -> Result<(), PlatformError> {
        self.run(|tree| async move { tree.check().await }).await
    }
}
