//! The order that is being carried out, and where it is.

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::element::Role;
use luna_messages::element_action::{Capacity, CapacitySet, ElementState};
use luna_messages::executor::{ActedBy, PermissionRequest, SpokenOrder, StepReport};
use luna_messages::understanding::ParsedCommand;
use luna_messages::{ElementId, RequestId};

use super::aims::{DesktopAim, KeyAim, OpenedList, ScrollAim};
use super::open_decision::OpenDecision;
use super::reversible::ReversibleAct;
use crate::expectation::{EffectHints, Expectation};
use crate::means::StepMeans;
use crate::shown_screen::ShownScreen;
use crate::target::{BoundTarget, candidate_name, name_shown, spoken_name};

/// What is done to which element, as it was chosen.
#[derive(Debug, Clone)]
pub(super) struct Aim {
    pub element: ElementId,
    /// What the person said, or the label on the screen.
    pub name: String,
    pub step: ParsedCommand,
    /// Whether words, label or description ask for a confirmation.
    pub dangerous: bool,
    /// The name that it was chosen by, if the screen shows one; it must still be there when it is acted on.
    pub shown: Option<String>,
    /// Whether the person chose it by an answer: another element must not take its place.
    pub by_answer: bool,
    /// Whether the text was dictated to the field with the focus, and none was named.
    pub dictated: bool,
    /// What Luna did before, if it takes that back.
    pub takes_back: Option<ReversibleAct>,
    /// Whether it lies on a web page.
    pub on_page: bool,
    /// What the person confirmed.
    pub confirmed: Option<BoundTarget>,
    /// Means of the tree that certainly had no effect.
    pub tried: CapacitySet,
    pub declined: Option<DeclinedAct>,
    /// Whether the pointer came first, and met nothing.
    pub pointer_failed: bool,
}

/// The newest action that the application said it did not do. If something changed all the same, nothing else is tried (EXE-7).
#[derive(Debug, Clone)]
pub(super) struct DeclinedAct {
    /// The action whose watch is still open, until the element was looked at again.
    pub watch: Option<RequestId>,
    /// The element directly before.
    pub before: ElementState,
    /// Whether something changed since.
    pub seen: bool,
}

impl Aim {
    pub fn new(step: ParsedCommand, target: &Candidate, dangerous: bool) -> Self {
        let step = field_cleared(step, target);
        let name = spoken_name(candidate_name(target, step.target_text.as_deref().unwrap_or_default()));
        let shown = name_shown(target).map(str::to_owned);
        let tried = CapacitySet::default();
        Self {
            element: target.id.clone(),
            name,
            step,
            dangerous,
            shown,
            by_answer: false,
            dictated: false,
            takes_back: None,
            on_page: false,
            confirmed: None,
            tried,
            declined: None,
            pointer_failed: false,
        }
    }
}

/// What was asked of the application, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct PendingAct {
    pub request: RequestId,
    pub aim: Aim,
    pub means: StepMeans,
    pub expectation: Expectation,
    /// The element directly before.
    pub before: ElementState,
    pub hints: EffectHints,
    /// Whether something changed that a clock or the focus does not: that nothing was done is no proof, then.
    pub seen: bool,
}

/// Where a step is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, behind a box")]
pub(super) enum Phase {
    Finding {
        request: RequestId,
    },
    /// `id`: of the question, which an answer must be newer than; `heard`: it was spoken to its end.
    Asking {
        id: RequestId,
        heard: bool,
        question: OpenQuestion,
    },
    /// A language model was asked (NLU-4).
    Deciding {
        request: RequestId,
        open: OpenDecision,
    },
    Inspecting {
        request: RequestId,
        aim: Aim,
    },
    /// `shown`: the effect was seen before the application answered.
    Acting {
        act: PendingAct,
        shown: bool,
    },
    /// Keys were asked for. `answer`: whether they were pressed for certain, once that is answered.
    Pressing {
        request: RequestId,
        aim: KeyAim,
        hints: EffectHints,
        shown: bool,
        answer: Option<bool>,
    },
    /// The wheel was asked for, or what came of it is looked at.
    Scrolling {
        request: RequestId,
        aim: ScrollAim,
    },
    /// The desktop was asked.
    Desktop {
        request: RequestId,
        aim: DesktopAim,
    },
    /// Waiting for the effect. `look`: the inspection under way; `last`: the time is over, and this look decides; `compares`: nothing was seen, and the
    /// screen is read once more to compare it.
    Settling {
        act: PendingAct,
        is_known: bool,
        look: Option<RequestId>,
        again: bool,
        last: bool,
        compares: Option<RequestId>,
    },
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, behind a box")]
pub(super) enum OpenQuestion {
    /// Which one? `told`: how many of the options were told already.
    Which { step: ParsedCommand, dangerous: bool, options: Vec<Candidate>, told: usize },
    /// May it be done to what is bound?
    Danger { aim: Aim, bound: BoundTarget, means: StepMeans },
    /// May a program do this?
    Permission { request: PermissionRequest, dangerous: bool, granted: bool },
    /// May these keys be pressed?
    DangerKeys { aim: KeyAim },
    /// Is this what was meant? It is what a language model makes of words that the rules do not understand, or did not find. `dangerous`: the words are.
    Proposed { proposed: ProposedSteps, dangerous: bool },
}

/// What a language model would do.
#[derive(Debug, Clone)]
pub(super) struct ProposedSteps {
    /// At least one.
    pub steps: Vec<ParsedCommand>,
    /// What the only step is done to.
    pub target: Option<Candidate>,
}

impl OpenQuestion {
    /// Whether it needs a confirmation by the person.
    pub const fn is_danger(&self) -> bool {
        matches!(self, Self::Danger { .. } | Self::DangerKeys { .. } | Self::Permission { .. })
    }
}

/// An order that is being carried out.
#[derive(Debug)]
pub(super) struct RunningOrder {
    /// Of the order, or of the newest answer to its question: a stop that is older does not end it.
    pub id: RequestId,
    /// Who waits for the report; none after a question was asked.
    pub waits: Option<RequestId>,
    pub order: SpokenOrder,
    /// The steps that are left, the current one first; `None` before the order is understood.
    pub steps: Option<VecDeque<ParsedCommand>>,
    /// Whether every step needs a confirmation: the whole says something dangerous, and no step alone does.
    pub dangerous: bool,
    /// Whether the current step was looked for once more.
    pub again: bool,
    /// Whether a language model was asked about it: once is enough.
    pub asked_model: bool,
    /// How often something was missing when the screen was read for this step.
    pub unread: u8,
    /// What the window showed when the current step was begun.
    pub shown: Option<ShownScreen>,
    /// The list that was opened for a step, until it is closed.
    pub opened_list: Option<OpenedList>,
    /// The menu that was pressed last, if nothing was after it: its entries may still be on their way.
    pub opened_menu: Option<ElementId>,
    /// Whether the pointer rests on an entry of a menu, for this order.
    pub hovers: bool,
    /// The keys that the person confirmed; the window is looked at once more before they are pressed.
    pub confirmed_keys: Option<KeyAim>,
    pub done: Vec<StepReport>,
    pub phase: Phase,
    pub step_began: Duration,
}

impl RunningOrder {
    /// An order that is not understood yet. `waits`: who waits for the report.
    pub fn new(order: SpokenOrder, waits: Option<RequestId>, now: Duration) -> Self {
        Self {
            id: order.id,
            waits,
            order,
            steps: None,
            dangerous: false,
            again: false,
            asked_model: false,
            unread: 0,
            shown: None,
            opened_list: None,
            opened_menu: None,
            hovers: false,
            confirmed_keys: None,
            done: Vec::new(),
            phase: Phase::Finding { request: RequestId::default() },
            step_began: now,
        }
    }
}

/// A step that empties what it is done to, as what it does to a field: it enters an empty text. Only the screen tells whether "clear the name" means a field.
fn field_cleared(step: ParsedCommand, target: &Candidate) -> ParsedCommand {
    let is_written = match target.role {
        Role::Edit | Role::Protected | Role::DateField => true,
        Role::ComboBox => target.details.capacities.contains(Capacity::SetText),
        _ => false,
    };
    if step.order.as_deref() != Some("clear") || step.action != Some(Action::Invoke) || !is_written {
        return step;
    }
    ParsedCommand { action: Some(Action::SetValue), value: Some(String::new()), ..step }
}

pub(super) fn step_report(
    step: &ParsedCommand,
    target: String,
    by: Option<ActedBy>,
    verified: bool,
    took: Duration,
) -> StepReport {
    StepReport {
        action: step.action.unwrap_or(Action::Invoke),
        target,
        by,
        verified,
        ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    }
}
