//! Memory: the estimate for a model, the available amount, and its release (ENG-3, ENG-4).

use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};

use crate::container::Sizes;

/// Rejects a model that does not fit: a native library that runs out of memory ends the program.
///
/// # Errors
/// The available memory is too small.
pub fn check(name: &str, file: u64, sizes: &Sizes, gpu: bool) -> Result<(), EngineError> {
    let needed = needed(file, sizes);
    match available() {
        // With a card the weights take no RAM; whether they fit on the card shows when they are loaded.
        Some(available) if !gpu && needed > available => Err(out_of_memory(name, needed, Some(available))),
        _ => Ok(()),
    }
}

/// The error of a model that does not fit.
pub fn out_of_memory(name: &str, needed: u64, available: Option<u64>) -> EngineError {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let there = available.map_or_else(String::new, |bytes| format!("; {} MB are free", megabytes(bytes)));
    failure(
        EngineErrorKind::OutOfMemory,
        format!("The model {name} needs about {} MB of memory{there}.", megabytes(needed)),
        "Close other programs, or choose a smaller model in the configuration.",
    )
}

/// Estimated bytes for a model and its work: weights, attention caches, and the activations of an encoder and a decoder pass.
pub fn needed(file: u64, sizes: &Sizes) -> u64 {
    let number = u64::from;
    let width = number(sizes.text_state);
    let caches = 4 * width * number(sizes.text_layers) * (padded(sizes.text_ctx) + padded(sizes.audio_ctx))
        + 4 * width * padded(sizes.audio_ctx);
    // An encoder pass holds about 14 activations of its full length.
    let encoder = 4 * 14 * number(sizes.audio_ctx) * width;
    // At most half of the text positions are decoded at a time, and each has a probability per token, twice.
    let decoder = 4 * number(sizes.text_ctx / 2) * (2 * number(sizes.vocabulary) + 12 * width);
    // The program itself. The whole estimate is 146 and 257 MB for models of 64 and 384 columns; 142 and 253 MB were measured.
    let rest = 40 << 20;
    file + caches + encoder + decoder + rest
}

fn padded(positions: u32) -> u64 {
    u64::from(positions).next_multiple_of(256)
}

/// Bytes still available to this process; `None` if the system doesn't report it.
pub fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let (machine, status) = (read("/proc/meminfo"), read("/proc/self/status"));
    [
        kilobytes(&machine, "MemAvailable:"),
        below_limit(&read("/proc/self/limits"), &status),
        in_group(
            &read("/sys/fs/cgroup/memory.max"),
            &read("/sys/fs/cgroup/memory.current"),
            &read("/sys/fs/cgroup/memory.stat"),
        ),
    ]
    .into_iter()
    .flatten()
    .min()
}

/// The value in bytes of a line such as `VmSize:  12 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Bytes left below the process's address-space limit.
fn below_limit(limits: &str, status: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(status, "VmSize:")?))
}

/// Bytes left below a control group's limit, for example a container's. Cached files count as used there but are reclaimable.
fn in_group(most: &str, current: &str, stat: &str) -> Option<u64> {
    let (most, current): (u64, u64) = (most.trim().parse().ok()?, current.trim().parse().ok()?);
    let cached: u64 = stat.lines().find_map(|line| line.strip_prefix("inactive_file "))?.trim().parse().ok()?;
    Some(most.saturating_sub(current.saturating_sub(cached)))
}

/// Returns freed memory to the system, not only to the allocator.
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: glibc allows it at any time from any thread.
        unsafe {
            malloc_trim(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-4
    #[test]
    fn free_memory_is_the_least_of_what_the_system_says_eng_4() {
        assert_eq!(kilobytes("MemTotal: 9 kB\nMemAvailable:   12 kB\n", "MemAvailable:"), Some(12 * 1024));
        assert_eq!(kilobytes("", "MemAvailable:"), None);
        let limits =
            |most: &str| format!("Limit   Soft   Hard   Units\nMax address space         {most}   unlimited   bytes\n");
        assert_eq!(below_limit(&limits("unlimited"), "VmSize:\t 1 kB\n"), None);
        assert_eq!(below_limit(&limits("5000"), "VmSize:\t 1 kB\n"), Some(5000 - 1024));
        assert_eq!(below_limit(&limits("500"), "VmSize:\t 1 kB\n"), Some(0));
        assert_eq!(in_group("max\n", "5\n", "inactive_file 1\n"), None);
        assert_eq!(in_group("1000\n", "500\n", "anon 3\ninactive_file 100\n"), Some(600));
        assert_eq!(in_group("", "", ""), None);
        #[cfg(target_os = "linux")]
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }

    // ENG-4
    #[test]
    fn what_a_model_needs_grows_with_it_eng_4() {
        let tiny = Sizes {
            vocabulary: 51_865,
            audio_ctx: 1500,
            audio_state: 384,
            text_ctx: 448,
            text_state: 384,
            audio_layers: 4,
            text_layers: 4,
            ..Sizes::default()
        };
        let large = Sizes { audio_state: 1280, text_state: 1280, audio_layers: 32, text_layers: 32, ..tiny };
        let megabytes = |file: u64, sizes: &Sizes| needed(file << 20, sizes) >> 20;
        assert!((240..290).contains(&megabytes(73, &tiny)), "{}", megabytes(75, &tiny));
        assert!((3400..4000).contains(&megabytes(3000, &large)), "{}", megabytes(3000, &large));
    }
}
