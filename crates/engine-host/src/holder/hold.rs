//! From a wish to an engine that has the model, under a lease; giving way on the way (KER-6, GPU-2).

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use luna_messages::capability::Unavailable;
use luna_messages::work::WorkFailure;

use super::availability::{Missing, lost_work, no_lease, stamp};
use super::lease::{Granted, acquire};
use super::queue::{Halt, Ticket};
use super::slot::{EngineSlot, Readied};
use super::{Availability, HeldModel, Wanted};
use crate::engine::{EngineFailure, EngineHost};

/// How often a new lease is asked for, where the engine died unnoticed between two pieces of work.
const TRIES: u32 = 3;

/// How long the system may take to end a killed program.
const KILLED_WITHIN: Duration = Duration::from_secs(2);

/// An engine with its model, and the right to use it.
#[derive(Debug)]
pub struct Held {
    /// The engine.
    pub host: EngineHost,
    /// The right; given back when it is dropped.
    pub granted: Granted,
}

/// What goes on in the background after its asker was told.
pub type Rest = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Why work was not done.
pub enum Miss {
    /// It can't be done.
    Failed(WorkFailure),
    /// More urgent work needed the memory.
    GaveWay {
        /// Whether a part of the result was given already, so that it can't be done anew behind the asker's back.
        begun: bool,
    },
    /// Nobody wants it any more. A load goes on in the background, because the next request is likely to want the model: to be awaited after
    /// the asker was told.
    Cancelled(Option<Rest>),
}

impl fmt::Debug for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => f.debug_tuple("Failed").field(failure).finish(),
            Self::GaveWay { begun } => f.debug_struct("GaveWay").field("begun", begun).finish(),
            Self::Cancelled(rest) => f.debug_tuple("Cancelled").field(&rest.is_some()).finish(),
        }
    }
}

impl Miss {
    /// Of work that was told to stop before anything was given.
    const fn of_halt(halt: Halt) -> Self {
        match halt {
            Halt::Stop => Self::GaveWay { begun: false },
            Halt::Cancel => Self::Cancelled(None),
        }
    }
}

impl Held {
    /// What a job that failed means for its asker. An engine that can't be relied on any more is ended first, so that the next work finds it gone.
    /// `halt`: why the job was to stop, where it was; `begun`: whether a part of the result was given already.
    pub async fn miss(&self, failure: EngineFailure, halt: Option<Halt>, begun: bool) -> Miss {
        let goes_on =
            matches!(failure, EngineFailure::Refused(_) | EngineFailure::Cancelled | EngineFailure::Busy { .. });
        if !goes_on {
            self.host.kill();
            if tokio::time::timeout(KILLED_WITHIN, self.host.ended()).await.is_err() {
                tracing::error!("An engine that was killed is still there; its driver may hang.");
            }
        }
        match (halt, failure) {
            (Some(Halt::Cancel), _) => Miss::Cancelled(None),
            (_, EngineFailure::Refused(error)) => Miss::Failed(WorkFailure::Refused(error)),
            (Some(Halt::Stop), _) => Miss::GaveWay { begun },
            (None, failure) => Miss::Failed(lost_work(&failure)),
        }
    }
}

/// Finds the model for a task, gets a lease and makes the engine ready. `find` may take as long as reading a file. `unwanted` returns when
/// nobody wants the result any more. Dropping the future gives everything back.
///
/// # Errors
/// Why there is none; what will fail again is told to the capabilities (KER-9).
pub async fn engine_for<T: Clone, W>(
    slot: &Arc<EngineSlot>,
    availability: &Availability<T>,
    wanted: &Wanted,
    task: T,
    find: impl FnOnce() -> Result<HeldModel, Unavailable> + Send + 'static,
    ticket: &Ticket<W>,
    unwanted: impl Future<Output = ()>,
) -> Result<Held, Miss> {
    let mut unwanted = std::pin::pin!(unwanted);
    let found = tokio::select! {
        biased;
        halt = ticket.halted() => return Err(Miss::of_halt(halt)),
        () = &mut unwanted => return Err(Miss::Cancelled(None)),
        found = availability.disk().run(find) => found,
    };
    let model = match found {
        Ok(Ok(found)) => found,
        Ok(Err(why)) => return Err(Miss::Failed(availability.no_model(task, why))),
        Err(no_answer) => {
            let failure = EngineFailure::Ended { reason: format!("its model could not be looked for: {no_answer}") };
            return Err(Miss::Failed(lost_work(&failure)));
        }
    };
    for _ in 0..TRIES {
        let granted = tokio::select! {
            biased;
            halt = ticket.halted() => return Err(Miss::of_halt(halt)),
            () = &mut unwanted => return Err(Miss::Cancelled(None)),
            granted = acquire(slot.token(), slot.kind(), &model, wanted.lane) => granted,
        };
        let granted = granted.map_err(|no| Miss::Failed(no_lease(no)))?;
        ticket.is_under(granted.lease());
        let mut ready = {
            let (slot, wanted, model) = (slot.clone(), wanted.clone(), model.clone());
            Box::pin(async move { slot.ready(&wanted.program, &model, granted).await })
        };
        let readied = tokio::select! {
            biased;
            halt = ticket.halted() => Err(halt),
            () = &mut unwanted => Err(Halt::Cancel),
            readied = &mut ready => Ok(readied),
        };
        match readied {
            Ok(Readied::Ready(host, granted)) => {
                availability.works();
                return Ok(Held { host, granted });
            }
            Ok(Readied::AskAgain) => {}
            Ok(Readied::Failed(_)) if ticket.halt().is_some() => {
                // It was ended from outside because it did not stop in time.
                return Err(ticket.halt().map_or(Miss::Cancelled(None), Miss::of_halt));
            }
            Ok(Readied::Failed(failure)) => {
                let file = model.file.clone();
                let before = availability.disk().run(move || stamp(&file)).await.ok().flatten();
                let better = Missing::Better(model.file, before);
                return Err(Miss::Failed(availability.not_ready(failure, &wanted.program.path, better)));
            }
            Err(Halt::Cancel) => {
                return Err(Miss::Cancelled(Some(Box::pin(async move { drop(ready.await) }))));
            }
            // Whoever needs the memory does not wait for a load to complete: dropping it ends the program.
            Err(Halt::Stop) => return Err(Miss::GaveWay { begun: false }),
        }
    }
    let failure = EngineFailure::Ended { reason: "it ends again and again before it gets work".into() };
    Err(Miss::Failed(lost_work(&failure)))
}
