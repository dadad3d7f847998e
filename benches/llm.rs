//! The language-model engine compared with llama-cpp-python: same file, same prompt, same number of threads, in one run, alternately.
//! Goals: at least 0.97 of its tokens per second; a frame round trip of at most 150 µs at the 99th percentile.
//!
//! `cargo bench -p luna-engine-llm`; LUNA_BENCH_ROUNDS sets the number of rounds (5), LUNA_BENCH_THREADS that of threads (2).
//! Writes `target/report/llm.json`. The package goes to `target/llm-peer-venv`, the models to `target/bench-models`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench"
)]

#[path = "support/peer.rs"]
mod peer;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use luna_engine_host::process::{EngineProcess, EngineProgram};
use luna_engine_protocol::{CountTokensJob, EngineChunk, EngineJob, LlmLoad, LoadSpec, ModelFile};
use luna_messages::engine::{EngineKind, GenerateJob, GenerationUsage, Grammar, Prompt, Sampling};
use luna_test_support::tiny_models::gguf::RandomLlm;
use peer::{PythonPeer, python};
use serde_json::{Value, json};

const PACKAGE: &str = "llama-cpp-python";
const CONTEXT: u32 = 2048;
/// Tokens per answer.
const ANSWER: u32 = 96;
const CALLS: usize = 3000;
/// A string of maximum length: the model does not end it.
const SCHEMA: &str = r#"{"type":"object","properties":{"value":{"type":"string","minLength":200,"maxLength":400}},"required":["value"]}"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

struct LlamaPeer(PythonPeer);

impl LlamaPeer {
    fn start() -> Self {
        // Built from source with the settings of our llama.cpp, including OpenMP, which is its default.
        let settings = "-DGGML_NATIVE=OFF -DGGML_OPENMP=ON -DLLAVA_BUILD=OFF -DCMAKE_BUILD_TYPE=Release";
        let variables = [("CMAKE_ARGS", settings), ("CMAKE_BUILD_PARALLEL_LEVEL", "2")];
        let python = python(&root().join("target/llm-peer-venv"), &[(&["--no-binary", PACKAGE, PACKAGE], &variables)]);
        let mut peer = PythonPeer::start(&python, &root().join("benches/llm_llamacpp.py"), &[]);
        peer.expect_ready();
        Self(peer)
    }

    fn ask(&mut self, command: &Value) -> Value {
        self.0.ask(command)
    }

    fn say(&mut self, prompt: &str, tokens: u32, schema: Option<&str>) -> Timing {
        let answer = self.ask(&json!({ "do": "say", "prompt": prompt, "tokens": tokens, "schema": schema }));
        let number = |name: &str| answer[name].as_f64().unwrap();
        Timing { first: number("first"), total: number("total"), tokens: number("tokens"), prompt: number("prompt") }
    }
}

#[derive(Debug, Clone, Copy)]
struct Timing {
    first: f64,
    total: f64,
    tokens: f64,
    prompt: f64,
}

impl Timing {
    fn tokens_a_second(self) -> f64 {
        (self.tokens - 1.0) / (self.total - self.first)
    }

    fn microseconds_a_token(self) -> f64 {
        1e6 / self.tokens_a_second()
    }
}

struct LlmSubject {
    host: EngineProcess,
    threads: usize,
}

impl LlmSubject {
    async fn start(threads: usize) -> Self {
        let program = EngineProgram {
            kind: EngineKind::Llm,
            path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-llm")),
            arguments: Vec::new(),
            nice: 0,
            memory_limit: None,
        };
        Self { host: EngineProcess::start(&program).await.expect("the engine starts"), threads }
    }

    async fn load(&self, path: &Path) {
        let spec = LlmLoad {
            name: "bench".to_owned(),
            model: ModelFile::unknown(path.to_owned()),
            projector: None,
            context_tokens: CONTEXT,
            threads: self.threads,
            gpu_layers: 0,
        };
        self.host.load(LoadSpec::Llm(spec)).await.expect("the model loads");
    }

    async fn say(&self, prompt: &str, tokens: u32, schema: Option<&str>) -> Timing {
        let job = GenerateJob {
            prompt: Prompt::Text { text: prompt.to_owned() },
            max_answer_tokens: tokens,
            max_thinking_tokens: 0,
            sampling: Sampling::default(),
            stop: Vec::new(),
            grammar: schema.map(|schema| Grammar::JsonSchema { schema: schema.to_owned() }),
            pictures: Vec::new(),
        };
        let start = Instant::now();
        let mut run = self.host.run(EngineJob::Generate(job), Bytes::new()).unwrap();
        let mut usage: Option<GenerationUsage> = None;
        while let Some((chunk, _)) = run.next().await.expect("the job is done") {
            if let EngineChunk::Usage(told) = chunk {
                usage = Some(told);
            }
        }
        let (total, usage) = (start.elapsed().as_secs_f64(), usage.unwrap());
        Timing {
            first: usage.first_token_us as f64 / 1e6,
            total,
            tokens: f64::from(usage.answer_tokens),
            prompt: f64::from(usage.prompt_tokens),
        }
    }

    /// A frame round trip that the engine answers without work, microseconds.
    async fn frame(&self) -> f64 {
        let start = Instant::now();
        self.host.health(Duration::from_secs(5)).await.expect("a sign of life");
        start.elapsed().as_secs_f64() * 1e6
    }

    /// A small job's round trip, microseconds.
    async fn call(&self) -> f64 {
        let job = EngineJob::CountTokens(CountTokensJob { texts: vec!["안녕".to_owned()] });
        let start = Instant::now();
        let mut run = self.host.run(job, Bytes::new()).unwrap();
        while run.next().await.unwrap().is_some() {}
        start.elapsed().as_secs_f64() * 1e6
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(values: &[f64]) -> f64 {
    let values = sorted(values.to_vec());
    values[values.len() / 2]
}

#[derive(Default)]
struct LlmBenchReport(Vec<Value>);

impl LlmBenchReport {
    fn pair(&mut self, name: &str, unit: &str, better: &str, goal: &str, (ours, peer): (&[f64], &[f64])) {
        let (ours, peer) = (median(ours), median(peer));
        let ratio = ours / peer;
        println!("{name:<60} {ours:>9.2} {unit:<8} peer {peer:>9.2} ratio {ratio:.3} {goal}");
        self.0.push(json!({
            "name": name, "unit": unit, "ours": ours, "peers": { "llama-cpp-python": peer }, "ratio": ratio, "better": better, "goal": goal
        }));
    }

    fn alone(&mut self, name: &str, unit: &str, goal: &str, ours: f64) {
        println!("{name:<60} {ours:>9.2} {unit:<8} {goal}");
        self.0.push(json!({ "name": name, "unit": unit, "ours": ours, "goal": goal, "better": "lower" }));
    }
}

/// A model file, written once.
fn model(seed: u64) -> PathBuf {
    let folder = root().join("target/bench-models");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("random-100m-{seed}.gguf"));
    if !path.exists() {
        let part = path.with_extension("part");
        RandomLlm::hundred_million(seed).write(&part).unwrap();
        std::fs::rename(part, &path).unwrap();
    }
    path
}

fn main() {
    // `cargo test --benches` only checks that it starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    // Threads scheduled like Luna's own.
    let quick = || luna_platform::scheduling::raise_thread_priority().expect("threads may ask for short slices");
    quick();
    let threads =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).on_thread_start(quick).enable_all().build();
    // On one of these threads, like Luna's actors; the thread that only waits for the end would add its own wake-up to each call.
    threads.unwrap().block_on(async { tokio::spawn(measure()).await.expect("the measurement comes to its end") });
}

async fn measure() {
    let number =
        |name: &str, usual: usize| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual);
    let (rounds, threads) = (number("LUNA_BENCH_ROUNDS", 5), number("LUNA_BENCH_THREADS", 2));
    let (first, other) = (model(1), model(2));
    let mut peer = LlamaPeer::start();
    let ours = LlmSubject::start(threads).await;
    let mut report = LlmBenchReport::default();
    ours.load(&first).await;
    peer.ask(&json!({ "do": "load", "path": first, "threads": threads, "context": CONTEXT }));

    let prefix = "The window has a menu and a list of files. ".repeat(14);
    let mut times: [[Vec<f64>; 2]; 6] = Default::default();
    for round in 0..=rounds {
        // The engines alternate in going first, and the first round warms up caches.
        let mut results = [Vec::new(), Vec::new()];
        for turn in 0..2 {
            let subject = (round + turn) % 2;
            // A new prefix each round, so that only the intended part is reused.
            let cold = format!("{round} {prefix}");
            let say = async |peer: &mut LlamaPeer, prompt: &str, tokens: u32, schema: Option<&str>| match subject {
                0 => ours.say(prompt, tokens, schema).await,
                _ => peer.say(prompt, tokens, schema),
            };
            let plain = say(&mut peer, &cold, ANSWER, None).await;
            let again = say(&mut peer, &format!("{cold}open the second file"), 1, None).await;
            let shaped = say(&mut peer, &format!("{cold}answer in JSON"), ANSWER, Some(SCHEMA)).await;
            assert!(plain.tokens >= f64::from(ANSWER) && shaped.tokens >= f64::from(ANSWER), "{plain:?} {shaped:?}");
            assert!(plain.prompt > 500.0);
            results[subject] = vec![
                plain.tokens_a_second(),
                plain.first * 1e3,
                again.first * 1e3,
                shaped.tokens_a_second(),
                shaped.microseconds_a_token() - plain.microseconds_a_token(),
            ];
        }
        if round > 0 {
            for (subject, values) in results.iter().enumerate() {
                values.iter().enumerate().for_each(|(at, value)| times[at][subject].push(*value));
            }
        }
    }
    for round in 0..=rounds {
        let path = if round % 2 == 0 { &other } else { &first };
        let start = Instant::now();
        ours.host.unload().await.unwrap();
        ours.load(path).await;
        ours.say("open the second file", 1, None).await;
        let own = start.elapsed().as_secs_f64() * 1e3;
        let swap = peer.ask(&json!({
            "do": "swap", "path": path, "threads": threads, "context": CONTEXT, "prompt": "open the second file"
        }));
        if round > 0 {
            times[5][0].push(own);
            times[5][1].push(swap["total"].as_f64().unwrap() * 1e3);
        }
    }
    drop(peer);
    let rows = [
        ("tokens of an answer", "1/s", "higher", "≥ 0.97 of the peer"),
        ("time to the first token, prompt of 600 tokens", "ms", "lower", ""),
        ("time to the first token, known beginning", "ms", "lower", ""),
        ("tokens of an answer with a JSON Schema", "1/s", "higher", ""),
        ("cost of the JSON Schema a token", "µs", "lower", ""),
        ("swap, from release to the other model's first token", "ms", "lower", ""),
    ];
    for ((name, unit, better, goal), [own, peer]) in rows.into_iter().zip(&times) {
        report.pair(&format!("{name}, {threads} threads"), unit, better, goal, (own, peer));
    }
    let (mut calls, mut frames) = (Vec::new(), Vec::new());
    for round in 0..CALLS + 200 {
        let took = [ours.call().await, ours.frame().await];
        if round >= 200 {
            calls.push(took[0]);
            frames.push(took[1]);
        }
        // Jobs arrive with pauses, as in real use.
        if round % 50 == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    for (what, goal, took) in [("a frame", "≤ 150", frames), ("a small job with its result and end", "", calls)] {
        let took = sorted(took);
        report.alone(&format!("{what} there and back, median"), "µs", "", median(&took));
        report.alone(&format!("{what} there and back, 99 of 100"), "µs", goal, took[took.len() * 99 / 100]);
    }
    let folder = root().join("target/report");
    std::fs::create_dir_all(&folder).unwrap();
    let page = json!({
        "title": "Language model engine",
        "goal": "at least 0.97 of the tokens a second of the same library through llama-cpp-python; a call in 150 µs",
        "rows": report.0,
        "note": "A model of 110 million random weights (q8_0), greedy."
    });
    std::fs::write(folder.join("llm.json"), serde_json::to_string_pretty(&page).unwrap()).unwrap();
}
