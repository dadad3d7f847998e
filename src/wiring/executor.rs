//! What the Executor actor is handed.

use std::sync::Arc;

use luna_actor_executor::{ActionsByTreeOrText, ExecutorDependencies};

use super::Wiring;
use crate::settings;

impl Wiring {
    /// Dependencies of the Executor actor.
    #[must_use]
    pub fn executor_dependencies(&self) -> ExecutorDependencies {
        let rules = self.understanding.clone();
        ExecutorDependencies {
            actions: Arc::new(ActionsByTreeOrText::new(
                self.system.actions.clone(),
                self.system.accessibility.clone(),
                self.ocr.clone(),
            )),
            input: self.blocking.input.clone(),
            desktop: self.blocking.desktop.clone(),
            programs: self.blocking.programs.clone(),
            screen: self.blocking.screen.clone(),
            keys: self.blocking.keys.clone(),
            stops: self.stops.clone(),
            rules: Arc::new(move || rules.command_rules()),
            tts: self.tts.clone(),
            reflex: self.reflex.clone(),
            focus: self.focus.clone(),
            listening: self.listening.clone(),
            language_tasks: self.language_tasks.clone(),
            publish: self.publish_and_show(),
            settings: self.settings(settings::executor_settings),
        }
    }
}
