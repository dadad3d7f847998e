//! Attention that moves without the pointer: the keyboard focus (ATT-1, ATT-2).
//!
//! Every source ends in the same states, and the newest wins: a move of the focus ends the pointer's search, and a settled move of the pointer is a
//! new target wherever the focus is. A pointer at rest never talks over the focus.

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::capability::Capability;
use luna_messages::focus::FocusChange;
use luna_messages::pick::PickRequest;
use luna_messages::tts::NoticeTiming;

use super::effect::FocusEffect;
use super::pending::MoveProbe;
use super::say::say;
use super::state::{AttentionSources, Focus, FocusState, MissingPointer, TargetSource};
use super::step::pick_of;
use super::unheard::Announced;
use crate::announce::{Announcement, AnnouncementStyle, announce, announce_change, is_same};
use crate::phrases::Phrase;

impl Focus {
    /// Focus mode is on: a target, a search, or the next one is waited for.
    pub(super) const fn is_on(&self) -> bool {
        self.armed || !matches!(self.state, FocusState::Idle)
    }

    /// The sources to watch now.
    pub(super) const fn wanted_sources(&self) -> AttentionSources {
        let (on, sources) = (self.is_on(), self.settings.sources);
        AttentionSources { pointer: on && sources.pointer, focus: on && sources.focus }
    }

    pub(super) const fn announcement_style(&self, source: TargetSource) -> AnnouncementStyle {
        let focused = matches!(source, TargetSource::KeyboardFocus);
        AnnouncementStyle { verbosity: self.settings.verbosity, lang: self.settings.lang, focused }
    }

    /// The newly focused element is a new target, whatever was looked for before.
    pub(super) fn keyboard_focus(&mut self, id: RequestId, change: FocusChange) -> Vec<FocusEffect> {
        if !self.settings.sources.focus || !self.is_on() || matches!(self.state, FocusState::Pinned(_)) {
            return Vec::new();
        }
        self.attend(id, change)
    }

    /// What has the focus when focus mode is switched on without a pointer.
    pub(super) fn focused(&mut self, id: RequestId, change: Option<FocusChange>) -> Vec<FocusEffect> {
        if self.starting.take_if(|starting| *starting == id).is_none() {
            return Vec::new();
        }
        let mut effects = vec![FocusEffect::Publish(BusEvent::FocusModeToggle { on: true })];
        let without_pointer = Phrase::Lost(Capability::Pointer);
        match change {
            Some(change) => {
                effects.extend(self.attend(id, change));
                // Once is enough: in some sessions the position is never known.
                if self.missing_pointer == MissingPointer::Untold {
                    effects.push(FocusEffect::Say(without_pointer, NoticeTiming::AfterSentence));
                }
            }
            None => {
                self.armed = true;
                let is_missing = self.missing_pointer != MissingPointer::None;
                effects.push(say(if is_missing { without_pointer } else { Phrase::FocusOn }));
            }
        }
        if self.missing_pointer == MissingPointer::Untold {
            self.missing_pointer = MissingPointer::Told;
        }
        effects
    }

    /// Nothing can be said of the element that got the focus. Silence would be taken for the one before.
    fn attend_nameless(&mut self, is_change: bool) -> Vec<FocusEffect> {
        if is_change {
            return Vec::new();
        }
        let mut effects = self.enter_idle();
        (self.starting, self.previous, self.armed) = (None, None, true);
        effects
            .extend([FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }), say(Phrase::Nameless)]);
        effects
    }

    fn attend(&mut self, id: RequestId, change: FocusChange) -> Vec<FocusEffect> {
        let (entered, mut pick) = (change.entered, pick_of(change.element));
        let style = self.announcement_style(TargetSource::KeyboardFocus);
        let known = self.current().filter(|target| entered.is_empty() && is_same(&target.pick, &pick));
        let mut repetition = None;
        let is_change = known.is_some();
        let said = if let Some(target) = known {
            // The caret may have moved; that is not a change of the element.
            pick.offset = target.pick.offset;
            let Some(change) = announce_change(&target.pick, &pick, style) else { return Vec::new() };
            let reading = target.reading;
            repetition = self.announced.take().and_then(|announced| announced.repetition(reading));
            if repetition.is_some() {
                let before = self.previous.as_ref().filter(|previous| !is_same(&previous.pick, &pick));
                announce(&pick, before.map(|target| (&target.pick).into()), style)
            } else {
                change
            }
        } else {
            let previous = self.current().or(self.previous.as_ref()).map(|target| (&target.pick).into());
            announce(&pick, previous, style)
        };
        if said.is_empty() && entered.is_empty() {
            return self.attend_nameless(is_change);
        }
        let dialogs: Vec<Announcement> = match &mut repetition {
            Some(repetition) => std::mem::take(&mut repetition.dialogs),
            None => entered.iter().map(|dialog| announce(dialog, None, style)).collect(),
        };
        let reading = said.reading(&dialogs);
        let is_whole = !is_change || repetition.is_some();
        self.announced = is_whole.then(|| Announced::new(id, dialogs, &said, repetition.as_ref()));
        let mut effects = Vec::new();
        if matches!(self.state, FocusState::Targeting { .. }) || self.probe.is_pending() {
            effects.push(FocusEffect::EndSearch);
        }
        let request = PickRequest { cursor: pick.bbox.center(), enlarge: 1.0 };
        self.arrive(request);
        (self.starting, self.pending_step) = (None, None);
        // The pointer stays where it is: only a move from there counts.
        self.origin = self.cursor.unwrap_or(self.origin);
        self.probe = MoveProbe::new();
        effects.extend(self.begin_reading(id, request, pick, TargetSource::KeyboardFocus, reading));
        effects
    }
}
