//! Announces failures aloud (principle 2, KER-9): each failure once, in one sentence, and later its end.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::supervisor::TreeEvent;
use luna_focus::phrases::Phrase;
use luna_messages::bus::BusEvent;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::tts::{NoticeTiming, SpokenNotice, TtsMessage};
use luna_messages::{Lang, RequestId};

use crate::bus::BusSession;

/// Speaks events that concern the person, and publishes events for programs.
#[derive(Clone)]
pub struct Announcer {
    tts: Inbox<TtsMessage>,
    bus: BusSession,
    /// Current language; a change takes effect at once (CFG-4).
    lang: Arc<dyn Fn() -> Lang + Send + Sync>,
    /// Capabilities whose loss was announced, so that their return is announced too.
    lost: Arc<Mutex<BTreeSet<Capability>>>,
}

impl Announcer {
    /// Speaks through `tts`, in the language that `lang` returns at each call.
    #[must_use]
    pub fn new(tts: Inbox<TtsMessage>, bus: BusSession, lang: Arc<dyn Fn() -> Lang + Send + Sync>) -> Self {
        Self { tts, bus, lang, lost: Arc::default() }
    }

    /// Speaks one of Luna's own sentences after the sentence being read.
    pub fn say(&self, phrase: Phrase) {
        self.say_words(|lang| phrase.text(lang).to_owned());
    }

    /// Speaks what `words` returns in the person's language, after the sentence being read; nothing if it is empty.
    pub fn say_words(&self, words: impl FnOnce(Lang) -> String) {
        let lang = (self.lang)();
        let text = words(lang);
        if text.is_empty() {
            return;
        }
        let notice = SpokenNotice { id: RequestId::next(), text, lang, timing: NoticeTiming::AfterSentence };
        if self.tts.post(TtsMessage::Say(notice)).is_err() {
            tracing::warn!("A notice could not be spoken, because too many wait.");
        }
    }

    /// Publishes a change of a capability; announces a loss once, and its return.
    pub fn capability(&self, capability: Capability, state: &CapabilityState) {
        self.bus.publish(BusEvent::CapabilityChanged { capability, state: state.clone() });
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        let phrase = match state {
            CapabilityState::Unknown => None,
            CapabilityState::Available => lost.remove(&capability).then_some(Phrase::Back(capability)),
            CapabilityState::Unavailable(why) => {
                tracing::warn!(
                    capability = capability.name(),
                    reason = why.reason,
                    remedy = why.remedy,
                    "A capability is not available; the rest goes on."
                );
                lost.insert(capability).then_some(Phrase::Lost(capability))
            }
        };
        drop(lost);
        if let Some(phrase) = phrase {
            self.say(phrase);
        }
    }

    /// Logs an event of the supervision tree; publishes and announces those that concern the person.
    pub fn tree(&self, event: &TreeEvent) {
        match event {
            TreeEvent::Restarted { actor, reason, restarts } => {
                tracing::warn!(actor, reason, restarts, "An actor crashed and was started again.");
                self.bus.publish(BusEvent::ActorRestarted { actor: (*actor).to_owned(), reason: reason.clone() });
                self.say(Phrase::PartRestarted);
            }
            TreeEvent::Hung { actor, message_kind } => {
                tracing::error!(actor, message_kind, "An actor made no progress and is replaced.");
            }
            TreeEvent::Escalated { group, .. } => {
                tracing::error!(group, "A group of actors is started again as a whole.");
            }
            TreeEvent::Abandoned { actor } => {
                tracing::error!(actor, "An actor blocks its thread and was replaced.");
            }
            TreeEvent::GivenUp { actor, reason, .. } => {
                tracing::error!(actor, reason, "An actor crashes again and again; it is tried again later.");
                self.say(Phrase::PartDegraded);
            }
            TreeEvent::Recovered { actor } => {
                tracing::warn!(actor, "An actor that had been given up runs again.");
                self.bus
                    .publish(BusEvent::ActorRestarted { actor: (*actor).to_owned(), reason: "recovered".to_owned() });
            }
        }
    }
}
