//! The effect of each command in each state.

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::pick::PickRequest;
use luna_messages::tts::NoticeTiming;
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, RequestId};

use super::effect::FocusEffect;
use super::line_step::{NO_PLACE, lines_around};
use super::lines::{LineDirection, LineStep};
use super::pending::MoveProbe;
use super::requested_reading::RequestedReading;
use super::say::say;
use super::state::{Focus, FocusState, MissingPointer};
use crate::phrases::Phrase;

/// Factor by which "bigger" enlarges the region (PIC-2).
const BIGGER: f32 = 1.5;

impl Focus {
    pub(super) fn command(&mut self, id: RequestId, command: Command) -> Vec<FocusEffect> {
        // A command is about what is read now: what is found after a small move would replace it.
        let mut effects = Vec::from_iter(self.end_probe());
        effects.extend(self.handle(id, command));
        effects
    }

    pub(super) fn handle(&mut self, id: RequestId, command: Command) -> Vec<FocusEffect> {
        match command {
            Command::FocusOn => self.switch_on(),
            Command::FocusOff => self.switch_off(Phrase::FocusOff),
            Command::FocusToggle if self.state == FocusState::Idle && self.starting.is_none() => self.switch_on(),
            Command::FocusToggle => self.switch_off(Phrase::FocusOff),
            // The speech actor handles these directly (BRG-1, TTS-2). Here, stop also ends the search and the model's work (KER-6), and resume
            // continues the model's work (BRG-8).
            Command::Stop => {
                self.stopped = self.stopped.max(id);
                self.stop()
            }
            Command::Resume | Command::PauseToggle => self.resume_work(id),
            Command::Pause | Command::Repeat | Command::Slower | Command::Faster => Vec::new(),
            Command::Next => self.next(id, LineDirection::Down),
            Command::Prev => self.next(id, LineDirection::Up),
            Command::Spell | Command::SpellJamo | Command::Numbers | Command::Translate | Command::Summarize => {
                let requested = RequestedReading::of_command(command);
                requested.map(|requested| self.request_reading(id, requested)).unwrap_or_default()
            }
            Command::Bigger => self.bigger(),
            Command::Pin => self.pin(true),
            Command::Unpin => self.pin(false),
            Command::PinToggle => self.pin(!matches!(self.state, FocusState::Pinned(_))),
            Command::ReadRow => self.read_rows(id, RowsExtent::Row),
            Command::ReadTable => self.read_rows(id, RowsExtent::Container),
            Command::Help => self.help(),
            Command::Escape => self.escape(),
            // It answers the executor.
            Command::Confirm => Vec::new(),
        }
    }

    /// Asks for the pointer, or for the focused element, first. The answer may never come, and nothing waits for it.
    fn switch_on(&mut self) -> Vec<FocusEffect> {
        if self.state != FocusState::Idle || self.starting.is_some() {
            return Vec::new();
        }
        let id = RequestId::next();
        self.starting = Some(id);
        let by_pointer = self.settings.sources.pointer || !self.settings.sources.focus;
        vec![if by_pointer { FocusEffect::AskPointer { id } } else { FocusEffect::AskFocused { id } }]
    }

    pub(super) fn pointer(&mut self, id: RequestId, at: Option<Point>) -> Vec<FocusEffect> {
        if self.starting.take_if(|starting| *starting == id).is_none() {
            return Vec::new();
        }
        let Some(cursor) = at else {
            if self.settings.sources.focus {
                self.starting = Some(id);
                if self.missing_pointer == MissingPointer::None {
                    self.missing_pointer = MissingPointer::Untold;
                }
                return vec![FocusEffect::AskFocused { id }];
            }
            return vec![say(Phrase::Lost(luna_messages::capability::Capability::Pointer))];
        };
        self.cursor = Some(cursor);
        self.missing_pointer = MissingPointer::None;
        let mut effects = vec![FocusEffect::Publish(BusEvent::FocusModeToggle { on: true })];
        effects.extend(self.target(PickRequest { cursor, enlarge: 1.0 }));
        effects
    }

    pub(super) fn switch_off(&mut self, phrase: Phrase) -> Vec<FocusEffect> {
        let was_on = self.is_on() || self.starting.is_some();
        let mut effects = self.enter_idle();
        effects.push(FocusEffect::Forget);
        (self.starting, self.intended) = (None, None);
        self.armed = false;
        (self.cursor, self.previous) = (None, None);
        if was_on {
            effects.extend([
                FocusEffect::Publish(BusEvent::FocusModeToggle { on: false }),
                FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
                say(phrase),
            ]);
        }
        effects
    }

    /// Enters Idle and drops a current search or step.
    pub(super) fn enter_idle(&mut self) -> Vec<FocusEffect> {
        self.settling = None;
        self.deadline = None;
        self.pending_step = None;
        self.pending_rows = None;
        let searches = matches!(self.state, FocusState::Targeting { .. });
        self.state = FocusState::Idle;
        let probes = self.end_probe();
        searches.then_some(FocusEffect::EndSearch).or(probes).into_iter().collect()
    }

    /// Ends a current or imminent search, so that it never leads to speech (FOC-6). The next settled move is a new target as before.
    fn stop(&mut self) -> Vec<FocusEffect> {
        (self.starting, self.intended) = (None, None);
        self.settling = None;
        self.pending_step = None;
        self.pending_rows = None;
        self.origin = self.cursor.unwrap_or(self.origin);
        let mut effects = self.stop_work();
        self.probe = MoveProbe::quiet();
        if matches!(self.state, FocusState::Targeting { .. }) {
            effects.extend(self.enter_idle());
            self.armed = self.settings.follow;
            if !self.armed {
                effects.push(FocusEffect::Publish(BusEvent::FocusModeToggle { on: false }));
            }
        }
        effects
    }

    fn bigger(&mut self) -> Vec<FocusEffect> {
        let request = match &self.state {
            FocusState::WaitCommand { request, .. } => *request,
            FocusState::Reading(target) if target.place().is_none() => return vec![say(NO_PLACE)],
            FocusState::Reading(target) => target.request,
            FocusState::Pinned(_) | FocusState::Targeting { .. } => return Vec::new(),
            FocusState::Idle => return self.nothing_is_read(),
        };
        self.target(PickRequest { enlarge: request.enlarge * BIGGER, ..request })
    }

    fn pin(&mut self, wanted: bool) -> Vec<FocusEffect> {
        let (target, pinned) = match std::mem::replace(&mut self.state, FocusState::Idle) {
            FocusState::Reading(target) => (target, false),
            FocusState::Pinned(target) => (target, true),
            other @ (FocusState::Idle | FocusState::Targeting { .. } | FocusState::WaitCommand { .. }) => {
                self.state = other;
                return self.nothing_is_read();
            }
        };
        let bbox = Some(target.pick.bbox).filter(|bbox| !bbox.is_empty());
        let id = RequestId::next();
        let ask = lines_around(&target).map(|request| FocusEffect::AskLines { id, request });
        self.state = if wanted { FocusState::Pinned(target) } else { FocusState::Reading(target) };
        if wanted == pinned {
            return Vec::new();
        }
        self.settling = None;
        self.pending_step = None;
        let mut effects = vec![FocusEffect::Publish(BusEvent::Highlight { bbox, pinned: wanted })];
        if wanted {
            // The lines are prefetched, so that the first step doesn't wait for them.
            effects.extend(ask);
            effects.push(FocusEffect::Say(Phrase::Pinned, NoticeTiming::AfterSentence));
        } else {
            effects.push(FocusEffect::Say(Phrase::Unpinned, NoticeTiming::AfterSentence));
        }
        effects
    }

    fn next(&mut self, id: RequestId, direction: LineDirection) -> Vec<FocusEffect> {
        match &self.state {
            FocusState::Idle => vec![say(Phrase::FocusIsOff)],
            FocusState::Targeting { .. } | FocusState::WaitCommand { .. } => self.nothing_is_read(),
            FocusState::Reading(_) => vec![match direction {
                LineDirection::Down => FocusEffect::NextSentence { id },
                LineDirection::Up => FocusEffect::PreviousSentence { id },
            }],
            FocusState::Pinned(_) => self.step_lines(id, LineStep::one(direction), None),
        }
    }
}
