//! The output of results.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{EngineChunk, FromEngine};
use luna_messages::RequestId;

use crate::frame;

/// The writer, shared by the reader thread and the worker; a frame is written as a whole under the lock.
#[derive(Clone)]
pub(crate) struct Pipe {
    // `None` once a write failed: the reader is gone, and half a frame may be out.
    writer: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
}

impl Pipe {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Arc::new(Mutex::new(Some(Box::new(writer)))) }
    }

    /// Sends a frame; `false` once the pipe is broken. A frame that is too large is dropped with a message on stderr.
    pub(crate) fn send(&self, header: &FromEngine, payload: &[u8]) -> bool {
        let frame = match frame::encode(header, payload) {
            Ok(frame) => frame,
            Err(error) => {
                write_stderr(&format!("A result was not sent: {error}."));
                return true;
            }
        };
        let mut guard = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(writer) = guard.as_mut() else {
            return false;
        };
        let sent = writer.write_all(&frame).and_then(|()| writer.flush());
        if sent.is_err() {
            *guard = None;
        }
        sent.is_ok()
    }
}

/// Writes one line to stderr, which Luna logs. stdout carries frames only.
pub(crate) fn write_stderr(line: &str) {
    // If even stderr is closed, the line is lost.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Sends the results of one job.
pub struct Output {
    pipe: Pipe,
    id: RequestId,
}

impl Output {
    pub(crate) const fn new(pipe: Pipe, id: RequestId) -> Self {
        Self { pipe, id }
    }

    /// The job that the results belong to.
    #[must_use]
    pub const fn id(&self) -> RequestId {
        self.id
    }

    /// Sends a part of the result with its payload (empty unless it is sound). `false` if the pipe is broken: the job may stop.
    pub fn chunk(&mut self, chunk: EngineChunk, payload: &[u8]) -> bool {
        self.pipe.send(&FromEngine::Chunk { id: self.id, chunk }, payload)
    }
}
