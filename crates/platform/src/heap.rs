//! What the heap of this process keeps of memory that was freed.

/// Free bytes at the end of a heap that stay there, ready for the next need; what is more goes back to the system. The value that glibc itself begins
/// with. Left alone, glibc raises it to twice the largest block that was ever freed: after one large picture each heap keeps megabytes for good.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 128 << 10;

/// Heaps that all threads share. glibc gives nearly each thread one of its own, and every one grows to the busiest moment that its thread ever met.
/// Two, so that a thread that waits for one finds the other free; most small blocks need neither.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAPS: libc::c_int = 2;

/// Makes the heap give freed memory back for as long as the process lives: one that runs for weeks must not stay as large as its busiest moment. To be
/// called before much was allocated. Other allocators than glibc's do so by themselves.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        for (setting, value) in [(libc::M_TRIM_THRESHOLD, KEPT), (libc::M_ARENA_MAX, HEAPS)] {
            // SAFETY: `mallopt` takes two numbers and keeps them; it may be called at any time.
            let set = unsafe { libc::mallopt(setting, value) };
            if set == 0 {
                tracing::debug!(setting, "The C library keeps freed memory as it likes.");
            }
        }
    }
}
