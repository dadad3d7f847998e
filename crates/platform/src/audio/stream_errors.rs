//! Which errors of a sound device end its stream, for playing and for listening.

use cpal::ErrorKind;

/// Whether the device is unusable after such an error.
pub(crate) const fn ends_the_stream(kind: ErrorKind) -> bool {
    !matches!(kind, ErrorKind::Xrun | ErrorKind::RealtimeDenied | ErrorKind::DeviceChanged)
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-9
    #[test]
    fn only_some_errors_end_the_stream_ker_9() {
        for (kind, expect) in [
            (ErrorKind::Xrun, false),
            (ErrorKind::RealtimeDenied, false),
            (ErrorKind::DeviceChanged, false),
            (ErrorKind::DeviceNotAvailable, true),
            (ErrorKind::StreamInvalidated, true),
            (ErrorKind::HostUnavailable, true),
            (ErrorKind::PermissionDenied, true),
        ] {
            assert_eq!(ends_the_stream(kind), expect, "{kind:?}");
        }
    }
}
