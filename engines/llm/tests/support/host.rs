//! Runs the built engine program as Luna does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::process::{EngineFailure, EngineProcess, EngineProgram, LoadedEngine, RunningJob};
use luna_engine_protocol::{CountTokensJob, EngineChunk, EngineJob, LlmLoad, LoadSpec, ModelFile};
use luna_messages::engine::{
    ChatMessage, ChatRole, EngineError, EngineKind, GenerateJob, GenerationUsage, Grammar, Prompt, Sampling, TextPart,
};
use tempfile::TempDir;

/// Far longer than any job of these tests; a job that exceeds it hangs.
pub const JOB_TIMEOUT: Duration = Duration::from_secs(120);

/// A running engine program and the folder of its models.
pub struct LlmHost {
    pub host: EngineProcess,
    pub folder: TempDir,
}

/// The collected output of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostAnswer {
    pub thought: String,
    pub answer: String,
    /// The pieces of the answer in order.
    pub parts: Vec<String>,
    pub usage: GenerationUsage,
}

impl LlmHost {
    /// Starts the program without a model.
    pub async fn start() -> Self {
        let program = EngineProgram {
            kind: EngineKind::Llm,
            path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-llm")),
            arguments: Vec::new(),
            nice: 0,
            memory_limit: None,
        };
        let host = EngineProcess::start(&program).await.expect("the engine program starts");
        Self { host, folder: tempfile::tempdir().unwrap() }
    }

    /// Starts the program with the model that `write` writes.
    pub async fn with(write: impl FnOnce(&Path) -> std::io::Result<u64>) -> Self {
        let llm = Self::start().await;
        let path = llm.path("model.gguf");
        write(&path).expect("the model is written");
        llm.load(load(&path)).await.expect("the model loads");
        llm
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub async fn load(&self, spec: LlmLoad) -> Result<LoadedEngine, EngineFailure> {
        tokio::time::timeout(JOB_TIMEOUT, self.host.load(LoadSpec::Llm(spec))).await.expect("a load ends")
    }

    pub fn run(&self, job: GenerateJob) -> RunningJob {
        self.host.run(EngineJob::Generate(job), Bytes::new()).expect("the engine takes the job")
    }

    pub async fn try_generate(&self, job: GenerateJob) -> Result<HostAnswer, EngineFailure> {
        collect(self.run(job)).await
    }

    pub async fn generate(&self, job: GenerateJob) -> HostAnswer {
        self.try_generate(job).await.expect("the job is done")
    }

    pub async fn count(&self, texts: &[&str]) -> Vec<u32> {
        let job = CountTokensJob { texts: texts.iter().map(|text| (*text).to_owned()).collect() };
        let mut run = self.host.run(EngineJob::CountTokens(job), Bytes::new()).unwrap();
        let mut found = Vec::new();
        while let Some((chunk, _)) = run.next().await.unwrap() {
            let EngineChunk::TokenCounts { counts } = chunk else { panic!("{chunk:?} instead of counts") };
            found.extend(counts);
        }
        found
    }
}

/// Collects the output of a job until its end.
pub async fn collect(mut run: RunningJob) -> Result<HostAnswer, EngineFailure> {
    let mut said = (String::new(), Vec::new(), None);
    let read = async {
        while let Some((chunk, _)) = run.next().await? {
            assert!(said.2.is_none(), "{chunk:?} after the usage, which is the last");
            match chunk {
                EngineChunk::Text { part: TextPart::Thinking, text } => said.0.push_str(&text),
                EngineChunk::Text { part: TextPart::Answer, text } => said.1.push(text),
                EngineChunk::Usage(usage) => said.2 = Some(usage),
                other => panic!("{other:?} instead of text"),
            }
        }
        Ok(())
    };
    tokio::time::timeout(JOB_TIMEOUT, read).await.expect("a job ends")?;
    let (thought, parts, usage) = said;
    Ok(HostAnswer { thought, answer: parts.concat(), parts, usage: usage.expect("a usage at the end") })
}

pub fn load(path: &Path) -> LlmLoad {
    LlmLoad {
        name: "tiny".to_owned(),
        model: ModelFile::unknown(path.to_owned()),
        projector: None,
        context_tokens: 2048,
        threads: 1,
        gpu_layers: 0,
    }
}

/// A job with one user message.
pub fn job(question: &str) -> GenerateJob {
    chat(&[(ChatRole::User, question)])
}

pub fn chat(parts: &[(ChatRole, &str)]) -> GenerateJob {
    let messages = parts.iter().map(|(role, text)| ChatMessage { role: *role, text: (*text).to_owned() }).collect();
    GenerateJob {
        prompt: Prompt::Chat { messages },
        max_answer_tokens: 400,
        max_thinking_tokens: 0,
        sampling: Sampling::default(),
        stop: Vec::new(),
        grammar: None,
        pictures: Vec::new(),
    }
}

/// A job with a plain-text prompt.
pub fn text(prompt: &str) -> GenerateJob {
    GenerateJob { prompt: Prompt::Text { text: prompt.to_owned() }, ..job("") }
}

pub fn schema(schema: &str) -> Option<Grammar> {
    Some(Grammar::JsonSchema { schema: schema.to_owned() })
}

pub fn gbnf(text: &str) -> Option<Grammar> {
    Some(Grammar::Gbnf { text: text.to_owned() })
}

/// The error with which the engine rejected a job or a load.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(answer: Result<T, EngineFailure>) -> EngineError {
    match answer {
        Err(EngineFailure::Refused(error)) => error,
        other => panic!("{other:?} instead of a refusal"),
    }
}

/// A file of `tests/samples`.
pub fn sample(file: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples").join(file);
    assert!(path.exists(), "this test needs {}", path.display());
    path
}
