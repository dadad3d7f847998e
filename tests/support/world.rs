//! The whole tree of `src/tree.rs` on doubles of the machine and the engines, on one thread under a paused clock, so that a run is
//! deterministic. Not simulated: system threads (capture returns immediately, a task plays sound), real engines, HTTP.

#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::Duration;

use luna::rules::CurrentUnderstanding;
use luna::settings::LiveConfig;
use luna::system::System;
use luna::wiring::Wiring;
use luna_actor_runtime::supervisor::{ChildState, ShutdownReport, SupervisionTree};
use luna_config::Config;
use luna_config::speech::LanguageChoice;
use luna_engine_protocol::OcrLoad;
use luna_messages::bus::BusEvent;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::llm::{Generate, LlmMessage, LlmTask};
use luna_messages::stt::{SttMessage, Transcribe};
use luna_platform::accessibility::fault::{FaultyAccessibility, ScriptedActions, ScriptedFocus};
use luna_platform::card::RamMemory;
use luna_platform::card::fault::ScriptedMemory;
use luna_platform::desktop::fault::ScriptedDesktop;
use luna_platform::fonts::FontFolders;
use luna_platform::input::fault::ScriptedInput;
use luna_platform::microphone::null::NoMicrophone;
use luna_platform::overlay::fault::ScriptedOverlay;
use luna_platform::pointer::fault::ScriptedPointer;
use luna_platform::programs::null::NoPrograms;
use luna_test_support::chaos::{Chaos, InjectedPanic};
use luna_test_support::engine_double::{EngineDoubles, EngineTiming};
use luna_test_support::one_thread::OneThread;
use tokio::sync::broadcast;
use tokio::time::Instant;

#[path = "world/audio.rs"]
pub mod audio;
#[path = "world/counts.rs"]
pub mod counts;
#[path = "world/machine.rs"]
pub mod machine;
#[path = "world/models.rs"]
pub mod models;
#[path = "world/trace.rs"]
pub mod trace;

use audio::TimedOutput;
use counts::Counts;
use machine::{OrderedCapture, OrderedHotKeys};
use trace::WorldTrace;

pub const MS: fn(u64) -> Duration = Duration::from_millis;

/// A running tree with its doubles and recorders.
pub struct World {
    pub wiring: Wiring,
    pub live: LiveConfig,
    pub tree: SupervisionTree,
    pub counts: Counts,
    pub pointer: ScriptedPointer,
    pub focus: ScriptedFocus,
    pub accessibility: Arc<FaultyAccessibility>,
    pub capture: OrderedCapture,
    pub hot_keys: OrderedHotKeys,
    pub audio: TimedOutput,
    pub engines: EngineDoubles,
    pub memory: ScriptedMemory,
    pub chaos: Chaos,
    pub trace: WorldTrace,
    events: broadcast::Receiver<BusEvent>,
    /// Sentences that began to sound or were reported, in order.
    pub said: Vec<String>,
    /// All sentences since the beginning, each with whether it is a notice of Luna itself.
    begun: Vec<(String, bool)>,
}

/// Runs `body` in its own world, then shuts the world down in order.
pub fn in_world<T>(body: impl AsyncFnOnce(&mut World) -> T) -> T {
    let counts = Counts::default();
    quiet_panics();
    metrics::with_local_recorder(&counts.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let _one_thread = OneThread::here();
        runtime.block_on(async {
            let trace = WorldTrace::default();
            let tells = trace.clone();
            let pace = EngineTiming { sample_rate: audio::SAMPLE_RATE, speech_ms: 25, ..EngineTiming::default() };
            let engines =
                EngineDoubles::new(pace, move |kind, did| tells.note(format_args!("{} {did:?}", kind.name())));
            let _in_process = engines.here();
            let mut world = World::new(counts, trace, engines);
            let result = body(&mut world).await;
            world.tree.shutdown(MS(1000)).await;
            result
        })
    })
}

/// Hides the panics that tests inject; all others are printed as usual.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let shown = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            let ordered = payload.is::<InjectedPanic>() || payload.downcast_ref::<&str>() == Some(&"ordered by a test");
            if !ordered {
                shown(info);
            }
        }));
    });
}

/// The configuration, cached, because reading the file takes longer than running a seed.
fn config() -> Config {
    static CONFIG: OnceLock<Config> = OnceLock::new();
    let read = || {
        let mut config = Config::built_in("default").unwrap();
        config.language = LanguageChoice::En;
        config.gpu.budget_mb = models::BUDGET_MB;
        config
    };
    CONFIG.get_or_init(read).clone()
}

/// The rules of understanding, made once, because making them takes longer than running a seed.
fn understanding() -> &'static CurrentUnderstanding {
    static UNDERSTANDING: OnceLock<CurrentUnderstanding> = OnceLock::new();
    UNDERSTANDING.get_or_init(|| CurrentUnderstanding::new(&LiveConfig::new(config())))
}

impl World {
    fn new(counts: Counts, trace: WorldTrace, engines: EngineDoubles) -> Self {
        let live = LiveConfig::new(config());
        let desk = machine::desk();
        let focus = desk.focus.clone();
        let accessibility = Arc::new(FaultyAccessibility::new(Arc::new(desk)));
        let pointer = ScriptedPointer::new(machine::TEXT);
        let (capture, hot_keys) = (OrderedCapture::default(), OrderedHotKeys::default());
        let audio = TimedOutput::new(trace.clone());
        let ram = RamMemory { total: 16 << 30, available: 8 << 30 };
        let memory = ScriptedMemory::new(None, Some(ram));
        let system = System {
            accessibility: accessibility.clone(),
            actions: Arc::new(ScriptedActions::default()),
            capture: Arc::new(capture.clone()),
            pointer: Arc::new(pointer.clone()),
            hot_keys: Arc::new(hot_keys.clone()),
            input: Arc::new(ScriptedInput::default()),
            desktop: Arc::new(ScriptedDesktop::default()),
            overlay: Arc::new(ScriptedOverlay::new()),
            fonts: Arc::new(FontFolders(Vec::new())),
            programs: Arc::new(NoPrograms),
            audio: Arc::new(audio.clone()),
            microphone: Arc::new(NoMicrophone::default()),
            loopback: Arc::new(NoMicrophone::default()),
            card: Arc::new(memory.clone()),
            memory: Arc::new(memory.clone()),
        };
        let mut wiring = Wiring::new(&live, &system);
        wiring.understanding = understanding().shared_with(&live);
        wiring.ocr_models = Some(Arc::new(|| {
            Ok(OcrLoad {
                runtime_library: "double".into(),
                detector: "double".into(),
                direction: None,
                recognisers: Vec::new(),
                tesseract: None,
                threads: 1,
            })
        }));
        // A language model and the speech model fit into the budget together, two language models do not: see `config`.
        wiring.llm_model = Some(Arc::new(|task: LlmTask| Ok(models::language(task))));
        wiring.stt_model = Some(Arc::new(|| Ok(models::speech())));
        let events = wiring.bus.listen();
        let chaos = Chaos::here();
        let tree = luna::tree::spawn_tree(&wiring, &live, None);
        Self {
            wiring,
            live,
            tree,
            counts,
            pointer,
            focus,
            accessibility,
            capture,
            hot_keys,
            audio,
            engines,
            memory,
            chaos,
            trace,
            events,
            said: Vec::new(),
            begun: Vec::new(),
        }
    }

    /// Sends a command as a hot key does; `false` if it was refused.
    pub fn order(&self, command: Command) -> bool {
        self.trace.note(format_args!("order {}", command.name()));
        self.wiring.reflex.post(ReflexMessage::Command(command)).is_ok()
    }

    /// Lets time pass, then records the events of that time.
    pub async fn pass(&mut self, time: Duration) {
        tokio::time::sleep(time).await;
        self.take_events();
    }

    fn take_events(&mut self) {
        loop {
            match self.events.try_recv() {
                Ok(event) => {
                    self.trace.note(format_args!("{event:?}"));
                    if let BusEvent::TtsStart { text, notice, .. } = event {
                        self.begun.push((text.clone(), notice));
                        self.said.push(text);
                    }
                }
                Err(broadcast::error::TryRecvError::Lagged(missed)) => self.trace.note(format_args!("{missed} missed")),
                Err(broadcast::error::TryRecvError::Empty | broadcast::error::TryRecvError::Closed) => return,
            }
        }
    }

    /// Waits until `is` holds; fails with `what` if it does not within `limit`.
    #[track_caller]
    pub fn wait<'a>(
        &'a mut self,
        what: &'a str,
        limit: Duration,
        mut is: impl FnMut(&Self) -> bool + 'a,
    ) -> impl Future<Output = Duration> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let start = Instant::now();
            loop {
                if is(self) {
                    return start.elapsed();
                }
                assert!(
                    start.elapsed() < limit,
                    "{place}: waited {limit:?} in vain for {what}\n{:?}\n{:?}\nsaid: {:?}",
                    self.tree.status(),
                    self.wiring.capabilities.snapshot(),
                    self.said
                );
                // Long waits need no fine steps.
                let step = match start.elapsed().as_secs() {
                    0 => MS(5),
                    1..20 => MS(100),
                    _ => MS(1000),
                };
                self.pass(step).await;
            }
        }
    }

    /// Waits for a sentence that contains `part` and discards those before it. Returns the time.
    #[track_caller]
    pub fn hears<'a>(&'a mut self, part: &'a str) -> impl Future<Output = Duration> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let start = Instant::now();
            loop {
                if let Some(at) = self.said.iter().position(|text| text.contains(part)) {
                    self.said.drain(..=at);
                    return start.elapsed();
                }
                assert!(
                    start.elapsed() < MS(30_000),
                    "{place}: {part:?} was not said but {:?}\n{:?}\n{:?}",
                    self.said,
                    self.tree.status(),
                    self.wiring.capabilities.snapshot()
                );
                self.pass(MS(5)).await;
            }
        }
    }

    pub fn state(&self, actor: &str) -> ChildState {
        self.tree.status().iter().find(|child| child.actor == actor).map(|child| child.state).unwrap()
    }

    pub fn all_run(&self) -> bool {
        self.tree.status().iter().all(|child| child.state == ChildState::Running)
    }

    pub fn is_available(&self, capability: Capability) -> bool {
        self.wiring.capabilities.get(capability) == CapabilityState::Available
    }

    /// Messages of lane Reflex that an actor has handled.
    pub fn reflexes(&self, actor: &str) -> u64 {
        self.counts.sum("luna_messages_handled_total", &[("actor", actor), ("lane", "reflex")])
    }

    /// Sends "stop" and expects it to reach the speech actor within a millisecond and the device to be silent after two buffers. Only a
    /// notice of Luna itself may begin to sound after it.
    pub async fn expect_stop_is_obeyed(&mut self) {
        self.take_events();
        let (before, begun, cut_off) = (self.reflexes("tts"), self.begun(), self.notices_cut_off());
        assert!(self.order(Command::Stop), "the reflex was refused");
        self.pass(MS(1)).await;
        if self.reflexes("tts") == before {
            // The actor crashed on this command and handles it after its restart.
            self.pass(MS(100)).await;
        }
        assert!(self.reflexes("tts") > before, "stop did not reach the speech actor: {:?}", self.tree.status());
        self.pass(audio::BUFFER * 3).await;
        let silent = self.audio.silent_for();
        if silent < audio::BUFFER {
            // A notice that began since then; its sentence is reported shortly after its first sound.
            self.pass(audio::BUFFER * 3).await;
        }
        let notices = self.notices_since(begun);
        assert!(notices.is_some(), "something is read after stop: {:?}", &self.begun[begun..]);
        assert!(
            // A notice whose engine ended with its first sound is reported only with its second attempt.
            silent >= audio::BUFFER || notices > Some(0) || self.notices_cut_off() > cut_off,
            "it still sounded {silent:?} ago, three buffers after stop, and no notice began: {:?}",
            self.tree.status()
        );
    }

    /// Number of sentences begun so far.
    pub const fn begun(&self) -> usize {
        self.begun.len()
    }

    /// Number of notices since `begun` sentences had begun; `None` if anything else began, too.
    pub fn notices_since(&self, begun: usize) -> Option<usize> {
        let since = &self.begun[begun..];
        since.iter().all(|(_, notice)| *notice).then_some(since.len())
    }

    /// How often the speech engine ended in the middle of a sentence.
    fn notices_cut_off(&self) -> u64 {
        self.counts.sum("luna_engine_requests_total", &[("engine", "speech"), ("outcome", "lost")])
    }

    /// Sentences of which sound went to the device so far.
    pub fn sentences(&self) -> u64 {
        self.counts.sum("luna_speech_sentences_total", &[])
    }

    /// Switches focus mode on over a text and waits for its speech.
    pub async fn expect_reading_works(&mut self) {
        self.order(Command::FocusOff);
        self.pass(MS(50)).await;
        self.said.clear();
        self.pointer.move_to(machine::TEXT);
        self.order(Command::FocusOn);
        let sounded = self.audio.sounded();
        self.hears("brown fox").await;
        let heard = |world: &Self| world.audio.sounded() > sounded;
        if !self.is_available(Capability::AudioOutput) && !heard(self) {
            // This sentence only revealed that the device is broken; Luna probes the device every five seconds.
            self.wait("the device", MS(12_000), |world| world.is_available(Capability::AudioOutput)).await;
            self.order(Command::Repeat);
        }
        self.wait("sound of it", MS(12_000), heard).await;
    }

    /// Expects a language model to answer and speech to be transcribed. An engine that froze while idle costs one request (ENG-2).
    pub async fn expect_models_work(&mut self) {
        let first = self.ask_models().await;
        let works = |answer: &String| answer.starts_with("Ok(Ok(");
        if !first.iter().all(works) {
            let second = self.ask_models().await;
            assert!(second.iter().all(works), "the models answered {first:?}, then {second:?}");
        }
    }

    async fn ask_models(&mut self) -> Vec<String> {
        let answers = Arc::new(Mutex::new(Vec::new()));
        let (of_llm, of_stt, all) = (answers.clone(), answers.clone(), answers.clone());
        let (generate, reader) = models::generate(LlmTask::Intent, 5);
        models::take_all(reader);
        let reply = luna_messages::Reply::new(move |answer| of_llm.lock().unwrap().push(format!("{answer:?}")));
        drop(self.wiring.llm.post(LlmMessage::Generate(Generate { reply, ..generate })));
        let (transcribe, reader) = models::transcribe(false);
        models::take_all(reader);
        let reply = luna_messages::Reply::new(move |answer| of_stt.lock().unwrap().push(format!("{answer:?}")));
        drop(self.wiring.stt.post(SttMessage::Transcribe(Transcribe { reply, ..transcribe })));
        self.wait("the models' answers", MS(120_000), move |_| all.lock().unwrap().len() == 2).await;
        let answers = answers.lock().unwrap();
        answers.clone()
    }

    /// Shuts the tree down; returns the time it took.
    pub async fn shut_down(&mut self, budget: Duration) -> (Duration, ShutdownReport) {
        let start = Instant::now();
        let report = self.tree.shutdown(budget).await;
        self.take_events();
        (start.elapsed(), report)
    }
}

/// Counts promised answers and received ones.
#[derive(Clone, Default)]
pub struct PendingReplies(Arc<Mutex<PendingReplyCounts>>);

#[derive(Default)]
struct PendingReplyCounts {
    asked: u64,
    answered: u64,
    lost: u64,
}

impl PendingReplies {
    /// Creates a reply whose answer is counted.
    pub fn reply<T: Send + 'static>(&self) -> luna_messages::Reply<T> {
        self.0.lock().unwrap().asked += 1;
        let inside = self.0.clone();
        luna_messages::Reply::new(move |answer| {
            let mut inside = inside.lock().unwrap();
            inside.answered += 1;
            inside.lost += u64::from(answer.is_err());
        })
    }

    /// (promised, received, received as "it was lost").
    pub fn count(&self) -> (u64, u64, u64) {
        let inside = self.0.lock().unwrap();
        (inside.asked, inside.answered, inside.lost)
    }

    pub fn all_answered(&self) -> bool {
        let (asked, answered, _) = self.count();
        asked == answered
    }
}
