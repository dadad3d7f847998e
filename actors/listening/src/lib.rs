//! The Listening actor: what is said to Luna (STT-1 to STT-4, BRG, VOI-1).
//!
//! **Receives** [`ListeningMessage`]: news of the signal thread, transcripts, the progress of Luna's own speech, words that come as text, the key for
//! speaking.
//! **Sends** sound to the Stt actor, commands to Reflex, wishes about reading to Focus, orders and answers to the Executor, what rules can't decide to
//! the language tasks, short sentences to Tts, events to the bus.
//!
//! **Never** keeps sound longer than the ring, writes it anywhere, or logs a word (BUF-3, PRV-1, PRV-2). **Never** waits in a handler: a thread takes the
//! sound from the device ([`ears`]). **Never** decides: `luna_listening` does. **Never** opens the microphone unless Luna listens.

#![forbid(unsafe_code)]

mod ears;
mod measures;
mod perform;
mod requests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::{Capabilities, Cause, Task, TraceLog};
use luna_listening::signal::{EchoReference, SignalSettings};
use luna_listening::turn::{NoRules, TurnEvent, TurnMachine, TurnSettings, UtteranceRules};
use luna_messages::bus::BusEvent;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::executor::ExecutorMessage;
use luna_messages::focus::{FocusMessage, ReflexMessage};
use luna_messages::language_tasks::{LanguageTaskMessage, Meaning, ModelDecision};
use luna_messages::listening::{HeardReport, ListeningMessage, ListeningMode, VoiceEvent};
use luna_messages::stt::SttMessage;
use luna_messages::tts::{SpeechEvent, TtsMessage};
use luna_messages::work::WorkFailure;
use luna_messages::{NoReply, Reply};
use luna_platform::audio::tap::PlaybackTap;
use luna_platform::microphone::Microphone;
use tokio::time::Instant;

use crate::ears::{Ears, EarsDependencies};
use crate::measures::VoiceMeasures;
use crate::requests::OpenRequests;

/// Interval of ticks while a voice is undecided: a fraction of a syllable.
const TICK: Duration = Duration::from_millis(30);
/// Wait for the rules of understanding, which are made once, in some hundred milliseconds.
const RULES_WAIT: Duration = Duration::from_millis(50);
/// Interval at which changed settings are noticed.
const SETTINGS_CHECK: Duration = Duration::from_secs(1);

/// Settings that may change while Luna runs; looked at once a second.
#[derive(Debug, Clone, PartialEq)]
pub struct ListeningSettings {
    /// Whether the microphone is open: Luna listens, and its recogniser is installed.
    pub listens: bool,
    /// Part of the name of the microphone; `None`: the default one.
    pub device: Option<String>,
    /// Whose sound echo cancellation removes.
    pub reference: EchoReference,
    pub signal: SignalSettings,
    pub turns: TurnSettings,
}

/// Current rules of understanding (CFG-4); `None` while they are being made.
pub type CurrentRules = Arc<dyn Fn() -> Option<Arc<dyn UtteranceRules + Send + Sync>> + Send + Sync>;

/// Dependencies of the Listening actor. Clones share them, one for each incarnation.
#[derive(Clone)]
pub struct ListeningDependencies {
    pub microphone: BlockingService<dyn Microphone>,
    /// What this machine plays; opened only with [`EchoReference::Loopback`].
    pub loopback: BlockingService<dyn Microphone>,
    /// What Luna plays, which is taken out of what it hears (BRG-4).
    pub tap: PlaybackTap,
    pub stt: Inbox<SttMessage>,
    pub reflex: Inbox<ReflexMessage>,
    pub focus: Inbox<FocusMessage>,
    pub tts: Inbox<TtsMessage>,
    /// Carries out orders, and takes answers about them.
    pub executor: Inbox<ExecutorMessage>,
    pub language_tasks: Inbox<LanguageTaskMessage>,
    pub rules: CurrentRules,
    /// Makes Luna quiet at once, without waiting for the speech actor (BRG-1).
    pub duck: Arc<dyn Fn() + Send + Sync>,
    /// Lets Luna go on, from the word if true.
    pub unduck: Arc<dyn Fn(bool) + Send + Sync>,
    /// Silences the output without waiting; the speech actor's own stop follows.
    pub mute: Arc<dyn Fn() + Send + Sync>,
    /// Pauses the output in the same way.
    pub pause: Arc<dyn Fn() + Send + Sync>,
    /// Told how much is transcribed, or that nothing is; decides where the recogniser's model is (GPU-5) and whether another stands by.
    pub mode: Arc<dyn Fn(Option<ListeningMode>) + Send + Sync>,
    pub capabilities: Capabilities,
    pub traces: TraceLog,
    /// Publishes events for other programs.
    pub publish: Arc<dyn Fn(BusEvent) + Send + Sync>,
    pub settings: Arc<dyn Fn() -> ListeningSettings + Send + Sync>,
}

/// Passes what is heard to the machine of turns, and performs its effects.
pub struct ListeningActor {
    dependencies: ListeningDependencies,
    settings: ListeningSettings,
    machine: TurnMachine,
    /// The beginning of the machine's time.
    base: Instant,
    /// Created at the start, when the inbox is known.
    ears: Option<Ears>,
    requests: OpenRequests,
    measures: VoiceMeasures,
    /// The trace of the newest voice (KER-12).
    cause: Cause,
    /// Ticks while a voice is undecided.
    ticks: Option<Task>,
    checks: Option<Task>,
    /// The sentence that Luna says or that waits for a device.
    sentence: Option<SpeechEvent>,
    /// Whoever waits for the report of the words being handled.
    report: Option<Reply<HeardReport>>,
}

impl ListeningActor {
    /// Creates the actor; nothing is opened yet.
    #[must_use]
    pub fn new(dependencies: ListeningDependencies) -> Self {
        let settings = (dependencies.settings)();
        Self {
            machine: TurnMachine::new(settings.turns.clone()),
            settings,
            dependencies,
            base: Instant::now(),
            ears: None,
            requests: OpenRequests::default(),
            measures: VoiceMeasures::default(),
            cause: Cause::default(),
            ticks: None,
            checks: None,
            sentence: None,
            report: None,
        }
    }

    fn step(&mut self, event: TurnEvent, context: &ActorContext<ListeningMessage>) {
        let rules = (self.dependencies.rules)();
        let now = self.base.elapsed();
        let effects = match rules {
            Some(rules) => self.machine.step(event, now, &*rules),
            None => self.machine.step(event, now, &NoRules),
        };
        for effect in effects {
            self.perform(effect, context);
        }
        if self.machine.needs_ticks() != self.ticks.is_some() {
            self.ticks = self.machine.needs_ticks().then(|| context.every(TICK, || ListeningMessage::Tick));
        }
    }

    /// Takes what the signal shows. A voice begins a trace.
    fn take_news(&mut self, context: &ActorContext<ListeningMessage>) {
        let Some(ears) = &self.ears else { return };
        let (news, lost) = ears.take_news();
        if lost {
            self.step(TurnEvent::Lost, context);
        }
        for (event, heard) in news {
            if matches!(event, VoiceEvent::Onset { .. }) {
                self.cause = self.dependencies.traces.begin("voice");
            }
            tracing::debug!(?event, heard, "The signal shows a voice.");
            self.measures.signal(event, heard, self.base.elapsed());
            let cause = self.cause.clone();
            cause.scope(|| self.step(TurnEvent::Voice { event, heard }, context));
        }
    }

    fn tick(&mut self, context: &ActorContext<ListeningMessage>) {
        let Some(place) = self.ears.as_ref().map(Ears::place) else { return };
        let cause = self.cause.clone();
        cause.scope(|| self.step(TurnEvent::Tick(place), context));
    }

    /// Whether there is a device for what Luna says.
    fn is_heard(&self) -> bool {
        !matches!(self.dependencies.capabilities.get(Capability::AudioOutput), CapabilityState::Unavailable(_))
    }

    /// Applies changed settings (CFG-4).
    fn check_settings(&mut self, context: &ActorContext<ListeningMessage>) {
        self.machine.forget(self.base.elapsed());
        match (self.is_heard(), self.machine.speaks()) {
            (false, true) => self.step(TurnEvent::Unheard, context),
            // The device came back, and plays the sentence from its beginning.
            (true, false) => {
                if let Some(sentence) = self.sentence.clone() {
                    self.step(TurnEvent::Speech(sentence), context);
                }
            }
            (true, true) | (false, false) => {}
        }
        let mut settings = (self.dependencies.settings)();
        // The key for speaking is observed from the start on, or not at all.
        settings.turns.addressing = self.settings.turns.addressing;
        if settings == self.settings {
            return;
        }
        self.machine.configure(settings.turns.clone());
        if let Some(ears) = &self.ears {
            ears.configure(&settings);
        }
        if settings.signal != self.settings.signal {
            self.take_news(context);
        }
        if settings.listens != self.settings.listens {
            (self.dependencies.mode)(settings.listens.then_some(self.machine.mode()));
        }
        self.settings = settings;
    }
}

#[async_trait]
impl Actor for ListeningActor {
    type Message = ListeningMessage;
    const NAME: &'static str = "listening";

    async fn started(&mut self, context: &ActorContext<ListeningMessage>) -> Result<(), ActorError> {
        let dependencies = EarsDependencies {
            microphone: self.dependencies.microphone.clone(),
            loopback: self.dependencies.loopback.clone(),
            tap: self.dependencies.tap.clone(),
            capabilities: self.dependencies.capabilities.clone(),
            inbox: context.inbox().clone(),
        };
        self.ears = Some(Ears::start(dependencies, &self.settings).map_err(ActorError::new)?);
        // A voice of the incarnation before may have made Luna quiet.
        (self.dependencies.unduck)(false);
        (self.dependencies.mode)(self.settings.listens.then_some(ListeningMode::Full));
        self.checks = Some(context.every(SETTINGS_CHECK, || ListeningMessage::CheckSettings));
        Ok(())
    }

    async fn handle(
        &mut self,
        message: ListeningMessage,
        context: &ActorContext<ListeningMessage>,
    ) -> Result<(), ActorError> {
        // Words that come before the rules are made wait for them.
        let has_words = matches!(message, ListeningMessage::Transcribed { .. } | ListeningMessage::SayTo { .. });
        if has_words && (self.dependencies.rules)().is_none() {
            context.send_after(RULES_WAIT, message).detach();
            return Ok(());
        }
        match message {
            ListeningMessage::Wake => self.take_news(context),
            ListeningMessage::Partial { id, text } => self.step(TurnEvent::Partial { id, text }, context),
            ListeningMessage::Transcribed { id, answer } => {
                self.requests.close(id);
                let segments = answer.ok().and_then(Result::ok);
                self.step(TurnEvent::Transcribed { id, segments }, context);
            }
            ListeningMessage::Decided { id, utterance, answer } => {
                let meaning = decided(answer);
                self.step(TurnEvent::Decided { id, utterance, meaning }, context);
            }
            ListeningMessage::Speech(event) => {
                let is_sentence = matches!(event, SpeechEvent::Sentence { .. });
                if !matches!(event, SpeechEvent::Rate { .. }) {
                    self.sentence = is_sentence.then(|| event.clone());
                }
                // Without a device a sentence waits for one.
                if !is_sentence || self.is_heard() {
                    self.step(TurnEvent::Speech(event), context);
                }
            }
            ListeningMessage::SayTo { text, reply } => {
                self.report = Some(reply);
                self.step(TurnEvent::SayTo { text }, context);
                self.report = None;
            }
            ListeningMessage::Hold { down } => self.step(TurnEvent::Hold { down }, context),
            ListeningMessage::Asking { who, asking } => self.step(TurnEvent::Asking { who, asking }, context),
            ListeningMessage::Tick => self.tick(context),
            ListeningMessage::CheckSettings => self.check_settings(context),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<ListeningMessage>) {
        self.ears = None;
        (self.dependencies.mode)(None);
    }
}

fn decided(answer: Result<Result<ModelDecision, WorkFailure>, NoReply>) -> Option<Meaning> {
    answer.ok()?.ok().map(|decision| decision.meaning)
}
