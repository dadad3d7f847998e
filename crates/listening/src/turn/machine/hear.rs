//! From a voice to its words: onset, windows, the end.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::engine::{SoundExtent, TranscribedSegment};
use luna_messages::listening::{HeardOutcome, SamplePosition};
use luna_text::language;
use zeroize::Zeroizing;

use super::{LATEST_ANSWER, LATEST_REJECTION, LONGEST_QUIET, MOST_VOICES, TurnEffect, TurnMachine, UnheldVoice};
use crate::signal::{HeardPlace, LEAD, TAIL};
use crate::turn::calls::UtteranceRules;
use crate::turn::phrases::SpokenPhrase;
use crate::turn::positions::{duration, samples};
use crate::turn::settings::Addressing;
use crate::turn::verdict::{HearingSituation, is_addressed};
use crate::turn::voice::{HeardVoice, OpenWindow, VoiceEnd, VoiceState};
use crate::turn::windows;

/// Share of a sound from which it counts as Luna's own voice, and nobody's: at its onset, and as a whole. Measured on recordings that were mixed with
/// Luna's voice in two rooms: of people at most 0.93 at the onset (mostly below 0.6) and 0.58 as a whole; of Luna alone 0.92 to 0.97 at the onset.
const OWN_AT_ONSET: f32 = 0.94;
pub(super) const OWN_AS_A_WHOLE: f32 = 0.62;
/// Share of the newest sound below which a voice that seemed to be Luna's own is a person's, and how long they may have been speaking.
const OWN_NO_LONGER: f32 = 0.8;
const JOINED: Duration = Duration::from_millis(600);
/// Speech in which the wake word must come, if nobody called Luna: it comes first, behind a hesitation at most. Then nothing of what follows is
/// transcribed, for the sake of privacy and of the processor.
const TIME_TO_CALL: Duration = Duration::from_millis(2500);
/// Rejections of Luna's own voice in a row, after which it becomes quiet only for a voice of which its playback explains less than this share: the
/// canceller does not get along with this room.
const MOST_ECHOES: u32 = 2;
const ECHO_AT_ONSET: f32 = 0.6;
/// Sound after the last voiced one that a window needs to have all words: a soft consonant at the end.
const FINAL: Duration = Duration::from_millis(100);
/// Voiced sound after a command that was obeyed, from which it may be another one.
const LEAST_REST: Duration = Duration::from_millis(250);
/// A voice so short is a blip: what was said meanwhile was heard, and is not said again.
const BLIP: Duration = Duration::from_millis(250);
/// Sound without a new word, after which Luna goes on although the voice does: recognisers write the words of
/// people who speak more often.
const NO_NEWS: Duration = Duration::from_millis(1200);
/// Windows in a row with many words that are not for Luna, after which it goes on although the voice does.
const STRANGE_WINDOWS: u32 = 2;

impl TurnMachine {
    pub(super) fn onset(
        &mut self,
        from: SamplePosition,
        own: f32,
        heard: SamplePosition,
        now: Duration,
        effects: &mut Vec<TurnEffect>,
    ) {
        // A voice that never ended, because its end was lost.
        for voice in &mut self.voices {
            if voice.end.is_none() && voice.obeyed.is_some() {
                voice.state = VoiceState::Decided;
            }
            voice.end.get_or_insert(VoiceEnd { to: from, at: now });
        }
        let began = now.saturating_sub(duration(heard.saturating_sub(from)).saturating_sub(LEAD));
        if self.settings.addressing == Addressing::Hold && !self.held {
            self.unheld = Some(UnheldVoice { from, began, own });
            return;
        }
        // Luna's own voice is not listened to (BRG-6).
        let voice = UnheldVoice { from, began, own };
        if own < OWN_AT_ONSET || !self.borders.speaks() {
            self.listen_to(voice, effects);
        } else {
            self.suspected = Some(voice);
        }
    }

    /// The key for speaking was pressed, or let go.
    pub(super) fn hold(&mut self, down: bool, effects: &mut Vec<TurnEffect>) {
        self.held = down;
        let voice = self.unheld.take_if(|_| down);
        if let Some(voice) = voice {
            self.listen_to(voice, effects);
        }
        for voice in self.voices.iter_mut().filter(|voice| voice.end.is_none()) {
            voice.expected |= down;
        }
    }

    fn listen_to(&mut self, UnheldVoice { from, began, own }: UnheldVoice, effects: &mut Vec<TurnEffect>) {
        let mut voice = HeardVoice::new(from, began, own);
        // Who called a moment ago is not done yet, though the call is still being transcribed.
        let called = self.voices.iter().any(|voice| voice.called);
        voice.expected = self.held || called || self.now < self.attention;
        effects.push(TurnEffect::Publish(BusEvent::SttOnset {}));
        voice.interrupts = self.borders.speaks();
        voice.is_talk = self.talk_ended > 0 && from <= self.talk_ended + samples(LEAD);
        let is_echo = self.echoes >= MOST_ECHOES && own >= ECHO_AT_ONSET;
        voice.keeps_quiet = voice.interrupts && self.settings.barge_in && !voice.is_talk && !is_echo;
        (voice.may_duck_again, voice.quiet_since) = (voice.keeps_quiet, self.now);
        if voice.keeps_quiet {
            self.duck(effects);
        }
        if self.voices.len() == MOST_VOICES {
            self.voices.remove(0);
        }
        self.voices.push(voice);
    }

    pub(super) fn end(
        &mut self,
        to: SamplePosition,
        own: f32,
        heard: SamplePosition,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        (self.unheld, self.suspected) = (None, None);
        let Some(at) = self.voices.iter().rposition(|voice| voice.end.is_none()) else { return };
        let now_quiet = duration(heard.saturating_sub(to));
        let voice = &mut self.voices[at];
        // What follows the last voiced sound is quiet; a window that has a bit of it has all words, and another one would only cost time.
        let all_words = voice.voiced.max(to.saturating_sub(samples(TAIL))) + samples(FINAL);
        if voice.voiced > voice.from {
            if voice.window.is_none() && voice.covered >= all_words {
                voice.covered = voice.covered.max(to);
            } else if let Some(window) = voice.window.as_mut().filter(|window| window.to >= all_words) {
                window.to = window.to.max(to);
            }
        }
        let tail = duration(to.saturating_sub(voice.voiced.max(voice.from))).min(TAIL);
        let ended = now.saturating_sub(now_quiet + tail);
        voice.end = Some(VoiceEnd { to, at: ended });
        voice.voiced = to;
        voice.own = if voice.joined_in { voice.own } else { own };
        let own = voice.own;
        if voice.is_talk {
            self.talk_ended = to;
        }
        let voice = &self.voices[at];
        if voice.state != VoiceState::Open {
            return;
        }
        let (from, interrupts) = (voice.began, voice.interrupts);
        if voice.obeyed.is_some() {
            let rest = duration(to.saturating_sub(voice.covered + samples(TAIL)));
            if rest >= LEAST_REST && own < OWN_AS_A_WHOLE {
                self.close(at, effects);
            } else {
                self.voices[at].state = VoiceState::Decided;
            }
            return;
        }
        if self.borders.covers(from, ended, self.settings.safety_gate) {
            return self.reject(at, HeardOutcome::AtTheBorder, "", effects);
        }
        if own >= OWN_AS_A_WHOLE {
            return self.reject(at, HeardOutcome::OwnVoice, "", effects);
        }
        if !interrupts && is_addressed(self.situation(at), &self.settings, self.voices[at].called) {
            return self.close(at, effects);
        }
        let voice = &self.voices[at];
        if voice.window.is_none() && windows::is_covered(voice) {
            return self.conclude(at, now, rules, effects);
        }
        // A window that has the end already is awaited; an older one comes too late to matter.
        // While a call is looked for, each has a beginning that the next may lack.
        if let Some(window) = voice.window.filter(|window| window.to < to && voice.interrupts) {
            effects.push(TurnEffect::Cancel { id: window.id });
            self.voices[at].window = None;
        }
        self.request_window(at, heard, effects);
    }

    pub(super) fn tick(&mut self, place: HeardPlace, now: Duration, effects: &mut Vec<TurnEffect>) {
        let HeardPlace { heard, voiced, own, own_now } = place;
        self.forget(now);
        if let Some(voice) = self.suspected.take_if(|_| own_now < OWN_NO_LONGER) {
            // A person began softly, or joined in: what was before is Luna's.
            let from = voice.from.max(heard.saturating_sub(samples(JOINED)));
            let began = voice.began.max(now.saturating_sub(JOINED));
            self.listen_to(UnheldVoice { from, began, own: own_now }, effects);
            self.voices.iter_mut().filter(|voice| voice.end.is_none()).for_each(|voice| voice.joined_in = true);
        }
        for at in 0..self.voices.len() {
            if self.voices[at].end.is_none() {
                self.voices[at].voiced = voiced.max(self.voices[at].from);
                let voice = &mut self.voices[at];
                voice.own = if voice.joined_in { voice.own.min(own_now) } else { own };
            }
            self.request_window(at, heard, effects);
        }
        // A slow recogniser does not keep Luna quiet; its words still count when they come.
        let late = |voice: &HeardVoice| {
            let is_for_luna = voice.called || matches!(voice.state, VoiceState::Closing(_));
            let latest = if is_for_luna { LATEST_ANSWER } else { LATEST_REJECTION };
            let over = |end: VoiceEnd| now.saturating_sub(end.at) >= latest;
            let lasts =
                || voice.end.is_none() && !voice.called && now.saturating_sub(voice.quiet_since) >= LONGEST_QUIET;
            voice.keeps_quiet && (voice.end.is_some_and(over) || lasts())
        };
        let mut freed = false;
        for voice in self.voices.iter_mut().filter(|voice| late(voice)) {
            voice.keeps_quiet = false;
            voice.is_talk |= voice.end.is_none();
            freed = true;
        }
        if freed {
            self.go_on(true, effects);
        }
    }

    /// Requests the next window of a voice, if one is due.
    fn request_window(&mut self, at: usize, heard: SamplePosition, effects: &mut Vec<TurnEffect>) {
        let (voice, settings) = (&mut self.voices[at], &self.settings);
        let Some((from, to)) = windows::due(voice, heard, settings) else { return };
        let id = RequestId::next();
        voice.window = Some(OpenWindow { id, to });
        effects.push(TurnEffect::Transcribe { id, from, to, extent: SoundExtent::Window });
    }

    /// Requests the transcript of a whole voice.
    pub(super) fn close(&mut self, at: usize, effects: &mut Vec<TurnEffect>) {
        let voice = &mut self.voices[at];
        let Some(end) = voice.end else { return };
        effects.extend(voice.window.take().map(|window| TurnEffect::Cancel { id: window.id }));
        let id = RequestId::next();
        voice.state = VoiceState::Closing(id);
        effects.push(TurnEffect::Transcribe { id, from: voice.from, to: end.to, extent: SoundExtent::Utterance });
    }

    pub(super) fn partial(&self, id: RequestId, text: String, effects: &mut Vec<TurnEffect>) {
        let voice = self.voices.iter().find(|voice| voice.awaits(id));
        if voice.is_some_and(|voice| !self.own.are(&text, voice.own)) && !text.is_empty() {
            effects.push(TurnEffect::Publish(BusEvent::SttPartial { text }));
        }
    }

    pub(super) fn transcribed(
        &mut self,
        id: RequestId,
        segments: Option<Vec<TranscribedSegment>>,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        let Some(at) = self.voices.iter().position(|voice| voice.awaits(id)) else { return };
        let failed = segments.is_none();
        let segments = segments.unwrap_or_default();
        let texts: Vec<&str> =
            segments.iter().map(|segment| segment.text.trim()).filter(|text| !text.is_empty()).collect();
        let text = texts.join(" ");
        if self.voices[at].state == VoiceState::Closing(id) {
            if !text.is_empty() {
                let lang =
                    segments.first().map_or_else(|| language::by_script(&text, self.settings.lang), |first| first.lang);
                effects.push(TurnEffect::Publish(BusEvent::SttFinal { text: text.clone(), lang }));
            }
            if failed {
                return self.not_transcribed(at, effects);
            }
            return self.finish(at, &text, now, rules, effects);
        }
        let voice = &mut self.voices[at];
        if let Some(window) = voice.window.take() {
            voice.covered = voice.covered.max(window.to);
        }
        if failed && voice.end.is_some() {
            return self.reject(at, HeardOutcome::NoWords, "", effects);
        }
        self.window_words(at, text, now, rules, effects);
    }

    /// The recogniser failed with a whole voice. Who called Luna learns it (KER-9).
    fn not_transcribed(&mut self, at: usize, effects: &mut Vec<TurnEffect>) {
        let voice = &self.voices[at];
        if (voice.called || voice.expected) && voice.obeyed.is_none() {
            effects.push(TurnEffect::Say(SpokenPhrase::NotHeard));
            self.await_answer(voice.called);
        }
        self.reject(at, HeardOutcome::NotTranscribed, "", effects);
    }

    /// The words of a window came.
    fn window_words(
        &mut self,
        at: usize,
        text: String,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        let voice = &self.voices[at];
        let own = self.own.are(&text, voice.own);
        let is_new = text != *voice.words && !text.is_empty();
        if is_new && !own {
            effects.push(TurnEffect::Publish(BusEvent::SttPartial { text: text.clone() }));
        }
        if !own && self.handle_window(at, &text, now, rules, effects) {
            return;
        }
        let voice = &mut self.voices[at];
        let text = if own { String::new() } else { text };
        // Old words leave a window at its beginning.
        let news = !voice.words.ends_with(&text);
        if news {
            voice.news = voice.covered;
        }
        voice.words = Zeroizing::new(text);
        if voice.end.is_some() {
            if windows::is_covered(&self.voices[at]) {
                self.conclude(at, now, rules, effects);
            }
            return;
        }
        let voice = &self.voices[at];
        let heard = duration(voice.covered.saturating_sub(voice.from));
        let addressed = is_addressed(self.situation(at), &self.settings, voice.called);
        if !voice.interrupts && !addressed && heard >= TIME_TO_CALL {
            return self.reject(at, HeardOutcome::NotAddressed, "", effects);
        }
        if voice.interrupts && !voice.called && voice.strange >= STRANGE_WINDOWS {
            // It may still say something for Luna, so it is listened to; Luna does not wait for it.
            (self.voices[at].keeps_quiet, self.voices[at].is_talk) = (false, true);
            self.go_on(true, effects);
        } else if voice.keeps_quiet && !voice.called && duration(voice.covered.saturating_sub(voice.news)) >= NO_NEWS {
            // The signal takes a murmur in the room for the voice that goes on. Luna listens, but does not wait.
            self.voices[at].keeps_quiet = false;
            self.go_on(true, effects);
        } else if news && voice.may_duck_again && !voice.keeps_quiet && !voice.is_talk {
            self.voices[at].may_duck_again = false;
            (self.voices[at].keeps_quiet, self.voices[at].quiet_since) = (true, now);
            self.duck(effects);
        }
    }

    /// The situation in which a voice is heard.
    pub(super) fn situation(&self, at: usize) -> HearingSituation {
        let voice = &self.voices[at];
        // After a pause, and if Luna began to speak meanwhile, commands need no name either.
        let speaking = voice.interrupts || self.borders.speaks_or_paused(self.now);
        // If nobody may interrupt, words need the name as ever.
        let speaking = speaking && (self.settings.barge_in || !self.borders.speaks());
        self.situation_of(speaking, voice.expected)
    }

    /// The same of words that come while Luna is in this state.
    pub(super) const fn situation_of(&self, speaking: bool, expected: bool) -> HearingSituation {
        let about_order = self.asks_about_order;
        HearingSituation { speaking, asking: self.awaits_command || about_order, about_order, expected }
    }

    /// Nothing is done about a voice; Luna goes on.
    pub(super) fn reject(&mut self, at: usize, outcome: HeardOutcome, why: &str, effects: &mut Vec<TurnEffect>) {
        let voice = &mut self.voices[at];
        voice.state = VoiceState::Decided;
        effects.extend(voice.window.take().map(|window| TurnEffect::Cancel { id: window.id }));
        let length = voice.length().saturating_sub(LEAD + TAIL);
        effects.push(TurnEffect::Publish(BusEvent::SttUnderstood {
            kind: luna_messages::understanding::UtteranceKind::None,
            command: None,
            outcome,
            why: why.to_owned(),
        }));
        self.echoes = if outcome == HeardOutcome::OwnVoice { self.echoes + 1 } else { 0 };
        // What was Luna's own sounds the same the next time: going back to the word would never end.
        let of_luna = matches!(outcome, HeardOutcome::OwnVoice | HeardOutcome::AtTheBorder);
        self.go_on(length > BLIP && !of_luna, effects);
    }
}
