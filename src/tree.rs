//! The supervision tree as one table (KER-1).

use std::sync::Arc;
use std::time::Duration;

use luna_actor_executor::ExecutorActor;
use luna_actor_focus::FocusActor;
use luna_actor_gpu::GpuActor;
use luna_actor_language_tasks::LanguageTasksActor;
use luna_actor_listening::ListeningActor;
use luna_actor_llm::LlmActor;
use luna_actor_metrics::MetricsActor;
use luna_actor_ocr::OcrActor;
use luna_actor_overlay::OverlayActor;
use luna_actor_reflex::ReflexActor;
use luna_actor_runtime::restart::{GroupPolicy, RestartPolicy};
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_actor_stt::SttActor;
use luna_actor_tools::ToolsActor;
use luna_actor_tts::TtsActor;
use luna_actor_uia::UiaActor;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::settings::{self, LiveConfig};
use crate::wiring::Wiring;

/// Starts all actors. Dependencies come before their users, and are stopped after them.
///
/// | actor | group | handler deadline | why |
/// |---|---|---|---|
/// | metrics | | 5 s | folds histograms |
/// | gpu | | 2 s | decides and posts; reading the card's memory is a driver call |
/// | llm | | 2 s | starts work elsewhere |
/// | stt | | 2 s | starts work elsewhere |
/// | mind | | 2 s | starts work elsewhere |
/// | tts | | 1 s | its handlers only note and post; a person waits |
/// | ocr | reading | 2 s | starts work elsewhere |
/// | uia | reading | 2 s | starts work elsewhere |
/// | overlay | | 1 s | draws and shows elsewhere |
/// | focus | reading | 2 s | asks the pointer, which is a round trip to the display |
/// | executor | | 1 s | understands by rules, else only posts; a person waits |
/// | tools | | 1 s | starts work elsewhere |
/// | reflex | | 500 ms | only posts |
/// | listening | | 1 s | understands by rules, else only posts; a person waits |
#[must_use]
pub fn spawn_tree(wiring: &Wiring, live: &LiveConfig, metrics: Option<PrometheusHandle>) -> SupervisionTree {
    let announcer = wiring.announcer.clone();
    let tree = SupervisionTree::new(Arc::new(move |event| announcer.tree(&event)));
    // The three actors of reading depend on each other: if one fails repeatedly, all restart.
    let reading = tree.group("reading", GroupPolicy::default());

    let upkeep: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
        if let Some(handle) = &metrics {
            handle.run_upkeep();
        }
    });
    tree.add(within(5000), wiring.metrics.clone(), move || MetricsActor::new(upkeep.clone()));

    spawn_model_actors(&tree, wiring);

    let (dependencies, config) = (wiring.tts_dependencies(), live.clone());
    tree.add(prompt(1000), wiring.tts.clone(), move || {
        TtsActor::new(settings::tts_settings(&config.get()), dependencies.clone())
    });

    let dependencies = wiring.ocr_dependencies();
    tree.add_to(reading, within(2000), wiring.ocr.clone(), move || OcrActor::new(dependencies.clone()));

    let dependencies = wiring.uia_dependencies();
    tree.add_to(reading, within(2000), wiring.uia.clone(), move || UiaActor::new(dependencies.clone()));

    let dependencies = wiring.overlay_dependencies();
    tree.add(within(1000), wiring.overlay.clone(), move || OverlayActor::new(dependencies.clone()));

    let dependencies = wiring.focus_dependencies();
    tree.add_to(reading, within(2000), wiring.focus.clone(), move || FocusActor::new(dependencies.clone()));

    let dependencies = wiring.executor_dependencies();
    tree.add(prompt(1000), wiring.executor.clone(), move || ExecutorActor::new(dependencies.clone()));

    let dependencies = wiring.tools_dependencies();
    tree.add(within(1000), wiring.tools.clone(), move || ToolsActor::new(dependencies.clone()));

    let dependencies = wiring.reflex_dependencies();
    tree.add(prompt(500), wiring.reflex.clone(), move || ReflexActor::new(dependencies.clone()));

    let dependencies = wiring.listening_dependencies();
    tree.add(prompt(1000), wiring.listening.clone(), move || ListeningActor::new(dependencies.clone()));
    tree
}

/// Starts the model actors: the rows gpu, llm, stt and mind. Models are loaded on demand.
pub fn spawn_model_actors(tree: &SupervisionTree, wiring: &Wiring) {
    let dependencies = wiring.gpu_dependencies();
    tree.add(within(2000), wiring.gpu.clone(), move || GpuActor::new(dependencies.clone()));

    let dependencies = wiring.llm_dependencies();
    tree.add(within(2000), wiring.llm.clone(), move || LlmActor::new(dependencies.clone()));

    let dependencies = wiring.stt_dependencies();
    tree.add(within(2000), wiring.stt.clone(), move || SttActor::new(dependencies.clone()));

    let dependencies = wiring.language_task_dependencies();
    tree.add(within(2000), wiring.language_tasks.clone(), move || LanguageTasksActor::new(dependencies.clone()));
}

fn within(deadline: u64) -> RestartPolicy {
    RestartPolicy { handler_deadline: Duration::from_millis(deadline), ..RestartPolicy::default() }
}

/// As [`within`], for actors that a person waits for: a short backoff, so that a stop during a restart is still quick, and more attempts, so that the
/// short backoff does not use them up sooner.
fn prompt(deadline: u64) -> RestartPolicy {
    let (backoff_first, backoff_max) = (Duration::from_millis(2), Duration::from_millis(100));
    RestartPolicy { max_restarts: 12, backoff_first, backoff_max, ..within(deadline) }
}
