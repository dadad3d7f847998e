//! What the Tools actor is handed, and how a stop reaches it.

use std::sync::Arc;

use luna_actor_tools::ToolsDependencies;
use luna_messages::RequestId;
use luna_messages::tools::ToolsMessage;

use super::Wiring;
use crate::settings;

impl Wiring {
    /// Dependencies of the Tools actor.
    #[must_use]
    pub fn tools_dependencies(&self) -> ToolsDependencies {
        ToolsDependencies {
            accessibility: self.system.accessibility.clone(),
            actions: self.system.actions.clone(),
            input: self.blocking.input.clone(),
            programs: self.blocking.programs.clone(),
            ocr: self.ocr.clone(),
            executor: self.executor.clone(),
            stops: self.stops.clone(),
            shadow: settings::shadow_settings(&self.live.get()),
        }
    }

    /// Ends what was ordered or called before a stop: the barriers of actions at once, calls of tools as soon as their actor takes it (KER-11).
    pub(super) fn end_orders(&self) -> Arc<dyn Fn(RequestId) + Send + Sync> {
        let (stops, tools) = (self.stops.clone(), self.tools.clone());
        Arc::new(move |at| {
            stops.stop(at);
            drop(tools.post(ToolsMessage::Stop { at }));
        })
    }
}
