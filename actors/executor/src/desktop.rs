//! Asking the desktop itself: windows as a whole, volume, time, battery (DSL-6).

use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::desktop_order::{DesktopAnswer, DesktopOrder};
use luna_messages::executor::ExecutorMessage;
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::ActBarrier;
use luna_platform::desktop::DesktopControl;

use crate::ExecutorDependencies;

/// Asks once, unless a stop came, and posts the answer.
pub async fn ask(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    what: DesktopOrder,
    barrier: ActBarrier,
) {
    let answer = dependencies.desktop.ask(move |desktop| answer(desktop, &what, &barrier)).await;
    let answer = match answer {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(error)) => {
            tracing::warn!(%error, "The desktop could not be asked.");
            None
        }
        Err(_) => None,
    };
    drop(inbox.post(ExecutorMessage::Desktop { id, answer }));
}

fn answer(
    desktop: &dyn DesktopControl,
    what: &DesktopOrder,
    barrier: &ActBarrier,
) -> Result<DesktopAnswer, PlatformError> {
    if barrier.is_raised() {
        return Err(PlatformError::Gone);
    }
    Ok(match what {
        DesktopOrder::Time => DesktopAnswer::Time(desktop.local_time()),
        DesktopOrder::Battery => DesktopAnswer::Battery(desktop.battery()?),
        DesktopOrder::Volume(change) => DesktopAnswer::Volume(desktop.change_volume(*change)?),
        DesktopOrder::Windows => DesktopAnswer::Windows(desktop.windows()?),
        DesktopOrder::Arrange { window, how } => DesktopAnswer::Arranged { seen: desktop.arrange(*window, *how)? },
    })
}
