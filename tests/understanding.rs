//! `luna understand`: many lines in one process, invalid lines among valid ones, exit codes; and the labelled utterances.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn luna(arguments: &[&str], input: &[u8]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_luna"))
        .arg("understand")
        .args(arguments)
        .env_remove("LUNA_CONFIG")
        .env("XDG_CONFIG_HOME", home.path())
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

// NLU-1, NLU-2, BRG-1
#[test]
fn one_utterance_is_understood_nlu_2() {
    let output = luna(&["저장 버튼 눌러줘"], b"");
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&found["kind"], &found["action"], &found["target_text"]),
        (&json!("command"), &json!("invoke"), &json!("저장"))
    );
    assert!(found.get("value").is_none(), "what was not said is absent: {found}");
    let output = luna(&["번역해줘", "--speaking"], b"");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["kind"], &found["command"]), (&json!("reflex"), &json!("translate")));
}

// NLU-2, NLU-3
#[test]
fn a_bad_line_is_told_and_the_rest_goes_on_nlu_2() {
    let mut input = Vec::new();
    input.extend(b"{\"utterance\": \"stop\", \"speaking\": true}\n");
    input.extend(b"no json\n\n");
    input.extend(b"{\"utterance\": 3}\n{\"speaking\": true}\n[]\n");
    input.extend([0xff, 0xfe, b'\n']);
    input.extend("{\"utterance\":\"저장 눌러\",\"candidates\":[{\"id\":\"1\",\"text\":\"저장\"},{\"id\":\"2\",\"text\":\"다른 이름으로 저장\"}]}".as_bytes());
    let output = luna(&["--jsonl"], &input);
    let found = lines(&output);
    assert_eq!(found.len(), 7, "{found:?}");
    assert_eq!(found[0]["command"], "stop");
    for (at, line) in [(1, 2), (2, 4), (3, 5), (4, 6), (5, 7)] {
        assert!(found[at]["error"].as_str().is_some_and(|text| text.contains("line is no")), "{}", found[at]);
        assert_eq!(found[at]["line"], line);
    }
    assert_eq!(found[6]["target_id"], "1");
    assert_eq!(output.status.code(), Some(1), "a bad line shows in the exit code");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
}

// NLU-2
#[test]
fn wrong_usage_is_told_nlu_2() {
    for arguments in [&[][..], &["stop", "--jsonl"], &["--jsonl", "--speaking"]] {
        assert_eq!(luna(arguments, b"").status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(luna(&["--jsonl"], b"").status.code(), Some(0), "nothing in, nothing out");
}

// VOI-2, DNG-1
#[test]
fn the_configuration_adds_words_voi_2() {
    let output = luna(
        &["--set", "voice.synonyms={stop: [기차]}", "--set", "voice.dangerous=[제출]", "--jsonl"],
        "{\"utterance\":\"기차\"}\n{\"utterance\":\"제출해줘\"}\n{\"utterance\":\"삭제해줘\"}\n".as_bytes(),
    );
    let found = lines(&output);
    assert_eq!(
        found.first().map(|one| &one["command"]),
        Some(&json!("stop")),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!((&found[1]["dangerous"], &found[2]["dangerous"]), (&json!(true), &json!(true)), "it takes none away");
}

// VOI-2, DSL-6
#[test]
fn configured_words_win_and_unknown_names_are_told_voi_2() {
    let output = luna(
        &["--set", "voice.synonyms={stop: [백], copy: [베껴], fly: [날아]}", "--jsonl"],
        "{\"utterance\":\"백\",\"speaking\":true}\n{\"utterance\":\"베껴 줘\"}\n{\"utterance\":\"날아\"}\n".as_bytes(),
    );
    let found = lines(&output);
    assert_eq!(found[0]["command"], "stop");
    assert_eq!((&found[1]["action"], &found[1]["order"]), (&json!("desktop"), &json!("copy")));
    assert_eq!(found[2]["kind"], "none");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("voice.synonyms.fly names no command") && !stderr.contains("synonyms.copy"), "{stderr}");
    assert!(!stderr.contains("order-or-talk"), "the classifier lies beside the program: {stderr}");
}

// NLU-6, DSL-2
#[test]
fn an_answer_has_its_score_margin_alternatives_and_negation_nlu_6() {
    let answer = |utterance: &str| -> Value { serde_json::from_slice(&luna(&[utterance], b"").stdout).unwrap() };
    let order = answer("이 글 저장해 줘");
    let part = |found: &Value, name: &str| found[name].as_f64().unwrap_or_else(|| panic!("{name}: {found}"));
    assert!(part(&order, "score") > 0.5 && (0.0..=1.0).contains(&part(&order, "margin")), "{order}");
    let never = answer("저장 누르지 마");
    assert_eq!((&never["kind"], &never["negated"]), (&json!("none"), &json!(true)), "{never}");
    let third = answer("끝에서 세 번째 링크 눌러");
    assert_eq!(third["ordinal"], -3, "{third}");
    let talk = answer("우리 애는 매일 일기 써");
    assert_eq!(
        (&talk["kind"], talk.get("negated").and_then(Value::as_bool).unwrap_or(false)),
        (&json!("none"), false),
        "{talk}"
    );
}

// NLU-8, PRV-7
#[test]
fn without_the_classifier_it_goes_on_and_says_so_nlu_8() {
    let home = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_luna"))
        .args(["understand", "저장 버튼 눌러 줘"])
        .env_remove("LUNA_CONFIG")
        .env("LUNA_ORDER_OR_TALK", home.path().join("none.bin"))
        .env("XDG_CONFIG_HOME", home.path())
        .env("HOME", home.path())
        .output()
        .unwrap();
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((run.status.code(), &found["kind"]), (Some(0), &json!("command")));
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(stderr.contains("none.bin") && stderr.contains("by rules alone"), "{stderr}");
}

// NLU-1, NLU-2, NLU-3, BRG-1, BRG-3, RNK-2, EXE-3, EXE-5, DNG-1
#[test]
fn the_labelled_utterances_are_understood_nlu_1() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/utterances.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expected: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let output = luna(&["--jsonl"], text.as_bytes());
    let found = lines(&output);
    assert_eq!(
        (found.len(), expected.len() >= 3_262),
        (expected.len(), true),
        "one answer a line, and at least 3,262 of them"
    );
    let plain = |value: &Value| {
        value.as_str().map_or_else(|| value.clone(), |text| json!(text.replace(' ', "").to_lowercase()))
    };
    // What is on the screen may be written with a hyphen or without: Wi-Fi, wifi.
    let named = |value: &Value| value.as_str().map_or(Value::Null, |text| plain(&json!(text.replace('-', ""))));
    let is_right = |case: &Value, found: &Value| {
        case["expect"].as_object().unwrap().iter().all(|(name, value)| match &found[name] {
            steps if name == "steps" => steps.as_array().map_or(0, Vec::len) as u64 == value.as_u64().unwrap(),
            found if ["target_text", "anchor", "argument"].contains(&name.as_str()) => named(found) == named(value),
            found => plain(found) == plain(value),
        })
    };
    // For each class: correct utterances, all utterances, and the wrong ones.
    let mut classes: BTreeMap<&str, (u64, u64, Vec<String>)> = BTreeMap::new();
    for (case, found) in expected.iter().zip(&found) {
        let of_all = if is_right(case, found) { None } else { Some(format!("{case}: {found}")) };
        for class in [case["class"].as_str().unwrap(), "all"] {
            let (right, cases, wrong) = classes.entry(class).or_default();
            *right += u64::from(of_all.is_none());
            *cases += 1;
            wrong.extend(of_all.clone());
        }
    }
    // What floors.json would hold after these answers.
    let reached: BTreeMap<&str, [u64; 2]> =
        classes.iter().map(|(class, (right, cases, _))| (*class, [*right, *cases])).collect();
    let reached = serde_json::to_string(&reached).unwrap();
    println!("reached: {reached}");
    let floors = std::fs::read_to_string(path.with_file_name("floors.json")).unwrap();
    let floors: BTreeMap<String, [u64; 2]> = serde_json::from_str(&floors).unwrap();
    let known: Vec<&str> = floors.keys().map(String::as_str).collect();
    assert_eq!(known, classes.keys().copied().collect::<Vec<_>>(), "tests/language/floors.json names each class");
    let below: Vec<String> = classes
        .iter()
        .filter(|(class, (right, cases, _))| {
            let [floor, of] = floors[**class];
            *right < floor || cases - right > of - floor
        })
        .map(|(class, (right, cases, wrong))| {
            let [floor, of] = floors[*class];
            format!("{class}: {right} of {cases} are right; the floor is {floor} of {of}\n  {}", wrong.join("\n  "))
        })
        .collect();
    assert!(
        below.is_empty(),
        "a class has fewer right or more wrong ones than its floor:\n{}\nreached: {reached}",
        below.join("\n")
    );
    let reflexes =
        expected.iter().zip(&found).filter(|(case, found)| case["class"] == "ordinary" && found["kind"] == "reflex");
    assert_eq!(reflexes.count(), 0, "an ordinary sentence is no reflex");
}
