//! Raw events of XInput2. Every client that selects them receives them, in addition to the focused application.

use x11rb::connection::RequestConnection as _;
use x11rb::protocol::xinput::{self, ConnectionExt as _, EventMask, XIEventMask};

use super::{Failure, XDisplay};

/// Selects raw events of all keyboards and pointers. `false` if the server has no XInput extension of at least version
/// 2.1: only since that version do raw events also reach the root window while another program has grabbed the device.
pub(crate) fn select_raw_events(display: &XDisplay, events: XIEventMask) -> Result<bool, Failure> {
    const ALL_MASTERS: u16 = 1;
    let connection = &display.connection;
    if connection.extension_information(xinput::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    let version = connection.xinput_xi_query_version(2, 2)?.reply()?;
    if (version.major_version, version.minor_version) < (2, 1) {
        return Ok(false);
    }
    let mask = EventMask { deviceid: ALL_MASTERS, mask: vec![events] };
    connection.xinput_xi_select_events(display.root, &[mask])?.check()?;
    Ok(true)
}
