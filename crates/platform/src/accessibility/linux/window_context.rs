//! Whose a window is: its application, and the element that represents it there (SES-4).

use std::sync::Arc;

use luna_messages::Rect;
use tokio::time::Instant;

use super::LinuxTree;
use super::call_error::CallError;
use super::display::TopLevelWindow;
use super::node::{App, LinuxNode};
use super::session::AccessibilitySession;
use super::tree_windows::is_tree_window;

/// A window and the element that represents it in its application's tree.
pub(super) struct WindowContext {
    pub(super) session: Arc<AccessibilitySession>,
    pub(super) app: Arc<App>,
    pub(super) frame: LinuxNode,
}

impl LinuxTree {
    /// The application that a window belongs to; `None` if it is not on the bus.
    async fn app(
        &self,
        session: &AccessibilitySession,
        top: &TopLevelWindow,
        now: Instant,
    ) -> Result<Option<Arc<App>>, CallError> {
        let app = session.app(top, now).await?;
        if app.is_some() || !(top.is_popup || top.info.title.is_empty()) {
            return Ok(app);
        }
        // In a sandbox, a main window is found by its title, and those without one through it.
        match self.windows.owner(top).ok().flatten().filter(|owner| owner.program() == top.program()) {
            Some(owner) => session.app(&owner, now).await,
            None => Ok(None),
        }
    }

    /// The window's context; `None` if it is not on the bus.
    pub(super) async fn context(
        &self,
        session: &Arc<AccessibilitySession>,
        top: &TopLevelWindow,
    ) -> Result<Option<WindowContext>, CallError> {
        if is_tree_window(top.info.handle) {
            let context =
                |frame: LinuxNode| WindowContext { session: Arc::clone(session), app: Arc::clone(&frame.app), frame };
            return Ok(self.told(top.info.handle).map(|told| context(told.node)));
        }
        let now = Instant::now();
        let Some(app) = self.app(session, top, now).await? else {
            return Ok(None);
        };
        // A menu's coordinates are those of its main window.
        let needs_owner = top.is_popup && (app.local || app.by_title || app.known_space().is_none());
        let owner = if needs_owner { self.windows.owner(top).ok().flatten() } else { None };
        let frame = match &owner {
            Some(owner) if app.local => session.popover(&app, owner, top, now).await?,
            Some(owner) => {
                let around = session.frame(&app, owner, now).await?;
                // Popups of Qt and Java are no windows of the tree, and a title tells nothing of them.
                session.frame(&app, top, now).await?.or_else(|| around.filter(|_| app.by_title))
            }
            None => session.frame(&app, top, now).await?,
        };
        let Some(frame) = frame else {
            return Ok(None);
        };
        let session = Arc::clone(session);
        Ok(Some(WindowContext { session, app, frame }))
    }
}

/// Whether the frame represents the popup itself and not another window of the application.
pub(super) async fn is_own_frame(context: &WindowContext, popup: Rect) -> Result<bool, CallError> {
    let bbox = context.frame.extents().await?;
    let meets = bbox.intersection(popup);
    let area = |rect: Rect| i64::from(rect.width) * i64::from(rect.height);
    Ok(!meets.is_empty() && 2 * area(meets) > area(bbox))
}
