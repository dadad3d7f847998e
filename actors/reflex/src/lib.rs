//! The Reflex actor: short commands that take effect at once (BRG-1, BRG-7).
//!
//! **Receives** [`ReflexMessage`]: commands from the hot keys, from `luna ctl`, from the voice.
//! **Sends** [`TtsMessage`] to the Tts actor if speech itself handles the command, stops and the key for yes to the Executor
//! ([`ExecutorMessage`]), [`FocusMessage`] to the Focus actor for all but that key, and `BargeIn.Command` to the bus.
//! **Never** waits, asks a model, or reads the screen.

#![forbid(unsafe_code)]

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::control::{Command, CommandOutcome, Interruption, SpeechOrder};
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::tts::TtsMessage;

/// Dependencies of the Reflex actor.
#[derive(Clone)]
pub struct ReflexDependencies {
    /// Handles commands that concern speech alone.
    pub tts: Inbox<TtsMessage>,
    /// Silences the output without waiting; the speech actor's own stop follows.
    pub mute: Arc<dyn Fn() + Send + Sync>,
    /// Pauses the output in the same way; the speech actor's own pause follows.
    pub pause: Arc<dyn Fn() + Send + Sync>,
    /// Prevents actions that were ordered before a stop, without waiting for who carries them out (KER-11).
    pub end_orders: Arc<dyn Fn(RequestId) + Send + Sync>,
    /// Carries out orders: hears of stops, and of the person's key for yes.
    pub executor: Inbox<ExecutorMessage>,
    /// Receives every command but that key, because it keeps the state of focus mode.
    pub focus: Inbox<FocusMessage>,
    /// Publishes events for other programs.
    pub publish: Arc<dyn Fn(BusEvent) + Send + Sync>,
}

/// Dispatches commands: silences or pauses the output first, then posts to the actors that handle the command (BRG-1).
pub struct ReflexActor {
    dependencies: ReflexDependencies,
}

impl ReflexActor {
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
        let id = RequestId::next();
        // Speech first: silence must not wait for the other messages, nor for a busy speech actor.
        match spec.interruption {
            Some(Interruption::Mute) => (self.dependencies.mute)(),
            Some(Interruption::Pause) => (self.dependencies.pause)(),
            None => {}
        }
        let ends_orders = ends_orders(command);
        if ends_orders {
            (self.dependencies.end_orders)(id);
        }
        // Told before what it leads to is told.
        (self.dependencies.publish)(BusEvent::BargeIn { command });
        if let Some(order) = spec.speech.map(|order| order_to_speech(order, id))
            && self.dependencies.tts.post(order).is_err()
        {
            tracing::error!(command = command.name(), "The speech actor's inbox took no reflex.");
            outcome = CommandOutcome::Refused;
        }
        let for_orders = match command {
            Command::Confirm => Some(ExecutorMessage::Key { given: true }),
            _ if ends_orders => Some(ExecutorMessage::Stop { at: id }),
            _ => None,
        };
        if for_orders.is_some_and(|message| self.dependencies.executor.post(message).is_err()) {
            tracing::error!(command = command.name(), "The executor actor's inbox took no reflex.");
            outcome = CommandOutcome::Refused;
        }
        if !command.is_by_person_only() && self.dependencies.focus.post(FocusMessage::Command { id, command }).is_err()
        {
            tracing::error!(command = command.name(), "The focus actor's inbox took no reflex.");
            outcome = CommandOutcome::Refused;
        }
        reply.answer(outcome);
        Ok(())
    }
}

/// Whether a command ends what was ordered before: whoever silences Luna, or dismisses what it asks, wants nothing done any more.
fn ends_orders(command: Command) -> bool {
    command.spec().interruption == Some(Interruption::Mute) || command == Command::Escape
}

/// The message of command `id` to the Tts actor.
fn order_to_speech(order: SpeechOrder, id: RequestId) -> TtsMessage {
    match order {
        // Ends everything requested up to now. If the command ends focus mode, the Focus actor makes speech forget the text right after.
        SpeechOrder::Stop => TtsMessage::Stop { at: id },
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
    use luna_messages::{Lane, Message};

    use super::*;

    // BRG-1
    #[test]
    fn what_concerns_speech_alone_goes_there_in_the_reflex_lane_brg_1() {
        for command in
            [Command::Stop, Command::Pause, Command::Resume, Command::Repeat, Command::Slower, Command::FocusOff]
        {
            let order = command.spec().speech.map(|order| order_to_speech(order, RequestId(1)));
            assert_eq!(order.map(|order| order.lane()), Some(Lane::Reflex), "{command:?}");
        }
        for command in [Command::Next, Command::Prev, Command::Pin, Command::Bigger, Command::FocusOn] {
            assert!(command.spec().speech.is_none(), "{command:?}");
        }
    }

    // KER-11
    #[test]
    fn what_silences_or_dismisses_ends_what_was_ordered_ker_11() {
        let ending: Vec<_> = Command::ALL.into_iter().filter(|command| ends_orders(*command)).collect();
        assert_eq!(ending, [Command::FocusOff, Command::Stop, Command::Escape]);
    }
}
