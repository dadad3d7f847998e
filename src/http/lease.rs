//! Leases of model memory for other processes of the person (GPU-7): a request lasts as long as its lease.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use luna_actor_runtime::inbox::Inbox;
use luna_engine_host::grant::notify_token;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuMessage, GpuRefusal, Grant};
use luna_messages::{Lane, Reply, RequestId};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::Endpoint;
use crate::control_protocol::{LeaseLine, LeaseRequest};
use crate::lease::holders::LeaseHolders;

/// Interval of empty lines, by which a vanished client is noticed.
const KEEP_ALIVE: Duration = Duration::from_millis(500);
/// Longest wait for a grant.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// `POST /lease`: the answer lasts as long as the process keeps the connection.
pub async fn acquire_for_connection(State(endpoint): State<Endpoint>, Json(request): Json<LeaseRequest>) -> Response {
    if !matches!(request.holder, EngineKind::Llm | EngineKind::Stt | EngineKind::SttCommand) {
        return (StatusCode::UNPROCESSABLE_ENTITY, "This engine needs no lease.\n").into_response();
    }
    let lines = stream::unfold(LeaseRequestState::Ask(Box::new(endpoint), request), |step| async move {
        let (line, next) = step.next_line().await?;
        Some((Ok::<_, Infallible>(line), next))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response()
}

type ClaimAnswer = Result<Result<Grant, GpuRefusal>, luna_messages::reply::NoReply>;

enum LeaseRequestState {
    Ask(Box<Endpoint>, LeaseRequest),
    Wait {
        answer: oneshot::Receiver<(ClaimAnswer, Option<mpsc::Receiver<()>>)>,
        claim: ConnectionClaim,
        left: Duration,
    },
    Active(ConnectionLease),
    End,
}

/// A claim of a process; withdrawn when its connection ends, even if it was granted meanwhile.
struct ConnectionClaim {
    token: Inbox<GpuMessage>,
    holders: LeaseHolders,
    holder: EngineKind,
    id: RequestId,
    over: bool,
}

impl Drop for ConnectionClaim {
    fn drop(&mut self) {
        let id = self.id;
        if !self.over {
            notify_token(&self.token, move || GpuMessage::Withdraw { id });
        }
    }
}

/// A lease of a process; released when its connection ends.
struct ConnectionLease {
    token: Inbox<GpuMessage>,
    holders: LeaseHolders,
    holder: EngineKind,
    grant: Grant,
    stops: mpsc::Receiver<()>,
}

impl Drop for ConnectionLease {
    fn drop(&mut self) {
        let (holder, loaded_by) = (self.holder, self.grant.loaded_by);
        self.holders.leave(self.grant.lease);
        // A command ends its engine before its connection, or together with it.
        notify_token(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
    }
}

impl LeaseRequestState {
    /// The next line; `None` at the end.
    async fn next_line(self) -> Option<(Bytes, Self)> {
        match self {
            Self::Ask(endpoint, request) => Some(ask(*endpoint, request).await),
            Self::Wait { mut answer, mut claim, left } => {
                let Some(rest) = left.checked_sub(KEEP_ALIVE) else {
                    let why = "The memory for models is in use, and did not become free in time.".to_owned();
                    return Some((line(&LeaseLine::Refused { why }), Self::End));
                };
                match timeout(KEEP_ALIVE, &mut answer).await {
                    Err(_) => Some((Bytes::from_static(b"\n"), Self::Wait { answer, claim, left: rest })),
                    Ok(Ok((Ok(Ok(grant)), Some(stops)))) => {
                        claim.over = true;
                        Some(granted(&claim, grant, stops))
                    }
                    Ok(Ok((Ok(Err(refusal)), _))) => {
                        claim.over = true;
                        Some((line(&LeaseLine::Refused { why: refusal.to_string() }), Self::End))
                    }
                    Ok(Ok(_) | Err(_)) => {
                        let why = "The actor that manages the memory for models is not running.".to_owned();
                        Some((line(&LeaseLine::Refused { why }), Self::End))
                    }
                }
            }
            Self::Active(mut held) => match timeout(KEEP_ALIVE, held.stops.recv()).await {
                Err(_) => Some((Bytes::from_static(b"\n"), Self::Active(held))),
                Ok(Some(())) => Some((line(&LeaseLine::Stop), Self::Active(held))),
                // The process did not stop in time: its connection is closed.
                Ok(None) => None,
            },
            Self::End => None,
        }
    }
}

async fn ask(endpoint: Endpoint, request: LeaseRequest) -> (Bytes, LeaseRequestState) {
    let patience = Duration::from_millis(request.patience_ms).min(MAX_WAIT);
    // A command that started before this Luna may have the memory.
    if let Err(why) = endpoint.models_lock.try_take().await {
        return (line(&LeaseLine::Refused { why: format!("{} {}", why.reason, why.remedy) }), LeaseRequestState::End);
    }
    let id = RequestId::next();
    let (sender, answer) = oneshot::channel();
    let (holders, holder) = (endpoint.lease_holders.clone(), request.holder);
    let reply = Reply::new(move |answer: ClaimAnswer| {
        // Registers the lease before the token's next order, which may be for this lease.
        let lease = answer.as_ref().ok().and_then(|answer| answer.as_ref().ok()).map(|grant| grant.lease);
        let stops = lease.map(|lease| holders.enter(lease, holder));
        if sender.send((answer, stops)).is_err()
            && let Some(lease) = lease
        {
            holders.leave(lease);
        }
    });
    // Processes don't share models, so the name includes the process.
    let model = format!("{} of process {}", request.model, request.process);
    let claim = Claim { id, holder: request.holder, model, bytes: request.bytes, lane: Lane::Llm };
    let token = endpoint.gpu.clone();
    let posted = token.post(GpuMessage::Acquire { claim, reply });
    let waiting = ConnectionClaim {
        token,
        holders: endpoint.lease_holders.clone(),
        holder: request.holder,
        id,
        over: posted.is_err(),
    };
    if posted.is_err() {
        let why = "Too much waits for memory already.".to_owned();
        return (line(&LeaseLine::Refused { why }), LeaseRequestState::End);
    }
    (Bytes::from_static(b"\n"), LeaseRequestState::Wait { answer, claim: waiting, left: patience })
}

fn granted(claim: &ConnectionClaim, grant: Grant, stops: mpsc::Receiver<()>) -> (Bytes, LeaseRequestState) {
    let (token, holders, holder) = (claim.token.clone(), claim.holders.clone(), claim.holder);
    // Reports the load as done at once and counts it as work, so that a command that hangs while loading blocks no other load.
    let lease = grant.lease;
    notify_token(&token, move || GpuMessage::Loaded { lease });
    (
        line(&LeaseLine::Granted { place: grant.place }),
        LeaseRequestState::Active(ConnectionLease { token, holders, holder, grant, stops }),
    )
}

fn line(line: &LeaseLine) -> Bytes {
    let mut text = serde_json::to_string(line).unwrap_or_default();
    text.push('\n');
    Bytes::from(text)
}
