//! The two pipes of an engine without the buffers of the standard library, in which text of the screen would stay (BUF-2).

use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::fd::AsFd as Own;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Own;

/// Standard input and standard output, without buffers.
///
/// # Errors
/// A stream is closed, or its handle can't be duplicated.
pub(crate) fn unbuffered_stdio() -> io::Result<(File, File)> {
    Ok((unbuffered(&io::stdin())?, unbuffered(&io::stdout())?))
}

#[cfg(unix)]
fn unbuffered(stream: &impl Own) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn unbuffered(stream: &impl Own) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}
