//! The Metrics actor: keeps `/metrics` up to date (MET-1).
//!
//! **Hears** [`MetricsMessage`], mostly from its own timer. **Says** nothing to other actors.
//! **Never** sees text of the screen or of speech (MET-2).

#![forbid(unsafe_code)]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::task::Task;
use luna_messages::metrics::MetricsMessage;

/// Interval at which the recorder folds its histograms, which grow meanwhile.
const UPKEEP: Duration = Duration::from_secs(5);

/// Keeps the recorder tidy; without it the histograms grow without bound (MET-3).
pub struct MetricsActor {
    /// The upkeep of the composition root: that of the recorder, and gauges of the process.
    upkeep: Arc<dyn Fn() + Send + Sync>,
    /// The upkeep timer; ends on drop.
    timer: Option<Task>,
}

impl MetricsActor {
    /// An actor that calls `upkeep` every five seconds. `upkeep` must not block.
    #[must_use]
    pub fn new(upkeep: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { upkeep, timer: None }
    }
}

#[async_trait]
impl Actor for MetricsActor {
    type Message = MetricsMessage;
    const NAME: &'static str = "metrics";

    async fn started(&mut self, context: &ActorContext<MetricsMessage>) -> Result<(), ActorError> {
        (self.upkeep)();
        self.timer = Some(context.every(UPKEEP, || MetricsMessage::Upkeep));
        Ok(())
    }

    async fn handle(&mut self, message: MetricsMessage, _: &ActorContext<MetricsMessage>) -> Result<(), ActorError> {
        match message {
            MetricsMessage::Upkeep => (self.upkeep)(),
        }
        Ok(())
    }
}
