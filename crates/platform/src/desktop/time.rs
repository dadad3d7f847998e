//! The clock as people read it.

use chrono::{Datelike as _, Local, Timelike as _};
use luna_messages::desktop_order::LocalTime;

pub(super) fn local() -> LocalTime {
    let now = Local::now();
    let small = |number: u32| u8::try_from(number).unwrap_or(0);
    LocalTime {
        year: now.year(),
        month: small(now.month()),
        day: small(now.day()),
        weekday: small(now.weekday().num_days_from_sunday()),
        hour: small(now.hour()),
        minute: small(now.minute()),
    }
}
