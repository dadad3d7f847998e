//! The token in a tree of its own under paused time, with doubles of its holders.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_actor_gpu::{GpuActor, GpuDependencies, GpuSettings, GpuShared, ResidencyLink};
use luna_actor_runtime::{BlockingService, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuMessage, GpuRefusal, GpuStatus, Grant, ResidencyOrder};
use luna_messages::{Lane, NoReply, RequestId};
use luna_platform::card::fault::ScriptedMemory;
use luna_platform::card::{CardMemory, RamMemory};
use luna_test_support::chaos::Chaos;
use luna_test_support::one_thread::OneThread;
use luna_test_support::{EventLog, reply};
use tokio::sync::oneshot;

pub const MS: fn(u64) -> Duration = Duration::from_millis;
pub const MB: u64 = 1 << 20;

/// A double of an engine and its actor: records orders; the test decides whether it is alive.
#[derive(Clone, Default)]
pub struct HolderDouble {
    pub orders: Arc<Mutex<Vec<ResidencyOrder>>>,
    pub ended: Arc<AtomicUsize>,
    pub alive: Arc<AtomicBool>,
    /// Panics at the next order.
    pub panics: Arc<AtomicBool>,
    /// Whether `end` is ignored.
    pub immortal: Arc<AtomicBool>,
}

impl HolderDouble {
    fn link(&self) -> ResidencyLink {
        let (orders, ends, lives) = (self.clone(), self.clone(), self.clone());
        ResidencyLink {
            order: Arc::new(move |order| {
                assert!(!orders.panics.swap(false, Ordering::SeqCst), "a wiring that panics");
                orders.orders.lock().unwrap().push(order);
            }),
            end: Arc::new(move || {
                ends.ended.fetch_add(1, Ordering::SeqCst);
                if !ends.immortal.load(Ordering::SeqCst) {
                    ends.alive.store(false, Ordering::SeqCst);
                }
            }),
            alive: Arc::new(move || lives.alive.load(Ordering::SeqCst)),
        }
    }

    pub fn heard(&self) -> Vec<ResidencyOrder> {
        self.orders.lock().unwrap().clone()
    }

    pub fn ended(&self) -> usize {
        self.ended.load(Ordering::SeqCst)
    }

    pub fn set_alive(&self, alive: bool) {
        self.alive.store(alive, Ordering::SeqCst);
    }
}

pub type GrantReceiver = oneshot::Receiver<Result<Result<Grant, GpuRefusal>, NoReply>>;

pub struct GpuHarness {
    pub inbox: Inbox<GpuMessage>,
    pub llm: HolderDouble,
    pub stt: HolderDouble,
    pub machine: ScriptedMemory,
    pub settings: Arc<Mutex<GpuSettings>>,
    pub chaos: Chaos,
    pub tree: SupervisionTree,
    _one_thread: OneThread,
}

impl GpuHarness {
    /// A budget of 8000 MB; the machine has 64 GB and `card` MB on a card.
    pub fn new(card: Option<u64>) -> Self {
        let one_thread = OneThread::here();
        let settings = GpuSettings {
            budget_mb: 8000,
            linger: MS(60_000),
            grace: MS(2000),
            wait_bound: MS(30_000),
            listening_full: false,
        };
        let settings = Arc::new(Mutex::new(settings));
        let card = card.map(|mb| CardMemory { name: "Scripted".into(), total: mb * MB, free: mb * MB });
        let ram = RamMemory { total: 64_000 * MB, available: 60_000 * MB };
        let machine = ScriptedMemory::new(card, Some(ram));
        let (llm, stt) = (HolderDouble::default(), HolderDouble::default());
        let asks = settings.clone();
        let dependencies = GpuDependencies {
            shared: GpuShared::new(),
            holders: HashMap::from([(EngineKind::Llm, llm.link()), (EngineKind::Stt, stt.link())]),
            card: BlockingService::new("card", Duration::from_secs(30), Arc::new(machine.clone())),
            memory: Arc::new(machine.clone()),
            settings: Arc::new(move || *asks.lock().unwrap()),
        };
        let tree = SupervisionTree::new(EventLog::default().observer());
        let inbox = Inbox::new("gpu", InboxSettings::default());
        tree.add(RestartPolicy::default(), inbox.clone(), move || GpuActor::new(dependencies.clone()));
        Self { inbox, llm, stt, machine, settings, chaos: Chaos::here(), tree, _one_thread: one_thread }
    }

    pub fn claim(&self, holder: EngineKind, model: &str, mb: u64, lane: Lane) -> (RequestId, GrantReceiver) {
        let id = RequestId::next();
        let claim = Claim { id, holder, model: model.to_owned(), bytes: mb * MB, lane };
        let (reply, answer) = reply();
        self.post(GpuMessage::Acquire { claim, reply });
        (id, answer)
    }

    pub fn post(&self, message: GpuMessage) {
        self.inbox.post(message).expect("the inbox has room");
    }

    pub async fn granted(&self, holder: EngineKind, model: &str, mb: u64) -> Grant {
        let (_, answer) = self.claim(holder, model, mb, Lane::Llm);
        grant(answer).await
    }

    /// Claims and loads a model, and reports it.
    pub async fn loaded(&self, holder: EngineKind, model: &str, mb: u64) -> Grant {
        let grant = self.granted(holder, model, mb).await;
        assert!(grant.load);
        self.double(holder).set_alive(true);
        self.post(GpuMessage::Loaded { lease: grant.lease });
        grant
    }

    pub fn double(&self, holder: EngineKind) -> &HolderDouble {
        match holder {
            EngineKind::Llm => &self.llm,
            EngineKind::Stt => &self.stt,
            EngineKind::Ocr | EngineKind::Speech | EngineKind::SttCommand => panic!("no double for {holder:?}"),
        }
    }

    pub async fn status(&self) -> GpuStatus {
        let (reply, answer) = reply();
        self.post(GpuMessage::Status { reply });
        answer.await.unwrap().unwrap()
    }

    pub async fn states(&self) -> Vec<String> {
        self.status().await.resident.iter().map(|model| format!("{} {}", model.model, model.state.name())).collect()
    }
}

pub async fn grant(answer: GrantReceiver) -> Grant {
    tokio::time::timeout(MS(600_000), answer).await.expect("granted in ten minutes").unwrap().unwrap().unwrap()
}

pub async fn refused(answer: GrantReceiver) -> GpuRefusal {
    answer.await.unwrap().unwrap().unwrap_err()
}

/// Whether no answer comes within `time`.
pub async fn waits(answer: &mut GrantReceiver, time: Duration) -> bool {
    tokio::time::timeout(time, answer).await.is_err()
}
