//! The connection to the compositor, and what it tells.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wayland_client::backend::WaylandError;
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_registry::WlRegistry;
use wayland_client::protocol::wl_shm::WlShm;
use wayland_client::protocol::wl_subcompositor::WlSubcompositor;
use wayland_client::{Connection, Dispatch, DispatchError, EventQueue, Proxy, QueueHandle};
use wayland_protocols::wp::viewporter::client::wp_viewporter::WpViewporter;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::ZwlrLayerShellV1;

use super::outputs::Outputs;
use crate::PlatformError;
use crate::overlay::orders::DisplayFailure;
use crate::session::wayland_socket;

/// How long the compositor may take for one answer; less than an order may take as a whole.
const PATIENCE: Duration = Duration::from_millis(800);

/// Why the compositor did not do something.
#[derive(Debug)]
pub(super) enum CompositorFailure {
    /// The connection is unusable; a new one may work.
    Lost,
    /// It did not answer in time.
    Silent,
    /// Not caused by the connection.
    Final(PlatformError),
}

impl From<DispatchError> for CompositorFailure {
    fn from(error: DispatchError) -> Self {
        tracing::debug!(%error, "The compositor ended the connection.");
        Self::Lost
    }
}

impl From<CompositorFailure> for PlatformError {
    fn from(failure: CompositorFailure) -> Self {
        match failure {
            CompositorFailure::Lost => lost_compositor(),
            CompositorFailure::Silent => Self::silent_display(),
            CompositorFailure::Final(error) => error,
        }
    }
}

impl DisplayFailure for CompositorFailure {
    fn is_lost(&self) -> bool {
        matches!(self, Self::Lost)
    }

    fn is_silent(&self) -> bool {
        matches!(self, Self::Silent)
    }
}

/// The error of a compositor that went away during use.
pub(super) fn lost_compositor() -> PlatformError {
    PlatformError::unavailable(
        "The Wayland compositor went away.",
        "Luna connects again by itself once it is back; otherwise start Luna again in the new session.",
    )
}

fn unreachable_compositor(why: &str) -> PlatformError {
    PlatformError::unavailable(
        format!("No Wayland compositor answers: {why}."),
        "Start Luna inside the desktop session, so that WAYLAND_DISPLAY names its compositor.",
    )
}

/// Whether a compositor has all that the overlay needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LayerShellSupport {
    Complete,
    /// It lacks this interface.
    Lacks(&'static str),
}

/// The interfaces that the overlay needs, and their lowest versions: 4 of `wl_compositor` brought damage in pixels of the buffer, 2 of `wl_output` the
/// scale.
fn needed() -> [(&'static str, u32); 7] {
    [
        (ZwlrLayerShellV1::interface().name, 1),
        (WlCompositor::interface().name, 4),
        (WlSubcompositor::interface().name, 1),
        (WlShm::interface().name, 1),
        (WpViewporter::interface().name, 1),
        (ZxdgOutputManagerV1::interface().name, 1),
        (WlOutput::interface().name, 2),
    ]
}

impl LayerShellSupport {
    /// By the interfaces that a compositor offers, and their versions. Without any monitor the outputs are not missed. Pure.
    fn of<'a>(offered: impl Iterator<Item = (&'a str, u32)> + Clone) -> Self {
        let is_output = |name: &str| name == WlOutput::interface().name;
        let lacks = |&(name, version): &(&str, u32)| {
            let mut versions = offered.clone().filter(|(offered, _)| *offered == name).map(|(_, version)| version);
            if is_output(name) { versions.any(|one| one < version) } else { !versions.any(|one| one >= version) }
        };
        needed().into_iter().find(lacks).map_or(Self::Complete, |(name, _)| Self::Lacks(name))
    }

    pub(super) fn check(&self) -> Result<(), PlatformError> {
        match self {
            Self::Complete => Ok(()),
            Self::Lacks(name) => Err(PlatformError::unavailable(
                format!("This Wayland compositor lets Luna mark nothing on the screen: it lacks {name}."),
                "What Luna says does not depend on it. GNOME has no such interface; KDE Plasma, sway and other compositors with the layer shell do, and so \
                 does any session with X11 (Xorg).",
            )),
        }
    }
}

/// What the compositor told of a layer surface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LayerState {
    /// Width and height in logical pixels; `None` until the compositor has chosen them.
    pub(super) size: Option<[i32; 2]>,
    /// The compositor shows it no longer.
    pub(super) is_closed: bool,
}

/// What the compositor offers, bound.
pub(super) struct BoundGlobals {
    pub(super) compositor: WlCompositor,
    pub(super) subcompositor: WlSubcompositor,
    pub(super) shm: WlShm,
    pub(super) viewporter: WpViewporter,
    pub(super) layer_shell: ZwlrLayerShellV1,
}

/// What the compositor has told so far.
#[derive(Default)]
pub(super) struct CompositorState {
    /// Name, interface and version of each global.
    pub(super) globals: Vec<(u32, String, u32)>,
    pub(super) outputs: Outputs,
    /// By the number that each got at its creation.
    pub(super) layers: BTreeMap<u32, LayerState>,
    /// Monitors or sizes are other ones than when an image was placed.
    pub(super) is_changed: bool,
    /// The number of the newest request that was answered.
    pub(super) synced: u32,
}

/// An open connection. Nothing waits longer than [`PATIENCE`].
pub(super) struct CompositorLink {
    connection: Connection,
    queue: EventQueue<CompositorState>,
    registry: WlRegistry,
    pub(super) state: CompositorState,
    sync_count: u32,
}

impl CompositorLink {
    /// Connects to the compositor that the environment names, and learns what it offers.
    pub(super) fn connect() -> Result<Self, PlatformError> {
        let path = wayland_socket().ok_or_else(|| unreachable_compositor("WAYLAND_DISPLAY is not set"))?;
        let socket = UnixStream::connect(path).map_err(|error| unreachable_compositor(&error.to_string()))?;
        let connection = Connection::from_socket(socket).map_err(|error| unreachable_compositor(&error.to_string()))?;
        let queue = connection.new_event_queue();
        let registry = connection.display().get_registry(&queue.handle(), ());
        let mut compositor = Self { connection, queue, registry, state: CompositorState::default(), sync_count: 0 };
        compositor.sync()?;
        Ok(compositor)
    }

    pub(super) fn layer_shell_support(&self) -> LayerShellSupport {
        LayerShellSupport::of(self.state.globals.iter().map(|(_, name, version)| (name.as_str(), *version)))
    }

    /// Binds what the overlay needs, and learns the monitors.
    pub(super) fn bind(&mut self) -> Result<BoundGlobals, CompositorFailure> {
        self.layer_shell_support().check().map_err(CompositorFailure::Final)?;
        let globals = BoundGlobals {
            compositor: self.global(4)?,
            subcompositor: self.global(1)?,
            shm: self.global(1)?,
            viewporter: self.global(1)?,
            layer_shell: self.global(4)?,
        };
        let manager = self.global(3)?;
        self.state.outputs.ask_places(manager, &self.queue.handle());
        self.sync()?;
        self.state.is_changed = false;
        Ok(globals)
    }

    fn global<I>(&self, highest: u32) -> Result<I, CompositorFailure>
    where
        I: Proxy + 'static,
        CompositorState: Dispatch<I, ()>,
    {
        let name = I::interface().name;
        let offered = self.state.globals.iter().find(|(_, offered, _)| offered == name);
        let (global, _, version) = offered.ok_or(CompositorFailure::Lost)?;
        Ok(self.registry.bind(*global, (*version).min(highest), &self.queue.handle(), ()))
    }

    pub(super) fn handle(&self) -> QueueHandle<CompositorState> {
        self.queue.handle()
    }

    /// The socket, to wait for what the compositor tells.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Takes what the compositor told already, and sends what waits. `false` if the socket is full, and something still waits.
    pub(super) fn dispatch(&mut self) -> Result<bool, CompositorFailure> {
        self.queue.dispatch_pending(&mut self.state)?;
        match self.queue.flush() {
            Err(WaylandError::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            result => Ok(result.map(|()| true).map_err(DispatchError::from)?),
        }
    }

    /// Waits until the compositor has carried out all.
    pub(super) fn sync(&mut self) -> Result<(), CompositorFailure> {
        self.sync_count += 1;
        let number = self.sync_count;
        self.connection.display().sync(&self.queue.handle(), number);
        self.settle(|state| state.synced >= number)
    }

    /// Waits until the compositor has told something.
    pub(super) fn settle(&mut self, is_told: impl Fn(&CompositorState) -> bool) -> Result<(), CompositorFailure> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let is_sent = self.dispatch()?;
            if is_told(&self.state) {
                return Ok(());
            }
            let Some(guard) = self.queue.prepare_read() else { continue };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(CompositorFailure::Silent);
            }
            let events = if is_sent { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
            let mut watched = [PollFd::from_borrowed_fd(guard.connection_fd(), events)];
            let is_ready = poll(&mut watched, Timespec::try_from(left).ok().as_ref()).is_ok_and(|count| count > 0);
            if is_ready {
                read(guard.read())?;
            }
        }
    }

    /// Reads what the compositor told, if anything waits in the socket.
    pub(super) fn read(&self) -> Result<(), CompositorFailure> {
        self.queue.prepare_read().map_or(Ok(()), |guard| read(guard.read()))
    }
}

fn read(result: Result<usize, WaylandError>) -> Result<(), CompositorFailure> {
    match result {
        Ok(_) => Ok(()),
        Err(WaylandError::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(()),
        Err(error) => Err(DispatchError::from(error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1
    #[test]
    fn a_compositor_without_layers_is_refused_with_what_to_do_ovl_1() {
        let offered: Vec<(&str, u32)> = needed().into();
        let support = |offered: &[(&'static str, u32)]| LayerShellSupport::of(offered.iter().copied());
        assert_eq!(support(&offered), LayerShellSupport::Complete);
        for missing in 0..6 {
            let mut without = offered.clone();
            let (name, _) = without.remove(missing);
            assert_eq!(support(&without), LayerShellSupport::Lacks(name));
        }
        // Without a monitor nothing is missing.
        assert_eq!(support(&offered[..6]), LayerShellSupport::Complete);
        let mut old = offered.clone();
        old[1].1 = 3;
        assert_eq!(support(&old), LayerShellSupport::Lacks("wl_compositor"));
        let Err(PlatformError::Unavailable(error)) = support(&offered[1..]).check() else {
            panic!("GNOME has no layer shell");
        };
        assert!(error.reason.contains("zwlr_layer_shell_v1") && error.remedy.contains("X11"), "{error:?}");
    }
}
