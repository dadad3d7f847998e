//! Which kind of desktop session Luna runs in (SES-1), by asking the display, not by names in the environment: who draws
//! the screen decides which windows, keys and pixels Luna can get.

/// A kind of session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopSession {
    /// An X server draws the screen.
    X11 {
        /// The name of the window manager; `None` if there is none.
        window_manager: Option<String>,
        /// Whether a compositing manager keeps the pictures of all windows.
        composited: bool,
    },
    /// A Wayland compositor draws the screen.
    Wayland {
        /// The compositor's program, such as `sway` or `gnome-shell`; `None` if it is not known.
        compositor: Option<String>,
        /// Whether X programs can run in it: Luna can find their windows, but no others.
        has_xwayland: bool,
    },
    Windows,
    /// Neither an X display nor a Wayland one answers.
    Headless,
}

impl DesktopSession {
    /// The name of the kind, for programs.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::X11 { .. } => "x11",
            Self::Wayland { .. } => "wayland",
            Self::Windows => "windows",
            Self::Headless => "headless",
        }
    }

    /// Asks the displays that the environment names. Blocks for some milliseconds.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_os = "linux")]
        return linux::detect();
        #[cfg(windows)]
        return Self::Windows;
        #[cfg(not(any(target_os = "linux", windows)))]
        return Self::Headless;
    }
}

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::wayland_socket;
