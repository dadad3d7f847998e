//! Where results go.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{EngineChunk, FromEngine};
use luna_messages::RequestId;

use crate::frame;

/// The way out, shared by the reader thread and the worker; a frame is written in one go under the lock.
#[derive(Clone)]
pub(crate) struct Pipe {
    // Taken away once a write failed: nobody listens, and half a frame may be out.
    writer: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
}

impl Pipe {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Arc::new(Mutex::new(Some(Box::new(writer)))) }
    }

    /// Sends a frame; `false` once the pipe is broken. A frame that is too large is dropped with a word on stderr.
    pub(crate) fn send(&self, header: &FromEngine, payload: &[u8]) -> bool {
        let frame = match frame::encode(header, payload) {
            Ok(frame) => frame,
            Err(error) => {
                complain(&format!("A result was not sent: {error}."));
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

/// One line on stderr, which Luna logs. stdout belongs to the frames.
pub(crate) fn complain(line: &str) {
    // If even stderr is closed there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Takes the results of one job.
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

    /// Sends a part of the result with its payload (empty for lines). `false` if nobody listens any more: the job may stop.
    pub fn chunk(&mut self, chunk: EngineChunk, payload: &[u8]) -> bool {
        self.pipe.send(&FromEngine::Chunk { id: self.id, chunk }, payload)
    }
}
