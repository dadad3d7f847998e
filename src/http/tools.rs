//! Tools that programs call (TOOL-1). What acts asks the person, in Executor; the token alone allows to look.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use luna_actor_runtime::inbox::{Inbox, PostError};
use luna_messages::tools::{ToolRequest, ToolsMessage};
use luna_messages::{Reply, RequestId};
use luna_tools::ToolDescription;
use tokio::sync::oneshot;

use super::Endpoint;
use super::control::refused;
use crate::control_protocol::ToolCallRequest;

/// Time limit of a call. The actor's own limits are shorter.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(100);

/// Tells the actor that nobody waits, if the connection ends before the answer.
struct CallGuard {
    tools: Inbox<ToolsMessage>,
    id: Option<RequestId>,
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            drop(self.tools.post(ToolsMessage::Cancel { id }));
        }
    }
}

/// `GET /tools`: the tools with their schemas.
pub async fn list() -> Json<Vec<ToolDescription>> {
    Json(luna_tools::list())
}

/// `POST /tools/call`: 200 with the report, whatever came of the call; 429 and 503 as of `POST /do`.
pub async fn call(State(endpoint): State<Endpoint>, Json(request): Json<ToolCallRequest>) -> Response {
    const CLOSED: &str = "Luna takes no calls now; luna ctl status tells why.";
    const BUSY: &str = "Too many calls wait already; try again in a moment.";
    const LOST: &str = "The component that carries out tools ended before it could tell what came of this call; look at the \
         screen before you call it again.";
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |report| {
        let _ = sender.send(report);
    });
    let id = RequestId::next();
    let request = ToolRequest { id, tool: request.name, arguments: request.arguments };
    let message = ToolsMessage::Call { request, reply };
    let post = || endpoint.tools.post(message).map_err(|error| matches!(error, PostError::Full(_)));
    match endpoint.traces.begin("tool").scope(post) {
        Ok(()) => {}
        Err(true) => return refused(StatusCode::TOO_MANY_REQUESTS, "busy", BUSY),
        Err(false) => return refused(StatusCode::SERVICE_UNAVAILABLE, "closed", CLOSED),
    }
    let mut guard = CallGuard { tools: endpoint.tools.clone(), id: Some(id) };
    match tokio::time::timeout(CALL_TIMEOUT, answer).await {
        Ok(Ok(Ok(report))) => {
            guard.id = None;
            Json(report).into_response()
        }
        Ok(_) | Err(_) => refused(StatusCode::SERVICE_UNAVAILABLE, "lost", LOST),
    }
}
