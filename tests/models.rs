//! Models from their real source: Python wheels by pip. Needs Python with pip and its package index.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fs;
use std::path::Path;
use std::process::Command;

use luna_model_store::fetch::{FetchOutcome, Fetcher, HttpSettings};
use luna_model_store::{Manifest, ModelError, ModelStore, SilentProgress, StoredState};
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
    let list: serde_json::Value = serde_json::from_str(&out).unwrap();
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
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &shown["from"]["tts.rate"]["kind"]), (Some(0), &serde_json::json!("flag")));
    let (code, _, error) = run(&["config", "check", "--set", "tts.rate=no"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("flag --set tts.rate=no: tts.rate: expected a number"), "{error}");
}
