//! Who shares out the memory of an engine's models.

use luna_messages::gpu::GpuMessage;

use crate::grant::tell;
use crate::load_gate::LoadGate;
use luna_actor_runtime::inbox::Inbox;

/// Who shares out the memory of an engine's models.
#[derive(Debug)]
pub(crate) enum MemoryOwner {
    /// The token: a model is loaded under a lease, and the token hears when its memory is free (GPU-1, GPU-2).
    Token {
        inbox: Inbox<GpuMessage>,
        /// Who else loads under this token.
        gate: LoadGate,
    },
    /// Its models are so small that they are not shared out: nobody waits for their memory.
    Nobody,
}

impl MemoryOwner {
    /// Tells the token something that it must hear, if there is one.
    pub fn tell(&self, make: impl Fn() -> GpuMessage + Send + 'static) {
        match self {
            Self::Token { inbox, .. } => tell(inbox, make),
            Self::Nobody => {}
        }
    }
}
