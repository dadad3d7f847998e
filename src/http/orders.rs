//! Orders and answers from programs, carried out as if they had been said (EXE, DNG-2).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use luna_actor_runtime::inbox::PostError;
use luna_messages::executor::{ExecutorMessage, OrderReport, OrderSource, SpokenOrder};
use luna_messages::{Reply, RequestId};
use tokio::sync::oneshot;

use super::Endpoint;
use super::control::refused;
use super::say_to::LONGEST;
use crate::control_protocol::OrderRequest;

/// Time limit of an order of several steps, each of which waits for its effect. The actor's own limits are shorter.
pub const ORDER_TIMEOUT: Duration = Duration::from_mins(1);

/// `POST /do`: 200 with the report once the order is done, asks something or can't be done; 422, 429 and 503 as of `POST /say-to`.
pub async fn carry_out(State(endpoint): State<Endpoint>, Json(request): Json<OrderRequest>) -> Response {
    ask(&endpoint, "do", request, |order, reply| ExecutorMessage::Order { order, reply }).await
}

/// `POST /answer`: the same for the answer to an open question. It never confirms anything dangerous (DNG-2).
pub async fn answer(State(endpoint): State<Endpoint>, Json(request): Json<OrderRequest>) -> Response {
    ask(&endpoint, "answer", request, |answer, reply| ExecutorMessage::Answer { answer, reply }).await
}

async fn ask(
    endpoint: &Endpoint,
    origin: &'static str,
    request: OrderRequest,
    message: impl FnOnce(SpokenOrder, Reply<OrderReport>) -> ExecutorMessage,
) -> Response {
    const CLOSED: &str = "Luna takes no orders now; luna ctl status tells why.";
    const BUSY: &str = "Too many orders wait already; try again in a moment.";
    if request.text.chars().count() > LONGEST {
        let reason = format!("The words are longer than the {LONGEST} characters that are taken; say less at a time.");
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "too_long", &reason);
    }
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |report| {
        let _ = sender.send(report);
    });
    let order = SpokenOrder {
        id: RequestId::next(),
        utterance: request.text,
        source: OrderSource::Program,
        called: false,
        overlaps_playback: false,
    };
    // Whether the mailbox is full, else it is closed.
    let post = || endpoint.executor.post(message(order, reply)).map_err(|error| matches!(error, PostError::Full(_)));
    match endpoint.traces.begin(origin).scope(post) {
        Ok(()) => {}
        Err(true) => return refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        Err(false) => return refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
    match tokio::time::timeout(ORDER_TIMEOUT, answer).await {
        Ok(Ok(Ok(report))) => Json(report).into_response(),
        Ok(_) | Err(_) => {
            const LOST: &str = "The component that carries out orders ended before it could tell what came of this one; look at the \
                 screen before you order it again.";
            refused(StatusCode::SERVICE_UNAVAILABLE, "lost", LOST)
        }
    }
}
