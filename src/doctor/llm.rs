//! The checks of what understands: engines of language models and of speech recognition, their models, and the memory for them. Luna reads
//! without any of it, so nothing here is more than a limitation.

use std::time::Duration;

use luna_actor_runtime::outside::{NoAnswer, OutsideThread};
use luna_engine_host::ModelPlan;
use luna_engine_host::availability::FIND_MODEL_TIMEOUT;
use luna_engine_host::process::EngineProcess;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{MemoryPlace, MemoryPool};
use luna_messages::llm::LlmTask;

use super::checks::of_engine;
use super::{CheckResult, CheckState};
use crate::batch_commands::models::ModelActors;
use crate::engines;
use crate::system::System;
use luna_config::Config;

/// How long a program has to end.
const ENDING: Duration = Duration::from_millis(300);

/// Whether the program is there and speaks this Luna's language. Nothing is loaded.
pub async fn engine(name: &'static str, kind: EngineKind, config: &Config) -> CheckResult {
    let program = engines::program(kind, config);
    match EngineProcess::start(&program).await {
        Ok(host) => {
            let detail = format!("{}, version {}.", program.path.display(), host.version());
            host.close(ENDING).await;
            CheckResult::works(name, detail)
        }
        Err(failure) => CheckResult { state: CheckState::Limited, ..of_engine(name, &failure) },
    }
}

/// The model of each task: whether it is there and whole.
pub async fn language_models(config: &Config) -> CheckResult {
    let (mut found, disk) = (Vec::new(), OutsideThread::new("models", FIND_MODEL_TIMEOUT));
    for task in LlmTask::NEEDED {
        let config = config.clone();
        // Comparing a checksum for the first time takes seconds.
        found.push((task.name(), disk.run(move || engines::llm_model(&config, task)).await));
    }
    of_models("language_model", found)
}

/// The model of speech recognition: whether it is there and whole.
pub async fn speech_recognition(config: &Config) -> CheckResult {
    let (config, disk) = (config.clone(), OutsideThread::new("models", FIND_MODEL_TIMEOUT));
    of_models("speech_recognition", vec![("stt", disk.run(move || engines::stt_model(&config)).await)])
}

/// What was found, unless the disk did not answer.
type ModelLookup = Result<Result<ModelPlan, Unavailable>, NoAnswer>;

fn of_models(name: &'static str, found: Vec<(&'static str, ModelLookup)>) -> CheckResult {
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
        Some(remedy) => CheckResult::not(name, CheckState::Limited, detail, remedy),
    }
}

/// The card and what models may have of it and of the computer's memory (GPU-5).
pub async fn memory(config: &Config, system: &System) -> CheckResult {
    let models = ModelActors::start(config, system);
    let status = models.status().await;
    models.end().await;
    let Some(status) = status else {
        let remedy = "Report this as a defect of Luna.";
        return CheckResult::not(
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
