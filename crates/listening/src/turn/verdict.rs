//! What words lead to.

use luna_messages::control::Command;
use luna_messages::listening::HeardOutcome;
use luna_messages::reading::{Intent, ReadingWish};
use luna_messages::understanding::{Interpretation, UtteranceInput, UtteranceKind, WakeCall};

use super::calls::UtteranceRules;
use super::settings::{Addressing, TurnSettings};

/// The situation in which words are heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HearingSituation {
    /// Luna speaks.
    pub speaking: bool,
    /// A question of Luna is open.
    pub asking: bool,
    /// It is about an order: whatever is said to Luna may answer it, such as the name of an element that only the executor knows.
    pub about_order: bool,
    /// The wake word was said before, or the key for speaking is held.
    pub expected: bool,
}

/// What words lead to.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// To be obeyed at once, without a model.
    Reflex(Command),
    /// Something is to be done with the text that is read.
    Wish(ReadingWish),
    /// A language model decides.
    Model,
    /// To be carried out on the screen, or the answer to a question about an order.
    Order,
    /// The wake word alone.
    Called,
    /// Nothing happens, and why.
    Nothing(HeardOutcome),
}

/// Words with what they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub call: WakeCall,
    pub understood: Interpretation,
}

/// Judges words.
pub fn judge(
    text: &str,
    situation: HearingSituation,
    settings: &TurnSettings,
    rules: &dyn UtteranceRules,
) -> Judgement {
    let call = rules.wake(text);
    let (speaking, asking) = (situation.speaking, situation.asking);
    let utterance = as_called(text, situation, settings, call);
    let understand = |speaking| {
        let utterance = utterance.clone();
        rules.understand(&UtteranceInput { utterance, speaking, asking, candidates: None })
    };
    let mut understood = understand(speaking);
    // While Luna speaks, understanding is careful; of who called it, it need not be.
    if speaking && understood.kind == UtteranceKind::None && (call.is_called() || situation.expected) {
        understood = understand(false);
    }
    let verdict = verdict(text, situation, settings, call, &understood);
    Judgement { verdict, call, understood }
}

/// The words as if the name were said in them: who called before need not call again, and understanding is then as sure as with the name.
pub fn as_called(text: &str, situation: HearingSituation, settings: &TurnSettings, call: WakeCall) -> String {
    let name = settings.wake_word.as_ref().filter(|_| situation.expected && !call.is_called());
    name.map_or_else(|| text.to_owned(), |name| format!("{name}, {text}"))
}

/// Whether words without a wake word are said to Luna (VOI-1).
pub fn is_addressed(situation: HearingSituation, settings: &TurnSettings, called: bool) -> bool {
    match settings.addressing {
        Addressing::Hold => situation.expected,
        _ if called || situation.expected || settings.wake_word.is_none() => true,
        Addressing::Auto => situation.speaking || situation.asking,
        Addressing::WakeOnly => false,
    }
}

fn verdict(
    text: &str,
    situation: HearingSituation,
    settings: &TurnSettings,
    call: WakeCall,
    understood: &Interpretation,
) -> Verdict {
    let called = call.is_called();
    if text.trim().is_empty() {
        return Verdict::Nothing(HeardOutcome::NoWords);
    }
    if !is_addressed(situation, settings, called) {
        return Verdict::Nothing(HeardOutcome::NotAddressed);
    }
    if call == WakeCall::Alone {
        return Verdict::Called;
    }
    // While Luna speaks, people also talk to each other: without a call only what is about the reading counts (STT-2).
    let for_luna = called || situation.expected || !situation.speaking || situation.asking;
    let wish = &understood.wish;
    let details = wish.lang_tgt.is_some() || wish.mode.is_some() || wish.line_offset.is_some();
    match understood.kind {
        UtteranceKind::Reflex => match understood.command {
            Some(command) if details && let Some(intent) = command.spec().reading_intent => {
                Verdict::Wish(wish.reading_wish(text, intent))
            }
            Some(command) => Verdict::Reflex(command),
            None => Verdict::Nothing(HeardOutcome::NotUnderstood),
        },
        UtteranceKind::Reading => Verdict::Wish(wish.reading_wish(text, wish.intent.unwrap_or(Intent::Read))),
        UtteranceKind::Ambiguous | UtteranceKind::Answer | UtteranceKind::Command | UtteranceKind::None
            if situation.about_order && understood.command.is_none() =>
        {
            Verdict::Order
        }
        UtteranceKind::Ambiguous => Verdict::Model,
        // A usual order that is a command of Luna's own, such as "what can I say?".
        UtteranceKind::Command if for_luna && let Some(command) = understood.command => Verdict::Reflex(command),
        UtteranceKind::Command if for_luna => Verdict::Order,
        UtteranceKind::Answer if situation.asking => Verdict::Order,
        // A label, a number or a "yes" without a question means nothing.
        UtteranceKind::Answer | UtteranceKind::None | UtteranceKind::Command if called || situation.expected => {
            Verdict::Nothing(HeardOutcome::NotUnderstood)
        }
        UtteranceKind::Answer | UtteranceKind::None | UtteranceKind::Command => {
            Verdict::Nothing(HeardOutcome::NotAddressed)
        }
    }
}
