//! What a closed list would show: the options of a combo box are no part of the screen until it is open, so it is opened first, and closed
//! again (EXE-5).

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::element::{Role, State};
use luna_messages::element_action::Capacity;
use luna_messages::executor::ScreenCandidates;
use luna_messages::understanding::{ParsedCommand, Relation};

use super::aims::OpenedList;
use super::running::Aim;
use super::{ExecutorEffect, ExecutorMachine};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;
use crate::target::{candidate_name, spoken_name};

impl ExecutorMachine {
    /// Opens the only list that may hold what a step names and the screen does not show; whether there is one that was not opened yet.
    pub(super) fn open_list(
        &mut self,
        step: &ParsedCommand,
        screen: &ScreenCandidates,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        if running.opened_list.is_some() || !may_be_an_option(step) {
            return false;
        }
        let Some(list) = closed_list(step, screen, rules) else { return false };
        self.open_for_step(list, effects);
        true
    }

    /// What a list is set to is one of its options: it is chosen there, as if that had been said. Whether the step sets a list that takes no text.
    pub(super) fn choose_value(
        &mut self,
        step: &ParsedCommand,
        list: &Candidate,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        let Some(option) = option_of(step, list).filter(|_| running.opened_list.is_none()) else { return false };
        let steps = running.steps.get_or_insert_with(VecDeque::new);
        steps.pop_front();
        steps.push_front(option);
        if list.details.states.contains(State::Expanded) {
            self.find(effects);
        } else {
            self.open_for_step(list, effects);
        }
        true
    }

    /// Opens a list before the current step, and closes it behind.
    fn open_for_step(&mut self, list: &Candidate, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let steps = running.steps.get_or_insert_with(VecDeque::new);
        running.opened_list = Some(OpenedList { list: list.clone(), left: steps.len(), said: None, missing: None });
        let [opening, closing] = [Action::Expand, Action::Collapse]
            .map(|action| ParsedCommand { action: Some(action), ..ParsedCommand::default() });
        steps.insert(1.min(steps.len()), closing);
        steps.push_front(opening.clone());
        let aim = Aim::new(opening, list, false);
        self.inspect(aim, effects);
    }

    /// Closes the list if the current step is to do so and it is still open; whether it is.
    pub(super) fn close_list(
        &mut self,
        screen: &ScreenCandidates,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        let left = running.steps.as_ref().map_or(0, VecDeque::len);
        let Some(opened) = running.opened_list.as_ref().filter(|opened| opened.closes_at() == left) else {
            return false;
        };
        let list = screen.candidates.iter().find(|one| one.id == opened.list.id);
        let open = list.filter(|list| list.details.states.contains(State::Expanded)).cloned();
        let step = running.steps.as_ref().and_then(|steps| steps.front()).cloned();
        match (open, step) {
            (Some(list), Some(step)) => self.inspect(Aim::new(step, &list, false), effects),
            _ => self.next_step(None, now, effects),
        }
        true
    }

    /// The current step names no option of the list that was opened for it: the list is closed before that is told, and nothing else is done. Whether that is so.
    pub(super) fn close_without_option(&mut self, what: &str, effects: &mut Vec<ExecutorEffect>) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        let left = running.steps.as_ref().map_or(0, VecDeque::len);
        let is_sought = |opened: &&mut OpenedList| opened.missing.is_none() && opened.closes_at() + 1 == left;
        let Some(opened) = running.opened_list.as_mut().filter(is_sought) else { return false };
        let list = spoken_name(candidate_name(&opened.list, ""));
        opened.missing = Some(ExecutorPhrase::NoOption { what: what.to_owned(), list });
        opened.left = 1;
        if let Some(steps) = running.steps.as_mut() {
            steps.pop_front();
            steps.truncate(1);
        }
        running.unread = 0;
        self.find(effects);
        true
    }

    /// What is to be said when a step is over: of the step that a list was opened for, once the list is closed.
    pub(super) fn said_of_step(&mut self, phrase: Option<ExecutorPhrase>, left: usize) -> Option<ExecutorPhrase> {
        let Some(opened) = self.running.as_mut().and_then(|running| running.opened_list.as_mut()) else {
            return phrase;
        };
        if opened.missing.is_some() {
            return phrase;
        }
        if opened.closes_at() == left {
            opened.said.clone_from(&phrase);
        } else if opened.closes_at() == left + 1 {
            let said = opened.said.take();
            self.running.iter_mut().for_each(|running| running.opened_list = None);
            return said.or(phrase);
        }
        phrase
    }
}

/// The step that chooses in a list what another step sets it to.
fn option_of(step: &ParsedCommand, list: &Candidate) -> Option<ParsedCommand> {
    let has = list.details.capacities;
    let is_chosen_from =
        list.role == Role::ComboBox && has.contains(Capacity::Expand) && !has.contains(Capacity::SetText);
    let value = step.value.clone().filter(|value| !value.is_empty())?;
    let option = ParsedCommand { action: Some(Action::Select), target_text: Some(value), ..ParsedCommand::default() };
    (step.action == Some(Action::SetValue) && is_chosen_from).then_some(option)
}

/// Whether a step chooses something by its name. What is pressed is not sought in lists.
fn may_be_an_option(step: &ParsedCommand) -> bool {
    let is_in_list = step.relation == Some(Relation::Inside) || matches!(step.role, Some(Role::List | Role::ComboBox));
    step.target_text.is_some()
        && (step.action == Some(Action::Select) || step.action == Some(Action::Invoke) && is_in_list)
}

/// The closed list that is meant: the one that is named, else the only one of the page or the window.
fn closed_list<'a>(
    step: &ParsedCommand,
    screen: &'a ScreenCandidates,
    rules: &dyn CommandRules,
) -> Option<&'a Candidate> {
    let is_closed = |one: &&Candidate| {
        one.role == Role::ComboBox
            && one.enabled
            && one.details.capacities.contains(Capacity::Expand)
            && !one.details.states.contains(State::Expanded)
    };
    if let Some(name) = &step.anchor {
        let named = ParsedCommand {
            action: Some(Action::Expand),
            target_text: Some(name.clone()),
            role: Some(Role::ComboBox),
            ..ParsedCommand::default()
        };
        let found = rules.resolve(&named, &screen.candidates).target;
        let list = found.and_then(|id| screen.candidates.iter().find(|one| one.id.0 == id));
        if let Some(list) = list.filter(is_closed) {
            return Some(list);
        }
    }
    let on_page = |one: &&Candidate| screen.pages.iter().any(|page| page.contains(one.bbox.center()));
    let all: Vec<&Candidate> = screen.candidates.iter().filter(is_closed).collect();
    let on_pages: Vec<&Candidate> = all.iter().copied().filter(on_page).collect();
    match (on_pages.as_slice(), all.as_slice()) {
        ([only], _) | ([], [only]) => Some(only),
        _ => None,
    }
}
