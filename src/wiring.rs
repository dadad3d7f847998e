//! Gives each actor its dependencies: inboxes, settings and platform capabilities.

mod executor;
mod models;
mod publish;
mod tools;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luna_actor_focus::FocusDependencies;
use luna_actor_gpu::{GpuDependencies, GpuShared};
use luna_actor_language_tasks::LanguageTaskDependencies;
use luna_actor_listening::ListeningDependencies;
use luna_actor_llm::LlmDependencies;
use luna_actor_ocr::{FindOcrModels, OcrDependencies};
use luna_actor_overlay::OverlayDependencies;
use luna_actor_reflex::ReflexDependencies;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::trace_log::TraceLog;
use luna_actor_stt::SttDependencies;
use luna_actor_tts::{Mute, TtsDependencies};
use luna_actor_uia::UiaDependencies;
use luna_engine_host::{LoadGate, ManagedEngine};
use luna_messages::bus::BusEvent;
use luna_messages::engine::EngineKind;
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::gpu::GpuMessage;
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::listening::{ListeningMessage, ListeningMode};
use luna_messages::llm::LlmMessage;
use luna_messages::metrics::MetricsMessage;
use luna_messages::ocr::OcrMessage;
use luna_messages::overlay::OverlayMessage;
use luna_messages::stt::SttMessage;
use luna_messages::tools::ToolsMessage;
use luna_messages::tts::{SpeechEvent, TtsMessage};
use luna_messages::uia::UiaMessage;
use luna_platform::accessibility::actions::StopEpoch;
use luna_platform::audio::tap::PlaybackTap;

use crate::announce::Announcer;
use crate::blocking_system::BlockingSystem;
use crate::bus::BusSession;
use crate::engines;
use crate::hot_keys::{HotKeyBoard, HotKeyDependencies};
use crate::lease::Admission;
use crate::lease::holders::LeaseHolders;
use crate::rules::CurrentUnderstanding;
use crate::settings::{self, LiveConfig};
use crate::silence_keys::SilenceDependencies;
use crate::situation::SituationBoard;
use crate::speech_model::SpeechModelPresence;
use crate::system::System;
use luna_config::Config;

/// All inboxes and shared state.
#[derive(Clone)]
#[allow(missing_docs, reason = "named after the actors that read them")]
pub struct Wiring {
    pub reflex: Inbox<ReflexMessage>,
    pub focus: Inbox<FocusMessage>,
    pub executor: Inbox<ExecutorMessage>,
    /// Prevents what was ordered before a stop, even if the Executor actor is busy (KER-11).
    pub stops: StopEpoch,
    /// Tools that programs call.
    pub tools: Inbox<ToolsMessage>,
    pub uia: Inbox<UiaMessage>,
    pub ocr: Inbox<OcrMessage>,
    pub overlay: Inbox<OverlayMessage>,
    pub tts: Inbox<TtsMessage>,
    /// Silences the output without the Tts actor's help.
    pub mute: Mute,
    /// What the sound device plays, for echo cancellation (BRG-4).
    pub tap: PlaybackTap,
    pub gpu: Inbox<GpuMessage>,
    pub llm: Inbox<LlmMessage>,
    pub stt: Inbox<SttMessage>,
    pub listening: Inbox<ListeningMessage>,
    pub language_tasks: Inbox<LanguageTaskMessage>,
    pub metrics: Inbox<MetricsMessage>,
    /// The engine of language models; the GpuToken actor and the shutdown can end it even if its actor hangs.
    pub llm_engine: Arc<ManagedEngine>,
    /// The engine of speech recognition.
    pub stt_engine: Arc<ManagedEngine>,
    /// The engine of commands that have a speech model of their own (STT-2).
    pub stt_command_engine: Arc<ManagedEngine>,
    /// Whether Luna transcribes everything said, not only commands (STT-2); then recognition may use the card (GPU-5).
    pub listening_full: Arc<AtomicBool>,
    /// Whether speech recognition may have a standby engine: only while Luna listens, because it costs memory. Set by what listens.
    pub stt_standby: Arc<AtomicBool>,
    /// Whether speech recognition has a model; looked for only while Luna runs.
    pub speech_model: SpeechModelPresence,
    /// The rules of understanding.
    pub understanding: CurrentUnderstanding,
    /// Events for other programs.
    pub bus: BusSession,
    /// What language models are told of the situation.
    pub situation: SituationBoard,
    /// Traces of the person's requests (KER-12).
    pub traces: TraceLog,
    /// Announces failures aloud.
    pub announcer: Announcer,
    /// State of the capabilities.
    pub capabilities: Capabilities,
    /// State of the hot keys.
    pub hot_keys: HotKeyBoard,
    /// The platform's capabilities.
    pub system: System,
    /// Finds the models of recognition; `None`: in the store. Set by tests without models.
    pub ocr_models: Option<FindOcrModels>,
    /// Finds language models; `None`: by the configuration. Set by tests without models.
    pub llm_model: Option<luna_actor_llm::FindLanguageModel>,
    /// Finds the model of speech recognition; `None`: by the configuration. Set by tests without models.
    pub stt_model: Option<luna_actor_stt::FindSpeechModel>,
    /// Called before a model is loaded, so that one process at a time owns the memory (GPU-7); `None`: no coordination with other processes.
    pub admission: Option<Admission>,
    /// Processes that hold a lease of this process's GpuToken actor.
    pub lease_holders: LeaseHolders,
    /// Blocking platform calls, off the workers and with a deadline (KER-11). Shared by all incarnations, so that a hang costs one thread only.
    blocking: BlockingSystem,
    /// The ledger of leases and claims. It survives restarts of the GpuToken actor.
    gpu_shared: GpuShared,
    live: LiveConfig,
}

impl Wiring {
    /// Creates the inboxes, which outlive the actors that read them (KER-7).
    #[must_use]
    pub fn new(live: &LiveConfig, system: &System) -> Self {
        let config = live.get();
        // Before anything is read: the keyboard focus is read by itself, before any actor asks for settings (PRV-3).
        system.accessibility.block_roles(settings::blocked_roles(&config));
        let inboxes = settings::inbox_settings(&config);
        let bus = BusSession::default();
        let tts = Inbox::new("tts", inboxes);
        let of_now = live.clone();
        let lang = Arc::new(move || settings::own_language(&of_now.get()));
        let announcer = Announcer::new(tts.clone(), bus.clone(), lang);
        let observer = announcer.clone();
        let gpu = Inbox::new("gpu", inboxes);
        let load_gate = LoadGate::default();
        Self {
            llm: Inbox::new("llm", inboxes),
            stt: Inbox::new("stt", inboxes),
            listening: Inbox::new("listening", inboxes),
            language_tasks: Inbox::new("mind", inboxes),
            llm_engine: ManagedEngine::leased(EngineKind::Llm, gpu.clone(), load_gate.clone()),
            stt_engine: ManagedEngine::leased(EngineKind::Stt, gpu.clone(), load_gate.clone()),
            stt_command_engine: ManagedEngine::leased(EngineKind::SttCommand, gpu.clone(), load_gate),
            listening_full: Arc::default(),
            speech_model: SpeechModelPresence::default(),
            understanding: CurrentUnderstanding::new(live),
            stt_standby: Arc::default(),
            gpu_shared: GpuShared::new(),
            gpu,
            reflex: Inbox::new("reflex", inboxes),
            focus: Inbox::new("focus", inboxes),
            executor: Inbox::new("executor", inboxes),
            stops: StopEpoch::default(),
            tools: Inbox::new("tools", inboxes),
            uia: Inbox::new("uia", inboxes),
            ocr: Inbox::new("ocr", inboxes),
            overlay: Inbox::new("overlay", inboxes),
            metrics: Inbox::new("metrics", inboxes),
            tts,
            mute: Mute::default(),
            tap: PlaybackTap::new(),
            bus,
            situation: SituationBoard::default(),
            traces: TraceLog::default(),
            announcer,
            capabilities: Capabilities::new(Arc::new(move |capability, state| observer.capability(capability, state))),
            hot_keys: HotKeyBoard::default(),
            blocking: BlockingSystem::new(system),
            system: system.clone(),
            ocr_models: None,
            llm_model: None,
            stt_model: None,
            admission: None,
            lease_holders: LeaseHolders::default(),
            live: live.clone(),
        }
    }

    /// A function that returns an actor's current settings (CFG-4).
    fn settings<T: 'static>(&self, of: fn(&Config) -> T) -> Arc<dyn Fn() -> T + Send + Sync> {
        let live = self.live.clone();
        Arc::new(move || of(&live.get()))
    }

    /// Dependencies of the Reflex actor.
    #[must_use]
    pub fn reflex_dependencies(&self) -> ReflexDependencies {
        let (mute, pause) = (self.mute.clone(), self.mute.clone());
        ReflexDependencies {
            end_orders: self.end_orders(),
            executor: self.executor.clone(),
            tts: self.tts.clone(),
            mute: Arc::new(move || mute.now()),
            pause: Arc::new(move || pause.pause()),
            focus: self.focus.clone(),
            publish: self.publish(),
        }
    }

    /// Makes Luna quiet while somebody speaks (BRG-1), without waiting for the Tts actor.
    #[must_use]
    pub fn duck(&self) -> Arc<dyn Fn() + Send + Sync> {
        let mute = self.mute.clone();
        Arc::new(move || mute.duck())
    }

    /// Ends that; `true`: from the beginning of the word that was spoken then.
    #[must_use]
    pub fn unduck(&self) -> Arc<dyn Fn(bool) + Send + Sync> {
        let mute = self.mute.clone();
        Arc::new(move |from_word| mute.unduck(from_word))
    }

    /// Dependencies of the Focus actor.
    #[must_use]
    pub fn focus_dependencies(&self) -> FocusDependencies {
        FocusDependencies {
            uia: self.uia.clone(),
            ocr: self.ocr.clone(),
            tts: self.tts.clone(),
            language_tasks: self.language_tasks.clone(),
            accessibility: self.system.accessibility.clone(),
            pointer: self.blocking.pointer.clone(),
            keys: self.blocking.keys.clone(),
            capabilities: self.capabilities.clone(),
            traces: self.traces.clone(),
            publish: self.publish_focus(),
            settings: self.settings(settings::focus_settings),
        }
    }

    /// Dependencies of the Uia actor.
    #[must_use]
    pub fn uia_dependencies(&self) -> UiaDependencies {
        UiaDependencies {
            accessibility: self.system.accessibility.clone(),
            capture: self.blocking.screen.clone(),
            ocr: self.ocr.clone(),
            capabilities: self.capabilities.clone(),
            settings: self.settings(settings::uia_settings),
            snapshots: settings::snapshot_settings(&self.live.get()),
        }
    }

    /// Dependencies of the Ocr actor.
    #[must_use]
    pub fn ocr_dependencies(&self) -> OcrDependencies {
        let config = self.live.get();
        OcrDependencies {
            capture: self.blocking.screen.clone(),
            program: engines::program(EngineKind::Ocr, &config),
            models: engines::ocr_models(
                self.ocr_models.clone().unwrap_or_else(|| engines::find_ocr_models(Config::clone(&config))),
            ),
            capabilities: self.capabilities.clone(),
            settings: self.settings(settings::ocr_settings),
            results: settings::result_settings(&config),
        }
    }

    /// Dependencies of the Overlay actor.
    #[must_use]
    pub fn overlay_dependencies(&self) -> OverlayDependencies {
        OverlayDependencies {
            overlay: self.blocking.overlay.clone(),
            screen: self.blocking.screen.clone(),
            fonts: self.blocking.fonts.clone(),
            accessibility: self.system.accessibility.clone(),
            actions: self.system.actions.clone(),
            settings: self.settings(settings::overlay_settings),
        }
    }

    /// Dependencies of the Tts actor.
    #[must_use]
    pub fn tts_dependencies(&self) -> TtsDependencies {
        let (focus, listening, publish) = (self.focus.clone(), self.listening.clone(), self.publish());
        let executor = self.executor.clone();
        TtsDependencies {
            audio: self.blocking.audio.clone(),
            mute: self.mute.clone(),
            tap: self.tap.clone(),
            engine: engines::program(EngineKind::Speech, &self.live.get()),
            load: engines::speech_load(),
            capabilities: self.capabilities.clone(),
            events: Arc::new(move |event: SpeechEvent| {
                // Published here, so that what sounds is also shown while the Focus actor is busy or restarts.
                BusEvent::of_speech(&event).into_iter().for_each(&*publish);
                drop(listening.post(ListeningMessage::Speech(event.clone())));
                drop(executor.post(ExecutorMessage::Speech(event.clone())));
                drop(focus.post(FocusMessage::Speech(event)));
            }),
        }
    }

    /// Dependencies of the GpuToken actor.
    #[must_use]
    pub fn gpu_dependencies(&self) -> GpuDependencies {
        let (llm, stt, commands) = (self.llm.clone(), self.stt.clone(), self.stt.clone());
        let command_order = move |order| drop(commands.post(SttMessage::CommandOrder(order)));
        let holders = HashMap::from([
            (EngineKind::Llm, self.holder(&self.llm_engine, move |order| drop(llm.post(LlmMessage::Order(order))))),
            (EngineKind::Stt, self.holder(&self.stt_engine, move |order| drop(stt.post(SttMessage::Order(order))))),
            (EngineKind::SttCommand, self.holder(&self.stt_command_engine, command_order)),
        ]);
        let (live, listening_full) = (self.live.clone(), self.listening_full.clone());
        GpuDependencies {
            shared: self.gpu_shared.clone(),
            holders,
            card: self.blocking.card.clone(),
            memory: self.system.memory.clone(),
            settings: Arc::new(move || settings::gpu_settings(&live.get(), listening_full.load(Ordering::Relaxed))),
        }
    }

    /// Dependencies of the Llm actor. Call once: only clones share the work queue.
    #[must_use]
    pub fn llm_dependencies(&self) -> LlmDependencies {
        LlmDependencies::new(
            self.program(EngineKind::Llm),
            self.find_llm_model(),
            self.llm_engine.clone(),
            self.capabilities.clone(),
            self.live.get().mailbox.bound.llm,
        )
    }

    /// Dependencies of the Stt actor. Call once: only clones share the work queue.
    #[must_use]
    pub fn stt_dependencies(&self) -> SttDependencies {
        let bound = self.live.get().mailbox.bound.llm;
        SttDependencies::new(
            self.program(EngineKind::Stt),
            self.find_stt_model(),
            self.stt_engine.clone(),
            self.capabilities.clone(),
            bound,
        )
        .with_commands(self.command_model(), self.capabilities.clone(), bound)
    }

    /// Dependencies of the Listening actor.
    #[must_use]
    pub fn listening_dependencies(&self) -> ListeningDependencies {
        let (mute, pause) = (self.mute.clone(), self.mute.clone());
        let (full, standby) = (self.listening_full.clone(), self.stt_standby.clone());
        let overlay = self.overlay.clone();
        let (live, model, understanding) = (self.live.clone(), self.speech_model.clone(), self.understanding.clone());
        ListeningDependencies {
            microphone: self.blocking.microphone.clone(),
            loopback: self.blocking.loopback.clone(),
            tap: self.tap.clone(),
            stt: self.stt.clone(),
            reflex: self.reflex.clone(),
            focus: self.focus.clone(),
            tts: self.tts.clone(),
            executor: self.executor.clone(),
            language_tasks: self.language_tasks.clone(),
            rules: Arc::new(move || understanding.rules()),
            duck: self.duck(),
            unduck: self.unduck(),
            mute: Arc::new(move || mute.now()),
            pause: Arc::new(move || pause.pause()),
            mode: Arc::new(move |mode| {
                drop(overlay.post(OverlayMessage::Listening { on: mode.is_some() }));
                full.store(mode == Some(ListeningMode::Full), Ordering::Relaxed);
                standby.store(mode.is_some(), Ordering::Relaxed);
            }),
            capabilities: self.capabilities.clone(),
            traces: self.traces.clone(),
            publish: self.publish(),
            settings: Arc::new(move || settings::listening_settings(&live.get(), model.is_there())),
        }
    }

    /// Prepares what listening needs, off the workers: the rules of understanding, and whether there is a model.
    pub fn prepare_listening(&self) {
        self.understanding.prepare();
        self.speech_model.follow(self.look_for_stt_model());
    }

    /// Dependencies of the language-tasks actor.
    #[must_use]
    pub fn language_task_dependencies(&self) -> LanguageTaskDependencies {
        LanguageTaskDependencies {
            llm: self.llm.clone(),
            has_model: self.has_model(),
            situation: self.situation.service(&self.system),
            settings: self.settings(settings::language_task_settings),
        }
    }

    /// The current configuration.
    #[must_use]
    pub fn config(&self) -> Arc<Config> {
        self.live.get()
    }

    /// Dependencies of the hot-key task.
    #[must_use]
    pub fn hot_key_dependencies(&self) -> HotKeyDependencies {
        HotKeyDependencies {
            system: self.system.hot_keys.clone(),
            reflex: self.reflex.clone(),
            traces: self.traces.clone(),
            capabilities: self.capabilities.clone(),
            announcer: self.announcer.clone(),
            board: self.hot_keys.clone(),
        }
    }

    /// Dependencies of the task that silences when a key is pressed.
    #[must_use]
    pub fn silence_dependencies(&self) -> SilenceDependencies {
        SilenceDependencies {
            keys: self.blocking.keys.clone(),
            reflex: self.reflex.clone(),
            traces: self.traces.clone(),
            board: self.hot_keys.clone(),
            capabilities: self.capabilities.clone(),
            listening: Some(self.listening.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
