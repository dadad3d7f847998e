//! Freed memory returns to the system. A separate program with a single test, because the setting and the measurement
//! concern the whole process.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use luna_platform::heap;

/// Bytes of private memory of the process.
fn own_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Bytes that the process keeps after a peak: a large block that is freed at once, and many small ones.
fn held_after_a_busy_moment() -> u64 {
    // Within the largest size to which glibc adapts its threshold.
    drop(std::hint::black_box(vec![1_u8; 24 << 20]));
    drop((0..200).map(|_| std::hint::black_box(vec![1_u8; 100 << 10])).collect::<Vec<_>>());
    own_memory()
}

#[test]
fn what_was_freed_goes_back_to_the_system() {
    let before = own_memory();
    let kept = held_after_a_busy_moment().saturating_sub(before);
    assert!(
        kept > 10 << 20,
        "glibc gives freed memory back by itself ({kept} bytes kept): the setting is needed no longer"
    );
    heap::return_freed_memory();
    let kept = held_after_a_busy_moment().saturating_sub(before);
    assert!(kept < 2 << 20, "{kept} bytes are kept");
}
