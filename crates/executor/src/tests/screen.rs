//! A screen that the machine acts on, and what it did to it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::dsl::DslTask;
use luna_messages::element_action::{
    ActionResult, ElementAction, ElementRefusal, ElementState, EnteredText, NoEffectProof, ObservedChange,
};
use luna_messages::executor::{OrderReport, OrderSource, SpokenOrder};
use luna_messages::language_tasks::Meaning;
use luna_messages::{ElementId, Lang, Point, Rect, RequestId};
use luna_nlu::{Understanding, Vocabulary};

use crate::events::{ExecutorEffect, ExecutorEvent, ExecutorSettings, ScreenCandidates};
use crate::machine::ExecutorMachine;
use crate::rules::CommandRules;

use super::desktop::ShownDesktop;
pub(super) use super::shown::{Behaviour, InputBehaviour, ShownElement, button, check_box, field, shown};
use super::shown::{change_of, clicked, perform, typed_into};

/// A screen with elements one below the other.
pub(super) struct ScriptedScreen {
    pub machine: ExecutorMachine,
    pub settings: ExecutorSettings,
    pub rules: Arc<dyn CommandRules>,
    pub elements: Vec<ShownElement>,
    /// What was done to which element.
    pub acts: Vec<(ElementId, ElementAction)>,
    /// What was clicked, and what was typed into which element.
    pub inputs: Vec<(ElementId, Option<EnteredText>)>,
    pub reports: Vec<(RequestId, OrderReport)>,
    pub said: Vec<String>,
    pub now: Duration,
    pub timer: Option<(u64, Duration)>,
    /// Effects that wait, so that something may happen before.
    pub waiting: VecDeque<ExecutorEffect>,
    /// The newest stop that the platform knows: what is older than it is not done any more.
    pub stopped: RequestId,
    /// The newest action that was asked for.
    pub act_id: RequestId,
    pub acts_wanted: usize,
    /// Keys that were pressed, and what the platform says about that.
    pub keys: Vec<String>,
    pub keys_result: ActionResult,
    pub window: Option<u64>,
    /// Boxes of the web pages among the elements.
    pub pages: Vec<Rect>,
    /// The window and the focus when the candidates were asked for last.
    pub listed: (Option<u64>, Option<ElementId>),
    /// Whether answers come later than everything else; and those that do.
    pub postpones: bool,
    pub postponed: Vec<ExecutorEvent>,
    /// What each element was when it was last looked at. The platform refuses to act on one whose name changed since.
    pub known: BTreeMap<ElementId, ElementState>,
    /// Where the wheel was turned, and how far; and whether what is shown moves then.
    pub wheel: Vec<(Point, i16)>,
    pub scrolls: bool,
    /// What the pointer was put on.
    pub hovered: Vec<ElementId>,
    pub desktop: ShownDesktop,
    /// How many of the next listings lack what comes after so many elements.
    pub cut: (u32, usize),
    /// Whether they lack it because the application is slow, and not because it is too much.
    pub cut_is_late: bool,
    /// What a language model is asked, and what it answers. Without an answer it is silent.
    pub model_asked: Vec<(DslTask, Vec<String>)>,
    pub model_answers: Option<Meaning>,
    next_id: u32,
}

impl ScriptedScreen {
    /// With the real rules.
    pub fn new(elements: Vec<ShownElement>) -> Self {
        static RULES: LazyLock<Arc<Understanding>> =
            LazyLock::new(|| Arc::new(Understanding::new(&Vocabulary::default())));
        Self::with_rules(elements, Arc::clone(&*RULES) as Arc<dyn CommandRules>)
    }

    pub fn with_rules(elements: Vec<ShownElement>, rules: Arc<dyn CommandRules>) -> Self {
        let settings = ExecutorSettings {
            lang: Lang::Ko,
            tree_first: true,
            coord_fallback: false,
            confirm_on_danger: true,
            confirming_call: Some("루나".to_owned()),
            confirm_timeout: Duration::from_secs(8),
            asks_model: false,
        };
        let mut screen = Self {
            machine: ExecutorMachine::new(settings.clone()),
            settings,
            rules,
            elements: Vec::new(),
            acts: Vec::new(),
            inputs: Vec::new(),
            reports: Vec::new(),
            said: Vec::new(),
            now: Duration::ZERO,
            timer: None,
            waiting: VecDeque::new(),
            stopped: RequestId(0),
            act_id: RequestId(0),
            acts_wanted: 0,
            keys: Vec::new(),
            keys_result: ActionResult::Accepted,
            window: Some(1),
            pages: Vec::new(),
            listed: (None, None),
            postpones: false,
            postponed: Vec::new(),
            known: BTreeMap::new(),
            wheel: Vec::new(),
            scrolls: true,
            hovered: Vec::new(),
            desktop: ShownDesktop::default(),
            cut: (0, 0),
            cut_is_late: true,
            model_asked: Vec::new(),
            model_answers: None,
            next_id: 0,
        };
        elements.into_iter().for_each(|element| screen.show(element));
        screen
    }

    pub fn show(&mut self, mut element: ShownElement) {
        self.next_id += 1;
        element.state.element.id = ElementId(format!("e{}", self.next_id));
        element.state.element.bbox = Rect::new(0, 40 * i32::try_from(self.elements.len()).unwrap_or(0), 80, 30);
        self.elements.push(element);
    }

    fn candidates(&self) -> ScreenCandidates {
        let candidate = |one: &ShownElement| {
            let element = &one.state.element;
            let near = Some(element.label.clone()).filter(|label| !label.is_empty());
            Candidate {
                id: element.id.clone(),
                role: element.role,
                // The rules find a field by its label, as the actor tells it.
                text: if element.label.is_empty() { element.text.clone() } else { element.label.clone() },
                bbox: element.bbox,
                automation_id: String::new(),
                enabled: element.enabled,
                near: near.into_iter().collect(),
                zone: Zone::Left,
                details: CandidateDetails {
                    capacities: one.state.capacities,
                    states: element.properties.states,
                    protected: one.state.protected,
                    kind: Some(element.role).filter(|role| *role != role.general()),
                    ..CandidateDetails::default()
                },
            }
        };
        let focused = self.elements.iter().find(|one| one.state.focused).map(|one| one.state.element.id.clone());
        let candidates = self.elements.iter().map(candidate).collect();
        let bounds = Rect::new(0, 0, 800, 600);
        let pages = self.pages.clone();
        ScreenCandidates { candidates, is_complete: true, is_late: false, window: self.window, bounds, focused, pages }
    }

    pub fn spoken(utterance: &str, source: OrderSource) -> SpokenOrder {
        SpokenOrder {
            id: RequestId::next(),
            utterance: utterance.to_owned(),
            source,
            called: utterance.starts_with("루나"),
            overlaps_playback: false,
        }
    }

    /// Takes an event and keeps what is to be done about it.
    pub fn take(&mut self, event: ExecutorEvent) {
        let effects = self.machine.step(event, self.now, &*self.rules);
        self.waiting.extend(effects);
    }

    /// Does what waits, until nothing does.
    pub fn settle(&mut self) {
        while self.perform_next() {}
    }

    /// Does the first thing that waits.
    pub fn perform_next(&mut self) -> bool {
        let Some(effect) = self.waiting.pop_front() else { return false };
        match effect {
            ExecutorEffect::AskCandidates { id, .. } => {
                for one in &self.elements {
                    self.known.insert(one.state.element.id.clone(), one.state.clone());
                }
                let mut candidates = self.candidates();
                if self.cut.0 > 0 {
                    self.cut.0 -= 1;
                    candidates.candidates.truncate(self.cut.1);
                    candidates.is_complete = false;
                    candidates.is_late = self.cut_is_late;
                }
                self.listed = (candidates.window, candidates.focused.clone());
                let answer = Some(candidates);
                self.reply(ExecutorEvent::Candidates { id, answer });
            }
            ExecutorEffect::AskModel { id, task, candidates, .. } => {
                self.model_asked.push((task, candidates.into_iter().map(|one| one.text).collect()));
                if let Some(meaning) = self.model_answers.take() {
                    self.reply(ExecutorEvent::Decided { id, meaning: Some(meaning) });
                }
            }
            ExecutorEffect::Inspect { id, element } => {
                let found = self.elements.iter().find(|one| one.state.element.id == element);
                let answer = found.map(|one| Box::new(one.state.clone())).ok_or(ElementRefusal::Gone);
                if let Ok(state) = &answer {
                    self.known.insert(element, (**state).clone());
                }
                self.reply(ExecutorEvent::Inspected { id, answer });
            }
            ExecutorEffect::Act { id, order, element, action } => {
                if self.is_wanted(id, order) {
                    self.act(id, &element, action);
                }
            }
            ExecutorEffect::Click { id, order, element } => {
                if self.is_wanted(id, order) {
                    self.input(id, &element, None);
                }
            }
            ExecutorEffect::Hover { id, order, element } => {
                if self.is_wanted(id, order) {
                    self.hovered.push(element);
                    self.reply(ExecutorEvent::Acted { id, answer: Ok(ActionResult::Accepted) });
                }
            }
            ExecutorEffect::TypeInto { id, order, element, text, at_caret } => {
                if self.is_wanted(id, order) {
                    self.input(id, &element, Some((text, at_caret)));
                }
            }
            ExecutorEffect::StartTimer { generation, after } => self.timer = Some((generation, self.now + after)),
            ExecutorEffect::Say { phrase } => self.said.push(phrase.text(Lang::Ko)),
            ExecutorEffect::OpenQuestion { id, phrase, .. } => {
                self.said.push(phrase.text(Lang::Ko));
                self.take(ExecutorEvent::Asked { id });
            }
            ExecutorEffect::Report { id, report } => self.reports.push((id, report)),
            ExecutorEffect::PressKeys { id, order, window, chord, times } => {
                self.act_id = id;
                let answer = if order <= self.stopped {
                    Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered))
                } else if self.window == Some(window) {
                    if !matches!(self.keys_result, ActionResult::NoEffect(_)) {
                        (0..times).for_each(|_| self.keys.push(chord.to_string()));
                    }
                    Ok(self.keys_result)
                } else {
                    Err(ElementRefusal::Replaced)
                };
                self.reply(ExecutorEvent::Acted { id, answer });
            }
            ExecutorEffect::Scroll { id, order, at, notches, .. } => {
                if self.is_wanted(id, order) {
                    self.wheel.push((at, notches));
                    let moves = self.scrolls.then(|| i32::from(-notches));
                    for one in &mut self.elements {
                        one.state.element.bbox.y += moves.unwrap_or(0);
                    }
                    self.reply(ExecutorEvent::Acted { id, answer: Ok(ActionResult::Accepted) });
                }
            }
            ExecutorEffect::Desktop { id, order, what } => {
                if self.is_wanted(id, order) {
                    let answer = self.desktop.answer(&what);
                    self.desktop.asked.push(what);
                    self.reply(ExecutorEvent::DesktopAnswered { id, answer });
                }
            }
            ExecutorEffect::EndAct { .. }
            | ExecutorEffect::EndModel { .. }
            | ExecutorEffect::CloseQuestion
            | ExecutorEffect::Reflex(_)
            | ExecutorEffect::AnswerPermission { .. }
            | ExecutorEffect::Wish { .. } => {}
        }
        true
    }

    /// Whether no stop came since an action was ordered; else that is what the platform answers.
    fn is_wanted(&mut self, id: RequestId, order: RequestId) -> bool {
        self.act_id = id;
        self.acts_wanted += 1;
        if order <= self.stopped {
            let answer = Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered));
            self.reply(ExecutorEvent::Acted { id, answer });
        }
        order > self.stopped
    }

    /// An answer of the platform.
    fn reply(&mut self, event: ExecutorEvent) {
        if self.postpones {
            self.postponed.push(event);
        } else {
            self.take(event);
        }
    }

    fn act(&mut self, id: RequestId, element: &ElementId, action: ElementAction) {
        let Some(one) = self.is_known(element) else {
            return self.reply(ExecutorEvent::Acted { id, answer: Err(ElementRefusal::Gone) });
        };
        let (result, works) = match one.behaviour {
            Behaviour::Declines => (ActionResult::NoEffect(NoEffectProof::Declined), false),
            Behaviour::DeclinesAt(capacity) if action.capacity() == capacity => {
                (ActionResult::NoEffect(NoEffectProof::Declined), false)
            }
            Behaviour::Late => (ActionResult::Unknown, true),
            Behaviour::Works | Behaviour::DeclinesAt(_) => (ActionResult::Accepted, true),
            Behaviour::Ignores => (ActionResult::Accepted, false),
            Behaviour::Silent => (ActionResult::Unknown, false),
        };
        self.acts.push((element.clone(), action.clone()));
        self.answer_act(id, element, &action, result, works);
    }

    /// A click, or keys that type `text`.
    /// At the caret: at the end of what is there.
    fn input(&mut self, id: RequestId, element: &ElementId, text: Option<(EnteredText, bool)>) {
        let Some(one) = self.is_known(element) else {
            return self.reply(ExecutorEvent::Acted { id, answer: Err(ElementRefusal::Gone) });
        };
        let InputBehaviour { answer, works } = one.input;
        let action = match &text {
            None => clicked(&one.state),
            Some((text, false)) => typed_into(&one.state, text),
            Some((text, true)) => ElementAction::SetText(EnteredText(format!("{}{}", one.state.element.text, text.0))),
        };
        if !matches!(answer, ActionResult::NoEffect(_)) {
            self.inputs.push((element.clone(), text.map(|(text, _)| text)));
        }
        self.answer_act(id, element, &action, answer, works);
    }

    /// The element, if it shows the name that it had when it was looked at last.
    fn is_known(&self, element: &ElementId) -> Option<&ShownElement> {
        let known = self.known.get(element).map(|known| &known.element.text);
        let same = |one: &&ShownElement| {
            let is_named = one.state.element.role.has_content() || known == Some(&one.state.element.text);
            one.state.element.id == *element && is_named
        };
        self.elements.iter().find(same)
    }

    fn answer_act(
        &mut self,
        id: RequestId,
        element: &ElementId,
        action: &ElementAction,
        result: ActionResult,
        works: bool,
    ) {
        let acted_on = self.elements.iter_mut().filter(|one| works && one.state.element.id == *element);
        acted_on.for_each(|one| perform(&mut one.state, action));
        self.reply(ExecutorEvent::Acted { id, answer: Ok(result) });
        if works {
            self.reply(ExecutorEvent::Observed { id, change: change_of(action) });
        }
    }

    /// Pointer and keys may be used.
    pub fn with_input(mut self) -> Self {
        self.settings.coord_fallback = true;
        self.machine.set_settings(self.settings.clone());
        self
    }

    /// A stop: the platform knows at once, the machine when it is told.
    pub fn stop(&mut self) -> ExecutorEvent {
        let at = RequestId::next();
        self.stopped = at;
        ExecutorEvent::Stop { at }
    }

    /// Does what waits until an action is asked for, and that too.
    pub fn until_acted(&mut self) {
        let acted = self.act_id;
        while self.act_id == acted && self.perform_next() {}
    }

    /// Something is seen after the newest action.
    pub fn see(&mut self, change: ObservedChange) {
        self.take(ExecutorEvent::Observed { id: self.act_id, change });
    }

    /// Time passes until the timer.
    pub fn pass(&mut self) {
        if let Some((generation, at)) = self.timer.take() {
            self.now = self.now.max(at);
            self.take(ExecutorEvent::Timer { generation });
            self.settle();
        }
    }

    /// Somebody says something, and it is seen to its end.
    pub fn say(&mut self, utterance: &str) -> OrderReport {
        self.order(Self::spoken(utterance, OrderSource::Voice))
    }

    pub fn order(&mut self, order: SpokenOrder) -> OrderReport {
        let id = order.id;
        self.take(ExecutorEvent::Order(order));
        self.until_reported(id)
    }

    pub fn answer(&mut self, utterance: &str, source: OrderSource) -> OrderReport {
        let answer = Self::spoken(utterance, source);
        let id = answer.id;
        self.take(ExecutorEvent::Answer(answer));
        self.until_reported(id)
    }

    fn until_reported(&mut self, id: RequestId) -> OrderReport {
        self.settle();
        for _ in 0..4 {
            if self.reports.iter().any(|(of, _)| *of == id) {
                break;
            }
            self.pass();
        }
        let mut reports = self.reports.iter().filter(|(of, _)| *of == id);
        let report = reports.next().expect("a report").1.clone();
        assert!(reports.next().is_none(), "reported twice");
        report
    }

    /// What was done: labels.
    pub fn pressed(&self) -> Vec<&str> {
        let label = |id: &ElementId| {
            let one = self.elements.iter().find(|one| one.state.element.id == *id);
            one.map_or("", |one| {
                let element = &one.state.element;
                if element.label.is_empty() { &element.text } else { &element.label }
            })
        };
        self.acts.iter().map(|(id, _)| label(id)).collect()
    }
}
