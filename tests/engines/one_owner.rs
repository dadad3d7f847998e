//! The model memory has a single owner across processes (GPU-7), and models work on machines of all kinds (GPU-6).

use std::process::{Child, Stdio};
use std::time::Duration;

use luna_test_support::tiny_models::gguf;
use serde_json::Value;

use crate::desktop::{self, LunaProcess, children_of, wait};

/// Files for a model that works for a while, and a text of many sentences.
struct LeaseWork {
    model: String,
    text: String,
}

fn work(folder: &std::path::Path) -> LeaseWork {
    let (model, text) = (folder.join("says.gguf"), folder.join("long.txt"));
    gguf::ScriptedLlm::new("It goes on and on.").write(&model).unwrap();
    let sentences: String = (0..400).map(|number| format!("이것은 {number}번째 문장입니다. ")).collect();
    std::fs::write(&text, sentences).unwrap();
    LeaseWork { model: model.display().to_string(), text: text.display().to_string() }
}

fn command(home: &std::path::Path, arguments: &[&str]) -> Child {
    let mut command = desktop::luna(home);
    command.args(["--set", "engines.llm.threads=1"]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn engine_of(process: u32) -> Option<u32> {
    children_of(process).into_iter().find(|(_, command)| command.contains("luna-engine-llm")).map(|(pid, _)| pid)
}

fn residents(luna: &LunaProcess) -> Vec<String> {
    let status: Value = serde_json::from_str(&luna.get("status")).unwrap();
    let models = status["memory"]["resident"].as_array().cloned().unwrap_or_default();
    models.iter().map(|model| model["model"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn ended(mut child: Child) -> (Option<i32>, String, String) {
    let over = || child.try_wait().unwrap().map(|_| ());
    wait("a command to end", Duration::from_secs(90), over, String::new);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

// GPU-7, GPU-2
#[test]
fn a_command_asks_the_running_luna_for_its_lease_gpu_7_gpu_2() {
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA__GPU__WAIT_BOUND_MS", "1500");
    });
    let home = luna.home.path();
    let LeaseWork { model, text } = work(home);
    let first = command(home, &["translate", &text, "--model", &model]);
    let name = format!("of process {}", first.id());
    let stands = || residents(&luna).iter().any(|model| model.contains(&name)).then_some(());
    wait("the command to stand in the ledger", Duration::from_secs(60), stands, || luna.get("status"));
    wait("its engine", Duration::from_secs(60), || engine_of(first.id()), || luna.get("status"));
    // A second command waits; after a long wait the first must yield.
    let mut second = command(home, &["llm", "x", "--model", &model]);
    let pid = second.id();
    // Its answer is short and may be over between two looks; what it printed shows then that it was served.
    let mut served = || (engine_of(pid).is_some() || second.try_wait().unwrap().is_some()).then_some(());
    wait("the second command to be served", Duration::from_secs(60), &mut served, || luna.get("status"));
    let resident = residents(&luna);
    assert!(resident.len() <= 1, "one at a time: {resident:?}");
    let (code, out, err) = ended(second);
    assert_eq!((code, out.trim()), (Some(0), "It goes on and on."), "{err}");
    let (code, _, err) = ended(first);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("took it back"), "{err}");
    // The lease of a killed command is released.
    let mut third = command(home, &["translate", &text, "--model", &model]);
    let pid = third.id();
    wait("its engine", Duration::from_secs(60), || engine_of(pid), || luna.get("status"));
    third.kill().unwrap();
    third.wait().unwrap();
    let free = || residents(&luna).is_empty().then_some(());
    wait("the lease of a killed command to be free", Duration::from_secs(20), free, || luna.get("status"));
}

// GPU-7
#[test]
fn without_a_running_luna_commands_take_turns_gpu_7() {
    let home = tempfile::tempdir().unwrap();
    let LeaseWork { model, text } = work(home.path());
    let mut first = command(home.path(), &["translate", &text, "--model", &model]);
    let pid = first.id();
    wait("its engine", Duration::from_secs(60), || engine_of(pid), String::new);
    let second = command(home.path(), &["--set", "gpu.wait_bound_ms=300", "llm", "x", "--model", &model]);
    let (code, out, err) = ended(second);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains("Another luna command has a model in memory"), "{err}");
    // The longest-waiting command is next.
    let third = command(home.path(), &["llm", "x", "--model", &model]);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(engine_of(third.id()), None, "it waits");
    first.kill().unwrap();
    first.wait().unwrap();
    let (code, out, err) = ended(third);
    assert_eq!((code, out.trim()), (Some(0), "It goes on and on."), "{err}");
}
