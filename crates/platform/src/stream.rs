//! Writing that does not wait long for the reader (on Linux).

#[cfg(not(target_os = "linux"))]
use std::io;

/// Writes what a stream accepts without a long wait and drops the rest, for lines that are better lost than waited for.
/// With a reader that stopped reading, a terminal paused by Ctrl-S, a full disk or a closed pipe the bytes are lost,
/// but the delay is at most [`READY_TIMEOUT`].
#[cfg(target_os = "linux")]
pub fn write_best_effort(stream: &impl std::os::fd::AsFd, bytes: &[u8]) {
    linux::write_best_effort(stream.as_fd(), bytes);
}

/// Writes to standard error; bytes that it does not accept are dropped. May block.
#[cfg(not(target_os = "linux"))]
pub fn write_best_effort(_: &io::Stderr, bytes: &[u8]) {
    drop(io::Write::write_all(&mut io::stderr().lock(), bytes));
}

/// How long to wait for a stream that was ready before, so that a slow reader does not lose a burst of lines.
pub const READY_TIMEOUT: std::time::Duration = std::time::Duration::from_millis(20);

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::BorrowedFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::{Errno, write};

    /// A ready pipe accepts this many bytes without blocking (`PIPE_BUF`).
    const PIPE_BUF: usize = 4096;

    pub fn write_best_effort(stream: BorrowedFd<'_>, bytes: &[u8]) {
        // Luna writes only to standard error this way, so one flag suffices.
        static STUCK: AtomicBool = AtomicBool::new(false);
        let mut rest = bytes;
        while !rest.is_empty() {
            let ready = is_ready(stream, STUCK.load(Ordering::Relaxed));
            STUCK.store(!ready, Ordering::Relaxed);
            if !ready {
                return;
            }
            let piece = rest.get(..PIPE_BUF).unwrap_or(rest);
            match write(stream, piece) {
                Ok(0) => return,
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    fn is_ready(stream: BorrowedFd<'_>, stuck: bool) -> bool {
        let patience = if stuck { 0 } else { super::READY_TIMEOUT.subsec_nanos() };
        let timeout = Timespec { tv_sec: 0, tv_nsec: patience.into() };
        let mut streams = [PollFd::from_borrowed_fd(stream, PollFlags::OUT)];
        // An error state counts as ready: the write reports it.
        poll(&mut streams, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{self, Read as _};
    use std::time::{Duration, Instant};

    use super::*;

    // KER-11
    #[test]
    fn what_a_stream_does_not_take_is_dropped_without_waiting_ker_11() {
        let (mut reader, writer) = io::pipe().unwrap();
        write_best_effort(&writer, b"first\n");
        let begin = Instant::now();
        // Nothing reads: 64 KiB fit, the other lines are lost.
        for _ in 0..4000 {
            write_best_effort(&writer, &[b'x'; 100]);
        }
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        drop(writer);
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        assert!(text.starts_with(b"first\nxxx") && (10_000..400_000).contains(&text.len()), "{}", text.len());

        // The reader is gone: the line is dropped.
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        write_best_effort(&writer, b"lost\n");
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        write_best_effort(&full, b"lost\n");
    }
}
