//! How the system tells Luna to end.

/// The signals that tell Luna to end.
#[cfg(unix)]
pub struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    /// Hears them from now on.
    #[must_use]
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let listened = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
        Self(listened.into_iter().filter_map(Result::ok).collect())
    }

    /// The next one that came and was not taken yet; never, if the system lets none be heard.
    pub async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

/// The signals that tell Luna to end.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Hears them from now on.
    #[must_use]
    pub const fn listen() -> Self {
        Self
    }

    pub async fn next(&mut self) {
        drop(tokio::signal::ctrl_c().await);
    }
}
