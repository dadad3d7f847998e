//! Keys, text, scrolling and starting programs (TOOL-1, TOOL-3).

use luna_messages::element_action::EnteredText;
use luna_messages::executor::RequestedAction;
use luna_messages::input::InputResult;
use luna_messages::keyboard::{KeyChord, KeyModifiers, NamedKey};
use luna_messages::tools::{ToolFailure, ToolFailureKind};
use luna_messages::{ElementId, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::ActBarrier;
use luna_platform::input::Input;
use luna_tools::input::{ScrollDirection, ScrollInput};
use serde_json::{Value, json};

use crate::permission::{self, Permit};
use crate::{ToolEnvironment, failures, looking};

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
        ScrollDirection::Up => (NamedKey::PageUp, false, "up"),
        ScrollDirection::Down => (NamedKey::PageDown, true, "down"),
    };
    let permit = permission::ask(environment, id, RequestedAction::Scroll { down }, Vec::new()).await?;
    let (chord, pages) = (KeyChord { modifiers: KeyModifiers::default(), key }, input.pages);
    send(environment, permit, place, move |input, window, barrier| input.press(&chord, pages, window, barrier)).await?;
    Ok(json!({ "direction": name, "pages": pages }))
}

pub async fn launch(environment: &ToolEnvironment, id: RequestId, name: &str) -> Result<Value, ToolFailure> {
    let programs = &environment.dependencies.programs;
    let wanted = name.to_owned();
    let found = programs.ask(move |programs| programs.find(&wanted)).await;
    let mut found = found.map_err(failures::of_silence)?.map_err(failures::of_machine)?;
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().take(8).map(|program| program.name.as_str()).collect();
        let message = format!("Several programs fit; give the whole name of one: {}.", names.join(", "));
        return Err(ToolFailure::new(ToolFailureKind::NotFound, message));
    }
    let Some(program) = found.pop() else {
        let message = "No installed program has that name; give the name as the menus show it.";
        return Err(ToolFailure::new(ToolFailureKind::NotFound, message));
    };
    let action = RequestedAction::Launch { program: program.name.clone() };
    let permit = permission::ask(environment, id, action, vec![program.name.clone()]).await?;
    let (barrier, started) = (permit.into_barrier(), program.name.clone());
    let launched = programs
        .ask(move |programs| match barrier.is_raised() {
            true => None,
            false => Some(programs.launch(&program)),
        })
        .await;
    match launched.map_err(failures::of_silence)? {
        None => Err(failures::stopped()),
        Some(result) => {
            result.map_err(failures::of_machine)?;
            Ok(json!({ "program": started }))
        }
    }
}

async fn place(environment: &ToolEnvironment) -> Result<KeyPlace, ToolFailure> {
    let windows = looking::active_windows(environment).await?;
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
    input: impl FnOnce(&dyn Input, u64, &ActBarrier) -> Result<InputResult, PlatformError> + Send + 'static,
) -> Result<(), ToolFailure> {
    if place(environment).await? != asked {
        return Err(failures::changed());
    }
    let (window, barrier) = (asked.window, permit.into_barrier());
    let sent = environment.dependencies.input.ask(move |machine| input(machine, window, &barrier)).await;
    failures::of_input(sent.map_err(failures::of_silence)?.map_err(failures::of_machine)?)
}
