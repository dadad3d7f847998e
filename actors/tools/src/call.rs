//! One call, from its checked input to its result.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::tools::ToolFailure;
use luna_tools::CheckedCall;
use luna_tools::call::ClickTarget;
use luna_tools::input::ReadMode;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{ToolEnvironment, click, failures, launch, looking, pictures, typing};

/// Longest time for what only looks. A full screen is recognised in about a second on a quiet machine.
const LOOKS: Duration = Duration::from_secs(25);
/// Longest time for what acts: the question may be long, the person has 8 s to answer, and typing takes its time.
const ACTS: Duration = Duration::from_secs(90);

/// Carries out a call within its deadline.
pub async fn perform(environment: &ToolEnvironment, id: RequestId, call: CheckedCall) -> Result<Value, ToolFailure> {
    let limit = match &call {
        CheckedCall::Wait(input) => Duration::from_millis(input.ms.into()) + LOOKS,
        CheckedCall::Echo { .. }
        | CheckedCall::ScreenCapture { .. }
        | CheckedCall::Ocr { .. }
        | CheckedCall::ListWindows
        | CheckedCall::NavigateTo { .. }
        | CheckedCall::ReadScreen { .. } => LOOKS,
        CheckedCall::Click { .. }
        | CheckedCall::Type { .. }
        | CheckedCall::KeyPress { .. }
        | CheckedCall::Scroll(_)
        | CheckedCall::LaunchApp { .. } => ACTS,
    };
    timeout(limit, carry_out(environment, id, call)).await.unwrap_or_else(|_| Err(failures::timed_out()))
}

async fn carry_out(environment: &ToolEnvironment, id: RequestId, call: CheckedCall) -> Result<Value, ToolFailure> {
    match call {
        CheckedCall::Echo { text } => Ok(json!({ "text": text })),
        CheckedCall::Wait(input) => {
            sleep(Duration::from_millis(input.ms.into())).await;
            Ok(json!({ "waited_ms": input.ms }))
        }
        CheckedCall::ListWindows => looking::windows(environment).await,
        CheckedCall::ReadScreen { mode: ReadMode::Quick } => looking::read_screen(environment).await,
        CheckedCall::ReadScreen { mode: ReadMode::Detailed } => {
            Err(failures::not_yet("Reading the screen in detail, for which Luna needs a vision model,"))
        }
        CheckedCall::NavigateTo { .. } => Err(failures::not_yet("Navigation")),
        CheckedCall::ScreenCapture { region } => pictures::capture(environment, region).await,
        CheckedCall::Ocr { region } => pictures::recognise(environment, region).await,
        CheckedCall::Click { target: ClickTarget::At(point), button, double } => {
            click::at(environment, id, point, click::Clicks { button, double }).await
        }
        CheckedCall::Click { target: ClickTarget::Text(text), button, double } => {
            click::text(environment, id, &text, click::Clicks { button, double }).await
        }
        CheckedCall::Type { text } => typing::type_text(environment, id, text).await,
        CheckedCall::KeyPress { chord, times } => typing::press(environment, id, chord, times).await,
        CheckedCall::Scroll(input) => typing::scroll(environment, id, input).await,
        CheckedCall::LaunchApp { name } => launch::start(environment, id, &name).await,
    }
}
