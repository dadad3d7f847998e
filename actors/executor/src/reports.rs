//! Who waits for the report of which order.

use std::collections::BTreeMap;

use luna_actor_runtime::metric_names::ORDER_DURATION;
use luna_messages::executor::{OrderOutcome, OrderReport};
use luna_messages::{Reply, RequestId};
use tokio::time::Instant;

/// Waiting replies by order or answer. A reply that is dropped answers that Luna ended before it could.
#[derive(Debug, Default)]
pub struct OpenReports {
    waiting: BTreeMap<RequestId, (Reply<OrderReport>, Instant)>,
}

impl OpenReports {
    /// Whoever gave this order waits.
    pub fn open(&mut self, id: RequestId, reply: Reply<OrderReport>) {
        self.waiting.insert(id, (reply, Instant::now()));
    }

    /// Answers who gave it.
    pub fn answer(&mut self, id: RequestId, report: OrderReport) {
        if let Some((reply, begin)) = self.waiting.remove(&id) {
            if report.outcome == OrderOutcome::Success {
                metrics::histogram!(ORDER_DURATION).record(begin.elapsed());
            }
            reply.answer(report);
        }
    }
}
