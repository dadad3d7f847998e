//! One call, from its checked input to its result.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::tools::ToolFailure;
use luna_tools::ToolCall;
use luna_tools::call::ClickTarget;
use luna_tools::input::ReadMode;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{ToolEnvironment, acting, click, failures, looking, pictures};

/// Longest time for what only looks. A full screen is recognised in about a second on a quiet machine.
const LOOKS: Duration = Duration::from_secs(25);
/// Longest time for what acts: the question may be long, the person has 8 s to answer, and typing takes its time.
const ACTS: Duration = Duration::from_secs(90);

/// Carries out a call within its deadline.
pub async fn perform(environment: &ToolEnvironment, id: RequestId, call: ToolCall) -> Result<Value, ToolFailure> {
    let limit = match &call {
        ToolCall::Wait(input) => Duration::from_millis(input.ms.into()) + LOOKS,
        ToolCall::Echo { .. }
        | ToolCall::ScreenCapture { .. }
        | ToolCall::Ocr { .. }
        | ToolCall::ListWindows
        | ToolCall::NavigateTo { .. }
        | ToolCall::ReadScreen { .. } => LOOKS,
        ToolCall::Click { .. }
        | ToolCall::Type { .. }
        | ToolCall::KeyPress { .. }
        | ToolCall::Scroll(_)
        | ToolCall::LaunchApp { .. } => ACTS,
    };
    timeout(limit, carry_out(environment, id, call)).await.unwrap_or_else(|_| Err(failures::timed_out()))
}

async fn carry_out(environment: &ToolEnvironment, id: RequestId, call: ToolCall) -> Result<Value, ToolFailure> {
    match call {
        ToolCall::Echo { text } => Ok(json!({ "text": text })),
        ToolCall::Wait(input) => {
            sleep(Duration::from_millis(input.ms.into())).await;
            Ok(json!({ "waited_ms": input.ms }))
        }
        ToolCall::ListWindows => looking::windows(environment).await,
        ToolCall::ReadScreen { mode: ReadMode::Quick } => looking::read_screen(environment).await,
        ToolCall::ReadScreen { mode: ReadMode::Detailed } => {
            Err(failures::not_yet("Reading the screen in detail, for which Luna needs a vision model,"))
        }
        ToolCall::NavigateTo { .. } => Err(failures::not_yet("Navigation")),
        ToolCall::ScreenCapture { region } => pictures::capture(environment, region).await,
        ToolCall::Ocr { region } => pictures::recognise(environment, region).await,
        ToolCall::Click { target: ClickTarget::At(point), button, double } => {
            click::at(environment, id, point, click::Clicks { button, double }).await
        }
        ToolCall::Click { target: ClickTarget::Text(text), button, double } => {
            click::text(environment, id, &text, click::Clicks { button, double }).await
        }
        ToolCall::Type { text } => acting::type_text(environment, id, text).await,
        ToolCall::KeyPress { chord, times } => acting::press(environment, id, chord, times).await,
        ToolCall::Scroll(input) => acting::scroll(environment, id, input).await,
        ToolCall::LaunchApp { name } => acting::launch(environment, id, &name).await,
    }
}
