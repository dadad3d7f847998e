//! Each stage of a request exports its time and its budget on a real desktop; promtool checks the output (MET-4, MET-3, CFG-4).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::io::Write;
use std::process::{Command, Stdio};

use desktop::{LunaProcess, Mouse, SampleWindow, take_turns};

const STAGES: [&str; 11] = [
    "pick",
    "capture",
    "recognition",
    "hearing",
    "understanding",
    "planning",
    "acting",
    "first_sound",
    "pick_to_sound",
    "focus",
    "focus_to_sound",
];

fn count(luna: &LunaProcess, stage: &str) -> f64 {
    luna.metric(&format!("luna_stage_duration_seconds_count{{stage=\"{stage}\"}}"))
}

fn picks(luna: &LunaProcess) -> f64 {
    luna.metric("luna_picks_total{method=\"uia\",outcome=\"success\"}")
}

/// Reads what is under the pointer and waits for its sound.
fn read(luna: &LunaProcess, part: &str) {
    luna.clear();
    luna.order("on");
    luna.hears(part);
    luna.order("off");
    luna.event("FocusMode.toggle", |_| true);
}

// MET-4, MET-3, CFG-4, CFG-5
#[test]
fn the_stages_of_reading_are_shown_with_their_budgets_and_follow_the_file_met_4_met_3_cfg_4_cfg_5() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Stages");
    let mouse = Mouse::new();
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.yaml");
    let write =
        |keys: &str| std::fs::write(&file, format!("version: 1\nprofiles: {{ default: {{ {keys} }} }}\n")).unwrap();
    write("metrics: { sample_rate: 1.0 }, company: { intentAlignmentMaxRounds: 2 }");
    let luna = LunaProcess::start_at(home, |_| {});
    luna.wait_for_capability("text_recognition", "available");

    mouse.move_to(sample.point("label_en"));
    read(&luna, "quick brown fox");
    let (x, y, _, height) = sample.place("picture");
    mouse.move_to((x + 60, y + height / 4));
    read(&luna, "1,234.56");
    for stage in STAGES {
        let budget = luna.metric(&format!("luna_stage_budget_seconds{{stage=\"{stage}\"}}"));
        assert!(budget > 0.0 && budget <= 1.0, "{stage}: {budget}");
    }
    for stage in ["pick", "capture", "recognition", "first_sound", "pick_to_sound"] {
        assert!(count(&luna, stage) >= 1.0, "{stage}\n{}", luna.get("metrics"));
    }
    for stage in ["hearing", "understanding", "planning", "acting"] {
        assert_eq!(count(&luna, stage), 0.0, "{stage} did not happen");
    }
    check_with_promtool(&luna.get("metrics"));
    let shown = String::from_utf8(luna.ctl(&["status"]).stdout).unwrap();
    assert!(
        shown.lines().any(|line| line.trim_start().starts_with("pick ") && line.contains(" its 40 ms (")),
        "{shown}"
    );
    assert!(shown.contains("so this changes nothing: company.intentAlignmentMaxRounds"), "{shown}");

    // Sampling does not affect counters, and the new rate applies without a restart.
    write("metrics: { sample_rate: 0.0 }");
    luna.hears("적용했어요");
    mouse.move_to(sample.point("label_en"));
    let (stage, picked) = (count(&luna, "pick"), picks(&luna));
    read(&luna, "quick brown fox");
    assert_eq!((count(&luna, "pick"), picks(&luna)), (stage, picked + 1.0));

    // A key without a reader is not announced as applied.
    luna.clear();
    write("metrics: { sample_rate: 0.0 }, company: { intentAlignmentMaxRounds: 4 }");
    let of_settings = |data: &serde_json::Value| data["text"].as_str().is_some_and(|text| text.contains("설정"));
    let said = luna.event("TTS.Start", of_settings);
    assert!(said["text"].as_str().is_some_and(|text| text.contains("아직 쓰이지 않아요")), "{said}");
}

fn check_with_promtool(metrics: &str) {
    let mut check = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool is not there: the Debian package prometheus has it");
    check.stdin.take().unwrap().write_all(metrics.as_bytes()).unwrap();
    let checked = check.wait_with_output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
