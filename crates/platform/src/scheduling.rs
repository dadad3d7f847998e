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
/// cores are busy. It gets no more time than others. Needs no privileges.
///
/// # Errors
/// If the system can't: a sandbox may refuse the call. Linux before 6.12 accepts the request but ignores it.
pub fn answer_quickly() -> Result<(), PlatformError> {
    #[cfg(any(target_os = "linux", windows))]
    return system::answer_quickly();
    #[cfg(not(any(target_os = "linux", windows)))]
    Err(PlatformError::unavailable("This system has no such setting that Luna knows.", "Nothing needs to be done."))
}

#[cfg(test)]
mod tests {
    // KER-6
    #[test]
    #[cfg(any(target_os = "linux", windows))]
    fn a_thread_may_ask_to_be_run_soon_ker_6() {
        let results = std::thread::spawn(|| (super::answer_quickly(), super::answer_quickly())).join();
        assert!(matches!(results, Ok((Ok(()), Ok(())))), "{results:?}");
    }
}
