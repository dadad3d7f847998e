//! Luna herself is told to end, told twice, killed, and started again.

use std::time::Duration;

use crate::desk::{self, Luna, Mouse, Sample, take_turns, wait};

fn ended(luna: &mut Luna, limit: Duration) -> std::process::ExitStatus {
    wait("her end", limit, || luna.child.try_wait().unwrap(), String::new)
}

fn gone(engines: &[u32]) {
    let there = |pid: &u32| std::path::Path::new(&format!("/proc/{pid}")).exists();
    wait("her engines to end", Duration::from_secs(3), || (!engines.iter().any(there)).then_some(()), String::new);
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
    let sample = Sample::start("gtk3_sample.py", "Term");
    Mouse::new().move_to(sample.point("label_en"));
    for signal in ["TERM", "INT", "HUP"] {
        let mut luna = Luna::start();
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

// KER-10
#[test]
fn a_second_signal_ends_her_at_once_ker_10() {
    let _turn = take_turns();
    let mut luna = Luna::start();
    luna.wait_for_capability("text_recognition", "available");
    let engines = luna.engines("luna-engine");
    // An engine that does not end when it is asked makes the orderly end long enough.
    for engine in &engines {
        desk::kill(*engine, "STOP");
    }
    luna.signal("TERM");
    std::thread::sleep(Duration::from_millis(20));
    luna.signal("TERM");
    let status = ended(&mut luna, Duration::from_secs(5));
    assert!(matches!(status.code(), Some(130 | 0)), "{status}");
    for engine in &engines {
        desk::kill_if_there(*engine, "CONT");
    }
    gone(&engines);
}

// KER-7, KER-10
#[test]
fn killed_and_started_again_she_reads_as_before_ker_7_ker_10() {
    let _turn = take_turns();
    let sample = Sample::start("gtk3_sample.py", "Kill");
    Mouse::new().move_to(sample.point("label_en"));
    let mut home = None;
    for _ in 0..3 {
        let mut luna = match home.take() {
            None => Luna::start(),
            Some(home) => Luna::start_at(home, |_| {}),
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
