//! Reports where an engine panicked, and never its message, which may quote what was being read (PRV-2).

use std::cell::Cell;

use crate::PANICKED;

use crate::output::write_stderr;

thread_local! {
    /// Where this thread panicked last.
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// Installs a panic hook that writes only the place to standard error.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        write_stderr(&format!("{PANICKED}{place}"));
        PLACE.set(Some(place));
    }));
}

/// Where this thread panicked last; returned once.
pub(crate) fn take_place() -> Option<String> {
    PLACE.take()
}
