//! The monitors, as the compositor tells them: where they lie in its layout, and how dense their pixels are.

use luna_messages::Rect;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::{Dispatch, Proxy as _, QueueHandle};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1::ZxdgOutputV1;

use crate::overlay::OverlayMonitor;

/// The monitors that the compositor offers now.
#[derive(Default)]
pub(super) struct Outputs {
    known: Vec<LayoutOutput>,
    /// Tells places; `None` until it is bound.
    manager: Option<ZxdgOutputManagerV1>,
}

struct LayoutOutput {
    /// The global's name.
    name: u32,
    output: WlOutput,
    place: Option<ZxdgOutputV1>,
    /// What was told since the last time that it was complete.
    told: OverlayMonitor,
    monitor: OverlayMonitor,
}

impl Outputs {
    pub(super) fn add<D: Dispatch<ZxdgOutputV1, u32> + 'static>(
        &mut self,
        output: WlOutput,
        name: u32,
        queue: &QueueHandle<D>,
    ) {
        let nothing = OverlayMonitor { bounds: Rect::default(), density: 1 };
        let place = self.manager.as_ref().map(|manager| manager.get_xdg_output(&output, queue, name));
        self.known.push(LayoutOutput { name, output, place, told: nothing, monitor: nothing });
    }

    /// Asks for the places of all monitors, and of those that come later.
    pub(super) fn ask_places<D: Dispatch<ZxdgOutputV1, u32> + 'static>(
        &mut self,
        manager: ZxdgOutputManagerV1,
        queue: &QueueHandle<D>,
    ) {
        for one in &mut self.known {
            one.place = Some(manager.get_xdg_output(&one.output, queue, one.name));
        }
        self.manager = Some(manager);
    }

    /// Whether there was such a monitor.
    pub(super) fn remove(&mut self, name: u32) -> bool {
        let Some(index) = self.known.iter().position(|one| one.name == name) else { return false };
        let gone = self.known.swap_remove(index);
        if let Some(place) = gone.place {
            place.destroy();
        }
        if gone.output.version() >= wl_output::REQ_RELEASE_SINCE {
            gone.output.release();
        }
        true
    }

    /// The monitors with a place, and their outputs and the names of these.
    pub(super) fn placed(&self) -> impl Iterator<Item = (u32, &WlOutput, OverlayMonitor)> {
        let placed = self.known.iter().filter(|one| !one.monitor.bounds.is_empty());
        placed.map(|one| (one.name, &one.output, one.monitor))
    }

    pub(super) fn monitors(&self) -> Vec<OverlayMonitor> {
        self.placed().map(|(_, _, monitor)| monitor).collect()
    }

    pub(super) fn told(&mut self, name: u32) -> Option<&mut OverlayMonitor> {
        self.known.iter_mut().find(|one| one.name == name).map(|one| &mut one.told)
    }

    /// All of a monitor is told. Whether it differs from before.
    pub(super) fn complete(&mut self, name: u32) -> bool {
        let Some(one) = self.known.iter_mut().find(|one| one.name == name) else { return false };
        let is_changed = one.monitor != one.told;
        one.monitor = one.told;
        is_changed
    }
}
