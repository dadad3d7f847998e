//! Which window the pointer would meet at a point: the server's own hit test, with shapes and windows that only take input.

use luna_messages::input::{ClickPoint, InputRefusal, OtherWindow};
use luna_messages::{Point, Rect};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, MapState, Window};

use super::link::{InputLink, window_of};
use crate::x11::{Failure, unless_gone};

/// How deep windows are nested at most.
const MAX_DEPTH: usize = 24;

impl InputLink {
    /// Why a click would not reach the window; `None` if it would.
    pub(super) fn obstacle(&self, at: &ClickPoint) -> Result<Option<InputRefusal>, Failure> {
        let window = window_of(at.window);
        let Some(bounds) = self.bounds(window)? else { return Ok(Some(InputRefusal::Gone)) };
        if bounds != at.bounds {
            return Ok(Some(InputRefusal::Moved));
        }
        let path = self.path_at(at.point)?;
        if path.contains(&window) {
            return Ok(None);
        }
        let by = if path.is_empty() { None } else { Some(self.described(&path)?) };
        Ok(Some(InputRefusal::Covered { by }))
    }

    /// The windows at a point, from a child of the root to the innermost one.
    pub(super) fn path_at(&self, point: Point) -> Result<Vec<Window>, Failure> {
        let [x, y] = [point.x, point.y].map(|one| i16::try_from(one).unwrap_or(i16::MIN));
        let (mut path, mut inner) = (Vec::new(), self.display.root);
        while path.len() < MAX_DEPTH {
            let found = self.display.connection.translate_coordinates(self.display.root, inner, x, y)?;
            match unless_gone(found.reply().map_err(Failure::from))?.map(|found| found.child) {
                None | Some(x11rb::NONE) => break,
                Some(child) => path.push(child),
            }
            inner = path.last().copied().unwrap_or(inner);
        }
        Ok(path)
    }

    /// The client area of a window on the desktop, without a shadow that it draws itself; `None` if it is not shown.
    fn bounds(&self, window: Window) -> Result<Option<Rect>, Failure> {
        let connection = &self.display.connection;
        let margins = connection.intern_atom(false, b"_GTK_FRAME_EXTENTS")?.reply()?.atom;
        let attributes = connection.get_window_attributes(window)?;
        let geometry = connection.get_geometry(window)?;
        let origin = connection.translate_coordinates(window, self.display.root, 0, 0)?;
        let margins = connection.get_property(false, window, margins, AtomEnum::CARDINAL, 0, 4)?;
        let attributes = unless_gone(attributes.reply().map_err(Failure::from))?;
        let geometry = unless_gone(geometry.reply().map_err(Failure::from))?;
        let origin = unless_gone(origin.reply().map_err(Failure::from))?;
        let margins = unless_gone(margins.reply().map_err(Failure::from))?;
        let (Some(attributes), Some(geometry), Some(origin), Some(margins)) = (attributes, geometry, origin, margins)
        else {
            return Ok(None);
        };
        let margins = margins.value32().into_iter().flatten().map(|one| i32::try_from(one).unwrap_or(0));
        let [left, right, up, down] = <[i32; 4]>::try_from(margins.collect::<Vec<_>>()).unwrap_or_default();
        let (x, y) = (i32::from(origin.dst_x) + left, i32::from(origin.dst_y) + up);
        let (width, height) = (i32::from(geometry.width) - left - right, i32::from(geometry.height) - up - down);
        Ok((attributes.map_state == MapState::VIEWABLE).then(|| Rect::new(x, y, width, height)))
    }

    /// The application's window among nested windows, outermost first: the one that the window manager keeps a state of.
    pub(super) fn described(&self, path: &[Window]) -> Result<OtherWindow, Failure> {
        let connection = &self.display.connection;
        let state = connection.intern_atom(false, b"WM_STATE")?.reply()?.atom;
        let mut window = path.first().copied().unwrap_or(x11rb::NONE);
        for &one in path {
            let answer = connection.get_property(false, one, state, AtomEnum::ANY, 0, 0)?.reply();
            if unless_gone(answer.map_err(Failure::from))?.is_some_and(|answer| answer.type_ != x11rb::NONE) {
                window = one;
                break;
            }
        }
        let name = connection.intern_atom(false, b"_NET_WM_NAME")?.reply()?.atom;
        let mut title = String::new();
        for property in [name, AtomEnum::WM_NAME.into()] {
            let answer = connection.get_property(false, window, property, AtomEnum::ANY, 0, 256)?.reply();
            if let Some(answer) = unless_gone(answer.map_err(Failure::from))?.filter(|_| title.is_empty()) {
                title = String::from_utf8_lossy(&answer.value).into_owned();
            }
        }
        Ok(OtherWindow { window: window.into(), title })
    }
}
