//! Commands, and how Luna is.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use luna_messages::Reply;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::gpu::{GpuMessage, GpuStatus};
use luna_runtime::inbox::Inbox;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::Endpoint;
use super::stages::{self, StageStatus};

/// How long the part that shares out memory may take to tell who has it; without it the rest is told all the same.
const TELLING: Duration = Duration::from_millis(500);

/// A command to obey.
#[derive(Debug, Serialize, Deserialize)]
pub struct CommandRequest {
    /// Which.
    pub command: Command,
}

/// `POST /command`.
pub async fn command(
    State(endpoint): State<Endpoint>,
    Json(request): Json<CommandRequest>,
) -> (StatusCode, &'static str) {
    match endpoint.reflex.post(ReflexMessage::Command(request.command)) {
        Ok(()) => (StatusCode::ACCEPTED, ""),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "Luna takes no commands now.\n"),
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
        recent_log: endpoint.log.lines(),
    })
}

async fn memory(gpu: &Inbox<GpuMessage>) -> Option<GpuStatus> {
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |status| drop(sender.send(status)));
    gpu.post(GpuMessage::Status { reply }).ok()?;
    tokio::time::timeout(TELLING, answer).await.ok()?.ok()?.ok()
}
