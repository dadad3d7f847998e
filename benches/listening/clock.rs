//! The one clock of this bench: all its processes and threads read the system's time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub type Seconds = f64;

pub fn now() -> Seconds {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}
