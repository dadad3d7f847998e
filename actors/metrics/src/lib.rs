//! The Metrics actor: keeps `/metrics` up to date (MET-1).
//!
//! **Receives** [`MetricsMessage`], mostly from its own timer. **Sends** nothing to other actors.
//! **Never** sees text of the screen or of speech (MET-2).

#![forbid(unsafe_code)]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::task::Task;
use luna_messages::metrics::MetricsMessage;

/// Interval of the upkeep, between which the recorder's histograms grow.
const UPKEEP: Duration = Duration::from_secs(5);

/// Runs the upkeep of the recorder, without which its histograms would grow without bound (MET-3).
pub struct MetricsActor {
    /// The upkeep function of the composition root, which folds the recorder's histograms.
    upkeep: Arc<dyn Fn() + Send + Sync>,
    /// The upkeep timer; ends on drop.
    timer: Option<Task>,
}

impl MetricsActor {
    /// Calls `upkeep`, which must not block, at each start and every five seconds.
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
