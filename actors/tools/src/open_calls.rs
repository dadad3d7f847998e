//! The calls that are under way.

use std::collections::BTreeMap;

use luna_actor_runtime::Task;
use luna_actor_runtime::metric_names::{TOOL_CALLS, TOOL_DURATION, tool, tool_outcome};
use luna_messages::tools::{ToolFailure, ToolKind, ToolReport};
use luna_messages::{Reply, RequestId};
use serde_json::Value;
use tokio::time::Instant;

use crate::failures;

/// Most calls at a time.
const MOST: usize = 16;

struct PendingToolCall {
    tool: Option<ToolKind>,
    reply: Reply<ToolReport>,
    began: Instant,
    /// Dropping it ends the call.
    _task: Task,
}

/// Each call has exactly one answer, unless nobody waits for it any more.
#[derive(Default)]
pub struct OpenCalls {
    calls: BTreeMap<RequestId, PendingToolCall>,
}

impl OpenCalls {
    pub fn is_full(&self) -> bool {
        self.calls.len() >= MOST
    }

    pub fn open(&mut self, id: RequestId, tool: Option<ToolKind>, reply: Reply<ToolReport>, task: Task) {
        self.calls.insert(id, PendingToolCall { tool, reply, began: Instant::now(), _task: task });
    }

    /// Answers a call that ended; its tool, if it was still open.
    pub fn answer(&mut self, id: RequestId, answer: Result<Value, ToolFailure>) -> Option<ToolKind> {
        let call = self.calls.remove(&id)?;
        conclude(call.tool, call.began, call.reply, answer);
        call.tool
    }

    /// Answers a call that does not begin.
    pub fn refuse(tool: Option<ToolKind>, reply: Reply<ToolReport>, failure: ToolFailure) {
        conclude(tool, Instant::now(), reply, Err(failure));
    }

    /// Whoever called is gone: what was not done yet is not done any more.
    pub fn cancel(&mut self, id: RequestId) {
        if let Some(call) = self.calls.remove(&id) {
            conclude(call.tool, call.began, Reply::ignored(), Err(failures::stopped()));
        }
    }

    /// Ends what was called before a stop.
    pub fn stop(&mut self, at: RequestId) {
        let later = self.calls.split_off(&RequestId(at.0.saturating_add(1)));
        for (_, call) in std::mem::replace(&mut self.calls, later) {
            conclude(call.tool, call.began, call.reply, Err(failures::stopped()));
        }
    }
}

fn conclude(called: Option<ToolKind>, began: Instant, reply: Reply<ToolReport>, answer: Result<Value, ToolFailure>) {
    let took = began.elapsed();
    let outcome = tool_outcome::of(answer.as_ref().err().map(|failure| failure.kind));
    metrics::counter!(TOOL_CALLS, "tool" => tool::of(called), "outcome" => outcome).increment(1);
    metrics::histogram!(TOOL_DURATION, "tool" => tool::of(called)).record(took);
    reply.answer(ToolReport::of(answer, took.as_secs_f64() * 1000.0));
}
