//! The Reflex actor: short commands that are obeyed at once (BRG-1, BRG-7).
//!
//! **Hears** [`ReflexMessage`]: commands from the hot keys, from `luna ctl`, later from the voice.
//! **Says** [`TtsMessage`] to the Tts actor where speech itself obeys, [`FocusMessage`] to the Focus actor always, and
//! `BargeIn.Command` to the bus.
//! **Never** waits, asks a model, or looks at the screen.

#![forbid(unsafe_code)]

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::control::{CommandOutcome, Interruption, SpeechOrder};
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::tts::TtsMessage;

/// Whom the Reflex actor talks to.
#[derive(Clone)]
pub struct ReflexDependencies {
    /// Obeys what concerns speech alone.
    pub tts: Inbox<TtsMessage>,
    /// Silences what sounds, without waiting for anybody; the speech actor's own stop follows it.
    pub mute: Arc<dyn Fn() + Send + Sync>,
    /// Halts what sounds in the same way; the speech actor's own pause follows it.
    pub pause: Arc<dyn Fn() + Send + Sync>,
    /// Obeys the rest, and keeps the state of focus mode.
    pub focus: Inbox<FocusMessage>,
    /// Tells the outside.
    pub publish: Arc<dyn Fn(BusEvent) + Send + Sync>,
}

pub struct ReflexActor {
    dependencies: ReflexDependencies,
}

impl ReflexActor {
    /// An actor that talks to `dependencies`.
    #[must_use]
    pub const fn new(dependencies: ReflexDependencies) -> Self {
        Self { dependencies }
    }
}

#[async_trait]
impl Actor for ReflexActor {
    type Message = ReflexMessage;
    const NAME: &'static str = "reflex";

    async fn handle(&mut self, message: ReflexMessage, _: &ActorContext<ReflexMessage>) -> Result<(), ActorError> {
        let (command, reply) = message.into_parts();
        let mut outcome = CommandOutcome::Accepted;
        let spec = command.spec();
        // Speech first: silence must not wait for the rest of the way, nor for what the speech actor is busy with.
        match spec.interruption {
            Some(Interruption::Mute) => (self.dependencies.mute)(),
            Some(Interruption::Halt) => (self.dependencies.pause)(),
            None => {}
        }
        if let Some(order) = spec.speech.map(order_to_speech)
            && self.dependencies.tts.post(order).is_err()
        {
            tracing::error!(command = command.name(), "The speech actor's inbox took no reflex.");
            outcome = CommandOutcome::Refused;
        }
        if self.dependencies.focus.post(FocusMessage::Command(command)).is_err() {
            tracing::error!(command = command.name(), "The focus actor's inbox took no reflex.");
            outcome = CommandOutcome::Refused;
        }
        reply.answer(outcome);
        (self.dependencies.publish)(BusEvent::BargeIn { command });
        Ok(())
    }
}

/// What the Tts actor is told.
fn order_to_speech(order: SpeechOrder) -> TtsMessage {
    match order {
        // Ends what was asked for up to now. On the end of focus mode, Focus forgets the text in the same breath.
        SpeechOrder::Stop => TtsMessage::Stop { at: RequestId::next() },
        SpeechOrder::Pause => TtsMessage::Pause,
        SpeechOrder::Resume => TtsMessage::Resume,
        SpeechOrder::PauseToggle => TtsMessage::PauseToggle,
        SpeechOrder::Repeat => TtsMessage::Repeat,
        SpeechOrder::Slower => TtsMessage::Slower,
        SpeechOrder::Faster => TtsMessage::Faster,
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::control::Command;
    use luna_messages::{Lane, Message};

    use super::*;

    // BRG-1
    #[test]
    fn what_concerns_speech_alone_goes_there_in_the_reflex_lane_brg_1() {
        for command in
            [Command::Stop, Command::Pause, Command::Resume, Command::Repeat, Command::Slower, Command::FocusOff]
        {
            let order = command.spec().speech.map(order_to_speech);
            assert_eq!(order.map(|order| order.lane()), Some(Lane::Reflex), "{command:?}");
        }
        for command in [Command::Next, Command::Prev, Command::Pin, Command::Bigger, Command::FocusOn] {
            assert!(command.spec().speech.is_none(), "{command:?}");
        }
    }
}
