//! Connects actors to models: engine programs, model lookup, and the GpuToken actor's links to lease holders.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use luna_actor_gpu::ResidencyLink;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_stt::{CommandModel, FindSpeechModel};
use luna_engine_host::availability::FIND_MODEL_TIMEOUT;
use luna_engine_host::process::EngineProgram;
use luna_engine_host::{ManagedEngine, ModelPlan};
use luna_ledger::placement;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{MemoryPlace, ResidencyOrder};
use luna_messages::llm::LlmTask;

use super::Wiring;
use crate::engines;
use crate::lease::Admission;
use luna_config::Config;

impl Wiring {
    /// The program of an engine, by the current configuration (CFG-4).
    pub(super) fn program(&self, kind: EngineKind) -> Arc<dyn Fn() -> EngineProgram + Send + Sync> {
        let live = self.live.clone();
        Arc::new(move || engines::program(kind, &live.get()))
    }

    /// Finds a language model that may be loaded now (GPU-7).
    pub(super) fn find_llm_model(&self) -> luna_actor_llm::FindLanguageModel {
        let live = self.live.clone();
        let find = self.llm_model.clone();
        let find = find.unwrap_or_else(|| Arc::new(move |task| engines::llm_model(&live.get(), task)));
        let admission = self.admission.clone();
        Arc::new(move |task| admitted(admission.as_ref(), EngineKind::Llm, find(task)?))
    }

    /// Looks for the model of speech recognition, without the memory to load it: nobody else has to wait, and nobody else's model hides it (GPU-7).
    pub(super) fn look_for_stt_model(&self) -> FindSpeechModel {
        self.stt_model.clone().unwrap_or_else(|| self.configured_speech_model(EngineKind::Stt, engines::stt_model))
    }

    /// Finds the model of speech recognition, if it may be loaded now (GPU-7).
    pub(super) fn find_stt_model(&self) -> FindSpeechModel {
        let find = self.look_for_stt_model();
        let admission = self.admission.clone();
        Arc::new(move || admitted(admission.as_ref(), EngineKind::Stt, find()?))
    }

    /// The speech model of commands, which may be another one (STT-2).
    pub(super) fn command_model(&self) -> CommandModel {
        let find = self.configured_speech_model(EngineKind::SttCommand, engines::stt_command_model);
        let (live, admission) = (self.live.clone(), self.admission.clone());
        CommandModel {
            separate: Arc::new(move || engines::separate_command_model(&live.get()).is_some()),
            program: self.program(EngineKind::SttCommand),
            find: Arc::new(move || admitted(admission.as_ref(), EngineKind::SttCommand, find()?)),
            engine: self.stt_command_engine.clone(),
        }
    }

    /// Finds a model of speech recognition by the configuration, with a standby while Luna listens.
    fn configured_speech_model(
        &self,
        kind: EngineKind,
        of: fn(&Config) -> Result<ModelPlan, Unavailable>,
    ) -> FindSpeechModel {
        let (live, memory, gpu) = (self.live.clone(), self.system.memory.clone(), self.gpu_shared.clone());
        let (listening_full, standby) = (self.listening_full.clone(), self.stt_standby.clone());
        Arc::new(move || {
            let config = live.get();
            let model = of(&config)?;
            let place = placement(kind, gpu.can_use_card(kind), listening_full.load(Ordering::Relaxed));
            if !standby.load(Ordering::Relaxed) || place == MemoryPlace::Card {
                return Ok(model);
            }
            Ok(engines::with_standby(model, &config, memory.memory().map(|ram| ram.total)))
        })
    }

    /// Whether there is a language model for a task. Reads the disk, so on its own thread (KER-11).
    pub(super) fn has_model(&self) -> BlockingService<dyn Fn(LlmTask) -> bool + Send + Sync> {
        let (live, find) = (self.live.clone(), self.llm_model.clone());
        let has_model = move |task: LlmTask| match &find {
            Some(find) => find(task).is_ok(),
            None => engines::llm_model(&live.get(), task).is_ok(),
        };
        BlockingService::new("models", FIND_MODEL_TIMEOUT, Arc::new(has_model))
    }

    /// The GpuToken actor's link to the holders of a model, in this or another process. An order that can't be posted ends the engine instead.
    pub(super) fn holder(
        &self,
        slot: &Arc<ManagedEngine>,
        order: impl Fn(ResidencyOrder) + Send + Sync + 'static,
    ) -> ResidencyLink {
        let kind = slot.kind();
        let (ends, looks) = (slot.clone(), slot.clone());
        let holders = &self.lease_holders;
        let (orders, closes, sees) = (holders.clone(), holders.clone(), holders.clone());
        ResidencyLink {
            order: Arc::new(move |given| {
                if !orders.forward(given) {
                    order(given);
                }
            }),
            end: Arc::new(move || {
                closes.end(kind);
                ends.stop();
            }),
            alive: Arc::new(move || looks.is_alive() || sees.has(kind)),
        }
    }
}

/// The model, if it may be loaded now (GPU-7).
fn admitted(admission: Option<&Admission>, kind: EngineKind, model: ModelPlan) -> Result<ModelPlan, Unavailable> {
    match admission {
        Some(admission) => admission(kind, model),
        None => Ok(model),
    }
}
