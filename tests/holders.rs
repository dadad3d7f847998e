//! The model actors under the real token, with real engines and tiny models: memory is released, work yields, a crash costs one request.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "engines are programs: they are waited for by the real clock")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_channel::{Receiver, bounded};
use luna::batch_commands::models::ModelActors;
use luna::batch_commands::transcribe::open;
use luna::system::System;
use luna_config::Config;
use luna_engine_host::ManagedEngine;
use luna_messages::engine::{GenerateJob, GenerationUsage, Prompt, Sampling, SoundExtent, TranscribedSegment};
use luna_messages::gpu::{MemoryPlace, ResidentState};
use luna_messages::llm::{Generate, GeneratedText, LlmMessage, LlmTask};
use luna_messages::stt::{SttMessage, Transcribe};
use luna_messages::work::WorkFailure;
use luna_messages::{NoReply, RequestId};
use luna_platform::card::fault::ScriptedMemory;
use luna_platform::card::{CardMemory, RamMemory};
use luna_test_support::reply;
use luna_test_support::tiny_models::{gguf, whisper};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

const STEP_TIMEOUT: Duration = Duration::from_secs(60);

type HolderAnswer<T> = oneshot::Receiver<Result<Result<T, WorkFailure>, NoReply>>;

/// Starts the model actors with models in `folder`.
fn start(folder: &Path, change: impl FnOnce(&mut Config)) -> ModelActors {
    start_on(&System::of_this_machine(), folder, change)
}

/// As [`start`], on a given machine.
fn start_on(system: &System, folder: &Path, change: impl FnOnce(&mut Config)) -> ModelActors {
    for engine in ["luna-engine-llm", "luna-engine-stt"] {
        let path = luna_engine_host::engine_path(engine);
        assert!(path.is_file(), "{} is not there: build it with `cargo build -p {engine}`", path.display());
    }
    let mut config = Config::built_in("default").unwrap();
    let at = |name: &str| Some(folder.join(name).to_str().unwrap().to_owned());
    (config.models.tasks.intent, config.models.tasks.translate) = (at("intent.gguf"), at("translate.gguf"));
    config.models.tasks.stt = at("speech.bin");
    (config.engines.llm.threads, config.engines.stt.threads) = (1, 1);
    change(&mut config);
    let says = |text: &str, name: &str| gguf::ScriptedLlm::new(text).write(&folder.join(name)).unwrap();
    says("This was understood.", "intent.gguf");
    says("이것은 옮겼습니다.", "translate.gguf");
    ModelActors::start(&config, system)
}

fn ask(models: &ModelActors, task: LlmTask) -> (RequestId, Receiver<GeneratedText>, HolderAnswer<GenerationUsage>) {
    let id = RequestId::next();
    let (pieces, reader) = bounded(4096);
    let (reply, answer) = reply();
    let job = GenerateJob {
        prompt: Prompt::Text { text: "Say something.".into() },
        max_answer_tokens: 3000,
        max_thinking_tokens: 0,
        sampling: Sampling::default(),
        stop: Vec::new(),
        grammar: None,
        pictures: Vec::new(),
    };
    let job = Box::new(job);
    let request = Generate { id, task, job, pictures: Vec::new(), include_thinking: false, pieces, reply };
    models.wiring.llm.post(LlmMessage::Generate(request)).unwrap();
    (id, reader, answer)
}

async fn says(models: &ModelActors, task: LlmTask) -> String {
    let (_, reader, answer) = ask(models, task);
    let mut all = String::new();
    while let Ok(GeneratedText { text, .. }) = timeout(STEP_TIMEOUT, reader.recv()).await.expect("no text comes") {
        all.push_str(&text);
    }
    answer.await.unwrap().unwrap().unwrap();
    all
}

async fn until(what: &str, is: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < STEP_TIMEOUT, "waited in vain until {what}");
        sleep(Duration::from_millis(5)).await;
    }
}

fn kill(slot: &Arc<ManagedEngine>) {
    signal(slot, "-KILL");
}

fn signal(slot: &Arc<ManagedEngine>, which: &str) {
    let pid = slot.pid().expect("it runs").to_string();
    assert!(std::process::Command::new("kill").args([which, &pid]).status().unwrap().success());
}

/// Transcribes a short recording.
fn transcribe_recording(models: &ModelActors) -> (RequestId, Receiver<String>, HolderAnswer<Vec<TranscribedSegment>>) {
    let id = RequestId::next();
    let (pieces, reader) = bounded(1);
    let (reply, answer) = reply();
    let jfk = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/whisper.cpp/jfk.wav");
    let request = Transcribe {
        id,
        sound: open(&jfk).unwrap(),
        lang: None,
        extent: SoundExtent::Utterance,
        hint: String::new(),
        partials: false,
        pieces,
        reply,
    };
    models.wiring.stt.post(SttMessage::Transcribe(request)).unwrap();
    (id, reader, answer)
}

// GPU-1, GPU-4, ENG-3, TRN-5: the intent model and the translation model, one at a time
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn models_take_turns_and_give_their_memory_back_gpu_1_gpu_4_eng_3_trn_5() {
    let folder = tempfile::tempdir().unwrap();
    let models = start(folder.path(), |config| config.gpu.linger_ms = 300);
    let slot = models.wiring.llm_engine.clone();
    assert_eq!(slot.pid(), None, "nothing runs before it is needed");
    for _ in 0..2 {
        assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
        let pid = slot.pid();
        assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
        assert!(pid.is_some() && slot.pid() == pid, "the model stays for the next request");
        assert_eq!(says(&models, LlmTask::Translate).await, "이것은 옮겼습니다.");
    }
    until("the idle model leaves", || slot.pid().is_none()).await;
    let status = models.status().await.unwrap();
    assert!(status.resident.is_empty() && status.waiting == 0, "{status:?}");
    models.end().await;
}

// ENG-2, GPU-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_engine_costs_one_request_eng_2_gpu_3() {
    let folder = tempfile::tempdir().unwrap();
    let models = start(folder.path(), |_| {});
    let slot = models.wiring.llm_engine.clone();
    let endless = gguf::ScriptedLlm { endless: true, ..gguf::ScriptedLlm::new("on and on and so it goes ") };
    endless.write(&folder.path().join("translate.gguf")).unwrap();
    let (_, reader, answer) = ask(&models, LlmTask::Translate);
    timeout(STEP_TIMEOUT, reader.recv()).await.unwrap().expect("its first words");
    // The request behind it still completes.
    let next = says(&models, LlmTask::Intent);
    let killed = async {
        sleep(Duration::from_millis(50)).await;
        kill(&slot);
        while reader.recv().await.is_ok() {}
        let failure = answer.await.unwrap().unwrap().unwrap_err();
        assert!(matches!(failure, WorkFailure::EngineEnded { .. }), "{failure}");
        assert!(failure.to_string().contains("SIGKILL"), "{failure}");
    };
    let (text, ()) = tokio::join!(next, killed);
    assert_eq!(text, "This was understood.");
    // Killing an idle engine fails no request.
    kill(&slot);
    until("its end is noticed", || slot.pid().is_none()).await;
    assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
    models.end().await;
    assert_eq!(slot.pid(), None);
}

// ENG-2, ENG-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_aborts_costs_one_request_eng_2_eng_4() {
    let folder = tempfile::tempdir().unwrap();
    let models = start(folder.path(), |_| {});
    let endless = gguf::ScriptedLlm { endless: true, ..gguf::ScriptedLlm::new("on and on and so it goes ") };
    endless.write(&folder.path().join("translate.gguf")).unwrap();
    let (_, reader, answer) = ask(&models, LlmTask::Translate);
    timeout(STEP_TIMEOUT, reader.recv()).await.unwrap().expect("its first words");
    signal(&models.wiring.llm_engine, "-ABRT");
    while reader.recv().await.is_ok() {}
    let failure = answer.await.unwrap().unwrap().unwrap_err();
    assert!(failure.to_string().contains("SIGABRT"), "{failure}");
    assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
    models.end().await;
}

// ENG-1, ENG-4, KER-9
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_model_is_named_and_works_once_it_is_right_eng_1_eng_4_ker_9() {
    let folder = tempfile::tempdir().unwrap();
    let models = start(folder.path(), |_| {});
    let (text, sound) = (folder.path().join("intent.gguf"), folder.path().join("speech.bin"));
    whisper::RandomWhisper { sizes: whisper::WhisperSizes::default(), seed: 1 }.write(&sound).unwrap();
    let whole = [&text, &sound].map(|path| std::fs::read(path).unwrap());
    for (path, bytes) in [&text, &sound].into_iter().zip(&whole) {
        for broken in [&bytes[..bytes.len() / 2], &bytes[..3], b"", &[0xff; 4096]] {
            std::fs::write(path, broken).unwrap();
            let failure = if path == &text {
                let (_, reader, answer) = ask(&models, LlmTask::Intent);
                assert!(timeout(STEP_TIMEOUT, reader.recv()).await.unwrap().is_err(), "a broken model says nothing");
                answer.await.unwrap().unwrap().unwrap_err()
            } else {
                let (_, _reader, answer) = transcribe_recording(&models);
                timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap().unwrap_err()
            };
            let said = failure.to_string();
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(said.contains(name) && said.len() < 600, "{said}");
        }
    }
    // The other model still works, and the repaired file works without a restart.
    assert_eq!(says(&models, LlmTask::Translate).await, "이것은 옮겼습니다.");
    std::fs::write(&text, &whole[0]).unwrap();
    std::fs::write(&sound, &whole[1]).unwrap();
    assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
    let (_, _reader, answer) = transcribe_recording(&models);
    timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap().unwrap();
    models.end().await;
}

async fn until_it_works(models: &ModelActors) {
    let begin = Instant::now();
    while models
        .status()
        .await
        .is_none_or(|status| status.resident.iter().all(|model| model.state != ResidentState::Working))
    {
        assert!(begin.elapsed() < STEP_TIMEOUT, "it does not begin");
        sleep(Duration::from_millis(5)).await;
    }
}

// KER-6, STT-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_is_quick_also_in_a_long_pass_of_the_encoder_and_the_next_is_warm_ker_6_stt_1() {
    let folder = tempfile::tempdir().unwrap();
    let models = start(folder.path(), |_| {});
    let slot = models.wiring.stt_engine.clone();
    // As wide as the smallest real model, so that a pass takes its time.
    let sizes = whisper::WhisperSizes {
        state: 384,
        heads: 6,
        audio_layers: 4,
        text_layers: 4,
        ..whisper::WhisperSizes::default()
    };
    whisper::RandomWhisper { sizes, seed: 1 }.write(&folder.path().join("speech.bin")).unwrap();
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        let (id, _reader, answer) = transcribe_recording(&models);
        until_it_works(&models).await;
        sleep(Duration::from_millis(100)).await;
        let begin = Instant::now();
        models.wiring.stt.post(SttMessage::Cancel { id }).unwrap();
        let end = timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap();
        assert_eq!(end.unwrap_err(), WorkFailure::Cancelled);
        longest = longest.max(begin.elapsed());
        until("the next engine is warm", || slot.is_warm()).await;
    }
    eprintln!("the longest cancel took {longest:?}");
    // 100 ms on a quiet machine; other tests may use the cores here.
    assert!(longest < Duration::from_secs(1), "{longest:?}");
    models.end().await;
}

// KER-6, STT-1, ENG-3: a standby program replaces the program that a cancel ended
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_that_ends_the_engine_loads_nothing_before_the_next_words_ker_6_stt_1_eng_3() {
    let folder = tempfile::tempdir().unwrap();
    // So large that a pass of the encoder takes longer than the engine may take to cancel.
    let sizes = whisper::WhisperSizes { state: 384, heads: 6, ..whisper::WhisperSizes::default() };
    let model = whisper::ScriptedWhisper { sizes, ..whisper::ScriptedWhisper::new("the words that were said") };
    model.write(&folder.path().join("speech.bin")).unwrap();
    for stands_by in [true, false] {
        let models = start(folder.path(), |_| {});
        models.wiring.stt_standby.store(stands_by, Ordering::Relaxed);
        let slot = models.wiring.stt_engine.clone();
        let (_, _reader, answer) = transcribe_recording(&models);
        timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap().unwrap();
        let mut seen = Vec::new();
        for _ in 0..3 {
            if stands_by {
                until("one stands by", || slot.standby_pid().is_some()).await;
            }
            let (first, second) = (slot.pid(), slot.standby_pid());
            assert_eq!(second.is_some(), stands_by);
            assert!(!seen.contains(&first), "{first:?} again, {seen:?}");
            seen.push(first);
            let (id, _reader, answer) = transcribe_recording(&models);
            until_it_works(&models).await;
            sleep(Duration::from_millis(100)).await;
            assert_eq!(slot.pid(), first);
            let begin = Instant::now();
            models.wiring.stt.post(SttMessage::Cancel { id }).unwrap();
            assert_eq!(
                timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap().unwrap_err(),
                WorkFailure::Cancelled
            );
            let cancelled = begin.elapsed();
            if stands_by {
                // The engine is the former standby process and warm at once: nothing was loaded.
                assert!(slot.is_warm() && slot.pid() == second, "{:?} instead of {second:?}", slot.pid());
            }
            until("the next engine is warm", || slot.is_warm()).await;
            let warm = begin.elapsed();
            let (_, _reader, answer) = transcribe_recording(&models);
            let words = timeout(STEP_TIMEOUT, answer).await.unwrap().unwrap().unwrap().unwrap();
            assert_eq!(words[0].text.trim(), "the words that were said");
            let next = begin.elapsed();
            assert!(!stands_by || slot.pid() == second, "the next words were written down by another program");
            eprintln!("stands by: {stands_by}; cancelled after {cancelled:?}, warm {warm:?}, the next words {next:?}");
        }
        let pids: Vec<u32> = [slot.pid(), slot.standby_pid()].into_iter().flatten().collect();
        let is_there = |pid: &u32| Path::new(&format!("/proc/{pid}")).exists();
        assert!(pids.iter().all(is_there));
        models.end().await;
        assert!(!pids.iter().any(is_there), "a program is left over");
    }
}

// GPU-6
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_built_for_the_processor_works_beside_any_card_and_charges_ram_gpu_6() {
    // Cards too small for the model, and a large enough card: the engine of these tests can use none of them.
    for (card_mb, context_tokens) in [(100, 65_536), (2048, 4096), (8192, 4096)] {
        let folder = tempfile::tempdir().unwrap();
        let card = CardMemory { name: "A card".into(), total: card_mb << 20, free: card_mb << 20 };
        let memory = ScriptedMemory::new(Some(card), Some(RamMemory { total: 16 << 30, available: 8 << 30 }));
        let memory = Arc::new(memory);
        let system = System { card: memory.clone(), memory, ..System::of_this_machine() };
        let models = start_on(&system, folder.path(), |config| config.engines.llm.context_tokens = context_tokens);
        assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.", "a card of {card_mb} MB");
        let status = models.status().await.unwrap();
        let used = |place| status.pools.iter().find(|pool| pool.place == place).map(|pool| pool.used_mb);
        assert_eq!(used(MemoryPlace::Card), Some(0), "{status:?}");
        assert!(used(MemoryPlace::Ram).is_some_and(|mb| mb > 0), "{status:?}");
        let pid = models.wiring.llm_engine.pid();
        assert_eq!(says(&models, LlmTask::Intent).await, "This was understood.");
        assert_eq!(models.wiring.llm_engine.pid(), pid, "it is not loaded again for it");
        models.end().await;
    }
}
