//! The local HTTP endpoint: metrics, control, events (MET-1, PRV-4).
//!
//! Binds to loopback only. Every request's `Host` and `Origin` are checked, so that a web page in a browser on this machine can't reach the endpoint
//! by its own host name (DNS rebinding); requests that act or show content also need the token.

mod guard;

pub mod control;
mod events;
pub mod lease;
mod orders;
mod say_to;
pub mod stages;
mod tools;
mod trace;

mod connections;
pub mod serve;
mod stall;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Query, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_actor_runtime::trace_log::TraceLog;
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::ReflexMessage;
use luna_messages::gpu::GpuMessage;
use luna_messages::listening::ListeningMessage;
use luna_messages::tools::ToolsMessage;
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Deserialize;
use tokio::sync::Semaphore;

use crate::bus::BusSession;
use crate::hot_keys::HotKeyBoard;
use crate::lease::ModelsLock;
use crate::lease::holders::LeaseHolders;
use crate::logging::RecentLog;
use crate::peer::{PeerIdentity, proof};

/// Dependencies of the endpoint.
#[derive(Clone)]
pub struct Endpoint {
    /// Renders the metrics; `None` if they are switched off.
    pub metrics: Option<PrometheusHandle>,
    /// Receives commands.
    pub reflex: Inbox<ReflexMessage>,
    /// Carries out orders of programs.
    pub executor: Inbox<ExecutorMessage>,
    /// Carries out calls of tools.
    pub tools: Inbox<ToolsMessage>,
    /// Receives words that come as text.
    pub listening: Inbox<ListeningMessage>,
    /// Keeps the traces (KER-12).
    pub traces: TraceLog,
    /// Reports which models are in memory, and grants leases.
    pub gpu: Inbox<GpuMessage>,
    /// Source of events.
    pub bus: BusSession,
    /// State of the capabilities.
    pub capabilities: Capabilities,
    /// State of the actors.
    pub tree: Arc<SupervisionTree>,
    /// The newest warnings.
    pub log: RecentLog,
    /// State of the hot keys.
    pub hot_keys: HotKeyBoard,
    /// Permits for concurrent event streams.
    pub streams: Arc<Semaphore>,
    /// Processes with a lease of this Luna for a model (GPU-7).
    pub lease_holders: LeaseHolders,
    /// Locked while Luna or a lease holder has model memory.
    pub models_lock: ModelsLock,
    /// Token required by requests that act or show content.
    pub token: Arc<str>,
}

/// Maximum concurrent event streams: the page, `luna ctl events`, an overlay, and some more.
pub const MAX_STREAMS: usize = 16;
/// Maximum bytes of a request body; a command has 30.
const MAX_BODY: usize = 16 * 1024;
/// Time limit until an answer begins, including the request's body.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Routes whose answers wait until something is done on the screen.
const DO: &str = "/do";
const ANSWER: &str = "/answer";
const CALL: &str = "/tools/call";

/// The routes, for a listener at `address`.
pub fn router(endpoint: Endpoint, address: SocketAddr) -> Router {
    let metrics = endpoint.metrics.clone();
    let token = endpoint.token.clone();
    let with_token = Router::new()
        .route("/command", post(control::command))
        .route("/say-to", post(say_to::say_to))
        .route(DO, post(orders::carry_out))
        .route(ANSWER, post(orders::answer))
        .route("/tools", get(tools::list))
        .route(CALL, post(tools::call))
        .route("/status", get(control::status))
        .route("/events", get(events::follow))
        .route("/trace", get(trace::traces))
        .route("/lease", post(lease::acquire_for_connection))
        .layer(middleware::from_fn_with_state(endpoint.token.clone(), guard::token))
        .with_state(endpoint);
    let open = Router::new()
        .route(
            "/metrics",
            get(move || {
                let text = metrics.as_ref().map(PrometheusHandle::render).unwrap_or_default();
                async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text) }
            }),
        )
        .route("/identity", get(move |Query(asked): Query<IdentityQuery>| async move { identity(&token, &asked) }));
    with_token
        .merge(open)
        .layer(middleware::from_fn_with_state(guard::AllowedHosts::of(address), guard::names))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn(in_time))
}

/// Query of a client that verifies that this is the Luna that issued its token.
#[derive(Deserialize)]
struct IdentityQuery {
    /// 32 random bytes of the client, in hexadecimal.
    challenge: String,
}

/// `GET /identity`, without a token: clients call it before they send theirs (`src/peer.rs`).
fn identity(token: &str, asked: &IdentityQuery) -> Response {
    let fits = asked.challenge.len() == 64 && asked.challenge.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !fits {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let process = std::process::id();
    Json(PeerIdentity { process, proof: proof(token, &asked.challenge, process) }).into_response()
}

/// Rejects a request with a late body, or a body announced as too long; the body limit alone would wait for it.
async fn in_time(request: Request, next: Next) -> Response {
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MAX_BODY as u64) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let limit = match request.uri().path() {
        DO | ANSWER => orders::ORDER_TIMEOUT + ANSWER_TIMEOUT,
        CALL => tools::CALL_TIMEOUT + ANSWER_TIMEOUT,
        _ => ANSWER_TIMEOUT,
    };
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| StatusCode::REQUEST_TIMEOUT.into_response())
}
