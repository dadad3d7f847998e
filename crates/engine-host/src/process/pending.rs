//! Pending replies of an engine.

use std::collections::BTreeMap;

use bytes::Bytes;
use luna_engine_protocol::{EngineChunk, FromEngine};
use luna_messages::RequestId;
use luna_messages::engine::EngineKind;
use tokio::sync::{mpsc, oneshot};

use super::failure::EngineFailure;
use super::{Health, LoadedEngine};
use crate::policy::EnginePolicy;
use luna_actor_runtime::metric_names::{ENGINE_LOADS, ENGINE_REQUESTS, outcome};

/// Capacity in chunks for a slow reader of results.
const MAX_CHUNKS: usize = 4096;

/// Maximum number of pending replies.
pub(super) const MAX_PENDING: usize = 256;

type ReplyResult<T> = oneshot::Sender<Result<T, EngineFailure>>;

/// The caller's ends of a job: its chunks, then its result.
pub(super) struct JobReceivers {
    pub chunks: mpsc::Receiver<(EngineChunk, Bytes)>,
    pub end: oneshot::Receiver<Result<(), EngineFailure>>,
}

/// A pending reply, with the senders that pass it to the caller.
#[derive(Debug)]
pub(super) enum PendingReply {
    Load(ReplyResult<LoadedEngine>),
    Unload(ReplyResult<u64>),
    Health(ReplyResult<Health>),
    Run { chunks: mpsc::Sender<(EngineChunk, Bytes)>, end: ReplyResult<()> },
}

/// Both ends of a job.
pub(super) fn run() -> (PendingReply, JobReceivers) {
    let (to, chunks) = mpsc::channel(MAX_CHUNKS);
    let (result, end) = oneshot::channel();
    (PendingReply::Run { chunks: to, end: result }, JobReceivers { chunks, end })
}

/// What to do after a reply.
#[derive(Debug)]
pub(super) enum AfterReply {
    /// Nothing.
    Continue,
    /// Cancel the job: its caller does not read the results fast enough.
    Cancel,
    /// End the program; new requests fail already.
    End(EngineFailure),
}

/// Pending replies by request. Once it is closed, each later request fails at once with the reason.
#[derive(Debug)]
pub(super) struct Pending {
    kind: EngineKind,
    /// In order of the requests; they fail in this order when the program ends.
    replies: BTreeMap<RequestId, PendingReply>,
    closed: Option<EngineFailure>,
    /// Memory limit of the configuration, bytes.
    configured: Option<u64>,
    /// Memory limit in effect, bytes; known once the engine has loaded.
    limit: Option<u64>,
}

impl Pending {
    pub fn new(kind: EngineKind, configured: Option<u64>) -> Self {
        Self { kind, replies: BTreeMap::new(), closed: None, configured, limit: None }
    }

    pub fn insert(&mut self, id: RequestId, reply: PendingReply) -> Result<(), EngineFailure> {
        if let Some(why) = &self.closed {
            return Err(why.clone());
        }
        if self.replies.len() >= MAX_PENDING {
            return Err(EngineFailure::Busy { waiting: self.replies.len() });
        }
        self.replies.insert(id, reply);
        Ok(())
    }

    /// Forgets a request that could not be sent or whose caller no longer waits.
    pub fn remove(&mut self, id: RequestId) {
        self.replies.remove(&id);
    }

    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    pub fn closed(&self) -> Option<EngineFailure> {
        self.closed.clone()
    }

    /// Fails all pending replies with `why`.
    pub fn close(&mut self, why: &EngineFailure) {
        self.closed.get_or_insert_with(|| why.clone());
        for reply in std::mem::take(&mut self.replies).into_values() {
            self.fail(reply, why.clone(), outcome::LOST);
        }
    }

    /// Sends a reply to its caller. Late replies, whose caller is gone, are dropped.
    pub fn dispatch(&mut self, message: FromEngine, payload: Bytes) -> Result<AfterReply, EngineFailure> {
        match message {
            FromEngine::Hello { .. } => Err(EngineFailure::Protocol { what: "it said hello twice".into() }),
            FromEngine::Chunk { id, chunk } => {
                Ok(if self.chunk(id, chunk, payload) { AfterReply::Cancel } else { AfterReply::Continue })
            }
            FromEngine::Failed { id, error } => {
                if let Some(reply) = self.replies.remove(&id) {
                    self.fail(reply, EngineFailure::Refused(error), outcome::FAILED);
                }
                Ok(AfterReply::Continue)
            }
            FromEngine::Loaded { id, models, notes, resident_bytes, card_bytes } => match self.replies.remove(&id) {
                Some(PendingReply::Load(answer)) => {
                    let files = models.iter().fold(0u64, |sum, model| sum.saturating_add(model.bytes));
                    let held = files.max(resident_bytes);
                    self.limit =
                        Some(self.configured.unwrap_or_else(|| EnginePolicy::of(self.kind).memory_limit(held)));
                    self.count(ENGINE_LOADS, outcome::DONE);
                    let _ = answer.send(Ok(LoadedEngine { models, notes, resident_bytes, card_bytes }));
                    Ok(AfterReply::Continue)
                }
                other => self.fail_mismatch("loaded", other),
            },
            FromEngine::Unloaded { id, resident_bytes } => match self.replies.remove(&id) {
                Some(PendingReply::Unload(answer)) => {
                    let _ = answer.send(Ok(resident_bytes));
                    Ok(AfterReply::Continue)
                }
                other => self.fail_mismatch("unloaded", other),
            },
            FromEngine::Healthy { id, running, resident_bytes } => match self.replies.remove(&id) {
                Some(PendingReply::Health(answer)) => {
                    let _ = answer.send(Ok(Health { running, resident_bytes }));
                    Ok(AfterReply::Continue)
                }
                other => self.fail_mismatch("healthy", other),
            },
            FromEngine::Done { id, elapsed_us: _, resident_bytes } => match self.replies.remove(&id) {
                Some(PendingReply::Run { chunks: _, end }) => {
                    self.count(ENGINE_REQUESTS, outcome::DONE);
                    // A program over its limit is closed before the caller gets this reply, so that the caller's next request fails at once.
                    let after = self.check_memory(resident_bytes);
                    let _ = end.send(Ok(()));
                    Ok(after)
                }
                other => self.fail_mismatch("done", other),
            },
            FromEngine::Cancelled { id } => match self.replies.remove(&id) {
                Some(PendingReply::Run { chunks: _, end }) => {
                    self.count(ENGINE_REQUESTS, outcome::CANCELLED);
                    let _ = end.send(Err(EngineFailure::Cancelled));
                    Ok(AfterReply::Continue)
                }
                other => self.fail_mismatch("cancelled", other),
            },
        }
    }

    /// Whether the program exceeds its limit and owes nothing, so that it can be restarted without loss (ENG-2).
    fn check_memory(&mut self, held: u64) -> AfterReply {
        const MB: u64 = 1 << 20;
        let busy = self.replies.values().any(|reply| !matches!(reply, PendingReply::Health(_)));
        match self.limit {
            Some(limit) if held > limit && !busy => {
                let why = EngineFailure::Outgrew { used_mb: held / MB, limit_mb: limit / MB };
                AfterReply::End(self.closed.get_or_insert(why).clone())
            }
            Some(_) | None => AfterReply::Continue,
        }
    }

    fn chunk(&mut self, id: RequestId, chunk: EngineChunk, payload: Bytes) -> bool {
        let Some(PendingReply::Run { chunks, .. }) = self.replies.get(&id) else {
            return false;
        };
        match chunks.try_send((chunk, payload)) {
            // A closed channel means that the caller is gone; the job was cancelled then.
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                let what = format!("it gave {MAX_CHUNKS} results that were not read");
                if let Some(reply) = self.replies.remove(&id) {
                    self.fail(reply, EngineFailure::Protocol { what }, outcome::FAILED);
                }
                true
            }
        }
    }

    fn fail_mismatch(&mut self, what: &str, other: Option<PendingReply>) -> Result<AfterReply, EngineFailure> {
        let Some(reply) = other else { return Ok(AfterReply::Continue) };
        let why = EngineFailure::Protocol { what: format!("it answered \"{what}\" to another question") };
        self.fail(reply, why.clone(), outcome::LOST);
        Err(why)
    }

    /// Fails one pending reply; a caller that is gone is ignored.
    fn fail(&self, reply: PendingReply, why: EngineFailure, outcome: &'static str) {
        match reply {
            PendingReply::Load(answer) => {
                self.count(ENGINE_LOADS, outcome);
                drop(answer.send(Err(why)));
            }
            PendingReply::Unload(answer) => drop(answer.send(Err(why))),
            PendingReply::Health(answer) => drop(answer.send(Err(why))),
            PendingReply::Run { chunks: _, end } => {
                self.count(ENGINE_REQUESTS, outcome);
                drop(end.send(Err(why)));
            }
        }
    }

    fn count(&self, name: &'static str, outcome: &'static str) {
        metrics::counter!(name, "engine" => self.kind.name(), "outcome" => outcome).increment(1);
    }
}
