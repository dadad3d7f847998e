//! The board that keeps what language models are told of the situation (PAK-4): fed by what actors publish, read by the language tasks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_actor_runtime::blocking::BlockingService;
use luna_llm_tasks::prompt::{KeptSituation, Situation};
use luna_messages::Lang;
use luna_messages::bus::BusEvent;
use tokio::time::Instant;

use crate::system::System;

/// Wait for the desktop: its windows are told within some milliseconds, and a decision does not wait for them longer.
const DESKTOP_WAIT: Duration = Duration::from_millis(300);

/// Keeps the situation for all incarnations. Clones share it.
#[derive(Clone)]
pub struct SituationBoard {
    kept: Arc<Mutex<KeptSituation>>,
    began: Instant,
}

impl Default for SituationBoard {
    fn default() -> Self {
        Self { kept: Arc::default(), began: Instant::now() }
    }
}

impl SituationBoard {
    /// Takes note of what happens.
    pub fn note(&self, event: &BusEvent) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).note(event, self.began.elapsed());
    }

    /// Tells the situation, with the active window of this desktop.
    #[must_use]
    pub fn service(&self, system: &System) -> BlockingService<dyn Fn(Lang) -> Situation + Send + Sync> {
        let (board, desktop) = (self.clone(), system.desktop.clone());
        let tell = move |lang| {
            let windows = desktop.windows().unwrap_or_default();
            let active = windows.iter().find(|window| window.is_active);
            let time = desktop.local_time();
            let now = board.began.elapsed();
            let kept = board.kept.lock().unwrap_or_else(PoisonError::into_inner);
            Situation {
                device_state: kept.device_state(active, Some(&time), lang, now),
                digest: kept.digest(lang, now),
                text: String::new(),
            }
        };
        BlockingService::new("situation", DESKTOP_WAIT, Arc::new(tell))
    }
}
