//! Questions, and what answers them (EXE-3).

use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::executor::{OrderOutcome, SpokenOrder};
use luna_messages::understanding::{Interpretation, ParsedCommand};
use luna_messages::{ElementId, RequestId};

use super::stop::{declines, stop_command};
use super::{Aim, ExecutorEffect, ExecutorMachine, OpenQuestion, Phase, SPOKEN, report};
use crate::done_action::DoneAction;
use crate::options::{MOST, told_apart};
use crate::phrases::{ExecutorPhrase, ProposedStep};
use crate::rules::CommandRules;
use crate::target::{candidate_name, spoken_name};

impl ExecutorMachine {
    pub(super) fn ask_which(
        &mut self,
        step: ParsedCommand,
        dangerous: bool,
        options: Vec<Candidate>,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let question = OpenQuestion::Which { step, dangerous, options, told: 0 };
        self.open(question, OrderOutcome::Clarify, effects);
    }

    /// Speaks a question and reports to who waits that there is one.
    pub(super) fn open(&mut self, question: OpenQuestion, outcome: OrderOutcome, effects: &mut Vec<ExecutorEffect>) {
        let (phrase, badges) = self.spoken(&question);
        let said = phrase.text(self.settings.lang);
        let Some(running) = self.running.as_mut() else { return };
        let id = RequestId::next();
        running.phase = Phase::Asking { id, heard: false, question };
        // The screen may be another one once it is answered.
        running.shown = None;
        if let Some(waits) = running.waits.take() {
            report(waits, outcome, running.done.clone(), said, effects);
        }
        effects.push(ExecutorEffect::OpenQuestion { id, phrase, badges });
        self.start_timer(SPOKEN, effects);
    }

    fn spoken(&self, question: &OpenQuestion) -> (ExecutorPhrase, Vec<ElementId>) {
        match question {
            OpenQuestion::Which { step, options, told, .. } => {
                let shown = shown(options, *told);
                let more = options.len() - told - shown.len();
                let names = told_apart(shown, step.target_text.as_deref().unwrap_or_default(), self.settings.lang);
                let badges = shown.iter().map(|option| option.id.clone()).collect();
                (ExecutorPhrase::Which { options: names, more }, badges)
            }
            OpenQuestion::Danger { aim, means, .. } => {
                let needs_call = self.settings.confirming_call.clone();
                let action = means.done();
                let phrase = ExecutorPhrase::Confirm { action, target: aim.name.clone(), needs_call };
                (phrase, vec![aim.element.clone()])
            }
            OpenQuestion::Permission { request, dangerous, .. } => {
                (self.permission_phrase(request, *dangerous), Vec::new())
            }
            OpenQuestion::Proposed { proposed, .. } => {
                let steps = proposed.steps.iter().map(|step| proposed_step(step, proposed.target.as_ref())).collect();
                let badges = proposed.target.iter().map(|target| target.id.clone()).collect();
                (ExecutorPhrase::Proposed { steps }, badges)
            }
            OpenQuestion::DangerKeys { aim } => {
                let needs_call = self.settings.confirming_call.clone();
                let (action, target) = (DoneAction::Pressed, aim.chord.to_string());
                (ExecutorPhrase::Confirm { action, target, needs_call }, Vec::new())
            }
        }
    }

    /// The question is heard; from now on the time for the answer runs.
    pub(super) fn asked(&mut self, id: RequestId, effects: &mut Vec<ExecutorEffect>) {
        let Some(Phase::Asking { id: open, heard, .. }) = self.running.as_mut().map(|running| &mut running.phase)
        else {
            return;
        };
        if *open == id && !std::mem::replace(heard, true) {
            self.start_timer(self.settings.confirm_timeout, effects);
        }
    }

    /// Takes what can be nothing but an answer.
    pub(super) fn only_answer(
        &mut self,
        answer: &SpokenOrder,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        if !self.is_new(answer, effects) {
            return;
        }
        if self.is_asking() {
            self.answer(answer, true, now, rules, effects);
        } else {
            let phrase = ExecutorPhrase::NoQuestion;
            report(answer.id, OrderOutcome::None, Vec::new(), phrase.text(self.settings.lang), effects);
            effects.push(ExecutorEffect::Say { phrase });
        }
    }

    /// Takes an answer to the open question. `only_answer`: it can be nothing else. Returns whether it was taken.
    pub(super) fn answer(
        &mut self,
        answer: &SpokenOrder,
        only_answer: bool,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(Phase::Asking { id, question, .. }) = self.running.as_ref().map(|running| &running.phase) else {
            return false;
        };
        // It was said before the question, and answers something else.
        let is_older = answer.id < *id;
        let (options, is_danger): (&[Candidate], bool) = match question {
            OpenQuestion::Which { options, told, .. } => (shown(options, *told), false),
            OpenQuestion::Proposed { proposed, .. } => (proposed.target.as_slice(), false),
            OpenQuestion::Danger { .. } | OpenQuestion::DangerKeys { .. } | OpenQuestion::Permission { .. } => {
                (&[], true)
            }
        };
        let understood = rules.understand(&answer.utterance, true, options);
        let command = stop_command(&understood);
        if command.is_some() || declines(&understood) {
            effects.extend(command.map(ExecutorEffect::Reflex));
            if command.is_some() {
                self.last_stop = self.last_stop.max(answer.id);
            }
            self.waits_now(answer);
            self.forgo(now, effects);
            return true;
        }
        if is_danger {
            self.danger(answer, &understood, is_older, only_answer, now, rules, effects)
        } else if is_older {
            if only_answer {
                self.ask_again(answer, OrderOutcome::Clarify, effects);
            }
            only_answer
        } else {
            self.take_proposal(answer, &understood, only_answer, rules, effects)
                || self.which(answer, &understood, only_answer, effects)
        }
    }

    fn which(
        &mut self,
        answer: &SpokenOrder,
        understood: &Interpretation,
        only_answer: bool,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        let Phase::Asking { question: OpenQuestion::Which { step, dangerous, options, told }, .. } = &mut running.phase
        else {
            return false;
        };
        let chosen = understood.target_id.as_ref().and_then(|id| options.iter().find(|option| option.id.0 == *id));
        if let Some(chosen) = chosen {
            let aim = Aim::new(step.clone(), chosen, *dangerous || understood.dangerous);
            effects.push(ExecutorEffect::CloseQuestion);
            self.waits_now(answer);
            self.inspect(Aim { by_answer: true, ..aim }, effects);
            return true;
        }
        let wants_more = understood.command.is_some_and(|command| command.name() == "next");
        if wants_more && *told + MOST < options.len() {
            *told += MOST;
        } else if !only_answer {
            return false;
        }
        // The next options, or the same question once more: the answer fits none of them.
        self.ask_again(answer, OrderOutcome::Clarify, effects);
        true
    }

    /// Asks the open question once more, and tells who answered that it is still open.
    pub(super) fn ask_again(&mut self, answer: &SpokenOrder, outcome: OrderOutcome, effects: &mut Vec<ExecutorEffect>) {
        let Some(Phase::Asking { question, .. }) = self.running.as_ref().map(|running| &running.phase) else { return };
        let (phrase, badges) = self.spoken(question);
        report(answer.id, outcome, Vec::new(), phrase.text(self.settings.lang), effects);
        let asked = RequestId::next();
        if let Some(Phase::Asking { id, heard, .. }) = self.running.as_mut().map(|running| &mut running.phase) {
            (*id, *heard) = (asked, false);
        }
        effects.push(ExecutorEffect::OpenQuestion { id: asked, phrase, badges });
        self.start_timer(SPOKEN, effects);
    }

    /// From now on the answer is what a stop must be newer than, and who gave it waits for the report.
    pub(super) fn waits_now(&mut self, answer: &SpokenOrder) {
        if let Some(running) = self.running.as_mut() {
            running.id = running.id.max(answer.id);
            running.waits = Some(answer.id);
        }
    }
}

/// The options that are told now.
fn shown(options: &[Candidate], told: usize) -> &[Candidate] {
    options.get(told..options.len().min(told + MOST)).unwrap_or_default()
}

/// What a step of a proposal does, and to what.
fn proposed_step(step: &ParsedCommand, target: Option<&Candidate>) -> ProposedStep {
    let action = match step.action {
        Some(Action::Select) => DoneAction::Selected,
        Some(Action::Toggle) => DoneAction::Switched,
        Some(Action::SetValue) => DoneAction::Entered,
        Some(Action::Focus) => DoneAction::Focused,
        Some(Action::Expand) => DoneAction::Expanded,
        Some(Action::Collapse) => DoneAction::Collapsed,
        Some(Action::Invoke | Action::Key | Action::Hotkey | Action::Scroll | Action::Desktop | Action::Clarify)
        | None => DoneAction::Pressed,
    };
    let said = [&step.target_text, &step.key, &step.hotkey].into_iter().flatten().next();
    let name = target.map_or_else(|| said.cloned().unwrap_or_default(), |one| candidate_name(one, "").to_owned());
    ProposedStep { action, target: spoken_name(&name), value: step.value.clone() }
}
