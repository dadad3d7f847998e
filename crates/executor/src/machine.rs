//! The state machine of orders: the reaction to each event.

mod act;
mod aims;
mod by_model;
mod danger;
mod declined;
mod desktop;
mod find;
mod keys;
mod lists;
mod menus;
mod open_decision;
mod pages;
mod permission;
mod question;
mod reversible;
mod running;
mod scroll;
mod settle;
mod stop;
mod undo;

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::element_action::{ActionResult, ElementRefusal};
use luna_messages::executor::{ActedBy, OrderOutcome, OrderReport, SpokenOrder, StepReport};

use self::running::{Aim, OpenQuestion, PendingAct, Phase, RunningOrder, step_report};
use self::undo::ReversibleActs;
use crate::events::{ExecutorEffect, ExecutorEvent, ExecutorSettings, ScreenCandidates};
use crate::phrases::ExecutorPhrase;
use crate::rules::{CommandRules, NoCommandRules};

/// Longest time that a question stays open while it is still spoken.
const SPOKEN: Duration = Duration::from_secs(30);
/// Longest time until the candidates come: a window and its popups are listed, each in about a second.
const FINDS: Duration = Duration::from_secs(5);
/// Longest time until an element was inspected, which has a deadline of a second.
const INSPECTS: Duration = Duration::from_secs(3);
/// Longest time until an action was answered: the watch opens, the element is found again, and the application has 0.8 s.
const ACTS: Duration = Duration::from_secs(5);
/// The same for what is typed: it gets the focus first, selects, and each character takes its time.
const TYPES: Duration = Duration::from_secs(10);
const TYPES_CHARACTER: Duration = Duration::from_millis(20);
/// Ids of orders and answers that are remembered, so that what is delivered twice is done once.
const REMEMBERED: usize = 32;

/// Carries out one order at a time.
#[derive(Debug)]
pub struct ExecutorMachine {
    settings: ExecutorSettings,
    running: Option<Box<RunningOrder>>,
    /// The newest order that came while an action was under way.
    next: Option<SpokenOrder>,
    generation: u64,
    /// The newest stop: what was said before it is not carried out, however late it comes.
    last_stop: RequestId,
    /// The newest orders and answers.
    taken: VecDeque<RequestId>,
    /// When a question about something dangerous ended without a yes: one that comes later answers nothing.
    unconfirmed: Option<Duration>,
    /// When a program was not allowed to act.
    refused_program: Option<Duration>,
    /// What Luna did last and can take back.
    reversible: ReversibleActs,
    /// When a menu was opened whose title says something dangerous, as long as it may be open: an order after it may choose in it.
    danger_menu: Option<Duration>,
}

impl ExecutorMachine {
    #[must_use]
    pub const fn new(settings: ExecutorSettings) -> Self {
        Self {
            settings,
            running: None,
            next: None,
            generation: 0,
            last_stop: RequestId(0),
            taken: VecDeque::new(),
            unconfirmed: None,
            refused_program: None,
            reversible: ReversibleActs::NONE,
            danger_menu: None,
        }
    }

    pub fn set_settings(&mut self, settings: ExecutorSettings) {
        self.settings = settings;
    }

    /// Whether a question is open, so that single words answer it.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.running.as_ref().is_some_and(|running| matches!(running.phase, Phase::Asking { .. }))
    }

    /// Takes an event at `now`, the time since a fixed point, and returns what is to be done.
    pub fn step(&mut self, event: ExecutorEvent, now: Duration, rules: &dyn CommandRules) -> Vec<ExecutorEffect> {
        let mut effects = Vec::new();
        self.reversible.forget_old(now);
        match event {
            ExecutorEvent::Order(order) => self.order(order, now, rules, &mut effects),
            ExecutorEvent::Answer(answer) => self.only_answer(&answer, now, rules, &mut effects),
            ExecutorEvent::Permit(request) => self.permit(request, now, rules, &mut effects),
            ExecutorEvent::EndPermit { id } => self.end_permit(id, now, &mut effects),
            ExecutorEvent::Key { given } => self.key(given, now, &mut effects),
            ExecutorEvent::Stop { at } => self.stop(at, &mut effects),
            ExecutorEvent::Candidates { id, answer } => self.found(id, answer, now, rules, &mut effects),
            ExecutorEvent::DesktopAnswered { id, answer } => {
                self.desktop_answered(id, answer, now, rules, &mut effects);
            }
            ExecutorEvent::Decided { id, meaning } => self.decided(id, meaning, rules, &mut effects),
            ExecutorEvent::Inspected { id, answer } => self.inspected(id, answer, now, rules, &mut effects),
            ExecutorEvent::Acted { id, answer } => self.acted(id, answer, now, &mut effects),
            ExecutorEvent::Observed { id, change } => self.observed(id, &change, now, &mut effects),
            ExecutorEvent::Asked { id } => self.asked(id, &mut effects),
            ExecutorEvent::Timer { generation } => self.timer(generation, now, &mut effects),
        }
        if self.running.is_none()
            && let Some(order) = self.next.take()
        {
            self.begin(order, now, &mut effects);
        }
        effects
    }

    fn order(
        &mut self,
        order: SpokenOrder,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        if !self.is_new(&order, effects) {
            return;
        }
        match self.running.as_ref().map(|running| &running.phase) {
            None => return self.begin(order, now, effects),
            Some(Phase::Asking { .. }) => {
                if !self.answer(&order, false, now, rules, effects) {
                    self.close_for_another(now, effects);
                    self.begin(order, now, effects);
                }
                return;
            }
            Some(
                Phase::Acting { .. }
                | Phase::Pressing { .. }
                | Phase::Scrolling { .. }
                | Phase::Desktop { .. }
                | Phase::Settling { .. }
                | Phase::Finding { .. }
                | Phase::Deciding { .. }
                | Phase::Inspecting { .. },
            ) => {}
        }
        if self.takes_back(&order, rules, effects) {
            return;
        }
        match self.running.as_ref().map(|running| &running.phase) {
            // An action that is under way is seen to its end.
            Some(
                Phase::Acting { .. }
                | Phase::Pressing { .. }
                | Phase::Scrolling { .. }
                | Phase::Desktop { .. }
                | Phase::Settling { .. },
            ) => {
                let waiting = self.next.take();
                let (newer, older) = match waiting {
                    Some(waiting) if waiting.id > order.id => (waiting, Some(order)),
                    waiting => (order, waiting),
                };
                self.next = Some(newer);
                if let Some(older) = older {
                    report(older.id, OrderOutcome::Refused, Vec::new(), String::new(), effects);
                }
            }
            Some(Phase::Finding { .. } | Phase::Deciding { .. } | Phase::Inspecting { .. } | Phase::Asking { .. })
            | None => {
                self.supersede(effects);
                self.begin(order, now, effects);
            }
        }
    }

    /// Whether an order or answer is taken for the first time and no stop came after it. Reports one that came after it.
    fn is_new(&mut self, order: &SpokenOrder, effects: &mut Vec<ExecutorEffect>) -> bool {
        if self.is_taken(order.id) {
            return false;
        }
        let is_stopped = order.id <= self.last_stop;
        if is_stopped {
            report(order.id, OrderOutcome::Refused, Vec::new(), String::new(), effects);
        }
        !is_stopped
    }

    /// Whether an id came before; it is remembered.
    fn is_taken(&mut self, id: RequestId) -> bool {
        if self.taken.contains(&id) {
            return true;
        }
        if self.taken.len() == REMEMBERED {
            self.taken.pop_front();
        }
        self.taken.push_back(id);
        false
    }

    fn begin(&mut self, order: SpokenOrder, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let waits = Some(order.id);
        self.running = Some(Box::new(RunningOrder::new(order, waits, now)));
        self.find(effects);
    }

    /// Asks what the screen offers now.
    fn find(&mut self, effects: &mut Vec<ExecutorEffect>) {
        self.find_after(Duration::ZERO, effects);
    }

    fn find_after(&mut self, after: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        running.phase = Phase::Finding { request };
        effects.push(ExecutorEffect::AskCandidates { id: request, after });
        self.start_timer(FINDS, effects);
    }

    /// Looks at the element before anything is done to it.
    fn inspect(&mut self, aim: Aim, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        effects.push(ExecutorEffect::Inspect { id: request, element: aim.element.clone() });
        running.phase = Phase::Inspecting { request, aim };
        self.start_timer(INSPECTS, effects);
    }

    fn timer(&mut self, generation: u64, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        if generation != self.generation {
            return;
        }
        let Some(running) = self.running.as_ref() else { return };
        match &running.phase {
            Phase::Asking { .. } => self.forgo(now, effects),
            Phase::Deciding { request, .. } => {
                let id = *request;
                effects.push(ExecutorEffect::EndModel { id });
                self.decided(id, None, &NoCommandRules, effects);
            }
            Phase::Settling { .. } => self.settle_timer(now, effects),
            Phase::Pressing { .. } => self.keys_timer(now, effects),
            Phase::Scrolling { .. } => self.scrolled(None, now, effects),
            Phase::Desktop { request, .. } => self.desktop_answered(*request, None, now, &NoCommandRules, effects),
            // Whoever was asked is lost; nothing was done yet.
            Phase::Finding { .. } | Phase::Inspecting { .. } => {
                self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NoScreen), effects);
            }
            // It may have happened (EXE-7).
            Phase::Acting { act, .. } => self.acted(act.request, Ok(ActionResult::Unknown), now, effects),
        }
    }

    /// Ends the order: says and reports what came of it, once.
    fn finish(&mut self, outcome: OrderOutcome, phrase: Option<ExecutorPhrase>, effects: &mut Vec<ExecutorEffect>) {
        let Some(mut running) = self.running.take() else { return };
        // The list is closed, or could not be: that its option is missing is what the person has to know.
        let missing = running.opened_list.as_mut().and_then(|opened| opened.missing.take());
        let (outcome, phrase) = match (outcome, missing) {
            (OrderOutcome::Success | OrderOutcome::Failed, Some(missing)) => (OrderOutcome::Failed, Some(missing)),
            (outcome, _) => (outcome, phrase),
        };
        match &running.phase {
            Phase::Asking { question, .. } => {
                effects.push(ExecutorEffect::CloseQuestion);
                effects.extend(Self::permission_of(question));
            }
            Phase::Acting { act, .. } | Phase::Settling { act, .. } => {
                effects.push(ExecutorEffect::EndAct { id: act.request });
            }
            Phase::Pressing { request, .. } | Phase::Scrolling { request, .. } | Phase::Desktop { request, .. } => {
                effects.push(ExecutorEffect::EndAct { id: *request });
            }
            Phase::Inspecting { aim, .. } => {
                let watch = aim.declined.as_ref().and_then(|declined| declined.watch);
                effects.extend(watch.map(|id| ExecutorEffect::EndAct { id }));
            }
            Phase::Deciding { request, .. } => effects.push(ExecutorEffect::EndModel { id: *request }),
            Phase::Finding { .. } => {}
        }
        self.generation += 1;
        let said = phrase.as_ref().map(|phrase| phrase.text(self.settings.lang)).unwrap_or_default();
        effects.extend(phrase.map(|phrase| ExecutorEffect::Say { phrase }));
        if let Some(waits) = running.waits {
            report(waits, outcome, running.done, said, effects);
        }
    }

    /// A newer order takes the place of this one.
    fn supersede(&mut self, effects: &mut Vec<ExecutorEffect>) {
        let has_done = self.running.as_ref().is_some_and(|running| !running.done.is_empty());
        self.finish(OrderOutcome::Refused, has_done.then_some(ExecutorPhrase::Superseded), effects);
    }

    fn start_timer(&mut self, after: Duration, effects: &mut Vec<ExecutorEffect>) {
        self.generation += 1;
        effects.push(ExecutorEffect::StartTimer { generation: self.generation, after });
    }

    /// A step on an element is over.
    fn step_done(
        &mut self,
        aim: &Aim,
        by: Option<ActedBy>,
        verified: bool,
        phrase: ExecutorPhrase,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let took = now.saturating_sub(running.step_began);
        running.done.push(step_report(&aim.step, aim.name.clone(), by, verified, took));
        self.next_step(Some(phrase), now, effects);
    }

    /// The next step, or the end.
    fn next_step(&mut self, phrase: Option<ExecutorPhrase>, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let mut left = running.steps.take().unwrap_or_default();
        left.pop_front();
        let phrase = self.said_of_step(phrase, left.len());
        let Some(running) = self.running.as_mut() else { return };
        if left.is_empty() {
            return self.finish(OrderOutcome::Success, phrase, effects);
        }
        if self.next.is_some() {
            return self.supersede(effects);
        }
        // The next step is resolved on the screen as it is then (EXE-5).
        match &running.phase {
            Phase::Acting { act, .. } | Phase::Settling { act, .. } => {
                effects.push(ExecutorEffect::EndAct { id: act.request });
            }
            Phase::Pressing { request, .. } | Phase::Scrolling { request, .. } | Phase::Desktop { request, .. } => {
                effects.push(ExecutorEffect::EndAct { id: *request });
            }
            Phase::Finding { .. } | Phase::Deciding { .. } | Phase::Inspecting { .. } | Phase::Asking { .. } => {}
        }
        running.steps = Some(left);
        running.step_began = now;
        (running.again, running.unread) = (false, 0);
        self.find(effects);
    }
}

fn report(
    id: RequestId,
    outcome: OrderOutcome,
    steps: Vec<StepReport>,
    said: String,
    effects: &mut Vec<ExecutorEffect>,
) {
    effects.push(ExecutorEffect::Report { id, report: OrderReport { outcome, steps, said } });
}

const fn refused(refusal: ElementRefusal) -> ExecutorPhrase {
    match refusal {
        ElementRefusal::Gone | ElementRefusal::Replaced => ExecutorPhrase::Changed,
        ElementRefusal::NoAnswer | ElementRefusal::Unavailable => ExecutorPhrase::NoScreen,
    }
}
