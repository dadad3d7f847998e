//! A trace follows a request through all mailboxes, on a real desktop up to the first sound (KER-12, PRV-2).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::time::Duration;

use desktop::{ALT, CONTROL, LETTER_O, LunaProcess, Mouse, SUPER, SampleWindow, luna, take_turns, wait};
use serde_json::Value;

/// The output of `luna ctl trace --json`.
fn trace_json(luna: &LunaProcess) -> String {
    let output = luna.ctl(&["trace", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The newest trace that began with `origin` and sounded, after the follow-up messages of its sound were handled.
#[track_caller]
fn sounded_trace(luna: &LunaProcess, origin: &str) -> Value {
    let find = || {
        let traces: Value = serde_json::from_str(&trace_json(luna)).unwrap();
        let sounded = |trace: &&Value| {
            let hops = trace["hops"].as_array().unwrap();
            hops.iter().any(|hop| hop["what"] == "first_sound") && hops.last().unwrap()["what"] == "speech"
        };
        traces["traces"]
            .as_array()
            .unwrap()
            .iter()
            .rev()
            .filter(|trace| trace["origin"] == origin)
            .find(sounded)
            .cloned()
    };
    wait(&format!("a trace from {origin} to its first sound"), Duration::from_secs(20), find, || trace_json(luna))
}

/// Asserts that the trace contains these actors and kinds in this order, possibly with others between.
#[track_caller]
fn assert_path(trace: &Value, path: &[(&str, &str)]) {
    let hops = trace["hops"].as_array().unwrap();
    let mut rest = hops.iter();
    for (actor, what) in path {
        assert!(rest.any(|hop| hop["actor"] == *actor && hop["what"] == *what), "no {actor} {what} then: {trace:#}");
    }
    let times: Vec<u64> = hops.iter().map(|hop| hop["after_us"].as_u64().unwrap()).collect();
    assert!(times.is_sorted() && times[hops.len() - 1] < 20_000_000, "{trace:#}");
}

const PICK: [(&str, &str); 5] =
    [("uia", "pick"), ("focus", "tree"), ("tts", "read"), ("tts", "first_sound"), ("focus", "speech")];

// KER-12, PRV-2
#[test]
fn what_is_asked_for_has_one_trace_up_to_its_first_sound_ker_12_prv_2() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Traces");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna_runs = LunaProcess::start();
    luna_runs.wait_for_capability("hot_key", "available");
    let nothing = String::from_utf8(luna_runs.ctl(&["trace"]).stdout).unwrap();
    assert_eq!(nothing, "Nothing was asked of Luna yet.\n");

    luna_runs.order("on");
    luna_runs.hears("quick brown fox");
    let command = sounded_trace(&luna_runs, "command");
    let ordered = [("reflex", "focus_on"), ("focus", "command"), ("focus", "pointer")];
    assert_path(&command, &[&ordered[..], &PICK].concat());

    // The pointer alone, without a command.
    mouse.move_to(sample.point("button"));
    luna_runs.hears("Send report");
    assert_path(&sounded_trace(&luna_runs, "pointer"), &PICK);

    luna_runs.order("off");
    luna_runs.event("Focus.State", |data| data["state"] == "Idle");
    luna_runs.clear();
    mouse.press(&[CONTROL, ALT, SUPER, LETTER_O]);
    luna_runs.hears("Send report");
    let key = sounded_trace(&luna_runs, "hot_key");
    assert_path(&key, &[&[("reflex", "focus_toggle")], &ordered[1..], &PICK].concat());
    assert!(key["id"].as_u64() > command["id"].as_u64());

    // Numbers and constants, but no word of the screen.
    let (json, text) = (trace_json(&luna_runs), String::from_utf8(luna_runs.ctl(&["trace"]).stdout).unwrap());
    for output in [&json, &text] {
        assert!(["quick", "fox", "Send", "보고서", "Traces"].iter().all(|word| !output.contains(word)), "{output}");
    }
    assert!(text.lines().any(|line| line.starts_with(&format!("#{} hot_key, ", key["id"]))), "{text}");
    assert!(text.lines().any(|line| line.trim_end().ends_with("first_sound")), "{text}");

    // Refused without the token.
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).http_status_as_error(false).build().into();
    assert_eq!(agent.get(format!("http://{}/trace", luna_runs.address)).call().unwrap().status(), 401);
}

// KER-12
#[test]
fn without_luna_there_is_no_trace_and_the_command_says_so_ker_12() {
    let home = tempfile::tempdir().unwrap();
    let output = luna(home.path()).args(["ctl", "trace"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(!output.stderr.is_empty());
}
