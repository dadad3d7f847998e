//! Who waits for the report of which order.

use std::collections::BTreeMap;

use luna_messages::executor::OrderReport;
use luna_messages::{Reply, RequestId};

/// Waiting replies by order or answer. A reply that is dropped answers that Luna ended before it could.
#[derive(Debug, Default)]
pub struct OpenReports {
    waiting: BTreeMap<RequestId, Reply<OrderReport>>,
}

impl OpenReports {
    /// Whoever gave this order waits.
    pub fn open(&mut self, id: RequestId, reply: Reply<OrderReport>) {
        self.waiting.insert(id, reply);
    }

    /// Answers who gave it.
    pub fn answer(&mut self, id: RequestId, report: OrderReport) {
        if let Some(reply) = self.waiting.remove(&id) {
            reply.answer(report);
        }
    }
}
