//! The computer's memory.

use super::{Memory, RamMemory};

/// The memory of this machine, or of the container that Luna runs in.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemMemory;

impl Memory for SystemMemory {
    fn memory(&self) -> Option<RamMemory> {
        read()
    }
}

#[cfg(target_os = "linux")]
fn read() -> Option<RamMemory> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let machine = parse(&text)?;
    Some(within(machine, limit("/sys/fs/cgroup")))
}

#[cfg(windows)]
fn read() -> Option<RamMemory> {
    use windows::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

    let mut status =
        MEMORYSTATUSEX { dwLength: u32::try_from(size_of::<MEMORYSTATUSEX>()).ok()?, ..MEMORYSTATUSEX::default() };
    // SAFETY: the structure is a local, initialised, and contains its own size as the call requires.
    unsafe { GlobalMemoryStatusEx(&raw mut status) }.ok()?;
    Some(RamMemory { total: status.ullTotalPhys, available: status.ullAvailPhys })
}

/// Parses `/proc/meminfo`: lines such as `MemTotal:  16316412 kB`.
#[cfg(target_os = "linux")]
fn parse(text: &str) -> Option<RamMemory> {
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kib.checked_mul(1024)
    };
    Some(RamMemory { total: bytes("MemTotal")?, available: bytes("MemAvailable")? })
}

/// The limit and the current usage of the container in bytes, if it has a limit.
#[cfg(target_os = "linux")]
fn limit(folder: &str) -> Option<(u64, u64)> {
    let number = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).ok()?.trim().parse::<u64>().ok();
    Some((number("memory.max")?, number("memory.current")?))
}

#[cfg(target_os = "linux")]
fn within(machine: RamMemory, limit: Option<(u64, u64)>) -> RamMemory {
    let Some((most, used)) = limit else { return machine };
    RamMemory { total: machine.total.min(most), available: machine.available.min(most.saturating_sub(used)) }
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;

    // GPU-5
    #[test]
    fn this_machine_tells_of_its_memory_gpu_5() {
        let ram = SystemMemory.memory().expect("the system tells how much memory there is");
        assert!(ram.total > 100 << 20 && ram.available <= ram.total && ram.available > 0, "{ram:?}");
    }

    #[test]
    fn the_words_of_linux_are_understood_and_nonsense_is_not() {
        let memory = |total, available| Some(RamMemory { total, available });
        for (text, expect) in [
            ("MemTotal:       16 kB\nMemFree: 1 kB\nMemAvailable:    8 kB\n", memory(16384, 8192)),
            ("MemAvailable: 8 kB\nMemTotal: 16 kB", memory(16384, 8192)),
            ("MemTotal: 16 kB\n", None),
            ("MemTotal: sixteen kB\nMemAvailable: 8 kB", None),
            ("MemTotal: 99999999999999999999 kB\nMemAvailable: 8 kB", None),
            ("MemTotal: 18446744073709551615 kB\nMemAvailable: 8 kB", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expect, "{text}");
        }
        let machine = RamMemory { total: 1000, available: 500 };
        assert_eq!(within(machine, None), machine);
        assert_eq!(within(machine, Some((600, 200))), RamMemory { total: 600, available: 400 });
        assert_eq!(within(machine, Some((600, 700))), RamMemory { total: 600, available: 0 });
        assert_eq!(limit("/no/such/folder"), None);
    }
}
