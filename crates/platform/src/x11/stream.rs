//! The connection to the X server, with a limit on each wait: a stopped or hanging server blocks no caller for longer
//! (KER-11).

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use x11rb::errors::{ConnectError, DisplayParsingError};
use x11rb::reexports::x11rb_protocol::{parse_display, xauth};
use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

/// A connection to the X server on which each wait is limited.
pub(crate) type XConnection = RustConnection<LimitedStream>;

/// How long to wait for one answer of the server. A busy server takes some milliseconds.
const WAIT_TIMEOUT: Duration = Duration::from_secs(1);

/// A socket on which no wait is longer than [`WAIT_TIMEOUT`].
#[derive(Debug)]
pub(crate) struct LimitedStream(DefaultStream);

impl AsFd for LimitedStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Stream for LimitedStream {
    fn poll(&self, mode: PollMode) -> Result<()> {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, mode.readable());
        flags.set(PollFlags::OUT, mode.writable());
        let until = Instant::now() + WAIT_TIMEOUT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
            match poll(&mut [PollFd::from_borrowed_fd(self.as_fd(), flags)], Some(&left)) {
                Ok(0) => return Err(ErrorKind::TimedOut.into()),
                // Reading or writing reveals what is wrong with the socket, if anything.
                Ok(_) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read(&self, buffer: &mut [u8], files: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.0.read(buffer, files)
    }

    fn write(&self, buffer: &[u8], files: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.0.write(buffer, files)
    }

    fn write_vectored(&self, buffers: &[IoSlice<'_>], files: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.0.write_vectored(buffers, files)
    }
}

/// Connects to the display named by `DISPLAY`; also returns the number of its default screen.
pub(crate) fn connect() -> std::result::Result<(XConnection, usize), ConnectError> {
    let wanted = parse_display::parse_display(None)?;
    let mut failed = None;
    for address in wanted.connect_instruction() {
        match DefaultStream::connect(&address) {
            Ok((stream, (family, peer))) => {
                let key = xauth::get_auth(family, &peer, wanted.display).ok().flatten();
                let (name, data) = key.unwrap_or_default();
                let screen = usize::from(wanted.screen);
                let stream = LimitedStream(stream);
                let connection = XConnection::connect_to_stream_with_auth_info(stream, screen, name, data)?;
                return Ok((connection, screen));
            }
            Err(error) => failed = Some(error),
        }
    }
    Err(failed.map_or(ConnectError::DisplayParsingError(DisplayParsingError::Unknown), ConnectError::IoError))
}
