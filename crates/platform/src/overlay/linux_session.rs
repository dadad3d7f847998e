//! The overlay of the session on Linux: of the X display, or of the Wayland compositor if one draws the screen (SES-1).

use std::sync::{Mutex, PoisonError};

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use super::linux::X11Overlay;
use super::wayland::WaylandOverlay;
use super::{OverlayMonitor, OverlayObserver, ScreenOverlay};
use crate::PlatformError;
use crate::session::DesktopSession;

/// By which display the overlay is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OverlayRoute {
    X11,
    Wayland {
        /// What the windows of X programs do below the marks can be told.
        has_xwayland: bool,
    },
}

/// Chooses at the first use.
pub struct SessionOverlay {
    x11: X11Overlay,
    wayland: WaylandOverlay,
    /// `None` until a display has answered.
    route: Mutex<Option<OverlayRoute>>,
}

impl SessionOverlay {
    #[must_use]
    pub fn new() -> Self {
        Self { x11: X11Overlay::new(), wayland: WaylandOverlay::new(), route: Mutex::default() }
    }

    fn route(&self) -> OverlayRoute {
        let mut known = self.route.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(route) = *known {
            return route;
        }
        let session = DesktopSession::detect();
        let is_wayland = matches!(session, DesktopSession::Wayland { .. });
        let offered = is_wayland.then(|| self.wayland.is_offered().ok()).flatten();
        let (route, is_certain) = route(&session, offered);
        if is_certain {
            *known = Some(route);
        }
        route
    }
}

/// The route in a session, and whether it stays so. `offered`: whether the compositor has the layer shell, if that is known. Pure.
const fn route(session: &DesktopSession, offered: Option<bool>) -> (OverlayRoute, bool) {
    match (session, offered) {
        (DesktopSession::X11 { .. } | DesktopSession::Windows, _) => (OverlayRoute::X11, true),
        // Through Xwayland at least what X programs show is marked.
        (DesktopSession::Wayland { has_xwayland: true, .. }, Some(false)) => (OverlayRoute::X11, true),
        (DesktopSession::Wayland { has_xwayland, .. }, offered) => {
            (OverlayRoute::Wayland { has_xwayland: *has_xwayland }, offered.is_some())
        }
        (DesktopSession::Headless, _) => (OverlayRoute::X11, false),
    }
}

impl Default for SessionOverlay {
    fn default() -> Self {
        Self::new()
    }
}

impl ScreenOverlay for SessionOverlay {
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        let OverlayRoute::Wayland { has_xwayland } = self.route() else { return self.x11.show(image) };
        let followed = has_xwayland.then(|| image.followed.clone());
        let support = self.wayland.show(image)?;
        if let Some(followed) = followed {
            // Boxes that are known at all under Wayland are those of X programs.
            let nothing = OverlayImage { followed, ..OverlayImage::default() };
            if let Err(error) = self.x11.show(nothing) {
                tracing::debug!(%error, "Marks do not follow the windows of X programs.");
            }
        }
        Ok(support)
    }

    fn hide(&self) -> Result<(), PlatformError> {
        // What was never shown is not connected, and costs nothing.
        self.wayland.hide().and(self.x11.hide())
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        self.x11.rearm()
    }

    fn observe(&self, changed: OverlayObserver) {
        self.x11.observe(changed);
    }

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        match self.route() {
            OverlayRoute::X11 => self.x11.support(),
            OverlayRoute::Wayland { .. } => self.wayland.support(),
        }
    }

    fn monitors(&self) -> Result<Option<Vec<OverlayMonitor>>, PlatformError> {
        match self.route() {
            OverlayRoute::X11 => self.x11.monitors(),
            OverlayRoute::Wayland { .. } => self.wayland.monitors(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1, SES-1
    #[test]
    fn whoever_draws_the_screen_shows_the_marks_ovl_1_ses_1() {
        let x11 = DesktopSession::X11 { window_manager: None, composited: true };
        let wayland = |has_xwayland| DesktopSession::Wayland { compositor: Some("sway".into()), has_xwayland };
        let by_wayland = |has_xwayland| OverlayRoute::Wayland { has_xwayland };
        for (session, offered, expect) in [
            (x11, None, (OverlayRoute::X11, true)),
            (wayland(true), Some(true), (by_wayland(true), true)),
            (wayland(false), Some(true), (by_wayland(false), true)),
            (wayland(true), Some(false), (OverlayRoute::X11, true)),
            (wayland(false), Some(false), (by_wayland(false), true)),
            (wayland(true), None, (by_wayland(true), false)),
            (DesktopSession::Headless, None, (OverlayRoute::X11, false)),
        ] {
            assert_eq!(route(&session, offered), expect, "{session:?} {offered:?}");
        }
    }
}
