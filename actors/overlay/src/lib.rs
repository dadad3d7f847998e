//! The Overlay actor: shows what Luna reads and asks about (OVL).
//!
//! **Receives** [`OverlayMessage`]: what Focus, Executor and Listening publish, what happens at the marked places, answers to its own queries.
//! **Sends** nothing to other actors.
//!
//! **Never** decides: [`OverlayMachine`] does. **Never** waits in a handler: pictures are drawn on the thread that shows them. **Never** keeps a text of
//! the screen (PRV-1). What it can't show, nothing else of Luna depends on.

#![forbid(unsafe_code)]

mod letters;
mod queries;
mod show;

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::Task;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_messages::overlay::OverlayMessage;
use luna_overlay::machine::{OverlayEffect, OverlayEvent, OverlayMachine, OverlaySettings};
use luna_overlay::scene::OverlayLook;
use luna_platform::accessibility::Accessibility;
use luna_platform::accessibility::actions::ElementActions;
use luna_platform::capture::Capture;
use luna_platform::fonts::Fonts;
use luna_platform::overlay::ScreenOverlay;
use tokio::time::Instant;

use crate::letters::ChipLetters;
use crate::show::ShowLog;

/// Settings of the Overlay actor.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlayActorSettings {
    pub shown: OverlaySettings,
    pub look: OverlayLook,
}

/// Dependencies of the Overlay actor. Clones share them, one for each incarnation.
#[derive(Clone)]
pub struct OverlayDependencies {
    pub overlay: BlockingService<dyn ScreenOverlay>,
    /// Tells the monitors.
    pub screen: BlockingService<dyn Capture>,
    /// The letters of the chip.
    pub fonts: BlockingService<dyn Fonts>,
    /// Tells what lies at a marked place now.
    pub accessibility: Arc<dyn Accessibility>,
    /// Tells where the options of a question are.
    pub actions: Arc<dyn ElementActions>,
    /// Returns the current settings; called before each event (CFG-4).
    pub settings: Arc<dyn Fn() -> OverlayActorSettings + Send + Sync>,
}

/// Passes messages to the machine, and performs its effects.
pub struct OverlayActor {
    dependencies: OverlayDependencies,
    machine: OverlayMachine,
    /// The beginning of the machine's time.
    base: Instant,
    letters: ChipLetters,
    log: ShowLog,
    /// What is being shown or hidden; a newer one replaces it.
    showing: Option<Task>,
    /// The query under way; a newer one replaces it.
    asking: Option<Task>,
    timer: Option<Task>,
}

impl OverlayActor {
    /// Nothing is shown.
    #[must_use]
    pub fn new(dependencies: OverlayDependencies) -> Self {
        Self {
            machine: OverlayMachine::new((dependencies.settings)().shown),
            dependencies,
            base: Instant::now(),
            letters: ChipLetters::default(),
            log: ShowLog::default(),
            showing: None,
            asking: None,
            timer: None,
        }
    }

    fn step(&mut self, event: OverlayEvent, context: &ActorContext<OverlayMessage>) {
        self.machine.set_settings((self.dependencies.settings)().shown);
        for effect in self.machine.step(event, self.base.elapsed()) {
            self.perform(effect, context);
        }
    }

    fn perform(&mut self, effect: OverlayEffect, context: &ActorContext<OverlayMessage>) {
        let dependencies = self.dependencies.clone();
        match effect {
            OverlayEffect::Show(scene) => {
                let (letters, log) = (self.letters.clone(), self.log.clone());
                self.showing = Some(context.spawn(show::show(dependencies, scene, letters, log)));
            }
            OverlayEffect::Hide => self.showing = Some(context.spawn(show::hide(dependencies, self.log.clone()))),
            OverlayEffect::Locate { query, elements } => {
                let work = queries::locate(dependencies, context.inbox().clone(), query, elements);
                self.asking = Some(context.spawn(work));
            }
            OverlayEffect::Check { query, at } => {
                self.asking = Some(context.spawn(queries::check(dependencies, context.inbox().clone(), query, at)));
            }
            OverlayEffect::Compare { query, part } => {
                let work = queries::compare(dependencies, context.inbox().clone(), query, part);
                self.asking = Some(context.spawn(work));
            }
            OverlayEffect::StartTimer { generation, after } => {
                self.timer = Some(context.send_after(after, OverlayMessage::Timer { generation }));
            }
        }
    }

    /// Gets the letters of the chip, if they are of another language.
    fn prepare_letters(&self, context: &ActorContext<OverlayMessage>) {
        let settings = (self.dependencies.settings)();
        if settings.shown.enabled {
            let work = self.letters.clone().load(self.dependencies.fonts.clone(), settings.look.lang);
            let inbox = context.inbox().clone();
            let redraw = async move {
                if work.await {
                    drop(inbox.post(OverlayMessage::Redraw));
                }
            };
            context.spawn(redraw).detach();
        }
    }
}

#[async_trait]
impl Actor for OverlayActor {
    type Message = OverlayMessage;
    const NAME: &'static str = "overlay";

    async fn started(&mut self, context: &ActorContext<OverlayMessage>) -> Result<(), ActorError> {
        let inbox = context.inbox().clone();
        show::observe(self.dependencies.clone(), inbox, context);
        // What an incarnation before showed may be wrong by now.
        self.perform(OverlayEffect::Hide, context);
        self.prepare_letters(context);
        Ok(())
    }

    async fn handle(
        &mut self,
        message: OverlayMessage,
        context: &ActorContext<OverlayMessage>,
    ) -> Result<(), ActorError> {
        let event = match message {
            OverlayMessage::FocusMode { on } => OverlayEvent::FocusMode { on },
            OverlayMessage::Mode(mode) => OverlayEvent::Mode(mode),
            OverlayMessage::Picked(text) => OverlayEvent::Picked(text),
            OverlayMessage::Highlight { bbox, pinned } => OverlayEvent::Highlight { bbox, pinned },
            OverlayMessage::Question { options } => OverlayEvent::Question { options },
            OverlayMessage::Listening { on } => OverlayEvent::Listening { on },
            OverlayMessage::Changed(change) => OverlayEvent::Changed(change),
            OverlayMessage::Located { query, boxes } => OverlayEvent::Located { query, boxes },
            OverlayMessage::Checked { query, found } => OverlayEvent::Checked { query, found },
            OverlayMessage::Compared { query, pixels } => OverlayEvent::Compared { query, pixels },
            OverlayMessage::Timer { generation } => OverlayEvent::Timer { generation },
            OverlayMessage::Redraw => OverlayEvent::Redraw,
            OverlayMessage::CheckSettings => {
                self.prepare_letters(context);
                OverlayEvent::Redraw
            }
        };
        self.step(event, context);
        Ok(())
    }
}
