//! The local HTTP endpoint: metrics, control, events (MET-1, PRV-4).
//!
//! Binds to loopback only. Every request's `Host` and `Origin` are checked, so that a web page in a browser on this machine can't
//! reach it by a name of its own (DNS rebinding); what acts or shows content asks for the token besides.

pub mod control;
mod events;
mod guard;
pub mod lease;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::middleware;
use axum::routing::{get, post};
use luna_messages::focus::ReflexMessage;
use luna_messages::gpu::GpuMessage;
use luna_runtime::capabilities::Capabilities;
use luna_runtime::inbox::Inbox;
use luna_runtime::supervisor::Tree;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::bus::Bus;
use crate::lease::ModelsLock;
use crate::lease::outside::Outside;
use crate::logging::RecentLog;

/// What the endpoint needs.
#[derive(Clone)]
pub struct Endpoint {
    /// Renders the metrics; `None` where they are switched off.
    pub metrics: Option<PrometheusHandle>,
    /// Takes commands.
    pub reflex: Inbox<ReflexMessage>,
    /// Tells which models are in memory.
    pub gpu: Inbox<GpuMessage>,
    /// Gives events.
    pub bus: Bus,
    /// Tells what works.
    pub capabilities: Capabilities,
    /// Tells how the actors are.
    pub tree: Arc<Tree>,
    /// The newest warnings.
    pub log: RecentLog,
    /// Processes that have memory for a model by leave of this Luna (GPU-7).
    pub outside: Outside,
    /// Kept while any of them or Luna has some.
    pub models_lock: ModelsLock,
    /// What a request that acts or shows content carries.
    pub token: Arc<str>,
}

/// The routes, for a listener at `address`.
pub fn router(endpoint: Endpoint, address: SocketAddr) -> Router {
    let metrics = endpoint.metrics.clone();
    let with_token = Router::new()
        .route("/command", post(control::command))
        .route("/status", get(control::status))
        .route("/events", get(events::follow))
        .route("/lease", post(lease::hold))
        .layer(middleware::from_fn_with_state(endpoint.token.clone(), guard::token))
        .with_state(endpoint);
    let open = Router::new().route(
        "/metrics",
        get(move || {
            let text = metrics.as_ref().map(PrometheusHandle::render).unwrap_or_default();
            async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text) }
        }),
    );
    with_token.merge(open).layer(middleware::from_fn_with_state(guard::Names::of(address), guard::names))
}
