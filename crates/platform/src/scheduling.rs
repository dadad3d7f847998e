//! How soon the system runs a thread after it was woken: a reflex must not wait until a thread that works has used up its turn (KER-6).

#[cfg(target_os = "linux")]
#[path = "scheduling/linux.rs"]
mod system;
#[cfg(windows)]
#[path = "scheduling/windows.rs"]
mod system;

use crate::PlatformError;

/// Asks that the calling thread be run soon after it was woken, before threads that have worked for a while, also if all cores are busy. It gets no
/// more time than others. Needs no rights.
///
/// # Errors
/// The system can't: an older Linux than 6.12 takes the wish and ignores it, a sandbox may refuse the call.
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
        let asked = std::thread::spawn(|| (super::answer_quickly(), super::answer_quickly())).join();
        assert!(matches!(asked, Ok((Ok(()), Ok(())))), "{asked:?}");
    }
}
