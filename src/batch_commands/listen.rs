//! Listens without a running Luna: to the microphone, or to a sound file.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use async_channel::{Receiver, Sender, bounded, unbounded};
use luna_actor_runtime::blocking::BlockingService;
use luna_config::Config;
use luna_listening::signal::SignalChain;
use luna_listening::turn::{Addressing, TurnEffect, TurnEvent, TurnMachine, UtteranceRules};
use luna_messages::bus::BusEvent;
use luna_messages::engine::{STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};
use luna_messages::reading::ReadingWish;
use luna_messages::stt::{Sound, SttMessage, Transcribe};
use luna_messages::tts::SpeechEvent;
use luna_messages::work::WorkFailure;
use luna_messages::{Lang, NoReply, Reply, RequestId};
use luna_platform::microphone::queue::{SampleConsumer, open_queued};
use luna_platform::microphone::watch::{MicrophoneWatch, REOPEN_DELAY};
use luna_platform::microphone::{Microphone, OpenMicrophone};
use luna_text::language;
use tokio::time::Instant;

use super::models::{ModelActors, TellLost};
use crate::rules;
use crate::settings;
use crate::system::System;

/// Sound that is handled at a time.
const CHUNK: Duration = Duration::from_millis(20);
/// Silence behind the end of a file, so that the last voice ends.
const SILENCE_AFTER: Duration = Duration::from_millis(1500);
/// Capacity of the queue from the microphone.
const QUEUE_SECONDS: usize = 2;
/// Time that a microphone has to open.
const OPEN_TIMEOUT: Duration = Duration::from_secs(6);

/// A sound that is there as a whole, or one that comes in its own time.
pub enum ListenSource {
    /// A sound. Time is that of the sound: a slow recogniser changes no result.
    Sound(Sound),
    /// A microphone; part of its name, or the default one.
    Microphone(Option<String>),
}

/// Something that was heard or understood.
#[derive(Debug, Clone, PartialEq)]
pub struct HeardLine {
    /// Milliseconds of sound since the beginning.
    pub at_ms: u64,
    pub event: BusEvent,
}

/// What is told while Luna listens.
#[derive(Debug, Clone, PartialEq)]
pub enum ListenNews {
    Heard(HeardLine),
    /// The microphone fails, or is heard again: a sentence for people.
    Microphone(&'static str),
}

/// An open device, and what comes from it.
type OpenedMicrophone = (Box<dyn OpenMicrophone>, SampleConsumer);

/// An answer of speech recognition.
type Answer = (RequestId, Result<Result<Vec<TranscribedSegment>, WorkFailure>, NoReply>);

/// Listens until the sound ends, or until `tell` returns false. `speaking`: as if Luna were reading aloud.
///
/// # Errors
/// If there is no microphone, or speech recognition is not available; the error says what to do.
pub async fn listen(
    config: &Config,
    system: &System,
    source: ListenSource,
    speaking: bool,
    tell_lost: TellLost,
    tell: impl FnMut(ListenNews) -> bool,
) -> anyhow::Result<()> {
    let models = ModelActors::start_shared(config, system, tell_lost);
    models.wiring.listening_full.store(!speaking, Ordering::Relaxed);
    let settings = settings::listening_settings(config, true);
    let (sender, answers) = unbounded();
    let mut listener = Listener {
        chain: SignalChain::new(settings.signal),
        machine: TurnMachine::new(settings.turns.clone()),
        rules: Arc::new(rules::spoken(&rules::vocabulary(config))),
        hint: settings.turns.hint.clone(),
        models,
        answers_to: Arc::new(sender),
        answers,
        open: 0,
        tell,
        goes_on: true,
        failure: None,
    };
    if speaking {
        let lang = settings.turns.lang;
        let text = String::new();
        let sentence = SpeechEvent::Sentence { id: RequestId::next(), idx: 0, of: 1, text, lang, notice: false };
        listener.step(TurnEvent::Speech(sentence));
    }
    if settings.turns.addressing == Addressing::Hold {
        // No key is observed here, and who starts this command speaks to it.
        listener.step(TurnEvent::Hold { down: true });
    }
    let outcome = match source {
        ListenSource::Sound(sound) => listener.sound(&sound).await,
        ListenSource::Microphone(name) => listener.microphone(system, name).await,
    };
    let failure = listener.failure.take();
    listener.models.end().await;
    outcome?;
    failure.map_or(Ok(()), |failure| Err(anyhow::Error::new(failure)))
}

struct Listener<T> {
    chain: SignalChain,
    machine: TurnMachine,
    rules: Arc<dyn UtteranceRules + Send + Sync>,
    hint: String,
    models: ModelActors,
    /// Shared by the requests under way; each sends its one answer.
    answers_to: Arc<Sender<Answer>>,
    answers: Receiver<Answer>,
    /// Requests without an answer.
    open: usize,
    tell: T,
    /// Whether anybody still reads what is told.
    goes_on: bool,
    /// Why speech recognition gives no transcripts.
    failure: Option<WorkFailure>,
}

impl<T: FnMut(ListenNews) -> bool> Listener<T> {
    /// Handles a sound in its own time: the clock stands while a transcript is awaited.
    async fn sound(&mut self, sound: &Sound) -> anyhow::Result<()> {
        let rate = STT_SAMPLE_RATE as usize;
        let silence = rate * usize::try_from(SILENCE_AFTER.as_millis()).unwrap_or_default() / 1000;
        let samples: Vec<f32> = sound.samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        let samples: Vec<f32> = samples.into_iter().chain(std::iter::repeat_n(0.0, silence)).collect();
        for chunk in samples.chunks(rate * usize::try_from(CHUNK.as_millis()).unwrap_or_default() / 1000) {
            self.hear(chunk, STT_SAMPLE_RATE);
            while self.open > 0 && self.goes_on && self.failure.is_none() {
                let answer = self.answers.recv().await?;
                self.answered(answer);
            }
            if !self.goes_on || self.failure.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Listens to a microphone until nobody reads any more. One that is lost, or gives nothing, is opened again.
    ///
    /// # Errors
    /// If there is no microphone at the beginning.
    async fn microphone(&mut self, system: &System, name: Option<String>) -> anyhow::Result<()> {
        let microphone = BlockingService::new("microphone", OPEN_TIMEOUT, system.microphone.clone());
        let open = || {
            let name = name.clone();
            microphone.ask(move |microphone: &(dyn Microphone + 'static)| {
                open_queued(microphone, name.as_deref(), QUEUE_SECONDS)
            })
        };
        let mut opened = open().await.context("the microphone does not open")??;
        // Whether the person was told that it fails, and no sound came since.
        let mut is_told = false;
        while let Some(why) = self.device(opened, &mut is_told).await {
            self.chain.reset();
            self.step(TurnEvent::Lost);
            if !std::mem::replace(&mut is_told, true) {
                self.tell_microphone(why);
            }
            opened = loop {
                // What opens again at once may still be lost at once.
                tokio::time::sleep(REOPEN_DELAY).await;
                self.take_answers();
                if !self.is_wanted() {
                    return Ok(());
                }
                if let Ok(Ok(opened)) = open().await {
                    break opened;
                }
            };
        }
        Ok(())
    }

    /// Listens to an open device; returns why it must be opened again, or none if nobody reads any more.
    async fn device(&mut self, opened: OpenedMicrophone, is_told: &mut bool) -> Option<&'static str> {
        let (device, mut samples) = opened;
        let rate = device.format().sample_rate;
        let begin = Instant::now();
        let mut watch = MicrophoneWatch::new(Duration::ZERO);
        let mut input = Vec::new();
        while self.is_wanted() {
            tokio::time::sleep(CHUNK / 2).await;
            let now = begin.elapsed();
            if device.lost().is_some() {
                return Some("The microphone is gone or another one is to be used; it is opened again.");
            }
            if watch.is_stalled(now) {
                return Some(
                    "The microphone gives no sound; it is opened again. Choose another one with --device, or start the sound server again.",
                );
            }
            input.clear();
            samples.take(usize::MAX, &mut input);
            if !input.is_empty() && watch.samples_came(now) && std::mem::take(is_told) {
                self.tell_microphone("The microphone is heard again.");
            }
            self.hear(&input, rate);
            match watch.silence(self.chain.is_silent_device(), now) {
                Some(true) => self.tell_microphone(
                    "The microphone gives nothing but silence; it is muted. Switch it on: the key or switch of the device, or the sound settings of the \
                     system.",
                ),
                Some(false) => self.tell_microphone("The microphone is heard again."),
                None => {}
            }
            self.take_answers();
        }
        None
    }

    /// Whether to go on: somebody reads, and speech recognition works.
    const fn is_wanted(&self) -> bool {
        self.goes_on && self.failure.is_none()
    }

    fn take_answers(&mut self) {
        while let Ok(answer) = self.answers.try_recv() {
            self.answered(answer);
        }
    }

    fn hear(&mut self, samples: &[f32], rate: u32) {
        let mut events = Vec::new();
        self.chain.push(samples, rate, &[], rate, &mut events);
        let place = self.chain.place();
        for event in events {
            self.step(TurnEvent::Voice { event, heard: place.heard });
        }
        if self.machine.needs_ticks() {
            self.step(TurnEvent::Tick(place));
        }
    }

    fn answered(&mut self, (id, answer): Answer) {
        self.open -= 1;
        let segments = match answer {
            Ok(Ok(segments)) => Some(segments),
            Ok(Err(failure)) => {
                // A cancelled window is no failure.
                if !matches!(failure, WorkFailure::Cancelled) {
                    self.failure = Some(failure);
                }
                None
            }
            Err(_) => None,
        };
        self.step(TurnEvent::Transcribed { id, segments });
    }

    fn step(&mut self, event: TurnEvent) {
        let now = Duration::from_millis(self.now_ms());
        let rules = self.rules.clone();
        let mut effects = VecDeque::from(self.machine.step(event, now, &*rules));
        while let Some(effect) = effects.pop_front() {
            match effect {
                TurnEffect::Transcribe { id, from, to, extent } => {
                    self.transcribe(id, self.chain.sound(from, to), extent);
                }
                TurnEffect::Cancel { id } => drop(self.models.wiring.stt.post(SttMessage::Cancel { id })),
                TurnEffect::Publish(event) => self.tell(event),
                TurnEffect::Wish { wish, .. } => self.tell_wish(wish),
                // Nothing is carried out here; what was understood was told.
                TurnEffect::Duck
                | TurnEffect::Unduck { .. }
                | TurnEffect::Cut { .. }
                | TurnEffect::CancelDecide { .. }
                | TurnEffect::Reflex(_)
                | TurnEffect::Order(_)
                | TurnEffect::Decide { .. }
                | TurnEffect::Say(_)
                | TurnEffect::Mode(_)
                | TurnEffect::Report(_) => {}
            }
        }
    }

    /// Requests a transcript.
    fn transcribe(&mut self, id: RequestId, sound: Sound, extent: SoundExtent) {
        let (pieces, reader) = bounded(1);
        let answers_to = Arc::clone(&self.answers_to);
        // The reader lives as long as the request: dropping it would cancel the work.
        let reply = Reply::new(move |answer| {
            drop(reader);
            drop(answers_to.try_send((id, answer)));
        });
        let hint = self.hint.clone();
        let request = Transcribe { id, sound, lang: None, extent, hint, partials: false, pieces, reply };
        self.open += 1;
        // A refused request is dropped, and its reply with it: that is an answer, too.
        drop(self.models.wiring.stt.post(SttMessage::Transcribe(request)));
    }

    fn tell_wish(&mut self, wish: ReadingWish) {
        let lang = language::by_script(&wish.utterance, Lang::Ko);
        let ReadingWish { utterance, intent, mode, lang_tgt, .. } = wish;
        self.tell(BusEvent::IntentRequest { utterance, text: String::new(), lang });
        self.tell(BusEvent::IntentResult { intent, mode, lang_tgt });
    }

    fn tell(&mut self, event: BusEvent) {
        if self.goes_on {
            let at_ms = self.now_ms();
            self.goes_on = (self.tell)(ListenNews::Heard(HeardLine { at_ms, event }));
        }
    }

    fn tell_microphone(&mut self, sentence: &'static str) {
        if self.goes_on {
            self.goes_on = (self.tell)(ListenNews::Microphone(sentence));
        }
    }

    fn now_ms(&self) -> u64 {
        self.chain.heard() * 1000 / u64::from(STT_SAMPLE_RATE)
    }
}

#[cfg(test)]
mod tests;
