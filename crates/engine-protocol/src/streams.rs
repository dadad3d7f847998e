//! The two pipes of an engine without the buffers of the standard library, in which text of the screen would stay (BUF-2).

use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::fd::AsFd as Own;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Own;

/// Standard input and standard output.
///
/// # Errors
/// One of them is closed.
pub(crate) fn own() -> io::Result<(File, File)> {
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
