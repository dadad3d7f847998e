//! A window of speech, as of a command, compared with the same sound as an utterance: from its hand-over to the whole transcript, by the real
//! engine of speech recognition. Models of the real sizes of Whisper tiny and base whose words are scripted, labelled so: the compute is real.
//! Goal: a window of 0.8 s within 300 ms with tiny, on an idle machine.
//!
//! `cargo bench -p luna-engine-stt`; LUNA_BENCH_ROUNDS sets the number of rounds (20), LUNA_BENCH_THREADS that of threads (1).
//! Writes `target/report/listen_window.json`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use bytes::Bytes;
use luna_engine_host::{EngineProcess, EngineProgram};
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, ModelFile, SttLoad, TranscribeJob};
use luna_messages::Lang;
use luna_messages::engine::{EngineKind, SoundExtent};
use luna_test_support::tiny_models::whisper::{PublishedWhisper, REAL_SIZE_LABEL, ScriptedWhisper, WhisperSizes};
use serde_json::json;

/// A command, cut into tokens as Whisper cuts Korean.
const COMMAND: &str = "잠깐 멈춰";

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// A swelling tone.
fn sound(seconds: f32) -> Bytes {
    let sample = |at: usize| {
        let time = at as f32 / 16_000.0;
        (6000.0 * (time * 2000.0).sin() * (0.6 + 0.4 * (time * 20.0).sin())) as i16
    };
    (0..(seconds * 16_000.0) as usize).flat_map(|at| sample(at).to_le_bytes()).collect()
}

/// An engine with a model that hears the command, whatever is said.
async fn engine(model: PublishedWhisper, folder: &Path, threads: usize) -> EngineProcess {
    let path = folder.join(format!("{model:?}.bin"));
    let mut script = ScriptedWhisper::new(COMMAND).in_tokens_of(3).hearing(&[("ko", 1.0)]);
    script.sizes = WhisperSizes::of(model);
    script.write(&path).expect("the model is written");
    let program = EngineProgram {
        kind: EngineKind::Stt,
        path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-stt")),
        arguments: Vec::new(),
        nice: 0,
        memory_limit: None,
    };
    let host = EngineProcess::start(&program).await.expect("the engine starts");
    let spec = SttLoad { name: "bench".to_owned(), model: ModelFile::unknown(path), threads, gpu: false };
    host.load(LoadSpec::Stt(spec)).await.expect("the model loads");
    host
}

/// Milliseconds to the whole transcript.
async fn once(host: &EngineProcess, extent: SoundExtent, lang: Option<Lang>, sound: Bytes) -> f64 {
    let job = TranscribeJob { lang, extent, hint: String::new(), partials: true };
    let begin = Instant::now();
    let mut run = host.run(EngineJob::Transcribe(job), sound).expect("it takes jobs");
    let mut heard = String::new();
    while let Some((chunk, _)) = run.next().await.expect("the job is done") {
        if let EngineChunk::Transcript(segment) = chunk {
            heard.push_str(&segment.text);
        }
    }
    assert!(heard.starts_with(COMMAND), "{heard}");
    begin.elapsed().as_secs_f64() * 1000.0
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() as f64 * share).ceil() as usize).clamp(1, values.len()) - 1]
}

#[tokio::main]
async fn main() {
    // `cargo test --benches` only checks that it starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let (rounds, threads) = (number("LUNA_BENCH_ROUNDS", 20), number("LUNA_BENCH_THREADS", 1));
    let folder = tempfile::tempdir().unwrap();
    let mut rows = Vec::new();
    for model in [PublishedWhisper::Tiny, PublishedWhisper::Base] {
        let host = engine(model, folder.path(), threads).await;
        for seconds in [0.8, 1.5, 3.0] {
            for lang in [Some(Lang::Ko), None] {
                // Alternately, so that whatever else the machine does affects both.
                let (mut windows, mut whole) = (Vec::new(), Vec::new());
                for _ in 0..rounds.max(1) {
                    windows.push(once(&host, SoundExtent::Window, lang, sound(seconds)).await);
                    whole.push(once(&host, SoundExtent::Utterance, lang, sound(seconds)).await);
                }
                let told = if lang.is_some() { "language known" } else { "language detected" };
                let name = format!("{model:?}, {seconds} s, {told}, {threads} threads ({REAL_SIZE_LABEL})");
                let [window, late, utterance] =
                    [percentile(&mut windows, 0.5), percentile(&mut windows, 0.95), percentile(&mut whole, 0.5)];
                println!("{name}: window p50 {window:.0} ms, p95 {late:.0} ms; utterance p50 {utterance:.0} ms");
                rows.push(json!({ "name": name, "unit": "ms", "ours": window,
                    "peers": { "as an utterance": utterance }, "better": "lower" }));
            }
        }
    }
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report");
    std::fs::create_dir_all(&report).unwrap();
    let title = format!("A window of speech through the recogniser: {REAL_SIZE_LABEL}");
    let text = json!({ "title": title, "goal": "300 ms for 0.8 s with tiny", "rows": rows });
    std::fs::write(report.join("listen_window.json"), serde_json::to_vec_pretty(&text).unwrap()).unwrap();
}
