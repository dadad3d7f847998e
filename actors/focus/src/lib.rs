//! The Focus actor: focus mode (FOC-1 to FOC-4).
//!
//! **Receives** [`FocusMessage`]: commands, cursor moves, answers to its questions, progress of speech.
//! **Sends** questions to Uia and Ocr, texts to language tasks, readings and notices to Tts, and the events of FOC-3 to the bus.
//! **Never** decides ([`luna_focus::machine::Focus`] does; this actor performs the effects), never reads the screen itself, never waits for the
//! display: the pointer's position arrives as a message, so that a stop works even if the display hangs (KER-11).

#![forbid(unsafe_code)]

mod entered_windows;
mod focus_clock;
mod watch;

use std::sync::Arc;

use async_channel::bounded;
use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::cause::Cause;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::metric_names::{self, request_outcome};
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_actor_runtime::task::Task;
use luna_actor_runtime::trace_log::TraceLog;
use luna_focus::machine::{Focus, FocusEffect, FocusEvent, FocusSettings};
use luna_messages::bus::BusEvent;
use luna_messages::focus::FocusMessage;
use luna_messages::language_tasks::{LanguageTaskMessage, Summarize, Translate};
use luna_messages::ocr::OcrMessage;
use luna_messages::tts::{NoticeTiming, SpeechEvent, SpokenNotice, TtsMessage};
use luna_messages::uia::UiaMessage;
use luna_messages::{Message, NoReply, Reply, RequestId};
use luna_platform::accessibility::Accessibility;
use luna_platform::hot_key::HotKeys;
use luna_platform::pointer::Pointer;
use tokio::time::Instant;

use crate::entered_windows::EnteredWindows;
use crate::focus_clock::FocusClock;

/// Capacity of the channel of translated pieces.
const PIECES_CAPACITY: usize = 4;

/// Dependencies of the Focus actor.
#[derive(Clone)]
pub struct FocusDependencies {
    /// Receives questions to the accessibility tree.
    pub uia: Inbox<UiaMessage>,
    /// Receives questions to text recognition.
    pub ocr: Inbox<OcrMessage>,
    /// Receives readings and notices.
    pub tts: Inbox<TtsMessage>,
    /// Receives texts to translate and summarise.
    pub language_tasks: Inbox<LanguageTaskMessage>,
    /// Reports moves of the keyboard focus.
    pub accessibility: Arc<dyn Accessibility>,
    /// Reports the pointer's position.
    pub pointer: BlockingService<dyn Pointer>,
    /// Reports the Esc key while Luna waits for a command.
    pub keys: BlockingService<dyn HotKeys>,
    /// Reports whether the pointer's position is available.
    pub capabilities: Capabilities,
    /// Begins traces that no command began: a pick by the pointer alone, the Esc key (KER-12).
    pub traces: TraceLog,
    /// Publishes events for other programs.
    pub publish: Arc<dyn Fn(BusEvent) + Send + Sync>,
    /// Returns the current settings; called before each event (CFG-4).
    pub settings: Arc<dyn Fn() -> FocusSettings + Send + Sync>,
}

/// Passes messages to the focus machine and performs its effects (FOC-1).
pub struct FocusActor {
    dependencies: FocusDependencies,
    focus: Focus,
    /// The task that asks for the pointer's position, or for the focused element.
    locating: Option<Task>,
    /// The task that reports cursor moves; runs only while focus mode is on or armed.
    pointer_watch: Option<Task>,
    /// The task that reports moves of the keyboard focus; runs only while focus mode is on or armed, if that is a source.
    focus_watch: Option<Task>,
    /// When the event of the newest move of the focus arrived.
    focus_moved: FocusClock,
    /// The windows that the moves of the focus entered since the one that was handled last.
    entered_windows: EnteredWindows,
    /// The task that reports the Esc key; runs only while Luna waits for a command.
    escape_watch: Option<Task>,
    /// The task that forwards the pieces of a translation. Dropping it cancels the generation at its next token (KER-6).
    pieces: Option<Task>,
    /// The language task in progress for the text being read.
    language_task: Option<RequestId>,
    /// The pick or the move of the focus that the next reading results from, as the stage that it begins, and when it began.
    began: Option<(Stage, Instant)>,
    /// A reading that resulted from it and is not audible yet.
    unheard: Option<(RequestId, Stage, Instant)>,
}

impl FocusActor {
    /// Starts with focus mode off.
    #[must_use]
    pub fn new(dependencies: FocusDependencies) -> Self {
        let focus = Focus::new((dependencies.settings)());
        Self {
            dependencies,
            focus,
            locating: None,
            pointer_watch: None,
            focus_watch: None,
            focus_moved: FocusClock::default(),
            entered_windows: EnteredWindows::default(),
            escape_watch: None,
            pieces: None,
            language_task: None,
            began: None,
            unheard: None,
        }
    }

    fn perform(&mut self, effect: FocusEffect, context: &ActorContext<FocusMessage>) {
        match effect {
            FocusEffect::AskPointer { id } => {
                self.locating =
                    Some(context.spawn(watch::locate(self.dependencies.clone(), context.inbox().clone(), id)));
            }
            FocusEffect::AskTree { id, request } => {
                self.began = Some((Stage::PickToSound, Instant::now()));
                let reply = answer_by(context.inbox(), move |answer| FocusMessage::Tree { id, answer });
                // A refused question drops its reply, which answers it, so the wait always ends.
                drop(self.dependencies.uia.post(UiaMessage::Pick { request, reply }));
            }
            FocusEffect::AskRecognition { id, request, searched } => {
                let reply = answer_by(context.inbox(), move |answer| FocusMessage::Recognised { id, answer });
                drop(self.dependencies.ocr.post(OcrMessage::Pick { request, searched, reply }));
            }
            FocusEffect::AskLines { id, request } => {
                let reply = answer_by(context.inbox(), move |answer| FocusMessage::Lines { id, answer });
                drop(self.dependencies.uia.post(UiaMessage::Lines { request, reply }));
            }
            FocusEffect::AskRows { id, request, extent } => {
                let reply = answer_by(context.inbox(), move |answer| FocusMessage::Rows { id, answer });
                drop(self.dependencies.uia.post(UiaMessage::Rows { request, extent, reply }));
            }
            FocusEffect::AskFocused { id } => {
                self.locating =
                    Some(context.spawn(watch::locate_focus(self.dependencies.clone(), context.inbox().clone(), id)));
            }
            FocusEffect::Translate { id, source, to, fidelity } => {
                self.end_work();
                let (pieces, reader) = bounded(PIECES_CAPACITY);
                let (ended, end) = tokio::sync::oneshot::channel();
                let reply = Reply::new(move |answer| drop(ended.send(answer)));
                let request = Translate { id, source, to, fidelity, pieces, reply };
                drop(self.dependencies.language_tasks.post(LanguageTaskMessage::Translate(request)));
                let inbox = context.inbox().clone();
                self.language_task = Some(id);
                self.pieces = Some(context.spawn(async move {
                    while let Ok(piece) = reader.recv().await {
                        // A refused piece is counted by the inbox; losing a sentence is better than ending the translation.
                        drop(inbox.post(FocusMessage::Translated { id, piece }));
                    }
                    // Posted from here, because the reply itself would overtake the last pieces.
                    let answer = end.await.unwrap_or(Err(NoReply::Crashed));
                    drop(inbox.post(FocusMessage::TranslationEnded { id, answer }));
                }));
            }
            FocusEffect::Summarize { id, text, to } => {
                self.end_work();
                let reply = answer_by(context.inbox(), move |answer| FocusMessage::Summarized { id, answer });
                drop(self.dependencies.language_tasks.post(LanguageTaskMessage::Summarize(Summarize {
                    id,
                    text,
                    to,
                    reply,
                })));
                self.language_task = Some(id);
            }
            FocusEffect::EndSearch => {
                // A refused message is harmless: the answer carries the id of a search that no longer counts.
                drop(self.dependencies.uia.post(UiaMessage::EndPick));
                drop(self.dependencies.ocr.post(OcrMessage::EndPick));
            }
            FocusEffect::EndWork => self.end_work(),
            FocusEffect::ReadOn(part) => self.speak(TtsMessage::ReadOn(part)),
            FocusEffect::Read(request) => {
                self.unheard = self.began.take().map(|(stage, began)| (request.id, stage, began));
                self.speak(TtsMessage::Read(request));
            }
            FocusEffect::Say(phrase, timing) => {
                let lang = (self.dependencies.settings)().lang;
                let text = phrase.text(lang).to_owned();
                self.speak(TtsMessage::Say(SpokenNotice { id: RequestId::next(), text, lang, timing }));
            }
            FocusEffect::SayOf { name, phrase } => {
                let lang = (self.dependencies.settings)().lang;
                let (id, text) = (RequestId::next(), format!("{name}: {}", phrase.text(lang)));
                self.speak(TtsMessage::Say(SpokenNotice { id, text, lang, timing: NoticeTiming::Now }));
            }
            FocusEffect::SayText(text) => {
                let lang = (self.dependencies.settings)().lang;
                self.speak(TtsMessage::Say(SpokenNotice {
                    id: RequestId::next(),
                    text,
                    lang,
                    timing: NoticeTiming::Now,
                }));
            }
            FocusEffect::NextSentence { id } => self.speak(TtsMessage::Next { id }),
            FocusEffect::PreviousSentence { id } => self.speak(TtsMessage::Previous { id }),
            FocusEffect::Forget => self.speak(TtsMessage::Forget),
            FocusEffect::StartTimer { generation, after } => {
                context.send_after(after, FocusMessage::Timer { generation }).detach();
            }
            FocusEffect::WatchPointer(on) => {
                let follow =
                    || context.spawn_service(watch::follow(self.dependencies.clone(), context.inbox().clone()));
                self.pointer_watch = on.then(follow);
            }
            FocusEffect::WatchKeyboardFocus(on) => {
                let follow = || {
                    let moves = watch::follow_focus(
                        self.dependencies.clone(),
                        context.inbox().clone(),
                        self.focus_moved.clone(),
                        self.entered_windows.clone(),
                    );
                    context.spawn_service(moves)
                };
                self.focus_watch = on.then(follow);
            }
            FocusEffect::WatchEscape(on) => {
                let follow =
                    || context.spawn_service(watch::escape(self.dependencies.clone(), context.inbox().clone()));
                self.escape_watch = on.then(follow);
            }
            FocusEffect::Publish(event) => (self.dependencies.publish)(event),
            FocusEffect::CountPick { method, outcome } => {
                if outcome != "success" {
                    self.began = None;
                }
                metrics::counter!(metric_names::PICKS, "method" => method, "outcome" => outcome).increment(1);
                metrics::counter!(metric_names::OUTCOMES, "outcome" => request_outcome::of(outcome)).increment(1);
            }
        }
    }

    /// Cancels the language task of focus mode at its next token.
    fn end_work(&mut self) {
        self.pieces = None;
        if let Some(id) = self.language_task.take() {
            drop(self.dependencies.language_tasks.post(LanguageTaskMessage::Cancel { id }));
        }
    }

    fn speak(&self, message: TtsMessage) {
        let kind = message.kind();
        if self.dependencies.tts.post(message).is_err() {
            tracing::error!(kind, "The speech actor's inbox refused an order.");
        }
    }
}

/// A reply that posts its answer to `inbox` as a message.
fn answer_by<T: Send + 'static>(
    inbox: &Inbox<FocusMessage>,
    make: impl FnOnce(Result<T, luna_messages::NoReply>) -> FocusMessage + Send + 'static,
) -> Reply<T> {
    let inbox = inbox.clone();
    Reply::new(move |answer| drop(inbox.post(make(answer))))
}

#[async_trait]
impl Actor for FocusActor {
    type Message = FocusMessage;
    const NAME: &'static str = "focus";

    async fn started(&mut self, _: &ActorContext<FocusMessage>) -> Result<(), ActorError> {
        (self.dependencies.publish)(BusEvent::FocusState { state: self.focus.state().name().to_owned() });
        Ok(())
    }

    async fn handle(&mut self, message: FocusMessage, context: &ActorContext<FocusMessage>) -> Result<(), ActorError> {
        let event = match message {
            FocusMessage::Command { id, command } => {
                // The next reading results from the command, unless the command picks.
                self.began = None;
                FocusEvent::Command(id, command)
            }
            FocusMessage::Wish { id, wish } => FocusEvent::Wish(id, wish),
            FocusMessage::Pointer { id, at } => FocusEvent::Pointer(id, at),
            FocusMessage::CursorMoved(point) => FocusEvent::CursorMoved(point),
            FocusMessage::KeyboardFocus { id, mut change } => {
                if change.entered.is_empty() {
                    change.entered = self.entered_windows.take();
                }
                if let Some(event_at) = self.focus_moved.take() {
                    record_stage(Stage::Focus, event_at.elapsed());
                    self.began = Some((Stage::FocusToSound, event_at));
                }
                FocusEvent::KeyboardFocus(id, change)
            }
            FocusMessage::Focused { id, change } => FocusEvent::Focused(id, change),
            FocusMessage::Tree { id, answer } => FocusEvent::Tree(id, answer),
            FocusMessage::Recognised { id, answer } => FocusEvent::Recognised(id, answer),
            FocusMessage::Lines { id, answer } => FocusEvent::Lines(id, answer),
            FocusMessage::Rows { id, answer } => FocusEvent::Rows(id, answer),
            FocusMessage::Translated { id, piece } => FocusEvent::Translated(id, piece),
            FocusMessage::TranslationEnded { id, answer } => {
                self.language_task.take_if(|language_task| *language_task == id);
                FocusEvent::TranslationEnded(id, answer)
            }
            FocusMessage::Summarized { id, answer } => {
                self.language_task.take_if(|language_task| *language_task == id);
                FocusEvent::Summarized(id, answer)
            }
            FocusMessage::Speech(event) => {
                if let SpeechEvent::Sentence { id, .. } = &event
                    && let Some((_, stage, began)) = self.unheard.take_if(|(unheard, ..)| unheard == id)
                {
                    record_stage(stage, began.elapsed());
                }
                FocusEvent::Speech(event)
            }
            FocusMessage::Timer { generation } => FocusEvent::Timer(generation),
        };
        self.focus.set_settings((self.dependencies.settings)());
        let attends = matches!(event, FocusEvent::KeyboardFocus(..));
        let effects = self.focus.step(event);
        let reads = effects.iter().any(|effect| matches!(effect, FocusEffect::Read(_)));
        if attends && !reads {
            // Nothing is read of this move.
            self.began = None;
        }
        // A pick without a cause was triggered by the pointer or by the keyboard focus alone: a trace begins here.
        let picks = effects.iter().any(|effect| matches!(effect, FocusEffect::AskTree { .. }));
        let beginning = match Cause::current().is_none() {
            true if picks => Some("pointer"),
            true if attends && reads => Some("keyboard_focus"),
            _ => None,
        };
        let cause = beginning.map_or_else(Cause::current, |name| self.dependencies.traces.begin(name));
        cause.scope(|| effects.into_iter().for_each(|effect| self.perform(effect, context)));
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<FocusMessage>) {
        (self.locating, self.pointer_watch, self.focus_watch, self.escape_watch) = (None, None, None, None);
        self.end_work();
    }
}
