//! The monitors, as the compositor tells them: where they lie in its layout, and how dense their pixels are.

use luna_messages::Rect;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::{Connection, Dispatch, Proxy as _, QueueHandle};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1::{self, ZxdgOutputV1};

use super::compositor::CompositorState;
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
    pub(super) fn add(&mut self, output: WlOutput, name: u32, queue: &QueueHandle<CompositorState>) {
        let nothing = OverlayMonitor { bounds: Rect::default(), density: 1 };
        let place = self.manager.as_ref().map(|manager| manager.get_xdg_output(&output, queue, name));
        self.known.push(LayoutOutput { name, output, place, told: nothing, monitor: nothing });
    }

    /// Asks for the places of all monitors, and of those that come later.
    pub(super) fn ask_places(&mut self, manager: ZxdgOutputManagerV1, queue: &QueueHandle<CompositorState>) {
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

    fn told(&mut self, name: u32) -> Option<&mut OverlayMonitor> {
        self.known.iter_mut().find(|one| one.name == name).map(|one| &mut one.told)
    }

    /// All of a monitor is told. Whether it differs from before.
    fn complete(&mut self, name: u32) -> bool {
        let Some(one) = self.known.iter_mut().find(|one| one.name == name) else { return false };
        let is_changed = one.monitor != one.told;
        one.monitor = one.told;
        is_changed
    }
}

impl Dispatch<WlOutput, u32> for CompositorState {
    fn event(
        state: &mut Self,
        _: &WlOutput,
        event: wl_output::Event,
        name: &u32,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wl_output::Event::Scale { factor } => {
                if let Some(told) = state.outputs.told(*name) {
                    told.density = u16::try_from(factor).unwrap_or(1).max(1);
                }
            }
            wl_output::Event::Done => state.is_changed |= state.outputs.complete(*name),
            _ => {}
        }
    }
}

impl Dispatch<ZxdgOutputV1, u32> for CompositorState {
    fn event(
        state: &mut Self,
        _: &ZxdgOutputV1,
        event: zxdg_output_v1::Event,
        name: &u32,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let Some(told) = state.outputs.told(*name) else { return };
        match event {
            zxdg_output_v1::Event::LogicalPosition { x, y } => (told.bounds.x, told.bounds.y) = (x, y),
            zxdg_output_v1::Event::LogicalSize { width, height } => {
                (told.bounds.width, told.bounds.height) = (width, height);
            }
            // Only before version 3; since then that of the output itself tells it.
            zxdg_output_v1::Event::Done => state.is_changed |= state.outputs.complete(*name),
            _ => {}
        }
    }
}
