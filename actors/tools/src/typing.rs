//! Keys, text and scrolling (TOOL-1).

use std::time::Duration;

use luna_messages::element_action::EnteredText;
use luna_messages::executor::RequestedAction;
use luna_messages::input::InputResult;
use luna_messages::keyboard::{KeyChord, KeyModifiers, NamedKey};
use luna_messages::tools::ToolFailure;
use luna_messages::{ElementId, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::ActBarrier;
use luna_platform::input::Input;
use luna_tools::input::{PageDirection, ScrollInput};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::held_keys::HeldKeysWait;
use crate::permission::{self, Permit};
use crate::{ToolEnvironment, active, failures};

/// How long the window may be without the focus after the yes, and the pause between two looks.
const FOCUS_LIMIT: Duration = Duration::from_millis(2500);
const FOCUS_LOOK: Duration = Duration::from_millis(8);

/// Where keys go. If any of it differs after the question, the yes does not hold.
#[derive(PartialEq)]
struct KeyPlace {
    window: u64,
    title: String,
    /// What has the keyboard focus, if that is known.
    focused: Option<ElementId>,
    label: String,
}

pub async fn type_text(environment: &ToolEnvironment, id: RequestId, text: String) -> Result<Value, ToolFailure> {
    let place = place(environment).await?;
    // A line end presses Enter, which may do what the text says.
    let has_enter = text.contains(['\n', '\r']);
    let mut labels = vec![place.label.clone()];
    if has_enter {
        labels.push(text.clone());
    }
    let action = RequestedAction::Type { text: text.clone(), target: place.label.clone() };
    let permit = permission::ask(environment, id, action, labels).await?;
    let count = text.chars().count();
    let typed = EnteredText(text);
    send(environment, permit, place, move |input, window, barrier| input.type_text(&typed, window, barrier)).await?;
    Ok(json!({ "characters": count }))
}

pub async fn press(
    environment: &ToolEnvironment,
    id: RequestId,
    chord: KeyChord,
    times: u8,
) -> Result<Value, ToolFailure> {
    let place = place(environment).await?;
    let keys = chord.to_string();
    let labels = vec![place.label.clone(), keys.clone(), chord.key.to_string()];
    let action = RequestedAction::Keys { keys: keys.clone(), times, target: place.label.clone() };
    let permit = permission::ask(environment, id, action, labels).await?;
    send(environment, permit, place, move |input, window, barrier| input.press(&chord, times, window, barrier)).await?;
    Ok(json!({ "keys": keys, "times": times }))
}

/// By the keys for a page, which scroll what has the keyboard focus.
pub async fn scroll(environment: &ToolEnvironment, id: RequestId, input: ScrollInput) -> Result<Value, ToolFailure> {
    let place = place(environment).await?;
    let (key, down, name) = match input.direction {
        PageDirection::Up => (NamedKey::PageUp, false, "up"),
        PageDirection::Down => (NamedKey::PageDown, true, "down"),
    };
    let permit = permission::ask(environment, id, RequestedAction::Scroll { down }, Vec::new()).await?;
    let (chord, pages) = (KeyChord { modifiers: KeyModifiers::default(), key }, input.pages);
    send(environment, permit, place, move |input, window, barrier| input.press(&chord, pages, window, barrier)).await?;
    Ok(json!({ "direction": name, "pages": pages }))
}

async fn place(environment: &ToolEnvironment) -> Result<KeyPlace, ToolFailure> {
    let windows = active::windows(environment).await?;
    let Some(active) = windows.last() else { return Err(failures::no_window()) };
    let focused = environment.dependencies.accessibility.focused().await.ok().flatten().map(|change| change.element);
    // The label alone: what a field holds is not said, and may be a secret (PRV-3).
    let label = focused.as_ref().map(|element| {
        let is_content = element.role.has_content() || element.role == luna_messages::pick::Role::Protected;
        if is_content || !element.label.is_empty() { element.label.clone() } else { element.text.clone() }
    });
    Ok(KeyPlace {
        window: active.handle,
        title: active.title.clone(),
        focused: focused.map(|element| element.id),
        label: label.unwrap_or_default(),
    })
}

/// Sends input to the window that the person was asked about, if it is still the same place.
async fn send(
    environment: &ToolEnvironment,
    permit: Permit,
    asked: KeyPlace,
    input: impl Fn(&dyn Input, u64, &ActBarrier) -> Result<InputResult, PlatformError> + Clone + Send + 'static,
) -> Result<(), ToolFailure> {
    let (window, barrier, mut held) = (asked.window, permit.into_barrier(), HeldKeysWait::new());
    loop {
        if !is_still(environment, &asked).await? {
            return Err(failures::changed());
        }
        let (input, barrier) = (input.clone(), barrier.clone());
        let sent = environment.dependencies.input.ask(move |machine| input(machine, window, &barrier)).await;
        let result = sent.map_err(failures::of_silence)?.map_err(failures::of_machine)?;
        if !held.waits_after(&result).await {
            return failures::of_input(result);
        }
    }
}

/// Whether keys would go where the person was told. While the key for yes is held, the display server takes the focus from the window: that is waited for.
async fn is_still(environment: &ToolEnvironment, asked: &KeyPlace) -> Result<bool, ToolFailure> {
    let until = Instant::now() + FOCUS_LIMIT;
    loop {
        let now = place(environment).await?;
        if now == *asked {
            return Ok(true);
        }
        let is_same_window = now.window == asked.window && now.title == asked.title;
        if !is_same_window || now.focused.is_some() || Instant::now() >= until {
            return Ok(false);
        }
        sleep(FOCUS_LOOK).await;
    }
}
