//! Performs the effects of turns.

use luna_actor_runtime::actor::ActorContext;
use luna_listening::turn::TurnEffect;
use luna_messages::bus::BusEvent;
use luna_messages::control::Interruption;
use luna_messages::dsl::DslTask;
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::language_tasks::{Decide, LanguageTaskMessage};
use luna_messages::listening::ListeningMessage;
use luna_messages::stt::SttMessage;
use luna_messages::tts::{NoticeTiming, SpokenNotice, TtsMessage};
use luna_messages::{Reply, RequestId};

use crate::ListeningActor;

impl ListeningActor {
    /// Never waits: a full mailbox is logged, and what it lost is answered by its dropped reply.
    pub(crate) fn perform(&mut self, effect: TurnEffect, context: &ActorContext<ListeningMessage>) {
        let dependencies = &self.dependencies;
        match effect {
            TurnEffect::Duck => (dependencies.duck)(),
            TurnEffect::Unduck { from_word } => (dependencies.unduck)(from_word),
            TurnEffect::Cut { at } => {
                (dependencies.mute)();
                refused(dependencies.tts.post(TtsMessage::Stop { at }).is_err(), "a stop");
            }
            TurnEffect::Transcribe { id, from, to, extent } => {
                let Some(ears) = &self.ears else { return };
                let sound = ears.sound(from, to);
                let hint = self.settings.turns.hint.clone();
                let request = self.requests.open(id, sound, extent, hint, context);
                // A refused request is dropped, and its reply with it: that is an answer, too.
                drop(dependencies.stt.post(SttMessage::Transcribe(request)));
            }
            TurnEffect::Cancel { id } => {
                self.requests.close(id);
                refused(dependencies.stt.post(SttMessage::Cancel { id }).is_err(), "a cancel");
            }
            TurnEffect::Reflex(command) => {
                // At once: what follows lets Luna go on, and the Reflex actor may wait for a core.
                match command.spec().interruption {
                    Some(Interruption::Mute) => (dependencies.mute)(),
                    Some(Interruption::Pause) => (dependencies.pause)(),
                    None => {}
                }
                refused(dependencies.reflex.post(ReflexMessage::Command(command)).is_err(), "a command");
            }
            TurnEffect::Wish { id, wish } => {
                let message = FocusMessage::Wish { id, wish };
                refused(dependencies.focus.post(message).is_err(), "a wish");
            }
            TurnEffect::Order(order) => {
                // What came of it is spoken by the Executor; nobody else waits.
                let message = ExecutorMessage::Order { order, reply: Reply::ignored() };
                refused(dependencies.executor.post(message).is_err(), "an order");
            }
            TurnEffect::Decide { id, utterance, text, barge_in } => {
                self.ask_model(id, utterance, text, barge_in, context);
            }
            TurnEffect::CancelDecide { id } => {
                let message = LanguageTaskMessage::Cancel { id };
                refused(dependencies.language_tasks.post(message).is_err(), "a cancel");
            }
            TurnEffect::Say(phrase) => {
                let lang = self.settings.turns.lang;
                let (id, text, timing) = (RequestId::next(), phrase.text(lang), NoticeTiming::AfterSentence);
                let notice = SpokenNotice { id, text, lang, timing };
                refused(dependencies.tts.post(TtsMessage::Say(notice)).is_err(), "a sentence");
            }
            // Nothing is heard then, in no mode.
            TurnEffect::Publish(BusEvent::SttMode { .. }) if !self.settings.listens => {}
            TurnEffect::Publish(event) => {
                self.measures.publish(&event, self.base.elapsed());
                (dependencies.publish)(event);
            }
            TurnEffect::Mode(mode) => {
                if self.settings.listens {
                    (dependencies.mode)(Some(mode));
                }
            }
            TurnEffect::Report(report) => {
                if let Some(reply) = self.report.take() {
                    reply.answer(report);
                }
            }
        }
    }

    /// Asks a language model what was meant (NLU-4, BRG-3).
    fn ask_model(
        &self,
        id: RequestId,
        utterance: String,
        text: String,
        barge_in: bool,
        context: &ActorContext<ListeningMessage>,
    ) {
        let (inbox, said) = (context.inbox().clone(), utterance.clone());
        let reply =
            Reply::new(move |answer| drop(inbox.post(ListeningMessage::Decided { id, utterance: said, answer })));
        let request = Decide { id, task: DslTask::NluIntent, utterance, candidates: Vec::new(), text, barge_in, reply };
        // If nobody takes it, the reply that is dropped says so.
        drop(self.dependencies.language_tasks.post(LanguageTaskMessage::Decide(request)));
    }
}

/// The mailbox of the receiver is full or closed: nobody may learn from silence alone that a word was lost.
fn refused(is_refused: bool, what: &'static str) {
    if is_refused {
        tracing::error!(what, "What was understood could not be passed on, because too much waits.");
    }
}
