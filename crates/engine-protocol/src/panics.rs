//! What a panic of an engine tells: where, and never what (PRV-2). Its text may quote what was being read.

use std::cell::Cell;

use crate::PANICKED;

use crate::output::complain;

thread_local! {
    /// Where this thread panicked last.
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// From now on a panic writes its place to standard error, and nothing else.
pub(crate) fn tell_places_only() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        complain(&format!("{PANICKED}{place}"));
        PLACE.set(Some(place));
    }));
}

/// Where this thread panicked last; told once.
pub(crate) fn take_place() -> Option<String> {
    PLACE.take()
}
