//! `luna lock check` with valid and invalid input. `crates/preservation/tests/lock_pairs.rs` checks the labelled pairs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use luna_messages::preserve::{PreservationReport, TokenStatus};
use serde_json::{Value, json};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_luna"))
        .args(["lock", "check"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // After rejecting its arguments the command reads no input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

// PRE-2
#[test]
fn many_pairs_are_checked_by_one_process_pre_2() {
    let input = [
        json!({"source": "배터리 30%를", "target": "30% battery", "mode": "faithful"}).to_string(),
        "{\"source\": 3}".to_owned(),
        String::new(),
        "\u{FEFF}no json".to_owned(),
        json!({"source": "3만 2천원", "target": "3,200 won", "mode": "natural"}).to_string(),
        json!({"source": "Luna를", "target": "Lunar", "glossary": ["Luna"]}).to_string(),
        json!({"source": "1", "target": "1", "mode": "free"}).to_string(),
    ];
    let output = run(&["--jsonl"], &(input.join("\r\n") + "\n"));
    assert_eq!(output.status.code(), Some(1), "a line could not be read");
    let answers = lines(&output);
    assert_eq!(answers.len(), 6, "an answer a line, and none for the empty one: {answers:?}");
    let first = json!({"ok": true, "tokens": [
        {"class": "PERCENT", "text": "30%", "status": "kept", "source_span": [4, 7], "target_span": [0, 3]}]});
    assert_eq!(answers[0], first);
    for (at, part) in [(1, "line 2: invalid type"), (2, "line 4:"), (5, "line 7: unknown variant `free`")] {
        let error = answers[at]["error"].as_str().unwrap();
        assert!(error.contains(part) && error.contains("\"source\""), "{error}");
    }
    let report: PreservationReport = serde_json::from_value(answers[3].clone()).unwrap();
    assert_eq!((report.ok, report.tokens[0].status), (false, TokenStatus::Altered));
    assert_eq!(answers[4]["tokens"][0]["class"], "GLOSSARY");
    assert_eq!(run(&[], "{\"source\": \"1\", \"target\": \"1\"}").status.code(), Some(0));
}

// PRE-2, PRE-7
#[test]
fn one_pair_is_checked_and_mended_pre_2_pre_7() {
    let folder = tempfile::tempdir().unwrap();
    let names: PathBuf = folder.path().join("names.txt");
    std::fs::write(&names, "Luna\n\n").unwrap();
    let kept = run(&["--source", "-5%", "--target", "-5%"], "");
    assert_eq!(kept.status.code(), Some(0), "{}", String::from_utf8_lossy(&kept.stderr));
    let altered = run(
        &[
            "--source",
            "Luna: 30% done",
            "--target",
            "Luna: 40%이 끝났어요",
            "--repair",
            "--glossary",
            names.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(altered.status.code(), Some(0), "it was mended");
    let answer: Value = serde_json::from_slice(&altered.stdout).unwrap();
    assert_eq!((&answer["repaired"], &answer["text"]), (&json!(true), &json!("Luna: 30%가 끝났어요")));
    assert_eq!(run(&["--source", "1", "--target", "2", "--mode", "natural"], "").status.code(), Some(1));
    for (arguments, code) in [
        (&["--source", "1"][..], 2),
        (&["--source", "1", "--target", "1", "--mode", "free"], 2),
        (&["--jsonl", "--source", "1", "--target", "1"], 2),
        (&["--source", "1", "--target", "1", "--glossary", "/nowhere/at/all"], 1),
    ] {
        let output = run(arguments, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(!error.contains("panicked") && !error.is_empty(), "{error}");
    }
}
