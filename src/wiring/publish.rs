//! Publishes what actors tell, for other programs, and tells it to the actors that have to know it.

use std::sync::Arc;

use luna_messages::bus::BusEvent;
use luna_messages::control::FocusStateKind;
use luna_messages::listening::{ListeningMessage, Questioner};
use luna_messages::overlay::{HighlightedText, OverlayMessage};
use luna_overlay::machine::text_hash;

use super::Wiring;

impl Wiring {
    /// Publishes events for other programs.
    pub(super) fn publish(&self) -> Arc<dyn Fn(BusEvent) + Send + Sync> {
        let (bus, situation) = (self.bus.clone(), self.situation.clone());
        Arc::new(move |event| {
            situation.note(&event);
            bus.publish(event);
        })
    }

    /// Publishes events for other programs, and has the Overlay actor show what they tell (OVL).
    pub(super) fn publish_and_show(&self) -> Arc<dyn Fn(BusEvent) + Send + Sync> {
        let (publish, overlay) = (self.publish(), self.overlay.clone());
        Arc::new(move |event| {
            if let Some(message) = shown(&event) {
                // A full mailbox: the mark is missing or old for a moment, which the next event corrects.
                drop(overlay.post(message));
            }
            publish(event);
        })
    }

    /// As [`Self::publish`]; what is read is shown, and Listening learns whether focus mode waits for a command, which needs no wake word then (VOI-1).
    pub(super) fn publish_focus(&self) -> Arc<dyn Fn(BusEvent) + Send + Sync> {
        let (publish, listening) = (self.publish_and_show(), self.listening.clone());
        Arc::new(move |event| {
            if let BusEvent::FocusState { state } = &event {
                let asking = state == FocusStateKind::WaitCmd.name();
                drop(listening.post(ListeningMessage::Asking { who: Questioner::Focus, asking }));
            }
            publish(event);
        })
    }
}

/// What is shown of an event of Focus or Executor.
fn shown(event: &BusEvent) -> Option<OverlayMessage> {
    match event {
        BusEvent::FocusState { state } => Some(OverlayMessage::FocusMode { on: state != FocusStateKind::Idle.name() }),
        BusEvent::IntentResult { intent, .. } => Some(OverlayMessage::Mode(*intent)),
        BusEvent::PickResult { method, bbox, text, is_table, .. } => Some(OverlayMessage::Picked(HighlightedText {
            bbox: *bbox,
            method: *method,
            text_hash: text_hash(text),
            is_table: *is_table,
        })),
        BusEvent::Highlight { bbox, pinned } => Some(OverlayMessage::Highlight { bbox: *bbox, pinned: *pinned }),
        BusEvent::ExecutorQuestion { options, .. } => Some(OverlayMessage::Question { options: options.clone() }),
        BusEvent::ExecutorQuestionClosed {} => Some(OverlayMessage::Question { options: Vec::new() }),
        BusEvent::FocusModeToggle { .. }
        | BusEvent::PickRequest { .. }
        | BusEvent::PickFailed { .. }
        | BusEvent::IntentRequest { .. }
        | BusEvent::ReadRequest { .. }
        | BusEvent::TtsStart { .. }
        | BusEvent::TtsProgress { .. }
        | BusEvent::TtsStop { .. }
        | BusEvent::TtsRate { .. }
        | BusEvent::SttMode { .. }
        | BusEvent::SttOnset {}
        | BusEvent::SttPartial { .. }
        | BusEvent::SttFinal { .. }
        | BusEvent::SttUnderstood { .. }
        | BusEvent::Ducked {}
        | BusEvent::Cut {}
        | BusEvent::DuckEnded { .. }
        | BusEvent::BargeIn { .. }
        | BusEvent::ExecutorReport { .. }
        | BusEvent::CapabilityChanged { .. }
        | BusEvent::ActorRestarted { .. } => None,
    }
}
