//! Tools that programs and models call, and what came of a call (TOOL-1).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Lane, Message, Reply, RequestId};

/// One of the twelve tools (TOOL-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the table of tools describes them")]
pub enum ToolKind {
    Echo,
    ScreenCapture,
    Ocr,
    Click,
    Type,
    KeyPress,
    Scroll,
    Wait,
    LaunchApp,
    ListWindows,
    NavigateTo,
    ReadScreen,
}

impl ToolKind {
    pub const ALL: [Self; 12] = [
        Self::Echo,
        Self::ScreenCapture,
        Self::Ocr,
        Self::Click,
        Self::Type,
        Self::KeyPress,
        Self::Scroll,
        Self::Wait,
        Self::LaunchApp,
        Self::ListWindows,
        Self::NavigateTo,
        Self::ReadScreen,
    ];

    /// Its name in calls.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::ScreenCapture => "screen_capture",
            Self::Ocr => "ocr",
            Self::Click => "click",
            Self::Type => "type",
            Self::KeyPress => "key_press",
            Self::Scroll => "scroll",
            Self::Wait => "wait",
            Self::LaunchApp => "launch_app",
            Self::ListWindows => "list_windows",
            Self::NavigateTo => "navigate_to",
            Self::ReadScreen => "read_screen",
        }
    }

    /// The tool with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

/// A call as it came from a program. Its debug output shows no argument: a secret may be among them (PRV-2).
#[derive(Clone, PartialEq)]
pub struct ToolRequest {
    /// Given when it came: a later stop ends it (KER-11).
    pub id: RequestId,
    /// The name that was called.
    pub tool: String,
    pub arguments: Value,
}

impl fmt::Debug for ToolRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRequest").field("id", &self.id).field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// Why a call failed, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolFailureKind {
    /// No tool has this name.
    UnknownTool,
    InvalidInput,
    /// The person did not allow it.
    NotAllowed,
    /// Luna asks or does something else now; the same call may succeed later.
    Busy,
    /// The person stopped Luna.
    Stopped,
    /// It took too long.
    TimedOut,
    /// What was meant is not there.
    NotFound,
    /// The screen is not what it was when the person was asked.
    Changed,
    /// Something else lies above it.
    Covered,
    /// This machine can't do it, or not yet.
    NotAvailable,
    /// It may have been done in part.
    Partly,
    Failed,
}

impl ToolFailureKind {
    pub const ALL: [Self; 12] = [
        Self::UnknownTool,
        Self::InvalidInput,
        Self::NotAllowed,
        Self::Busy,
        Self::Stopped,
        Self::TimedOut,
        Self::NotFound,
        Self::Changed,
        Self::Covered,
        Self::NotAvailable,
        Self::Partly,
        Self::Failed,
    ];

    /// The serialised name, such as `not_allowed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidInput => "invalid_input",
            Self::NotAllowed => "not_allowed",
            Self::Busy => "busy",
            Self::Stopped => "stopped",
            Self::TimedOut => "timed_out",
            Self::NotFound => "not_found",
            Self::Changed => "changed",
            Self::Covered => "covered",
            Self::NotAvailable => "not_available",
            Self::Partly => "partly",
            Self::Failed => "failed",
        }
    }
}

/// Why a call failed, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ToolFailure {
    pub kind: ToolFailureKind,
    /// One or two sentences for people and models.
    pub message: String,
}

impl ToolFailure {
    #[must_use]
    pub fn new(kind: ToolFailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// What came of a call. Its data may be screen content: the debug output leaves them out (PRV-2).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolReport {
    pub success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolFailure>,
    /// From the call to its end, in milliseconds.
    pub ms: f64,
}

impl ToolReport {
    /// What a tool answered, `ms` milliseconds after it was called.
    #[must_use]
    pub fn of(answer: Result<Value, ToolFailure>, ms: f64) -> Self {
        let success = answer.is_ok();
        let (data, error) = match answer {
            Ok(data) => (Some(data), None),
            Err(failure) => (None, Some(failure)),
        };
        Self { success, data, error, ms }
    }
}

impl fmt::Debug for ToolReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.error.as_ref().map(|error| error.kind);
        f.debug_struct("ToolReport").field("success", &self.success).field("error", &error).finish_non_exhaustive()
    }
}

/// Messages of the Tools actor.
#[derive(Debug, Message)]
pub enum ToolsMessage {
    /// A program calls a tool.
    #[message(lane = Lane::Ocr)]
    Call { request: ToolRequest, reply: Reply<ToolReport> },
    /// Whoever called is gone.
    #[message(lane = Lane::Uia)]
    Cancel { id: RequestId },
    /// Ends what was called before, and never a later call.
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Stop { at: RequestId },
    /// Call `id` ended by itself. In a lane of its own, so that a flood of calls that are cancelled at once can't crowd it out.
    #[message(lane = Lane::Tts)]
    Ended { id: RequestId, answer: Result<Value, ToolFailure> },
    /// Wipes what is known of the screen once it is too old (PRV-1).
    #[message(lane = Lane::Uia, coalesce)]
    Tick,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // TOOL-1
    #[test]
    fn tools_and_failures_are_named_as_they_are_written_tool_1() {
        for tool in ToolKind::ALL {
            assert_eq!(serde_json::to_value(tool).unwrap(), tool.name());
            assert_eq!(ToolKind::named(tool.name()), Some(tool));
        }
        for kind in ToolFailureKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }

    // TOOL-1
    #[test]
    fn a_report_holds_data_or_an_error_tool_1() {
        let data = ToolReport::of(Ok(Value::from(7)), 1.5);
        assert_eq!(serde_json::to_string(&data).unwrap(), r#"{"success":true,"data":7,"ms":1.5}"#);
        let failed = ToolReport::of(Err(ToolFailure::new(ToolFailureKind::Covered, "No.")), 2.0);
        let written = serde_json::to_string(&failed).unwrap();
        assert_eq!(written, r#"{"success":false,"error":{"kind":"covered","message":"No."},"ms":2.0}"#);
    }

    // PRV-2
    #[test]
    fn arguments_and_results_are_not_in_the_debug_output_prv_2() {
        let request =
            ToolRequest { id: RequestId(1), tool: "type".to_owned(), arguments: serde_json::json!({"text": "비밀"}) };
        let report = ToolReport::of(Ok(Value::from("비밀")), 1.0);
        assert!(!format!("{request:?}{report:?}").contains("비밀"));
    }
}
