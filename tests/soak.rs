//! `make soak` can fail: its statistics detect a leak, and it exits with 1 if something grows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

fn scripts() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

#[test]
fn the_statistics_tell_leaks_from_noise() {
    let output = Command::new("python3")
        .args(["-B", "-m", "unittest", "soak_statistics_test"])
        .current_dir(scripts())
        .output()
        .expect("python3 is needed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Judges an hour of synthetic samples, one per 15 s, each with `actions` actions, while memory grows by `megabytes` in all; returns the
/// exit code and the output.
fn judge(actions: u32, megabytes: f64) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let line = |n: u32| {
        // Steps instead of noise: a process's memory changes by whole pages.
        let grown = megabytes * f64::from(n) / 240.0 + f64::from(n * 7 % 5) * 0.05;
        serde_json::json!([15.0 * f64::from(n), n * actions, {
            "memory MB": 30.0 + grown, "resident MB": 60.0, "open files": 29, "threads": 12, "child processes": 2,
        }])
    };
    let lines: Vec<String> = (1..=240).map(|n| line(n).to_string()).collect();
    let samples = folder.path().join("samples.jsonl");
    std::fs::write(&samples, lines.join("\n") + "\n").unwrap();
    let output = Command::new("python3")
        .args(["-B", "soak.py"])
        .current_dir(scripts())
        .env("SOAK_JUDGE", &samples)
        .env("SOAK_REPORT", folder.path())
        .output()
        .expect("python3 is needed");
    assert!(folder.path().join("soak.svg").exists() && folder.path().join("soak.md").exists());
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn an_hour_that_leaks_ends_with_1_and_one_that_does_not_with_0() {
    // Thirty actions in fifteen seconds are twenty times those of an ordinary hour.
    let check = |actions, megabytes, code, part: &str| {
        let (found, said) = judge(actions, megabytes);
        assert_eq!(found, Some(code), "{actions} actions, {megabytes} MB: {said}");
        assert!(said.contains(part), "{said}");
    };
    check(30, 0.0, 0, "All is flat");
    check(30, 1.0, 0, "All is flat");
    check(30, 3.0, 1, "GROWS");
    check(30, 60.0, 1, "GROWS");
    check(29, 0.0, 1, "the load was too small");
}
