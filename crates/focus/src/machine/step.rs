//! The reaction to answers, cursor moves, timers and progress of speech.

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::element::{ElementProperties, State};
use luna_messages::focus::FocusChange;
use luna_messages::language_tasks::{Summary, TranslatedPiece, TranslationEnd};
use luna_messages::ocr::OcrPick;
use luna_messages::pick::{Element, Pick, PickFailure, PickMethod, PickRequest};
use luna_messages::reading::{Intent, ReadingWish, Style};
use luna_messages::tts::{ReadAloud, ReadRequest, SpeechEvent};
use luna_messages::uia::{TreeAnswer, WindowLines};
use luna_messages::work::WorkFailure;
use luna_messages::{Lang, NoReply, Point, RequestId};

use super::effect::FocusEffect;
use super::pending::MoveProbe;
use super::say::{say, say_after_sentence, sentence_start};
use super::state::{Focus, FocusState, ReadingTarget, TargetSource};
use crate::announce::{announce, reads_rows};
use crate::phrases::Phrase;
use luna_text::language;

/// Events of focus mode.
#[derive(Debug)]
pub enum FocusEvent {
    /// A command, with the id that all it leads to has.
    Command(RequestId, Command),
    /// What the person said about reading.
    Wish(RequestId, ReadingWish),
    /// The pointer's position; `None` if it is unknown.
    Pointer(RequestId, Option<Point>),
    CursorMoved(Point),
    /// The accessibility tree's answer.
    Tree(RequestId, Result<TreeAnswer, NoReply>),
    /// The answer of text recognition.
    Recognised(RequestId, Result<Result<OcrPick, PickFailure>, NoReply>),
    /// The lines of the window.
    Lines(RequestId, Result<Result<WindowLines, PickFailure>, NoReply>),
    /// The row, table or list that the person asked for.
    Rows(RequestId, Result<TreeAnswer, NoReply>),
    /// A finished piece of a translation.
    Translated(RequestId, TranslatedPiece),
    /// The end of a translation, or why it failed.
    TranslationEnded(RequestId, Result<Result<TranslationEnd, WorkFailure>, NoReply>),
    /// A summary, or why there is none.
    Summarized(RequestId, Result<Result<Summary, WorkFailure>, NoReply>),
    /// The keyboard focus moved (ATT-2).
    KeyboardFocus(RequestId, FocusChange),
    /// What has the keyboard focus; `None` if nothing has it or that is unknown.
    Focused(RequestId, Option<FocusChange>),
    /// Progress of speech.
    Speech(SpeechEvent),
    /// A timer elapsed.
    Timer(u64),
}

impl Focus {
    /// Handles one event; the effects must be performed in order.
    #[must_use]
    pub fn step(&mut self, event: FocusEvent) -> Vec<FocusEffect> {
        let before = self.state.name();
        let working = self.work.as_ref().map(|work| work.id);
        let mut effects = match event {
            FocusEvent::Command(id, command) => self.command(id, command),
            FocusEvent::Wish(id, wish) => self.wish(id, &wish),
            FocusEvent::Pointer(id, at) => self.pointer(id, at),
            FocusEvent::CursorMoved(point) => self.cursor_moved(point),
            FocusEvent::Tree(id, answer) => self.tree(id, answer),
            FocusEvent::Recognised(id, answer) => self.recognised(id, answer),
            FocusEvent::Lines(id, answer) => self.lines(id, answer),
            FocusEvent::Rows(id, answer) => self.rows(id, answer),
            FocusEvent::Translated(id, piece) => self.translated(id, piece),
            FocusEvent::TranslationEnded(id, answer) => self.translation_ended(id, answer),
            FocusEvent::Summarized(id, answer) => self.summarized(id, answer),
            FocusEvent::KeyboardFocus(id, change) => self.keyboard_focus(id, change),
            FocusEvent::Focused(id, change) => self.focused(id, change),
            FocusEvent::Speech(event) => {
                if let Some(announced) = &mut self.announced {
                    announced.hear(&event);
                }
                Vec::new()
            }
            FocusEvent::Timer(generation) => self.timer(generation),
        };
        self.drop_obsolete_work(working, &mut effects);
        let after = self.state.name();
        let entered = |state: &str| FocusEffect::Publish(BusEvent::FocusState { state: state.to_owned() });
        if let Some(request) = self.found_at_once.take() {
            let search = FocusEffect::Publish(BusEvent::PickRequest { cursor: request.cursor });
            let begun = (before != "Targeting").then(|| entered("Targeting"));
            effects.splice(0..0, begun.into_iter().chain([search, entered(after)]));
        } else if before != after {
            effects.insert(0, entered(after));
        }
        if before != after && (before == "WaitCmd" || after == "WaitCmd") {
            effects.push(FocusEffect::WatchEscape(after == "WaitCmd"));
        }
        let (watched, wanted) = (self.watched, self.wanted_sources());
        if watched.pointer != wanted.pointer {
            effects.push(FocusEffect::WatchPointer(wanted.pointer));
        }
        if watched.focus != wanted.focus {
            effects.push(FocusEffect::WatchKeyboardFocus(wanted.focus));
        }
        self.watched = wanted;
        effects
    }

    /// Starts a search at a position; earlier requests are obsolete.
    pub(super) fn target(&mut self, request: PickRequest) -> Vec<FocusEffect> {
        let id = RequestId::next();
        // A pending request for the pointer's position is obsolete.
        self.starting = None;
        self.settling = None;
        self.pending_step = None;
        self.pending_rows = None;
        self.armed = false;
        self.origin = request.cursor;
        let searched = matches!(self.state, FocusState::Targeting { .. }) || self.probe.is_pending();
        self.probe = MoveProbe::begun_at(request.cursor);
        self.remember_target();
        self.state = FocusState::Targeting { id, request };
        let deadline = self.new_timer();
        self.deadline = Some(deadline);
        let mut effects = vec![
            FocusEffect::Publish(BusEvent::PickRequest { cursor: request.cursor }),
            FocusEffect::AskTree { id, request },
            FocusEffect::StartTimer { generation: deadline, after: self.settings.pick_deadline },
        ];
        if searched {
            effects.insert(0, FocusEffect::EndSearch);
        }
        effects
    }

    /// Keeps what was read as the previous target.
    pub(super) fn remember_target(&mut self) {
        match std::mem::replace(&mut self.state, FocusState::Idle) {
            FocusState::Reading(target) | FocusState::Pinned(target) => self.previous = Some(target),
            FocusState::Idle | FocusState::Targeting { .. } | FocusState::WaitCommand { .. } => {}
        }
    }

    fn tree(&mut self, id: RequestId, answer: Result<TreeAnswer, NoReply>) -> Vec<FocusEffect> {
        let Some(request) = self.awaited(id) else { return self.probed(id, answer) };
        match answer {
            Ok(TreeAnswer::Found(element)) => self.found(id, request, pick_of(element)),
            Ok(TreeAnswer::NoText(searched)) => vec![FocusEffect::AskRecognition { id, request, searched }],
            Ok(TreeAnswer::Protected(field)) => self.protected(request, &field),
            Ok(TreeAnswer::Refused(failure)) => self.nothing(request, failure),
            Err(NoReply::Crashed) => self.nothing(request, PickFailure::Failed),
        }
    }

    fn recognised(&mut self, id: RequestId, answer: Result<Result<OcrPick, PickFailure>, NoReply>) -> Vec<FocusEffect> {
        let Some(request) = self.awaited(id) else { return self.probed_by_recognition(id, answer) };
        match answer {
            Ok(Ok(found)) => {
                let mut effects = self.found(id, request, found.pick);
                if found.low_quality {
                    effects.push(say_after_sentence(Phrase::LowQuality));
                }
                effects
            }
            // The same search, not a new one: a stop after its beginning ends it (FOC-6), and its deadline still applies.
            Ok(Err(PickFailure::Changed)) if self.may_repeat(id) => vec![FocusEffect::AskTree { id, request }],
            Ok(Err(failure)) => self.nothing(request, failure),
            Err(NoReply::Crashed) => self.nothing(request, PickFailure::Failed),
        }
    }

    /// Whether to repeat a request after the screen changed meanwhile. A second change is reported.
    fn may_repeat(&mut self, id: RequestId) -> bool {
        self.repeated_request.replace(id) != Some(id)
    }

    /// The request with this id, if it is the current one.
    fn awaited(&self, id: RequestId) -> Option<PickRequest> {
        match self.state {
            FocusState::Targeting { id: awaited, request } if awaited == id => Some(request),
            _ => None,
        }
    }

    /// Reads what the pointer's search found.
    pub(super) fn found(&mut self, id: RequestId, request: PickRequest, pick: Pick) -> Vec<FocusEffect> {
        let reading = if reads_rows(&pick) {
            ReadAloud::Rows { rows: pick.rows.clone(), has_header: pick.has_header, row: pick.row.unwrap_or(0) }
        } else {
            let previous = self.previous.as_ref().map(|target| (&target.pick).into());
            let said = announce(&pick, previous, self.announcement_style(TargetSource::Pointer));
            if said.is_empty() {
                return self.nothing(request, PickFailure::NoText);
            }
            said.reading(&[])
        };
        self.begin_reading(id, request, pick, TargetSource::Pointer, reading)
    }

    /// The reading gets the id of the search: a stop after the search began ends it, whichever of the two reaches the speech actor first
    /// (FOC-6).
    pub(super) fn begin_reading(
        &mut self,
        id: RequestId,
        request: PickRequest,
        pick: Pick,
        source: TargetSource,
        reading: ReadAloud,
    ) -> Vec<FocusEffect> {
        self.deadline = None;
        self.armed = false;
        let method = match pick.method {
            PickMethod::Uia => "uia",
            PickMethod::Ocr => "ocr",
        };
        let mut effects = vec![
            FocusEffect::CountPick { method, outcome: "success" },
            FocusEffect::Publish(BusEvent::PickResult {
                method: pick.method,
                bbox: pick.bbox,
                text: pick.text.clone(),
                lang: pick.lang,
                is_table: pick.is_table,
            }),
        ];
        let intended = self.take_intention();
        // Both asked for it: a stop before the command ends only what was asked for earlier (FOC-6).
        let id = intended.map_or(id, |(asked, _)| id.max(asked));
        let lang_tgt = intended.and_then(|(_, requested)| requested.lang);
        let intended = intended.map(|(_, requested)| requested).filter(|requested| !requested.is_usual(pick.lang));
        if intended.is_none() {
            effects.push(FocusEffect::Publish(BusEvent::IntentResult { intent: Intent::Read, mode: None, lang_tgt }));
        }
        // Under Wayland nobody tells where the focused element is.
        let bbox = (!pick.bbox.is_empty()).then_some(pick.bbox);
        effects.push(FocusEffect::Publish(BusEvent::Highlight { bbox, pinned: false }));
        self.state = FocusState::Reading(ReadingTarget {
            pick,
            request,
            source,
            reading: id,
            style: Style::News,
            lines: None,
            window: None,
        });
        match intended {
            Some(requested) => effects.extend(self.request_reading(id, requested)),
            None => {
                let lang = self.settings.lang;
                effects.push(FocusEffect::Read(ReadRequest { id, reading, style: Style::News, lang }));
            }
        }
        effects.extend(self.recheck_cursor());
        effects
    }

    /// The cursor may have moved during the search.
    pub(super) fn recheck_cursor(&mut self) -> Vec<FocusEffect> {
        self.cursor.map(|cursor| self.cursor_moved(cursor)).unwrap_or_default()
    }

    /// Reads the text of a target in its style, without what is said of its element.
    pub(super) fn read(&self, target: &ReadingTarget) -> FocusEffect {
        let pick = &target.pick;
        let text = target.text();
        // Spelling and numbers begin with the whole sentence that is pointed at, not in its middle (BRG-2).
        let offset = pick.offset.map_or(0, |offset| sentence_start(text, offset));
        let reading = ReadAloud::Text { text: text.to_owned(), offset };
        FocusEffect::Read(ReadRequest { id: target.reading, reading, style: target.style, lang: self.settings.lang })
    }

    fn cursor_moved(&mut self, point: Point) -> Vec<FocusEffect> {
        if self.cursor.replace(point).is_none() && !matches!(self.state, FocusState::Targeting { .. }) {
            // Where the pointer rests when it is first seen is no move.
            self.origin = point;
            return Vec::new();
        }
        let follows = match &self.state {
            FocusState::Reading(_) | FocusState::Targeting { .. } => self.settings.follow,
            // After an empty pick the person points elsewhere; accepting only a command would be a trap (FOC-5).
            FocusState::WaitCommand { .. } => true,
            FocusState::Idle => self.armed && self.settings.follow,
            FocusState::Pinned(_) => false,
        };
        if !follows || !self.settings.sources.pointer {
            return Vec::new();
        }
        if !self.is_move(point) && !self.is_probed_at(point) {
            // Back where something was looked for: the move did not happen.
            self.settling = None;
            return Vec::new();
        }
        let generation = self.new_timer();
        self.settling = Some(generation);
        vec![FocusEffect::StartTimer { generation, after: self.settings.debounce }]
    }

    /// Whether the pointer at `point` is beyond the threshold (FOC-2).
    fn is_move(&self, point: Point) -> bool {
        point.distance(self.origin) > f64::from(self.settings.move_threshold_px)
    }

    fn timer(&mut self, generation: u64) -> Vec<FocusEffect> {
        self.end_intention(generation);
        if self.settling == Some(generation) {
            self.settling = None;
            return match self.cursor {
                Some(cursor) if self.is_move(cursor) => self.target(PickRequest { cursor, enlarge: 1.0 }),
                Some(cursor) => self.ask_probe(cursor),
                None => Vec::new(),
            };
        }
        if self.deadline == Some(generation) {
            self.deadline = None;
            return match self.state {
                FocusState::Targeting { request, .. } => self.nothing(request, PickFailure::NoAnswer),
                FocusState::WaitCommand { .. } => self.wait_timed_out(),
                FocusState::Idle | FocusState::Reading(_) | FocusState::Pinned(_) => Vec::new(),
            };
        }
        Vec::new()
    }

    pub(super) const fn current(&self) -> Option<&ReadingTarget> {
        match &self.state {
            FocusState::Reading(target) | FocusState::Pinned(target) => Some(target),
            FocusState::Idle | FocusState::Targeting { .. } | FocusState::WaitCommand { .. } => None,
        }
    }

    pub(super) fn set_current(&mut self, new: ReadingTarget) {
        if let FocusState::Reading(target) | FocusState::Pinned(target) = &mut self.state {
            *target = new;
        }
    }

    pub(super) fn nothing_is_read(&self) -> Vec<FocusEffect> {
        let phrase = if self.state == FocusState::Idle { Phrase::FocusIsOff } else { Phrase::NothingIsRead };
        vec![say(phrase)]
    }

    /// A unique timer number, also across a restart after a crash.
    pub(super) fn new_timer(&mut self) -> u64 {
        self.timers = RequestId::next().0;
        self.timers
    }
}

/// The pick for an element of the tree.
#[must_use]
pub fn pick_of(element: Element) -> Pick {
    let states = element.properties.states.with_if(State::Disabled, !element.enabled);
    Pick {
        method: PickMethod::Uia,
        bbox: element.bbox,
        lang: language::by_script(&element.text, Lang::En),
        is_table: element.rows.len() > 1,
        text: element.text,
        role: Some(element.role),
        id: Some(element.id),
        offset: element.offset,
        rows: element.rows,
        has_header: element.has_header,
        row: element.row,
        confidence: 1.0,
        label: element.label,
        properties: ElementProperties { states, ..element.properties },
    }
}
