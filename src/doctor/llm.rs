//! Checks of language models and speech recognition: engines, models, and the memory for them. Luna reads without them, so a failure is only a
//! limitation.

use std::time::Duration;

use luna_actor_runtime::blocking::{BlockingThread, NoAnswer};
use luna_engine_host::ModelPlan;
use luna_engine_host::availability::FIND_MODEL_TIMEOUT;
use luna_engine_host::process::EngineProcess;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{MemoryPlace, MemoryPool};
use luna_messages::llm::LlmTask;

use super::checks::engine_failure;
use super::{CheckResult, CheckState};
use crate::batch_commands::models::ModelActors;
use crate::engines;
use crate::system::System;
use luna_config::Config;

/// Time that a program has to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// Whether the engine's program exists and speaks this Luna's protocol. Loads nothing.
pub async fn engine(name: &'static str, kind: EngineKind, config: &Config) -> CheckResult {
    let program = engines::program(kind, config);
    match EngineProcess::start(&program).await {
        Ok(host) => {
            let detail = format!("{}, version {}.", program.path.display(), host.version());
            host.close(SHUTDOWN_TIMEOUT).await;
            CheckResult::works(name, detail)
        }
        Err(failure) => CheckResult { state: CheckState::Limited, ..engine_failure(name, &failure) },
    }
}

/// Whether the model of each task is installed and intact.
pub async fn language_models(config: &Config) -> CheckResult {
    let (mut found, disk) = (Vec::new(), BlockingThread::new("models", FIND_MODEL_TIMEOUT));
    for task in LlmTask::NEEDED {
        let config = config.clone();
        // The first comparison of a checksum takes seconds.
        found.push((task.name(), disk.run(move || engines::llm_model(&config, task)).await));
    }
    model_result("language_model", found)
}

/// Whether the models of speech recognition are installed and intact: that of whole utterances, and that of commands if it is another one.
pub async fn speech_recognition(config: &Config) -> CheckResult {
    let disk = BlockingThread::new("models", FIND_MODEL_TIMEOUT);
    let of_utterances = config.clone();
    let mut found = vec![("stt", disk.run(move || engines::stt_model(&of_utterances)).await)];
    if engines::separate_command_model(config).is_some() {
        let of_commands = config.clone();
        found.push(("stt_command", disk.run(move || engines::stt_command_model(&of_commands)).await));
    }
    model_result("speech_recognition", found)
}

/// The lookup's result, or no answer if the disk hangs.
type ModelLookup = Result<Result<ModelPlan, Unavailable>, NoAnswer>;

fn model_result(name: &'static str, found: Vec<(&'static str, ModelLookup)>) -> CheckResult {
    let mut details = Vec::new();
    let mut remedy = None;
    for (task, outcome) in found {
        match outcome {
            Ok(Ok(model)) => details.push(format!("{task}: {} in {} MB", model.name, model.memory_estimate >> 20)),
            Ok(Err(why)) => {
                details.push(format!("{task}: {}", why.reason.trim_end_matches('.')));
                remedy.get_or_insert(why.remedy);
            }
            Err(no_answer) => details.push(format!("{task}: {no_answer}")),
        }
    }
    let detail = format!("{}.", details.join("; "));
    match remedy {
        None => CheckResult::works(name, detail),
        Some(remedy) => CheckResult::with_remedy(name, CheckState::Limited, detail, remedy),
    }
}

/// The card, and the budgets of models in its memory and in RAM (GPU-5).
pub async fn memory(config: &Config, system: &System) -> CheckResult {
    let models = ModelActors::start(config, system);
    let status = models.status().await;
    models.end().await;
    let Some(status) = status else {
        let remedy = "Report this as a defect of Luna.";
        return CheckResult::with_remedy(
            "memory",
            CheckState::Limited,
            "The part that shares out memory gave no answer.",
            remedy,
        );
    };
    let card = status.card.unwrap_or_else(|| "No graphics card: models run on the processor".to_owned());
    let pool = |pool: &MemoryPool| {
        let place = match pool.place {
            MemoryPlace::Card => "on the card",
            MemoryPlace::Ram => "of the computer's memory",
        };
        format!("{} MB {place}", pool.budget_mb)
    };
    let pools: Vec<String> = status.pools.iter().map(pool).collect();
    CheckResult::works("memory", format!("{card}; models may have {}.", pools.join(" and ")))
}
