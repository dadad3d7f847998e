//! Shows and hides, on the thread of the display.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luna_actor_runtime::actor::ActorContext;
use luna_actor_runtime::blocking::NoAnswer;
use luna_actor_runtime::inbox::Inbox;
use luna_messages::overlay::OverlayMessage;
use luna_overlay::image::image;
use luna_overlay::scene::{OverlayScene, SceneMonitor};
use luna_platform::PlatformError;
use luna_platform::capture::Monitor;
use luna_platform::overlay::OverlayMonitor;

use crate::OverlayDependencies;
use crate::letters::ChipLetters;

/// Tells once in the log that nothing can be shown, and once that it can again. Clones share it.
#[derive(Clone, Default)]
pub struct ShowLog(Arc<AtomicBool>);

impl ShowLog {
    fn note(&self, outcome: Result<Result<(), PlatformError>, NoAnswer>) {
        let error = match outcome {
            Ok(Ok(())) => {
                if self.0.swap(false, Ordering::Relaxed) {
                    tracing::info!("What is read can be shown on the screen again.");
                }
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        if !self.0.swap(true, Ordering::Relaxed) {
            tracing::warn!(error, "What is read can't be shown on the screen.");
        }
    }
}

/// Draws the scene on the monitors as they are now, and shows it.
pub async fn show(dependencies: OverlayDependencies, scene: OverlayScene, letters: ChipLetters, log: ShowLog) {
    let monitors = match monitors(&dependencies).await {
        Ok(Ok(monitors)) => monitors,
        Ok(Err(error)) => return log.note(Ok(Err(error))),
        Err(error) => return log.note(Err(error)),
    };
    let look = (dependencies.settings)().look;
    let font = letters.get(look.lang);
    let shown = dependencies
        .overlay
        .ask(move |overlay| overlay.show(image(&scene, &monitors, &look, font.as_deref())).map(|_| ()));
    log.note(shown.await);
}

/// The monitors, in the units in which the overlay places pictures.
async fn monitors(dependencies: &OverlayDependencies) -> Result<Result<Vec<SceneMonitor>, PlatformError>, NoAnswer> {
    let logical = match dependencies.overlay.ask(|overlay| overlay.monitors()).await? {
        Ok(logical) => logical,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(logical) = logical {
        let monitor = |one: OverlayMonitor| SceneMonitor { bounds: one.bounds, scale: 1.0, density: one.density };
        return Ok(Ok(logical.into_iter().map(monitor).collect()));
    }
    let monitor = |one: Monitor| SceneMonitor { bounds: one.bounds, scale: one.scale, density: 1 };
    let physical = dependencies.screen.ask(|screen| screen.monitors()).await?;
    Ok(physical.map(|monitors| monitors.into_iter().map(monitor).collect()))
}

pub async fn hide(dependencies: OverlayDependencies, log: ShowLog) {
    log.note(dependencies.overlay.ask(|overlay| overlay.hide()).await);
}

/// Posts what happens at the marks.
pub fn observe(
    dependencies: OverlayDependencies,
    inbox: Inbox<OverlayMessage>,
    context: &ActorContext<OverlayMessage>,
) {
    let work = async move {
        let changed = Box::new(move |change| drop(inbox.post(OverlayMessage::Changed(change))));
        if let Err(error) = dependencies.overlay.ask(move |overlay| overlay.observe(changed)).await {
            tracing::warn!(%error, "Marks on the screen will not follow what they mark.");
        }
    };
    context.spawn(work).detach();
}
