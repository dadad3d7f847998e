//! Events as they happen, one JSON object a line.

use std::convert::Infallible;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use luna_messages::bus::BusEvent;
use tokio::sync::broadcast::error::RecvError;

use super::Endpoint;
use super::connections::Answering;
use super::control::refused;

/// `GET /events`: streams until the listener leaves or Luna ends. A slow listener is told how many events it missed; a listener that reads nothing
/// loses its connection ([`super::serve`]). Beyond the limit of listeners: 429.
pub async fn follow(State(endpoint): State<Endpoint>, Extension(answering): Extension<Option<Answering>>) -> Response {
    let Ok(permit) = endpoint.streams.clone().try_acquire_owned() else {
        return refused(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "Too many programs follow the events already; end one of them.",
        );
    };
    let listener = endpoint.bus.listen();
    let held = (permit, answering);
    let lines = stream::unfold((listener, held), |(mut listener, held)| async move {
        let line = match listener.recv().await {
            Ok(event) => event_line(&event),
            Err(RecvError::Lagged(missed)) => format!("{{\"name\":\"missed\",\"data\":{{\"events\":{missed}}}}}\n"),
            Err(RecvError::Closed) => return None,
        };
        Some((Ok::<_, Infallible>(Bytes::from(line)), (listener, held)))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response()
}

fn event_line(event: &BusEvent) -> String {
    let mut line = serde_json::to_string(event).unwrap_or_default();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use luna_messages::pick::PickMethod;
    use luna_messages::{Lang, Rect};

    use super::*;

    // FOC-3
    #[test]
    fn names_and_fields_are_those_of_the_contract_foc_3() {
        let event = BusEvent::PickResult {
            method: PickMethod::Uia,
            bbox: Rect::new(1, 2, 3, 4),
            text: "파일".to_owned(),
            lang: Lang::Ko,
            is_table: false,
        };
        assert_eq!(
            event_line(&event),
            "{\"name\":\"Focus.Pick.result\",\"data\":{\"method\":\"uia\",\"bbox\":[1,2,3,4],\"text\":\"파일\",\"lang\":\"ko\",\
             \"is_table\":false}}\n"
        );
    }
}
