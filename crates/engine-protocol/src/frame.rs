//! Frames: a 32-bit big-endian length, then that many bytes: a 32-bit big-endian length of the header, the header as JSON, and
//! the payload.

use std::io::{self, ErrorKind, Read, Write};

use crate::MAX_FRAME;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a frame could not be read or written. After a failed read, the pipe is unusable.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FrameError {
    #[error("the pipe failed: {0}")]
    Pipe(#[from] io::Error),
    #[error("a frame of {bytes} bytes is larger than the {MAX_FRAME} that are accepted")]
    TooLarge { bytes: usize },
    #[error("a frame of {frame} bytes claims a header of {header} bytes")]
    HeaderLength { frame: usize, header: usize },
    // The parser's own message would quote the frame, which may contain text of the screen (PRV-2).
    #[error("the header of a frame is not what was expected ({:?}, column {})", .0.classify(), .0.column())]
    Header(#[from] serde_json::Error),
}

/// Reads one frame; `None` if the pipe ended between frames.
///
/// # Errors
/// The pipe failed or ended inside a frame, or the frame breaks the rules of the protocol.
pub fn read<T: DeserializeOwned>(input: &mut impl Read) -> Result<Option<(T, Vec<u8>)>, FrameError> {
    let mut length = [0u8; 4];
    match input.read(&mut length[..1]) {
        Ok(0) => return Ok(None),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::Interrupted => return read(input),
        Err(error) => return Err(error.into()),
    }
    input.read_exact(&mut length[1..])?;
    let bytes = u32::from_be_bytes(length) as usize;
    if bytes > MAX_FRAME {
        return Err(FrameError::TooLarge { bytes });
    }
    if bytes < 4 {
        return Err(FrameError::HeaderLength { frame: bytes, header: 0 });
    }
    input.read_exact(&mut length)?;
    let header = u32::from_be_bytes(length) as usize;
    let Some(payload) = (bytes - 4).checked_sub(header) else {
        return Err(FrameError::HeaderLength { frame: bytes, header });
    };
    // Header and payload are read separately: a picture of many megabytes is not copied a second time.
    let mut head = vec![0u8; header];
    input.read_exact(&mut head)?;
    let mut body = vec![0u8; payload];
    input.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&head)?, body)))
}

/// The part of a frame before its payload, which is `payload` bytes long.
///
/// # Errors
/// The frame would be too large, or the message can't be encoded.
pub fn head<T: Serialize>(message: &T, payload: usize) -> Result<Vec<u8>, FrameError> {
    let header = serde_json::to_vec(message)?;
    let bytes = 4 + header.len() + payload;
    let (true, Ok(whole), Ok(length)) = (bytes <= MAX_FRAME, u32::try_from(bytes), u32::try_from(header.len())) else {
        return Err(FrameError::TooLarge { bytes });
    };
    Ok([&whole.to_be_bytes(), &length.to_be_bytes(), &header[..]].concat())
}

/// Splits a frame that was read without its length. Returns its message, and the offset of its payload.
///
/// # Errors
/// The frame breaks the rules of the protocol.
pub fn split<T: DeserializeOwned>(frame: &[u8]) -> Result<(T, usize), FrameError> {
    let Some((length, rest)) = frame.split_first_chunk::<4>() else {
        return Err(FrameError::HeaderLength { frame: frame.len(), header: 0 });
    };
    let header = u32::from_be_bytes(*length) as usize;
    let Some(head) = rest.get(..header) else {
        return Err(FrameError::HeaderLength { frame: frame.len(), header });
    };
    Ok((serde_json::from_slice(head)?, 4 + header))
}

/// Encodes one frame.
///
/// # Errors
/// The frame would be too large, or the message can't be encoded.
pub fn encode<T: Serialize>(message: &T, payload: &[u8]) -> Result<Vec<u8>, FrameError> {
    let mut frame = head(message, payload.len())?;
    frame.extend_from_slice(payload);
    Ok(frame)
}

/// Writes one frame with a single call and flushes it.
///
/// # Errors
/// The frame would be too large, the message can't be encoded, or the pipe failed.
pub fn write<T: Serialize>(output: &mut impl Write, message: &T, payload: &[u8]) -> Result<(), FrameError> {
    output.write_all(&encode(message, payload)?)?;
    output.flush()?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use crate::ToEngine;
    use luna_messages::RequestId;

    use super::*;

    fn check(bytes: &[u8], expect: &str) {
        let answer = match read::<ToEngine>(&mut &bytes[..]) {
            Ok(None) => "end".to_owned(),
            Ok(Some((header, payload))) => format!("{header:?} {payload:?}"),
            Err(FrameError::Pipe(_)) => "pipe".to_owned(),
            Err(FrameError::TooLarge { .. }) => "too large".to_owned(),
            Err(FrameError::HeaderLength { .. }) => "header length".to_owned(),
            Err(FrameError::Header(_)) => "header".to_owned(),
        };
        assert_eq!(answer, expect, "{bytes:?}");
    }

    // ENG-1
    #[test]
    fn frames_are_read_or_refused_eng_1() {
        let good = encode(&ToEngine::Health { id: RequestId(7) }, &[1, 2]).unwrap();
        check(&good, "Health { id: RequestId(7) } [1, 2]");
        check(&[], "end");
        check(&good[..3], "pipe");
        check(&good[..good.len() - 1], "pipe");
        check(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], "too large");
        check(&[0, 0, 0, 3, 0, 0, 0], "header length");
        check(&[0, 0, 0, 5, 0, 0, 0, 9, 1], "header length");
        check(&[0, 0, 0, 6, 0, 0, 0, 2, b'{', b'}'], "header");
    }
}
