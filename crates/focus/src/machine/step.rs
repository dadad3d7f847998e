//! The reaction to answers, cursor moves, timers and progress of speech.

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::element::{ElementProperties, State};
use luna_messages::focus::FocusChange;
use luna_messages::language_tasks::{Summary, TranslatedPiece, TranslationEnd};
use luna_messages::ocr::OcrPick;
use luna_messages::pick::{Element, Pick, PickFailure, PickMethod, PickRequest};
use luna_messages::reading::{Intent, Style};
use luna_messages::tts::{NoticeTiming, ReadAloud, ReadRequest, SpeechEvent};
use luna_messages::uia::{TextLine, TreeAnswer};
use luna_messages::work::WorkFailure;
use luna_messages::{Lang, NoReply, Point, RequestId};

use super::effect::FocusEffect;
use super::say::{say, sentence_start};
use super::state::{Focus, FocusState, ReadingTarget};
use crate::phrases::Phrase;
use luna_text::language;

/// Events of focus mode.
#[derive(Debug)]
pub enum FocusEvent {
    Command(Command),
    /// The pointer's position; `None` if it is unknown.
    Pointer(RequestId, Option<Point>),
    CursorMoved(Point),
    /// The accessibility tree's answer.
    Tree(RequestId, Result<TreeAnswer, NoReply>),
    /// The answer of text recognition.
    Recognised(RequestId, Result<Result<OcrPick, PickFailure>, NoReply>),
    /// The lines of the window.
    Lines(RequestId, Result<Result<Vec<TextLine>, PickFailure>, NoReply>),
    /// A finished piece of a translation.
    Translated(RequestId, TranslatedPiece),
    /// The end of a translation, or why it failed.
    TranslationEnded(RequestId, Result<Result<TranslationEnd, WorkFailure>, NoReply>),
    /// A summary, or why there is none.
    Summarized(RequestId, Result<Result<Summary, WorkFailure>, NoReply>),
    /// The keyboard focus moved (ATT-2).
    KeyboardFocus(FocusChange),
    /// Progress of speech.
    Speech(SpeechEvent),
    /// A timer elapsed.
    Timer(u64),
}

impl Focus {
    /// Handles one event; the effects must be performed in order.
    #[must_use]
    pub fn step(&mut self, event: FocusEvent) -> Vec<FocusEffect> {
        let (before, watched) = (self.state.name(), self.watches_pointer());
        let working = self.work.as_ref().map(|work| work.id);
        let mut effects = match event {
            FocusEvent::Command(command) => self.command(command),
            FocusEvent::Pointer(id, at) => self.pointer(id, at),
            FocusEvent::CursorMoved(point) => self.cursor_moved(point),
            FocusEvent::Tree(id, answer) => self.tree(id, answer),
            FocusEvent::Recognised(id, answer) => self.recognised(id, answer),
            FocusEvent::Lines(id, answer) => self.lines(id, answer),
            FocusEvent::Translated(id, piece) => self.translated(id, piece),
            FocusEvent::TranslationEnded(id, answer) => self.translation_ended(id, answer),
            FocusEvent::Summarized(id, answer) => self.summarized(id, answer),
            FocusEvent::KeyboardFocus(change) => self.keyboard_focus(change),
            FocusEvent::Speech(event) => Self::speech(event),
            FocusEvent::Timer(generation) => self.timer(generation),
        };
        self.drop_obsolete_work(working, &mut effects);
        let after = self.state.name();
        if before != after {
            effects.insert(0, FocusEffect::Publish(BusEvent::FocusState { state: after.to_owned() }));
            if before == "WaitCmd" || after == "WaitCmd" {
                effects.push(FocusEffect::WatchEscape(after == "WaitCmd"));
            }
        }
        if watched != self.watches_pointer() {
            effects.push(FocusEffect::WatchPointer(!watched));
        }
        effects
    }

    pub(super) const fn watches_pointer(&self) -> bool {
        self.armed || !matches!(self.state, FocusState::Idle)
    }

    /// Starts a search at a position; earlier requests are obsolete.
    pub(super) fn target(&mut self, request: PickRequest) -> Vec<FocusEffect> {
        let id = RequestId::next();
        // A pending request for the pointer's position is obsolete.
        self.starting = None;
        self.settling = None;
        self.pending_step = None;
        self.armed = false;
        self.origin = request.cursor;
        let searched = matches!(self.state, FocusState::Targeting { .. });
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

    fn tree(&mut self, id: RequestId, answer: Result<TreeAnswer, NoReply>) -> Vec<FocusEffect> {
        let Some(request) = self.awaited(id) else { return Vec::new() };
        match answer {
            Ok(TreeAnswer::Found(element)) => self.found(id, request, pick_of(element)),
            Ok(TreeAnswer::NoText(searched)) => vec![FocusEffect::AskRecognition { id, request, searched }],
            Ok(TreeAnswer::Protected(_)) => self.nothing(request, PickFailure::Protected),
            Ok(TreeAnswer::Refused(failure)) => self.nothing(request, failure),
            Err(NoReply::Crashed) => self.nothing(request, PickFailure::Failed),
        }
    }

    fn recognised(&mut self, id: RequestId, answer: Result<Result<OcrPick, PickFailure>, NoReply>) -> Vec<FocusEffect> {
        let Some(request) = self.awaited(id) else { return Vec::new() };
        match answer {
            Ok(Ok(found)) => {
                let mut effects = self.found(id, request, found.pick);
                if found.low_quality {
                    effects.push(FocusEffect::Say(Phrase::LowQuality, NoticeTiming::AfterSentence));
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

    /// The reading gets the id of the search: a stop after the search began ends it, whichever of the two reaches the speech actor first
    /// (FOC-6).
    pub(super) fn found(&mut self, id: RequestId, request: PickRequest, pick: Pick) -> Vec<FocusEffect> {
        if pick.text.trim().is_empty() && pick.rows.is_empty() {
            return self.nothing(request, PickFailure::NoText);
        }
        self.deadline = None;
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
            FocusEffect::Publish(BusEvent::IntentResult { intent: Intent::Read }),
        ];
        let target = ReadingTarget { pick, request, reading: id, style: Style::News, lines: None };
        effects.push(FocusEffect::Publish(BusEvent::Highlight { bbox: Some(target.pick.bbox), pinned: false }));
        effects.push(self.read(&target));
        self.state = FocusState::Reading(target);
        effects.extend(self.recheck_cursor());
        effects
    }

    fn nothing(&mut self, request: PickRequest, failure: PickFailure) -> Vec<FocusEffect> {
        self.state = FocusState::WaitCommand { request };
        let deadline = self.new_timer();
        self.deadline = Some(deadline);
        let mut effects = vec![
            FocusEffect::CountPick { method: "none", outcome: failure_name(failure) },
            FocusEffect::Publish(BusEvent::PickFailed { reason: failure_name(failure).to_owned() }),
            FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
            say(Phrase::NothingToRead(failure)),
            FocusEffect::StartTimer { generation: deadline, after: self.settings.wait_command_timeout },
        ];
        effects.extend(self.recheck_cursor());
        effects
    }

    /// The cursor may have moved during the search.
    fn recheck_cursor(&mut self) -> Vec<FocusEffect> {
        self.cursor.map(|cursor| self.cursor_moved(cursor)).unwrap_or_default()
    }

    pub(super) fn read(&self, target: &ReadingTarget) -> FocusEffect {
        let pick = &target.pick;
        let reading = if pick.is_table && target.style == Style::News && !pick.rows.is_empty() {
            ReadAloud::Rows { rows: pick.rows.clone(), has_header: pick.has_header, row: pick.row.unwrap_or(0) }
        } else {
            let offset = pick.offset.unwrap_or(0);
            // Spelling and numbers begin with the whole sentence that is pointed at, not in its middle (BRG-2).
            let offset = if target.style == Style::News { offset } else { sentence_start(&pick.text, offset) };
            ReadAloud::Text { text: pick.text.clone(), offset }
        };
        FocusEffect::Read(ReadRequest { id: target.reading, reading, style: target.style, lang: self.settings.lang })
    }

    fn cursor_moved(&mut self, point: Point) -> Vec<FocusEffect> {
        self.cursor = Some(point);
        let follows = match &self.state {
            FocusState::Reading(_) | FocusState::Targeting { .. } => self.settings.follow,
            // After an empty pick the person points elsewhere; accepting only a command would be a trap (FOC-5).
            FocusState::WaitCommand { .. } => true,
            FocusState::Idle => self.armed && self.settings.follow,
            FocusState::Pinned(_) => false,
        };
        if !follows {
            return Vec::new();
        }
        if point.distance(self.origin) <= f64::from(self.settings.move_threshold_px) {
            // Back at the origin: the move did not happen.
            self.settling = None;
            return Vec::new();
        }
        let generation = self.new_timer();
        self.settling = Some(generation);
        vec![FocusEffect::StartTimer { generation, after: self.settings.debounce }]
    }

    fn timer(&mut self, generation: u64) -> Vec<FocusEffect> {
        if self.settling == Some(generation) {
            self.settling = None;
            return match self.cursor {
                Some(cursor) => self.target(PickRequest { cursor, enlarge: 1.0 }),
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

    fn speech(event: SpeechEvent) -> Vec<FocusEffect> {
        let published = match event {
            SpeechEvent::Sentence { idx, of, text, lang, notice, .. } => {
                return vec![
                    FocusEffect::Publish(BusEvent::TtsStart { idx, text, lang, notice }),
                    FocusEffect::Publish(BusEvent::TtsProgress { idx, of }),
                ];
            }
            SpeechEvent::Finished { .. } => BusEvent::TtsStop { idx: 0, finished: true },
            SpeechEvent::Stopped { idx, .. } => BusEvent::TtsStop { idx, finished: false },
            SpeechEvent::Rate { thousandths } => {
                #[expect(clippy::cast_precision_loss, reason = "at most some thousand")]
                let rate = thousandths as f32 / 1000.0;
                BusEvent::TtsRate { rate }
            }
            SpeechEvent::Paused { .. } | SpeechEvent::Resumed { .. } => return Vec::new(),
        };
        vec![FocusEffect::Publish(published)]
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

const fn failure_name(failure: PickFailure) -> &'static str {
    match failure {
        PickFailure::NoText => "no_text",
        PickFailure::Protected => "protected",
        PickFailure::NoWindow => "no_window",
        PickFailure::WindowGone => "window_gone",
        PickFailure::Changed => "changed",
        PickFailure::NoAnswer => "no_answer",
        PickFailure::Unavailable => "unavailable",
        PickFailure::Failed => "failed",
    }
}
