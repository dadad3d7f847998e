//! The signals by which the system ends Luna.

/// The signals that end Luna.
#[cfg(unix)]
pub struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    /// Installs the handlers.
    #[must_use]
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let listened = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
        Self(listened.into_iter().filter_map(Result::ok).collect())
    }

    /// Resolves at the next signal not yet consumed; never, if no handler could be installed.
    pub async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

/// The signals that end Luna.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Installs the handlers.
    #[must_use]
    pub const fn listen() -> Self {
        Self
    }

    pub async fn next(&mut self) {
        drop(tokio::signal::ctrl_c().await);
    }
}
