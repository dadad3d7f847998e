//! Wiring, supervision tree and hot keys; everything before the endpoint opens.

use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::Task;
use luna_actor_runtime::retry::RetryPolicy;
use luna_actor_runtime::supervisor::SupervisionTree;
use tokio::sync::oneshot;

use super::{Configuration, ProcessSetup};
use crate::lease::ModelsLock;
use crate::settings::LiveConfig;
use crate::system::System;
use crate::tree;
use crate::wiring::Wiring;
use crate::{hot_keys, silence_keys};

/// A Luna with running actors; its endpoint is not open yet.
pub struct Luna {
    pub(super) configuration: Configuration,
    pub(super) process: ProcessSetup,
    pub(super) live: LiveConfig,
    pub(super) wiring: Wiring,
    pub(super) tree: Arc<SupervisionTree>,
    pub(super) models_lock: ModelsLock,
    pub(super) hot_keys: Task,
    /// Resolves when the hot keys were tried for the first time.
    pub(super) hot_keys_tried: oneshot::Receiver<()>,
    pub(super) silence_keys: Option<Task>,
}

impl Luna {
    /// Starts the actors and the hot keys, on the caller's runtime.
    #[must_use]
    pub fn build(configuration: Configuration, process: ProcessSetup) -> Self {
        let config = &configuration.loaded.config;
        let live = LiveConfig::new(config.clone());
        let mut wiring = Wiring::new(&live, &System::of_this_machine());
        let models_lock = ModelsLock::of_this_person();
        wiring.admission = Some(models_lock.admission(Duration::from_millis(config.gpu.wait_bound_ms)));
        wiring.prepare_listening();
        let tree = Arc::new(tree::spawn_tree(&wiring, &live, process.metrics.clone()));
        let configured = hot_keys::configured(config);
        let (hot_keys, hot_keys_tried) =
            hot_keys::start(wiring.hot_key_dependencies(), configured, RetryPolicy::default());
        let silence_keys = silence_keys::start(wiring.silence_dependencies(), config);
        Self { configuration, process, live, wiring, tree, models_lock, hot_keys, hot_keys_tried, silence_keys }
    }
}
