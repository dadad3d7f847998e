//! The demonstration of `make run` on a machine without a display: sample window, pointer, speech and recording.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::process::Command;

#[test]
fn the_demonstration_reads_its_parts_aloud_and_records_them() {
    let _turn = desktop::take_turns();
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("demo.wav");
    let output = Command::new(desktop::root().join("scripts/desktop-session.sh"))
        .arg("--record")
        .arg(&recording)
        .arg("--compact")
        .arg(desktop::root().join("scripts/demo.py"))
        .env("LUNA_BIN", env!("CARGO_BIN_EXE_luna"))
        .env("LUNA_MODELS", desktop::models())
        .env("LUNA_DEMO_EXIT", "1")
        .env("LUNA_DEMO_PARTS", "english,password")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    let samples: Vec<i16> = hound::WavReader::open(&recording).unwrap().into_samples().map(Result::unwrap).collect();
    let loud = samples.iter().filter(|sample| sample.unsigned_abs() > 1000).count();
    assert!(loud > 10_000, "the recording is silent: {loud} loud samples of {}", samples.len());
}
