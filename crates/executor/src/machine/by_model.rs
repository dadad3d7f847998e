//! What the rules leave open goes to a language model, with the candidates (NLU-4, EXE-5). It only chooses among what is offered: where the rules found
//! several, it may take one of them; what the rules did not find or not understand is done only after a yes to it. What is dangerous is told
//! by words and labels alone, whatever the model says (DNG-3).

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::dsl::{Action, DslTask};
use luna_messages::element::Role;
use luna_messages::executor::{OrderOutcome, SpokenOrder};
use luna_messages::language_tasks::{ChosenCommand, Meaning};
use luna_messages::understanding::{Interpretation, ParsedCommand, UtteranceKind};

use super::open_decision::{GivenUp, OpenDecision};
use super::running::ProposedSteps;
use super::{Aim, ExecutorEffect, ExecutorMachine, OpenQuestion, Phase, ScreenCandidates};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;
use crate::target::{candidate_name, is_called};

/// Longest wait for the model: then the person is asked, or told, as without one.
const DECIDES: Duration = Duration::from_millis(2500);

impl ExecutorMachine {
    /// Several fit. A model may know better if their labels differ; else only the person can (EXE-6).
    pub(super) fn choose_among(
        &mut self,
        step: ParsedCommand,
        dangerous: bool,
        options: Vec<Candidate>,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let labels: Vec<&str> = options.iter().map(|option| option.text.as_str()).collect();
        let are_alike = labels.windows(2).all(|pair| pair[0] == pair[1]);
        let are_called = options.iter().all(|option| is_called(&step, option));
        let may_be_secret = step.action == Some(Action::SetValue) && options.iter().any(is_protected);
        if !are_called || are_alike || may_be_secret || !self.may_ask_model() {
            return self.ask_which(step, dangerous, options, effects);
        }
        let open = OpenDecision::Among { step, dangerous, options };
        self.ask_model(DslTask::SelectionDisambiguation, open, effects);
    }

    /// Nothing fits, or nothing is understood: a model is asked, else `otherwise` is said.
    pub(super) fn give_up(
        &mut self,
        given_up: GivenUp,
        screen: &ScreenCandidates,
        otherwise: ExecutorPhrase,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let is_begun = self.running.as_ref().is_some_and(|running| !running.done.is_empty());
        // What was done already stays as it is: a model that reads the whole utterance would do it once more.
        let enters = given_up.step.as_ref().is_none_or(|step| step.action == Some(Action::SetValue));
        // What is to be entered may be a secret, which no model learns (PRV-3).
        let may_be_secret = enters && screen.candidates.iter().any(is_protected);
        if is_begun || may_be_secret || screen.candidates.is_empty() || !self.may_ask_model() {
            return self.finish(given_up.outcome, Some(otherwise), effects);
        }
        let task = if given_up.step.is_some() { DslTask::SelectionDisambiguation } else { DslTask::MacroPlan };
        let candidates = screen.candidates.clone();
        self.ask_model(task, OpenDecision::Unknown { given_up, candidates, otherwise }, effects);
    }

    fn may_ask_model(&self) -> bool {
        self.settings.asks_model && self.running.as_ref().is_some_and(|running| !running.asked_model)
    }

    fn ask_model(&mut self, task: DslTask, open: OpenDecision, effects: &mut Vec<ExecutorEffect>) {
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        let candidates = match &open {
            OpenDecision::Among { options, .. } => options.clone(),
            OpenDecision::Unknown { candidates, .. } => candidates.clone(),
        };
        running.asked_model = true;
        let utterance = running.order.utterance.clone();
        running.phase = Phase::Deciding { request, open };
        effects.push(ExecutorEffect::AskModel { id: request, task, utterance, candidates });
        self.start_timer(DECIDES, effects);
    }

    /// The model answered; `None`: there is none, or it gave no valid answer in time.
    pub(super) fn decided(
        &mut self,
        id: RequestId,
        meaning: Option<Meaning>,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        if !matches!(running.phase, Phase::Deciding { request, .. } if request == id) {
            return;
        }
        let nothing = Phase::Finding { request: RequestId::default() };
        let Phase::Deciding { open, .. } = std::mem::replace(&mut running.phase, nothing) else { return };
        match open {
            OpenDecision::Among { step, dangerous, options } => {
                match chosen_among(meaning.as_ref(), &options, dangerous) {
                    Some(target) => {
                        let aim = Aim::new(step, target, dangerous);
                        self.inspect(aim, effects);
                    }
                    None => self.ask_which(step, dangerous, options, effects),
                }
            }
            OpenDecision::Unknown { given_up: GivenUp { step, dangerous, outcome }, candidates, otherwise } => {
                if let Some(Meaning::Reading(reading)) = meaning {
                    let wish = ParsedCommand {
                        intent: Some(reading.intent),
                        mode: Some(reading.mode),
                        lang_tgt: reading.lang_tgt,
                        line_offset: reading.line_offset,
                        ..ParsedCommand::default()
                    };
                    let understood = Interpretation { kind: UtteranceKind::Reading, wish, ..Interpretation::default() };
                    let utterance = running.order.utterance.clone();
                    effects.push(ExecutorEffect::Wish { utterance, understood: Box::new(understood) });
                    return self.finish(OrderOutcome::Success, None, effects);
                }
                let utterance = running.order.utterance.clone();
                match proposed(meaning, step.as_ref(), &candidates, &utterance) {
                    Some(steps) => {
                        let dangerous = dangerous || rules.is_dangerous(&utterance);
                        let outcome = OrderOutcome::Clarify;
                        self.open(OpenQuestion::Proposed { proposed: steps, dangerous }, outcome, effects);
                    }
                    None => self.finish(outcome, Some(otherwise), effects),
                }
            }
        }
    }

    /// Takes an answer to "do you mean this?" that neither declines nor stops. Returns whether it was taken.
    pub(super) fn take_proposal(
        &mut self,
        answer: &SpokenOrder,
        understood: &Interpretation,
        only_answer: bool,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) -> bool {
        let Some(running) = self.running.as_mut() else { return false };
        let Phase::Asking { question: OpenQuestion::Proposed { proposed, dangerous }, .. } = &running.phase else {
            return false;
        };
        let is_answer = understood.kind == UtteranceKind::Answer;
        let names_it =
            is_answer && proposed.target.as_ref().is_some_and(|one| understood.target_id.as_ref() == Some(&one.id.0));
        if !names_it && !rules.is_yes(&answer.utterance) {
            if only_answer || understood.kind == UtteranceKind::Answer {
                self.ask_again(answer, OrderOutcome::Clarify, effects);
                return true;
            }
            return false;
        }
        let (proposed, dangerous) = (proposed.clone(), *dangerous || understood.dangerous);
        running.dangerous |= dangerous;
        running.steps = Some(proposed.steps.iter().cloned().collect());
        effects.push(ExecutorEffect::CloseQuestion);
        self.waits_now(answer);
        match (&proposed.target, proposed.steps.as_slice()) {
            (Some(target), [step]) => {
                let aim = Aim::new(step.clone(), target, dangerous);
                self.inspect(Aim { by_answer: true, ..aim }, effects);
            }
            // Each is resolved on the screen as it is at its turn (EXE-5).
            _ => self.find(effects),
        }
        true
    }
}

/// The option that the model took. One that it asks about because of a danger counts, too: the question about the danger follows (DNG-3).
fn chosen_among<'a>(meaning: Option<&Meaning>, options: &'a [Candidate], dangerous: bool) -> Option<&'a Candidate> {
    let element = match meaning? {
        Meaning::Command(ChosenCommand { element, .. }) => element.as_ref(),
        Meaning::Clarify { element, fallback: false, .. } if dangerous => element.as_ref(),
        Meaning::Clarify { .. } | Meaning::Reading(_) | Meaning::Plan(_) => None,
    }?;
    options.iter().find(|option| option.id == *element)
}

/// What the model would do, if it is something that can be done and nothing in it is made up.
fn proposed(
    meaning: Option<Meaning>,
    step: Option<&ParsedCommand>,
    candidates: &[Candidate],
    utterance: &str,
) -> Option<ProposedSteps> {
    let commands = match meaning? {
        Meaning::Command(command) => vec![command],
        Meaning::Plan(commands) => commands,
        Meaning::Clarify { .. } | Meaning::Reading(_) => return None,
    };
    let with_id = |one: &ChosenCommand| candidates.iter().find(|candidate| Some(&candidate.id) == one.element.as_ref());
    // The rules know what is to be done, and the model to what.
    if let (Some(step), [command]) = (step, commands.as_slice()) {
        let target = with_id(command).filter(|one| has_name(one))?.clone();
        return Some(ProposedSteps { steps: vec![step.clone()], target: Some(target) });
    }
    if step.is_some() {
        return None;
    }
    let steps: Option<Vec<ParsedCommand>> =
        commands.iter().map(|command| parsed(command, with_id(command), utterance)).collect();
    let steps = steps.filter(|steps| !steps.is_empty())?;
    let target = if let [only] = commands.as_slice() { with_id(only).cloned() } else { None };
    Some(ProposedSteps { steps, target })
}

/// A command of the model as a step. `None` if it can't be done, or enters what the person did not say.
fn parsed(chosen: &ChosenCommand, target: Option<&Candidate>, utterance: &str) -> Option<ParsedCommand> {
    let params = &chosen.command.params;
    let is_said = params.value.as_ref().is_none_or(|value| is_said(value.trim(), utterance));
    let target_is_sure = target.is_none_or(|one| has_name(one) && !is_protected(one));
    let can_be_done = match chosen.command.action {
        Action::Invoke | Action::Toggle | Action::Select => target.is_some(),
        Action::SetValue => target.is_some() && params.value.is_some(),
        Action::Key => params.key.is_some(),
        Action::Hotkey => params.hotkey.is_some(),
        Action::Scroll | Action::Desktop | Action::Focus | Action::Expand | Action::Collapse | Action::Clarify => false,
    };
    (is_said && can_be_done && target_is_sure).then(|| ParsedCommand {
        action: Some(chosen.command.action),
        target_text: target.map(|one| candidate_name(one, "").to_owned()),
        value: params.value.clone(),
        key: params.key.clone(),
        hotkey: params.hotkey.clone(),
        ..ParsedCommand::default()
    })
}

fn has_name(candidate: &Candidate) -> bool {
    !candidate_name(candidate, "").trim().is_empty()
}

const fn is_protected(candidate: &Candidate) -> bool {
    candidate.details.protected || matches!(candidate.role, Role::Protected)
}

/// Whether a text to enter stands in what was said, as whole words; a particle may follow it ("홍길동이라고"). An empty one would empty a field.
fn is_said(value: &str, utterance: &str) -> bool {
    let is_hangul = |c: char| ('가'..='힣').contains(&c);
    let ends =
        |last: char, next: char| !next.is_alphanumeric() || is_hangul(next) && (is_hangul(last) || last.is_ascii());
    let stands_at = |at: usize| {
        let before = utterance[..at].chars().next_back();
        let after = utterance[at + value.len()..].chars().next();
        let last = value.chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric())
            && after.is_none_or(|next| last.is_some_and(|last| ends(last, next)))
    };
    !value.is_empty() && utterance.match_indices(value).any(|(at, _)| stands_at(at))
}
