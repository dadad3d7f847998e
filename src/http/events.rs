//! Events as they happen, one JSON object a line.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use luna_messages::bus::BusEvent;
use tokio::sync::broadcast::error::RecvError;

use super::Endpoint;

/// `GET /events`: goes on until the listener leaves or Luna ends. A listener that is too slow is told how many events it missed.
pub async fn follow(State(endpoint): State<Endpoint>) -> Response {
    let listener = endpoint.bus.listen();
    let lines = stream::unfold(listener, |mut listener| async move {
        let line = match listener.recv().await {
            Ok(event) => line_of(&event),
            Err(RecvError::Lagged(missed)) => format!("{{\"name\":\"missed\",\"data\":{{\"events\":{missed}}}}}\n"),
            Err(RecvError::Closed) => return None,
        };
        Some((Ok::<_, Infallible>(Bytes::from(line)), listener))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response()
}

fn line_of(event: &BusEvent) -> String {
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
            line_of(&event),
            "{\"name\":\"Focus.Pick.result\",\"data\":{\"method\":\"uia\",\"bbox\":[1,2,3,4],\"text\":\"파일\",\"lang\":\"ko\",\
             \"is_table\":false}}\n"
        );
    }
}
