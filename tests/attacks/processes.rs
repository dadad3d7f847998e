//! Several Lunas at once, stale control files, memory that would end up in a core file (BUF-3).

/// What the system would leave of a process that crashes: nothing, neither beside it nor for a program of the system that collects such (BUF-3).
mod remains {
    use std::os::unix::process::ExitStatusExt as _;
    use std::path::Path;
    use std::process::{Command, ExitStatus, Stdio};
    use std::time::Duration;

    use crate::desk::{children_of, kill_if_there, luna, take_turns, wait};

    /// Starts a program that may leave core files as large as it likes, has it crash once it is `ready`, and tells how it ended.
    fn crash(folder: &Path, signal: &str, command: &Command, ready: impl Fn(u32) -> bool) -> ExitStatus {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -c unlimited; exec \"$0\" \"$@\""])
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            shell.env(name, value.unwrap_or_default());
        }
        let mut child = shell.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let process = child.id();
        wait("the program to run", Duration::from_secs(30), || ready(process).then_some(()), String::new);
        // The first SIGSEGV only ends the handler that Rust has for it.
        let end = || {
            kill_if_there(process, signal);
            child.try_wait().unwrap()
        };
        let ended = wait("the program to end", Duration::from_secs(30), end, String::new);
        assert!(ended.signal().is_some(), "{ended}");
        ended
    }

    fn is(process: u32, program: &str) -> bool {
        std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|exe| exe.ends_with(program))
    }

    fn may_leave_core(process: u32) -> bool {
        let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default();
        let line = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap_or_default();
        !line.split_whitespace().rev().skip(1).take(2).eq(["0", "0"])
    }

    // BUF-3
    #[test]
    fn no_command_leaves_a_core_file_when_it_crashes_buf_3() {
        let _turn = take_turns();
        for signal in ["ABRT", "SEGV"] {
            let folder = tempfile::tempdir().unwrap();
            let mut command = luna(folder.path());
            command
                .args(["say", "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열. 하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열."]);
            // The voice is there, so the text has come in.
            let speaks = |process: u32| {
                let engines = children_of(process);
                let engine = engines.iter().find(|(_, command)| command.contains("luna-engine-speech"));
                engine.is_some_and(|(engine, _)| {
                    assert!(!may_leave_core(process), "{signal}: luna say");
                    !may_leave_core(*engine)
                })
            };
            let ended = crash(folder.path(), signal, &command, speaks);
            assert!(!ended.core_dumped(), "{signal}: {ended}");
            let left: Vec<_> =
                std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
            assert!(!left.iter().any(|name| name.to_string_lossy().contains("core")), "{signal}: {left:?}");
        }
        // The same can be seen to fail: where this system writes core files at all, another program leaves one.
        let folder = tempfile::tempdir().unwrap();
        let mut sleep = Command::new("sleep");
        sleep.arg("60");
        let ended = crash(folder.path(), "ABRT", &sleep, |process| is(process, "sleep") || is(process, "coreutils"));
        let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
        assert!(ended.core_dumped() || !pattern.trim().starts_with("core"), "{pattern}: {ended}");
    }
}
