//! Frames on the pipe, in the format of `luna_engine_protocol`.

use std::io;

use bytes::Bytes;
use luna_engine_protocol::frame::{self, FrameError};
use luna_engine_protocol::{FromEngine, MAX_FRAME, ToEngine};
use tokio::io::AsyncReadExt;

use super::failure::EngineFailure;
use super::launch::Output;

/// A message to the engine, ready to write: everything before the payload, and the payload, which is not copied.
#[derive(Debug)]
pub(super) struct OutgoingFrame {
    pub head: Bytes,
    pub payload: Bytes,
}

/// Splits the bytes of the pipe into frames and refuses those that are too long. Each frame has memory of its own, so that no part of it stays in a
/// buffer once it is dropped (BUF-2).
pub(super) struct Frames {
    output: Output,
    length: [u8; 4],
    /// Bytes of the length read so far.
    length_filled: usize,
    body: Vec<u8>,
    /// Bytes of the body read so far.
    filled: usize,
}

impl Frames {
    pub fn new(output: Output) -> Self {
        Self { output, length: [0; 4], length_filled: 0, body: Vec::new(), filled: 0 }
    }

    /// The next frame; `None` if the pipe ended between two. Cancel-safe.
    pub async fn next(&mut self) -> io::Result<Option<Bytes>> {
        while self.length_filled < self.length.len() {
            match self.output.read(&mut self.length[self.length_filled..]).await? {
                0 if self.length_filled == 0 => return Ok(None),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => self.length_filled += count,
            }
            if self.length_filled == self.length.len() {
                let length = u32::from_be_bytes(self.length) as usize;
                if length > MAX_FRAME {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                (self.body, self.filled) = (vec![0; length], 0);
            }
        }
        while self.filled < self.body.len() {
            match self.output.read(&mut self.body[self.filled..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => self.filled += count,
            }
        }
        self.length_filled = 0;
        Ok(Some(Bytes::from(std::mem::take(&mut self.body))))
    }
}

pub(super) fn encode(message: &ToEngine, payload: Bytes) -> Result<OutgoingFrame, EngineFailure> {
    let head = frame::head(message, payload.len()).map_err(|error| EngineFailure::Protocol {
        what: match error {
            FrameError::TooLarge { bytes } => {
                format!("a request of {bytes} bytes is longer than the {MAX_FRAME} that are allowed")
            }
            FrameError::Header(error) => error.to_string(),
            error @ (FrameError::Pipe(_) | FrameError::HeaderLength { .. }) => error.to_string(),
        },
    })?;
    Ok(OutgoingFrame { head: head.into(), payload })
}

/// Decodes a frame. The payload is not copied. The content of a bad frame is not quoted: it may be text of the screen.
pub(super) fn decode(mut whole: Bytes) -> Result<(FromEngine, Bytes), EngineFailure> {
    let (message, payload) = frame::split(&whole).map_err(|error| EngineFailure::Protocol {
        what: match error {
            FrameError::HeaderLength { frame: bytes @ ..4, .. } => format!("a frame of {bytes} bytes has no header"),
            FrameError::HeaderLength { header, .. } => {
                format!("a header of {header} bytes does not fit into its frame")
            }
            FrameError::Header(error) => {
                format!("a header is not understood ({:?}, column {})", error.classify(), error.column())
            }
            error @ (FrameError::Pipe(_) | FrameError::TooLarge { .. }) => error.to_string(),
        },
    })?;
    Ok((message, whole.split_off(payload)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use luna_messages::RequestId;
    use proptest::prelude::*;

    use super::*;

    fn check(frame: &[u8], expect: Result<(u64, &[u8]), &str>) {
        match (decode(Bytes::copy_from_slice(frame)), expect) {
            (Ok((FromEngine::Cancelled { id }, payload)), Ok((number, bytes))) => {
                assert_eq!((id.0, &payload[..]), (number, bytes));
            }
            (Err(EngineFailure::Protocol { what }), Err(part)) => assert!(what.contains(part), "{what}"),
            (got, expect) => panic!("{frame:?}: got {got:?}, expected {expect:?}"),
        }
    }

    fn frame(header: &str, payload: &[u8]) -> Vec<u8> {
        [&(header.len() as u32).to_be_bytes(), header.as_bytes(), payload].concat()
    }

    // ENG-1
    #[test]
    fn frames_are_read_or_refused_without_quoting_them_eng_1() {
        check(&frame(r#"{"type":"cancelled","id":7}"#, b"abc"), Ok((7, b"abc")));
        check(&frame(r#"{"type":"cancelled","id":7}"#, b""), Ok((7, b"")));
        check(b"abc", Err("no header"));
        check(b"\xff\xff\xff\xffabc", Err("does not fit"));
        check(&frame(r#"{"type":"secret text"}"#, b""), Err("not understood"));
        let failure = decode(Bytes::from(frame(r#"{"type":"secret text"}"#, b""))).unwrap_err();
        assert!(!failure.to_string().contains("secret"), "{failure}");
    }

    // ENG-1
    #[test]
    fn a_request_is_a_length_a_header_and_a_payload_eng_1() {
        let out = encode(&ToEngine::Cancel { id: RequestId(3) }, Bytes::from_static(b"xy")).unwrap();
        let header = br#"{"type":"cancel","id":3}"#;
        let length = |n: usize| (n as u32).to_be_bytes();
        assert_eq!(&out.head[..], [&length(4 + header.len() + 2)[..], &length(header.len()), header].concat());
        assert_eq!(&out.payload[..], b"xy");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = decode(Bytes::from(bytes));
        }
    }
}
