//! Whether another process may speak on the accessibility bus in place of the one that owns a window (SES-4).
//!
//! In a sandbox with process numbers of its own, a helper outside of it does so, and nothing but the title and the size of a window tells which is
//! whose. Of any other process the bus tells the number; if it is not there, the process has no tree.

/// Whether a window of `process`, as the X server tells it, is looked for by its title. 0: the server does not tell.
pub(super) fn has_proxy(process: u32) -> bool {
    let status = |process: &str| std::fs::read_to_string(format!("/proc/{process}/status")).ok();
    process == 0 || is_elsewhere(status(&process.to_string()).as_deref(), status("self").as_deref())
}

/// Whether the process with this `status` has other process numbers than this one, whose status is `own`; `None`: it is not among those that can be
/// seen here. Pure.
fn is_elsewhere(status: Option<&str>, own: Option<&str>) -> bool {
    status.is_none_or(|status| depth(status) > own.map_or(1, depth))
}

/// How many numbers a process has, one in each namespace from that of `/proc` to its own. Readable for everybody, unlike the namespace itself. Pure.
fn depth(status: &str) -> usize {
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    numbers.map_or(1, |numbers| numbers.split_whitespace().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-4
    #[test]
    fn only_processes_with_other_numbers_may_have_a_proxy_ses_4() {
        let own = Some("Name:\tluna\nPid:\t812\nNSpid:\t812\nThreads:\t9\n");
        let nested_own = Some("Name:\tluna\nNSpid:\t812\t5\n");
        for (status, own, expect) in [
            (Some("Name:\txterm\nPid:\t900\nNSpid:\t900\n"), own, false),
            (Some("Name:\teditor\nPid:\t901\nNSpid:\t901\t2\n"), own, true),
            (Some("Name:\teditor\nNSpid:\t901\t2\n"), nested_own, false),
            (Some("Name:\teditor\nNSpid:\t901\t5\t2\n"), nested_own, true),
            // A kernel without namespaces.
            (Some("Name:\txterm\n"), own, false),
            (Some("Name:\txterm\nNSpid:\t900\n"), None, false),
            // Luna itself is in a sandbox.
            (None, own, true),
        ] {
            assert_eq!(is_elsewhere(status, own), expect, "{status:?}");
        }
        assert!(has_proxy(0));
        assert!(!has_proxy(std::process::id()));
    }
}
