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
mod extents;
mod field;
mod field_look;
mod guard;
mod interfaces;
mod node;
mod placement;
mod sandbox;
mod session;
mod space;
mod table_calls;
mod window_context;
mod window_fit;
mod worker;

mod actions;
mod ancestor_path;
mod beside;
mod cached_element;
mod cached_tree;
mod cell;
mod details;
mod displacement;
mod element;
mod elements;
mod embedded;
mod enclosing;
mod field_content;
mod hit;
mod lines;
mod lines_of_text;
mod mnemonic;
mod pages;
mod paths;
mod pick;
mod popover;
mod position;
mod protect;
mod reading;
mod related;
mod rows;
mod search;
mod text;
mod text_location;
mod title_bar;
mod value;
mod walk;

mod dialog;
mod events;
mod focus_claims;
mod focus_element;
mod focus_memory;
mod focus_query;
mod focus_queue;
mod focus_search;
mod focus_watch;
mod tree_windows;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::focus::FocusChange;
use luna_messages::pick::{CaptureScope, Element, Role, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, Rect};
use tokio::sync::oneshot;
use tokio::time::Instant;

use self::call_error::CallError;
use self::display::{ProgramKey, TopLevelWindow, WindowLookup};
use self::events::FocusSignals;
use self::guard::Guard;
use self::session::AccessibilitySession;
use self::tree_windows::TreeWindow;
pub(crate) use self::tree_windows::{FieldMark, is_tree_window};
use self::window_context::{WindowContext, is_own_frame};
use self::worker::AccessibilityThread;
use super::{Accessibility, AtPoint, FocusMove, VisibleLines, Watch};
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

    fn worker(&self) -> Result<&AccessibilityThread, PlatformError> {
        self.worker.get_or_init(AccessibilityThread::start).as_ref().map_err(Clone::clone)
    }

    async fn run<T, F>(&self, question: impl FnOnce(Arc<LinuxTree>) -> F) -> Result<T, PlatformError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, PlatformError>> + Send + 'static,
    {
        let worker = self.worker()?;
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
    /// The elements that were listed to be acted on.
    listed: Mutex<actions::KnownElements>,
    /// Windows that the tree alone told to be active, so that whether one still is takes one call.
    told: Mutex<Vec<TreeWindow>>,
    /// X clients whose applications did not answer, and until when they are not queried.
    silent: Mutex<HashMap<ProgramKey, Instant>>,
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

    fn is_silent(&self, program: ProgramKey, now: Instant) -> bool {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.get(&program).is_some_and(|&until| now < until)
    }

    fn note_silence(&self, program: ProgramKey, now: Instant) {
        tracing::debug!(process = program.1, "An application does not answer; it is not queried for a while.");
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.retain(|_, until| now < *until);
        silent.insert(program, now + BACK_OFF);
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
        self.ask_within(QUERY_DEADLINE, top, question).await
    }

    /// As [`Self::ask`], with a deadline of its own for the query as a whole.
    async fn ask_within<T, F>(
        &self,
        deadline: Duration,
        top: &TopLevelWindow,
        question: impl Fn(Option<WindowContext>) -> F,
    ) -> Result<T, PlatformError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let process = top.info.process;
        if self.is_silent(top.program(), Instant::now()) {
            return Err(PlatformError::NoAnswer);
        }
        let attempts = async {
            for is_last in [false, true] {
                let session = self.session().await?;
                let attempt = async { question(self.context(&session, top).await?).await };
                match attempt.await {
                    Ok(answer) => return Ok(answer),
                    Err(CallError::Late) => break,
                    Err(error) if is_last => {
                        tracing::debug!(process, %error, "An application's tree can't be read.");
                        break;
                    }
                    Err(_) => {
                        // The application ended or changed its window, or the bus itself is gone.
                        session.forget(top);
                        if session.check().await.is_err() {
                            self.drop_session(&session).await;
                        }
                        if self.window(top.info.handle).await?.is_none() {
                            return Err(PlatformError::Gone);
                        }
                    }
                }
            }
            Err(PlatformError::NoAnswer)
        };
        let (result, has_answered) = allowance::within(deadline, attempts).await;
        let result = result.unwrap_or(Err(PlatformError::NoAnswer));
        if matches!(result, Err(PlatformError::NoAnswer)) {
            if self.window(top.info.handle).await?.is_none() {
                return Err(PlatformError::Gone);
            }
            // A large tree takes its time; only an application that answers nothing is left alone.
            if !has_answered {
                self.note_silence(top.program(), Instant::now());
            }
        }
        result
    }
}

impl LinuxTree {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        let Some(top) = self.windows.at(point)? else {
            return Ok(AtPoint::NoWindow);
        };
        if let Some(title) = title_bar::at(&top, point) {
            let is_blocked = self.guard.role(title.role) == Role::Protected;
            return Ok(if is_blocked {
                AtPoint::Protected(title_bar::protected(title))
            } else {
                AtPoint::Element(title)
            });
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

    async fn window_lines(&self, window: WindowInfo) -> Result<VisibleLines, PlatformError> {
        let Some(top) = self.windows.find(window.handle)? else {
            return Err(PlatformError::Gone);
        };
        let view = top.info.bounds.intersection(window.bounds);
        self.ask(&top, |context| async move {
            match context {
                Some(context) => lines::lines(&context.frame, view).await,
                None => Ok(VisibleLines { lines: Vec::new(), is_complete: true }),
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
                Some(context) => protect::boxes(&context.frame, region).await,
                None => Ok(Vec::new()),
            }
        })
        .await
    }

    /// The programs on the bus; a bus that was lost is connected to again.
    async fn programs(&self) -> Result<usize, PlatformError> {
        for _ in 0..2 {
            let session = self.session().await?;
            if let Ok(programs) = session.programs().await {
                return Ok(programs);
            }
            self.drop_session(&session).await;
        }
        Err(silent_bus())
    }

    async fn try_focus_events(&self) -> Result<(), PlatformError> {
        let session = self.session().await?;
        session.try_events().await.map_err(|_| {
            PlatformError::unavailable(
                "The accessibility bus does not report moves of the keyboard focus.",
                "Log out and in again, or install at-spi2-core (apt install at-spi2-core).",
            )
        })
    }

    async fn check(&self) -> Result<(), PlatformError> {
        // The display is no part of it: without one, the keyboard focus is still followed.
        self.programs().await.map(|_| ())
    }
}

fn silent_bus() -> PlatformError {
    PlatformError::unavailable(
        "The accessibility bus does not answer.",
        "Log out and in again, or install at-spi2-core (apt install at-spi2-core).",
    )
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

    async fn windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        let listed = |tree: Arc<LinuxTree>| async move { tree.windows.active_first() };
        Ok(self.run(listed).await?.into_iter().map(|top| top.info).collect())
    }

    async fn window_lines(&self, window: &WindowInfo) -> Result<VisibleLines, PlatformError> {
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

    async fn programs(&self) -> Result<usize, PlatformError> {
        self.run(|tree| async move { tree.programs().await }).await
    }

    async fn try_focus_events(&self) -> Result<(), PlatformError> {
        self.run(|tree| async move { tree.try_focus_events().await }).await
    }

    async fn watch_focus(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        let events = self.run(|tree| async move { FocusSignals::open(tree.session_bus.as_deref()).await }).await?;
        // Dropping the sender ends the watch.
        let (stop, stopped) = oneshot::channel();
        self.worker()?.spawn(focus_watch::follow(Arc::clone(&self.tree), events, moved, lost, stopped));
        Ok(Watch::new(move || drop(stop)))
    }

    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError> {
        self.run(focus_watch::focused).await
    }

    fn block_roles(&self, roles: RoleSet) {
        self.tree.guard.block(roles);
    }

    async fn check(&self) -> Result<(), PlatformError> {
        self.run(|tree| async move { tree.check().await }).await
    }
}
