//! One click or double click at a point.

use std::time::{Duration, Instant};

use luna_messages::input::{ClickRequest, InputRefusal, InputResult, MouseButton};
use x11rb::protocol::xproto::{BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, MOTION_NOTIFY_EVENT};

use super::SentCount;
use super::link::InputLink;
use super::settle::Settling;
use crate::accessibility::actions::ActBarrier;
use crate::x11::Failure;

/// How long a window manager may hold the click back.
const RELEASE_LIMIT: Duration = Duration::from_millis(500);
const RELEASE_INTERVAL: Duration = Duration::from_millis(1);

pub(super) fn click(
    link: &InputLink,
    request: &ClickRequest,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let settling = Settling::of(link, request.at.window)?;
    let before = match link.wait_until_free(barrier)? {
        Ok(state) => state.at,
        Err(refusal) => return Ok(InputResult::NotDone(refusal)),
    };
    let refusal = press_and_release(link, request, barrier, count);
    if let Ok(Some(
        refusal @ (InputRefusal::Gone | InputRefusal::Moved | InputRefusal::Grabbed | InputRefusal::Covered { .. }),
    )) = refusal
    {
        return Ok(InputResult::NotDone(refusal));
    }
    if count.sent > 0 {
        wait_for_release(link)?;
    }
    // Menus open where the pointer is when the application takes the click.
    let taken = if count.sent > 0 { settling.wait().map(|_| ()) } else { Ok(()) };
    if link.state()?.at == request.at.point {
        link.fake(MOTION_NOTIFY_EVENT, 0, before)?;
        link.sync()?;
    }
    taken?;
    Ok(refusal?.map_or(InputResult::Done, InputResult::NotDone))
}

/// Waits until the server has passed the click on: a window manager may hold it back first, to raise the window.
fn wait_for_release(link: &InputLink) -> Result<(), Failure> {
    let until = Instant::now() + RELEASE_LIMIT;
    while link.foreign(&link.state()?, 0) != 0 && Instant::now() < until {
        std::thread::sleep(RELEASE_INTERVAL);
    }
    Ok(())
}

/// Clicks while nobody else can change anything on the display, unless something is in the way.
fn press_and_release(
    link: &InputLink,
    request: &ClickRequest,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<Option<InputRefusal>, Failure> {
    let _grab = link.grab_server()?;
    if let Some(refusal) = link.obstacle(&request.at)? {
        return Ok(Some(refusal));
    }
    if link.is_pointer_taken(request.at.window)? {
        return Ok(Some(InputRefusal::Grabbed));
    }
    let at = request.at.point;
    link.fake(MOTION_NOTIFY_EVENT, 0, at)?;
    let state = link.state()?;
    if state.at != at {
        return Ok(Some(InputRefusal::Unreachable));
    }
    if link.foreign(&state, 0) != 0 {
        return Ok(Some(InputRefusal::Held));
    }
    if barrier.is_raised() {
        return Ok(Some(InputRefusal::Stopped));
    }
    let button = match request.button {
        MouseButton::Left => 1,
        MouseButton::Right => 3,
    };
    count.is_begun = true;
    for _ in 0..if request.is_double { 2 } else { 1 } {
        link.fake(BUTTON_PRESS_EVENT, button, at)?;
        link.fake(BUTTON_RELEASE_EVENT, button, at)?;
    }
    link.sync()?;
    count.sent = 1;
    Ok(None)
}
