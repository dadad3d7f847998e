//! Words that come as text, by the way of spoken ones.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use luna_actor_runtime::inbox::PostError;
use luna_messages::Reply;
use luna_messages::listening::ListeningMessage;
use tokio::sync::oneshot;

use super::Endpoint;
use super::control::refused;
use crate::control_protocol::SayToRequest;

/// Time limit for understanding by rules; a busy machine may take a while.
const UNDERSTANDING_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest words, in characters: a spoken sentence has fewer.
pub(super) const LONGEST: usize = 1000;

/// `POST /say-to`: 200 with what became of the words, 422 if they are too long, 429 if too much waits, 503 if Luna takes no words.
pub async fn say_to(State(endpoint): State<Endpoint>, Json(request): Json<SayToRequest>) -> Response {
    const CLOSED: &str = "Luna takes no words now; luna ctl status tells why.";
    if request.text.chars().count() > LONGEST {
        let reason = format!("The words are longer than the {LONGEST} characters that are taken; say less at a time.");
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "too_long", &reason);
    }
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |report| {
        let _ = sender.send(report);
    });
    let message = ListeningMessage::SayTo { text: request.text, reply };
    // Whether the mailbox is full, else it is closed.
    let post = || endpoint.listening.post(message).map_err(|refused| matches!(refused, PostError::Full(_)));
    match endpoint.traces.begin("say_to").scope(post) {
        Ok(()) => {}
        Err(true) => {
            const BUSY: &str = "Too many words wait already; try again in a moment.";
            return refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY);
        }
        Err(false) => return refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
    match tokio::time::timeout(UNDERSTANDING_TIMEOUT, answer).await {
        Ok(Ok(Ok(report))) => Json(report).into_response(),
        Ok(_) | Err(_) => refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
}
