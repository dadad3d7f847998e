//! What is cached about the applications while the connection lasts: their processes, and which element represents
//! which window.

use std::collections::HashMap;
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::pick::WindowInfo;
use luna_messages::{Point, Rect};
use tokio::time::{Instant, timeout};

use super::bus::{AccessibilityBus, CALL_DEADLINE};
use super::call_error::CallError;
use super::guard::Guard;
use super::node::{App, LinuxNode};
use super::socket;
use crate::PlatformError;

/// How long a process counts as absent from the bus before it is looked up again.
const ABSENCE_TTL: Duration = Duration::from_millis(700);
/// Maximum number of windows of one application to consider.
const MAX_FRAMES: usize = 256;
/// How long an index path is cached.
const PATH_TTL: Duration = Duration::from_secs(2);

/// A connection to the accessibility bus, with caches that are discarded together with it.
pub(super) struct AccessibilitySession {
    bus: AccessibilityBus,
    /// Which roles must not be read in any application.
    guard: Arc<Guard>,
    /// Applications by the process that owns their windows.
    apps: Mutex<HashMap<u32, Arc<App>>>,
    /// Processes that have windows but are not on the bus, and since when.
    absent: Mutex<HashMap<u32, Instant>>,
    /// The elements that represent windows, by window handle.
    frames: Mutex<HashMap<u64, LinuxNode>>,
    /// Index paths of elements far up in the tree, and when they were cached.
    paths: Mutex<HashMap<LinuxNode, (Instant, Vec<i32>)>>,
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
            absent: Mutex::default(),
            frames: Mutex::default(),
            paths: Mutex::default(),
        })
    }

    /// Checks that the bus and its registry answer.
    pub(super) async fn check(&self) -> Result<(), CallError> {
        self.bus.applications().await.map(|_| ())
    }

    /// The application that a window belongs to; `None` if it is not on the bus.
    pub(super) async fn app(&self, window: &WindowInfo, now: Instant) -> Result<Option<Arc<App>>, CallError> {
        let known = lock(&self.apps).get(&window.process).cloned();
        if known.is_some() {
            return Ok(known);
        }
        if lock(&self.absent).get(&window.process).is_some_and(|&since| now < since + ABSENCE_TTL) {
            return Ok(None);
        }
        let found = self.find_app(window).await?;
        match &found {
            Some(app) => {
                self.forget_ended();
                lock(&self.apps).insert(window.process, Arc::clone(app));
            }
            None => {
                let mut absent = lock(&self.absent);
                absent.retain(|_, since| now < *since + ABSENCE_TTL);
                absent.insert(window.process, now);
            }
        }
        Ok(found)
    }

    /// The roots of all applications, over the shared bus.
    pub(super) async fn roots(&self) -> Result<Vec<LinuxNode>, CallError> {
        let names = self.bus.applications().await?.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty());
        Ok(names.map(|name| LinuxNode::root(Arc::new(self.app_on_bus(name)))).collect())
    }

    /// The application with this name on the bus, and its process. Not cached.
    pub(super) async fn open_app(&self, name: &str) -> Result<(Arc<App>, u32), CallError> {
        let process = self.bus.process_of(name).await?;
        Ok((self.connect_app(name.to_owned(), process).await?, process))
    }

    /// Drops what is cached about a window and its application, because it has changed.
    pub(super) fn forget(&self, window: &WindowInfo) {
        lock(&self.apps).remove(&window.process);
        lock(&self.frames).remove(&window.handle);
    }

    /// Drops applications that ended: each holds an open connection, and over weeks these would exhaust the limit of
    /// open files.
    fn forget_ended(&self) {
        let mut apps = lock(&self.apps);
        let before = apps.len();
        apps.retain(|process, _| std::path::Path::new(&format!("/proc/{process}")).exists());
        if apps.len() < before {
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

    async fn find_app(&self, window: &WindowInfo) -> Result<Option<Arc<App>>, CallError> {
        let names: Vec<String> =
            self.bus.applications().await?.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty()).collect();
        let processes = join_all(names.iter().map(|name| self.bus.process_of(name))).await;
        let apps: Vec<(String, u32)> =
            names.into_iter().zip(processes).filter_map(|(name, process)| Some((name, process.ok()?))).collect();
        // A window may belong to a child of the process that is on the bus, or vice versa.
        let by_process =
            apps.iter().find(|(_, process)| *process == window.process && window.process != 0).or_else(|| {
                let above = ancestors(window.process);
                apps.iter().find(|(_, process)| {
                    above.contains(process) || window.process != 0 && ancestors(*process).contains(&window.process)
                })
            });
        if let Some((name, process)) = by_process {
            return self.connect_app(name.clone(), *process).await.map(Some);
        }
        // Process ids inside a sandbox differ, so match by title.
        if window.title.is_empty() {
            return Ok(None);
        }
        let titled = join_all(apps.iter().map(|(name, _)| self.has_frame(name, &window.title))).await;
        match apps.iter().zip(titled).find(|(_, titled)| *titled) {
            Some(((name, process), _)) => self.connect_app(name.clone(), *process).await.map(Some),
            None => Ok(None),
        }
    }

    fn app_on_bus(&self, name: String) -> App {
        let bus = self.bus.connection.clone();
        App {
            bus,
            direct: None,
            name,
            local: false,
            location_failures: AtomicU8::new(0),
            guard: Arc::clone(&self.guard),
        }
    }

    async fn has_frame(&self, name: &str, title: &str) -> bool {
        let root = LinuxNode::root(Arc::new(self.app_on_bus(name.to_owned())));
        let search = async {
            let frames = root.first_children(MAX_FRAMES).await.unwrap_or_default();
            join_all(frames.iter().map(LinuxNode::name)).await.into_iter().any(|name| name.as_deref() == Ok(title))
        };
        timeout(CALL_DEADLINE, search).await.unwrap_or(false)
    }

    /// Determines the toolkit of an application, and connects to it directly if possible.
    async fn connect_app(&self, name: String, process: u32) -> Result<Arc<App>, CallError> {
        let root = LinuxNode::root(Arc::new(self.app_on_bus(name.clone())));
        let (toolkit, address) = join(root.toolkit(), root.direct_address()).await;
        if toolkit == Err(CallError::Late) {
            return Err(CallError::Late);
        }
        let mut app = self.app_on_bus(name);
        // GTK 3 reports "gtk".
        app.local = toolkit.as_deref() == Ok("GTK");
        if let Some(address) = address.ok().filter(|address| !address.is_empty()) {
            app.direct = socket::connect(&address, true, CALL_DEADLINE).await.ok();
        }
        tracing::debug!(
            process,
            direct = app.direct.is_some(),
            local = app.local,
            "Found an application on the accessibility bus."
        );
        Ok(Arc::new(app))
    }

    /// The element that represents a window; `None` if the application has no element that fits.
    pub(super) async fn frame(&self, app: &Arc<App>, window: &WindowInfo) -> Result<Option<LinuxNode>, CallError> {
        let known = lock(&self.frames).get(&window.handle).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let found = best_frame(app, window).await?;
        if let Some(frame) = &found {
            let mut frames = lock(&self.frames);
            // Bounds the cache: handles of closed windows would accumulate over weeks.
            if frames.len() > 256 {
                frames.clear();
            }
            frames.insert(window.handle, frame.clone());
        }
        Ok(found)
    }
}

/// Selects among the windows of one application by title, place and size.
async fn best_frame(app: &Arc<App>, window: &WindowInfo) -> Result<Option<LinuxNode>, CallError> {
    let frames = LinuxNode::root(Arc::clone(app)).first_children(MAX_FRAMES).await?;
    let requests = frames.iter().map(|frame| async {
        let (name, facts) = join(frame.name(), frame.facts(Point::default())).await;
        Ok::<_, CallError>((name?, facts?))
    });
    let mut best: Option<(u32, LinuxNode)> = None;
    for (frame, answer) in frames.iter().zip(join_all(requests).await) {
        let (name, facts) = match answer {
            Ok(answer) => answer,
            Err(CallError::Refused) => continue,
            Err(error) => return Err(error),
        };
        let score = match_score(&name, facts.native, facts.bbox, window, app.local);
        if score > 0 && best.as_ref().is_none_or(|(other, _)| score > *other) {
            best = Some((score, frame.clone()));
        }
    }
    // With a single window there is nothing to choose.
    Ok(best.map(|(_, frame)| frame).or_else(|| if frames.len() == 1 { frames.into_iter().next() } else { None }))
}

/// How well a frame matches a window; 0 means not at all. Frames of some toolkits include the window manager's
/// decorations.
fn match_score(name: &str, native: Native, bbox: Rect, window: &WindowInfo, local: bool) -> u32 {
    let near = |one: i32, other: i32| one.abs_diff(other) <= 60;
    let same_size = near(bbox.width, window.bounds.width) && near(bbox.height, window.bounds.height);
    let same_place = !local && near(bbox.x, window.bounds.x) && near(bbox.y, window.bounds.y);
    let exact = bbox.width == window.bounds.width && bbox.height == window.bounds.height;
    let titled = !name.is_empty() && name == window.title;
    let alike = !titled
        && !name.is_empty()
        && !window.title.is_empty()
        && (name.contains(&window.title) || window.title.contains(name));
    let points = 8 * u32::from(titled)
        + 4 * u32::from(alike)
        + 6 * u32::from(same_place && same_size)
        + 3 * u32::from(same_size)
        + u32::from(exact);
    let is_window =
        matches!(native, Native::Frame | Native::Window | Native::Dialog | Native::Alert | Native::FileChooser);
    if points >= 3 { points + u32::from(is_window) } else { 0 }
}

/// Parent processes, nearest first, at most four.
fn ancestors(process: u32) -> Vec<u32> {
    let mut above = Vec::new();
    let mut current = process;
    while above.len() < 4 {
        let status = std::fs::read_to_string(format!("/proc/{current}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).and_then(|pid| pid.trim().parse().ok());
        match parent {
            Some(parent) if parent > 1 => {
                above.push(parent);
                current = parent;
            }
            _ => break,
        }
    }
    above
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_apart_by_title_place_and_size() {
        let window = WindowInfo { handle: 1, process: 1, title: "Note".into(), bounds: Rect::new(61, 80, 860, 640) };
        let fit = |name, bbox, local| match_score(name, Native::Frame, Rect::from(bbox), &window, local);
        let (decorated, elsewhere, gtk4) = ([60, 60, 862, 661], [900, 60, 862, 661], [0, 0, 860, 640]);
        assert!(fit("Note", decorated, false) > fit("Note", elsewhere, false));
        assert!(fit("Note", elsewhere, false) > fit("Other", elsewhere, false));
        assert!(fit("Other", decorated, false) > fit("Other", elsewhere, false));
        assert!(fit("Note", gtk4, true) > fit("Other", gtk4, true));
        assert_eq!(fit("Other", [900, 900, 10, 10], false), 0);
    }
}
