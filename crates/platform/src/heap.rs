//! How much freed memory the heap of this process keeps.

/// Free bytes that may remain at the end of a heap for reuse; anything above goes back to the system. This is glibc's
/// initial value. Left alone, glibc raises it to twice the largest block ever freed: after one large picture each heap
/// keeps megabytes for good.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const TRIM_THRESHOLD: libc::c_int = 128 << 10;

/// Number of heaps shared by all threads. By default glibc gives nearly each thread its own heap, which grows to the
/// thread's peak. With two, a thread that finds one heap locked can use the other; most small blocks need neither.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENA_MAX: libc::c_int = 2;

/// Makes the heap return freed memory to the system for the life of the process, so that a long-running process does
/// not stay as large as at its peak. Call it before much is allocated. Does nothing with allocators other than glibc's.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        for (setting, value) in [(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD), (libc::M_ARENA_MAX, ARENA_MAX)] {
            // SAFETY: `mallopt` takes two numbers and keeps them; it may be called at any time.
            let set = unsafe { libc::mallopt(setting, value) };
            if set == 0 {
                tracing::debug!(setting, "The C library keeps freed memory as it likes.");
            }
        }
    }
}
