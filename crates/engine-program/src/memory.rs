//! How much memory this process holds.

/// Memory of this process that lies in RAM, in bytes; 0 where the system does not tell it as Linux does.
#[must_use]
pub fn resident_bytes() -> u64 {
    // `VmRSS` says the same as `statm`, in kilobytes instead of pages, whose size the standard library doesn't know.
    std::fs::read_to_string("/proc/self/status").map_or(0, |status| parse(&status))
}

fn parse(status: &str) -> u64 {
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|kilobytes| kilobytes.parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_found_in_what_linux_says() {
        for (status, expect) in [("Name:\tx\nVmRSS:\t    12 kB\n", 12 * 1024), ("VmRSS:\n", 0), ("", 0)] {
            assert_eq!(parse(status), expect, "{status:?}");
        }
        #[cfg(target_os = "linux")]
        assert!(resident_bytes() > 100_000);
    }
}
