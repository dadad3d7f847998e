//! Where models live, and how much memory there is (GPU-5).

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::MemoryPlace;

/// Where the models of an engine live. `listening_full`: Luna listens in full mode, not only for commands.
#[must_use]
pub const fn placement(engine: EngineKind, card: bool, listening_full: bool) -> MemoryPlace {
    match engine {
        EngineKind::Llm if card => MemoryPlace::Card,
        EngineKind::Stt if card && listening_full => MemoryPlace::Card,
        // Commands are heard outside of full mode, too, and their model must not move between card and RAM.
        EngineKind::Llm | EngineKind::Stt | EngineKind::SttCommand | EngineKind::Ocr | EngineKind::Speech => {
            MemoryPlace::Ram
        }
    }
}

/// Whether an engine may claim memory at the token: speech synthesis may not, because it must never wait for memory (GPU-5).
#[must_use]
pub const fn may_claim_memory(engine: EngineKind) -> bool {
    match engine {
        EngineKind::Llm | EngineKind::Stt | EngineKind::SttCommand | EngineKind::Ocr => true,
        EngineKind::Speech => false,
    }
}

/// The rules by which memory is granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Budget of models on the card, bytes. `None`: there is no card.
    pub card: Option<u64>,
    /// Budget of models in RAM, bytes.
    pub ram: u64,
    /// Whether Luna listens in full mode.
    pub listening_full: bool,
    /// How long an idle model stays if no other claim needs its memory (GPU-4).
    pub linger: Duration,
    /// How long a holder has to handle an order before its engine is ended (GPU-2).
    pub grace: Duration,
    /// Wait after which a claim is overdue (GPU-1).
    pub wait_bound: Duration,
}

impl Terms {
    /// Budget of models in a place, bytes; 0 if it does not exist.
    #[must_use]
    pub const fn budget(&self, place: MemoryPlace) -> u64 {
        match (place, self.card) {
            (MemoryPlace::Card, Some(bytes)) => bytes,
            (MemoryPlace::Card, None) => 0,
            (MemoryPlace::Ram, _) => self.ram,
        }
    }

    /// Where the models of an engine live now.
    #[must_use]
    pub const fn place_of(&self, engine: EngineKind) -> MemoryPlace {
        placement(engine, self.card.is_some(), self.listening_full)
    }

    /// Time for a holder to handle an order. Never zero: an order due at once would repeat without end.
    pub(super) fn order_timeout(&self) -> Duration {
        self.grace.max(Duration::from_millis(1))
    }

    /// Wait after which a claim is ripe.
    pub(super) fn ripe_after(&self) -> Duration {
        self.wait_bound / 2
    }

    /// How long a model that displaced another by right has the turn.
    pub(super) fn turn(&self) -> Duration {
        self.wait_bound / 2
    }
}

/// Budgets of models on the card and in RAM, bytes: `configured`, but never more than the card has, nor than three quarters of RAM. `None` stands for
/// no card, or for an unknown size.
#[must_use]
pub fn budgets(configured: u64, card_total: Option<u64>, ram_total: Option<u64>) -> (Option<u64>, u64) {
    let card = card_total.map(|total| configured.min(total));
    let ram = ram_total.map_or(configured, |total| configured.min(total / 4 * 3));
    (card, ram)
}
