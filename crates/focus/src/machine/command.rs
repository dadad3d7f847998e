//! The effect of each command in each state.

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::pick::{PickFailure, PickRequest};
use luna_messages::reading::{Intent, Style};
use luna_messages::tts::NoticeTiming;
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, RequestId};

use super::effect::FocusEffect;
use super::line_step::lines_around;
use super::lines::LineDirection;
use super::pending::{MoveProbe, PendingStep};
use super::say::say;
use super::state::{Focus, FocusState, MissingPointer};
use crate::phrases::Phrase;

/// Factor by which "bigger" enlarges the region (PIC-2).
const BIGGER: f32 = 1.5;
/// Nobody tells where the element with the keyboard focus is, so that nothing around it can be read.
const NO_PLACE: Phrase = Phrase::NothingToRead(PickFailure::NoWindow);

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
            Command::Stop => self.stop(),
            Command::Resume | Command::PauseToggle => self.resume_work(id),
            Command::Pause | Command::Repeat | Command::Slower | Command::Faster => Vec::new(),
            Command::Next => self.next(id, LineDirection::Down),
            Command::Prev => self.next(id, LineDirection::Up),
            Command::Spell | Command::SpellJamo | Command::Numbers | Command::Translate | Command::Summarize
                if self.current().is_none() =>
            {
                self.intend(id, command)
            }
            Command::Spell => self.replay(id, Style::Spell),
            Command::SpellJamo => self.replay(id, Style::SpellJamo),
            Command::Numbers => self.replay(id, Style::Numbers),
            Command::Translate => self.translate(id),
            Command::Summarize => self.summarize(id),
            Command::Bigger => self.bigger(),
            Command::Pin => self.pin(true),
            Command::Unpin => self.pin(false),
            Command::PinToggle => self.pin(!matches!(self.state, FocusState::Pinned(_))),
            Command::ReadRow => self.read_rows(id, RowsExtent::Row),
            Command::ReadTable => self.read_rows(id, RowsExtent::Container),
            Command::Escape => self.escape(),
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

    /// Reads the same text in another style (BRG-2).
    fn replay(&mut self, id: RequestId, style: Style) -> Vec<FocusEffect> {
        let Some(mut target) = self.current().cloned() else { return self.nothing_is_read() };
        let intent = match style {
            Style::News => Intent::Read,
            Style::Spell | Style::SpellJamo => Intent::Spell,
            Style::Numbers => Intent::Numbers,
        };
        target.style = style;
        target.reading = id;
        let effects = vec![FocusEffect::Publish(BusEvent::IntentResult { intent }), self.read(&target)];
        self.set_current(target);
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
        let (request, neighbour) = match &self.state {
            FocusState::Idle => return vec![say(Phrase::FocusIsOff)],
            FocusState::Targeting { .. } | FocusState::WaitCommand { .. } => return self.nothing_is_read(),
            FocusState::Reading(_) => {
                return vec![match direction {
                    LineDirection::Down => FocusEffect::NextSentence { id },
                    LineDirection::Up => FocusEffect::PreviousSentence { id },
                }];
            }
            FocusState::Pinned(target) => {
                let neighbour = target.lines.as_ref().and_then(|lines| lines.neighbour(direction).cloned());
                (lines_around(target), neighbour)
            }
        };
        if let Some(line) = neighbour {
            // Reads the known line immediately, and asks for the lines around it at the same time.
            let mut effects = self.read_line(id, line);
            if let FocusState::Pinned(target) = &self.state {
                effects.extend(lines_around(target).map(|request| FocusEffect::AskLines { id, request }));
            }
            self.pending_step = None;
            effects
        } else {
            let Some(request) = request else { return vec![say(NO_PLACE)] };
            self.pending_step = Some(PendingStep { id, direction, is_beyond: false });
            vec![FocusEffect::AskLines { id, request }]
        }
    }
}
