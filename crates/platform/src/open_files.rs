//! The limit of open files of this process: connections, pipes to engines, sound and display count towards it.

/// Enough for everything Luna opens, and low enough that a child process that closes all descriptors one by one does
/// not take long.
#[cfg(target_os = "linux")]
const MAX_OPEN_FILES: u64 = 8192;

/// Raises the limit of this process to at most 8192, but not above the hard limit. If that fails, the old limit
/// remains.
pub fn raise_limit() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.map_or(MAX_OPEN_FILES, |most| most.min(MAX_OPEN_FILES));
        if current.is_some_and(|now| now < wanted)
            && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
        {
            tracing::debug!(%error, "The limit of open files stays as it is.");
        }
    }
}

/// The current limit; `None` if there is none, or if the system has no such limit.
#[must_use]
pub fn limit() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(target_os = "linux"))]
    return None;
}
