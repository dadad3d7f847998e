//! What allocates the memory of an engine's models: the token, or nothing.

use luna_messages::gpu::GpuMessage;

use crate::grant::notify_token;
use crate::load_gate::LoadGate;
use luna_actor_runtime::inbox::Inbox;

/// The authority that allocates the memory of an engine's models.
#[derive(Debug)]
pub(crate) enum MemoryOwner {
    /// The token: models are loaded under leases, and the token is notified when their memory is free (GPU-1, GPU-2).
    Token {
        inbox: Inbox<GpuMessage>,
        /// Shared by all engines of this token.
        gate: LoadGate,
    },
    /// No authority: the models are too small for leases, and no claim waits for their memory.
    Unleased,
}

impl MemoryOwner {
    /// Notifies the token, if there is one.
    pub fn notify_token(&self, make: impl Fn() -> GpuMessage + Send + 'static) {
        match self {
            Self::Token { inbox, .. } => notify_token(inbox, make),
            Self::Unleased => {}
        }
    }
}
