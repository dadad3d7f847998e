//! Clicking an element, and typing into one, where the accessibility tree can't act (EXE-1, EXE-7).

use std::time::Duration;

use luna_actor_runtime::inbox::Inbox;
use luna_messages::element_action::{ActionResult, ElementAction, ElementRefusal, EnteredText, NoEffectProof};
use luna_messages::executor::ExecutorMessage;
use luna_messages::input::{ClickPoint, ClickRequest, InputRefusal, InputResult, NoClickPoint};
use luna_messages::keyboard::{KeyChord, KeyModifier, KeyModifiers, NamedKey};
use luna_messages::{ElementId, Point, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::{ActBarrier, ChangeScope};
use luna_platform::input::Input;
use tokio::time::{Instant, sleep};

use crate::{ExecutorDependencies, keys, look};

/// How long an element may take to have the focus that it was given, and the pause between two looks.
const FOCUS_LIMIT: Duration = Duration::from_millis(600);
const FOCUS_LOOK: Duration = Duration::from_millis(30);

type Outcome = Result<ActionResult, ElementRefusal>;

const NOT_DELIVERED: Outcome = Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered));

/// What is done to an element by pointer or keys.
pub enum InputAction {
    Click,
    /// The pointer only goes there.
    Hover,
    /// In place of what the element holds.
    Type(EnteredText),
    /// At the caret, if the element has the focus.
    Insert(EnteredText),
}

/// Watches the application, does this once, and tells what came of it; then tells what changes until it is dropped.
pub async fn perform(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    element: ElementId,
    action: InputAction,
    barrier: ActBarrier,
) {
    let watch = look::watch(&dependencies, &inbox, id, ChangeScope::Element(element.clone())).await;
    let answer = match action {
        InputAction::Click => at_element(&dependencies, &element, &barrier, click).await,
        InputAction::Hover => {
            at_element(&dependencies, &element, &barrier, |input, at, barrier| input.hover(&at, barrier)).await
        }
        InputAction::Type(text) => type_into(&dependencies, &element, text, &barrier).await,
        InputAction::Insert(text) => type_at_caret(&dependencies, &element, text, &barrier).await,
    };
    drop(inbox.post(ExecutorMessage::Acted { id, answer }));
    std::future::pending::<()>().await;
    drop(watch);
}

fn click(input: &dyn Input, at: ClickPoint, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
    input.click(&ClickRequest::left(at), barrier)
}

/// Does this with the mouse where the element is, once, if it is what lies there.
async fn at_element(
    dependencies: &ExecutorDependencies,
    element: &ElementId,
    barrier: &ActBarrier,
    work: fn(&dyn Input, ClickPoint, &ActBarrier) -> Result<InputResult, PlatformError>,
) -> Outcome {
    let at = match dependencies.actions.click_point(element).await {
        Ok(at) => at,
        Err(NoClickPoint::Element(refusal)) => return Err(refusal),
        Err(NoClickPoint::OutOfView) => return Ok(ActionResult::NoEffect(NoEffectProof::OutOfView)),
        Err(NoClickPoint::Covered) => return Ok(ActionResult::NoEffect(NoEffectProof::Covered)),
    };
    let barrier = barrier.clone();
    mouse(dependencies, move |input| work(input, at, &barrier)).await
}

/// How the wheel is turned.
pub struct WheelTurn {
    /// The window that was active.
    pub window: u64,
    pub at: Point,
    /// Down if positive.
    pub notches: i16,
}

/// Turns the wheel, if the window is still the active one, and tells what came of it.
pub async fn scroll(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    turn: WheelTurn,
    barrier: ActBarrier,
) {
    let windows = dependencies.actions.active_windows().await.unwrap_or_default();
    let active = windows.last().filter(|window| window.handle == turn.window);
    let answer = match active.map(|window| window.bounds) {
        None => Err(ElementRefusal::Replaced),
        Some(bounds) => {
            let at = ClickPoint { point: turn.at, window: turn.window, bounds, is_confirmed: false };
            mouse(&dependencies, move |input| input.scroll(&at, turn.notches, &barrier)).await
        }
    };
    drop(inbox.post(ExecutorMessage::Acted { id, answer }));
}

/// What came of it that a button was pressed, or the wheel turned.
async fn mouse(
    dependencies: &ExecutorDependencies,
    work: impl FnOnce(&(dyn Input + 'static)) -> Result<InputResult, PlatformError> + Send + 'static,
) -> Outcome {
    match dependencies.input.ask(work).await {
        Ok(Ok(InputResult::NotDone(InputRefusal::Covered { .. }))) => {
            Ok(ActionResult::NoEffect(NoEffectProof::Covered))
        }
        Ok(Ok(InputResult::NotDone(InputRefusal::Moved | InputRefusal::NotFocused { .. }))) => NOT_DELIVERED,
        Ok(Ok(result)) => keys::outcome(result),
        Ok(Err(error)) => {
            tracing::warn!(%error, "The mouse can't be used.");
            NOT_DELIVERED
        }
        // The display hangs: it may come yet.
        Err(_) => Ok(ActionResult::Unknown),
    }
}

/// Gives the element the focus, makes sure that it has it, and types in place of what it holds.
async fn type_into(
    dependencies: &ExecutorDependencies,
    element: &ElementId,
    text: EnteredText,
    barrier: &ActBarrier,
) -> Outcome {
    let focused = dependencies.actions.act(element, ElementAction::Focus, barrier).await?;
    let has_focus = focused == ActionResult::Accepted && has_focus(dependencies, element).await?;
    if !has_focus {
        match at_element(dependencies, element, barrier, click).await? {
            ActionResult::Accepted => {}
            // What the focus did is no effect on the text.
            ActionResult::NoEffect(proof) => return Ok(ActionResult::NoEffect(proof)),
            ActionResult::Unknown => return NOT_DELIVERED,
        }
        if !self::has_focus(dependencies, element).await? {
            return NOT_DELIVERED;
        }
    }
    let Some(window) = active_window(dependencies).await else { return NOT_DELIVERED };
    let select_all =
        KeyChord { modifiers: KeyModifiers::default().with(KeyModifier::Ctrl), key: NamedKey::Character('a') };
    let select_barrier = barrier.clone();
    let selected = dependencies.input.ask(move |input| input.press(&select_all, 1, window, &select_barrier)).await;
    match selected {
        Ok(Ok(InputResult::Done)) => {}
        Ok(Ok(InputResult::NotDone(_)) | Err(_)) => return NOT_DELIVERED,
        Ok(Ok(InputResult::Partly { .. })) | Err(_) => return Ok(ActionResult::Unknown),
    }
    let barrier = barrier.clone();
    let typed = dependencies
        .input
        .ask(move |input| {
            // Nothing is typed in place of what is selected, so that it has to be deleted.
            if text.0.is_empty() {
                let delete = KeyChord { modifiers: KeyModifiers::default(), key: NamedKey::Delete };
                input.press(&delete, 1, window, &barrier)
            } else {
                input.type_text(&text, window, &barrier)
            }
        })
        .await;
    match typed {
        Ok(Ok(InputResult::Done)) => Ok(ActionResult::Accepted),
        // Keys were sent already: what was selected may be changed by the person since.
        _ => Ok(ActionResult::Unknown),
    }
}

/// Types where the caret is. Nothing puts the focus there: that could move the caret, or be another place than the one that the person meant.
async fn type_at_caret(
    dependencies: &ExecutorDependencies,
    element: &ElementId,
    text: EnteredText,
    barrier: &ActBarrier,
) -> Outcome {
    if !dependencies.actions.inspect(element).await?.focused {
        return NOT_DELIVERED;
    }
    let Some(window) = active_window(dependencies).await else { return NOT_DELIVERED };
    let barrier = barrier.clone();
    match dependencies.input.ask(move |input| input.type_text(&text, window, &barrier)).await {
        Ok(Ok(result)) => keys::outcome(result),
        Ok(Err(error)) => {
            tracing::warn!(%error, "Keys can't be used.");
            NOT_DELIVERED
        }
        // The display hangs: it may come yet.
        Err(_) => Ok(ActionResult::Unknown),
    }
}

/// The window that keys go to.
async fn active_window(dependencies: &ExecutorDependencies) -> Option<u64> {
    let windows = dependencies.actions.active_windows().await.unwrap_or_default();
    windows.last().map(|window| window.handle)
}

/// Whether the element has the focus soon.
async fn has_focus(dependencies: &ExecutorDependencies, element: &ElementId) -> Result<bool, ElementRefusal> {
    let until = Instant::now() + FOCUS_LIMIT;
    loop {
        if dependencies.actions.inspect(element).await?.focused {
            return Ok(true);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        sleep(FOCUS_LOOK).await;
    }
}
