//! Fails a stream whose other end reads nothing, so that no write waits for ever.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that fails with `TimedOut` if nothing could be written for `patience`.
pub struct StallTimeoutStream<S> {
    stream: S,
    patience: Duration,
    /// The timeout of a waiting write.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> StallTimeoutStream<S> {
    /// Wraps `stream`; each write may wait for `patience`.
    pub const fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallTimeoutStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallTimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }

    // For a socket, both complete at once.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    // PRV-4
    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_given_up_and_who_is_slow_is_not_prv_4() {
        let (near, mut far) = duplex(4);
        let mut patient = StallTimeoutStream::new(near, Duration::from_secs(10));
        let slow = tokio::spawn(async move {
            let mut all = Vec::new();
            for _ in 0..4 {
                tokio::time::sleep(Duration::from_secs(9)).await;
                let mut some = [0; 4];
                far.read_exact(&mut some).await.unwrap();
                all.extend(some);
            }
            (all, far)
        });
        patient.write_all(b"0123456789abcdef").await.unwrap();
        let (all, _far) = slow.await.unwrap();
        assert_eq!(all, b"0123456789abcdef");
        patient.write_all(b"full").await.unwrap();
        let error = patient.write_all(b"more").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
