//! The Metrics actor: keeps what `/metrics` shows fresh (MET-1).
//!
//! **Hears** [`MetricsMessage`], mostly from its own clock. **Says** nothing to other actors.
//! **Never** sees text of the screen or of speech (MET-2).

#![forbid(unsafe_code)]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::task::Task;
use luna_messages::metrics::MetricsMessage;

/// How often the recorder folds its histograms; they grow meanwhile.
const UPKEEP: Duration = Duration::from_secs(5);

pub struct MetricsActor {
    /// What the composition root does at each upkeep: the recorder's own, and gauges of the process.
    upkeep: Arc<dyn Fn() + Send + Sync>,
    /// The clock; dropping it ends it.
    clock: Option<Task>,
}

impl MetricsActor {
    /// An actor that calls `upkeep` every five seconds. It must return at once.
    #[must_use]
    pub fn new(upkeep: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { upkeep, clock: None }
    }
}

#[async_trait]
impl Actor for MetricsActor {
    type Message = MetricsMessage;
    const NAME: &'static str = "metrics";

    async fn started(&mut self, context: &ActorContext<MetricsMessage>) -> Result<(), ActorError> {
        (self.upkeep)();
        self.clock = Some(context.every(UPKEEP, || MetricsMessage::Upkeep));
        Ok(())
    }

    async fn handle(&mut self, message: MetricsMessage, _: &ActorContext<MetricsMessage>) -> Result<(), ActorError> {
        match message {
            MetricsMessage::Upkeep => (self.upkeep)(),
        }
        Ok(())
    }
}
