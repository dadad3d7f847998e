//! From words to what is done.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::dsl::ReadingAnswer;
use luna_messages::language_tasks::Meaning;
use luna_messages::listening::{HeardOutcome, HeardReport};
use luna_messages::reading::{Intent, ReadingWish};
use luna_messages::understanding::{Interpretation, UtteranceKind};
use zeroize::Zeroizing;

use super::hear::OWN_AS_A_WHOLE;
use super::spoken::HeardUtterance;
use super::{ATTENTION, TurnEffect, TurnMachine};
use crate::signal::LEAD;
use crate::turn::calls::UtteranceRules;
use crate::turn::phrases::SpokenPhrase;
use crate::turn::settings::{Addressing, TurnSettings};
use crate::turn::verdict::{HearingSituation, Verdict, is_addressed, judge};
use crate::turn::voice::{ObeyedWords, VoiceState};

/// Words that are more than any command that Luna knows without its name.
const MANY_WORDS: usize = 7;

impl TurnMachine {
    /// Obeys the words of a window, if they are a reflex command (BRG-1). A command that silences is obeyed at once; another one may be the beginning of
    /// a longer sentence ("다음 주에 보자"), so a pause must follow. Returns whether it was obeyed.
    pub(super) fn handle_window(
        &mut self,
        at: usize,
        text: &str,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) -> bool {
        let situation = self.situation(at);
        let judged = judge(text, situation, &self.settings, rules);
        let voice = &mut self.voices[at];
        voice.called |= judged.call.is_called();
        let reflex = match judged.verdict {
            Verdict::Reflex(command) => Some(command),
            Verdict::Wish(_) | Verdict::Model | Verdict::Order | Verdict::Called | Verdict::Nothing(_) => None,
        };
        let many = text.split_whitespace().count() >= MANY_WORDS;
        let foreign = many && judged.verdict == Verdict::Nothing(HeardOutcome::NotAddressed);
        voice.strange = if foreign { voice.strange + 1 } else { 0 };
        let Some(command) = reflex else { return false };
        let (length, began) = (voice.length(), voice.began);
        let ended = began + length.saturating_sub(LEAD);
        let silences = command.spec().interruption.is_some();
        if length.saturating_sub(LEAD) < self.settings.debounce
            || !silences && !voice.is_settled()
            || voice.own >= OWN_AS_A_WHOLE
            || self.borders.covers(began, ended, self.settings.safety_gate)
        {
            return false;
        }
        self.carry_out(at, command, text, &judged.understood, now, effects);
        true
    }

    /// The voice ended, and the last window has all of it: is it worth a whole transcript?
    pub(super) fn conclude(
        &mut self,
        at: usize,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        let voice = &self.voices[at];
        let (words, called) = (voice.words.clone(), voice.called);
        if words.is_empty() {
            return self.reject(at, HeardOutcome::NoWords, "", effects);
        }
        let situation = self.situation(at);
        let judged = judge(&words, situation, &self.settings, rules);
        let addressed = is_addressed(situation, &self.settings, called);
        let expected = called || situation.expected || situation.asking;
        match judged.verdict {
            _ if !addressed => self.reject(at, HeardOutcome::NotAddressed, &judged.understood.why, effects),
            // A window can be wrong about what it does not know; words of reading and words to Luna are heard as a whole (STT-2).
            Verdict::Wish(_) | Verdict::Model => self.close(at, effects),
            Verdict::Nothing(outcome) if !expected => self.reject(at, outcome, &judged.understood.why, effects),
            Verdict::Reflex(command) => self.carry_out(at, command, &words, &judged.understood, now, effects),
            Verdict::Order | Verdict::Called | Verdict::Nothing(_) => self.close(at, effects),
        }
    }

    /// The whole transcript of a voice came.
    pub(super) fn finish(
        &mut self,
        at: usize,
        text: &str,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        if self.voices[at].obeyed.is_some() {
            return self.finish_rest(at, text, now, rules, effects);
        }
        if text.is_empty() {
            return self.reject(at, HeardOutcome::NoWords, "", effects);
        }
        if self.own.are(text, self.voices[at].own) {
            return self.reject(at, HeardOutcome::OwnVoice, "", effects);
        }
        let mut situation = self.situation(at);
        situation.expected |= self.voices[at].called && self.settings.addressing != Addressing::Hold;
        let judged = judge(text, situation, &self.settings, rules);
        self.asked_again &= !(judged.call.is_called() || self.voices[at].called);
        match judged.verdict {
            Verdict::Reflex(command) => self.carry_out(at, command, text, &judged.understood, now, effects),
            Verdict::Nothing(outcome) => {
                if outcome == HeardOutcome::NotUnderstood {
                    effects.push(TurnEffect::Say(SpokenPhrase::NotUnderstood));
                    let called = self.voices[at].called || judged.call.is_called();
                    self.await_answer(called);
                }
                self.reject(at, outcome, &judged.understood.why, effects);
            }
            verdict @ (Verdict::Wish(_) | Verdict::Model | Verdict::Order | Verdict::Called) => {
                self.voices[at].state = VoiceState::Decided;
                let spoken = self.spoken(at, situation, judged.call);
                let outcome = self.act(verdict, text, &spoken, now, effects);
                self.publish(&judged.understood, None, outcome, effects);
                self.end_quiet(effects);
            }
        }
    }

    /// Words that came as text: by the same rules, wake word included.
    pub(super) fn say_to(
        &mut self,
        text: &str,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        let lang = luna_text::language::by_script(text, self.settings.lang);
        effects.push(TurnEffect::Publish(BusEvent::SttFinal { text: text.to_owned(), lang }));
        let situation = self.situation_of(self.borders.speaks_or_paused(now), now < self.attention || self.held);
        // Who types can't hold a key; the name is what else tells that it is for Luna.
        let settings = match self.settings.addressing {
            Addressing::Hold => TurnSettings { addressing: Addressing::WakeOnly, ..self.settings.clone() },
            Addressing::Auto | Addressing::WakeOnly => self.settings.clone(),
        };
        let judged = judge(text, situation, &settings, rules);
        self.asked_again &= !judged.call.is_called();
        let (command, outcome) = match judged.verdict {
            Verdict::Reflex(command) => (Some(command), self.fire(command, situation.speaking, now, effects)),
            Verdict::Nothing(outcome) => {
                if outcome == HeardOutcome::NotUnderstood {
                    effects.push(TurnEffect::Say(SpokenPhrase::NotUnderstood));
                    self.await_answer(judged.call.is_called());
                }
                (None, outcome)
            }
            verdict @ (Verdict::Wish(_) | Verdict::Model | Verdict::Order | Verdict::Called) => {
                let spoken = HeardUtterance::of_program(situation, judged.call);
                (None, self.act(verdict, text, &spoken, now, effects))
            }
        };
        self.publish(&judged.understood, command, outcome, effects);
        effects.push(TurnEffect::Report(HeardReport { outcome, why: judged.understood.why }));
    }

    /// What a model decided.
    pub(super) fn decided(
        &mut self,
        id: RequestId,
        utterance: String,
        meaning: Option<Meaning>,
        effects: &mut Vec<TurnEffect>,
    ) {
        // What was said since counts more.
        if self.asked.take_if(|asked| *asked == id).is_none() {
            return;
        }
        match meaning {
            Some(Meaning::Reading(ReadingAnswer { intent, mode, lang_tgt, line_offset })) => {
                let mode = Some(mode).filter(|_| intent == Intent::Translate);
                let wish = ReadingWish { utterance, intent, mode, lang_tgt, line_offset };
                effects.push(TurnEffect::Wish { id, wish });
            }
            // It is resolved on the screen as it is now (EXE-5), and its words alone decide what is confirmed. Whoever said it, this is no answer.
            Some(Meaning::Command(_) | Meaning::Plan(_)) => {
                effects.push(TurnEffect::Order(HeardUtterance::decided(id, utterance)));
            }
            Some(Meaning::Clarify { options, .. }) => {
                let options = options.into_iter().map(|option| option.text).collect();
                effects.push(TurnEffect::Say(SpokenPhrase::WhichOne(options)));
                self.await_choice();
            }
            None => {
                effects.push(TurnEffect::Say(SpokenPhrase::NotUnderstood));
                self.await_choice();
            }
        }
    }

    /// Obeys a command that a voice is.
    fn carry_out(
        &mut self,
        at: usize,
        command: Command,
        text: &str,
        understood: &Interpretation,
        now: Duration,
        effects: &mut Vec<TurnEffect>,
    ) {
        let voice = &mut self.voices[at];
        if voice.end.is_none() && voice.obeyed.is_none() {
            // People go on: "stop, next".
            voice.obeyed = Some(ObeyedWords { text: Zeroizing::new(text.to_owned()), command, at: now });
            voice.keeps_quiet = false;
        } else {
            voice.state = VoiceState::Decided;
        }
        let (interrupts, window) = (voice.interrupts, voice.window.take());
        effects.extend(window.map(|window| TurnEffect::Cancel { id: window.id }));
        let outcome = self.fire(command, interrupts, now, effects);
        self.publish(understood, Some(command), outcome, effects);
        if outcome == HeardOutcome::Obeyed && command.spec().interruption.is_some() {
            // Nothing sounds that could be quiet.
            for voice in &mut self.voices {
                voice.keeps_quiet = false;
            }
        }
        if outcome == HeardOutcome::Repeated {
            // A repeated command is none: Luna goes on as after any other word.
            self.go_on(true, effects);
        } else {
            self.end_quiet(effects);
        }
    }

    /// What follows a command that was obeyed while the voice went on ("멈춰, 영어로 번역해 줘"). Nothing is said about words that mean nothing.
    fn finish_rest(
        &mut self,
        at: usize,
        text: &str,
        now: Duration,
        rules: &dyn UtteranceRules,
        effects: &mut Vec<TurnEffect>,
    ) {
        let situation = HearingSituation { expected: true, ..self.situation(at) };
        let voice = &mut self.voices[at];
        voice.state = VoiceState::Decided;
        let (interrupts, own) = (voice.interrupts, voice.own);
        let Some(obeyed) = voice.obeyed.take() else { return };
        let Some(rest) = rest_after(text, &obeyed.text) else { return };
        // Luna's own voice may follow; and what was obeyed since counts more.
        let is_newer = self.obeyed.is_some_and(|(_, last)| last > obeyed.at);
        if is_newer || self.own.are(rest, own) {
            return;
        }
        // "잠깐 멈춰 봐" is one command.
        let whole = judge(text, situation, &self.settings, rules);
        if whole.verdict == Verdict::Reflex(obeyed.command) {
            return;
        }
        let judged = judge(rest, situation, &self.settings, rules);
        match judged.verdict {
            // The same word again and again is one command.
            Verdict::Reflex(command) if command == obeyed.command => {}
            Verdict::Reflex(command) => {
                let outcome = self.fire(command, interrupts, now, effects);
                self.publish(&judged.understood, Some(command), outcome, effects);
            }
            verdict @ (Verdict::Wish(_) | Verdict::Order) => {
                let mut spoken = self.spoken(at, situation, judged.call);
                spoken.interrupts = false;
                let outcome = self.act(verdict, rest, &spoken, now, effects);
                self.publish(&judged.understood, None, outcome, effects);
            }
            Verdict::Model | Verdict::Called | Verdict::Nothing(_) => {}
        }
    }

    fn cut(&self, effects: &mut Vec<TurnEffect>) {
        effects.extend([TurnEffect::Cut { at: RequestId::next() }, TurnEffect::Publish(BusEvent::Cut {})]);
    }

    /// What a model was asked before is no longer wanted.
    fn forget_asked(&mut self, effects: &mut Vec<TurnEffect>) {
        effects.extend(self.asked.take().map(|id| TurnEffect::CancelDecide { id }));
    }

    fn fire(
        &mut self,
        command: Command,
        interrupts: bool,
        now: Duration,
        effects: &mut Vec<TurnEffect>,
    ) -> HeardOutcome {
        let again =
            self.obeyed.is_some_and(|(last, at)| last == command && now.saturating_sub(at) < self.settings.min_repeat);
        if again {
            return HeardOutcome::Repeated;
        }
        self.obeyed = Some((command, now));
        self.forget_asked(effects);
        self.attention = Duration::ZERO;
        effects.push(TurnEffect::Reflex(command));
        if interrupts && command.spec().interruption.is_some() {
            effects.push(TurnEffect::Publish(BusEvent::Cut {}));
        }
        HeardOutcome::Obeyed
    }

    fn act(
        &mut self,
        verdict: Verdict,
        text: &str,
        spoken: &HeardUtterance,
        now: Duration,
        effects: &mut Vec<TurnEffect>,
    ) -> HeardOutcome {
        let interrupts = spoken.interrupts;
        self.attention = Duration::ZERO;
        self.forget_asked(effects);
        match verdict {
            Verdict::Called => {
                (self.attention, self.asked_again) = (now + ATTENTION, false);
                for voice in &mut self.voices {
                    voice.expected = true;
                }
                // Who calls wants to be heard, not read to; "resume" goes on.
                if interrupts {
                    self.cut(effects);
                }
                effects.push(TurnEffect::Say(SpokenPhrase::Called));
                HeardOutcome::Called
            }
            Verdict::Wish(wish) => {
                // A model takes a while; what was read meanwhile would be heard for nothing (BRG-3).
                if interrupts && matches!(wish.intent, Intent::Translate | Intent::Summarize) {
                    self.cut(effects);
                }
                effects.push(TurnEffect::Wish { id: RequestId::next(), wish });
                HeardOutcome::Obeyed
            }
            Verdict::Model => {
                if interrupts {
                    self.cut(effects);
                }
                let (utterance, text) = (text.to_owned(), self.own.newest().to_owned());
                let id = RequestId::next();
                self.asked = Some(id);
                effects.push(TurnEffect::Decide { id, utterance, text, barge_in: interrupts });
                HeardOutcome::AskedModel
            }
            Verdict::Order => {
                effects.push(TurnEffect::Order(spoken.order(text, &self.settings)));
                HeardOutcome::Obeyed
            }
            Verdict::Reflex(_) | Verdict::Nothing(_) => HeardOutcome::NotUnderstood,
        }
    }

    fn publish(
        &self,
        understood: &Interpretation,
        command: Option<Command>,
        outcome: HeardOutcome,
        effects: &mut Vec<TurnEffect>,
    ) {
        let kind = if command.is_some() { UtteranceKind::Reflex } else { understood.kind };
        let why = understood.why.clone();
        effects.push(TurnEffect::Publish(BusEvent::SttUnderstood { kind, command, outcome, why }));
    }
}

/// What follows the words of a command in a longer transcript; `None` if it does not begin with them, or nothing follows.
fn rest_after<'a>(text: &'a str, obeyed: &str) -> Option<&'a str> {
    let mut letters = obeyed.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let mut next = letters.next();
    for (at, c) in text.char_indices() {
        let Some(expected) = next else {
            let rest = text[at..].trim_start_matches(|c: char| !c.is_alphanumeric());
            return (!rest.is_empty()).then_some(rest);
        };
        if c.is_alphanumeric() {
            if !c.to_lowercase().eq([expected]) {
                return None;
            }
            next = letters.next();
        }
    }
    None
}
