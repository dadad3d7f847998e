//! What Luna buffers is never written to disk (BUF-3), also not when something goes wrong: no core files, no screen text in panic messages.

/// Forbids this process and all programs that it starts to leave core files, which would hold what was on the screen.
/// To be called first in `main`.
///
/// # Errors
/// Where the operating system refuses. On Windows there is nothing to forbid: dumps are not written by default.
pub fn forbid_core_files() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    }
    Ok(())
}

/// Replaces the message that Rust prints at a panic: the place goes to the log as an error, the text only at debug level, because it may quote
/// what was being read, and standard error may be a file.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "A part of Luna panicked; it is going to be restarted.");
        tracing::debug!(place, text = info.payload_as_str().unwrap_or_default(), "What the panic said.");
    }));
}
