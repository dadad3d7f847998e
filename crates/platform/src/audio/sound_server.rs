//! The way to the sound server, PulseAudio or PipeWire in its place.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// cpal gives up on a server that does not answer after two seconds.
const GAVE_UP: Duration = Duration::from_millis(1500);

/// Whether a server takes connections and does not answer.
static HANGS: AtomicBool = AtomicBool::new(false);

/// The server, if it answers.
///
/// Each time that cpal gives up on one, it leaves a thread behind that waits for it. A server that is stopped would have many of them in an hour, so
/// it is not asked again before it answers a thread of ours (KER-11).
pub(super) fn host() -> Option<cpal::Host> {
    if HANGS.load(Ordering::Acquire) {
        return None;
    }
    let begun = Instant::now();
    let host = cpal::host_from_id(cpal::HostId::PulseAudio).ok();
    if host.is_none() && begun.elapsed() >= GAVE_UP && !HANGS.swap(true, Ordering::AcqRel) {
        let wait = || {
            // Returns when the server goes on or ends.
            drop(pulseaudio::Client::from_env(c"luna"));
            HANGS.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("luna-sound-wait".into()).spawn(wait).is_err() {
            HANGS.store(false, Ordering::Release);
        }
    }
    host
}
