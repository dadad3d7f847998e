//! Asking the desktop itself: windows as a whole, volume, time, battery (DSL-6).

use std::time::Duration;

use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::desktop_order::{DesktopAnswer, DesktopOrder};
use luna_messages::executor::ExecutorMessage;
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::ActBarrier;
use luna_platform::desktop::DesktopControl;
use luna_platform::programs::Programs;
use tokio::time::{Instant, sleep};

use crate::ExecutorDependencies;

/// Asks once, unless a stop came, and posts the answer.
pub async fn ask(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    what: DesktopOrder,
    barrier: ActBarrier,
) {
    let answer = match what {
        DesktopOrder::Open { name } => Ok(open(&dependencies, name, barrier).await),
        what => dependencies.desktop.ask(move |desktop| answer(desktop, &what, &barrier)).await,
    };
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

/// How long a program may take to show a window, and the pause between two looks.
const WINDOW_COMES: Duration = Duration::from_secs(8);
const LOOKS: Duration = Duration::from_millis(100);

/// Starts the program of that name, if there is exactly one, and looks whether a window comes.
async fn open(
    dependencies: &ExecutorDependencies,
    name: String,
    barrier: ActBarrier,
) -> Result<DesktopAnswer, PlatformError> {
    let before = windows(dependencies).await;
    let found = dependencies.programs.ask(move |programs| programs.find(&name)).await;
    let mut found = found.map_err(|_| PlatformError::NoAnswer)??;
    let program = match (found.pop(), found.as_slice()) {
        (Some(only), []) => only,
        (last, _) => {
            let names = found.into_iter().chain(last).map(|program| program.name).collect();
            return Ok(DesktopAnswer::Programs(names));
        }
    };
    let name = program.name.clone();
    let launch = move |programs: &(dyn Programs + 'static)| {
        if barrier.is_raised() { Err(PlatformError::Gone) } else { programs.launch(&program) }
    };
    dependencies.programs.ask(launch).await.map_err(|_| PlatformError::NoAnswer)??;
    let until = Instant::now() + WINDOW_COMES;
    while Instant::now() < until {
        sleep(LOOKS).await;
        if windows(dependencies).await.iter().any(|handle| !before.contains(handle)) {
            return Ok(DesktopAnswer::Opened { name, seen: true });
        }
    }
    Ok(DesktopAnswer::Opened { name, seen: false })
}

async fn windows(dependencies: &ExecutorDependencies) -> Vec<u64> {
    let listed = dependencies.desktop.ask(|desktop| desktop.windows().unwrap_or_default()).await;
    listed.unwrap_or_default().into_iter().map(|window| window.handle).collect()
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
        // Programs are started elsewhere.
        DesktopOrder::Open { .. } => return Err(PlatformError::Gone),
        DesktopOrder::Arrange { window, how } => DesktopAnswer::Arranged { seen: desktop.arrange(*window, *how)? },
    })
}
