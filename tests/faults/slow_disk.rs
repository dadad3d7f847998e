//! A read from the disk does not return: of the configuration file, or of a model. A pipe without a writer replaces the file.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use luna_test_support::tiny_models::gguf;

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, take_turns};

fn make_pipe(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success(), "mkfifo {}", path.display());
}

/// Lets the reader of the pipe see its end.
fn release(path: &std::path::Path) {
    let path = path.to_owned();
    // Opening waits for the reader; without one, the thread ends with the test.
    std::thread::spawn(move || drop(std::fs::OpenOptions::new().write(true).open(path)));
}

// KER-8, KER-10
#[test]
fn a_configuration_file_that_can_not_be_read_holds_up_nobody_ker_8_ker_10() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Slow");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let mut luna = LunaProcess::start();
    make_pipe(&luna.home.path().join("config.yaml"));
    // Luna checks the file every few hundred milliseconds.
    std::thread::sleep(Duration::from_secs(3));
    for _ in 0..5 {
        luna.clear();
        luna.order("on");
        luna.hears("quick brown fox");
        let begin = Instant::now();
        luna.order("stop");
        luna.event("TTS.Stop", |data| data["finished"] == false);
        assert!(begin.elapsed() < Duration::from_secs(2), "stop took {:?}", begin.elapsed());
        luna.order("off");
    }
    assert_eq!(luna.metric("luna_actor_hung_total"), 0.0);
    luna.signal("TERM");
    let ended = || luna.child.try_wait().unwrap();
    let status = desktop::wait("its end", Duration::from_secs(6), ended, String::new);
    assert_eq!(status.code(), Some(0));
    release(&luna.home.path().join("config.yaml"));
}

/// A folder of engine programs in which the language-model engine, on its first start, finds its model on a hanging disk: Luna checked a
/// regular file, but the engine opens a pipe without a writer, so its call does not return.
fn engines_with_a_disk_that_hangs(model: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["luna-engine-ocr", "luna-engine-speech-espeak", "luna-engine-stt"] {
        std::os::unix::fs::symlink(luna_engine_host::engine_path(name), folder.path().join(name)).unwrap();
    }
    let real = luna_engine_host::engine_path("luna-engine-llm");
    assert!(real.is_file(), "{} is not there: build it with `cargo build -p luna-engine-llm`", real.display());
    let (model, real) = (model.display(), real.display());
    let script = format!(
        "#!/bin/sh\nif [ ! -e '{model}.hung' ]; then\n  touch '{model}.hung' && mv '{model}' '{model}.away' && mkfifo '{model}' || exit 9\nfi\nexec '{real}'\n"
    );
    let path = folder.path().join("luna-engine-llm");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

// KER-8, KER-11, ENG-2, GPU-3
#[test]
fn a_model_that_can_not_be_read_is_given_up_and_holds_up_nobody_ker_8_ker_11_eng_2_gpu_3() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("translate.gguf");
    gguf::ScriptedLlm::new("이것은 옮겼습니다.").write(&model).unwrap();
    let engines = engines_with_a_disk_that_hangs(&model);
    let sample = SampleWindow::start("gtk3_sample.py", "Hung");
    Mouse::new().move_to(sample.point("label_en"));
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA_ENGINE_DIR", engines.path()).env("LUNA__MODELS__TASKS__TRANSLATE", &model);
    });
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("translate");
    let begin = Instant::now();
    let one = || luna.engines("luna-engine-llm").first().copied();
    let engine = desktop::wait("the engine of the model", Duration::from_secs(10), one, String::new);
    luna.hears("번역할게요");
    // The engine hangs in a disk read; reading aloud and the status page still work.
    for _ in 0..4 {
        luna.clear();
        let start = Instant::now();
        let status = luna.get("status");
        assert!(status.contains("accessibility"), "{status}");
        luna.order("faster");
        luna.event("TTS.Rate", |_| true);
        assert!(start.elapsed() < Duration::from_secs(3), "it took {:?}", start.elapsed());
        std::thread::sleep(Duration::from_secs(1));
    }
    assert_eq!(luna.engines("luna-engine-llm"), [engine], "it still waits for its disk");
    // After half a minute, the limit for loading a small model, the program is ended and the person is told.
    let reported = || luna.seen.lock().unwrap().contains("언어 모델이 답하지 못했어요").then_some(());
    desktop::wait("the failure to be announced", Duration::from_secs(60), reported, || luna.get("status"));
    let took = begin.elapsed();
    assert!(took > Duration::from_secs(25), "it was given up after {took:?} already");
    let ended = || (!Path::new(&format!("/proc/{engine}")).exists()).then_some(());
    desktop::wait("the engine's end", Duration::from_secs(5), ended, String::new);
    let reported = luna.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    assert!(reported.contains("was not loaded in time"), "{reported}");
    assert_eq!(luna.metric("luna_engine_ends_total{engine=\"llm\""), 1.0, "{}", luna.get("metrics"));
    assert_eq!(luna.metric("luna_actor_hung_total"), 0.0);
    // The model's memory is free, and the same command works once the disk answers.
    let freed = || luna.get("status").contains("\"resident\":[]").then_some(());
    desktop::wait("its memory to be free", Duration::from_secs(5), freed, || luna.get("status"));
    std::fs::remove_file(&model).unwrap();
    std::fs::rename(folder.path().join("translate.gguf.away"), &model).unwrap();
    luna.clear();
    luna.order("translate");
    luna.hears("이것은 옮겼습니다");
}
