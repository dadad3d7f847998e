//! Client of the running Luna for leases of model memory (GPU-7).

use std::io::{BufRead as _, BufReader};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_engine_host::ModelPlan;
use luna_engine_protocol::LoadSpec;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::MemoryPlace;

use super::{Admission, ModelsLock};
use crate::control_file::{self, ControlFile};
use crate::control_protocol::{LeaseLine, LeaseRequest};
use crate::{control_client, peer};

/// Called once, with the reason as a sentence, if the lease is lost while it is needed.
pub type OnLeaseLost = Arc<dyn Fn(&str) + Send + Sync>;

const LEASE_REVOKED: &str = "the running Luna needs the memory for models and took it back; try again later";

struct CommandLease {
    kind: EngineKind,
    model: String,
    bytes: u64,
    place: MemoryPlace,
    /// Why the lease was lost, if it was.
    lost: Arc<Mutex<Option<&'static str>>>,
}

/// The admission of a command: a lease from the running Luna if there is one, else the lock. Lease and lock last until the process ends.
#[must_use]
pub fn admission(patience: Duration, lost: OnLeaseLost) -> Admission {
    let had: Arc<Mutex<Option<CommandLease>>> = Arc::default();
    let lock = ModelsLock::of_this_person();
    Arc::new(move |kind, model| {
        let mut had = had.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(had) = had.as_ref().filter(|had| had.kind == kind) {
            if let Some(why) = *had.lost.lock().unwrap_or_else(PoisonError::into_inner) {
                return Err(unavailable(why));
            }
            if had.model == model.name && model.memory_estimate <= had.bytes {
                return Ok(placed_at(model, had.place));
            }
        }
        // The command needs a larger model: the old lease is released first, since an engine holds one model.
        *had = None;
        let control = control_file::read(&control_file::path()).ok().filter(|control| peer::verify(control).is_ok());
        let Some(control) = control else {
            lock.take(patience)?;
            return Ok(model);
        };
        let gone = Arc::new(Mutex::new(None));
        let place = ask(&control, kind, &model, patience, (&gone, &lost, &lock))?;
        *had = Some(CommandLease { kind, model: model.name.clone(), bytes: model.memory_estimate, place, lost: gone });
        Ok(placed_at(model, place))
    })
}

fn unavailable(why: &str) -> Unavailable {
    Unavailable {
        reason: format!("No memory for a model: {why}."),
        remedy: "`luna ctl status` shows who has it.".to_owned(),
    }
}

/// The model, to be loaded at the place of the lease.
fn placed_at(model: ModelPlan, place: MemoryPlace) -> ModelPlan {
    let spec = model.spec.clone();
    let there: Arc<dyn Fn(MemoryPlace) -> LoadSpec + Send + Sync> = Arc::new(move |_| spec(place));
    ModelPlan { spec: there, ..model }
}

/// Requests a lease, waits for the answer, and watches for its end on its own thread.
fn ask(
    control: &ControlFile,
    kind: EngineKind,
    model: &ModelPlan,
    patience: Duration,
    (gone, lost, lock): (&Arc<Mutex<Option<&'static str>>>, &OnLeaseLost, &ModelsLock),
) -> Result<MemoryPlace, Unavailable> {
    let failed = |what: String| Unavailable {
        reason: format!("The running Luna did not share out memory for a model: {what}."),
        remedy: "Try again; `luna ctl status` shows how it is.".to_owned(),
    };
    let request = LeaseRequest {
        holder: kind,
        model: model.name.clone(),
        bytes: model.memory_estimate,
        process: std::process::id(),
        patience_ms: u64::try_from(patience.as_millis()).unwrap_or(u64::MAX),
    };
    let body = serde_json::to_vec(&request).map_err(|error| failed(error.to_string()))?;
    let response = control_client::post(control, "lease", &body, None).map_err(|error| failed(error.to_string()))?;
    let status = response.status();
    if !status.is_success() {
        return Err(failed(format!("it answered {status}")));
    }
    let mut lines = BufReader::new(response.into_body().into_reader()).lines();
    // Empty lines only keep the connection alive.
    let mut next = move || loop {
        match lines.next() {
            Some(Ok(line)) if line.is_empty() => {}
            Some(Ok(line)) => return serde_json::from_str::<LeaseLine>(&line).ok(),
            Some(Err(_)) | None => return None,
        }
    };
    let place = match next() {
        Some(LeaseLine::Granted { place }) => place,
        Some(LeaseLine::Refused { why }) => {
            let remedy = "Try again later, or set gpu.budget_mb higher if the machine has more.".to_owned();
            return Err(Unavailable { reason: why, remedy });
        }
        Some(LeaseLine::Stop) | None => return Err(failed("it ended the connection".to_owned())),
    };
    let (gone, lost, lock) = (gone.clone(), lost.clone(), lock.clone());
    let listening = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
        let why = match next() {
            Some(LeaseLine::Stop) => LEASE_REVOKED,
            // The connection ended without an order, usually because Luna exited. If no other process has the lock, the command keeps the memory.
            _ if lock.take(Duration::ZERO).is_ok() => return,
            _ => "the running Luna ended, and another program has the memory now",
        };
        *gone.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        lost(why);
    });
    listening.map_err(|error| failed(error.to_string()))?;
    Ok(place)
}
