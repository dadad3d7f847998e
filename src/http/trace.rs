//! The newest traces (KER-12).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use luna_actor_runtime::trace_log::Hop;
use tokio::time::Instant;

use super::Endpoint;
use crate::control_protocol::{HopStatus, TraceStatus, Traces};

/// `GET /trace`.
pub async fn traces(State(endpoint): State<Endpoint>) -> Json<Traces> {
    Json(Traces { traces: by_trace(&endpoint.traces.hops(), Instant::now()) })
}

/// Groups hops by trace; `hops` are in the order of their traces.
fn by_trace(hops: &[Hop], now: Instant) -> Vec<TraceStatus> {
    let trace = |hops: &[Hop]| {
        let first = hops.first()?;
        Some(TraceStatus {
            id: first.trace.0,
            origin: first.origin.to_owned(),
            ago_ms: u64::try_from(now.saturating_duration_since(first.began).as_millis()).unwrap_or(u64::MAX),
            hops: hops.iter().map(hop_status).collect(),
        })
    };
    hops.chunk_by(|one, next| one.trace == next.trace).filter_map(trace).collect()
}

fn hop_status(hop: &Hop) -> HopStatus {
    HopStatus {
        actor: hop.actor.to_owned(),
        what: hop.what.to_owned(),
        lane: hop.lane.map(|lane| lane.name().to_owned()),
        after_us: micros(hop.after),
        waited_us: micros(hop.waited),
        took_us: micros(hop.took),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
