//! Why the portal takes no keys.

use atspi::zbus;

use crate::PlatformError;

/// Why the portal takes no keys, or no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PortalFailure {
    NoBus,
    /// No portal, or one without remote input.
    NoPortal,
    NoKeyboard,
    /// The person was asked, and did not answer yet.
    Pending,
    /// The person said no, in this run.
    Refused,
    /// The person did not answer in time.
    Unanswered,
    /// The desktop ended its question.
    QuestionEnded,
    /// The portal did not answer in time.
    Late,
    Malformed,
    /// The desktop or the person ended the session.
    Closed,
    /// The portal was gone before the call reached it.
    Gone,
    /// The portal, or the bus, went away: what it was asked for may have happened.
    Lost,
    /// The portal refused a call: what it was asked for did not happen.
    Rejected,
}

const X11: &str = "What the accessibility tree offers works all the same; for keys, log in to a session with X11 (often called \
                   Xorg on the login screen).";
const AGAIN: &str = "Say it again; if it stays so, log out and in again.";

impl PortalFailure {
    /// The failure of a call to the portal.
    pub(super) fn of_call(error: &zbus::Error) -> Self {
        let zbus::Error::MethodError(name, ..) = error else { return Self::Lost };
        match name.as_str() {
            "org.freedesktop.DBus.Error.ServiceUnknown" | "org.freedesktop.DBus.Error.NameHasNoOwner" => Self::Gone,
            // The bus answers in the place of a portal that ended before it answered.
            "org.freedesktop.DBus.Error.NoReply" | "org.freedesktop.DBus.Error.Disconnected" => Self::Lost,
            _ => Self::Rejected,
        }
    }

    /// Whether what the portal was asked for may have happened all the same.
    pub(super) const fn is_uncertain(self) -> bool {
        matches!(self, Self::Late | Self::Lost | Self::Malformed)
    }

    /// Whether the desktop has let go of all keys of the session, because that ended.
    pub(super) const fn has_released_keys(self) -> bool {
        matches!(self, Self::Closed | Self::Gone | Self::Lost)
    }

    const fn sentences(self) -> (&'static str, &'static str) {
        match self {
            Self::NoBus => (
                "The D-Bus session bus can't be reached, so that the desktop can't be asked to let Luna press keys.",
                "Start Luna inside a desktop session; DBUS_SESSION_BUS_ADDRESS names the bus.",
            ),
            Self::NoPortal => ("This desktop has no portal by which a program may press keys.", X11),
            Self::NoKeyboard => ("The portal of this desktop lets no program press keys.", X11),
            Self::Pending => (
                "The desktop has not allowed Luna to press keys yet; it may be asking you now.",
                "Answer the desktop's question, then say it again.",
            ),
            Self::Refused => (
                "You did not allow Luna to press keys in this session.",
                "To be asked again, restart Luna; luna doctor tells what works without.",
            ),
            Self::Unanswered => (
                "The desktop asked whether Luna may press keys, and got no answer.",
                "Say it again, and answer the desktop's question.",
            ),
            Self::QuestionEnded => ("The desktop ended its question whether Luna may press keys.", AGAIN),
            Self::Late => ("The portal of the desktop does not answer.", AGAIN),
            Self::Malformed => (
                "The portal of the desktop answers in a way that Luna does not understand.",
                "Update the desktop and Luna; until then, use a session with X11.",
            ),
            Self::Closed => (
                "The desktop took back that Luna may press keys.",
                "Say it again, and allow it, if Luna shall press keys.",
            ),
            Self::Gone | Self::Lost => ("The portal of the desktop went away.", AGAIN),
            Self::Rejected => ("The portal of the desktop refused to press a key for Luna.", AGAIN),
        }
    }
}

impl From<PortalFailure> for PlatformError {
    fn from(failure: PortalFailure) -> Self {
        let (reason, remedy) = failure.sentences();
        Self::unavailable(reason, remedy)
    }
}
