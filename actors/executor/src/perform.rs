//! Performs the effects of orders.

use luna_actor_runtime::actor::ActorContext;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::metric_names::{ORDERS, order_outcome};
use luna_executor::events::ExecutorEffect;
use luna_executor::phrases::ExecutorPhrase;
use luna_messages::bus::BusEvent;
use luna_messages::executor::{ExecutorMessage, OrderReport};
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::language_tasks::{Decide, LanguageTaskMessage};
use luna_messages::listening::{ListeningMessage, Questioner};
use luna_messages::reading::Intent;
use luna_messages::tts::{NoticeTiming, SpokenNotice, TtsMessage};
use luna_messages::{Reply, RequestId};
use luna_platform::hot_key::HotKeyCode;

use crate::clicks::{InputAction, WheelTurn};
use crate::keys::WindowKeys;
use crate::{ExecutorActor, ExecutorDependencies, clicks, desktop, keys, look};

impl ExecutorActor {
    /// Never waits: what is asked of the machine comes back as a message.
    pub(crate) fn perform(&mut self, effect: ExecutorEffect, context: &ActorContext<ExecutorMessage>) {
        let (dependencies, inbox) = (self.dependencies.clone(), context.inbox().clone());
        match effect {
            ExecutorEffect::AskCandidates { id, after } => {
                self.looking = Some(context.spawn(async move {
                    tokio::time::sleep(after).await;
                    let answer = look::screen(&dependencies).await;
                    drop(inbox.post(ExecutorMessage::Screen { id, answer }));
                }));
            }
            ExecutorEffect::AskModel { id, task, utterance, candidates } => {
                let reply = Reply::new(move |answer| drop(inbox.post(ExecutorMessage::Decided { id, answer })));
                let request = Decide { id, task, utterance, candidates, text: String::new(), barge_in: false, reply };
                // If nobody takes it, the reply that is dropped says so.
                drop(dependencies.language_tasks.post(LanguageTaskMessage::Decide(request)));
            }
            ExecutorEffect::EndModel { id } => {
                let message = LanguageTaskMessage::Cancel { id };
                refused(dependencies.language_tasks.post(message).is_err(), "a cancel");
            }
            ExecutorEffect::Inspect { id, element } => {
                self.looking = Some(context.spawn(async move {
                    let answer = dependencies.actions.inspect(&element).await.map(Box::new);
                    drop(inbox.post(ExecutorMessage::Inspected { id, answer }));
                }));
            }
            ExecutorEffect::Act { id, order, element, action } => {
                let barrier = dependencies.stops.barrier(order);
                let work = look::act(dependencies, inbox, id, element, action, barrier);
                self.acting = Some((id, context.spawn(work)));
            }
            ExecutorEffect::PressKeys { id, order, window, chord, times } => {
                let barrier = dependencies.stops.barrier(order);
                let keys = WindowKeys { window, chord, times };
                self.acting = Some((id, context.spawn(keys::press(dependencies, inbox, id, keys, barrier))));
            }
            ExecutorEffect::Click { id, order, element } => {
                let barrier = dependencies.stops.barrier(order);
                let work = clicks::perform(dependencies, inbox, id, element, InputAction::Click, barrier);
                self.acting = Some((id, context.spawn(work)));
            }
            ExecutorEffect::Hover { id, order, element } => {
                let barrier = dependencies.stops.barrier(order);
                let work = clicks::perform(dependencies, inbox, id, element, InputAction::Hover, barrier);
                self.acting = Some((id, context.spawn(work)));
            }
            ExecutorEffect::TypeInto { id, order, element, text, at_caret } => {
                let barrier = dependencies.stops.barrier(order);
                let action = if at_caret { InputAction::Insert(text) } else { InputAction::Type(text) };
                let work = clicks::perform(dependencies, inbox, id, element, action, barrier);
                self.acting = Some((id, context.spawn(work)));
            }
            ExecutorEffect::Scroll { id, order, window, at, notches } => {
                let barrier = dependencies.stops.barrier(order);
                let turn = WheelTurn { window, at, notches };
                self.acting = Some((id, context.spawn(clicks::scroll(dependencies, inbox, id, turn, barrier))));
            }
            ExecutorEffect::Desktop { id, order, what } => {
                let barrier = dependencies.stops.barrier(order);
                self.acting = Some((id, context.spawn(desktop::ask(dependencies, inbox, id, what, barrier))));
            }
            ExecutorEffect::EndAct { id } => drop(self.acting.take_if(|(acting, _)| *acting == id)),
            ExecutorEffect::StartTimer { generation, after } => {
                self.timer = Some(context.send_after(after, ExecutorMessage::Timer { generation }));
            }
            ExecutorEffect::Say { phrase } => {
                self.say(&phrase, NoticeTiming::AfterSentence);
            }
            ExecutorEffect::OpenQuestion { id, phrase, badges: options } => {
                let notice = self.say(&phrase, NoticeTiming::Now);
                self.spoken_question = Some((notice, id));
                self.tell_asking(true);
                let text = phrase.text((self.dependencies.settings)().lang);
                (self.dependencies.publish)(BusEvent::ExecutorQuestion { text, options });
                self.escape.get_or_insert_with(|| context.spawn_service(escape(dependencies, inbox)));
            }
            ExecutorEffect::CloseQuestion => {
                (self.spoken_question, self.escape) = (None, None);
                self.tell_asking(false);
                (self.dependencies.publish)(BusEvent::ExecutorQuestionClosed {});
            }
            ExecutorEffect::Reflex(command) => {
                refused(dependencies.reflex.post(ReflexMessage::Command(command)).is_err(), "a command");
            }
            ExecutorEffect::Wish { utterance, understood } => {
                let intent = understood.wish.intent.unwrap_or(Intent::Read);
                let wish = understood.wish.reading_wish(&utterance, intent);
                let message = FocusMessage::Wish { id: RequestId::next(), wish };
                refused(dependencies.focus.post(message).is_err(), "a wish");
            }
            ExecutorEffect::AnswerPermission { id, answer } => self.permissions.answer(id, answer),
            ExecutorEffect::Report { id, report } => self.report(id, report),
        }
    }

    fn say(&self, phrase: &ExecutorPhrase, timing: NoticeTiming) -> RequestId {
        let lang = (self.dependencies.settings)().lang;
        let id = RequestId::next();
        let notice = SpokenNotice { id, text: phrase.text(lang), lang, timing };
        refused(self.dependencies.tts.post(TtsMessage::Say(notice)).is_err(), "a sentence");
        id
    }

    fn report(&mut self, id: RequestId, report: OrderReport) {
        metrics::counter!(ORDERS, "outcome" => order_outcome::of(report.outcome)).increment(1);
        (self.dependencies.publish)(BusEvent::ExecutorReport { report: report.clone() });
        self.reports.answer(id, report);
    }

    /// While a question is open, its answer needs no name (VOI-1).
    fn tell_asking(&self, asking: bool) {
        refused(!self.post_asking(asking), "a question");
    }

    /// The same at the start and the end of this actor, when nobody may be there to be told: returns whether somebody was.
    pub(crate) fn post_asking(&self, asking: bool) -> bool {
        let message = ListeningMessage::Asking { who: Questioner::Executor, asking };
        self.dependencies.listening.post(message).is_ok()
    }
}

/// Posts the Esc key while it is polled. If it can't be observed, time ends the question.
async fn escape(dependencies: ExecutorDependencies, inbox: Inbox<ExecutorMessage>) {
    let pressed = Box::new(move || drop(inbox.post(ExecutorMessage::Key { given: false })));
    let watch = dependencies.keys.ask(move |keys| keys.observe(HotKeyCode::Escape, pressed)).await;
    if let Ok(Ok(watch)) = watch {
        std::future::pending::<()>().await;
        drop(watch);
    }
}

/// The mailbox of the receiver is full or closed: nobody may learn from silence alone that something was lost.
fn refused(is_refused: bool, what: &'static str) {
    if is_refused {
        tracing::error!(what, "What an order led to could not be passed on, because too much waits.");
    }
}
