//! The person says yes by a key, and may hold it a while: nothing is sent until it is released.

use std::time::Duration;

use luna_messages::input::{InputRefusal, InputResult};
use tokio::time::{Instant, sleep};

/// How long the person may hold the key, and the pause between two tries.
const LIMIT: Duration = Duration::from_millis(2500);
const PAUSE: Duration = Duration::from_millis(8);

/// Waits between tries of which each certainly sent nothing (EXE-7).
pub struct HeldKeysWait {
    until: Instant,
}

impl HeldKeysWait {
    pub fn new() -> Self {
        Self { until: Instant::now() + LIMIT }
    }

    /// Waits a moment and returns true if nothing was sent because keys are held, unless they are held for too long.
    pub async fn waits_after(&mut self, result: &InputResult) -> bool {
        let is_held = matches!(result, InputResult::NotDone(InputRefusal::Held)) && Instant::now() < self.until;
        if is_held {
            sleep(PAUSE).await;
        }
        is_held
    }
}
