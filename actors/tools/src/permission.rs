//! Asking the person before a program acts (DNG-2). There is no way to act without a [`Permit`].

use luna_actor_runtime::inbox::Inbox;
use luna_messages::executor::{ExecutorMessage, PermissionRequest, RequestedAction};
use luna_messages::tools::ToolFailure;
use luna_messages::{Reply, RequestId};
use luna_platform::accessibility::actions::ActBarrier;
use tokio::sync::oneshot;

use crate::{ToolEnvironment, failures};

/// The person's yes to one call. Acting takes it, so that it holds once.
#[must_use]
pub struct Permit {
    barrier: ActBarrier,
}

impl Permit {
    /// Prevents the action once the person stopped Luna after the call.
    pub fn into_barrier(self) -> ActBarrier {
        self.barrier
    }
}

/// Closes the question if whoever called does not wait any more.
struct OpenQuestionGuard {
    executor: Inbox<ExecutorMessage>,
    id: Option<RequestId>,
    /// The stop that ends the question, too.
    barrier: ActBarrier,
}

impl Drop for OpenQuestionGuard {
    fn drop(&mut self) {
        // A stop reaches the executor by itself. If this came before it, it would be taken for a program that gave up its question, which has to pause.
        if let Some(id) = self.id.take_if(|_| !self.barrier.is_raised()) {
            drop(self.executor.post(ExecutorMessage::EndPermit { id }));
        }
    }
}

/// Has the person asked whether a program may do this.
pub async fn ask(
    environment: &ToolEnvironment,
    id: RequestId,
    action: RequestedAction,
    labels: Vec<String>,
) -> Result<Permit, ToolFailure> {
    let executor = environment.dependencies.executor.clone();
    let (sender, answer) = oneshot::channel();
    let reply = Reply::new(move |answer| {
        let _ = sender.send(answer);
    });
    let request = PermissionRequest { id, action, labels };
    executor.post(ExecutorMessage::Permit { request, reply }).map_err(|_| failures::lost())?;
    let barrier = environment.dependencies.stops.barrier(id);
    let mut guard = OpenQuestionGuard { executor, id: Some(id), barrier: barrier.clone() };
    let answer = answer.await;
    guard.id = None;
    let Ok(Ok(answer)) = answer else { return Err(failures::lost()) };
    match failures::of_permission(answer) {
        None => Ok(Permit { barrier }),
        // A stop ends the question, too, and is what the program should know.
        Some(_) if barrier.is_raised() => Err(failures::stopped()),
        Some(failure) => Err(failure),
    }
}
