//! The key that is held to speak (VOI-1 `hold`): tells the Listening actor when the person begins and when they end.
//!
//! What the keyboard does stays on the thread of the platform; only the holding of this one key leaves it (PRV-2).

use std::time::Duration;

use luna_actor_runtime::inbox::{Inbox, PostError};
use luna_actor_runtime::{Task, TraceLog};
use luna_config::Config;
use luna_config::speech::{CommandMode, HoldKey};
use luna_focus::talk_key::{HOLD_AFTER_MS, HoldKeys, HoldStep};
use luna_messages::RequestId;
use luna_messages::keyboard::{CtrlSide, KeyEvent};
use luna_messages::listening::ListeningMessage;
use tokio::sync::watch;

/// After a full lane: the Listening actor handles a message in less.
const POST_AGAIN: Duration = Duration::from_millis(20);

/// The key that is held to speak; `None` if commands are not said so.
#[must_use]
pub const fn hold_key(config: &Config) -> Option<CtrlSide> {
    match (config.voice.command_mode, config.voice.hold_key) {
        (CommandMode::Hold, HoldKey::RightCtrl) => Some(CtrlSide::Right),
        (CommandMode::Hold, HoldKey::LeftCtrl) => Some(CtrlSide::Left),
        (CommandMode::Auto | CommandMode::WakeOnly, _) => None,
    }
}

/// The holding of the key: the number of the press that goes on, so that no end is missed if a new press follows at once.
#[derive(Debug, Clone)]
pub(crate) struct HoldReporter {
    key: CtrlSide,
    press: watch::Sender<Option<RequestId>>,
}

impl HoldReporter {
    /// Starts the task that tells `listening`; it ends when it is dropped.
    pub(crate) fn start(key: CtrlSide, listening: Inbox<ListeningMessage>, traces: TraceLog) -> (Self, Task) {
        let (press, presses) = watch::channel(None);
        let task = Task::spawn_service("hold_key", report(presses, listening, traces));
        (Self { key, press }, task)
    }

    /// What to call with each change of the keyboard, on the thread of the platform.
    pub(crate) fn observer(&self) -> impl FnMut(KeyEvent) + Send + use<> {
        let (mut keys, press) = (HoldKeys::new(self.key), self.press.clone());
        move |event| match keys.decide(event) {
            Some(HoldStep::Begins) => {
                press.send_replace(Some(RequestId::next()));
            }
            Some(HoldStep::Ends) => {
                press.send_replace(None);
            }
            None => {}
        }
    }

    /// The keyboard is observed no more: nobody would tell that the key is let go.
    pub(crate) fn let_go(&self) {
        self.press.send_replace(None);
    }
}

/// Tells of each press that lasts. Returns when nobody observes any more.
async fn report(mut presses: watch::Receiver<Option<RequestId>>, listening: Inbox<ListeningMessage>, traces: TraceLog) {
    let after = Duration::from_millis(HOLD_AFTER_MS.into());
    loop {
        let press = *presses.borrow_and_update();
        let Some(press) = press else {
            if presses.changed().await.is_err() {
                return;
            }
            continue;
        };
        let is_other = |now: &Option<RequestId>| *now != Some(press);
        // A shorter press is a tap, or a shortcut.
        match tokio::time::timeout(after, presses.wait_for(is_other)).await {
            Ok(Ok(_)) => continue,
            Ok(Err(_)) => return,
            Err(_) => {}
        }
        let trace = traces.begin("hold_key");
        trace.scope(|| post(&listening, true));
        // An error means that nobody observes any more.
        let ended = presses.wait_for(is_other).await.is_err();
        while !trace.scope(|| post(&listening, false)) {
            // Luna must not go on listening as if the key were held.
            tokio::time::sleep(POST_AGAIN).await;
        }
        if ended {
            return;
        }
    }
}

/// Whether it need not be posted again.
fn post(listening: &Inbox<ListeningMessage>, down: bool) -> bool {
    match listening.post(ListeningMessage::Hold { down }) {
        Ok(()) | Err(PostError::Closed(_)) => true,
        Err(PostError::Full(_)) => {
            tracing::warn!(down, "The listening actor's inbox is full, so it does not learn yet that the key is held.");
            false
        }
    }
}
