//! One event, one step.

use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::ocr::OcrPick;
use luna_messages::pick::{Element, Pick, PickFailure, PickMethod, PickRequest};
use luna_messages::reading::{Intent, Style};
use luna_messages::tts::{NoticeTiming, ReadRequest, Reading, SpeechEvent};
use luna_messages::uia::{TextLine, TreeAnswer};
use luna_messages::{Lang, Lost, Point, RequestId};

use zeroize::Zeroize;

use super::effect::Effect;
use super::lines::{Direction, LineWindow};
use super::state::{Focus, State, Target};
use crate::language;
use crate::phrases::Phrase;

/// How much larger "bigger" makes the region (PIC-2).
const BIGGER: f32 = 1.5;

/// What can happen to focus mode.
#[derive(Debug)]
pub enum Event {
    /// A command; `cursor` is where the pointer is now, `None` where that can't be told.
    Command {
        /// Which.
        command: Command,
        /// Where the pointer is.
        cursor: Option<Point>,
    },
    /// The cursor moved.
    CursorMoved(Point),
    /// The tree answered.
    Tree(RequestId, Result<TreeAnswer, Lost>),
    /// Recognition answered.
    Recognised(RequestId, Result<Result<OcrPick, PickFailure>, Lost>),
    /// The lines of the window came.
    Lines(RequestId, Result<Result<Vec<TextLine>, PickFailure>, Lost>),
    /// Speech went on.
    Speech(SpeechEvent),
    /// A timer ran out.
    Timer(u64),
}

impl Focus {
    /// Takes one event; the effects are to be performed in order.
    #[must_use]
    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        let before = self.state.name();
        let mut effects = match event {
            Event::Command { command, cursor } => self.command(command, cursor),
            Event::CursorMoved(point) => self.cursor_moved(point),
            Event::Tree(id, answer) => self.tree(id, answer),
            Event::Recognised(id, answer) => self.recognised(id, answer),
            Event::Lines(id, answer) => self.lines(id, answer),
            Event::Speech(event) => Self::speech(event),
            Event::Timer(generation) => self.timer(generation),
        };
        let after = self.state.name();
        if before != after {
            effects.insert(0, Effect::Publish(BusEvent::FocusState { state: after.to_owned() }));
            match (before, after) {
                ("Idle", _) => effects.push(Effect::WatchPointer(true)),
                (_, "Idle") => effects.push(Effect::WatchPointer(false)),
                _ => {}
            }
            if before == "WaitCmd" || after == "WaitCmd" {
                effects.push(Effect::HoldEscape(after == "WaitCmd"));
            }
        }
        effects
    }

    fn command(&mut self, command: Command, cursor: Option<Point>) -> Vec<Effect> {
        if let Some(cursor) = cursor {
            self.cursor = Some(cursor);
        }
        match command {
            Command::FocusOn => self.switch_on(cursor),
            Command::FocusOff => self.switch_off(Phrase::FocusOff),
            Command::FocusToggle if self.state == State::Idle => self.switch_on(cursor),
            Command::FocusToggle => self.switch_off(Phrase::FocusOff),
            // Speech obeys these by itself and at once; there is nothing to decide here (BRG-1, TTS-2).
            Command::Stop
            | Command::Pause
            | Command::Resume
            | Command::PauseToggle
            | Command::Repeat
            | Command::Slower
            | Command::Faster => Vec::new(),
            Command::Next => self.next(Direction::Down),
            Command::Prev => self.next(Direction::Up),
            Command::Spell => self.replay(Style::Spell),
            Command::SpellJamo => self.replay(Style::SpellJamo),
            Command::Numbers => self.replay(Style::Numbers),
            Command::Translate => self.needs_model(Intent::Translate),
            Command::Summarize => self.needs_model(Intent::Summarize),
            Command::Bigger => self.bigger(),
            Command::Pin => self.pin(true),
            Command::Unpin => self.pin(false),
            Command::PinToggle => self.pin(!matches!(self.state, State::Pinned(_))),
            Command::Escape if matches!(self.state, State::WaitCommand { .. }) => self.switch_off(Phrase::FocusOff),
            Command::Escape => Vec::new(),
        }
    }

    fn switch_on(&mut self, cursor: Option<Point>) -> Vec<Effect> {
        if self.state != State::Idle {
            return Vec::new();
        }
        let Some(cursor) = cursor else {
            return vec![say(Phrase::Lost(luna_messages::capability::Capability::Pointer))];
        };
        let mut effects = vec![Effect::Publish(BusEvent::FocusModeToggle { on: true })];
        effects.extend(self.target(PickRequest { cursor, enlarge: 1.0 }));
        effects
    }

    fn switch_off(&mut self, phrase: Phrase) -> Vec<Effect> {
        if self.state == State::Idle {
            return vec![Effect::Forget];
        }
        self.state = State::Idle;
        self.settling = None;
        self.deadline = None;
        self.step_wanted = None;
        vec![
            Effect::Forget,
            Effect::Publish(BusEvent::FocusModeToggle { on: false }),
            Effect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
            say(phrase),
        ]
    }

    /// Begins to look for the text at a place; whatever was asked before no longer counts.
    fn target(&mut self, request: PickRequest) -> Vec<Effect> {
        let id = RequestId::next();
        self.settling = None;
        self.step_wanted = None;
        self.state = State::Targeting { id, request };
        let deadline = self.new_timer();
        self.deadline = Some(deadline);
        vec![
            Effect::Publish(BusEvent::PickRequest { cursor: request.cursor }),
            Effect::AskTree { id, request },
            Effect::StartTimer { generation: deadline, after: self.settings.pick_deadline },
        ]
    }

    fn tree(&mut self, id: RequestId, answer: Result<TreeAnswer, Lost>) -> Vec<Effect> {
        let Some(request) = self.awaited(id) else { return Vec::new() };
        match answer {
            Ok(TreeAnswer::Found(element)) => self.found(request, pick_of(element)),
            Ok(TreeAnswer::NoText { window, protected }) => {
                vec![Effect::AskRecognition { id, request, window, protected }]
            }
            Ok(TreeAnswer::Refused(failure)) => self.nothing(request, failure),
            Err(Lost::Crashed) => self.nothing(request, PickFailure::Failed),
        }
    }

    fn recognised(&mut self, id: RequestId, answer: Result<Result<OcrPick, PickFailure>, Lost>) -> Vec<Effect> {
        let Some(request) = self.awaited(id) else { return Vec::new() };
        match answer {
            Ok(Ok(found)) => {
                let mut effects = self.found(request, found.pick);
                if found.low_quality {
                    effects.push(Effect::Say(Phrase::LowQuality, NoticeTiming::AfterSentence));
                }
                effects
            }
            Ok(Err(failure)) => self.nothing(request, failure),
            Err(Lost::Crashed) => self.nothing(request, PickFailure::Failed),
        }
    }

    /// The request that an answer with this id belongs to, if it is the one that counts.
    fn awaited(&self, id: RequestId) -> Option<PickRequest> {
        match self.state {
            State::Targeting { id: awaited, request } if awaited == id => Some(request),
            _ => None,
        }
    }

    fn found(&mut self, request: PickRequest, pick: Pick) -> Vec<Effect> {
        if pick.text.trim().is_empty() && pick.rows.is_empty() {
            return self.nothing(request, PickFailure::NoText);
        }
        self.deadline = None;
        let method = match pick.method {
            PickMethod::Uia => "uia",
            PickMethod::Ocr => "ocr",
        };
        let mut effects = vec![
            Effect::CountPick { method, outcome: "success" },
            Effect::Publish(BusEvent::PickResult {
                method: pick.method,
                bbox: pick.bbox,
                text: pick.text.clone(),
                lang: pick.lang,
                is_table: pick.is_table,
            }),
            Effect::Publish(BusEvent::IntentResult { intent: Intent::Read }),
        ];
        let target = Target { pick, request, reading: RequestId::next(), style: Style::News, lines: None };
        effects.push(Effect::Publish(BusEvent::Highlight { bbox: Some(target.pick.bbox), pinned: false }));
        effects.push(self.read(&target));
        self.state = State::Reading(target);
        // The cursor may have gone on while the text was being looked for.
        effects.extend(self.cursor.map(|cursor| self.cursor_moved(cursor)).unwrap_or_default());
        effects
    }

    fn nothing(&mut self, request: PickRequest, failure: PickFailure) -> Vec<Effect> {
        self.state = State::WaitCommand { request };
        let deadline = self.new_timer();
        self.deadline = Some(deadline);
        vec![
            Effect::CountPick { method: "none", outcome: failure_name(failure) },
            Effect::Publish(BusEvent::PickFailed { reason: failure_name(failure).to_owned() }),
            Effect::Publish(BusEvent::Highlight { bbox: None, pinned: false }),
            say(Phrase::NothingToRead(failure)),
            Effect::StartTimer { generation: deadline, after: self.settings.wait_command_timeout },
        ]
    }

    fn read(&self, target: &Target) -> Effect {
        let pick = &target.pick;
        let reading = if pick.is_table && target.style == Style::News && !pick.rows.is_empty() {
            Reading::Rows { rows: pick.rows.clone(), has_header: pick.has_header }
        } else {
            Reading::Text { text: pick.text.clone(), offset: pick.offset.unwrap_or(0) }
        };
        Effect::Read(ReadRequest { id: target.reading, reading, style: target.style, lang: self.settings.lang })
    }

    /// The same text in another style (BRG-2).
    fn replay(&mut self, style: Style) -> Vec<Effect> {
        let Some(mut target) = self.current().cloned() else { return self.nothing_is_read() };
        let intent = match style {
            Style::News => Intent::Read,
            Style::Spell | Style::SpellJamo => Intent::Spell,
            Style::Numbers => Intent::Numbers,
        };
        target.style = style;
        target.reading = RequestId::next();
        let effects = vec![Effect::Publish(BusEvent::IntentResult { intent }), self.read(&target)];
        self.set_current(target);
        effects
    }

    fn needs_model(&self, intent: Intent) -> Vec<Effect> {
        if self.current().is_none() {
            return self.nothing_is_read();
        }
        vec![Effect::Publish(BusEvent::IntentResult { intent }), say(Phrase::NoLanguageModel)]
    }

    fn bigger(&mut self) -> Vec<Effect> {
        let request = match &self.state {
            State::WaitCommand { request } => *request,
            State::Reading(target) => target.request,
            State::Pinned(_) | State::Targeting { .. } => return Vec::new(),
            State::Idle => return self.nothing_is_read(),
        };
        self.target(PickRequest { enlarge: request.enlarge * BIGGER, ..request })
    }

    fn pin(&mut self, wanted: bool) -> Vec<Effect> {
        let (target, pinned) = match std::mem::replace(&mut self.state, State::Idle) {
            State::Reading(target) => (target, false),
            State::Pinned(target) => (target, true),
            other @ (State::Idle | State::Targeting { .. } | State::WaitCommand { .. }) => {
                self.state = other;
                return self.nothing_is_read();
            }
        };
        let bbox = Some(target.pick.bbox);
        let id = RequestId::next();
        let ask = Effect::AskLines { id, request: at_target(&target), recognised: by_recognition(&target) };
        self.state = if wanted { State::Pinned(target) } else { State::Reading(target) };
        if wanted == pinned {
            return Vec::new();
        }
        self.settling = None;
        self.step_wanted = None;
        let mut effects = vec![Effect::Publish(BusEvent::Highlight { bbox, pinned: wanted })];
        if wanted {
            // Fetched now, so that the first step doesn't wait for it.
            self.step_wanted = None;
            effects.push(ask);
            effects.push(Effect::Say(Phrase::Pinned, NoticeTiming::AfterSentence));
        } else {
            effects.push(Effect::Say(Phrase::Unpinned, NoticeTiming::AfterSentence));
        }
        effects
    }

    fn next(&mut self, direction: Direction) -> Vec<Effect> {
        let (request, recognised, neighbour) = match &self.state {
            State::Idle => return vec![say(Phrase::FocusIsOff)],
            State::Targeting { .. } | State::WaitCommand { .. } => return self.nothing_is_read(),
            State::Reading(_) => {
                return vec![match direction {
                    Direction::Down => Effect::NextSentence,
                    Direction::Up => Effect::PreviousSentence,
                }];
            }
            State::Pinned(target) => {
                let neighbour = target.lines.as_ref().and_then(|lines| lines.neighbour(direction).cloned());
                (at_target(target), by_recognition(target), neighbour)
            }
        };
        let id = RequestId::next();
        if let Some(line) = neighbour {
            // Read what is known at once; the lines around it are asked for beside that.
            let mut effects = self.read_line(line);
            if let State::Pinned(target) = &self.state {
                effects.push(Effect::AskLines { id, request: at_target(target), recognised });
            }
            self.step_wanted = None;
            effects
        } else {
            self.step_wanted = Some((id, direction));
            vec![Effect::AskLines { id, request, recognised }]
        }
    }

    fn read_line(&mut self, line: TextLine) -> Vec<Effect> {
        let State::Pinned(target) = &mut self.state else { return Vec::new() };
        target.pick.lang = language::by_script(&line.text, target.pick.lang);
        target.pick.text.zeroize();
        target.pick.text = line.text;
        target.pick.bbox = line.bbox;
        target.pick.offset = None;
        target.pick.is_table = false;
        target.pick.rows.zeroize();
        target.lines = None;
        target.style = Style::News;
        target.reading = RequestId::next();
        let target = target.clone();
        vec![
            Effect::Publish(BusEvent::Highlight { bbox: Some(target.pick.bbox), pinned: true }),
            self.read(&target),
        ]
    }

    fn lines(&mut self, id: RequestId, answer: Result<Result<Vec<TextLine>, PickFailure>, Lost>) -> Vec<Effect> {
        let wanted = self.step_wanted.filter(|(wanted, _)| *wanted == id).map(|(_, direction)| direction);
        let State::Pinned(target) = &mut self.state else { return Vec::new() };
        let lines = match answer {
            Ok(Ok(lines)) => lines,
            Ok(Err(failure)) => return wanted.map(|_| say(Phrase::NothingToRead(failure))).into_iter().collect(),
            Err(Lost::Crashed) => {
                return wanted.map(|_| say(Phrase::NothingToRead(PickFailure::Failed))).into_iter().collect();
            }
        };
        let (before, after) = (self.settings.lines_before, self.settings.lines_after);
        let window = LineWindow::around(&lines, target.pick.bbox, &target.pick.text, before, after);
        let neighbour = wanted.map(|direction| (direction, window.neighbour(direction).cloned()));
        target.lines = Some(window);
        match neighbour {
            None => Vec::new(),
            Some((_, Some(line))) => {
                self.step_wanted = None;
                let text = line.text.clone();
                let bbox = line.bbox;
                let effects = self.read_line(line);
                if let State::Pinned(target) = &mut self.state {
                    target.lines = Some(LineWindow::around(&lines, bbox, &text, before, after));
                }
                effects
            }
            Some((Direction::Down, None)) => self.border(Phrase::LastLine),
            Some((Direction::Up, None)) => self.border(Phrase::FirstLine),
        }
    }

    fn border(&mut self, phrase: Phrase) -> Vec<Effect> {
        self.step_wanted = None;
        vec![say(phrase)]
    }

    fn cursor_moved(&mut self, point: Point) -> Vec<Effect> {
        self.cursor = Some(point);
        let from = match &self.state {
            State::Reading(target) => target.request.cursor,
            State::Targeting { request, .. } => request.cursor,
            State::Idle | State::Pinned(_) | State::WaitCommand { .. } => return Vec::new(),
        };
        if !self.settings.follow {
            return Vec::new();
        }
        if point.distance(from) <= f64::from(self.settings.move_threshold_px) {
            // Back where it was: the move did not happen.
            self.settling = None;
            return Vec::new();
        }
        let generation = self.new_timer();
        self.settling = Some(generation);
        vec![Effect::StartTimer { generation, after: self.settings.debounce }]
    }

    fn timer(&mut self, generation: u64) -> Vec<Effect> {
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
                State::Targeting { request, .. } => self.nothing(request, PickFailure::NoAnswer),
                State::WaitCommand { .. } => self.switch_off(Phrase::FocusTimedOut),
                State::Idle | State::Reading(_) | State::Pinned(_) => Vec::new(),
            };
        }
        Vec::new()
    }

    fn speech(event: SpeechEvent) -> Vec<Effect> {
        let published = match event {
            SpeechEvent::Sentence { idx, of, text, lang, notice, .. } => {
                return vec![
                    Effect::Publish(BusEvent::TtsStart { idx, text, lang, notice }),
                    Effect::Publish(BusEvent::TtsProgress { idx, of }),
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
        vec![Effect::Publish(published)]
    }

    const fn current(&self) -> Option<&Target> {
        match &self.state {
            State::Reading(target) | State::Pinned(target) => Some(target),
            State::Idle | State::Targeting { .. } | State::WaitCommand { .. } => None,
        }
    }

    fn set_current(&mut self, new: Target) {
        if let State::Reading(target) | State::Pinned(target) = &mut self.state {
            *target = new;
        }
    }

    fn nothing_is_read(&self) -> Vec<Effect> {
        let phrase = if self.state == State::Idle { Phrase::FocusIsOff } else { Phrase::NothingIsRead };
        vec![say(phrase)]
    }

    /// A number that no timer had before, those of a focus mode that crashed included.
    fn new_timer(&mut self) -> u64 {
        self.timers = RequestId::next().0;
        self.timers
    }
}

const fn say(phrase: Phrase) -> Effect {
    Effect::Say(phrase, NoticeTiming::Now)
}

/// Lines are asked for at the target and not at the cursor: the cursor may be over another window by now.
fn at_target(target: &Target) -> PickRequest {
    let center = target.pick.bbox.center();
    let cursor = if target.pick.bbox.contains(target.request.cursor) { target.request.cursor } else { center };
    PickRequest { cursor, enlarge: 1.0 }
}

fn by_recognition(target: &Target) -> bool {
    target.pick.method == PickMethod::Ocr
}

/// What is read of an element of the tree.
#[must_use]
pub fn pick_of(element: Element) -> Pick {
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
        confidence: 1.0,
    }
}

const fn failure_name(failure: PickFailure) -> &'static str {
    match failure {
        PickFailure::NoText => "no_text",
        PickFailure::Protected => "protected",
        PickFailure::NoWindow => "no_window",
        PickFailure::WindowGone => "window_gone",
        PickFailure::NoAnswer => "no_answer",
        PickFailure::Unavailable => "unavailable",
        PickFailure::Failed => "failed",
    }
}

