//! Which windows a picture of the screen shows (SES-5): by the X server's stacking order, shapes and opacity.

use luna_messages::Rect;
use luna_messages::pick::ShownWindow;
use x11rb::connection::RequestConnection as _;
use x11rb::protocol::shape::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, MapState, Window, WindowClass};

use super::{Failure, XDisplay, overlay_places, unless_gone};

/// The windows of `region`, topmost first: children of the root that are not fully covered there.
pub(crate) fn shown(display: &XDisplay, region: Rect) -> Result<Vec<ShownWindow>, Failure> {
    let connection = &display.connection;
    let stack = connection.query_tree(display.root)?.reply()?.children;
    // Send all requests before reading a reply: one round trip for all windows.
    let mut requests = Vec::with_capacity(stack.len());
    for &window in stack.iter().rev() {
        requests.push((window, connection.get_window_attributes(window)?, connection.get_geometry(window)?));
    }
    let mut meeting = Vec::new();
    for (window, attributes, geometry) in requests {
        let attributes = unless_gone(attributes.reply().map_err(Failure::from))?;
        let geometry = unless_gone(geometry.reply().map_err(Failure::from))?;
        let (Some(attributes), Some(geometry)) = (attributes, geometry) else { continue };
        let border = 2 * i32::from(geometry.border_width);
        let (width, height) = (i32::from(geometry.width) + border, i32::from(geometry.height) + border);
        let bounds = Rect::new(geometry.x.into(), geometry.y.into(), width, height);
        let is_seen = attributes.map_state == MapState::VIEWABLE && attributes.class == WindowClass::INPUT_OUTPUT;
        if is_seen && !bounds.intersection(region).is_empty() {
            meeting.push((window, bounds, geometry.depth));
        }
    }
    let mut left = vec![region];
    let mut shown = Vec::new();
    // Without a compositing manager every window is opaque.
    let is_composited = composited(display)?;
    for (window, bounds, depth) in meeting {
        if left.iter().all(|part| part.intersection(bounds).is_empty()) {
            continue;
        }
        let is_translucent = depth == 32 && is_composited;
        let Some(shapes) = unless_gone(Shapes::of(display, window))? else { continue };
        // A translucent window that takes no input only marks the windows below it.
        if is_translucent && !shapes.takes_input {
            continue;
        }
        // Without a compositing manager Luna's own marks are shaped windows.
        if !shapes.takes_input && overlay_places::is_overlay(display, window)? {
            continue;
        }
        shown.push(ShownWindow { handle: window.into(), bounds });
        let opaque = match (shapes.is_shaped, is_translucent) {
            (true, _) => Vec::new(),
            (false, false) => vec![bounds],
            (false, true) => opaque_parts(display, window, bounds)?,
        };
        for part in opaque {
            left = left.into_iter().flat_map(|piece| without(piece, part)).collect();
        }
        if left.is_empty() {
            break;
        }
    }
    Ok(shown)
}

/// The child of the root that is `window` or contains it; `None` if the window is gone or not viewable.
pub(crate) fn frame_of(display: &XDisplay, window: Window) -> Result<Option<ShownWindow>, Failure> {
    /// Window managers nest a window in two or three frames.
    const MAX_DEPTH: usize = 8;
    let connection = &display.connection;
    let attributes = unless_gone(connection.get_window_attributes(window)?.reply().map_err(Failure::from))?;
    if attributes.is_none_or(|attributes| attributes.map_state != MapState::VIEWABLE) {
        return Ok(None);
    }
    let mut frame = window;
    for _ in 0..MAX_DEPTH {
        let tree = unless_gone(connection.query_tree(frame)?.reply().map_err(Failure::from))?;
        match tree.map(|tree| tree.parent) {
            None | Some(x11rb::NONE) => return Ok(None),
            Some(parent) if parent == display.root => {
                let geometry = unless_gone(connection.get_geometry(frame)?.reply().map_err(Failure::from))?;
                return Ok(geometry.map(|geometry| {
                    let border = 2 * i32::from(geometry.border_width);
                    let (width, height) = (i32::from(geometry.width) + border, i32::from(geometry.height) + border);
                    let bounds = Rect::new(geometry.x.into(), geometry.y.into(), width, height);
                    ShownWindow { handle: frame.into(), bounds }
                }));
            }
            Some(parent) => frame = parent,
        }
    }
    Ok(None)
}

/// The parts of `piece` outside of `part`.
pub(crate) fn without(piece: Rect, part: Rect) -> Vec<Rect> {
    let hole = piece.intersection(part);
    if hole.is_empty() {
        return vec![piece];
    }
    let around = [
        Rect::new(piece.x, piece.y, piece.width, hole.y - piece.y),
        Rect::new(piece.x, hole.bottom(), piece.width, piece.bottom() - hole.bottom()),
        Rect::new(piece.x, hole.y, hole.x - piece.x, hole.height),
        Rect::new(hole.right(), hole.y, piece.right() - hole.right(), hole.height),
    ];
    around.into_iter().filter(|one| !one.is_empty()).collect()
}

struct Shapes {
    /// The window is not rectangular.
    is_shaped: bool,
    /// Clicks can reach the window.
    takes_input: bool,
}

impl Shapes {
    fn of(display: &XDisplay, window: Window) -> Result<Self, Failure> {
        let connection = &display.connection;
        if connection.extension_information(shape::X11_EXTENSION_NAME)?.is_none() {
            return Ok(Self { is_shaped: false, takes_input: true });
        }
        let extents = connection.shape_query_extents(window)?;
        let input = connection.shape_get_rectangles(window, shape::SK::INPUT)?;
        let (extents, input) = (extents.reply()?, input.reply()?);
        let takes_input = input.rectangles.iter().any(|part| part.width > 0 && part.height > 0);
        Ok(Self { is_shaped: extents.bounding_shaped, takes_input })
    }
}

/// Whether a compositing manager runs.
pub(crate) fn composited(display: &XDisplay) -> Result<bool, Failure> {
    let connection = &display.connection;
    let name = format!("_NET_WM_CM_S{}", display.number());
    let selection = connection.intern_atom(false, name.as_bytes())?.reply()?.atom;
    Ok(connection.get_selection_owner(selection)?.reply()?.owner != x11rb::NONE)
}

/// The opaque parts of a translucent window, as declared by it and by the window inside its frame.
fn opaque_parts(display: &XDisplay, window: Window, bounds: Rect) -> Result<Vec<Rect>, Failure> {
    let connection = &display.connection;
    let region = connection.intern_atom(false, b"_NET_WM_OPAQUE_REGION")?.reply()?.atom;
    let inside = unless_gone(connection.query_tree(window)?.reply().map_err(Failure::from))?;
    let mut parts = Vec::new();
    for (index, one) in std::iter::once(window).chain(inside.into_iter().flat_map(|tree| tree.children)).enumerate() {
        let requests = connection.get_property(false, one, region, AtomEnum::CARDINAL, 0, 256)?;
        let place = connection.get_geometry(one)?;
        let requests = unless_gone(requests.reply().map_err(Failure::from))?;
        let place = unless_gone(place.reply().map_err(Failure::from))?;
        let (Some(requests), Some(place)) = (requests, place) else { continue };
        let numbers: Vec<i32> =
            requests.value32().into_iter().flatten().map(|number| i32::try_from(number).unwrap_or(0)).collect();
        let (dx, dy) = if index == 0 { (0, 0) } else { (i32::from(place.x), i32::from(place.y)) };
        parts.extend(numbers.chunks_exact(4).map(|part| {
            Rect::new(bounds.x + dx + part[0], bounds.y + dy + part[1], part[2], part[3]).intersection(bounds)
        }));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-5
    #[test]
    fn what_a_window_leaves_uncovered_is_the_rest_ses_5() {
        let piece = Rect::new(0, 0, 10, 10);
        let area = |parts: &[Rect]| parts.iter().map(|part| part.width * part.height).sum::<i32>();
        for (part, expect) in [
            (Rect::new(2, 2, 4, 4), 84),
            (Rect::new(-5, -5, 10, 10), 75),
            (Rect::new(0, 0, 10, 10), 0),
            (Rect::new(20, 0, 5, 5), 100),
            (Rect::new(-1, 4, 20, 2), 80),
        ] {
            let rest = without(piece, part);
            assert_eq!(area(&rest), expect, "{part:?}");
            assert!(rest.iter().all(|one| one.intersection(part).is_empty() && one.intersection(piece) == *one));
        }
    }
}
