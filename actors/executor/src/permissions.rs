//! Which program waits for the answer whether it may act.

use std::collections::BTreeMap;

use luna_messages::executor::PermissionAnswer;
use luna_messages::{Reply, RequestId};

/// Waiting replies by request. A reply that is dropped allows nothing.
#[derive(Debug, Default)]
pub struct OpenPermissions {
    waiting: BTreeMap<RequestId, Reply<PermissionAnswer>>,
}

impl OpenPermissions {
    /// A program waits. If one with the same id waits already, the first one keeps its place.
    pub fn open(&mut self, id: RequestId, reply: Reply<PermissionAnswer>) {
        self.waiting.entry(id).or_insert(reply);
    }

    /// Answers it, once.
    pub fn answer(&mut self, id: RequestId, answer: PermissionAnswer) {
        if let Some(reply) = self.waiting.remove(&id) {
            reply.answer(answer);
        }
    }
}
