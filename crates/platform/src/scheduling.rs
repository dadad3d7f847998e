//! How soon the system runs a woken thread: a reflex must not wait until a busy thread has used up its time slice
//! (KER-6).

#[cfg(target_os = "linux")]
#[path = "scheduling/linux.rs"]
mod system;
#[cfg(windows)]
#[path = "scheduling/windows.rs"]
mod system;

use crate::PlatformError;

/// Requests that the calling thread run soon after it is woken, before threads that have run for a while, even if all
/// cores are busy. On Linux the thread gets no more time than others. Needs no privileges.
///
/// # Errors
/// If the system has no such setting, or refuses the call, as a sandbox may. Linux before 6.12 accepts the request but
/// ignores it.
pub fn raise_thread_priority() -> Result<(), PlatformError> {
    #[cfg(any(target_os = "linux", windows))]
    return system::raise_thread_priority();
    #[cfg(not(any(target_os = "linux", windows)))]
    Err(PlatformError::unavailable("This system has no such setting that Luna knows.", "Nothing needs to be done."))
}

#[cfg(test)]
mod tests {
    // KER-6
    #[test]
    #[cfg(any(target_os = "linux", windows))]
    fn a_thread_may_ask_to_be_run_soon_ker_6() {
        let results = std::thread::spawn(|| (super::raise_thread_priority(), super::raise_thread_priority())).join();
        assert!(matches!(results, Ok((Ok(()), Ok(())))), "{results:?}");
    }
}
