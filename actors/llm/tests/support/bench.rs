//! The actor in a tree, with doubles of engine and token, on one thread under a paused clock.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_channel::{Receiver, bounded};
use luna_actor_llm::{LlmActor, LlmDependencies};
use luna_actor_runtime::{Capabilities, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_engine_host::EngineProgram;
use luna_engine_host::{LoadGate, ManagedEngine, ModelPlan};
use luna_engine_protocol::{LlmLoad, LoadSpec, ModelFile};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::{EngineKind, GenerateJob, GenerationUsage, Prompt, Sampling, TextPart};
use luna_messages::gpu::MemoryPlace;
use luna_messages::llm::{CountTokens, Generate, GeneratedText, LlmMessage, LlmTask};
use luna_messages::work::WorkFailure;
use luna_messages::{NoReply, RequestId};
use luna_test_support::chaos::Chaos;
use luna_test_support::engine_double::{EngineAction, EngineDoubles, EngineTiming};
use luna_test_support::engines::InProcessEngines;
use luna_test_support::one_thread::OneThread;
use luna_test_support::reply;
use luna_test_support::token_double::TokenDouble;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Time limit of any wait; under a paused clock it costs nothing.
pub const SOON: Duration = Duration::from_secs(600);

/// State of the models, which tests change while the actor runs.
#[derive(Debug, Default)]
pub struct TinyModelFiles {
    /// Reason why there are no models; `None` if there are.
    pub missing: Option<Unavailable>,
    pub context_tokens: u32,
    /// Number of lookups.
    pub lookups: usize,
    /// Makes the next lookup panic.
    pub panics: bool,
}

/// The running tree, which stops on drop.
pub struct LlmBench {
    pub inbox: Inbox<LlmMessage>,
    pub token: TokenDouble,
    pub doubles: EngineDoubles,
    pub did: Arc<Mutex<Vec<EngineAction>>>,
    pub models: Arc<Mutex<TinyModelFiles>>,
    pub capabilities: Capabilities,
    pub slot: Arc<ManagedEngine>,
    pub tree: SupervisionTree,
    pub chaos: Chaos,
    metrics: PrometheusHandle,
    _recorder: metrics::LocalRecorderGuard<'static>,
    _engines: InProcessEngines,
    _thread: OneThread,
}

/// A request in progress.
pub struct LlmRequestLog {
    pub id: RequestId,
    pub reader: Receiver<GeneratedText>,
    pub answer: oneshot::Receiver<Result<Result<GenerationUsage, WorkFailure>, NoReply>>,
}

pub fn job(words: u32) -> GenerateJob {
    GenerateJob {
        prompt: Prompt::Text { text: "Say words.".into() },
        max_answer_tokens: words,
        max_thinking_tokens: 0,
        sampling: Sampling::default(),
        stop: Vec::new(),
        grammar: None,
        pictures: Vec::new(),
    }
}

impl LlmBench {
    pub fn new() -> Self {
        let recorder: &'static _ = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        let guard = metrics::set_default_local_recorder(recorder);
        let did: Arc<Mutex<Vec<EngineAction>>> = Arc::default();
        let notes = did.clone();
        let doubles = EngineDoubles::new(EngineTiming::default(), move |_, what| notes.lock().unwrap().push(what));
        let engines = doubles.here();
        let token = TokenDouble::start();
        let slot = ManagedEngine::leased(EngineKind::Llm, token.inbox.clone(), LoadGate::default());
        let capabilities = Capabilities::new(Arc::new(|_, _| {}));
        let models = Arc::new(Mutex::new(TinyModelFiles { context_tokens: 512, ..TinyModelFiles::default() }));
        let finds = models.clone();
        let program = Arc::new(|| EngineProgram {
            kind: EngineKind::Llm,
            path: PathBuf::from("luna-engine-llm"),
            arguments: Vec::new(),
            nice: 0,
            memory_limit: None,
        });
        let find = Arc::new(move |task: LlmTask| find_model(&finds, task));
        let dependencies = LlmDependencies::new(program, find, slot.clone(), capabilities.clone(), 3);
        let inbox = Inbox::new("llm", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || LlmActor::new(dependencies.clone()));
        Self {
            inbox,
            token,
            doubles,
            did,
            models,
            capabilities,
            slot,
            tree,
            chaos: Chaos::here(),
            metrics: recorder.handle(),
            _recorder: guard,
            _engines: engines,
            _thread: OneThread::here(),
        }
    }

    pub fn ask(&self, words: u32) -> LlmRequestLog {
        self.ask_for(LlmTask::Intent, job(words), false)
    }

    pub fn ask_for(&self, task: LlmTask, job: GenerateJob, include_thinking: bool) -> LlmRequestLog {
        let id = RequestId::next();
        let (pieces, reader) = bounded(64);
        let (reply, answer) = reply();
        let request = Generate { id, task, job: Box::new(job), pictures: Vec::new(), include_thinking, pieces, reply };
        self.inbox.post(LlmMessage::Generate(request)).unwrap();
        LlmRequestLog { id, reader, answer }
    }

    pub fn count(&self, texts: &[&str]) -> oneshot::Receiver<Result<Result<Vec<u32>, WorkFailure>, NoReply>> {
        let (reply, answer) = reply();
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let request = CountTokens { id: RequestId::next(), task: LlmTask::Intent, texts, reply };
        self.inbox.post(LlmMessage::CountTokens(request)).unwrap();
        answer
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub fn until<'a>(&'a self, what: &'a str, is: impl Fn(&Self) -> bool + 'a) -> impl Future<Output = ()> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let waiting = async {
                while !is(self) {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            };
            let waited = timeout(SOON, waiting).await;
            assert!(waited.is_ok(), "{place}: {what}: {:?} {:?}", self.token.heard(), self.did.lock().unwrap());
        }
    }

    /// Number of times that the engine did something.
    pub fn count_of(&self, what: EngineAction) -> usize {
        self.did.lock().unwrap().iter().filter(|did| **did == what).count()
    }

    pub fn capability(&self) -> CapabilityState {
        self.capabilities.get(Capability::LanguageModel)
    }

    /// Number of requests that ended in this way.
    pub fn ends(&self, end: &str) -> u64 {
        let line = format!("luna_engine_work_total{{engine=\"llm\",end=\"{end}\"}} ");
        let text = self.metrics.render();
        text.lines().find_map(|it| it.strip_prefix(&line)).map_or(0, |number| number.parse().unwrap())
    }

    /// Waits until no lease is granted.
    pub async fn nothing_is_out(&self) {
        self.until("the lease comes back", |bench| bench.token.out().is_none()).await;
    }
}

impl LlmRequestLog {
    /// All text of the answer, all thinking, and how it ended.
    pub async fn all(self) -> (String, String, Result<GenerationUsage, WorkFailure>) {
        let (mut answer, mut thinking) = (String::new(), String::new());
        while let Ok(GeneratedText { part, text }) =
            timeout(SOON, self.reader.recv()).await.expect("a caller is left waiting")
        {
            match part {
                TextPart::Answer => answer.push_str(&text),
                TextPart::Thinking => thinking.push_str(&text),
            }
        }
        let end =
            timeout(SOON, self.answer).await.expect("a caller gets no answer").unwrap().expect("its request was lost");
        (answer, thinking, end)
    }

    /// The first piece of text.
    pub async fn first(&mut self) -> String {
        timeout(SOON, self.reader.recv()).await.expect("no text comes").expect("it ended before its first text").text
    }

    pub async fn failure(self) -> WorkFailure {
        self.all().await.2.unwrap_err()
    }
}

fn find_model(models: &Mutex<TinyModelFiles>, task: LlmTask) -> Result<ModelPlan, Unavailable> {
    let mut models = models.lock().unwrap();
    models.lookups += 1;
    let panics = std::mem::take(&mut models.panics);
    if let Some(why) = &models.missing {
        return Err(why.clone());
    }
    let context_tokens = models.context_tokens;
    drop(models);
    assert!(!panics, "looking for a model panics on order");
    let file = PathBuf::from(format!("{}.gguf", task.name()));
    let name = task.name().to_owned();
    Ok(ModelPlan {
        name: name.clone(),
        file: file.clone(),
        memory_estimate: 1000,
        standby: false,
        spec: Arc::new(move |place| {
            LoadSpec::Llm(LlmLoad {
                name: name.clone(),
                model: ModelFile::unknown(file.clone()),
                projector: None,
                context_tokens,
                threads: 1,
                gpu_layers: if place == MemoryPlace::Card { 999 } else { 0 },
            })
        }),
    })
}
