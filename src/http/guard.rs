//! Who may ask (PRV-4).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names by which the endpoint may be called.
#[derive(Clone)]
pub struct Names(Arc<[String]>);

impl Names {
    /// The names of a loopback address with its port.
    pub fn of(address: SocketAddr) -> Self {
        let port = address.port();
        Self(Arc::new([
            format!("127.0.0.1:{port}"),
            format!("localhost:{port}"),
            format!("[::1]:{port}"),
            address.to_string(),
        ]))
    }

    fn allow(&self, headers: &HeaderMap) -> bool {
        let known = |host: &str| self.0.iter().any(|name| name.eq_ignore_ascii_case(host));
        let host_known = headers.get(header::HOST).and_then(|host| host.to_str().ok()).is_some_and(known);
        // Programs send no Origin; a page does, and only a page of this very endpoint may ask.
        let origin_known = match headers.get(header::ORIGIN) {
            None => true,
            Some(origin) => origin.to_str().ok().and_then(|o| o.strip_prefix("http://")).is_some_and(known),
        };
        host_known && origin_known
    }
}

/// Refuses requests under another name or from another page.
pub async fn names(State(names): State<Names>, request: Request, next: Next) -> Response {
    if names.allow(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "Only programs on this machine may ask, by the endpoint's own address.\n")
            .into_response()
    }
}

/// Refuses requests without the token.
pub async fn token(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    if given.is_some_and(|given| same(given.as_bytes(), token.as_bytes())) {
        next.run(request).await
    } else {
        (StatusCode::UNAUTHORIZED, "A token is needed; it stands in Luna's control file.\n").into_response()
    }
}

/// Compares in a time that doesn't tell how much was right.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (x, y)| difference | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn only_its_own_name_and_page_may_ask_prv_4() {
        let names = Names::of("127.0.0.1:7870".parse().unwrap());
        for (host, origin, expect) in [
            (Some("127.0.0.1:7870"), None, true),
            (Some("localhost:7870"), Some("http://localhost:7870"), true),
            (Some("evil.example:7870"), None, false),
            (Some("127.0.0.1:7870"), Some("http://evil.example"), false),
            (Some("127.0.0.1:7870"), Some("null"), false),
            (Some("127.0.0.1:7870"), Some("https://127.0.0.1:7870"), false),
            (Some("127.0.0.1"), None, false),
            (None, None, false),
        ] {
            let mut headers = HeaderMap::new();
            host.map(|host| headers.insert(header::HOST, host.parse().unwrap()));
            origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().unwrap()));
            assert_eq!(names.allow(&headers), expect, "{host:?} {origin:?}");
        }
    }

    // PRV-4
    #[test]
    fn only_the_whole_token_counts_prv_4() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abd", b"abc"));
        assert!(!same(b"ab", b"abc"));
        assert!(!same(b"", b"abc"));
    }
}
