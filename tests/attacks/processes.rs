//! Several Lunas started together, programs that pretend to be Luna, and memory that could end up in a core file (BUF-3, KER-10, PRV-4).

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::desktop::{self, LunaProcess, take_turns, wait};

fn spawn(home: &Path) -> Child {
    let mut command = desktop::luna(home);
    command.args(["run", "--json"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn control(home: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(home.join("run/control.json")).ok()?).ok()
}

// KER-10, PRV-4
#[test]
fn of_five_that_start_at_once_one_lives_and_keeps_its_control_file_ker_10_prv_4() {
    let _turn = take_turns();
    let home = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let mut all: Vec<Child> = (0..5).map(|_| spawn(home.path())).collect();
        let mut ended = Vec::new();
        let mut four_ended = || {
            for child in &mut all {
                if let Some(status) = child.try_wait().unwrap()
                    && !ended.iter().any(|(id, _)| *id == child.id())
                {
                    ended.push((child.id(), status.code()));
                }
            }
            (ended.len() >= 4).then_some(())
        };
        wait("four to be refused", Duration::from_secs(30), &mut four_ended, String::new);
        assert!(ended.iter().all(|(_, code)| *code == Some(1)), "{ended:?}");
        let lives = all.iter_mut().find(|child| !ended.iter().any(|(id, _)| *id == child.id())).unwrap();
        let own = || control(home.path()).filter(|control| control["process"] == lives.id());
        wait("its control file", Duration::from_secs(20), own, String::new);
        let status = desktop::luna(home.path()).args(["ctl", "status", "--json"]).output().unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        assert_eq!(status["process"], lives.id());
        desktop::kill(lives.id(), "TERM");
        assert!(lives.wait().unwrap().success());
        assert!(control(home.path()).is_none(), "the control file stayed");
        for child in &mut all {
            let mut error = String::new();
            child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
            if ended.iter().any(|(id, _)| *id == child.id()) {
                assert!(error.contains("runs already"), "{error}");
            }
        }
    }
}

/// A program on its own port that answers every request with `answer`; also returns what it received.
fn foreign_server(answer: &'static str) -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let received = Arc::new(Mutex::new(String::new()));
    let hears = received.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
            let mut some = [0; 4096];
            let read = stream.read(&mut some).unwrap_or(0);
            hears.lock().unwrap().push_str(&String::from_utf8_lossy(&some[..read]));
            drop(stream.write_all(answer.as_bytes()));
        }
    });
    (address, received)
}

// PRV-4, KER-10
#[test]
fn nobody_who_has_the_port_by_now_is_taken_for_luna_prv_4_ker_10() {
    let _turn = take_turns();
    const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("run")).unwrap();
    let file = home.path().join("run/control.json");
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 27\r\nConnection: close\r\n\r\n{\"process\":1,\"proof\":\"0000\"}",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n{",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "",
    ] {
        let (address, received) = foreign_server(answer);
        let stale = json!({"address": address, "token": TOKEN, "process": 1});
        std::fs::write(&file, stale.to_string()).unwrap();
        for arguments in
            [&["ctl", "focus", "stop"][..], &["ctl", "status"], &["ctl", "status", "--json"], &["ctl", "events"]]
        {
            let output = desktop::luna(home.path()).args(arguments).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {answer:?}");
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(error.contains("does not answer") && error.contains("luna run"), "{error}");
            assert!(output.stdout.is_empty());
        }
        let received = received.lock().unwrap();
        assert!(!received.contains(TOKEN) && !received.contains("Authorization"), "it was told the token: {received}");
    }
    // The foreign program does not prevent a start either: a new Luna writes its own file.
    let (address, _) = foreign_server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    std::fs::write(&file, json!({"address": address, "token": TOKEN, "process": 1}).to_string()).unwrap();
    let luna = LunaProcess::start_at(home, |_| {});
    luna.order("stop");
    assert_ne!(luna.token, TOKEN);
}

// PRV-4
#[test]
fn a_control_file_of_another_luna_is_left_alone_prv_4() {
    let _turn = take_turns();
    let mut luna = LunaProcess::start();
    let file = luna.home.path().join("run/control.json");
    let other = json!({"address": "127.0.0.1:1", "token": "00", "process": 1}).to_string();
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, &other).unwrap();
    luna.signal("TERM");
    assert!(luna.child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
}

// KER-10
#[test]
fn the_lock_goes_with_the_process_and_not_with_its_engines_ker_10() {
    let _turn = take_turns();
    let mut luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    // Hanging engines must not prevent the next Luna from starting.
    let engines = luna.engines("luna-engine");
    engines.iter().for_each(|engine| desktop::kill(*engine, "STOP"));
    luna.signal("KILL");
    luna.child.wait().unwrap();
    let home = std::mem::replace(&mut luna.home, tempfile::tempdir().unwrap());
    let next = LunaProcess::start_at(home, |_| {});
    next.order("stop");
    for engine in engines {
        desktop::kill_if_there(engine, "KILL");
    }
}

/// What the system keeps of a crashed process: nothing, neither a core file nor data for a crash collector (BUF-3).
mod remains {
    use std::os::unix::process::ExitStatusExt as _;
    use std::path::Path;
    use std::process::{Command, ExitStatus, Stdio};
    use std::time::Duration;

    use crate::desktop::{children_of, kill_if_there, luna, take_turns, wait};

    /// Starts a program with an unlimited core size, crashes it once it is `ready`, and returns its exit status.
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
        // The first SIGSEGV only ends Rust's handler for it.
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
            // The voice runs, so the text was read.
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
        // Shows that the check can fail: if this system writes core files, another program leaves one.
        let folder = tempfile::tempdir().unwrap();
        let mut sleep = Command::new("sleep");
        sleep.arg("60");
        let ended = crash(folder.path(), "ABRT", &sleep, |process| is(process, "sleep") || is(process, "coreutils"));
        let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
        assert!(ended.core_dumped() || !pattern.trim().starts_with("core"), "{pattern}: {ended}");
    }
}
