//! Commands, and how Luna is.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use serde::{Deserialize, Serialize};

use super::Endpoint;

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
        recent_log: endpoint.log.lines(),
    })
}
