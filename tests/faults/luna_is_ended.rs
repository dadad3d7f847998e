//! Luna gets one or two signals to end, is killed, and is started again.

use std::time::{Duration, Instant};

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, take_turns, wait};

fn ended(luna: &mut LunaProcess, limit: Duration) -> std::process::ExitStatus {
    wait("its end", limit, || luna.child.try_wait().unwrap(), String::new)
}

fn gone(engines: &[u32]) {
    let there = |pid: &u32| std::path::Path::new(&format!("/proc/{pid}")).exists();
    wait("its engines to end", Duration::from_secs(3), || (!engines.iter().any(there)).then_some(()), String::new);
}

fn silent() {
    let quiet = || {
        let inputs = std::process::Command::new("pactl").args(["list", "short", "sink-inputs"]).output().unwrap();
        inputs.stdout.is_empty().then_some(())
    };
    wait("silence", Duration::from_secs(2), quiet, String::new);
}

// KER-10
#[test]
fn in_the_middle_of_a_sentence_she_ends_in_order_ker_10() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Term");
    Mouse::new().move_to(sample.point("label_en"));
    for signal in ["TERM", "INT", "HUP"] {
        let mut luna = LunaProcess::start();
        luna.wait_for_capability("text_recognition", "available");
        luna.order("on");
        luna.hears("quick brown fox");
        let engines = luna.engines("luna-engine");
        luna.signal(signal);
        assert_eq!(ended(&mut luna, Duration::from_secs(5)).code(), Some(0), "{signal}");
        silent();
        gone(&engines);
        assert!(!luna.home.path().join("run/control.json").exists());
    }
}

/// A folder of engine programs that delay an orderly end: beside each engine runs another process that keeps the engine's output open, so that
/// Luna waits half a second for the rest of the output before it treats the ended engine as gone, even if it killed the engine.
fn engines_that_linger() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    for name in ["luna-engine-ocr", "luna-engine-speech-espeak"] {
        let real = luna_engine_host::engine_path(name);
        assert!(real.is_file(), "{} is not there: build it with `cargo build -p {name}`", real.display());
        let script = format!("#!/bin/sh\nsleep 60 2>/dev/null &\nexec '{}'\n", real.display());
        let path = folder.path().join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// Ends the lingering processes, even if the test fails.
struct Lingering(Vec<u32>);

impl Drop for Lingering {
    fn drop(&mut self) {
        for process in &self.0 {
            desktop::kill_if_there(*process, "KILL");
        }
    }
}

// KER-10
#[test]
fn a_second_signal_ends_her_at_once_ker_10() {
    let _turn = take_turns();
    let folder = engines_that_linger();
    let start = || {
        let luna = LunaProcess::start_with(|command| {
            command.env("LUNA_ENGINE_DIR", folder.path());
        });
        luna.wait_for_capability_within(Duration::from_secs(90), "text_recognition", "available");
        let engines = luna.engines("luna-engine");
        assert!(!engines.is_empty());
        let lingering = engines.iter().flat_map(|engine| desktop::children_of(*engine)).map(|(pid, _)| pid);
        let lingering = Lingering(lingering.collect());
        assert!(!lingering.0.is_empty(), "nothing holds the end up");
        // An engine that ignores the request to end uses up the full grace period.
        engines.iter().for_each(|engine| desktop::kill(*engine, "STOP"));
        (luna, engines, lingering)
    };
    // One signal: an orderly end, which takes its time and leaves no engine.
    let (mut luna, engines, _lingering) = start();
    let begin = Instant::now();
    luna.signal("TERM");
    assert_eq!(ended(&mut luna, Duration::from_secs(8)).code(), Some(0));
    let orderly = begin.elapsed();
    assert!(orderly > Duration::from_millis(500), "the end took {orderly:?} only: a second signal would come too late");
    gone(&engines);
    // Two signals: an immediate end that leaves the engines alone. Sent repeatedly, because two pending signals of one kind merge into one.
    for (first, second) in [("TERM", "TERM"), ("INT", "TERM"), ("HUP", "INT")] {
        let (mut luna, engines, _lingering) = start();
        luna.signal(first);
        let process = luna.child.id();
        let end = || {
            desktop::kill_if_there(process, second);
            luna.child.try_wait().unwrap()
        };
        let status = wait("its end", Duration::from_secs(8), end, String::new);
        assert_eq!(status.code(), Some(130), "{first} and {second}: {status}");
        let there = engines.iter().filter(|engine| std::path::Path::new(&format!("/proc/{engine}")).exists()).count();
        assert_eq!(there, engines.len(), "{first} and {second}: it still ended engines, in order");
        // The engines end by themselves when their input ends.
        engines.iter().for_each(|engine| desktop::kill(*engine, "CONT"));
        gone(&engines);
    }
}

// KER-7, KER-10
#[test]
fn killed_and_started_again_she_reads_as_before_ker_7_ker_10() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Kill");
    Mouse::new().move_to(sample.point("label_en"));
    let mut home = None;
    for _ in 0..3 {
        let mut luna = match home.take() {
            None => LunaProcess::start(),
            Some(home) => LunaProcess::start_at(home, |_| {}),
        };
        luna.order("on");
        luna.hears("quick brown fox");
        let engines = luna.engines("luna-engine");
        luna.signal("KILL");
        ended(&mut luna, Duration::from_secs(2));
        silent();
        gone(&engines);
        home = Some(std::mem::replace(&mut luna.home, tempfile::tempdir().unwrap()));
    }
}
