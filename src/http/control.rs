//! Commands, and the state of Luna.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use luna_actor_runtime::inbox::{Inbox, PostError};
use luna_messages::control::CommandOutcome;
use luna_messages::focus::ReflexMessage;
use luna_messages::gpu::{GpuMessage, GpuStatus};
use luna_messages::{MessageClass as _, Reply};
use tokio::sync::oneshot;

use super::Endpoint;
use super::stages;
use crate::control_protocol::{ActorStatus, CapabilityStatus, CommandRequest, Refusal, Status};

/// Time limit for the Reflex actor to forward a command; it does nothing else, and is replaced if it hangs.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(2);

/// Time limit for the GpuToken actor to report memory; a late report is left out of the status.
const MEMORY_TIMEOUT: Duration = Duration::from_millis(500);

pub(super) fn refused(status: StatusCode, error: &str, reason: &str) -> Response {
    (status, Json(Refusal { error: error.to_owned(), reason: reason.to_owned() })).into_response()
}

/// `POST /command`: 202 once every actor that handles the command has received it, 429 if the inbox of one is full, 503 if Luna accepts no commands, 403 for what no program
/// may say (DNG-2).
pub async fn command(State(endpoint): State<Endpoint>, Json(request): Json<CommandRequest>) -> Response {
    const BUSY: &str = "Too many commands wait already; try again in a moment.";
    const CLOSED: &str = "Luna takes no commands now; luna ctl status tells why.";
    let command = request.command;
    if command.is_by_person_only() {
        const PERSON: &str = "Only the person confirms, by voice or by a key of this keyboard.";
        return refused(StatusCode::FORBIDDEN, "by_person_only", PERSON);
    }
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |outcome| {
        let _ = sender.send(outcome);
    });
    match endpoint.traces.begin("command").scope(|| endpoint.reflex.post(ReflexMessage::Ask { command, reply })) {
        Ok(()) => {}
        Err(PostError::Full(_)) => return refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        Err(PostError::Closed(_)) => return refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
    match tokio::time::timeout(FORWARD_TIMEOUT, answer).await {
        Ok(Ok(Ok(CommandOutcome::Accepted))) => StatusCode::ACCEPTED.into_response(),
        Ok(Ok(Ok(CommandOutcome::Refused))) => refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        // The Reflex actor crashed on the command or hangs: its replacement handles commands that only silence (KER-7).
        Ok(_) | Err(_) if command.retries() > 0 => StatusCode::ACCEPTED.into_response(),
        Ok(_) | Err(_) => refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
}

/// `GET /status`.
pub async fn status(State(endpoint): State<Endpoint>) -> Json<Status> {
    let actors = endpoint.tree.status().into_iter().map(|child| ActorStatus {
        actor: child.actor.to_owned(),
        state: format!("{:?}", child.state).to_lowercase(),
        restarts: u64::from(child.restarts),
        depth: child.depth,
    });
    let capabilities =
        endpoint.capabilities.snapshot().into_iter().map(|(capability, state)| CapabilityStatus { capability, state });
    Json(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        process: std::process::id(),
        actors: actors.collect(),
        capabilities: capabilities.collect(),
        memory: memory(&endpoint.gpu).await,
        stages: endpoint.metrics.as_ref().map(|metrics| stages::parse_metrics(&metrics.render())).unwrap_or_default(),
        hot_keys: endpoint.hot_keys.all(),
        silence: endpoint.hot_keys.silence(),
        recent_log: endpoint.log.lines(),
    })
}

async fn memory(gpu: &Inbox<GpuMessage>) -> Option<GpuStatus> {
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |status| drop(sender.send(status)));
    gpu.post(GpuMessage::Status { reply }).ok()?;
    tokio::time::timeout(MEMORY_TIMEOUT, answer).await.ok()?.ok()?.ok()
}

#[cfg(test)]
mod tests;
