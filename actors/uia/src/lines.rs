//! Answers questions for the lines of a window, while a text is pinned (FOC-4).

use std::sync::Mutex;

use luna_messages::ocr::OcrMessage;
use luna_messages::pick::{CaptureScope, PickFailure, WindowInfo};
use luna_messages::uia::{LinesRequest, TextLine, WindowLines};
use luna_messages::{NoReply, Reply};
use luna_platform::PlatformError;
use tokio::time::Instant;

use crate::UiaDependencies;
use crate::answer::{failure, within};
use crate::snapshots::Snapshots;

/// Answers with lines of a window: from a fresh snapshot, from the tree, or by recognition.
pub async fn lines(
    dependencies: &UiaDependencies,
    snapshots: &Mutex<Snapshots>,
    request: LinesRequest,
    reply: Reply<Result<WindowLines, PickFailure>>,
) {
    dependencies.accessibility.block_roles((dependencies.settings)().blocked);
    let window = match window_of(dependencies, &request).await {
        Ok(window) => window,
        Err(failure) => return reply.answer(Err(failure)),
    };
    if request.recognised {
        let search = dependencies.accessibility.search(Some(&window), window.bounds, CaptureScope::Window);
        return match within(search).await {
            Ok(searched) => drop(dependencies.ocr.post(OcrMessage::Lines { searched, reply: whole(window, reply) })),
            Err(error) => reply.answer(Err(failure(&error))),
        };
    }
    let known = |snapshots: &Mutex<Snapshots>| snapshots.lock().ok()?.lines(window.handle, Instant::now());
    // A part is asked for because the snapshot of the whole lacks it.
    let known = if request.part.is_none() { known(snapshots) } else { None };
    if let Some((lines, is_complete)) = known {
        return reply.answer(Ok(WindowLines { window, lines, is_complete }));
    }
    let view = request.part.map_or(window.bounds, |part| part.intersection(window.bounds));
    let question = WindowInfo { bounds: view, ..window.clone() };
    let answer = within(dependencies.accessibility.window_lines(&question)).await;
    if request.part.is_none()
        && let (Ok(visible), Ok(mut snapshots)) = (&answer, snapshots.lock())
    {
        snapshots.remember(window.handle, visible.lines.clone(), visible.is_complete, Instant::now());
    }
    let answer = answer.map_err(|error| failure(&error));
    reply.answer(answer.map(|visible| WindowLines { window, lines: visible.lines, is_complete: visible.is_complete }));
}

/// The window whose lines are meant, where it is now. If it is known, another window at the point does not replace it.
async fn window_of(dependencies: &UiaDependencies, request: &LinesRequest) -> Result<WindowInfo, PickFailure> {
    let at_point = match within(dependencies.accessibility.window_at(request.cursor)).await {
        Ok(window) => window,
        // The window is known, and the application may still answer.
        Err(PlatformError::NoAnswer) if request.window.is_some() => None,
        Err(error) => return Err(failure(&error)),
    };
    match (&request.window, at_point) {
        (None, None) => Err(PickFailure::NoWindow),
        (None, Some(window)) => Ok(window),
        (Some(known), Some(window)) if known.handle == window.handle => Ok(window),
        // Its picture shows what covers it, or what is behind it.
        (Some(_), _) if request.recognised => Err(PickFailure::Changed),
        (Some(known), _) => Ok(known.clone()),
    }
}

/// A reply to recognition, which reads all of the picture.
fn whole(
    window: WindowInfo,
    reply: Reply<Result<WindowLines, PickFailure>>,
) -> Reply<Result<Vec<TextLine>, PickFailure>> {
    Reply::new(move |answer: Result<Result<Vec<TextLine>, PickFailure>, NoReply>| match answer {
        Ok(lines) => reply.answer(lines.map(|lines| WindowLines { window, lines, is_complete: true })),
        Err(NoReply::Crashed) => drop(reply),
    })
}
