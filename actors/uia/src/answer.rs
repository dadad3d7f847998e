//! Answers questions to the tree, and maps its errors to what they mean for the person.

use std::future::Future;
use std::time::Duration;

use luna_actor_runtime::capabilities::Capabilities;
use luna_focus::region;
use luna_messages::Rect;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::pick::{CaptureScope, PickFailure, PickRequest, SearchedRegion, WindowInfo};
use luna_messages::uia::{RowsExtent, TreeAnswer};
use luna_platform::PlatformError;
use luna_platform::accessibility::AtPoint;
use luna_platform::capture::monitor_at;

use crate::{UiaDependencies, UiaSettings};

/// Longest wait for an answer of the tree. The tree has shorter deadlines of its own; this one holds even if they fail, so that no caller waits for
/// ever.
const DEADLINE: Duration = Duration::from_secs(2);

/// Awaits an answer of the tree, with a deadline.
pub async fn within<T>(question: impl Future<Output = Result<T, PlatformError>>) -> Result<T, PlatformError> {
    tokio::time::timeout(DEADLINE, question).await.unwrap_or(Err(PlatformError::NoAnswer))
}

/// Picks at the point of `request` by the tree.
pub async fn pick(dependencies: &UiaDependencies, settings: UiaSettings, request: PickRequest) -> TreeAnswer {
    dependencies.accessibility.block_roles(settings.blocked);
    let window = match within(dependencies.accessibility.window_at(request.cursor)).await {
        Ok(window) => window,
        Err(PlatformError::Gone) => return TreeAnswer::Refused(PickFailure::WindowGone),
        // Without a window the tree may still answer; it does its own search.
        Err(PlatformError::Unavailable(_) | PlatformError::NoAnswer | PlatformError::OutsideScreen) => None,
    };
    // The search for protected fields runs only if a picture is needed.
    let outcome = within(dependencies.accessibility.at_point(request.cursor, Rect::default())).await;
    report(&dependencies.capabilities, &outcome);
    match outcome {
        Ok(AtPoint::Element(element)) if settings.prefer_tree => TreeAnswer::Found(element),
        Ok(AtPoint::Element(element)) => match window {
            // If recognition is preferred, it is allowed only once protected fields are known.
            Some(window) => {
                searched(dependencies, settings, request, Some(window)).await.unwrap_or(TreeAnswer::Found(element))
            }
            None => TreeAnswer::Found(element),
        },
        Ok(AtPoint::Protected(field)) => TreeAnswer::Protected(field),
        Ok(AtPoint::NoText { window, .. }) => recognise(dependencies, settings, request, Some(window)).await,
        Ok(AtPoint::NoWindow) if settings.region.whole_screen => recognise(dependencies, settings, request, None).await,
        Ok(AtPoint::NoWindow) => TreeAnswer::Refused(PickFailure::NoWindow),
        // Without a tree, protected fields are unknown, but applications draw them as dots; only recognition is left.
        Err(PlatformError::Unavailable(_)) if window.is_some() => {
            recognise(dependencies, settings, request, window).await
        }
        Err(error) => TreeAnswer::Refused(failure(&error)),
    }
}

/// The rows of the table or list at the point of `request`. Never by recognition.
pub async fn rows(
    dependencies: &UiaDependencies,
    settings: UiaSettings,
    request: PickRequest,
    extent: RowsExtent,
) -> TreeAnswer {
    dependencies.accessibility.block_roles(settings.blocked);
    let outcome = within(dependencies.accessibility.rows_at(request.cursor, extent)).await;
    report(&dependencies.capabilities, &outcome);
    match outcome {
        Ok(AtPoint::Element(element)) => TreeAnswer::Found(element),
        Ok(AtPoint::Protected(field)) => TreeAnswer::Protected(field),
        Ok(AtPoint::NoText { .. }) => TreeAnswer::Refused(PickFailure::NoText),
        Ok(AtPoint::NoWindow) => TreeAnswer::Refused(PickFailure::NoWindow),
        Err(error) => TreeAnswer::Refused(failure(&error)),
    }
}

/// Refers the point to recognition, with the region that it may capture.
async fn recognise(
    dependencies: &UiaDependencies,
    settings: UiaSettings,
    request: PickRequest,
    window: Option<WindowInfo>,
) -> TreeAnswer {
    searched(dependencies, settings, request, window).await.unwrap_or_else(|error| TreeAnswer::Refused(failure(&error)))
}

async fn searched(
    dependencies: &UiaDependencies,
    settings: UiaSettings,
    request: PickRequest,
    window: Option<WindowInfo>,
) -> Result<TreeAnswer, PlatformError> {
    let (chosen, region) = region_of(dependencies, settings, request, window.as_ref()).await;
    let scope = if settings.region.whole_screen { CaptureScope::Screen } else { CaptureScope::Window };
    let searched = within(dependencies.accessibility.search(window.as_ref(), region, scope)).await?;
    Ok(TreeAnswer::NoText(SearchedRegion { chosen, ..searched }))
}

/// The region that recognition may read from (PIC-2), and the larger one in which its lines may continue (OCR-5).
async fn region_of(
    dependencies: &UiaDependencies,
    settings: UiaSettings,
    request: PickRequest,
    window: Option<&WindowInfo>,
) -> (Rect, Rect) {
    let monitors = dependencies.capture.ask(|capture| capture.monitors().unwrap_or_default()).await.unwrap_or_default();
    let bounds = window.map(|window| window.bounds);
    match monitor_at(&monitors, request.cursor).map(|monitor| monitor.bounds).or(bounds) {
        Some(monitor) => {
            let chosen = region::around(settings.region, request.cursor, monitor, bounds, request.enlarge);
            (chosen, region::with_whole_lines(settings.region, chosen, monitor, bounds))
        }
        None => {
            let here = Rect::new(request.cursor.x, request.cursor.y, 1, 1);
            (here, here)
        }
    }
}

/// Reports whether the tree is available. Errors of one application do not make the tree unavailable.
pub fn report<T>(capabilities: &Capabilities, outcome: &Result<T, PlatformError>) {
    let state = match outcome {
        Ok(_) | Err(PlatformError::NoAnswer | PlatformError::Gone | PlatformError::OutsideScreen) => {
            CapabilityState::Available
        }
        Err(PlatformError::Unavailable(why)) => CapabilityState::Unavailable(why.clone()),
    };
    capabilities.set(Capability::Accessibility, state);
}

/// What a platform error means for the person.
#[must_use]
pub const fn failure(error: &PlatformError) -> PickFailure {
    match error {
        PlatformError::Unavailable(_) => PickFailure::Unavailable,
        PlatformError::NoAnswer => PickFailure::NoAnswer,
        PlatformError::Gone => PickFailure::WindowGone,
        PlatformError::OutsideScreen => PickFailure::NoText,
    }
}
