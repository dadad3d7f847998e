//! What is cached about the applications while the connection lasts: their processes, and which element represents
//! which window.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{join, join_all, join3};
use luna_messages::{Coordinates, Rect};
use tokio::time::{Instant, timeout};

use super::bus::{AccessibilityBus, CALL_DEADLINE};
use super::cached_element::{AutomationIds, CacheSize};
use super::call_error::CallError;
use super::display::{ProgramKey, TopLevelWindow};
use super::extents::window_space;
use super::guard::Guard;
use super::node::{App, LinuxNode};
use super::placement::{Placement, WindowBoxes};
use super::socket;
use super::space::{NodeSpace, WindowSpace};
use super::window_fit::WindowFit;
use super::{popover, sandbox};
use crate::PlatformError;

/// How long a process counts as absent from the bus before it is looked up again.
const ABSENCE_TTL: Duration = Duration::from_millis(700);
/// Maximum number of windows of one application to consider.
const MAX_FRAMES: usize = 256;
/// How long the coordinates of a window that does not move count as known; an application may have told its own place
/// while it was being moved.
const SPACE_TTL: Duration = Duration::from_secs(2);
/// How long a popup is taken for one that shows no part of a main window; what it shows may be filled later.
const NO_POPOVER_TTL: Duration = Duration::from_secs(1);
/// How long an index path is cached.
const PATH_TTL: Duration = Duration::from_secs(2);

/// A connection to the accessibility bus, with caches that are discarded together with it.
pub(super) struct AccessibilitySession {
    bus: AccessibilityBus,
    /// Which roles must not be read in any application.
    guard: Arc<Guard>,
    /// Applications by the X client that owns their windows: process numbers of sandboxes repeat (SES-4).
    apps: Mutex<HashMap<ProgramKey, KnownApp>>,
    /// Applications that were found by the title of a window, which tells nothing of other windows, by that window.
    by_title: Mutex<HashMap<WindowKey, KnownApp>>,
    /// Windows whose programs are not on the bus, and since when.
    absent: Mutex<HashMap<WindowKey, Instant>>,
    /// The elements that represent windows, by window handle.
    frames: Mutex<HashMap<u64, KnownFrame>>,
    /// Popups of GTK 4 that show no part of a main window, such as tool tips, and when that was found.
    no_popovers: Mutex<HashMap<u64, Instant>>,
    /// Index paths of elements far up in the tree, and when they were cached.
    paths: Mutex<HashMap<LinuxNode, (Instant, Vec<i32>)>>,
}

/// A window and its program: the X server gives the number of a window that is gone to another.
type WindowKey = (u64, ProgramKey);

fn window_key(top: &TopLevelWindow) -> WindowKey {
    (top.info.handle, top.program())
}

/// An application that was looked up.
struct KnownApp {
    app: Arc<App>,
    /// The process on the bus.
    process: u32,
}

/// The element of a window, and when and where its coordinates were compared with the screen's.
#[derive(Clone)]
struct KnownFrame {
    node: LinuxNode,
    boxes: WindowBoxes,
    since: Instant,
}

impl KnownFrame {
    /// Whether the comparison still holds: nothing about a window of the desktop's pixels changes if it is moved.
    fn holds(&self, boxes: WindowBoxes, now: Instant) -> bool {
        let size = |boxes: WindowBoxes| (boxes.client.width, boxes.client.height);
        match self.node.space.window() {
            None => size(self.boxes) == size(boxes),
            Some(_) if self.node.space.is_undecided() => false,
            Some(_) => self.boxes == boxes && now < self.since + SPACE_TTL,
        }
    }
}

impl AccessibilitySession {
    /// Connects to the accessibility bus. `session` is the address of the session bus; `None` selects the bus named in
    /// the environment.
    pub(super) async fn open(session: Option<&str>, guard: &Arc<Guard>) -> Result<Self, PlatformError> {
        let bus = AccessibilityBus::connect(session).await?;
        Ok(Self {
            bus,
            guard: Arc::clone(guard),
            apps: Mutex::default(),
            by_title: Mutex::default(),
            absent: Mutex::default(),
            frames: Mutex::default(),
            no_popovers: Mutex::default(),
            paths: Mutex::default(),
        })
    }

    /// Checks that the bus and its registry answer.
    pub(super) async fn check(&self) -> Result<(), CallError> {
        self.bus.applications().await.map(|_| ())
    }

    /// Number of applications on the bus.
    pub(super) async fn programs(&self) -> Result<usize, CallError> {
        self.bus.applications().await.map(|applications| applications.len())
    }

    /// Asks the registry for events of the keyboard focus, and withdraws that.
    pub(super) async fn try_events(&self) -> Result<(), CallError> {
        const EVENT: &str = "object:state-changed:focused";
        self.bus.ask_registry("RegisterEvent", &(EVENT, Vec::<&str>::new(), "")).await?;
        self.bus.ask_registry("DeregisterEvent", &(EVENT,)).await
    }

    /// The application that a window belongs to; `None` if it is not on the bus.
    pub(super) async fn app(&self, top: &TopLevelWindow, now: Instant) -> Result<Option<Arc<App>>, CallError> {
        let by_process = lock(&self.apps).get(&top.program()).map(|known| Arc::clone(&known.app));
        let known =
            by_process.or_else(|| lock(&self.by_title).get(&window_key(top)).map(|known| Arc::clone(&known.app)));
        if known.is_some() {
            return Ok(known);
        }
        if lock(&self.absent).get(&window_key(top)).is_some_and(|&since| now < since + ABSENCE_TTL) {
            return Ok(None);
        }
        match self.find_app(top).await? {
            Some(found) => {
                self.forget_ended();
                let app = Arc::clone(&found.app);
                if app.by_title {
                    lock(&self.by_title).insert(window_key(top), found);
                } else {
                    lock(&self.apps).insert(top.program(), found);
                }
                Ok(Some(app))
            }
            None => {
                let mut absent = lock(&self.absent);
                absent.retain(|_, since| now < *since + ABSENCE_TTL);
                absent.insert(window_key(top), now);
                Ok(None)
            }
        }
    }

    /// The roots of all applications, over the shared bus.
    pub(super) async fn roots(&self) -> Result<Vec<LinuxNode>, CallError> {
        let names = self.bus.applications().await?.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty());
        Ok(names.map(|name| LinuxNode::root(Arc::new(self.app_on_bus(name)))).collect())
    }

    /// The application with this name on the bus, and its process. Not cached.
    pub(super) async fn open_app(&self, name: &str) -> Result<(Arc<App>, u32), CallError> {
        let process = self.bus.process_of(name).await?;
        Ok((self.connect_app(name.to_owned(), process, false).await?.app, process))
    }

    /// Drops what is cached about a window and its application, because it has changed.
    pub(super) fn forget(&self, top: &TopLevelWindow) {
        lock(&self.apps).remove(&top.program());
        lock(&self.by_title).remove(&window_key(top));
        lock(&self.frames).remove(&top.info.handle);
    }

    /// Drops applications that ended: each holds an open connection, and over weeks these would exhaust the limit of
    /// open files.
    fn forget_ended(&self) {
        let runs = |known: &KnownApp| std::path::Path::new(&format!("/proc/{}", known.process)).exists();
        let (mut apps, mut by_title) = (lock(&self.apps), lock(&self.by_title));
        let before = apps.len() + by_title.len();
        apps.retain(|_, known| runs(known));
        by_title.retain(|_, known| runs(known));
        // The handles of closed windows would accumulate over weeks.
        if by_title.len() > MAX_FRAMES {
            by_title.clear();
        }
        if apps.len() + by_title.len() < before {
            // Cached nodes of their windows keep the connection open as well. Nodes of other applications are looked up
            // again.
            lock(&self.frames).clear();
            lock(&self.paths).clear();
        }
    }

    /// The cached index path of an element far up in the tree, unless it expired. All elements of one page share it.
    pub(super) fn path(&self, node: &LinuxNode, now: Instant) -> Option<Vec<i32>> {
        lock(&self.paths).get(node).filter(|(since, _)| now < *since + PATH_TTL).map(|(_, path)| path.clone())
    }

    /// Caches an index path for [`PATH_TTL`].
    pub(super) fn keep_path(&self, node: LinuxNode, path: Vec<i32>, now: Instant) {
        let mut paths = lock(&self.paths);
        paths.retain(|_, (since, _)| now < *since + PATH_TTL);
        paths.insert(node, (now, path));
    }

    async fn find_app(&self, top: &TopLevelWindow) -> Result<Option<KnownApp>, CallError> {
        let names: Vec<String> =
            self.bus.applications().await?.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty()).collect();
        let processes = join_all(names.iter().map(|name| self.bus.process_of(name))).await;
        let apps: Vec<(String, u32)> =
            names.into_iter().zip(processes).filter_map(|(name, process)| Some((name, process.ok()?))).collect();
        let window = &top.info;
        let is_same = |process: u32| process == window.process && process != 0;
        let same: Vec<&(String, u32)> = apps.iter().filter(|(_, process)| is_same(*process)).collect();
        if let [(name, process)] = same[..] {
            return self.connect_app(name.clone(), *process, false).await.map(Some);
        }
        // That the processes are related says nothing: the programs that were started from a terminal are its children,
        // too. Nor does the title alone: terminals on the same machine have the same one.
        let by_title = same.is_empty();
        let found = match by_title {
            true if !sandbox::has_proxy(window.process) => None,
            true => self.best_of(&apps.iter().collect::<Vec<_>>(), top, true).await,
            false => self.best_of(&same, top, false).await,
        };
        match found {
            Some((name, process)) => self.connect_app(name, process, by_title).await.map(Some),
            None => Ok(None),
        }
    }

    /// The application with the window that fits best; `by_title`: only windows of the same title and size.
    async fn best_of(&self, apps: &[&(String, u32)], top: &TopLevelWindow, by_title: bool) -> Option<(String, u32)> {
        if by_title && top.info.title.is_empty() {
            return None;
        }
        let scores = join_all(apps.iter().map(|(name, _)| async move {
            let app = Arc::new(self.app_on_bus(name.clone()));
            timeout(CALL_DEADLINE, best_frame(&app, top, by_title)).await.ok()?.ok()?.map(|(score, _)| score)
        }))
        .await;
        let mut best: Option<(u32, &(String, u32))> = None;
        for (app, score) in apps.iter().zip(scores) {
            if let Some(score) = score
                && best.is_none_or(|(other, _)| score > other)
            {
                best = Some((score, app));
            }
        }
        best.map(|(_, app)| app.clone())
    }

    fn app_on_bus(&self, name: String) -> App {
        let bus = self.bus.connection.clone();
        App {
            bus,
            direct: None,
            address: String::new(),
            name,
            local: false,
            masks_text: false,
            by_title: false,
            location_failures: AtomicU8::new(0),
            is_displaced: AtomicBool::new(false),
            place_failures: AtomicU8::new(0),
            cache_size: CacheSize::unasked(),
            automation_ids: AutomationIds::default(),
            guard: Arc::clone(&self.guard),
            space: Mutex::default(),
        }
    }

    /// Determines the toolkit of an application, and connects to it directly if possible.
    async fn connect_app(&self, name: String, process: u32, by_title: bool) -> Result<KnownApp, CallError> {
        let root = LinuxNode::root(Arc::new(self.app_on_bus(name.clone())));
        let (toolkit, address) = join(root.toolkit(), root.direct_address()).await;
        if toolkit == Err(CallError::Late) {
            return Err(CallError::Late);
        }
        let mut app = self.app_on_bus(name);
        // GTK 3 reports "gtk".
        app.local = toolkit.as_deref() == Ok("GTK");
        if toolkit.as_deref() == Ok("gtk") {
            app.cache_size = CacheSize::default();
        }
        app.masks_text = toolkit.as_deref() == Ok("Gecko");
        app.by_title = by_title;
        if let Some(address) = address.ok().filter(|address| !address.is_empty()) {
            app.direct = socket::connect(&address, true, CALL_DEADLINE).await.ok();
            app.address = address;
        }
        tracing::debug!(
            process,
            direct = app.direct.is_some(),
            local = app.local,
            "Found an application on the accessibility bus."
        );
        Ok(KnownApp { app: Arc::new(app), process })
    }

    /// The element of a popup whose application tells it as part of its main window, `owner`: the main window's if none
    /// fits.
    pub(super) async fn popover(
        &self,
        app: &Arc<App>,
        owner: &TopLevelWindow,
        popup: &TopLevelWindow,
        now: Instant,
    ) -> Result<Option<LinuxNode>, CallError> {
        let handle = popup.info.handle;
        if !lock(&self.frames).contains_key(&handle) {
            let Some(window) = self.frame(app, owner, now).await? else { return Ok(None) };
            if lock(&self.no_popovers).get(&handle).is_some_and(|since| now < *since + NO_POPOVER_TTL) {
                return Ok(Some(window));
            }
            let Some(node) = popover::part_shown_by(&window, popup).await? else {
                let mut known = lock(&self.no_popovers);
                known.retain(|_, since| now < *since + NO_POPOVER_TTL);
                known.insert(handle, now);
                return Ok(Some(window));
            };
            // Its coordinates are not compared with the popup's yet.
            let boxes = WindowBoxes { visible: Rect::default(), client: Rect::default(), frame: Rect::default() };
            lock(&self.frames).insert(handle, KnownFrame { node, boxes, since: now });
        }
        self.frame(app, popup, now).await
    }

    /// The element that represents a window, which converts the coordinates of everything in it; `None` if the
    /// application has no element that fits.
    pub(super) async fn frame(
        &self,
        app: &Arc<App>,
        top: &TopLevelWindow,
        now: Instant,
    ) -> Result<Option<LinuxNode>, CallError> {
        let handle = top.info.handle;
        let known = lock(&self.frames).get(&handle).cloned();
        let mut node = match known {
            Some(known) if known.holds(top.boxes, now) => return Ok(Some(known.node)),
            Some(known) => known.node,
            None => {
                let (best, frames) = (best_frame(app, top, false).await?, LinuxNode::root(Arc::clone(app)));
                match best {
                    Some((_, frame)) => frame,
                    None if app.by_title => return Ok(None),
                    // With a single window there is nothing to choose.
                    None => match &frames.first_children(2).await?[..] {
                        [only] => only.clone(),
                        _ => return Ok(None),
                    },
                }
            }
        };
        node.space = NodeSpace::of_window(space_of(&node, top).await?);
        node.window = Some(handle);
        let mut frames = lock(&self.frames);
        // Bounds the cache: handles of closed windows would accumulate over weeks.
        if frames.len() > 256 {
            frames.clear();
        }
        frames.insert(handle, KnownFrame { node: node.clone(), boxes: top.boxes, since: now });
        Ok(Some(node))
    }
}

/// The coordinates of the window whose element is `frame`; `None` if they are those of the desktop.
async fn space_of(frame: &LinuxNode, top: &TopLevelWindow) -> Result<Option<Arc<WindowSpace>>, CallError> {
    let told = match frame.told_extents().await {
        Ok(told) => told,
        Err(CallError::Refused) => Coordinates::new(Rect::default()),
        Err(error) => return Err(error),
    };
    let is_local = frame.app.local;
    let placement = Placement::of(told, top.boxes, is_local);
    if let Some(known) = frame.space.window().filter(|known| known.is_current(told, top.boxes.client)) {
        return Ok(Some(known));
    }
    let space = window_space(frame, told, top.boxes.client, placement).await;
    // A menu may have no element of its own: its coordinates are those of the main window.
    if top.is_popup && space.is_none() && !is_local {
        return Ok(frame.app.known_space().flatten());
    }
    if !top.is_popup {
        frame.app.keep_space(space.clone());
    }
    Ok(space)
}

/// Selects among the windows of one application by title, place and size; with its points. `by_title`: only windows of
/// the same title and size.
async fn best_frame(
    app: &Arc<App>,
    top: &TopLevelWindow,
    by_title: bool,
) -> Result<Option<(u32, LinuxNode)>, CallError> {
    let frames = LinuxNode::root(Arc::clone(app)).first_children(MAX_FRAMES).await?;
    let requests = frames.iter().map(|frame| async {
        let (name, native, told) = join3(frame.name(), frame.native(), frame.told_extents()).await;
        let told = match told {
            Err(CallError::Refused) => Coordinates::new(Rect::default()),
            told => told?,
        };
        Ok::<_, CallError>((name?, native?, told))
    });
    let mut best: Option<(u32, LinuxNode)> = None;
    for (frame, answer) in frames.iter().zip(join_all(requests).await) {
        let (name, native, told) = match answer {
            Ok(answer) => answer,
            Err(CallError::Refused) => continue,
            Err(error) => return Err(error),
        };
        let fit = WindowFit::of(&name, told, &top.info, app.local);
        let score = fit.points(native);
        let is_possible = !by_title || fit.is_same_by_title();
        if is_possible && score > 0 && best.as_ref().is_none_or(|(other, _)| score > *other) {
            best = Some((score, frame.clone()));
        }
    }
    Ok(best)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
