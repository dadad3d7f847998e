//! Where Luna's own overlay may be seen in a picture of the screen, so that captures can leave it out (OVL-4). The overlay of another process of Luna counts, too.

use luna_messages::Rect;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, Window, WindowClass};
use x11rb::wrapper::ConnectionExt as _;

use super::{Failure, XDisplay, unless_gone};

/// The property that marks the overlay's windows.
const MARK: &[u8] = b"_LUNA_OVERLAY";
/// The property of the selection's owner that lists the places.
const PLACES: &[u8] = b"_LUNA_OVERLAY_PLACES";
/// Maximum places that are read.
const MAX_PLACES: u32 = 256;

/// The places of the overlay of whichever process shows one; empty if none does.
pub(crate) fn overlay_places(display: &XDisplay) -> Result<Vec<Rect>, Failure> {
    let connection = &display.connection;
    let (selection, places) = (atom(display, selection(display).as_bytes())?, atom(display, PLACES)?);
    let owner = connection.get_selection_owner(selection)?.reply()?.owner;
    if owner == x11rb::NONE {
        return Ok(Vec::new());
    }
    let property = connection.get_property(false, owner, places, AtomEnum::CARDINAL, 0, 4 * MAX_PLACES)?.reply();
    let property = unless_gone(property.map_err(Failure::from))?;
    let numbers: Vec<i32> =
        property.iter().flat_map(|property| property.value32()).flatten().map(u32::cast_signed).collect();
    Ok(numbers.chunks_exact(4).map(|one| Rect::new(one[0], one[1], one[2], one[3])).collect())
}

/// Whether a window is one of an overlay of Luna.
pub(crate) fn is_overlay(display: &XDisplay, window: Window) -> Result<bool, Failure> {
    let mark = atom(display, MARK)?;
    let answer = display.connection.get_property(false, window, mark, AtomEnum::CARDINAL, 0, 1)?.reply();
    Ok(unless_gone(answer.map_err(Failure::from))?.is_some_and(|answer| answer.type_ != x11rb::NONE))
}

/// Tells captures where the overlay is.
pub(crate) struct PlaceRegister {
    /// An unmapped window that owns the selection. The server drops both if this process ends.
    owner: Window,
    places: Atom,
    pub(crate) mark: Atom,
}

impl PlaceRegister {
    pub(crate) fn open(display: &XDisplay) -> Result<Self, Failure> {
        let connection = &display.connection;
        let owner = connection.generate_id()?;
        let look = CreateWindowAux::new();
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, owner, display.root, -1, -1, 1, 1, 0, class, x11rb::COPY_FROM_PARENT, &look)?;
        let selection = atom(display, selection(display).as_bytes())?;
        connection.set_selection_owner(owner, selection, x11rb::CURRENT_TIME)?;
        Ok(Self { owner, places: atom(display, PLACES)?, mark: atom(display, MARK)? })
    }

    /// From the next request on, captures leave these places out.
    pub(crate) fn set(&self, display: &XDisplay, places: &[Rect]) -> Result<(), Failure> {
        let numbers: Vec<u32> =
            places.iter().flat_map(|one| [one.x, one.y, one.width, one.height]).map(i32::cast_unsigned).collect();
        let kind = AtomEnum::CARDINAL;
        display.connection.change_property32(PropMode::REPLACE, self.owner, self.places, kind, &numbers)?;
        Ok(())
    }
}

fn selection(display: &XDisplay) -> String {
    format!("_LUNA_OVERLAY_S{}", display.number())
}

fn atom(display: &XDisplay, name: &[u8]) -> Result<Atom, Failure> {
    Ok(display.connection.intern_atom(false, name)?.reply()?.atom)
}
