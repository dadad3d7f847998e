//! The state machine of orders: the reaction to each event.

mod act;
mod find;
mod question;

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::element_action::{ActionResult, ElementAction, ElementRefusal, ElementState, ObservedChange};
pub use luna_messages::executor::ScreenCandidates;
use luna_messages::executor::{ActedBy, OrderOutcome, OrderReport, SpokenOrder, StepReport};
use luna_messages::understanding::{Interpretation, ParsedCommand};
use luna_messages::{ElementId, Lang, RequestId};

use crate::expectation::Expectation;
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;
use crate::target::BoundTarget;

/// Longest time that a confirmation stays open while its question is still spoken.
const SPOKEN: Duration = Duration::from_secs(30);

/// From `executor` and `voice` of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorSettings {
    /// Language of what Luna says.
    pub lang: Lang,
    /// `executor.confirm_on_danger` (DNG-1).
    pub confirm_on_danger: bool,
    /// The name that must be said to confirm: `voice.wake_word` if `executor.confirm_requires_wake`.
    pub confirming_call: Option<String>,
    /// `executor.confirm_timeout_ms`, from the end of the question (DNG-2).
    pub confirm_timeout: Duration,
}

/// What happens to an order.
#[derive(Debug)]
pub enum ExecutorEvent {
    /// An utterance to carry out. While a question is open it may be its answer.
    Order(SpokenOrder),
    /// An answer to the open question, and nothing else.
    Answer(SpokenOrder),
    /// The key for yes or no while a question is open (DNG-2).
    Key {
        given: bool,
    },
    /// Stop, Escape, or the end of focus mode; given when it was said.
    Stop {
        at: RequestId,
    },
    Candidates {
        id: RequestId,
        answer: Option<ScreenCandidates>,
    },
    Inspected {
        id: RequestId,
        answer: Result<Box<ElementState>, ElementRefusal>,
    },
    Acted {
        id: RequestId,
        answer: Result<ActionResult, ElementRefusal>,
    },
    Observed {
        id: RequestId,
        change: ObservedChange,
    },
    /// The question was spoken to its end.
    Asked,
    Timer {
        generation: u64,
    },
}

/// What is done about it.
#[derive(Debug, PartialEq)]
pub enum ExecutorEffect {
    AskCandidates {
        id: RequestId,
    },
    Inspect {
        id: RequestId,
        element: ElementId,
    },
    /// Opens the watch, then acts, once. A stop of this id or a later one prevents it until the very call.
    Act {
        id: RequestId,
        /// The order, or the newest answer about it: what a stop must be newer than.
        order: RequestId,
        element: ElementId,
        action: ElementAction,
    },
    /// Drops the watch, and the action if it has not begun.
    EndAct {
        id: RequestId,
    },
    /// A newer timer replaces an older one.
    StartTimer {
        generation: u64,
        after: Duration,
    },
    Say {
        phrase: ExecutorPhrase,
    },
    /// Speaks the question and shows the badges of its options. [`ExecutorEvent::Asked`] follows.
    OpenQuestion {
        phrase: ExecutorPhrase,
        badges: Vec<ElementId>,
    },
    CloseQuestion,
    /// What is for Luna itself.
    Reflex(Command),
    /// A wish to read.
    Wish {
        utterance: String,
        understood: Box<Interpretation>,
    },
    /// The answer to the order or the answer with this id; exactly one for each.
    Report {
        id: RequestId,
        report: OrderReport,
    },
}

/// What is done to which element, as it was chosen.
#[derive(Debug, Clone)]
struct Aim {
    element: ElementId,
    /// What the person said, or the label on the screen.
    name: String,
    step: ParsedCommand,
    /// Whether words, label or description ask for a confirmation.
    dangerous: bool,
    /// What the person confirmed.
    confirmed: Option<BoundTarget>,
}

/// Where a step is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, behind a box")]
enum Phase {
    Finding {
        request: RequestId,
        again: bool,
    },
    Asking(OpenQuestion),
    Inspecting {
        request: RequestId,
        aim: Aim,
    },
    Acting {
        request: RequestId,
        aim: Aim,
        action: ElementAction,
        expectation: Expectation,
        shown: bool,
    },
    /// Waiting for the effect. `look`: the inspection under way; `last`: the time is over, and this look decides.
    Settling {
        request: RequestId,
        aim: Aim,
        action: ElementAction,
        expectation: Expectation,
        is_known: bool,
        look: Option<RequestId>,
        again: bool,
        last: bool,
    },
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, behind a box")]
enum OpenQuestion {
    /// Which one? `told`: how many of the options were told already.
    Which { step: ParsedCommand, dangerous: bool, options: Vec<Candidate>, told: usize },
    /// May it be done to what is bound?
    Danger { aim: Aim, bound: BoundTarget },
}

/// An order that is being carried out.
#[derive(Debug)]
struct RunningOrder {
    /// Of the order, or of the newest answer to its question: a stop that is older does not end it.
    id: RequestId,
    /// Who waits for the report; none after a question was asked.
    waits: Option<RequestId>,
    utterance: String,
    /// The steps that are left, the current one first; `None` before the order is understood.
    steps: Option<VecDeque<ParsedCommand>>,
    done: Vec<StepReport>,
    phase: Phase,
    step_began: Duration,
}

/// Carries out one order at a time.
#[derive(Debug)]
pub struct ExecutorMachine {
    settings: ExecutorSettings,
    running: Option<Box<RunningOrder>>,
    /// The newest order that came while an action was under way.
    next: Option<SpokenOrder>,
    generation: u64,
}

impl ExecutorMachine {
    #[must_use]
    pub const fn new(settings: ExecutorSettings) -> Self {
        Self { settings, running: None, next: None, generation: 0 }
    }

    pub fn set_settings(&mut self, settings: ExecutorSettings) {
        self.settings = settings;
    }

    /// Whether a question is open, so that single words answer it.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.running.as_ref().is_some_and(|running| matches!(running.phase, Phase::Asking(_)))
    }

    /// Takes an event at `now`, the time since a fixed point, and returns what is to be done.
    pub fn step(&mut self, event: ExecutorEvent, now: Duration, rules: &dyn CommandRules) -> Vec<ExecutorEffect> {
        let mut effects = Vec::new();
        match event {
            ExecutorEvent::Order(order) => self.order(order, now, rules, &mut effects),
            ExecutorEvent::Answer(answer) => {
                self.answer(&answer, true, rules, &mut effects);
            }
            ExecutorEvent::Key { given } => self.key(given, &mut effects),
            ExecutorEvent::Stop { at } => self.stop(at, &mut effects),
            ExecutorEvent::Candidates { id, answer } => self.found(id, answer, rules, &mut effects),
            ExecutorEvent::Inspected { id, answer } => self.inspected(id, answer, now, rules, &mut effects),
            ExecutorEvent::Acted { id, answer } => self.acted(id, answer, now, &mut effects),
            ExecutorEvent::Observed { id, change } => self.observed(id, &change, now, &mut effects),
            ExecutorEvent::Asked => self.asked(&mut effects),
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
        match self.running.as_ref().map(|running| &running.phase) {
            None => self.begin(order, now, effects),
            Some(Phase::Asking(_)) => {
                if !self.answer(&order, false, rules, effects) {
                    self.finish(OrderOutcome::Refused, None, effects);
                    self.begin(order, now, effects);
                }
            }
            // An action that is under way is seen to its end.
            Some(Phase::Acting { .. } | Phase::Settling { .. }) => {
                if let Some(older) = self.next.replace(order) {
                    report(older.id, OrderOutcome::Refused, Vec::new(), String::new(), effects);
                }
            }
            Some(Phase::Finding { .. } | Phase::Inspecting { .. }) => {
                self.finish(OrderOutcome::Refused, None, effects);
                self.begin(order, now, effects);
            }
        }
    }

    fn begin(&mut self, order: SpokenOrder, now: Duration, effects: &mut Vec<ExecutorEffect>) {
        let request = RequestId::next();
        self.running = Some(Box::new(RunningOrder {
            id: order.id,
            waits: Some(order.id),
            utterance: order.utterance,
            steps: None,
            done: Vec::new(),
            phase: Phase::Finding { request, again: false },
            step_began: now,
        }));
        effects.push(ExecutorEffect::AskCandidates { id: request });
    }

    fn stop(&mut self, at: RequestId, effects: &mut Vec<ExecutorEffect>) {
        if let Some(waiting) = self.next.take_if(|waiting| waiting.id <= at) {
            report(waiting.id, OrderOutcome::Refused, Vec::new(), String::new(), effects);
        }
        let Some(running) = self.running.as_ref().filter(|running| running.id <= at) else { return };
        let phrase = match &running.phase {
            Phase::Acting { .. } | Phase::Settling { .. } => Some(ExecutorPhrase::StoppedLate),
            Phase::Asking(_) => Some(ExecutorPhrase::Forgone),
            // Nothing was done, and the stop itself is heard as silence.
            Phase::Finding { .. } | Phase::Inspecting { .. } => None,
        };
        self.finish(OrderOutcome::Refused, phrase, effects);
    }

    /// Ends the order: says and reports what came of it, once.
    fn finish(&mut self, outcome: OrderOutcome, phrase: Option<ExecutorPhrase>, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.take() else { return };
        match &running.phase {
            Phase::Asking(_) => effects.push(ExecutorEffect::CloseQuestion),
            Phase::Acting { request, .. } | Phase::Settling { request, .. } => {
                effects.push(ExecutorEffect::EndAct { id: *request });
            }
            Phase::Finding { .. } | Phase::Inspecting { .. } => {}
        }
        self.generation += 1;
        let said = phrase.as_ref().map(|phrase| phrase.text(self.settings.lang)).unwrap_or_default();
        effects.extend(phrase.map(|phrase| ExecutorEffect::Say { phrase }));
        if let Some(waits) = running.waits {
            report(waits, outcome, running.done, said, effects);
        }
    }

    fn start_timer(&mut self, after: Duration, effects: &mut Vec<ExecutorEffect>) {
        self.generation += 1;
        effects.push(ExecutorEffect::StartTimer { generation: self.generation, after });
    }

    /// A step is over; the next one, or the end.
    fn step_done(
        &mut self,
        aim: Aim,
        by: Option<ActedBy>,
        phrase: ExecutorPhrase,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        running.done.push(step_report(&aim, by, true, now.saturating_sub(running.step_began)));
        let mut left = running.steps.take().unwrap_or_default();
        left.pop_front();
        if left.is_empty() {
            return self.finish(OrderOutcome::Success, Some(phrase), effects);
        }
        // The next step is resolved on the screen as it is then (EXE-5).
        if let Phase::Acting { request, .. } | Phase::Settling { request, .. } = &running.phase {
            effects.push(ExecutorEffect::EndAct { id: *request });
        }
        let request = RequestId::next();
        running.steps = Some(left);
        running.step_began = now;
        running.phase = Phase::Finding { request, again: false };
        self.generation += 1;
        effects.push(ExecutorEffect::AskCandidates { id: request });
    }
}

fn step_report(aim: &Aim, by: Option<ActedBy>, verified: bool, took: Duration) -> StepReport {
    StepReport {
        action: aim.step.action.unwrap_or(luna_messages::dsl::Action::Invoke),
        target: aim.name.clone(),
        by,
        verified,
        ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
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
