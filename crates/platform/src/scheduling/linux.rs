//! Linux: a short time slice. Among threads of equal weight, the thread whose slice ends first runs first, so a thread
//! with a short slice runs at once and yields again after the slice.

use std::io;

use crate::PlatformError;

/// The shortest slice that the kernel accepts, in nanoseconds.
const SLICE: u64 = 100_000;
/// Threads and programs started by this thread get ordinary slices again.
const RESET_ON_FORK: u64 = 1;

/// `struct sched_attr` of the kernel, first version.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy)]
struct SchedulingAttributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime: u64,
    deadline: u64,
    period: u64,
}

const SIZE: u32 = size_of::<SchedulingAttributes>() as u32;

pub fn raise_thread_priority() -> Result<(), PlatformError> {
    let mut attributes = SchedulingAttributes { size: SIZE, ..Default::default() };
    // SAFETY: the kernel writes at most `SIZE` bytes into `attributes`, which is on this stack; 0 is the calling
    // thread.
    let got = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, SIZE, 0) };
    if got != 0 {
        return Err(refused());
    }
    attributes.size = SIZE;
    attributes.flags |= RESET_ON_FORK;
    attributes.runtime = SLICE;
    // SAFETY: the kernel reads `size` bytes of `attributes`, which is on this stack; 0 is the calling thread.
    let set = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    if set == 0 { Ok(()) } else { Err(refused()) }
}

fn refused() -> PlatformError {
    PlatformError::unavailable(
        format!("The system does not let threads ask for short slices: {}", io::Error::last_os_error()),
        "Commands still work, some milliseconds later if all cores are busy.",
    )
}
