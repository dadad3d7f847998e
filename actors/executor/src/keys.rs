//! Pressing keys in the window that is active (EXE-4).

use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::element_action::{ActionResult, ElementRefusal, NoEffectProof};
use luna_messages::executor::ExecutorMessage;
use luna_messages::input::{InputRefusal, InputResult};
use luna_messages::keyboard::KeyChord;
use luna_platform::accessibility::actions::{ActBarrier, ChangeScope};

use crate::{ExecutorDependencies, look};

/// Keys that are pressed only while this very window has the keyboard focus.
pub struct WindowKeys {
    /// Its platform handle.
    pub window: u64,
    pub chord: KeyChord,
    pub times: u8,
}

/// Watches the window, presses the keys once it certainly has the keyboard focus, and tells what came of it; then tells what changes until it is dropped.
pub async fn press(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    keys: WindowKeys,
    barrier: ActBarrier,
) {
    let WindowKeys { window, chord, times } = keys;
    let watch = look::watch(&dependencies, &inbox, id, ChangeScope::Window(window)).await;
    let pressed = dependencies.input.ask(move |input| input.press(&chord, times, window, &barrier)).await;
    let answer = match pressed {
        Ok(Ok(result)) => outcome(result),
        Ok(Err(error)) => {
            tracing::warn!(%error, "No keys can be pressed.");
            Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered))
        }
        // The display hangs: the keys may come yet.
        Err(_) => Ok(ActionResult::Unknown),
    };
    drop(inbox.post(ExecutorMessage::Acted { id, answer }));
    std::future::pending::<()>().await;
    drop(watch);
}

/// What the machine of orders learns of pressed keys.
pub fn outcome(result: InputResult) -> Result<ActionResult, ElementRefusal> {
    match result {
        InputResult::Done => Ok(ActionResult::Accepted),
        InputResult::NotDone(InputRefusal::Gone) => Err(ElementRefusal::Gone),
        InputResult::NotDone(InputRefusal::Moved | InputRefusal::Covered { .. } | InputRefusal::NotFocused { .. }) => {
            Err(ElementRefusal::Replaced)
        }
        InputResult::NotDone(
            InputRefusal::Stopped
            | InputRefusal::Grabbed
            | InputRefusal::Unreachable
            | InputRefusal::Held
            | InputRefusal::NoSuchKey
            | InputRefusal::NotTypeable { .. },
        ) => Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered)),
        InputResult::Partly { .. } => Ok(ActionResult::Unknown),
    }
}
