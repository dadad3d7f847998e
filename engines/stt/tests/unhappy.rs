//! Failures: files, jobs, memory, the end of the host (ENG-1..ENG-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests may fail")]

#[path = "support/host.rs"]
mod host;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use host::{STEP_TIMEOUT, begin, end, job, load, load_of, loaded, program, refused, scripted, start, tone, transcribe};
use luna_engine_host::{EngineFailure, EngineProcess};
use luna_engine_protocol::{EngineJob, LoadSpec, ModelFile, RecogniseJob, SpeechLoad};
use luna_messages::Lang::En;
use luna_messages::engine::EngineErrorKind;
use luna_messages::engine::SoundExtent::{Utterance, Window};
use luna_test_support::tiny_models::whisper::{RandomWhisper, ScriptedWhisper};

/// Expects the file to be rejected with this kind of error, containing these words, and a working engine afterwards.
async fn check(model: ModelFile, kind: EngineErrorKind, words: &[&str]) {
    let host = start().await;
    let error = refused(host.load(LoadSpec::Stt(load_of(model.clone()))).await);
    assert_eq!(error.kind, kind, "{error}");
    for word in words.iter().copied().chain([model.path.to_str().unwrap()]) {
        assert!(error.message.contains(word), "{word:?} in {error}");
    }
    assert!(error.remedy.contains("luna models fetch"), "{error}");
    let (_, result) = end(&mut begin(&host, job(None, Utterance), tone(1.0))).await;
    assert_eq!(refused(result).kind, EngineErrorKind::NotLoaded);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.bin");
    ScriptedWhisper::new("it works").write(&path).unwrap();
    load(&host, &path).await.expect("a good model loads after an error");
    assert_eq!(transcribe(&host, job(Some(En), Window), tone(1.0)).await.text(), "it works");
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

// ENG-4
#[tokio::test]
async fn files_that_are_missing_or_others_are_named_eng_4() {
    use EngineErrorKind::{BadModel, Missing};
    let folder = tempfile::tempdir().unwrap();
    check(ModelFile::unknown(folder.path().join("nowhere.bin")), Missing, &["can't be read"]).await;
    check(ModelFile::unknown(folder.path().to_owned()), BadModel, &["is not a file"]).await;
    for (name, bytes, words) in [
        ("empty.bin", &b""[..], "truncated"),
        ("page.bin", b"<html><body>this is not the file that was asked for</body></html>", "is no ggml file"),
        (
            "other.gguf",
            b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "is no ggml file",
        ),
    ] {
        check(ModelFile::unknown(file(folder.path(), name, bytes)), BadModel, &[words]).await;
    }
}

// ENG-4, PRV-7
#[tokio::test]
async fn files_of_another_size_or_checksum_are_refused_eng_4_prv_7() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    let bytes = ScriptedWhisper::new("text").write(&path).unwrap();
    let known =
        |bytes: Option<u64>, sum: Option<&str>| ModelFile { path: path.clone(), bytes, sha256: sum.map(str::to_owned) };
    check(known(Some(bytes + 1), None), EngineErrorKind::BadModel, &["truncated"]).await;
    check(known(Some(bytes - 1), None), EngineErrorKind::BadModel, &["too long"]).await;
    check(known(None, Some(&"0".repeat(64))), EngineErrorKind::BadModel, &["SHA-256"]).await;
}

// ENG-4
#[tokio::test]
async fn files_that_break_off_or_lie_never_reach_whisper_eng_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.bin");
    ScriptedWhisper::new("text").write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for length in [40, 60, 30_000, 66_000, whole.len() / 2, whole.len() - 1] {
        let cut = file(folder.path(), &format!("cut-{length}.bin"), &whole[..length]);
        check(ModelFile::unknown(cut), EngineErrorKind::BadModel, &["truncated"]).await;
    }
    for (name, at, value, words) in [
        ("type.bin", 44, 1234u32, "is stored in a way that is not known"),
        ("layers.bin", 20, 1 << 30, "number of layers is 1073741824"),
        ("width.bin", 12, u32::MAX, "width is 4294967295"),
    ] {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        check(ModelFile::unknown(file(folder.path(), name, &bytes)), EngineErrorKind::BadModel, &[words]).await;
    }
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/whisper.cpp/for-tests-ggml-tiny.bin");
    assert!(stub.exists(), "{} is missing", stub.display());
    check(ModelFile::unknown(stub), EngineErrorKind::BadModel, &["holds no weights"]).await;
}

// ENG-4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_model_that_does_not_fit_into_memory_is_refused_eng_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    ScriptedWhisper::new("small enough").write(&path).unwrap();
    // An address space that fits the program but no model of 51,865 tokens.
    let mut small = program();
    let engine = small.path.display().to_string();
    small.path = PathBuf::from("/bin/sh");
    small.arguments = vec!["-c".into(), "ulimit -v 200000; exec \"$0\"".into(), engine];
    let host = EngineProcess::start(&small).await.unwrap();
    let error = refused(load(&host, &path).await);
    assert_eq!(error.kind, EngineErrorKind::OutOfMemory, "{error}");
    assert!(error.message.contains("MB are free"), "{error}");
    assert!(host.is_alive() && host.health(STEP_TIMEOUT).await.is_ok());
}

// ENG-1
#[tokio::test]
async fn jobs_that_cannot_be_done_are_refused_eng_1() {
    use EngineErrorKind::{BadInput, Unsupported};
    let (host, _folder) = scripted(ScriptedWhisper::new("fine")).await;
    let zeros = |bytes: usize| Bytes::from(vec![0; bytes]);
    for (extent, sound) in [
        (Utterance, zeros(0)),
        (Utterance, zeros(1)),
        (Window, zeros(31_999)),
        (Utterance, zeros(601 * 32_000)),
        (Window, zeros(31 * 32_000)),
    ] {
        let (_, result) = end(&mut begin(&host, job(None, extent), sound)).await;
        assert_eq!(refused(result).kind, BadInput);
    }
    let picture = RecogniseJob { width: 1, height: 1, magnify: 1.0, around: None };
    let mut other = host.run(EngineJob::Recognise(picture), zeros(3)).unwrap();
    assert_eq!(refused(end(&mut other).await.1).kind, Unsupported);
    assert_eq!(transcribe(&host, job(Some(En), Utterance), tone(1.0)).await.text(), "fine", "it goes on");
    let speech = LoadSpec::Speech(SpeechLoad { library: None, data: None });
    assert_eq!(refused(host.load(speech).await).kind, Unsupported);
}

// GPU-5
#[cfg(not(any(feature = "cuda", feature = "vulkan")))]
#[tokio::test]
async fn a_build_without_cards_says_so_and_works_gpu_5() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    ScriptedWhisper::new("on the processor").write(&path).unwrap();
    let host = start().await;
    let mut spec = load_of(ModelFile::unknown(path.clone()));
    spec.gpu = true;
    let answer = host.load(LoadSpec::Stt(spec)).await.unwrap();
    assert_eq!(answer.notes.iter().map(|note| note.topic.as_str()).collect::<Vec<_>>(), ["gpu"]);
    assert_eq!(
        (answer.models[0].name.as_str(), answer.models[0].bytes),
        ("whisper:test", path.metadata().unwrap().len())
    );
    assert_eq!(transcribe(&host, job(Some(En), Window), tone(1.0)).await.text(), "on the processor");
}

// ENG-3
#[tokio::test]
async fn unloading_gives_memory_back_ten_times_in_a_row_eng_3() {
    const MEGABYTE: u64 = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    let mut model = RandomWhisper::default();
    model.sizes.state = 256;
    model.sizes.heads = 4;
    model.write(&path).unwrap();
    let host = start().await;
    let mut after = Vec::new();
    for _ in 0..11 {
        let loaded = load(&host, &path).await.unwrap().resident_bytes;
        transcribe(&host, job(None, Window), tone(2.0)).await;
        let unloaded = host.unload().await.unwrap();
        assert!(loaded > unloaded + 25 * MEGABYTE, "{loaded} {unloaded}");
        after.push(unloaded);
    }
    // The first run maps code that stays in memory.
    let (first, last) = (after[1], after[10]);
    assert!(last <= first + 2 * MEGABYTE, "{after:?}");
    let (_, result) = end(&mut begin(&host, job(None, Window), tone(1.0))).await;
    assert_eq!(refused(result).kind, EngineErrorKind::NotLoaded);
}

// ENG-2
#[tokio::test]
async fn many_jobs_do_not_make_it_grow_eng_2() {
    let (host, _folder) = scripted(ScriptedWhisper::new("again and again")).await;
    let mut job = job(None, Window);
    job.hint = "루나 ".repeat(200);
    let mut resident = Vec::new();
    for round in 0..60 {
        assert_eq!(transcribe(&host, job.clone(), tone(1.0)).await.text(), "again and again");
        if round % 20 == 19 {
            resident.push(host.health(STEP_TIMEOUT).await.unwrap().resident_bytes);
        }
    }
    assert!(resident[2] < resident[0] + (1 << 20), "{resident:?}");
}

// ENG-1, ENG-2
#[tokio::test]
async fn the_program_ends_with_its_host_also_during_work_eng_1_eng_2() {
    let (host, _folder) = loaded(|path| {
        let mut model = RandomWhisper::default();
        (model.sizes.state, model.sizes.heads, model.sizes.audio_layers) = (256, 4, 6);
        model.write(path).unwrap();
    })
    .await;
    let mut run = begin(&host, job(Some(En), Utterance), tone(60.0));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(host.health(STEP_TIMEOUT).await.unwrap().running.is_some(), "it works on the job");
    let start = Instant::now();
    host.close(STEP_TIMEOUT).await;
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(matches!(end(&mut run).await.1, Err(EngineFailure::Ended { .. })));
}
