//! What the token asks of a holder (GPU-2).

use std::sync::Arc;

use luna_messages::Message;
use luna_messages::gpu::{GpuMessage, HolderOrder};

use super::lease::tell;
use super::{EngineSlot, WorkQueue};
use luna_actor_runtime::actor::Context;

/// Does what the token orders, without waiting for it.
pub fn obey<M: Message, W: Send + 'static>(
    order: HolderOrder,
    queue: &WorkQueue<W>,
    slot: &Arc<EngineSlot>,
    context: &Context<M>,
) {
    match order {
        HolderOrder::Stop { lease } => {
            if !queue.stop(lease) {
                tell(slot.token(), move || GpuMessage::Release { lease });
            }
        }
        HolderOrder::Unload { loaded_by } => {
            let slot = slot.clone();
            // It has an end of its own, and the memory must become free also where this incarnation ends meanwhile.
            context.spawn_service(async move { slot.unload(loaded_by).await }).detach();
        }
    }
}
