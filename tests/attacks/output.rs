//! Output that can't be written, and screen text with terminal control sequences (KER-9, PRV-5).

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use luna_test_support::tiny_models::{gguf, whisper};

use crate::desktop::{LunaProcess, SampleWindow, luna, sample, take_turns, wait, without_default_notice};

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

fn run(home: &Path, arguments: &[String], input: &str, out: Stdio) -> Output {
    let mut command = luna(home);
    command.args(["--set", "engines.llm.threads=1"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    // A command that takes no input may have exited already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Every command that prints a result, with its standard input. The files are in `home`.
fn commands(home: &Path, screen: &str) -> Vec<(Vec<String>, &'static str)> {
    let path = |name: &str| home.join(name).display().to_string();
    gguf::ScriptedLlm::new("하나.").write(&home.join("says.gguf")).unwrap();
    whisper::ScriptedWhisper::new("heard").hearing(&[("en", 1.0)]).write(&home.join("hears.bin")).unwrap();
    std::fs::write(home.join("text"), "One.").unwrap();
    let mut sound = hound::WavWriter::create(
        home.join("sound.wav"),
        hound::WavSpec {
            channels: 1,
            sample_rate: 16_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        },
    )
    .unwrap();
    for n in 0..16_000_i32 {
        sound.write_sample(i16::try_from((n % 80 - 40) * 300).unwrap()).unwrap();
    }
    sound.finalize().unwrap();
    let page = sample("ocrs/why-rust.png").display().to_string();
    let lines = "{\"utterance\":\"멈춰\"}\n";
    let pair = "{\"source\":\"1\",\"target\":\"1\"}\n";
    let table: Vec<(String, &'static str)> = vec![
        ("--help".into(), ""),
        ("--version".into(), ""),
        ("run --help".into(), ""),
        ("ctl status".into(), ""),
        ("ctl status --json".into(), ""),
        (format!("read --image {page} --json"), ""),
        (format!("read --image {page} --silent"), ""),
        (format!("read --at {screen} --json"), ""),
        (format!("read --at {screen} --silent"), ""),
        (format!("read --at {screen} --candidates"), ""),
        (format!("read --at {screen} --candidates --json"), ""),
        (format!("say hello --wav {}", path("say.wav")), ""),
        (format!("say hello --wav {} --json", path("say.wav")), ""),
        (format!("llm hello --model {}", path("says.gguf")), ""),
        (format!("llm hello --model {} --json", path("says.gguf")), ""),
        ("lock check --source 1 --target 1".into(), ""),
        ("lock check --jsonl".into(), pair),
        (format!("translate {} --model {}", path("text"), path("says.gguf")), ""),
        (format!("translate {} --json --model {}", path("text"), path("says.gguf")), ""),
        (format!("summarize {} --to ko --model {}", path("text"), path("says.gguf")), ""),
        (format!("summarize {} --to ko --json --model {}", path("text"), path("says.gguf")), ""),
        ("schema".into(), ""),
        ("schema dsl-plan".into(), ""),
        (format!("transcribe {} --model {}", path("sound.wav"), path("hears.bin")), ""),
        (format!("transcribe {} --json --model {}", path("sound.wav"), path("hears.bin")), ""),
        ("understand 멈춰".into(), ""),
        ("understand --jsonl".into(), lines),
        ("doctor".into(), ""),
        ("doctor --json".into(), ""),
        ("config show".into(), ""),
        ("config show --json".into(), ""),
        ("config check".into(), ""),
        ("config check --json".into(), ""),
        ("config schema".into(), ""),
        ("models list".into(), ""),
        ("models list --json".into(), ""),
        ("models verify onnxruntime".into(), ""),
        ("models verify onnxruntime --json".into(), ""),
        ("models fetch onnxruntime".into(), ""),
        ("models fetch onnxruntime --json".into(), ""),
    ];
    table.into_iter().map(|(line, input)| (line.split(' ').map(str::to_owned).collect(), input)).collect()
}

// KER-9
#[test]
fn no_command_succeeds_whose_results_nobody_can_have_ker_9() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let sample = SampleWindow::start("gtk3_sample.py", "Output");
    let (x, y) = sample.point("label_ko");
    let home = luna.home.path();
    let mut wrong = Vec::new();
    for (arguments, input) in commands(home, &format!("{x},{y}")) {
        let all = run(home, &arguments, input, Stdio::piped());
        let said = |output: &Output| without_default_notice(&String::from_utf8_lossy(&output.stderr));
        // Every command of the table must work; otherwise its failure proves nothing.
        if !all.status.success() || all.stdout.is_empty() {
            wrong.push(format!("{arguments:?} does not work: {:?} {}", all.status, said(&all)));
            continue;
        }
        let lost = run(home, &arguments, input, full().into());
        if lost.status.code() != Some(1) || !said(&lost).contains("can't be written, the disk is full") {
            wrong.push(format!("{arguments:?} on a full disk: {:?} {}", lost.status, said(&lost)));
        }
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let closed = run(home, &arguments, input, closed.into());
        if closed.status.code() != Some(0) || said(&closed).contains("luna:") {
            wrong.push(format!("{arguments:?} into a closed pipe: {:?} {}", closed.status, said(&closed)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// KER-6, KER-9
#[test]
fn who_has_read_enough_stops_the_model_ker_6_ker_9() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    let words =
        gguf::ScriptedLlm { endless: true, context: 32_768, ..gguf::ScriptedLlm::new("one two three four five ") };
    words.write(&path("endless.gguf")).unwrap();
    gguf::ScriptedLlm::new("하나.").write(&path("says.gguf")).unwrap();
    std::fs::write(path("text"), "This is a sentence. ".repeat(4000)).unwrap();
    // Each command would run for minutes.
    let table = [
        format!("llm count --max-tokens 30000 --model {}", path("endless.gguf").display()),
        format!("translate {} --model {}", path("text").display(), path("says.gguf").display()),
        format!("translate {} --json --model {}", path("text").display(), path("says.gguf").display()),
    ];
    for line in table {
        let mut command = luna(home.path());
        command.args(["--set", "engines.llm.threads=1", "--set", "engines.llm.context_tokens=32768"]);
        let mut child = command
            .args(line.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 3];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let start = Instant::now();
        let ended = wait(
            "a command that nobody reads to end",
            Duration::from_secs(60),
            || child.try_wait().unwrap(),
            || line.clone(),
        );
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(ended.code(), Some(0), "{line}: {said}");
        assert!(!without_default_notice(&said).contains("luna:"), "{line}: {said}");
        assert!(start.elapsed() < Duration::from_secs(8), "{line} took {:?}", start.elapsed());
    }
}

// KER-9, KER-11
#[test]
fn luna_lives_where_nothing_that_it_says_can_be_written_ker_9_ker_11() {
    let _turn = take_turns();
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let (_unread, stuck) = std::io::pipe().unwrap();
    for (what, out, err) in [
        ("a full disk", Stdio::from(full()), Stdio::from(full())),
        ("a closed pipe", closed.try_clone().unwrap().into(), closed.into()),
        ("a pipe that nobody reads", Stdio::null(), stuck.into()),
    ] {
        let home = tempfile::tempdir().unwrap();
        let mut command = luna(home.path());
        // Maximum log output, also from the libraries.
        command.args(["run", "--json"]).env("LUNA_LOG", "trace").stdin(Stdio::null()).stdout(out).stderr(err);
        let mut child = command.spawn().unwrap();
        let ctl = |arguments: &[&str]| luna(home.path()).arg("ctl").args(arguments).output().unwrap();
        let answers = || ctl(&["status"]).status.success().then_some(());
        wait(&format!("Luna with {what} to answer"), Duration::from_secs(30), answers, || {
            format!("{:?}", ctl(&["status"]))
        });
        for order in ["on", "stop", "repeat", "off"].repeat(5) {
            let ordered = ctl(&["focus", order]);
            assert!(ordered.status.success(), "{what}, {order}: {}", String::from_utf8_lossy(&ordered.stderr));
        }
        assert!(child.try_wait().unwrap().is_none(), "{what} ended Luna");
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let ended = wait("Luna to end", Duration::from_secs(10), || child.try_wait().unwrap(), String::new);
        assert!(ended.success(), "{what}: {ended}");
    }
}

// PRV-5
#[test]
fn no_text_from_elsewhere_commands_the_terminal_prv_5() {
    let _turn = take_turns();
    let home = tempfile::tempdir().unwrap();
    let hostile = "\u{1b}]0;owned\u{7}30,000\u{9b}2J\u{202e}원\u{8}\rx";
    let model = home.path().join("hostile.gguf");
    gguf::ScriptedLlm::new(hostile).write(&model).unwrap();
    let model = model.display().to_string();
    let file = home.path().join("text");
    std::fs::write(&file, format!("One {hostile}.")).unwrap();
    let file = file.display().to_string();
    for arguments in [
        &["llm", "hello", "--model", &model][..],
        &["llm", "hello", "--model", &model, "--json"],
        &["translate", &file, "--model", &model],
        &["translate", &file, "--model", &model, "--json"],
        &["understand", hostile],
        &["models", "verify", hostile],
        &["read", "--image", hostile],
        &["lock", "check", "--source", hostile, "--target", hostile],
        &["--set", "voice.wake_word=\u{1b}[2Jx", "config", "show"],
    ] {
        let mut command = luna(home.path());
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut all = String::new();
        child.stdout.take().unwrap().read_to_string(&mut all).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut all).unwrap();
        child.wait().unwrap();
        let is_control_sequence =
            |c: char| c.is_control() && !matches!(c, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!all.is_empty() && !all.contains(is_control_sequence), "{arguments:?}: {all:?}");
    }
}
