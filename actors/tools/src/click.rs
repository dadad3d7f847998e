//! Clicking: at a place, or at a text that is recognised (TOOL-1, TOOL-2).

use luna_messages::executor::RequestedAction;
use luna_messages::input::{ClickPoint, ClickRequest, MouseButton};
use luna_messages::pick::{Element, WindowInfo};
use luna_messages::tools::{ToolFailure, ToolFailureKind};
use luna_messages::{ElementId, Point, RequestId};
use luna_platform::accessibility::AtPoint;
use luna_tools::input::ButtonInput;
use luna_tools::recognised::containing;
use serde_json::{Value, json};

use crate::held_keys::HeldKeysWait;
use crate::permission::{self, Permit};
use crate::{ToolEnvironment, active, failures, pictures};

/// With which button, and how often.
#[derive(Clone, Copy)]
pub struct Clicks {
    pub button: ButtonInput,
    pub double: bool,
}

/// What lies at a place: if any of it differs after the question, the yes does not hold.
#[derive(PartialEq)]
struct ClickedPlace {
    window: WindowInfo,
    /// `None` if the tree tells nothing there.
    element: Option<ElementId>,
    label: String,
    /// What is said of it besides, which may tell of a danger (DNG-4).
    description: String,
}

/// Clicks a place of the desktop.
pub async fn at(
    environment: &ToolEnvironment,
    id: RequestId,
    point: Point,
    clicks: Clicks,
) -> Result<Value, ToolFailure> {
    let place = place_at(environment, point).await?;
    let action = RequestedAction::Click { target: place.label.clone(), at: point };
    let labels = vec![place.label.clone(), place.description.clone()];
    let permit = permission::ask(environment, id, action, labels).await?;
    click(environment, permit, point, &place, clicks).await?;
    Ok(json!({ "mode": "coordinates", "x": point.x, "y": point.y, "target": place.label }))
}

/// Clicks the most certain place where the active window shows a text (TOOL-2).
pub async fn text(
    environment: &ToolEnvironment,
    id: RequestId,
    text: &str,
    clicks: Clicks,
) -> Result<Value, ToolFailure> {
    // Taken before the text is recognised, so that nothing can change between the two unseen.
    let before = pictures::shot(environment, None).await?;
    let (found, place) = find(environment, text).await?;
    let pixels = before.part(found.bbox);
    let point = found.bbox.center();
    // The tree may know more of it than what is written there.
    let target = format!("{} {}", found.text, if place.label == found.text { "" } else { &place.label });
    let action = RequestedAction::Click { target: target.trim().to_owned(), at: point };
    let labels = vec![text.to_owned(), found.text.clone(), place.label.clone(), place.description.clone()];
    let permit = permission::ask(environment, id, action, labels).await?;
    // What was found must still be there. The same picture of it tells so at once; else it is looked for again, because nothing but the picture tells.
    let now = pictures::shot(environment, Some(found.bbox)).await.ok().and_then(|shot| shot.part(found.bbox));
    if pixels.is_none() || now != pixels {
        let (again, now) = find(environment, text).await.map_err(|_| failures::changed())?;
        let is_same = now.window == place.window && now.element == place.element;
        if again.text != found.text || !again.bbox.contains(point) || !is_same {
            return Err(failures::changed());
        }
    }
    click(environment, permit, point, &place, clicks).await?;
    Ok(json!({
        "mode": "text", "text": text, "found_text": found.text, "confidence": found.confidence, "bbox": found.bbox,
        "x": point.x, "y": point.y,
    }))
}

/// The line that contains the text, and what lies in the middle of it.
async fn find(
    environment: &ToolEnvironment,
    text: &str,
) -> Result<(luna_messages::ocr::OcrBlock, ClickedPlace), ToolFailure> {
    let windows = active::windows(environment).await?;
    let recognised = pictures::recognised(environment, None).await?;
    let Some(found) = containing(&recognised.blocks, text).cloned() else {
        let message =
            "The active window does not show that text, or it can't be recognised; read_screen tells what it shows.";
        return Err(ToolFailure::new(ToolFailureKind::NotFound, message));
    };
    let place = place_at(environment, found.bbox.center()).await?;
    // Its menus are windows of their own.
    if !windows.iter().any(|window| window.handle == place.window.handle) {
        return Err(ToolFailure::new(
            ToolFailureKind::Covered,
            "Another window lies above that text, so nothing was clicked.",
        ));
    }
    Ok((found, place))
}

async fn place_at(environment: &ToolEnvironment, point: Point) -> Result<ClickedPlace, ToolFailure> {
    let tree = &environment.dependencies.accessibility;
    let Some(window) = tree.window_at(point).await.map_err(failures::of_machine)? else {
        return Err(ToolFailure::new(
            ToolFailureKind::NotFound,
            "No window lies at that place, so nothing was clicked.",
        ));
    };
    let hit = tree.at_point(point, luna_messages::Rect::default()).await;
    let label = |element: &Element| if element.label.is_empty() { element.text.clone() } else { element.label.clone() };
    let place = |element: Element, label: String| ClickedPlace {
        window: window.clone(),
        label,
        description: element.properties.description.clone(),
        element: Some(element.id),
    };
    Ok(match hit {
        Ok(AtPoint::Element(element)) => {
            let label = label(&element);
            place(element, label)
        }
        // Its label alone, whatever the platform reports (PRV-3).
        Ok(AtPoint::Protected(field)) => {
            let label = field.label.clone();
            place(field, label)
        }
        Ok(AtPoint::NoText { .. } | AtPoint::NoWindow) | Err(_) => {
            ClickedPlace { window, element: None, label: String::new(), description: String::new() }
        }
    })
}

/// Clicks once, if the place is the same; the display's own hit test decides whether that window is met. While the person holds the key for yes, nothing is
/// sent: that is waited for, and the place looked at again.
async fn click(
    environment: &ToolEnvironment,
    permit: Permit,
    point: Point,
    place: &ClickedPlace,
    clicks: Clicks,
) -> Result<(), ToolFailure> {
    let at = ClickPoint { point, window: place.window.handle, bounds: place.window.bounds, is_confirmed: false };
    let button = match clicks.button {
        ButtonInput::Left => MouseButton::Left,
        ButtonInput::Right => MouseButton::Right,
    };
    let request = ClickRequest { at, button, is_double: clicks.double };
    let (barrier, mut held) = (permit.into_barrier(), HeldKeysWait::new());
    loop {
        if place_at(environment, point).await? != *place {
            return Err(failures::changed());
        }
        let barrier = barrier.clone();
        let clicked = environment.dependencies.input.ask(move |input| input.click(&request, &barrier)).await;
        let result = clicked.map_err(failures::of_silence)?.map_err(failures::of_machine)?;
        if !held.waits_after(&result).await {
            return failures::of_input(result);
        }
    }
}
