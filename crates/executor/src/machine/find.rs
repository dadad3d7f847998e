//! From the candidates of the screen to the element that a step means.

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::executor::OrderOutcome;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceKind};

use super::{Aim, ExecutorEffect, ExecutorMachine, Phase, ScreenCandidates};
use crate::options::label;
use crate::phrases::ExecutorPhrase;
use crate::plan::CannotAct;
use crate::rules::CommandRules;

impl ExecutorMachine {
    pub(super) fn found(
        &mut self,
        id: RequestId,
        answer: Option<ScreenCandidates>,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Finding { request, again } = running.phase else { return };
        if request != id {
            return;
        }
        let Some(screen) = answer else {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NoScreen), effects);
        };
        let candidates = &screen.candidates;
        if let Some(step) = running.steps.as_ref().and_then(|steps| steps.front()).cloned() {
            let matched = rules.resolve(&step, candidates);
            return self.aim_at(step, matched, &screen, again, effects);
        }
        let understood = rules.understand(&running.utterance, false, candidates);
        if let Some(command) = understood.command.filter(|_| understood.kind != UtteranceKind::Reading) {
            effects.push(ExecutorEffect::Reflex(command));
            return self.finish(OrderOutcome::Success, None, effects);
        }
        match understood.kind {
            UtteranceKind::Reading => {
                let utterance = running.utterance.clone();
                effects.push(ExecutorEffect::Wish { utterance, understood: Box::new(understood) });
                self.finish(OrderOutcome::Success, None, effects);
            }
            _ if understood.negated => self.finish(OrderOutcome::None, Some(ExecutorPhrase::Forgone), effects),
            UtteranceKind::Command | UtteranceKind::Ambiguous => self.first_step(understood, &screen, again, effects),
            // The label of something on the screen, said alone.
            UtteranceKind::Answer if understood.target_id.is_some() => {
                let wish = ParsedCommand { action: Some(Action::Invoke), ..understood.wish.clone() };
                self.first_step(Interpretation { wish, steps: Vec::new(), ..understood }, &screen, again, effects);
            }
            UtteranceKind::Answer | UtteranceKind::Reflex | UtteranceKind::None => {
                self.finish(OrderOutcome::None, Some(ExecutorPhrase::NotUnderstood), effects);
            }
        }
    }

    fn first_step(
        &mut self,
        understood: Interpretation,
        screen: &ScreenCandidates,
        again: bool,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Interpretation { wish, steps, dangerous, target_id, several, ranking, .. } = understood;
        let steps = if steps.is_empty() { vec![wish] } else { steps };
        let first = steps[0].clone();
        let Some(running) = self.running.as_mut() else { return };
        running.steps = Some(steps.into());
        let matched = TargetMatch { target: target_id, several, ranking, dangerous };
        self.aim_at(first, matched, screen, again, effects);
    }

    fn aim_at(
        &mut self,
        step: ParsedCommand,
        matched: TargetMatch,
        screen: &ScreenCandidates,
        again: bool,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let candidates = &screen.candidates;
        let with_id = |id: &String| candidates.iter().find(|one| one.id.0 == *id);
        if let Some(target) = matched.target.as_ref().and_then(with_id) {
            let aim = aim(step, target, matched.dangerous);
            return self.inspect(aim, effects);
        }
        let is_for_an_element = matches!(
            step.action,
            Some(
                Action::Invoke
                    | Action::Toggle
                    | Action::Select
                    | Action::SetValue
                    | Action::Focus
                    | Action::Expand
                    | Action::Collapse
            )
        );
        if !is_for_an_element {
            let target = said(&step);
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::NotAnElement, target };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        // Those that fit alike; if no name was said, the best few. A name that nothing has is told instead of guessed.
        let is_named = step.target_text.is_some();
        let options = if matched.several.is_empty() && !is_named { &matched.ranking } else { &matched.several };
        let options: Vec<Candidate> = options.iter().filter_map(with_id).cloned().collect();
        if !options.is_empty() {
            return self.ask_which(step, matched.dangerous, options, effects);
        }
        if !screen.is_complete && !again {
            let request = RequestId::next();
            let Some(running) = self.running.as_mut() else { return };
            running.phase = Phase::Finding { request, again: true };
            effects.push(ExecutorEffect::AskCandidates { id: request });
            return;
        }
        self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NotFound { what: said(&step) }), effects);
    }
}

/// What was said of the target.
fn said(step: &ParsedCommand) -> String {
    let parts = [&step.target_text, &step.anchor, &step.order, &step.argument, &step.key, &step.hotkey];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

pub(super) fn aim(step: ParsedCommand, target: &Candidate, dangerous: bool) -> Aim {
    Aim { element: target.id.clone(), name: label(target).to_owned(), step, dangerous, confirmed: None }
}
