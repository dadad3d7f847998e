//! The model actors for batch commands: the actors of `luna run`, under a GpuToken actor of the command's own.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::supervisor::SupervisionTree;
use luna_messages::Reply;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, GpuStatus, ResidentModel, ResidentState};
use luna_messages::work::WorkFailure;
use tokio::sync::oneshot;

use crate::lease::client::{self, OnLeaseLost};
use crate::settings::LiveConfig;
use crate::system::System;
use crate::tree;
use crate::wiring::Wiring;
use luna_config::Config;

/// Interval at which the state of the engine is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time that actors and engines have to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Tells the person why the memory for a model was revoked. Called on its own thread.
pub type TellLost = fn(&str);

/// The actors of models without the rest of the tree, for one batch command.
pub struct ModelActors {
    /// The inboxes of the actors.
    pub wiring: Wiring,
    tree: SupervisionTree,
}

/// State of an engine of a batch command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineProgress {
    /// The engine loads its model.
    Loading {
        model: String,
        /// Estimated memory, MB.
        mb: u64,
    },
    Working,
}

impl ModelActors {
    /// Starts the actors under their own token; nothing is loaded yet.
    #[must_use]
    pub fn start(config: &Config, system: &System) -> Self {
        Self::with_wiring(Wiring::new(&LiveConfig::new(config.clone()), system))
    }

    /// Starts the actors for a command. Each load needs a lease of the running Luna, or else the lock that commands share (GPU-7). If the lease is
    /// revoked, `tell_lost` gets the reason and the engines end.
    #[must_use]
    pub fn start_shared(config: &Config, system: &System, tell_lost: TellLost) -> Self {
        let mut wiring = Wiring::new(&LiveConfig::new(config.clone()), system);
        let (llm, stt) = (wiring.llm_engine.clone(), wiring.stt_engine.clone());
        let lost: OnLeaseLost = Arc::new(move |why| {
            tell_lost(why);
            llm.stop();
            stt.stop();
        });
        wiring.admission = Some(client::admission(Duration::from_millis(config.gpu.wait_bound_ms), lost));
        Self::with_wiring(wiring)
    }

    fn with_wiring(wiring: Wiring) -> Self {
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree::spawn_model_actors(&tree, &wiring);
        Self { wiring, tree }
    }

    /// The leases and resident models.
    pub async fn status(&self) -> Option<GpuStatus> {
        let (sender, answer) = oneshot::channel();
        let reply = Reply::new(move |status| drop(sender.send(status)));
        self.wiring.gpu.post(GpuMessage::Status { reply }).ok()?;
        answer.await.ok()?.ok()
    }

    /// Awaits `work` and reports changes of the engine's state meanwhile.
    pub async fn watch<T>(
        &self,
        kind: EngineKind,
        mut tell: impl FnMut(EngineProgress),
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        let mut before = None;
        loop {
            if let Ok(done) = tokio::time::timeout(POLL_INTERVAL, &mut work).await {
                return done;
            }
            let status = self.status().await;
            let step = status.and_then(|status| status.resident.into_iter().find_map(|model| step(kind, &model)));
            if step != before
                && let Some(step) = &step
            {
                tell(step.clone());
            }
            before = step;
        }
    }

    /// Stops actors and engines.
    pub async fn end(self) {
        self.tree.shutdown(SHUTDOWN_TIMEOUT).await;
    }
}

fn step(kind: EngineKind, model: &ResidentModel) -> Option<EngineProgress> {
    match model.state {
        _ if model.holder != kind => None,
        ResidentState::Loading => Some(EngineProgress::Loading { model: model.model.clone(), mb: model.mb }),
        ResidentState::Working => Some(EngineProgress::Working),
        _ => None,
    }
}

/// Creates a reply and the future of its answer; failures become errors that say what to do.
pub(super) fn answer<T: Send + 'static>() -> (Reply<Result<T, WorkFailure>>, impl Future<Output = anyhow::Result<T>>) {
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |answer| drop(sender.send(answer)));
    let waiting = async move {
        match answer.await {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(failure))) => Err(anyhow::Error::new(failure)),
            Ok(Err(lost)) => Err(anyhow::Error::new(lost)),
            Err(_) => Err(anyhow::anyhow!("the request was lost; try again")),
        }
    };
    (reply, waiting)
}
