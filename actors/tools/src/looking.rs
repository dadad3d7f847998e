//! What is on the screen: its windows, and what the active one shows (SCR-2, SCR-3).

use luna_messages::pick::WindowInfo;
use luna_messages::tools::ToolFailure;
use luna_navigation::{ScreenContent, ScreenElement};
use serde_json::{Value, json};

use crate::{ToolEnvironment, active, failures, pictures};

/// Most elements of a result; a model reads no more with profit.
const MOST_ELEMENTS: usize = 400;

/// The open windows, the active one first.
pub async fn windows(environment: &ToolEnvironment) -> Result<Value, ToolFailure> {
    let windows = environment.dependencies.accessibility.windows().await.map_err(failures::of_machine)?;
    let active = environment.dependencies.actions.active_windows().await.unwrap_or_default();
    let active = active.last().map(|window| window.handle);
    let mut listed = Vec::new();
    for window in windows {
        let program = program_name(environment, &window).await;
        listed.push(json!({
            "window": window.handle,
            "title": window.title,
            "program": program,
            "process": window.process,
            "bbox": window.bounds,
            "active": Some(window.handle) == active,
        }));
    }
    Ok(json!({ "windows": listed }))
}

/// What the active window shows.
pub async fn read_screen(environment: &ToolEnvironment) -> Result<Value, ToolFailure> {
    refresh(environment).await?;
    let shadow = environment.shadow.lock().map_err(|_| failures::lost())?;
    let known = shadow.current(environment.base.elapsed()).ok_or_else(failures::no_window)?;
    let screen = &known.screen;
    Ok(json!({
        "mode": "quick",
        "node": known.node,
        "instance_hash": known.instance_hash,
        "title": screen.title,
        "bbox": screen.window,
        "elements": screen.elements.iter().take(MOST_ELEMENTS).collect::<Vec<_>>(),
        "complete": screen.is_complete && screen.elements.len() <= MOST_ELEMENTS,
    }))
}

/// Reads the active window again into the model of the screen.
pub async fn refresh(environment: &ToolEnvironment) -> Result<(), ToolFailure> {
    let screen = read(environment).await?;
    let now = environment.base.elapsed();
    let mut shadow = environment.shadow.lock().map_err(|_| failures::lost())?;
    shadow.refresh(screen, now);
    Ok(())
}

async fn read(environment: &ToolEnvironment) -> Result<ScreenContent, ToolFailure> {
    let windows = active::windows(environment).await?;
    let Some(active) = windows.last() else { return Err(failures::no_window()) };
    let mut screen = ScreenContent {
        program_name: program_name(environment, active).await,
        title: active.title.clone(),
        window: active.bounds,
        is_complete: true,
        ..ScreenContent::default()
    };
    for window in &windows {
        match environment.dependencies.actions.window_elements_to_act_on(window).await {
            Ok(listed) => {
                screen.is_complete &= listed.is_complete;
                screen.pages.extend(listed.pages);
                screen.elements.extend(listed.elements.iter().map(ScreenElement::of_tree));
            }
            Err(error) => {
                tracing::debug!(%error, "A window did not tell its elements to a tool.");
                screen.is_complete = false;
            }
        }
    }
    if screen.elements.is_empty() {
        // Without a tree, what is written there is all that is known (SCR-3).
        let recognised = pictures::recognised(environment, None).await?;
        screen.elements = recognised.blocks.iter().map(ScreenElement::recognised).collect();
    }
    Ok(screen)
}

async fn program_name(environment: &ToolEnvironment, window: &WindowInfo) -> String {
    let process = window.process;
    let name = environment.dependencies.programs.ask(move |programs| programs.name_of(process)).await;
    name.ok().flatten().unwrap_or_default()
}
