//! Orders of the token to an engine under a lease (GPU-2).

use std::sync::Arc;

use luna_messages::Message;
use luna_messages::gpu::{GpuMessage, ResidencyOrder};

use super::queue::WorkQueue;
use crate::managed::ManagedEngine;
use luna_actor_runtime::actor::ActorContext;

/// Handles an order of the token without waiting for its completion.
pub fn handle_order<M: Message, W: Send + 'static>(
    order: ResidencyOrder,
    queue: &WorkQueue<W>,
    engine: &Arc<ManagedEngine>,
    context: &ActorContext<M>,
) {
    match order {
        ResidencyOrder::Stop { lease } => {
            if !queue.stop(lease) {
                engine.notify_token(move || GpuMessage::Release { lease });
            }
        }
        ResidencyOrder::Unload { loaded_by } => {
            let engine = engine.clone();
            // Detached and not traced: the memory must become free also if this incarnation ends meanwhile.
            context.spawn_service(async move { engine.unload(loaded_by).await }).detach();
        }
    }
}
