//! What the buttons and the wheel of the mouse do at a point: one click or double click, or some notches.

use std::time::{Duration, Instant};

use luna_messages::input::{ClickPoint, ClickRequest, InputRefusal, InputResult, MouseButton};
use x11rb::protocol::xproto::{BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, MOTION_NOTIFY_EVENT};

use super::SentCount;
use super::link::InputLink;
use super::settle::Settling;
use crate::accessibility::actions::ActBarrier;
use crate::x11::Failure;

/// How long a window manager may hold the click back.
const RELEASE_LIMIT: Duration = Duration::from_millis(500);
const RELEASE_INTERVAL: Duration = Duration::from_millis(1);

/// Buttons of the X protocol.
const LEFT: u8 = 1;
const RIGHT: u8 = 3;
const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;

/// A button and how often it is pressed.
#[derive(Clone, Copy)]
struct ButtonPresses {
    button: u8,
    times: u16,
}

pub(super) fn click(
    link: &InputLink,
    request: &ClickRequest,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let button = match request.button {
        MouseButton::Left => LEFT,
        MouseButton::Right => RIGHT,
    };
    let presses = ButtonPresses { button, times: if request.is_double { 2 } else { 1 } };
    press_at(link, &request.at, presses, barrier, count)
}

/// Each notch of the wheel is a press of a button of its own; `notches`: down if positive.
pub(super) fn scroll(
    link: &InputLink,
    at: &ClickPoint,
    notches: i16,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let button = if notches > 0 { WHEEL_DOWN } else { WHEEL_UP };
    press_at(link, at, ButtonPresses { button, times: notches.unsigned_abs() }, barrier, count)
}

/// Brings the pointer there, and leaves it.
pub(super) fn hover(
    link: &InputLink,
    at: &ClickPoint,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    if let Err(refusal) = link.wait_until_free(barrier)? {
        return Ok(InputResult::NotDone(refusal));
    }
    let presses = ButtonPresses { button: LEFT, times: 0 };
    let refusal = press_and_release(link, at, presses, barrier, count)?;
    Ok(refusal.map_or(InputResult::Done, InputResult::NotDone))
}

fn press_at(
    link: &InputLink,
    at: &ClickPoint,
    presses: ButtonPresses,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let settling = Settling::of(link, at.window)?;
    let before = match link.wait_until_free(barrier)? {
        Ok(state) => state.at,
        Err(refusal) => return Ok(InputResult::NotDone(refusal)),
    };
    let refusal = press_and_release(link, at, presses, barrier, count);
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
    if link.state()?.at == at.point {
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
    at: &ClickPoint,
    presses: ButtonPresses,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<Option<InputRefusal>, Failure> {
    let _grab = link.grab_server()?;
    if let Some(refusal) = link.obstacle(at)? {
        return Ok(Some(refusal));
    }
    if link.is_pointer_taken(at.window)? {
        return Ok(Some(InputRefusal::Grabbed));
    }
    let at = at.point;
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
    count.is_begun = true;
    for _ in 0..presses.times {
        link.fake(BUTTON_PRESS_EVENT, presses.button, at)?;
        link.fake(BUTTON_RELEASE_EVENT, presses.button, at)?;
    }
    link.sync()?;
    count.sent = 1;
    Ok(None)
}
