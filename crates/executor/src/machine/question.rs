//! Questions, and what answers them (EXE-3, DNG-2).

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::executor::{OrderOutcome, OrderSource, SpokenOrder};
use luna_messages::understanding::{Interpretation, ParsedCommand, UtteranceKind};

use super::find::aim;
use super::{ExecutorEffect, ExecutorMachine, OpenQuestion, Phase, SPOKEN, report};
use crate::consent::Consent;
use crate::options::{MOST, told_apart};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;

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
        running.phase = Phase::Asking(question);
        if let Some(waits) = running.waits.take() {
            report(waits, outcome, running.done.clone(), said, effects);
        }
        effects.push(ExecutorEffect::OpenQuestion { phrase, badges });
        self.start_timer(SPOKEN, effects);
    }

    fn spoken(&self, question: &OpenQuestion) -> (ExecutorPhrase, Vec<luna_messages::ElementId>) {
        match question {
            OpenQuestion::Which { options, told, .. } => {
                let shown = &options[*told..options.len().min(told + MOST)];
                let more = options.len() - told - shown.len();
                let names = told_apart(shown, self.settings.lang);
                let badges = shown.iter().map(|option| option.id.clone()).collect();
                (ExecutorPhrase::Which { options: names, more }, badges)
            }
            OpenQuestion::Danger { aim, .. } => {
                let needs_call = self.settings.confirming_call.clone();
                let action = aim.planned_action();
                let phrase = ExecutorPhrase::Confirm { action, target: aim.name.clone(), needs_call };
                (phrase, vec![aim.element.clone()])
            }
        }
    }

    /// The question is heard; from now on the time for the answer runs.
    pub(super) fn asked(&mut self, effects: &mut Vec<ExecutorEffect>) {
        if self.is_asking() {
            self.start_timer(self.settings.confirm_timeout, effects);
        }
    }

    /// Takes an answer. `only_answer`: it can be nothing else. Returns whether it was taken.
    pub(super) fn answer(
        &mut self,
        answer: &SpokenOrder,
        only_answer: bool,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(Phase::Asking(question)) = self.running.as_ref().map(|running| &running.phase) else {
            let phrase = ExecutorPhrase::NoQuestion;
            report(answer.id, OrderOutcome::None, Vec::new(), phrase.text(self.settings.lang), effects);
            return true;
        };
        let options: &[Candidate] = match question {
            OpenQuestion::Which { options, told, .. } => &options[*told..options.len().min(told + MOST)],
            OpenQuestion::Danger { .. } => &[],
        };
        let understood = rules.understand(&answer.utterance, true, options);
        let value = understood.wish.value.as_deref().filter(|_| understood.kind == UtteranceKind::Answer);
        let declines = matches!(value, Some("no" | "cancel")) || understood.negated;
        if declines {
            self.waits_now(answer);
            self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects);
            return true;
        }
        let is_yes = value == Some("yes");
        match question {
            OpenQuestion::Which { .. } => self.which(answer, &understood, only_answer, effects),
            OpenQuestion::Danger { .. } => self.danger(answer, is_yes, only_answer, effects),
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
        let Phase::Asking(OpenQuestion::Which { step, dangerous, options, told }) = &mut running.phase else {
            return false;
        };
        let chosen = understood.target_id.as_ref().and_then(|id| options.iter().find(|option| option.id.0 == *id));
        if let Some(chosen) = chosen {
            let aim = aim(step.clone(), chosen, *dangerous || understood.dangerous);
            effects.push(ExecutorEffect::CloseQuestion);
            self.waits_now(answer);
            self.inspect(aim, effects);
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
    fn ask_again(&mut self, answer: &SpokenOrder, outcome: OrderOutcome, effects: &mut Vec<ExecutorEffect>) {
        let Some(Phase::Asking(question)) = self.running.as_ref().map(|running| &running.phase) else { return };
        let (phrase, badges) = self.spoken(question);
        report(answer.id, outcome, Vec::new(), phrase.text(self.settings.lang), effects);
        effects.push(ExecutorEffect::OpenQuestion { phrase, badges });
        self.start_timer(SPOKEN, effects);
    }

    fn danger(
        &mut self,
        answer: &SpokenOrder,
        is_yes: bool,
        only_answer: bool,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let needs_call = self.settings.confirming_call.is_some();
        if let Some(consent) = Consent::in_words(answer, is_yes, needs_call) {
            self.waits_now(answer);
            self.confirmed(consent, effects);
            return true;
        }
        if answer.source == OrderSource::Program && (is_yes || only_answer) {
            // The question stays: a program must not be able to take it away from the person either.
            let said = ExecutorPhrase::NotByPrograms.text(self.settings.lang);
            report(answer.id, OrderOutcome::Confirm, Vec::new(), said, effects);
            return true;
        }
        if is_yes {
            // Yes without the name, or while Luna spoke: asked again, with what is needed.
            self.ask_again(answer, OrderOutcome::Confirm, effects);
            return true;
        }
        if only_answer {
            self.waits_now(answer);
            self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects);
            return true;
        }
        false
    }

    pub(super) fn key(&mut self, given: bool, effects: &mut Vec<ExecutorEffect>) {
        let is_danger = self
            .running
            .as_ref()
            .is_some_and(|running| matches!(running.phase, Phase::Asking(OpenQuestion::Danger { .. })));
        if given && is_danger {
            self.confirmed(Consent::by_key(), effects);
        } else if !given && self.is_asking() {
            self.finish(OrderOutcome::Refused, Some(ExecutorPhrase::Forgone), effects);
        }
    }

    /// The element is looked at once more: it must be what was confirmed.
    fn confirmed(&mut self, _consent: Consent, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Asking(OpenQuestion::Danger { aim, bound }) = &running.phase else { return };
        let mut aim = aim.clone();
        aim.confirmed = Some(bound.clone());
        effects.push(ExecutorEffect::CloseQuestion);
        self.inspect(aim, effects);
    }

    /// From now on the answer is what a stop must be newer than, and who gave it waits for the report.
    fn waits_now(&mut self, answer: &SpokenOrder) {
        if let Some(running) = self.running.as_mut() {
            running.id = running.id.max(answer.id);
            running.waits = Some(answer.id);
        }
    }

    /// Looks at the element before anything is done to it.
    pub(super) fn inspect(&mut self, aim: super::Aim, effects: &mut Vec<ExecutorEffect>) {
        let request = RequestId::next();
        let Some(running) = self.running.as_mut() else { return };
        effects.push(ExecutorEffect::Inspect { id: request, element: aim.element.clone() });
        running.phase = Phase::Inspecting { request, aim };
        self.generation += 1;
    }
}
