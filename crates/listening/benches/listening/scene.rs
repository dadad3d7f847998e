//! A scene in virtual time: a microphone in a room, people, noise, Luna's playback and its echo, the signal chain, the machine of turns and a scripted
//! recogniser. Everything that Luna does feeds back into what the microphone takes.

use std::time::Duration;

use luna_listening::signal::{SignalChain, SignalSettings};
use luna_listening::turn::{TurnEffect, TurnEvent, TurnMachine, TurnSettings, UtteranceRules};
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::engine::{SoundExtent, TranscribedSegment};
use luna_messages::listening::HeardOutcome;
use luna_messages::understanding::{Interpretation, UtteranceInput, WakeCall};
use luna_messages::{Lang, RequestId};
use luna_nlu::Understanding;

use crate::likeness::share_left;
use crate::luna::{LunaPlayback, LunaVoice, TimedWord};
use crate::sounds::{RATE, Random};

/// Samples per step, 10 ms.
pub const BLOCK: usize = 160;
/// Steps between ticks: 30 ms, as in the Listening actor.
const TICK: usize = 3;
/// Share of a word that must lie in a window for the recogniser to hear it.
const HEARD_WORD: f32 = 0.6;

pub struct BenchRules(pub Understanding);

impl UtteranceRules for BenchRules {
    fn understand(&self, utterance: &UtteranceInput) -> Interpretation {
        self.0.understand(utterance)
    }

    fn wake(&self, text: &str) -> WakeCall {
        self.0.wake_call(text)
    }
}

/// How Luna's playback reaches the microphone.
#[derive(Debug, Clone, Copy)]
pub struct EchoPath {
    pub delay_ms: usize,
    /// Level beside what is played, in dB.
    pub level: f32,
    /// Time in which the sound of the room fades by 60 dB, in seconds.
    pub reverberation: f32,
}

impl EchoPath {
    /// DelaySamples and factors of an impulse response.
    pub fn taps(&self) -> Vec<(usize, f32)> {
        let mut random = Random(5);
        let length = (self.reverberation * 0.6 * RATE as f32) as usize;
        let fade = |i: usize| (-6.9 * i as f32 / (self.reverberation * RATE as f32)).exp();
        let mut response: Vec<f32> = (0..length).map(|i| 0.25 * random.next() * fade(i)).collect();
        response[0] = 1.0;
        // Sparse reflections keep an hour affordable.
        let sparse = || response.iter().enumerate().filter(|(i, _)| i % 23 == 0);
        let energy: f32 = sparse().map(|(_, tap)| tap * tap).sum();
        let norm = 10_f32.powf(self.level / 20.0) / energy.sqrt();
        sparse().map(|(i, tap)| (i + self.delay_ms * RATE as usize / 1000, tap * norm)).collect()
    }
}

/// What the scripted recogniser hears in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecogniserScript {
    /// Every word of Luna whose echo is in it: the worst case.
    Luna,
    /// Every word of a person in it.
    Person,
    /// The same, if at least half of the energy of their clean sound is left in the cancelled sound.
    PersonIfLeft,
}

pub struct ListeningScene<'a> {
    pub luna: Option<&'a LunaVoice>,
    pub echo: Option<EchoPath>,
    /// People, as the microphone takes them; the scene is as long.
    pub people: Vec<f32>,
    pub noise: Vec<f32>,
    pub words: Vec<TimedWord>,
    pub script: RecogniserScript,
    /// Time of the recogniser for a window and for an utterance, in milliseconds.
    pub window_ms: usize,
    pub whole_ms: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LoopEvent {
    Onset,
    Duck,
    Unduck {
        from_word: bool,
    },
    Reflex(Command),
    /// A wish, a question to a model, or a sentence about an order.
    Other(String),
    Outcome(HeardOutcome),
    /// Luna began to wait after a command.
    Stopped,
}

impl ListeningScene<'_> {
    /// What was done, with the sample at which it was.
    pub fn play(&self, rules: &BenchRules) -> Vec<(usize, LoopEvent)> {
        let taps = self.echo.map(|echo| echo.taps()).unwrap_or_default();
        let reach = taps.last().map_or(0, |(delay, _)| delay + 1);
        let mut echo = vec![0.0_f32; self.people.len() + reach + BLOCK];
        let delay = self.echo.map_or(0, |echo| echo.delay_ms * RATE as usize / 1000);
        let mut luna = self.luna.map(LunaPlayback::new);
        let mut chain = SignalChain::new(SignalSettings::default());
        let mut machine = TurnMachine::new(TurnSettings::default());
        let mut answers: Vec<(usize, RequestId, String)> = Vec::new();
        let mut done = Vec::new();
        for step in 0..self.people.len() / BLOCK {
            let now = step * BLOCK;
            let mut speech = Vec::new();
            let played = luna.as_mut().map(|luna| luna.next(BLOCK, now, &mut speech)).unwrap_or_default();
            if played.iter().any(|sample| *sample != 0.0) {
                for (delay, tap) in &taps {
                    for (sample, played) in echo[now + delay..].iter_mut().zip(&played) {
                        *sample += tap * played;
                    }
                }
            }
            let microphone: Vec<f32> =
                (now..now + BLOCK).map(|i| (self.people[i] + self.noise[i] + echo[i]).clamp(-1.0, 1.0)).collect();
            let mut voices = Vec::new();
            chain.push(&microphone, RATE, &played, RATE, &mut voices);
            let now = now + BLOCK;
            let heard = chain.heard();
            let mut events: Vec<TurnEvent> = speech.into_iter().map(TurnEvent::Speech).collect();
            events.extend(voices.into_iter().map(|event| TurnEvent::Voice { event, heard }));
            events.extend(answers.extract_if(.., |(at, ..)| *at <= now).map(|(_, id, text)| TurnEvent::Transcribed {
                id,
                segments: Some(if text.is_empty() { Vec::new() } else { vec![segment(text)] }),
            }));
            if step % TICK == 0 && machine.needs_ticks() {
                events.push(TurnEvent::Tick(chain.place()));
            }
            let time = Duration::from_micros(now as u64 * 1_000_000 / u64::from(RATE));
            let mut events = std::collections::VecDeque::from(events);
            while let Some(event) = events.pop_front() {
                for effect in machine.step(event, time, rules) {
                    let mut speech = Vec::new();
                    let mut stops = false;
                    match effect {
                        TurnEffect::Transcribe { id, from, to, extent } => {
                            let takes = if extent == SoundExtent::Window { self.window_ms } else { self.whole_ms };
                            let text = self.hear(from as usize, to as usize, delay, &chain, luna.as_ref());
                            answers.push((now + takes * RATE as usize / 1000, id, text));
                        }
                        TurnEffect::Cancel { id } => answers.retain(|(_, other, _)| *other != id),
                        TurnEffect::Duck => {
                            luna.iter_mut().for_each(LunaPlayback::duck);
                            done.push((now, LoopEvent::Duck));
                        }
                        TurnEffect::Unduck { from_word } => {
                            luna.iter_mut().for_each(|luna| luna.unduck(from_word));
                            done.push((now, LoopEvent::Unduck { from_word }));
                        }
                        TurnEffect::Reflex(command) => {
                            done.push((now, LoopEvent::Reflex(command)));
                            stops = true;
                        }
                        TurnEffect::Wish { .. }
                        | TurnEffect::Order(_)
                        | TurnEffect::Decide { .. }
                        | TurnEffect::Say(_) => {
                            done.push((now, LoopEvent::Other(format!("{effect:?}"))));
                            stops = true;
                        }
                        TurnEffect::Publish(BusEvent::SttOnset {}) => done.push((now, LoopEvent::Onset)),
                        TurnEffect::Publish(BusEvent::SttUnderstood { outcome, .. }) => {
                            done.push((now, LoopEvent::Outcome(outcome)));
                        }
                        TurnEffect::Cut { .. }
                        | TurnEffect::CancelDecide { .. }
                        | TurnEffect::Publish(_)
                        | TurnEffect::Mode(_)
                        | TurnEffect::Report(_) => {}
                    }
                    if stops && let Some(luna) = &mut luna {
                        luna.stop(&mut speech);
                        done.push((now, LoopEvent::Stopped));
                    }
                    events.extend(speech.into_iter().map(TurnEvent::Speech));
                }
            }
        }
        done
    }

    /// The words that the recogniser finds between two positions.
    fn hear(
        &self,
        from: usize,
        to: usize,
        delay: usize,
        chain: &SignalChain,
        luna: Option<&LunaPlayback<'_>>,
    ) -> String {
        if self.script == RecogniserScript::Luna {
            let aired = luna.map_or(&[][..], |luna| &luna.aired[luna.aired.len().saturating_sub(40)..]);
            let words = aired.iter().filter(|word| is_within(word.from + delay, word.to + delay, from, to));
            return words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        }
        let words: Vec<&TimedWord> = self.words.iter().filter(|word| is_within(word.from, word.to, from, to)).collect();
        if self.script == RecogniserScript::PersonIfLeft && self.share_left(&words, to, chain) < 0.5 {
            return String::new();
        }
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Share of the energy of clean words that the cancelled sound still has.
    fn share_left(&self, words: &[&TimedWord], to: usize, chain: &SignalChain) -> f32 {
        let (mut clean, mut left) = (Vec::new(), Vec::new());
        for word in words {
            let part = chain.sound(word.from as u64, word.to.min(to) as u64);
            clean.extend_from_slice(&self.people[word.from..word.from + part.samples.len()]);
            left.extend(part.samples.iter().map(|sample| f32::from(*sample) / 32_767.0));
        }
        share_left(&clean, &left)
    }
}

fn is_within(word_from: usize, word_to: usize, from: usize, to: usize) -> bool {
    let common = word_to.min(to).saturating_sub(word_from.max(from));
    common as f32 >= HEARD_WORD * word_to.saturating_sub(word_from).max(1) as f32
}

fn segment(text: String) -> TranscribedSegment {
    TranscribedSegment { text, start_ms: 0, end_ms: 0, lang: Lang::Ko, confidence: 0.9, no_speech: 0.0 }
}
