//! A managed engine with doubles of token and engines, on one thread under a paused clock.
#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::PrepareOutcome;
use luna_engine_host::{EngineFailure, EngineProgram, RunningJob};
use luna_engine_host::{EngineLease, LoadGate, ManagedEngine, ModelPlan};
use luna_engine_protocol::{EngineJob, LoadSpec, ModelFile, SttLoad, TranscribeJob};
use luna_messages::Lane;
use luna_messages::engine::{EngineKind, SoundExtent};
use luna_messages::gpu::Lease;
use luna_test_support::engine_double::{EngineAction, EngineDoubles, EngineTiming};
use luna_test_support::engines::InProcessEngines;
use luna_test_support::one_thread::OneThread;
use luna_test_support::token_double::{TokenDouble, TokenLog};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::time::{sleep, timeout};

pub const MS: fn(u64) -> Duration = Duration::from_millis;

/// A managed engine with its doubles, which run until this is dropped.
pub struct Stand {
    pub engine: Arc<ManagedEngine>,
    pub token: TokenDouble,
    pub doubles: EngineDoubles,
    standby: bool,
    load_gate: LoadGate,
    other_token: TokenDouble,
    did: Arc<Mutex<Vec<(EngineKind, EngineAction)>>>,
    metrics: PrometheusHandle,
    _recorder: metrics::LocalRecorderGuard<'static>,
    _engines: InProcessEngines,
    _thread: OneThread,
}

impl Stand {
    /// An engine whose model has a standby.
    pub fn new() -> Self {
        Self::with(true)
    }

    /// An engine whose model has no standby.
    pub fn alone() -> Self {
        Self::with(false)
    }

    fn with(standby: bool) -> Self {
        let recorder: &'static _ = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        let guard = metrics::set_default_local_recorder(recorder);
        let did: Arc<Mutex<Vec<_>>> = Arc::default();
        let notes = did.clone();
        let doubles =
            EngineDoubles::new(EngineTiming::default(), move |kind, what| notes.lock().unwrap().push((kind, what)));
        let engines = doubles.here();
        let (token, other_token) = (TokenDouble::start(), TokenDouble::start());
        let load_gate = LoadGate::default();
        Self {
            engine: ManagedEngine::leased(EngineKind::Stt, token.inbox.clone(), load_gate.clone()),
            token,
            doubles,
            standby,
            load_gate,
            other_token,
            did,
            metrics: recorder.handle(),
            _recorder: guard,
            _engines: engines,
            _thread: OneThread::here(),
        }
    }

    /// Drops the engine and replaces it by a new one.
    pub fn replace_engine(&mut self) {
        self.engine = ManagedEngine::leased(EngineKind::Stt, self.token.inbox.clone(), self.load_gate.clone());
    }

    /// Another engine, with a token of its own; both share one load gate.
    pub fn other_engine(&self) -> Arc<ManagedEngine> {
        ManagedEngine::leased(EngineKind::Llm, self.other_token.inbox.clone(), self.load_gate.clone())
    }

    /// Acquires the engine with its model loaded.
    pub async fn engine_lease(&self) -> EngineLease {
        self.lease_of(&self.engine).await
    }

    pub async fn lease_of(&self, engine: &Arc<ManagedEngine>) -> EngineLease {
        self.try_lease_of(engine).await.unwrap()
    }

    pub async fn try_lease_of(&self, engine: &Arc<ManagedEngine>) -> Result<EngineLease, EngineFailure> {
        let model = model(self.standby && engine.kind() == EngineKind::Stt);
        loop {
            let grant = engine.request_grant(&model, Lane::Llm).await.unwrap();
            match engine.prepare(&program(engine.kind()), &model, grant).await {
                PrepareOutcome::Ready(process, grant) => return Ok(EngineLease { process, grant }),
                PrepareOutcome::RetryLease => {}
                PrepareOutcome::Failed(failure) => return Err(failure),
            }
        }
    }

    /// Starts a job of one second of sound.
    pub fn run(&self, engine_lease: &EngineLease) -> RunningJob {
        self.try_run(engine_lease).unwrap()
    }

    pub fn try_run(&self, engine_lease: &EngineLease) -> Result<RunningJob, EngineFailure> {
        let job = TranscribeJob { lang: None, extent: SoundExtent::Utterance, hint: String::new(), partials: true };
        engine_lease.process.run(EngineJob::Transcribe(job), Bytes::from(vec![0; 32_000]))
    }

    pub async fn end_of(run: &mut RunningJob) -> Result<(), EngineFailure> {
        while run.next().await?.is_some() {}
        Ok(())
    }

    /// Waits until `is` holds; checks each millisecond.
    #[track_caller]
    pub fn until<'a>(&'a self, what: &'a str, is: impl Fn(&Self) -> bool + 'a) -> impl Future<Output = ()> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let waiting = async {
                while !is(self) {
                    self.assert_invariants();
                    sleep(MS(1)).await;
                }
            };
            let waited = timeout(MS(600_000), waiting).await;
            assert!(waited.is_ok(), "{place}: {what}: {:?} {:?}", self.token.heard(), self.did.lock().unwrap());
            self.assert_invariants();
        }
    }

    /// Asserts the invariants that hold at any time.
    #[track_caller]
    pub fn assert_invariants(&self) {
        assert!(self.doubles.running(EngineKind::Stt) <= 2, "what was granted covers two programs");
        assert_eq!(self.doubles.overlapping_loads(), 0, "two models were being loaded at a time");
    }

    /// How often the engine of speech recognition did `what`.
    pub fn did(&self, what: EngineAction) -> usize {
        self.did.lock().unwrap().iter().filter(|did| **did == (EngineKind::Stt, what)).count()
    }

    /// The residencies whose end the token was notified of.
    pub fn unloaded(&self) -> Vec<Lease> {
        let of = |heard| if let TokenLog::Unloaded(lease) = heard { Some(lease) } else { None };
        self.token.heard().into_iter().filter_map(of).collect()
    }

    /// Sum of all series of a counter for the engine of speech recognition.
    pub fn count(&self, name: &str) -> u64 {
        let text = self.metrics.render();
        let of = |line: &str| {
            let rest = line.strip_prefix(name)?.strip_prefix('{')?;
            rest.contains("engine=\"stt\"").then(|| rest.rsplit(' ').next()?.parse::<u64>().ok())?
        };
        text.lines().filter_map(of).sum()
    }
}

fn program(kind: EngineKind) -> EngineProgram {
    EngineProgram { kind, path: PathBuf::from("double"), arguments: Vec::new(), nice: 0, memory_limit: None }
}

fn model(standby: bool) -> ModelPlan {
    let load = SttLoad { name: "m".into(), model: ModelFile::unknown("m".into()), threads: 1, gpu: false };
    let spec = move |_| LoadSpec::Stt(load.clone());
    ModelPlan { name: "m".into(), file: "m".into(), memory_estimate: 1000, standby, spec: Arc::new(spec) }
}
