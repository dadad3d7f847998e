//! Estimates whether a model fits before it is loaded (ENG-4): llama.cpp would be killed instead of returning an error.

use crate::header::GgufHeader;

/// Bytes that llama.cpp uses besides weights, keys and values: batch buffers and the library itself.
const OVERHEAD: u64 = 48 << 20;
/// Maximum tokens per batch.
const BATCH: u64 = 256;

/// RAM in bytes for a model of `file` bytes with `context` tokens and `gpu_layers` layers on the card.
pub fn needed(header: &GgufHeader, file: u64, context: u64, gpu_layers: u64) -> u64 {
    let cache = header.cache_bytes_per_token.saturating_mul(context);
    let logits = header.vocabulary.saturating_mul(BATCH * 4);
    let here = header.layers.saturating_sub(gpu_layers);
    let part = |bytes: u64| match header.layers {
        0 => bytes,
        layers => u64::try_from(u128::from(bytes) * u128::from(here) / u128::from(layers)).unwrap_or(u64::MAX),
    };
    part(file).saturating_add(part(cache)).saturating_add(logits).saturating_add(OVERHEAD)
}

/// Available RAM in bytes; `None` if the system doesn't report it.
pub fn available() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| parse_available(&text))?;
    let number = |file: &str| {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok().and_then(|text| text.trim().parse::<u64>().ok())
    };
    // A container may have a lower limit than the machine.
    let container = number("memory.max").zip(number("memory.current")).map(|(most, used)| most.saturating_sub(used));
    Some(container.map_or(machine, |container| container.min(machine)))
}

fn parse_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes.saturating_mul(1024))
}

/// Returns freed memory to the system; the allocator would keep it (ENG-3).
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: `malloc_trim` takes a number, touches only the allocator's own free lists under its own locks, and may be called at any time.
        unsafe { malloc_trim(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-4
    #[test]
    fn weights_cache_and_buffers_are_counted_eng_4() {
        let header = GgufHeader { layers: 10, cache_bytes_per_token: 1000, vocabulary: 100, ..GgufHeader::default() };
        let base = OVERHEAD + 100 * 256 * 4;
        for (file, context, gpu, expect) in [
            (0, 0, 0, base),
            (5000, 2, 0, base + 7000),
            (5000, 2, 5, base + 3500),
            (5000, 2, 99, base),
            (u64::MAX, u64::MAX, 0, u64::MAX),
        ] {
            assert_eq!(needed(&header, file, context, gpu), expect, "{file} {context} {gpu}");
        }
    }

    #[test]
    fn free_memory_is_found_in_what_linux_says() {
        assert_eq!(parse_available("MemTotal: 9 kB\nMemAvailable:    7 kB\n"), Some(7168));
        assert_eq!(parse_available("MemTotal: 9 kB\n"), None);
        #[cfg(target_os = "linux")]
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
