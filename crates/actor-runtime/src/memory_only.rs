//! What Luna buffers is never written to disk (BUF-3), also not after a failure: no core files, no screen text in panic messages.

/// Disables core dumps of this process, which would contain what was on the screen. On Linux, also prevents other processes of the same user from
/// reading its memory. Child processes inherit only the size limit of core dumps. Call it first in `main`.
///
/// # Errors
/// The operating system refuses the change. On Windows this does nothing: no dumps are written by default.
pub fn forbid_core_files() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    }
    // A system that pipes core files to a program, such as systemd-coredump, ignores a limit of 0, but not this.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Replaces Rust's panic message: the place is logged as an error, the text only at debug level, because it may quote what was being read, and
/// standard error may be a file.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "A part of Luna panicked; it is going to be restarted.");
        tracing::debug!(place, text = info.payload_as_str().unwrap_or_default(), "What the panic said.");
    }));
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::{DumpableBehavior, Resource, dumpable_behavior, getrlimit};

    // BUF-3
    #[test]
    fn neither_a_file_nor_a_program_gets_the_memory_of_a_crash_buf_3() {
        super::forbid_core_files().unwrap();
        let limit = getrlimit(Resource::Core);
        assert_eq!((limit.current, limit.maximum), (Some(0), Some(0)));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
