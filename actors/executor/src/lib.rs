//! The Executor actor: what was understood is done on the screen, once, and seen to be done (EXE, DNG).
//!
//! **Receives** [`ExecutorMessage`]: orders and answers from Listening and `luna ctl`, questions of Tools whether a program may act, stops and the key for yes from Reflex, what it asked of
//! the accessibility tree, the progress of its own questions.
//! **Sends** sentences to Tts, whether it asks to Listening, what the rules leave open to the language tasks, commands to Reflex and wishes about reading to Focus (what was ordered may be for Luna
//! itself), events to the bus.
//!
//! **Never** decides: [`ExecutorMachine`] does. **Never** does anything twice, nor after a stop: each action has a barrier that the Reflex actor raises
//! without this actor's help. **Never** waits in a handler. **Never** logs a word, a label or what is entered (PRV-2).

#![forbid(unsafe_code)]

mod clicks;
mod desktop;
mod keys;
mod look;
mod perform;
mod permissions;
mod recognised;
mod reports;

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::Task;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_executor::events::{ExecutorEvent, ExecutorSettings};
use luna_executor::machine::ExecutorMachine;
use luna_executor::rules::CommandRules;
use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::listening::ListeningMessage;
use luna_messages::tts::{SpeechEvent, TtsMessage};
use luna_platform::accessibility::actions::{ElementActions, StopEpoch};
use luna_platform::capture::Capture;
use luna_platform::desktop::DesktopControl;
use luna_platform::hot_key::HotKeys;
use luna_platform::input::Input;
use luna_platform::programs::Programs;
use tokio::time::Instant;

use crate::permissions::OpenPermissions;
pub use crate::recognised::ActionsByTreeOrText;
use crate::reports::OpenReports;

/// Wait for the rules of understanding, which are made once, in some hundred milliseconds.
const RULES_WAIT: std::time::Duration = std::time::Duration::from_millis(50);

/// Current rules of understanding (CFG-4); `None` while they are being made.
pub type CurrentCommandRules = Arc<dyn Fn() -> Option<Arc<dyn CommandRules + Send + Sync>> + Send + Sync>;

/// Dependencies of the Executor actor. Clones share them, one for each incarnation.
#[derive(Clone)]
pub struct ExecutorDependencies {
    /// Acts on elements of the accessibility tree.
    pub actions: Arc<dyn ElementActions>,
    /// Presses keys in the active window; clicks and types where the tree can't act.
    pub input: BlockingService<dyn Input>,
    /// Tells the monitors, which zones are parts of.
    pub screen: BlockingService<dyn Capture>,
    /// Windows as a whole, volume, time and battery.
    pub desktop: BlockingService<dyn DesktopControl>,
    /// Finds and starts programs.
    pub programs: BlockingService<dyn Programs>,
    /// Reports the Esc key while a question is open.
    pub keys: BlockingService<dyn HotKeys>,
    /// Raised by the Reflex actor at each stop, at once.
    pub stops: StopEpoch,
    pub rules: CurrentCommandRules,
    pub tts: Inbox<TtsMessage>,
    pub reflex: Inbox<ReflexMessage>,
    pub focus: Inbox<FocusMessage>,
    pub listening: Inbox<ListeningMessage>,
    /// Decides what the rules leave open (NLU-4).
    pub language_tasks: Inbox<LanguageTaskMessage>,
    /// Publishes events for other programs.
    pub publish: Arc<dyn Fn(BusEvent) + Send + Sync>,
    /// Returns the current settings; called before each event (CFG-4).
    pub settings: Arc<dyn Fn() -> ExecutorSettings + Send + Sync>,
}

/// Passes messages to the machine of orders, and performs its effects.
pub struct ExecutorActor {
    dependencies: ExecutorDependencies,
    machine: ExecutorMachine,
    /// The beginning of the machine's time.
    base: Instant,
    /// Who waits for which report. An incarnation that ends answers them by dropping them.
    reports: OpenReports,
    /// The same for programs that ask whether they may act.
    permissions: OpenPermissions,
    /// The look at the screen or at an element that is under way: a newer one replaces it.
    looking: Option<Task>,
    /// The action under way with the watch of what it changes. Dropping it ends the watch, and the action unless the application was asked already.
    acting: Option<(RequestId, Task)>,
    timer: Option<Task>,
    /// The notice that speaks the open question, and the question.
    spoken_question: Option<(RequestId, RequestId)>,
    /// Reports the Esc key while a question is open.
    escape: Option<Task>,
}

impl ExecutorActor {
    /// Nothing is ordered.
    #[must_use]
    pub fn new(dependencies: ExecutorDependencies) -> Self {
        Self {
            machine: ExecutorMachine::new((dependencies.settings)()),
            dependencies,
            base: Instant::now(),
            reports: OpenReports::default(),
            permissions: OpenPermissions::default(),
            looking: None,
            acting: None,
            timer: None,
            spoken_question: None,
            escape: None,
        }
    }

    fn step(&mut self, event: ExecutorEvent, context: &ActorContext<ExecutorMessage>) {
        self.machine.set_settings((self.dependencies.settings)());
        let now = self.base.elapsed();
        let effects = match (self.dependencies.rules)() {
            Some(rules) => self.machine.step(event, now, &*rules),
            None => self.machine.step(event, now, &luna_executor::rules::NoCommandRules),
        };
        for effect in effects {
            self.perform(effect, context);
        }
    }

    /// The question that was heard to its end by now, or that nobody will hear the rest of.
    fn ended_question(&mut self, event: &SpeechEvent) -> Option<RequestId> {
        match event {
            SpeechEvent::Finished { id } | SpeechEvent::Stopped { id, .. } => {
                self.spoken_question.take_if(|(notice, _)| notice == id).map(|(_, question)| question)
            }
            SpeechEvent::Sentence { .. }
            | SpeechEvent::Paused { .. }
            | SpeechEvent::Resumed { .. }
            | SpeechEvent::Rate { .. } => None,
        }
    }
}

#[async_trait]
impl Actor for ExecutorActor {
    type Message = ExecutorMessage;
    const NAME: &'static str = "executor";

    async fn started(&mut self, _: &ActorContext<ExecutorMessage>) -> Result<(), ActorError> {
        // A question of the incarnation before is no longer open.
        let _ = self.post_asking(false);
        Ok(())
    }

    async fn handle(
        &mut self,
        message: ExecutorMessage,
        context: &ActorContext<ExecutorMessage>,
    ) -> Result<(), ActorError> {
        // Orders that come before the rules are made wait for them.
        let has_words = matches!(
            message,
            ExecutorMessage::Order { .. } | ExecutorMessage::Answer { .. } | ExecutorMessage::Permit { .. }
        );
        if has_words && (self.dependencies.rules)().is_none() {
            context.send_after(RULES_WAIT, message).detach();
            return Ok(());
        }
        match message {
            ExecutorMessage::Order { order, reply } => {
                self.reports.open(order.id, reply);
                self.step(ExecutorEvent::Order(order), context);
            }
            ExecutorMessage::Answer { answer, reply } => {
                self.reports.open(answer.id, reply);
                self.step(ExecutorEvent::Answer(answer), context);
            }
            ExecutorMessage::Permit { request, reply } => {
                self.permissions.open(request.id, reply);
                self.step(ExecutorEvent::Permit(request), context);
            }
            ExecutorMessage::EndPermit { id } => self.step(ExecutorEvent::EndPermit { id }, context),
            ExecutorMessage::Key { given } => self.step(ExecutorEvent::Key { given }, context),
            ExecutorMessage::Stop { at } => self.step(ExecutorEvent::Stop { at }, context),
            ExecutorMessage::Screen { id, answer } => self.step(ExecutorEvent::Candidates { id, answer }, context),
            ExecutorMessage::Inspected { id, answer } => self.step(ExecutorEvent::Inspected { id, answer }, context),
            ExecutorMessage::Acted { id, answer } => self.step(ExecutorEvent::Acted { id, answer }, context),
            ExecutorMessage::Observed { id, change } => self.step(ExecutorEvent::Observed { id, change }, context),
            ExecutorMessage::Speech(event) => {
                if let Some(id) = self.ended_question(&event) {
                    self.step(ExecutorEvent::Asked { id }, context);
                }
            }
            ExecutorMessage::Desktop { id, answer } => {
                self.step(ExecutorEvent::DesktopAnswered { id, answer }, context)
            }
            ExecutorMessage::Decided { id, answer } => {
                let meaning = answer.ok().and_then(Result::ok).map(|decision| decision.meaning);
                self.step(ExecutorEvent::Decided { id, meaning }, context);
            }
            ExecutorMessage::Timer { generation } => self.step(ExecutorEvent::Timer { generation }, context),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<ExecutorMessage>) {
        let _ = self.post_asking(false);
    }
}
