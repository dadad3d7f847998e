//! A scene under a virtual clock: a person, Luna, voice activity and a recogniser with given delays. The words are scripted, understanding is real.

use std::sync::OnceLock;
use std::time::Duration;

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::engine::{SoundExtent, TranscribedSegment};
use luna_messages::listening::{HeardOutcome, SamplePosition, VoiceEvent};
use luna_messages::tts::SpeechEvent;
use luna_messages::understanding::{Interpretation, UtteranceInput, WakeCall};
use luna_messages::{Lang, RequestId};
use luna_nlu::{Understanding, Vocabulary};

use crate::signal::HeardPlace;
use crate::turn::{TurnEffect, TurnEvent, TurnMachine, TurnSettings, UtteranceRules};

/// Real understanding.
pub struct TestRules(Understanding);

impl UtteranceRules for TestRules {
    fn understand(&self, utterance: &UtteranceInput) -> Interpretation {
        self.0.understand(utterance)
    }

    fn wake(&self, text: &str) -> WakeCall {
        self.0.wake_call(text)
    }
}

pub fn rules() -> &'static TestRules {
    static RULES: OnceLock<TestRules> = OnceLock::new();
    RULES.get_or_init(|| TestRules(Understanding::new(&Vocabulary::default())))
}

/// A voice: its words with the millisecond at which each ends.
#[derive(Debug, Clone)]
pub struct SaidVoice {
    pub from_ms: u64,
    pub words: Vec<(&'static str, u64)>,
    pub own: f32,
    /// The share of its newest part, if it differs.
    pub own_now: Option<f32>,
}

/// Words from `from_ms` on, 400 ms each.
pub fn said(from_ms: u64, words: &'static str) -> SaidVoice {
    let words = words.split(' ').enumerate().map(|(n, word)| (word, from_ms + 400 * (n as u64 + 1))).collect();
    SaidVoice { from_ms, words, own: 0.0, own_now: None }
}

impl SaidVoice {
    pub fn to_ms(&self) -> u64 {
        self.words.last().map_or(self.from_ms, |(_, end)| *end)
    }
}

/// What a scene does, with its time.
pub type Doing = (u64, TurnEffect);

/// Who speaks when, and how long the recogniser takes.
pub struct TurnScene {
    pub machine: TurnMachine,
    pub voices: Vec<SaidVoice>,
    /// When Luna reads, and what.
    pub reading: Vec<(u64, SpeechEvent)>,
    /// Other events.
    pub events: Vec<(u64, fn() -> TurnEvent)>,
    /// How long the recogniser takes for a window and for a whole utterance.
    pub window_ms: u64,
    pub whole_ms: u64,
    pub until_ms: u64,
}

/// Quiet before the first word and after the last one that belongs to a voice.
const LEAD_MS: u64 = crate::signal::LEAD.as_millis() as u64;
const TAIL_MS: u64 = crate::signal::TAIL.as_millis() as u64;
/// Delay from the first sound of a voice until it is noticed, and from its last until it counts as ended.
pub const ONSET_MS: u64 = 80;
pub const HANG_OVER_MS: u64 = 550;

impl TurnScene {
    pub fn new(settings: TurnSettings, voices: Vec<SaidVoice>) -> Self {
        let machine = TurnMachine::new(settings);
        Self { machine, voices, reading: vec![], events: vec![], window_ms: 150, whole_ms: 600, until_ms: 12_000 }
    }

    /// Luna reads from 0 on, for the whole scene.
    pub fn reading(mut self, text: &str) -> Self {
        self.reading.push((0, sentence(text, false)));
        self
    }

    /// What happens.
    pub fn play(&mut self) -> Vec<Doing> {
        let mut done = Vec::new();
        let mut answers: Vec<(u64, RequestId, Option<String>)> = Vec::new();
        for now in (0..self.until_ms).step_by(10) {
            let heard = now * 16;
            let mut events: Vec<TurnEvent> = Vec::new();
            events.extend(
                self.reading.iter().filter(|(at, _)| *at == now).map(|(_, event)| TurnEvent::Speech(event.clone())),
            );
            events.extend(self.events.iter().filter(|(at, _)| *at == now).map(|(_, event)| event()));
            for voice in &self.voices {
                let (from, to, own) = (voice.from_ms.saturating_sub(LEAD_MS) * 16, voice.to_ms() * 16, voice.own);
                if voice.from_ms + ONSET_MS == now {
                    events.push(TurnEvent::Voice { event: VoiceEvent::Onset { from, own }, heard });
                }
                if voice.to_ms() + HANG_OVER_MS == now {
                    events
                        .push(TurnEvent::Voice { event: VoiceEvent::End { from, to: to + TAIL_MS * 16, own }, heard });
                }
            }
            let due = |(at, ..): &(u64, RequestId, Option<String>)| *at <= now;
            events.extend(answers.extract_if(.., |answer| due(answer)).map(|(_, id, text)| TurnEvent::Transcribed {
                id,
                segments: text.map(|text| if text.is_empty() { vec![] } else { vec![segment(text)] }),
            }));
            if self.machine.needs_ticks() {
                let begun = self.voices.iter().filter(|voice| voice.from_ms <= now);
                let voiced = begun.map(|voice| voice.to_ms().min(now) * 16).max().unwrap_or(0);
                let last = self.voices.iter().rfind(|voice| voice.from_ms <= now);
                let own = last.map_or(0.0, |voice| voice.own);
                let own_now = last.and_then(|voice| voice.own_now).unwrap_or(own);
                events.push(TurnEvent::Tick(HeardPlace { heard, voiced, own, own_now }));
            }
            for event in events {
                for effect in self.machine.step(event, Duration::from_millis(now), rules()) {
                    match &effect {
                        TurnEffect::Transcribe { id, from, to, extent } => {
                            let takes = if *extent == SoundExtent::Window { self.window_ms } else { self.whole_ms };
                            answers.push((now + takes, *id, Some(self.words(*from, *to))));
                        }
                        TurnEffect::Cancel { id } => answers.retain(|(_, other, _)| other != id),
                        _ => {}
                    }
                    done.push((now, effect));
                }
            }
        }
        done
    }

    /// The words that lie wholly in a stretch.
    fn words(&self, from: SamplePosition, to: SamplePosition) -> String {
        let mut words = Vec::new();
        for voice in &self.voices {
            let mut begins = voice.from_ms;
            for (word, ends) in &voice.words {
                if begins * 16 >= from && ends * 16 <= to {
                    words.push(*word);
                }
                begins = *ends;
            }
        }
        words.join(" ")
    }
}

pub fn sentence(text: &str, notice: bool) -> SpeechEvent {
    SpeechEvent::Sentence { id: RequestId(7), idx: 0, of: 1, text: text.to_owned(), lang: Lang::Ko, notice }
}

pub fn segment(text: String) -> TranscribedSegment {
    TranscribedSegment { text, start_ms: 0, end_ms: 0, lang: Lang::Ko, confidence: 0.9, no_speech: 0.0 }
}

/// The reflexes that were obeyed, with their times.
pub fn reflexes(done: &[Doing]) -> Vec<(u64, Command)> {
    let reflex = |(at, effect): &Doing| match effect {
        TurnEffect::Reflex(command) => Some((*at, *command)),
        _ => None,
    };
    done.iter().filter_map(reflex).collect()
}

/// The outcomes, with their times.
pub fn outcomes(done: &[Doing]) -> Vec<(u64, HeardOutcome)> {
    let outcome = |(at, effect): &Doing| match effect {
        TurnEffect::Publish(BusEvent::SttUnderstood { outcome, .. }) => Some((*at, *outcome)),
        _ => None,
    };
    done.iter().filter_map(outcome).collect()
}

/// When Luna becomes quiet and when it goes on.
pub fn quiet(done: &[Doing]) -> Vec<(u64, &'static str)> {
    let named = |(at, effect): &Doing| match effect {
        TurnEffect::Duck => Some((*at, "duck")),
        TurnEffect::Unduck { from_word: true } => Some((*at, "word")),
        TurnEffect::Unduck { from_word: false } => Some((*at, "on")),
        TurnEffect::Cut { .. } => Some((*at, "cut")),
        _ => None,
    };
    done.iter().filter_map(named).collect()
}
