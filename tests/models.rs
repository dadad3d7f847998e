//! Models from their real source: Python wheels by pip. Needs Python with pip and its package index.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#[path = "../crates/model-store/tests/support/server.rs"]
mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Parser;
use luna::cli::models::{ModelsArguments, run_in};
use luna_config::Config;
use luna_model_store::fetch::{FetchOutcome, Fetcher, HttpSettings};
use luna_model_store::{Manifest, ModelError, ModelStore, SilentProgress, StoredState};
use serde_json::{Value, json};
use server::{DownloadServer, ServerAnswer, server};
use tempfile::TempDir;

fn store(folder: &Path) -> ModelStore {
    ModelStore::new(Manifest::built_in().unwrap(), folder)
}

/// No environment variables, so no local copies.
fn no_variables(_: &str) -> Option<String> {
    None
}

// PRV-7
#[test]
fn a_model_comes_out_of_its_wheel_and_is_verified_prv_7() {
    let folder = TempDir::new().unwrap();
    let store = store(folder.path());
    let mut fetcher = Fetcher::new(&store, HttpSettings::default(), no_variables);
    for model in ["ppocr-cls", "ppocr-v4-det"] {
        let fetched = fetcher.fetch(model, &mut SilentProgress).unwrap_or_else(|error| {
            panic!("pip could not give the wheel rapidocr-onnxruntime 1.4.4, which this test needs: {error}")
        });
        assert!(
            matches!(&fetched[..], [FetchOutcome::From(source)] if source.contains("rapidocr-onnxruntime")),
            "{fetched:?}"
        );
        let path = store.resolve(model, "").unwrap();
        assert!(path.starts_with(folder.path()) && path.exists());
        assert_eq!(fetcher.fetch(model, &mut SilentProgress).unwrap(), [FetchOutcome::AlreadyPresent]);
    }
    let there =
        store.list().into_iter().filter(|model| model.state == StoredState::Present && !model.files.is_empty()).count();
    assert_eq!(there, 2);
}

// ENG-4
#[test]
fn a_damaged_model_is_refused_and_fetched_again_eng_4() {
    let folder = TempDir::new().unwrap();
    let store = store(folder.path());
    let mut fetcher = Fetcher::new(&store, HttpSettings::default(), no_variables);
    fetcher
        .fetch("ppocr-cls", &mut SilentProgress)
        .expect("pip gives the wheel rapidocr-onnxruntime 1.4.4, which this test needs");
    let path = store.resolve("ppocr-cls", "").unwrap();
    fs::write(&path, b"\x08\x07 cut").unwrap();
    let error = store.resolve("ppocr-cls", "").unwrap_err().to_string();
    assert!(error.contains("luna models fetch ppocr-cls"), "{error}");
    assert!(matches!(fetcher.fetch("ppocr-cls", &mut SilentProgress).unwrap()[..], [FetchOutcome::From(_)]));
    store.resolve("ppocr-cls", "").unwrap();
}

#[test]
fn without_python_the_error_says_what_to_install() {
    let folder = TempDir::new().unwrap();
    let text = "version: 1\nsets: {}\nmodels:\n  - name: m\n    task: t\n    purpose: p\n    memory_mb: 1\n    licence: MIT\n    files:\n      - path: f\n        format: onnx\n        bytes: 1\n        sha256: unknown\n        sources: [{ pypi: { package: rapidocr-onnxruntime, version: 1.4.4, member: none } }]\n";
    let store = ModelStore::new(Manifest::parse(text).unwrap(), folder.path());
    let var = |name: &str| (name == "LUNA_PYTHON").then(|| "/nowhere/python".to_owned());
    let error = Fetcher::new(&store, HttpSettings::default(), var).fetch("m", &mut SilentProgress).unwrap_err();
    assert!(matches!(error, ModelError::NoSource { .. }));
    assert!(
        error.to_string().contains("Python is not installed (sudo apt-get install python3 python3-pip)"),
        "{error}"
    );

    // A Python without pip.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let python = folder.path().join("python");
        fs::write(&python, "#!/bin/sh\necho \"$0: No module named pip\" >&2\nexit 1\n").unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let var = |name: &str| (name == "LUNA_PYTHON").then(|| python.display().to_string());
        let error = Fetcher::new(&store, HttpSettings::default(), var).fetch("m", &mut SilentProgress).unwrap_err();
        assert!(error.to_string().contains("has no pip (sudo apt-get install python3-pip)"), "{error}");
    }
}

// STT-1, STT-2, CFG-5
#[test]
fn what_listening_needs_is_fetched_listed_and_verified_as_one_set_stt_1_stt_2_cfg_5() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str], files: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_luna"));
        command.env("LUNA_MODELS", folder.path()).env("XDG_CONFIG_HOME", folder.path()).env_remove("LUNA_CONFIG");
        // Nothing is fetched from the network.
        command.env("LUNA_MODEL_FILES", files.unwrap_or("/nowhere")).env("HTTPS_PROXY", "http://127.0.0.1:9");
        let output = command.args(arguments).output().expect("the program luna is built");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let own = folder.path().join("own.bin");
    fs::write(&own, b"lmggcontent").unwrap();
    let own_file = format!("models.tasks.stt={}", own.display());
    let small = ["--set", "models.tasks.stt=whisper-small", "--set", "models.tasks.stt_command=whisper-base"];

    let (code, out, error) = run(&[&small[..], &["models", "fetch", "voice", "--json"]].concat(), None);
    let answer: Value = serde_json::from_str(&out).unwrap();
    let names: Vec<_> =
        answer["failed"].as_array().unwrap().iter().map(|model| model["name"].as_str().unwrap()).collect();
    assert_eq!((code, names), (Some(1), vec!["whisper-small", "whisper-base"]), "{out}");
    assert!(error.contains("ggml-small-q5_1.bin") && error.contains("luna models verify whisper-base"), "{error}");

    let (code, out, _) = run(&[&small[..], &["models", "list", "--json"]].concat(), None);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["tasks"]["stt_command"]), (Some(0), &json!("whisper-base")));
    let (_, out, _) = run(&[&small[..], &["models", "list"]].concat(), None);
    let of = |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(of("whisper-small").ends_with("[models.tasks: stt]"), "{out}");
    assert!(of("whisper-base").ends_with("[models.tasks: stt_command]"), "{out}");

    // Files with a known checksum can't be made up, so the models here are the person's own.
    let (code, out, error) = run(&["--set", &own_file, "models", "fetch", "voice"], None);
    assert_eq!(code, Some(0), "{error}");
    assert!(error.contains("a file of your own") && out.contains("voice: nothing to fetch"), "{out}{error}");
    let (code, out, _) = run(&["--set", &own_file, "models", "list"], None);
    assert!(code == Some(0) && out.contains("own.bin: present; a file of your own [models.tasks: stt]"), "{out}");

    let (code, _, error) = run(&["--set", "models.tasks.stt=null", "models", "fetch", "voice"], None);
    assert_eq!(code, Some(2));
    assert!(error.contains("Set models.tasks.stt"), "{error}");
    fs::create_dir(folder.path().join("whisper-base")).unwrap();
    fs::write(folder.path().join("whisper-base/ggml-base-q5_1.bin"), "no model").unwrap();
    let (code, _, error) = run(&["models", "verify", "voice"], None);
    assert_eq!(code, Some(1));
    assert!(error.contains("has 8 bytes instead of 59707625"), "{error}");
}

#[test]
fn the_command_lists_verifies_and_uses_its_exit_codes() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_luna"));
        command.env("LUNA_MODELS", folder.path()).env("XDG_CONFIG_HOME", folder.path()).env_remove("LUNA_CONFIG");
        let output = command.args(arguments).output().expect("the program luna is built");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&["models", "list", "--json"]);
    let list: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(0));
    assert!(
        list["models"]
            .as_array()
            .unwrap()
            .iter()
            .any(|model| model["name"] == "onnxruntime" && model["state"] == "missing")
    );

    let (code, _, error) = run(&["models", "fetch", "ppocr"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("there is no model \"ppocr\". Known: "), "{error}");

    fs::create_dir(folder.path().join("ppocr-cls")).unwrap();
    fs::write(folder.path().join("ppocr-cls/ch_ppocr_mobile_v2.0_cls_infer.onnx"), "no model").unwrap();
    let (code, _, error) = run(&["models", "verify"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("has 8 bytes instead of 585532"), "{error}");

    let (code, out, _) = run(&["config", "show", "--json", "--set", "tts.rate=2"]);
    let shown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &shown["from"]["tts.rate"]["kind"]), (Some(0), &json!("flag")));
    let (code, _, error) = run(&["config", "check", "--set", "tts.rate=no"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("flag --set tts.rate=no: tts.rate: expected a number"), "{error}");
}

/// The manifest and the arguments of [`the_command_in_a_store_of_the_test`].
const MANIFEST: &str = "LUNA_TEST_MANIFEST";
const ARGUMENTS: &str = "LUNA_TEST_ARGUMENTS";

/// `luna models` with another manifest than the built-in one, whose files are too large for a test. Does nothing unless a test runs it as a program.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test has no main that could return the exit code")]
fn the_command_in_a_store_of_the_test() {
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        models: ModelsArguments,
    }
    let Ok(manifest) = std::env::var(MANIFEST) else { return };
    let line = std::env::var(ARGUMENTS).unwrap();
    let models = Line::parse_from(["luna models"].into_iter().chain(line.split_whitespace())).models;
    let mut config = Config::built_in("default").unwrap();
    // What the comment of the configuration recommends.
    config.models.tasks.stt = Some("whisper-small".into());
    config.models.tasks.stt_command = Some("whisper-base".into());
    let store = ModelStore::new(Manifest::parse(&manifest).unwrap(), models.models_dir.clone().unwrap());
    let code = run_in(&store, &config, models).unwrap();
    let number = (0..3).find(|number| code == ExitCode::from(*number)).unwrap();
    std::process::exit(number.into());
}

/// The two models of the set `voice` on two servers: small files in place of the weights, with the names, the format and the unknown checksum of the
/// real ones.
struct VoiceScene {
    small: DownloadServer,
    base: DownloadServer,
    base_sum: String,
    folder: TempDir,
}

/// Size of each file.
const VOICE_BYTES: usize = 300_004;

impl VoiceScene {
    fn new(small: Vec<ServerAnswer>, base: Vec<ServerAnswer>) -> Self {
        let body = |factor: u32| -> Vec<u8> {
            b"lmgg".iter().copied().chain((0..300_000_u32).map(|index| (index * factor % 251) as u8)).collect()
        };
        let base_sum = luna_model_store::checksum::of_reader(&body(7)[..]).unwrap().0;
        let (small, base) = (server(body(5), small), server(body(7), base));
        Self { small, base, base_sum, folder: TempDir::new().unwrap() }
    }

    /// Runs `luna models` in a new process; returns its exit code, output and messages.
    fn run(&self, arguments: &str) -> (Option<i32>, String, String) {
        let model = |name: &str, file: &str, size: &str, server: &DownloadServer| {
            format!(
                "  - name: {name}\n    task: stt\n    purpose: Speech recognition\n    memory_mb: 1\n    licence: MIT\n    files:\n      - path: {file}\n        format: ggml\n        {size}\n        sources: [{{ url: \"{}/{file}\" }}]\n",
                server.address
            )
        };
        let known = format!("bytes: {VOICE_BYTES}\n        sha256: {}", self.base_sum);
        let manifest = format!(
            "version: 1\nsets: {{}}\nmodels:\n{}{}",
            model("whisper-small", "small.bin", "about_bytes: 300000\n        sha256: unknown", &self.small),
            model("whisper-base", "base.bin", &known, &self.base)
        );
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_command_in_a_store_of_the_test", "--nocapture"])
            .env(MANIFEST, manifest)
            .env(ARGUMENTS, format!("{arguments} --models-dir {}", self.folder.path().display()))
            .env_remove("LUNA_MODEL_FILES")
            .env("NO_PROXY", "127.0.0.1")
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// The files of models in the folder.
    fn files(&self) -> Vec<String> {
        let names = |folder: &str| {
            let entries = fs::read_dir(self.folder.path().join(folder)).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        let mut files: Vec<String> = ["whisper-small", "whisper-base"].into_iter().flat_map(names).collect();
        files.sort();
        files
    }
}

/// The JSON that a command printed between the lines of the test program.
fn json_of(out: &str) -> Value {
    let (from, to) = (out.find('{').unwrap(), out.rfind('}').unwrap());
    serde_json::from_str(&out[from..=to]).unwrap_or_else(|error| panic!("{error}: {out}"))
}

// STT-1, STT-2, PRV-7
#[test]
fn both_models_of_voice_are_fetched_resumed_and_used_stt_1_stt_2_prv_7() {
    // The first download breaks off twice, the second one for good.
    let broken = vec![ServerAnswer::BreakAfter(100_000), ServerAnswer::BreakAfter(50_000)];
    let voice = VoiceScene::new(broken, vec![ServerAnswer::BreakAfter(70_000), ServerAnswer::Status(503)]);
    let (code, out, error) = voice.run("fetch voice");
    assert_eq!(code, Some(1), "{out}{error}");
    // Progress, and what is wrong with what to do.
    assert!(error.contains(&format!("whisper-small: 0.3 MB from {}/small.bin", voice.small.address)), "{error}");
    assert!(error.contains("whisper-small: in place, verified, 0.3 MB"), "{error}");
    assert!(error.contains("whisper-base") && error.contains("503"), "{error}");
    let seen = voice.small.seen.lock().unwrap().clone();
    assert!(seen.len() == 3 && seen[1].ends_with("from 100000") && seen[2].ends_with("from 150000"), "{seen:?}");
    assert_eq!(voice.files(), ["base.bin.part", "base.bin.part.from", "small.bin"]);
    let (_, out, _) = voice.run("list");
    let of = |out: &str, name: &str| out.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert!(of(&out, "whisper-base").contains("partial") && of(&out, "whisper-small").contains("present"), "{out}");

    // The next run goes on where this one stopped, and fetches nothing twice.
    let (code, out, error) = voice.run("fetch voice --json");
    let told = json_of(&out);
    let fetched = json!([{ "name": "whisper-small", "fetched": false }, { "name": "whisper-base", "fetched": true }]);
    assert_eq!((code, &told["done"], &told["failed"]), (Some(0), &fetched, &json!([])), "{error}");
    assert!(voice.base.seen.lock().unwrap()[2].ends_with("from 70000"), "{:?}", voice.base.seen.lock().unwrap());
    assert_eq!(
        (voice.small.seen.lock().unwrap().len(), voice.files()),
        (3, vec!["base.bin".into(), "small.bin".into()])
    );

    // Now they are there, for what the configuration says.
    let (code, out, _) = voice.run("fetch voice");
    assert!(code == Some(0) && out.contains("voice: nothing to fetch, all of it is there."), "{out}");
    let (code, out, _) = voice.run("list");
    assert_eq!(code, Some(0));
    assert!(of(&out, "whisper-small").ends_with("[models.tasks: stt]"), "{out}");
    assert!(of(&out, "whisper-base").ends_with("[models.tasks: stt_command]"), "{out}");
    let (code, out, error) = voice.run("verify voice");
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("whisper-small/small.bin: right.") && out.contains("whisper-base/base.bin: right."), "{out}");
}

// ENG-4, PRV-7
#[test]
fn wrong_weights_are_refused_and_nothing_of_them_is_left_eng_4_prv_7() {
    let voice = VoiceScene::new(vec![ServerAnswer::Page], vec![ServerAnswer::Wrong]);
    let (code, out, error) = voice.run("fetch voice --json");
    let told = json_of(&out);
    let failed: Vec<&Value> = told["failed"].as_array().unwrap().iter().map(|model| &model["name"]).collect();
    assert_eq!(
        (code, &told["done"], failed),
        (Some(1), &json!([]), vec![&json!("whisper-small"), &json!("whisper-base")])
    );
    assert!(error.contains("small.bin: what came is not a Whisper model (ggml); it was thrown away"), "{error}");
    assert!(error.contains("base.bin: its checksum is") && error.contains(&voice.base_sum), "{error}");
    assert!(error.contains("then run: luna models verify whisper-base"), "{error}");
    assert!(voice.files().is_empty(), "{:?}", voice.files());
    // The server has mended its files.
    let (code, _, error) = voice.run("fetch voice");
    assert_eq!((code, voice.files()), (Some(0), vec!["base.bin".into(), "small.bin".into()]), "{error}");
}
