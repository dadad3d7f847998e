//! What the compositor tells, put into the state of the connection.

use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::protocol::wl_region::WlRegion;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_shm::WlShm;
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::protocol::wl_subcompositor::WlSubcompositor;
use wayland_client::protocol::wl_subsurface::WlSubsurface;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, Proxy as _, QueueHandle, delegate_noop};
use wayland_protocols::wp::viewporter::client::{wp_viewport::WpViewport, wp_viewporter::WpViewporter};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1::{self, ZxdgOutputV1};
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::ZwlrLayerShellV1;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_surface_v1::{self, ZwlrLayerSurfaceV1};

use super::compositor::CompositorState;

impl Dispatch<WlRegistry, ()> for CompositorState {
    fn event(
        state: &mut Self,
        registry: &WlRegistry,
        event: wl_registry::Event,
        (): &(),
        _: &Connection,
        queue: &QueueHandle<Self>,
    ) {
        match event {
            wl_registry::Event::Global { name, interface, version } => {
                if interface == WlOutput::interface().name {
                    state.outputs.add(registry.bind(name, version.min(4), queue, name), name, queue);
                }
                state.globals.push((name, interface, version));
            }
            wl_registry::Event::GlobalRemove { name } => {
                state.globals.retain(|(global, _, _)| *global != name);
                state.is_changed |= state.outputs.remove(name);
            }
            _ => {}
        }
    }
}

impl Dispatch<WlCallback, u32> for CompositorState {
    fn event(
        state: &mut Self,
        _: &WlCallback,
        _: wl_callback::Event,
        number: &u32,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        state.synced = state.synced.max(*number);
    }
}

impl Dispatch<ZwlrLayerSurfaceV1, u32> for CompositorState {
    fn event(
        state: &mut Self,
        layer: &ZwlrLayerSurfaceV1,
        event: zwlr_layer_surface_v1::Event,
        number: &u32,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let Some(known) = state.layers.get_mut(number) else { return };
        match event {
            zwlr_layer_surface_v1::Event::Configure { serial, width, height } => {
                layer.ack_configure(serial);
                let size = [width, height].map(|length| i32::try_from(length).unwrap_or(i32::MAX));
                state.is_changed |= known.size.is_some_and(|known| known != size);
                known.size = Some(size);
            }
            zwlr_layer_surface_v1::Event::Closed => {
                known.is_closed = true;
                state.is_changed = true;
            }
            _ => {}
        }
    }
}

delegate_noop!(CompositorState: WlCompositor);
delegate_noop!(CompositorState: WlSubcompositor);
delegate_noop!(CompositorState: WlSubsurface);
delegate_noop!(CompositorState: WlRegion);
delegate_noop!(CompositorState: WlShmPool);
delegate_noop!(CompositorState: WpViewporter);
delegate_noop!(CompositorState: WpViewport);
delegate_noop!(CompositorState: ZwlrLayerShellV1);
delegate_noop!(CompositorState: ZxdgOutputManagerV1);
delegate_noop!(CompositorState: ignore WlShm);
delegate_noop!(CompositorState: ignore WlBuffer);
delegate_noop!(CompositorState: ignore WlSurface);

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
