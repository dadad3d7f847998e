//! How many files this process may have open: connections, pipes to engines, sound and display count among them.

/// As many as anything of Luna's can need, and not so many that a program it starts, which may close all of them one by one, would take long.
#[cfg(target_os = "linux")]
const ENOUGH: u64 = 8192;

/// Raises the limit of this process towards what the system allows. If that fails, the old one stays.
pub fn raise_limit() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.map_or(ENOUGH, |most| most.min(ENOUGH));
        if current.is_some_and(|now| now < wanted)
            && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
        {
            tracing::debug!(%error, "The limit of open files stays as it is.");
        }
    }
}

/// The limit now; `None` if there is none, or the system has no such limit.
#[must_use]
pub fn limit() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(target_os = "linux"))]
    return None;
}
