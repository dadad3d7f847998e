//! Why a call on the accessibility bus failed.

use atspi::zbus;

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum CallError {
    /// No answer within the deadline, or the query's allowance is used up.
    #[error("no answer in time")]
    Late,
    /// The connection or the application is gone.
    #[error("the connection is gone")]
    Lost,
    /// The answer is an error (the element is gone or lacks the method), or it can't be parsed.
    #[error("the call was refused")]
    Refused,
}

impl From<zbus::Error> for CallError {
    fn from(error: zbus::Error) -> Self {
        match error {
            zbus::Error::InputOutput(_) | zbus::Error::Handshake(_) => Self::Lost,
            zbus::Error::MethodError(name, _, _) => match name.as_str() {
                "org.freedesktop.DBus.Error.ServiceUnknown"
                | "org.freedesktop.DBus.Error.NameHasNoOwner"
                | "org.freedesktop.DBus.Error.NoReply"
                | "org.freedesktop.DBus.Error.Disconnected" => Self::Lost,
                _ => Self::Refused,
            },
            _ => Self::Refused,
        }
    }
}
