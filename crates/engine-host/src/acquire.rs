//! From a request to an engine with its model loaded, under a lease; preemptible throughout (KER-6, GPU-2).

use std::future::Future;
use std::sync::Arc;

use luna_messages::Lane;
use luna_messages::capability::Unavailable;

use crate::availability::{Availability, Missing, lost_work, no_lease, stamp};
use crate::lease::EngineLease;
use crate::managed::{ManagedEngine, PrepareOutcome};
use crate::plan::ModelPlan;
use crate::process::{EngineFailure, EngineProgram};
use crate::work::error::WorkError;
use crate::work::queue::{StopReason, WorkTicket};

/// Maximum number of lease requests if the engine dies unnoticed between two pieces of work.
const TRIES: u32 = 3;

/// The engine program that one piece of work needs, and the priority of the work.
#[derive(Debug, Clone)]
pub struct EngineDemand {
    pub program: EngineProgram,
    /// Priority of the work.
    pub lane: Lane,
}

/// Finds the model for a task, requests a lease and makes the engine ready. `find` may take as long as reading a file. `unwanted` returns when the
/// result is no longer wanted. Dropping the future releases everything.
///
/// # Errors
/// [`WorkError::Failed`] if there is no model, no lease or no engine that loads the model; a permanent failure is also reported to the capabilities
/// (KER-9). [`WorkError::Preempted`] or [`WorkError::Cancelled`] if `ticket` is told to stop, [`WorkError::Cancelled`] if `unwanted` returns.
pub async fn acquire<T: Clone, W>(
    engine: &Arc<ManagedEngine>,
    availability: &Availability<T>,
    demand: &EngineDemand,
    task: T,
    find: impl FnOnce() -> Result<ModelPlan, Unavailable> + Send + 'static,
    ticket: &WorkTicket<W>,
    unwanted: impl Future<Output = ()>,
) -> Result<EngineLease, WorkError> {
    let mut unwanted = std::pin::pin!(unwanted);
    let found = tokio::select! {
        biased;
        stop = ticket.stop_requested() => return Err(WorkError::from_stop(stop)),
        () = &mut unwanted => return Err(WorkError::Cancelled(None)),
        found = availability.disk().run(find) => found,
    };
    let plan = match found {
        Ok(Ok(found)) => found,
        Ok(Err(why)) => return Err(WorkError::Failed(availability.no_model(task, why))),
        Err(no_answer) => {
            let failure = EngineFailure::Ended { reason: format!("the search for its model failed: {no_answer}") };
            return Err(WorkError::Failed(lost_work(&failure)));
        }
    };
    for _ in 0..TRIES {
        let grant = tokio::select! {
            biased;
            stop = ticket.stop_requested() => return Err(WorkError::from_stop(stop)),
            () = &mut unwanted => return Err(WorkError::Cancelled(None)),
            grant = engine.request_grant(&plan, demand.lane) => grant,
        };
        let grant = grant.map_err(|no| WorkError::Failed(no_lease(no)))?;
        ticket.set_lease(grant.lease());
        let mut ready = {
            let (engine, demand, plan) = (engine.clone(), demand.clone(), plan.clone());
            Box::pin(async move { engine.prepare(&demand.program, &plan, grant).await })
        };
        let outcome = tokio::select! {
            biased;
            stop = ticket.stop_requested() => Err(stop),
            () = &mut unwanted => Err(StopReason::Cancel),
            outcome = &mut ready => Ok(outcome),
        };
        match outcome {
            Ok(PrepareOutcome::Ready(process, grant)) => {
                availability.report_available();
                return Ok(EngineLease { process, grant });
            }
            Ok(PrepareOutcome::RetryLease) => {}
            Ok(PrepareOutcome::Failed(_)) if ticket.stop_reason().is_some() => {
                // The token ended the engine because the work did not stop in time.
                return Err(ticket.stop_reason().map_or(WorkError::Cancelled(None), WorkError::from_stop));
            }
            Ok(PrepareOutcome::Failed(failure)) => {
                let file = plan.file.clone();
                let before = availability.disk().run(move || stamp(&file)).await.ok().flatten();
                let replacement = Missing::Replacement(plan.file, before);
                return Err(WorkError::Failed(availability.not_ready(failure, &demand.program.path, replacement)));
            }
            Err(StopReason::Cancel) => {
                return Err(WorkError::Cancelled(Some(Box::pin(async move { drop(ready.await) }))));
            }
            // A preempting claim does not wait for the load: dropping the load ends the program.
            Err(StopReason::Preempt) => return Err(WorkError::Preempted { begun: false }),
        }
    }
    let failure = EngineFailure::Ended { reason: "it ends repeatedly before it gets work".into() };
    Err(WorkError::Failed(lost_work(&failure)))
}
