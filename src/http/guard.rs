//! Checks which requests are allowed (PRV-4).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::connections::ConnectionInfo;

/// The host names by which the endpoint may be called.
#[derive(Clone)]
pub struct AllowedHosts(Arc<[String]>);

impl AllowedHosts {
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
        // A repeated header is an attack: a proxy in between may have checked the other value.
        let host_known = match header_values(headers, header::HOST).as_slice() {
            [Some(host)] => self.has(host),
            _ => false,
        };
        // Programs send no Origin; pages do, and only a page of this endpoint may call it.
        let origin_known = match header_values(headers, header::ORIGIN).as_slice() {
            [] => true,
            [Some(origin)] => origin.strip_prefix("http://").is_some_and(|origin| self.has(origin)),
            _ => false,
        };
        host_known && origin_known
    }

    /// A request line may contain a host, which then overrides the header.
    fn allow_target(&self, target: &Uri) -> bool {
        target.authority().is_none_or(|authority| target.scheme_str() == Some("http") && self.has(authority.as_str()))
    }

    fn has(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// All values of a header; `None` for a value that is not text.
fn header_values(headers: &HeaderMap, name: HeaderName) -> Vec<Option<&str>> {
    headers.get_all(name).iter().map(|value| value.to_str().ok()).collect()
}

/// Refuses requests under another host name or from another page.
pub async fn names(State(names): State<AllowedHosts>, request: Request, next: Next) -> Response {
    if names.allow(request.headers()) && names.allow_target(request.uri()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "Only programs on this machine may ask, by the endpoint's own address.\n")
            .into_response()
    }
}

/// Refuses requests without the token.
pub async fn token(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = match header_values(request.headers(), header::AUTHORIZATION).as_slice() {
        [Some(value)] => value.strip_prefix("Bearer "),
        _ => None,
    };
    if given.is_some_and(|given| constant_time_eq(given.as_bytes(), token.as_bytes())) {
        let answering = request.extensions().get::<Arc<ConnectionInfo>>().map(ConnectionInfo::trust);
        let mut request = request;
        // An event stream keeps the guard for as long as it lasts.
        request.extensions_mut().insert(answering);
        next.run(request).await
    } else {
        (StatusCode::UNAUTHORIZED, "A token is needed; it is in Luna's control file.\n").into_response()
    }
}

/// Constant-time comparison.
fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (x, y)| difference | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn only_its_own_name_and_page_may_ask_prv_4() {
        let names = AllowedHosts::of("127.0.0.1:7870".parse().unwrap());
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
    fn a_host_or_origin_that_comes_twice_or_in_the_request_line_is_checked_prv_4() {
        let names = AllowedHosts::of("127.0.0.1:7870".parse().unwrap());
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "127.0.0.1:7870".parse().unwrap());
        headers.append(header::ORIGIN, "http://localhost:7870".parse().unwrap());
        assert!(names.allow(&headers));
        headers.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert!(!names.allow(&headers));
        headers.remove(header::ORIGIN);
        headers.append(header::HOST, "evil.example".parse().unwrap());
        assert!(!names.allow(&headers));
        for (target, expect) in [
            ("/status", true),
            ("http://127.0.0.1:7870/status", true),
            ("http://evil.example/status", false),
            ("https://127.0.0.1:7870/status", false),
            ("http://127.0.0.1:7870@evil.example/status", false),
        ] {
            assert_eq!(names.allow_target(&target.parse().unwrap()), expect, "{target}");
        }
    }

    // PRV-4
    #[test]
    fn only_the_whole_token_counts_prv_4() {
        assert!(constant_time_eq(b"abc", b"abc"));
        assert!(!constant_time_eq(b"abd", b"abc"));
        assert!(!constant_time_eq(b"ab", b"abc"));
        assert!(!constant_time_eq(b"", b"abc"));
    }
}
