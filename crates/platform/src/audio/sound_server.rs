//! The connection to the sound server: PulseAudio, or PipeWire in its place.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A little less than the two seconds after which cpal gives up on a server that does not answer.
const SERVER_TIMEOUT: Duration = Duration::from_millis(1500);

/// Whether a server accepts connections but does not answer.
static HANGS: AtomicBool = AtomicBool::new(false);

/// The host of the sound server, if the server answers.
///
/// Each time cpal gives up, it leaves a thread behind that waits for the server. With a stopped server many threads
/// would accumulate in an hour, so Luna tries it again only after the server has answered a thread of Luna's own
/// (KER-11).
pub(crate) fn host() -> Option<cpal::Host> {
    if HANGS.load(Ordering::Acquire) {
        return None;
    }
    let start = Instant::now();
    let host = cpal::host_from_id(cpal::HostId::PulseAudio).ok();
    if host.is_none() && start.elapsed() >= SERVER_TIMEOUT && !HANGS.swap(true, Ordering::AcqRel) {
        let wait = || {
            // Returns when the server resumes or ends.
            drop(pulseaudio::Client::from_env(c"luna"));
            HANGS.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("luna-sound-wait".into()).spawn(wait).is_err() {
            HANGS.store(false, Ordering::Release);
        }
    }
    host
}
