//! The actor in a tree, with doubles of engine and token, on one thread under a paused clock.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_channel::{Receiver, bounded};
use luna_actor_runtime::{Capabilities, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_actor_stt::{CommandModel, SttActor, SttDependencies};
use luna_engine_host::EngineProgram;
use luna_engine_host::{LoadGate, ManagedEngine, ModelPlan};
use luna_engine_protocol::{LoadSpec, ModelFile, SttLoad};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::{EngineKind, SoundExtent, TranscribedSegment};
use luna_messages::gpu::MemoryPlace;
use luna_messages::stt::{Sound, SttMessage, Transcribe};
use luna_messages::work::WorkFailure;
use luna_messages::{Lang, NoReply, RequestId};
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

/// The running tree, which stops on drop.
pub struct SttBench {
    pub inbox: Inbox<SttMessage>,
    pub token: TokenDouble,
    pub doubles: EngineDoubles,
    pub did: Arc<Mutex<Vec<EngineAction>>>,
    /// Why there is no model.
    pub missing: Arc<Mutex<Option<Unavailable>>>,
    pub capabilities: Capabilities,
    pub slot: Arc<ManagedEngine>,
    /// The token of the engine of commands; a double serves one engine.
    pub command_token: TokenDouble,
    /// Whether commands have a model of their own.
    pub separate: Arc<AtomicBool>,
    /// Why commands have no model.
    pub missing_command: Arc<Mutex<Option<Unavailable>>>,
    /// The kind of each engine that ran a job, in order.
    pub ran: Arc<Mutex<Vec<EngineKind>>>,
    pub tree: SupervisionTree,
    pub chaos: Chaos,
    metrics: PrometheusHandle,
    _recorder: metrics::LocalRecorderGuard<'static>,
    _engines: InProcessEngines,
    _thread: OneThread,
}

/// A request in progress.
pub struct SttRequestLog {
    pub id: RequestId,
    pub reader: Receiver<String>,
    pub answer: oneshot::Receiver<Result<Result<Vec<TranscribedSegment>, WorkFailure>, NoReply>>,
}

impl SttBench {
    pub fn new() -> Self {
        Self::with(EngineTiming::default())
    }

    pub fn with(pace: EngineTiming) -> Self {
        Self::start(pace, false)
    }

    pub fn with_standby(pace: EngineTiming) -> Self {
        Self::start(pace, true)
    }

    fn start(pace: EngineTiming, standby: bool) -> Self {
        let recorder: &'static _ = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        let guard = metrics::set_default_local_recorder(recorder);
        let did: Arc<Mutex<Vec<EngineAction>>> = Arc::default();
        let ran: Arc<Mutex<Vec<EngineKind>>> = Arc::default();
        let (notes, runs) = (did.clone(), ran.clone());
        let doubles = EngineDoubles::new(pace, move |kind, what| {
            if what == EngineAction::Run {
                runs.lock().unwrap().push(kind);
            }
            notes.lock().unwrap().push(what);
        });
        let engines = doubles.here();
        let token = TokenDouble::start();
        let (command_token, gate) = (TokenDouble::start(), LoadGate::default());
        let slot = ManagedEngine::leased(EngineKind::Stt, token.inbox.clone(), gate.clone());
        let capabilities = Capabilities::new(Arc::new(|_, _| {}));
        let missing: Arc<Mutex<Option<Unavailable>>> = Arc::default();
        let finds = missing.clone();
        let program = |kind| {
            Arc::new(move || EngineProgram {
                kind,
                path: PathBuf::from("luna-engine-stt"),
                arguments: Vec::new(),
                nice: 0,
                memory_limit: None,
            })
        };
        let (separate, missing_command): (Arc<AtomicBool>, Arc<Mutex<Option<Unavailable>>>) = Default::default();
        let (is_separate, finds_command) = (separate.clone(), missing_command.clone());
        let commands = CommandModel {
            separate: Arc::new(move || is_separate.load(Ordering::Relaxed)),
            program: program(EngineKind::SttCommand),
            find: Arc::new(move || finds_command.lock().unwrap().clone().map_or_else(|| Ok(model(standby)), Err)),
            engine: ManagedEngine::leased(EngineKind::SttCommand, command_token.inbox.clone(), gate),
        };
        let find = Arc::new(move || finds.lock().unwrap().clone().map_or_else(|| Ok(model(standby)), Err));
        let dependencies = SttDependencies::new(program(EngineKind::Stt), find, slot.clone(), capabilities.clone(), 3)
            .with_commands(commands, capabilities.clone(), 3);
        let inbox = Inbox::new("stt", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || SttActor::new(dependencies.clone()));
        Self {
            inbox,
            token,
            doubles,
            did,
            missing,
            capabilities,
            slot,
            command_token,
            separate,
            missing_command,
            ran,
            tree,
            chaos: Chaos::here(),
            metrics: recorder.handle(),
            _recorder: guard,
            _engines: engines,
            _thread: OneThread::here(),
        }
    }

    /// Requests the transcription of one second of sound, with partial results.
    pub fn ask(&self) -> SttRequestLog {
        self.ask_for(SoundExtent::Utterance, 1)
    }

    pub fn ask_for(&self, extent: SoundExtent, seconds: usize) -> SttRequestLog {
        let id = RequestId::next();
        let (pieces, reader) = bounded(1);
        let (reply, answer) = reply();
        let request = Transcribe {
            id,
            sound: Sound { samples: vec![100; seconds * 16_000] },
            lang: Some(Lang::Ko),
            extent,
            hint: String::new(),
            partials: true,
            pieces,
            reply,
        };
        self.inbox.post(SttMessage::Transcribe(request)).unwrap();
        SttRequestLog { id, reader, answer }
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

    /// Number of times that the engine did `what`.
    pub fn count_of(&self, what: EngineAction) -> usize {
        self.did.lock().unwrap().iter().filter(|did| **did == what).count()
    }

    pub fn capability(&self) -> CapabilityState {
        self.capabilities.get(Capability::SpeechRecognition)
    }

    /// Number of requests that ended in this way.
    pub fn ends(&self, end: &str) -> u64 {
        self.metric(&format!("luna_engine_work_total{{engine=\"stt\",end=\"{end}\"}} "))
    }

    /// The value of the metric line that begins with `line`; 0 if there is none.
    pub fn metric(&self, line: &str) -> u64 {
        let text = self.metrics.render();
        text.lines().find_map(|it| it.strip_prefix(line)).map_or(0, |number| number.parse().unwrap())
    }

    /// Waits until no lease is granted.
    pub async fn nothing_is_out(&self) {
        self.until("the lease comes back", |bench| bench.token.out().is_none()).await;
    }
}

impl SttRequestLog {
    /// The transcript, or why there is none.
    pub async fn end(self) -> Result<String, WorkFailure> {
        let end =
            timeout(SOON, self.answer).await.expect("a caller gets no answer").unwrap().expect("its request was lost");
        end.map(|segments| segments.into_iter().map(|segment| segment.text).collect())
    }

    /// The next partial result.
    pub async fn partial(&mut self) -> Option<String> {
        timeout(SOON, self.reader.recv()).await.expect("no partial result comes").ok()
    }
}

fn model(standby: bool) -> ModelPlan {
    let file = PathBuf::from("whisper.bin");
    ModelPlan {
        name: "whisper".into(),
        file: file.clone(),
        memory_estimate: 1000,
        standby,
        spec: Arc::new(move |place| {
            LoadSpec::Stt(SttLoad {
                name: "whisper".into(),
                model: ModelFile::unknown(file.clone()),
                threads: 1,
                gpu: place == MemoryPlace::Card,
            })
        }),
    }
}
