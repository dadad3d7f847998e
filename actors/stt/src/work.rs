//! Requests that wait for the engine.

use async_channel::Sender;
use bytes::Bytes;
use luna_engine_protocol::TranscribeJob;
use luna_messages::Reply;
use luna_messages::engine::TranscribedSegment;
use luna_messages::stt::Transcribe;
use luna_messages::work::WorkFailure;
use tokio::time::Instant;
use zeroize::Zeroizing;

/// An accepted request.
#[derive(Debug)]
pub struct SttWork {
    pub request: TranscriptionRequest,
    pub reply: Reply<Result<Vec<TranscribedSegment>, WorkFailure>>,
}

/// A transcription, ready for the engine.
#[derive(Debug)]
pub struct TranscriptionRequest {
    pub job: TranscribeJob,
    pub pieces: Sender<String>,
    /// The sound in the engine's format. The last owner of the bytes wipes them (BUF-2).
    pub sound: Bytes,
    pub since: Instant,
}

impl SttWork {
    pub fn new(mut request: Transcribe) -> Self {
        let samples = Zeroizing::new(std::mem::take(&mut request.sound.samples));
        let bytes = Zeroizing::new(samples.iter().flat_map(|sample| sample.to_le_bytes()).collect::<Vec<u8>>());
        let Transcribe { lang, extent, hint, partials, pieces, reply, .. } = request;
        let job = TranscribeJob { lang, extent, hint, partials };
        Self {
            request: TranscriptionRequest { job, pieces, sound: Bytes::from_owner(bytes), since: Instant::now() },
            reply,
        }
    }
}
