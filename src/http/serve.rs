//! Accepts, limits and closes connections (PRV-4).
//!
//! `axum::serve` has no limits. Here each connection has a slot, a time limit for its headers and between requests, and a time limit for stalled
//! writes; failures to accept are retried.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use luna_platform::open_files;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::connections::{ConnectionSlot, Connections};
use super::stall::StallTimeoutStream;

/// Limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum concurrent connections.
    pub connections: usize,
    /// Time from the beginning of a connection, or the end of an answer, to the end of the next request's headers.
    pub headers: Duration,
    /// Maximum time without write progress.
    pub stalled: Duration,
}

impl Limits {
    /// Limits by the process's limit of open files, most of which engines and sound need.
    pub fn of_this_process() -> Self {
        let connections = open_files::limit().map_or(MAX_CONNECTIONS, |files| usize::try_from(files / 4).unwrap_or(0));
        Self {
            connections: connections.clamp(8, MAX_CONNECTIONS),
            headers: Duration::from_secs(10),
            stalled: Duration::from_secs(10),
        }
    }
}

/// Maximum connections; `luna ctl`, a page, Prometheus and some scripts need ten.
const MAX_CONNECTIONS: usize = 64;
/// Maximum bytes of request line and headers; Luna's own have some 300.
const HEADERS_BYTES: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;
/// Consecutive failures to accept after which the listener counts as broken.
const MAX_FAILURES: u32 = 20;

/// Serves until the listener is broken. Dropping the future closes all connections.
///
/// # Errors
/// Returns the error of the broken listener.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits) -> io::Error {
    let connections = Connections::new(limits.connections);
    let mut open = JoinSet::new();
    let mut failures = 0;
    loop {
        while open.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                failures = 0;
                // If all slots are busy with trusted requests, the new connection is dropped.
                if let Some(place) = connections.admit() {
                    open.spawn(serve_connection(stream, place, router.clone(), limits));
                }
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                failures += 1;
                if failures == 1 {
                    tracing::warn!(%error, "The HTTP endpoint can't take a connection now; it goes on trying.");
                }
                if failures >= MAX_FAILURES {
                    return error;
                }
                // Most likely too many files are open: closes the least needed connection.
                connections.close_one();
                sleep(Duration::from_millis(10 << failures.min(7))).await;
            }
        }
    }
}

/// The client disconnected before it was accepted.
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

async fn serve_connection(stream: TcpStream, place: ConnectionSlot, router: Router, limits: Limits) {
    let known = place.connection().clone();
    let carried = known.clone();
    let service = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Arc::clone(&carried));
        hyper::service::Service::call(&TowerToHyperService::new(router.clone()), request)
    });
    let io = TokioIo::new(StallTimeoutStream::new(stream, limits.stalled));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_buf_size(HEADERS_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(io, service);
    tokio::select! {
        biased;
        () = known.closed() => tracing::debug!("A connection without a token was closed for a newer one."),
        outcome = connection => if let Err(error) = outcome {
            // An invalid request of another program is no failure of Luna.
            tracing::debug!(%error, "A connection ended with an error.");
        }
    }
    drop(place);
}

#[cfg(test)]
mod tests;
