//! Windows that only the accessibility tree tells, because no display does, as under Wayland (SES-2).

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{join_all, join3};
use luna_messages::Rect;
use luna_messages::pick::{Role, WindowInfo};

use super::call_error::CallError;
use super::display::TopLevelWindow;
use super::focus_search::focused_below;
use super::node::LinuxNode;
use super::placement::WindowBoxes;
use super::session::AccessibilitySession;
use super::{AtSpi, LinuxTree, allowance};
use crate::PlatformError;

/// Deadline of one query.
const QUERY_LIMIT: Duration = Duration::from_millis(700);
/// Set in the handle of each such window: the windows of an X display have 32 bits.
const IS_TREE_WINDOW: u64 = 1 << 63;
/// With more applications, or more windows of one, it is not known which are active.
const MAX_APPLICATIONS: usize = 128;
const MAX_WINDOWS: usize = 64;
/// Windows that are remembered.
const MAX_TOLD: usize = 16;

/// Whether a handle is that of a window that only the tree tells.
pub(crate) const fn is_tree_window(handle: u64) -> bool {
    handle & IS_TREE_WINDOW != 0
}

/// A window of the tree.
#[derive(Clone)]
pub(super) struct TreeWindow {
    pub(super) node: LinuxNode,
    info: WindowInfo,
}

/// What the field with the focus tells of its content without the content itself: it differs once a character arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldMark {
    /// Its hash, as a move of the focus is a change, too.
    element: u64,
    caret: usize,
    characters: i32,
    selections: i32,
}

/// The same for the same object of the same application; a bus never gives a name again.
fn hash(node: &LinuxNode) -> u64 {
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    hasher.finish()
}

impl LinuxTree {
    /// The active window, if one alone says that it is: of several, nobody knows which gets the keys.
    pub(super) async fn active_tree_window(&self) -> Result<Option<WindowInfo>, PlatformError> {
        let session = self.session().await?;
        let known = self.told_windows().clone();
        let twice = async {
            let late = allowance::late_calls();
            match only_active(&session, &known).await {
                Ok(None) | Err(CallError::Late) if allowance::late_calls() > late => {
                    only_active(&session, &known).await
                }
                found => found,
            }
        };
        let found = match allowance::within(QUERY_LIMIT, twice).await.0 {
            Some(Ok(found)) => found,
            Some(Err(_)) if session.check().await.is_err() => {
                self.drop_session(&session).await;
                return Err(super::silent_bus());
            }
            Some(Err(_)) | None => return Err(PlatformError::NoAnswer),
        };
        let info = found.as_ref().map(|window| window.info.clone());
        if let Some(window) = found {
            let mut told = self.told_windows();
            told.retain(|other| other.info.handle != window.info.handle);
            if told.len() == MAX_TOLD {
                told.remove(0);
            }
            told.push(window);
        }
        Ok(info)
    }

    /// The windows that [`Self::active_tree_window`] told, the newest last.
    fn told_windows(&self) -> MutexGuard<'_, Vec<TreeWindow>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn told(&self, handle: u64) -> Option<TreeWindow> {
        self.told_windows().iter().find(|window| window.info.handle == handle).cloned()
    }

    /// The window with this handle as it is now, on the display or in the tree alone; `None` if it is gone or hidden. The
    /// bounds of one in the tree are those in its own coordinates.
    pub(super) async fn window(&self, handle: u64) -> Result<Option<TopLevelWindow>, PlatformError> {
        if !is_tree_window(handle) {
            return self.windows.find(handle);
        }
        let Some(TreeWindow { node, mut info }) = self.told(handle) else { return Ok(None) };
        let Some(Ok(bounds)) = allowance::within(QUERY_LIMIT, node.extents()).await.0 else { return Ok(None) };
        info.bounds = bounds;
        let boxes = WindowBoxes { visible: bounds, client: bounds, frame: bounds };
        Ok(Some(TopLevelWindow { info, client: 0, boxes, is_popup: false, has_shadow: false }))
    }

    async fn is_still_active(&self, handle: u64) -> bool {
        let Some(window) = self.told(handle) else { return false };
        // On a busy machine an application may answer late; it gets the keys all the same.
        let twice = async {
            match window.node.states().await {
                Err(CallError::Late) => window.node.states().await,
                states => states,
            }
        };
        let states = allowance::within(QUERY_LIMIT, twice).await.0;
        states.is_some_and(|states| states.is_ok_and(|states| states.is_active()))
    }

    async fn field_mark(&self) -> Option<FieldMark> {
        let window = self.told_windows().last().cloned()?;
        let mark = async {
            let field = focused_below(&window.node).await.ok()??;
            let role = field.facts().await.ok()?.role;
            if self.guard.role(role) == Role::Protected {
                return None;
            }
            let selections = field.call("org.a11y.atspi.Text", "GetNSelections", &());
            let (caret, characters, selections) = join3(field.caret(), field.character_count(), selections).await;
            Some(FieldMark {
                element: hash(&field),
                caret: caret?,
                characters: characters.ok()?,
                selections: selections.unwrap_or(0),
            })
        };
        allowance::within(QUERY_LIMIT, mark).await.0.flatten()
    }
}

/// `known`: windows that were active before; their connections are used again.
async fn only_active(session: &AccessibilitySession, known: &[TreeWindow]) -> Result<Option<TreeWindow>, CallError> {
    let roots = session.roots().await?;
    if roots.len() > MAX_APPLICATIONS {
        return Ok(None);
    }
    // An application that does not answer tells of no window.
    let active: Vec<LinuxNode> = join_all(roots.iter().map(active_windows)).await.into_iter().flatten().collect();
    let [only] = &active[..] else { return Ok(None) };
    let (node, process) = match known.iter().find(|known| known.node == *only) {
        Some(known) => (known.node.clone(), known.info.process),
        None => {
            let object = only.reference_to();
            let (app, process) = session.open_app(&object.name).await?;
            let Some(node) = LinuxNode::root(app).of_object(&object) else { return Ok(None) };
            (node, process)
        }
    };
    let title = node.name().await?;
    // Where it is on the desktop, no application knows.
    let info = WindowInfo { handle: hash(&node) | IS_TREE_WINDOW, process, title, bounds: Rect::default() };
    Ok(Some(TreeWindow { node, info }))
}

async fn active_windows(root: &LinuxNode) -> Vec<LinuxNode> {
    let Ok(windows) = root.first_children(MAX_WINDOWS).await else { return Vec::new() };
    let states = join_all(windows.iter().map(LinuxNode::states)).await;
    let is_active = |states: Result<super::states::States, CallError>| states.is_ok_and(|states| states.is_active());
    windows.into_iter().zip(states).filter(|(_, states)| is_active(*states)).map(|(window, _)| window).collect()
}

impl AtSpi {
    /// The active window by the tree alone, if one alone says that it is.
    pub(crate) async fn active_tree_window(&self) -> Result<Option<WindowInfo>, PlatformError> {
        self.run(|tree| async move { tree.active_tree_window().await }).await
    }

    /// Whether the window that was told last is still active; takes one call to its application.
    pub(crate) async fn is_still_active(&self, handle: u64) -> Result<bool, PlatformError> {
        self.run(move |tree: Arc<LinuxTree>| async move { Ok(tree.is_still_active(handle).await) }).await
    }

    /// What the field with the focus in the window that was told last tells of its content; `None` if it is protected, or no
    /// text.
    pub(crate) async fn field_mark(&self) -> Option<FieldMark> {
        self.run(|tree: Arc<LinuxTree>| async move { Ok(tree.field_mark().await) }).await.ok().flatten()
    }
}
