//! A real engine is killed at each stage: loading, running, streaming, unloading. Except for streaming, it is paused by SIGSTOP first, so that the
//! stage is certain.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::{EngineFailure, EngineProcess};
use luna_engine_protocol::{EngineJob, LlmLoad, LoadSpec, ModelFile, RecogniseJob, SpeakJob, SttLoad, TranscribeJob};
use luna_messages::Lang;
use luna_messages::engine::{EngineKind, GenerateJob, Prompt, Sampling, SoundExtent};
use tokio::time::{Instant, timeout};

use crate::desktop;
use crate::moved::CounterChanges;
use crate::world::counts::Counts;

const STEP_TIMEOUT: Duration = Duration::from_secs(60);

fn spec(kind: EngineKind) -> LoadSpec {
    match kind {
        EngineKind::Speech => LoadSpec::Speech(luna::engines::speech_load()),
        EngineKind::Ocr => {
            let mut config = luna_config::Config::built_in("default").unwrap();
            config.models.directory = Some(desktop::models());
            LoadSpec::Ocr(luna::engines::ocr_load(&config).unwrap())
        }
        EngineKind::Llm => LoadSpec::Llm(LlmLoad {
            name: "stories".into(),
            model: ModelFile::unknown(desktop::sample("llama2.c/stories260K.gguf")),
            projector: None,
            context_tokens: 512,
            threads: 1,
            gpu_layers: 0,
        }),
        EngineKind::Stt | EngineKind::SttCommand => LoadSpec::Stt(SttLoad {
            name: "stub".into(),
            model: ModelFile::unknown(speech_model()),
            threads: 1,
            gpu: false,
        }),
    }
}

/// A speech model written by the project, once for all tests here.
fn speech_model() -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        luna_test_support::tiny_models::whisper::ScriptedWhisper::new("heard")
            .write(&folder.path().join("heard.bin"))
            .unwrap();
        folder
    });
    folder.path().join("heard.bin")
}

async fn start(kind: EngineKind) -> EngineProcess {
    let config = luna_config::Config::built_in("default").unwrap();
    let program = luna::engines::program(kind, &config);
    let started = EngineProcess::start(&program).await;
    started.unwrap_or_else(|failure| panic!("{failure} `cargo build --workspace --bins` builds it."))
}

async fn loaded(kind: EngineKind) -> EngineProcess {
    let host = start(kind).await;
    host.load(spec(kind)).await.unwrap();
    host
}

fn job(kind: EngineKind) -> (EngineJob, Bytes) {
    match kind {
        EngineKind::Speech => {
            let text = "The quick brown fox jumps over the lazy dog. ".repeat(200);
            (EngineJob::Speak(SpeakJob { text, lang: Lang::En, voice: None }), Bytes::new())
        }
        EngineKind::Ocr => {
            let job = RecogniseJob { width: 1200, height: 900, magnify: 1.0, around: None };
            (EngineJob::Recognise(job), Bytes::from(vec![200; 3 * 1200 * 900]))
        }
        EngineKind::Llm => {
            let job = GenerateJob {
                prompt: Prompt::Text { text: "Once upon a time".into() },
                max_answer_tokens: 400,
                max_thinking_tokens: 0,
                sampling: Sampling::default(),
                stop: Vec::new(),
                grammar: None,
                pictures: Vec::new(),
            };
            (EngineJob::Generate(job), Bytes::new())
        }
        EngineKind::Stt | EngineKind::SttCommand => {
            let (lang, extent) = (Some(Lang::En), SoundExtent::Utterance);
            let job = TranscribeJob { lang, extent, hint: String::new(), partials: false };
            (EngineJob::Transcribe(job), Bytes::from(vec![0; 64_000]))
        }
    }
}

/// The operation in progress when an engine is killed.
#[derive(Clone, Copy)]
enum UnderWay {
    Load,
    /// Number of requests.
    Requests(u64),
    Unload,
}

/// Kills an engine once; expects a prompt error with its cause, a metric increase of one, and a working new engine.
fn check(kind: EngineKind, under_way: UnderWay, stage: impl AsyncFnOnce() -> Result<(), EngineFailure>) {
    let counts = Counts::default();
    metrics::with_local_recorder(&counts.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let moved = CounterChanges::since(&counts);
            let failure = timeout(STEP_TIMEOUT, stage()).await.expect("the asker was left waiting").unwrap_err();
            let EngineFailure::Ended { reason } = &failure else { panic!("{failure:?}") };
            assert!(reason.contains("SIGKILL"), "{failure}");
            let key = |rest: &str| format!("Key(luna_engine_{})", rest.replace("ENGINE", kind.name()));
            let lost = || match under_way {
                // The first of many may have completed.
                UnderWay::Requests(all) => all - counts.sum("luna_engine_requests_total", &[("outcome", "done")]),
                UnderWay::Load | UnderWay::Unload => 0,
            };
            let all_is_counted = || {
                let lost_requests = counts.sum("luna_engine_requests_total", &[("outcome", "lost")]);
                counts.sum("luna_engine_ends_total", &[]) > 0 && lost_requests >= lost()
            };
            let until = Instant::now() + STEP_TIMEOUT;
            while !all_is_counted() && Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let load = if matches!(under_way, UnderWay::Load) { "lost" } else { "done" };
            let mut expect = vec![
                (key("ends_total, [engine = ENGINE, how = crashed]"), 1),
                (key("starts_total, [engine = ENGINE]"), 1),
                (key(&format!("loads_total, [engine = ENGINE, outcome = {load}]")), 1),
            ];
            if lost() > 0 {
                expect.push((key("requests_total, [engine = ENGINE, outcome = lost]"), lost()));
            }
            let expect: Vec<(&str, u64)> = expect.iter().map(|(key, count)| (key.as_str(), *count)).collect();
            moved.expect(&counts, &expect);
            let host = loaded(kind).await;
            host.close(STEP_TIMEOUT).await;
        });
    });
}

const ALL: [EngineKind; 4] = [EngineKind::Speech, EngineKind::Ocr, EngineKind::Llm, EngineKind::Stt];

// ENG-2
#[test]
fn while_it_loads_eng_2() {
    for kind in ALL {
        check(kind, UnderWay::Load, async || {
            let host = start(kind).await;
            desktop::kill(host.pid(), "STOP");
            let pid = host.pid();
            let killed = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                desktop::kill(pid, "KILL");
            };
            tokio::join!(host.load(spec(kind)), killed).0.map(drop)
        });
    }
}

// ENG-2
#[test]
fn while_it_runs_eng_2() {
    for kind in ALL {
        check(kind, UnderWay::Requests(1), async || {
            let host = loaded(kind).await;
            let (job, payload) = job(kind);
            desktop::kill(host.pid(), "STOP");
            let mut run = host.run(job, payload)?;
            tokio::time::sleep(Duration::from_millis(50)).await;
            desktop::kill(host.pid(), "KILL");
            while run.next().await?.is_some() {}
            Ok(())
        });
    }
}

// ENG-2
#[test]
fn while_it_streams_eng_2() {
    for kind in [EngineKind::Speech, EngineKind::Llm] {
        check(kind, UnderWay::Requests(50), async || {
            let host = loaded(kind).await;
            let (job, payload) = job(kind);
            // So many that the engine can't finish them before it is killed.
            let mut runs = (0..50).map(|_| host.run(job.clone(), payload.clone())).collect::<Result<Vec<_>, _>>()?;
            assert!(runs[0].next().await?.is_some(), "there is a first part");
            desktop::kill(host.pid(), "KILL");
            let last = &mut runs[49];
            while last.next().await?.is_some() {}
            Ok(())
        });
    }
}

// ENG-2, ENG-3
#[test]
fn while_it_unloads_eng_2_eng_3() {
    for kind in ALL {
        check(kind, UnderWay::Unload, async || {
            let host = loaded(kind).await;
            let pid = host.pid();
            desktop::kill(pid, "STOP");
            let killed = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                desktop::kill(pid, "KILL");
            };
            let outcome = tokio::join!(host.unload(), killed).0;
            assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists() || outcome.is_err());
            outcome.map(drop)
        });
    }
}
