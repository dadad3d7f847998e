//! Commands, and how Luna is.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use luna_actor_runtime::inbox::{Inbox, PostError};
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::{Command, CommandOutcome};
use luna_messages::focus::ReflexMessage;
use luna_messages::gpu::{GpuMessage, GpuStatus};
use luna_messages::{MessageClass as _, Reply};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::Endpoint;
use super::stages::{self, StageStatus};
use crate::hot_keys::HotKeyStatus;

/// How long the actor of commands may take to hand one on; it does nothing else, and is replaced where it hangs.
const OBEYING: Duration = Duration::from_secs(2);

/// How long the part that shares out memory may take to tell who has it; without it the rest is told all the same.
const TELLING: Duration = Duration::from_millis(500);

/// A command to obey.
#[derive(Debug, Serialize, Deserialize)]
pub struct CommandRequest {
    /// Which.
    pub command: Command,
}

/// Why a command, or a stream of events, is not taken (KER-4).
#[derive(Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Constant, for programs: `busy` may be tried again in a moment, `closed` only once Luna runs as it should.
    pub error: String,
    /// One sentence for people.
    pub reason: String,
}

pub(super) fn refused(status: StatusCode, error: &str, reason: &str) -> Response {
    (status, Json(Refusal { error: error.to_owned(), reason: reason.to_owned() })).into_response()
}

/// `POST /command`: 202 once everybody who obeys it has it, 429 where one of them has no room, 503 where Luna takes none now.
pub async fn command(State(endpoint): State<Endpoint>, Json(request): Json<CommandRequest>) -> Response {
    const BUSY: &str = "Too many commands wait already; try again in a moment.";
    const CLOSED: &str = "Luna takes no commands now; luna ctl status tells why.";
    let command = request.command;
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |outcome| {
        let _ = sender.send(outcome);
    });
    match endpoint.reflex.post(ReflexMessage::Ask { command, reply }) {
        Ok(()) => {}
        Err(PostError::Full(_)) => return refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        Err(PostError::Closed(_)) => return refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
    match tokio::time::timeout(OBEYING, answer).await {
        Ok(Ok(Ok(CommandOutcome::Taken))) => StatusCode::ACCEPTED.into_response(),
        Ok(Ok(Ok(CommandOutcome::Refused))) => refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        // Its actor crashed on it, or hangs: what only silences is obeyed all the same by the one that replaces it (KER-7).
        Ok(_) | Err(_) if command.retries() > 0 => StatusCode::ACCEPTED.into_response(),
        Ok(_) | Err(_) => refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
}

/// How Luna is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status {
    /// Version of the program.
    pub version: String,
    /// Process id.
    pub process: u32,
    /// Actors with their state.
    pub actors: Vec<ActorStatus>,
    /// What works and what doesn't.
    pub capabilities: Vec<CapabilityStatus>,
    /// Which models are in memory and how many wait for some (GPU-1); `None` where the part that shares it out gives no answer now.
    pub memory: Option<GpuStatus>,
    /// How long the stages of a wish take (MET-4); empty where nothing was recorded.
    #[serde(default)]
    pub stages: Vec<StageStatus>,
    /// The hot keys, and which of them could not be had (SES-6).
    #[serde(default)]
    pub hot_keys: Vec<HotKeyStatus>,
    /// The newest warnings, without any text of the screen.
    pub recent_log: Vec<String>,
}

/// How an actor is.
#[derive(Debug, Serialize, Deserialize)]
pub struct ActorStatus {
    /// Its name.
    pub actor: String,
    /// `running`, `restarting`, `degraded` or `stopped`.
    pub state: String,
    /// How often it was started again.
    pub restarts: u64,
    /// Messages that wait, by lane from Reflex to Llm.
    pub depth: [usize; 5],
}

/// How a capability is.
#[derive(Debug, Serialize, Deserialize)]
pub struct CapabilityStatus {
    /// Which.
    pub capability: Capability,
    /// How.
    #[serde(flatten)]
    pub state: CapabilityState,
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
        stages: endpoint.metrics.as_ref().map(|metrics| stages::of_metrics(&metrics.render())).unwrap_or_default(),
        hot_keys: endpoint.hot_keys.all(),
        recent_log: endpoint.log.lines(),
    })
}

async fn memory(gpu: &Inbox<GpuMessage>) -> Option<GpuStatus> {
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |status| drop(sender.send(status)));
    gpu.post(GpuMessage::Status { reply }).ok()?;
    tokio::time::timeout(TELLING, answer).await.ok()?.ok()?.ok()
}

#[cfg(test)]
mod tests;
