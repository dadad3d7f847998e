//! What errors of the machine mean for whoever called.

use luna_actor_runtime::blocking::NoAnswer;
use luna_messages::executor::PermissionAnswer;
use luna_messages::input::{InputRefusal, InputResult};
use luna_messages::pick::PickFailure;
use luna_messages::tools::{ToolFailure, ToolFailureKind};
use luna_platform::PlatformError;

const LOOK: &str = "Look at the screen before you try again: a part may have been done.";

pub fn stopped() -> ToolFailure {
    ToolFailure::new(ToolFailureKind::Stopped, format!("The person stopped Luna. {LOOK}"))
}

pub fn changed() -> ToolFailure {
    let message = "The screen is not what it was when the person was asked, so nothing was done. Look again.";
    ToolFailure::new(ToolFailureKind::Changed, message)
}

pub fn no_window() -> ToolFailure {
    ToolFailure::new(ToolFailureKind::NotFound, "No window is active; open one, or name a region.")
}

pub fn not_yet(what: &str) -> ToolFailure {
    let message = format!("{what} is not available yet in this version of Luna.");
    ToolFailure::new(ToolFailureKind::NotAvailable, message)
}

pub fn timed_out() -> ToolFailure {
    ToolFailure::new(ToolFailureKind::TimedOut, format!("It took too long and was given up. {LOOK}"))
}

/// The component that was asked ended, or takes nothing more.
pub fn lost() -> ToolFailure {
    ToolFailure::new(ToolFailureKind::Failed, "A component of Luna ended before it could answer; try again.")
}

pub fn of_machine(error: PlatformError) -> ToolFailure {
    match error {
        PlatformError::Unavailable(why) => {
            ToolFailure::new(ToolFailureKind::NotAvailable, format!("{} {}", why.reason, why.remedy))
        }
        PlatformError::NoAnswer => {
            ToolFailure::new(ToolFailureKind::TimedOut, "The program on the screen does not answer; try again later.")
        }
        PlatformError::Gone => ToolFailure::new(ToolFailureKind::NotFound, "It is not there any more; look again."),
        PlatformError::OutsideScreen => {
            ToolFailure::new(ToolFailureKind::NotFound, "The region lies outside of all screens; name another one.")
        }
    }
}

/// The machine itself does not answer: what was asked for may come yet.
pub fn of_silence(silence: NoAnswer) -> ToolFailure {
    ToolFailure::new(ToolFailureKind::Partly, format!("This machine does not answer: {silence}. {LOOK}"))
}

pub fn of_pick(failure: PickFailure) -> ToolFailure {
    let kind = match failure {
        PickFailure::NoText | PickFailure::NoWindow | PickFailure::WindowGone => ToolFailureKind::NotFound,
        PickFailure::Changed => ToolFailureKind::Changed,
        PickFailure::NoAnswer => ToolFailureKind::TimedOut,
        PickFailure::Unavailable => ToolFailureKind::NotAvailable,
        PickFailure::Protected | PickFailure::Failed => ToolFailureKind::Failed,
    };
    ToolFailure::new(kind, format!("It did not work: {failure}; luna doctor tells more."))
}

/// Why the person did not allow it; `None` if it is allowed.
pub fn of_permission(answer: PermissionAnswer) -> Option<ToolFailure> {
    match answer {
        PermissionAnswer::Granted => None,
        PermissionAnswer::Refused => {
            let message = "The person did not allow it. Do not ask again unless the person wants it.";
            Some(ToolFailure::new(ToolFailureKind::NotAllowed, message))
        }
        PermissionAnswer::Busy => {
            let message = "Luna could not ask the person, because it asks or does something else; try again later.";
            Some(ToolFailure::new(ToolFailureKind::Busy, message))
        }
    }
}

/// What came of input; `Ok` only if all of it was sent.
pub fn of_input(result: InputResult) -> Result<(), ToolFailure> {
    let refusal = match result {
        InputResult::Done => return Ok(()),
        InputResult::Partly { .. } => {
            return Err(ToolFailure::new(ToolFailureKind::Partly, format!("Only a part was sent. {LOOK}")));
        }
        InputResult::NotDone(refusal) => refusal,
    };
    let (kind, message) = match refusal {
        InputRefusal::Stopped => return Err(stopped()),
        InputRefusal::Gone | InputRefusal::Moved | InputRefusal::NotFocused { .. } => return Err(changed()),
        InputRefusal::Covered { .. } => {
            (ToolFailureKind::Covered, "Another window lies above that place, so nothing was clicked.")
        }
        InputRefusal::Grabbed => {
            (ToolFailureKind::Failed, "A menu or a locked screen has the keys, so nothing was sent.")
        }
        InputRefusal::Unreachable => (ToolFailureKind::NotFound, "The pointer can't be brought there."),
        InputRefusal::Held => (ToolFailureKind::Busy, "The person holds a key or a button; try again later."),
        InputRefusal::NoSuchKey => (ToolFailureKind::InvalidInput, "This keyboard has no such key."),
        InputRefusal::NotTypeable { .. } => {
            (ToolFailureKind::InvalidInput, "The text has a character that can't be typed; leave it out.")
        }
    };
    Err(ToolFailure::new(kind, message))
}
