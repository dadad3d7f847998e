//! From the candidates of the screen to the element that a step means.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::element::Role;
use luna_messages::element_action::Capacity;
use luna_messages::executor::OrderOutcome;
use luna_messages::keyboard::NamedKey;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceKind};

use super::aims::KeyAim;
use super::open_decision::GivenUp;
use super::pages;
use super::scroll::is_scroll;
use super::{Aim, ExecutorEffect, ExecutorMachine, Phase, ScreenCandidates};
use crate::desktop_orders::desktop_wish;
use crate::options::without_wrappers;
use crate::phrases::ExecutorPhrase;
use crate::plan::CannotAct;
use crate::rules::CommandRules;
use crate::shown_screen::ShownScreen;
use crate::target::is_called;
use crate::usual_orders::{closes_window, keys_of};

/// How long a yes may still be meant for a question of Luna's that is over: it must not press what is called "yes" on the screen.
const LATE_YES: Duration = Duration::from_secs(30);

/// How often the screen is read once more if something was missing: applications that start, or a busy machine, tell all of it in a moment.
const MOST_UNREAD: u8 = 2;
/// The same if several fit after a step.
const MOST_UNSETTLED: u8 = 3;
/// The same after a step, and the pause before each: menus and dialogs open within some hundred milliseconds, pages within a second.
const MOST_LATE: u8 = 8;
const LATE_PAUSE: Duration = Duration::from_millis(120);
/// The same in all: a busy machine tells a page in two seconds, and nobody waits for eight of them.
const LATE_LIMIT: Duration = Duration::from_secs(4);

impl ExecutorMachine {
    pub(super) fn found(
        &mut self,
        id: RequestId,
        answer: Option<ScreenCandidates>,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let is_late_yes = self.is_late_yes(now);
        if let Some(Phase::Scrolling { request, .. }) = self.running.as_ref().map(|running| &running.phase) {
            return if *request == id {
                self.scrolled(answer.as_ref(), now, effects)
            };
        }
        let Some(running) = self.running.as_mut() else { return };
        if matches!(running.phase, Phase::Settling { compares: Some(compares), .. } if compares == id) {
            return self.compared(answer.as_ref(), now, effects);
        }
        if !matches!(running.phase, Phase::Finding { request } if request == id) {
            return;
        }
        let Some(screen) = answer else {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NoScreen), effects);
        };
        running.shown = screen.is_complete.then(|| ShownScreen::of(&screen.candidates));
        if let Some(aim) = running.confirmed_keys.take() {
            return self.confirmed_keys(aim, &screen, effects);
        }
        if self.close_list(&screen, now, effects) {
            return;
        }
        let Some(running) = self.running.as_mut() else { return };
        if let Some(step) = running.steps.as_ref().and_then(|steps| steps.front()).cloned() {
            let matched = pages::resolve(rules, &step, &screen);
            return self.take_step(step, matched, &screen, now, rules, effects);
        }
        let utterance = &running.order.utterance;
        let understood = pages::understand(rules, utterance, &screen);
        if understood.negated {
            return self.finish(OrderOutcome::None, Some(ExecutorPhrase::Forgone), effects);
        }
        if let Some(command) = understood.command.filter(|_| understood.kind != UtteranceKind::Reading) {
            effects.push(ExecutorEffect::Reflex(command));
            return self.finish(OrderOutcome::Success, None, effects);
        }
        match understood.kind {
            UtteranceKind::Reading => {
                let utterance = utterance.clone();
                effects.push(ExecutorEffect::Wish { utterance, understood: Box::new(understood) });
                self.finish(OrderOutcome::Success, None, effects);
            }
            // Two different things are equally likely (NLU-6).
            UtteranceKind::Ambiguous if understood.target_id.is_some() => {
                let open = GivenUp { step: None, dangerous: understood.dangerous, outcome: OrderOutcome::None };
                self.give_up(open, &screen, ExecutorPhrase::Unclear, effects);
            }
            UtteranceKind::Command | UtteranceKind::Ambiguous => {
                self.first_step(understood, &screen, now, rules, effects);
            }
            UtteranceKind::Answer if is_late_yes && rules.is_yes(utterance) => {
                self.finish(OrderOutcome::None, Some(ExecutorPhrase::NoQuestion), effects);
            }
            // The label of something on the screen, said alone.
            UtteranceKind::Answer if understood.target_id.is_some() => {
                let wish = ParsedCommand { action: Some(Action::Invoke), ..understood.wish.clone() };
                let understood = Interpretation { wish, steps: Vec::new(), ..understood };
                self.first_step(understood, &screen, now, rules, effects);
            }
            UtteranceKind::Answer | UtteranceKind::Reflex | UtteranceKind::None => {
                let open = GivenUp { step: None, dangerous: understood.dangerous, outcome: OrderOutcome::None };
                self.give_up(open, &screen, ExecutorPhrase::NotUnderstood, effects);
            }
        }
    }

    fn is_late_yes(&self, now: Duration) -> bool {
        self.unconfirmed.is_some_and(|ended| now.saturating_sub(ended) < LATE_YES)
    }

    fn first_step(
        &mut self,
        understood: Interpretation,
        screen: &ScreenCandidates,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Interpretation { wish, steps, mut dangerous, target_id, several, ranking, .. } = understood;
        let steps = if steps.is_empty() { vec![wish] } else { steps };
        let Some(first) = steps.first().cloned() else { return };
        let Some(running) = self.running.as_mut() else { return };
        if steps.len() > 1 {
            // Each step has its own danger, unless only the whole tells it.
            let each: Vec<bool> = steps.iter().map(|step| rules.resolve(step, &screen.candidates).dangerous).collect();
            running.dangerous = dangerous && !each.contains(&true);
            dangerous = each.first().is_some_and(|first| *first);
        }
        running.steps = Some(steps.into());
        let matched = TargetMatch { target: target_id, several, ranking, dangerous };
        self.take_step(first, matched, screen, now, rules, effects);
    }

    /// Begins the current step on the screen as it is now.
    fn take_step(
        &mut self,
        step: ParsedCommand,
        matched: TargetMatch,
        screen: &ScreenCandidates,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        if let Some(own) = for_luna(&step, &running.order.utterance) {
            effects.push(own);
            return self.next_step(None, now, effects);
        }
        let dangerous = matched.dangerous || running.dangerous;
        if self.take_back(&step, screen, effects) {
            return;
        }
        let Some(running) = self.running.as_mut() else { return };
        let has_focus = |one: &&Candidate| Some(&one.id) == screen.focused.as_ref();
        let in_terminal =
            screen.candidates.iter().find(has_focus).is_some_and(|one| one.details.kind == Some(Role::Terminal));
        if let Some(chord) = keys_of(&step, in_terminal) {
            let Some(window) = screen.window else {
                return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NoScreen), effects);
            };
            let aim = KeyAim { step, chord, window, focused: screen.focused.clone() };
            if closes_window(&aim.step) && !dangerous {
                return self.close_window(aim, effects);
            }
            // Keys choose in a menu, too.
            let is_chosen = !moves_only(chord.key) && self.is_danger_menu_open(now);
            return self.aim_keys(aim, dangerous || is_chosen, effects);
        }
        let candidates = &screen.candidates;
        let with_id = |id: &String| candidates.iter().find(|one| one.id.0 == *id);
        if is_scroll(&step) {
            let target = matched.target.as_ref().and_then(with_id);
            return self.scroll(step, target, screen, effects);
        }
        // Of what is only known by its kind or its place, another one may be among those that were not told in time.
        let is_called = |id: &String| with_id(id).is_some_and(|one| is_called(&step, one));
        let found = matched.target.iter().chain(&matched.several);
        let is_by_name = is_named_alone(&step) && (step.role.is_none() || found.clone().all(is_called));
        if screen.is_late && !is_by_name && is_for_an_element(&step) && !is_dictation(&step) {
            if running.unread < MOST_UNREAD {
                running.unread += 1;
                return self.find_after(LATE_PAUSE, effects);
            }
            if matched.target.is_some() {
                let phrase = ExecutorPhrase::NotAllRead { what: said(&step) };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
        }
        if let Some(target) = matched.target.as_ref().and_then(with_id) {
            // Until an entry of the menu that the step before opened fits, what stands beside the menu is not what was meant, and neither is the menu.
            let is_menu_itself = running.opened_menu.as_ref() == Some(&target.id);
            let is_beside = running.opened_menu.is_some() && target.role.general() != Role::MenuItem;
            if (is_beside || is_menu_itself) && running.unread < MOST_UNSETTLED {
                running.unread += 1;
                return self.find_after(LATE_PAUSE, effects);
            }
            // To press it once more would close it.
            if is_menu_itself {
                let phrase = ExecutorPhrase::NotFound { what: said(&step) };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
            if self.choose_value(&step, target, effects) {
                return;
            }
            let on_page = screen.pages.iter().any(|page| page.contains(target.bbox.center()));
            return self.inspect(Aim { on_page, ..Aim::new(step, target, dangerous) }, effects);
        }
        if let Some(wish) = desktop_wish(&step) {
            return self.ask_desktop(step, wish, screen, effects);
        }
        if is_dictation(&step) {
            let types = self.settings.coord_fallback;
            let can_take = |one: &&Candidate| {
                let takes_keys = one.details.capacities.contains(Capacity::Insert);
                let is_typed_in = types && (takes_keys || matches!(one.role, Role::Edit | Role::Protected));
                let can_be_written = is_typed_in || one.details.capacities.contains(Capacity::SetText);
                Some(&one.id) == screen.focused.as_ref() && can_be_written
            };
            let Some(field) = candidates.iter().find(can_take) else {
                let phrase = ExecutorPhrase::Cannot { why: CannotAct::NoFocusedField, target: String::new() };
                return self.finish(OrderOutcome::Failed, Some(phrase), effects);
            };
            return self.inspect(Aim { dictated: true, ..Aim::new(step, field, dangerous) }, effects);
        }
        if !is_for_an_element(&step) {
            let target = said(&step);
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::NotAnElement, target };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        // Those that fit alike; if no name was said, the best few. A name that nothing has is told instead of guessed.
        let is_named = step.target_text.is_some();
        let options = if matched.several.is_empty() && !is_named { &matched.ranking } else { &matched.several };
        let options = without_wrappers(options.iter().filter_map(with_id).cloned().collect(), candidates);
        let options = if running.opened_menu.is_some() { entries_first(options) } else { options };
        // So is one that is left of a kind: "expand the section", whose other section is a frame around a button.
        if (is_named || !matched.several.is_empty())
            && let [only] = options.as_slice()
        {
            return self.inspect(Aim::new(step, only, dangerous), effects);
        }
        // What the step before opened may still be growing, and a part of it lie elsewhere than the whole.
        if !options.is_empty() && !running.done.is_empty() && running.unread < MOST_UNSETTLED {
            running.unread += 1;
            return self.find_after(LATE_PAUSE, effects);
        }
        if !options.is_empty() {
            return self.choose_among(step, dangerous, options, effects);
        }
        if self.open_list(&step, screen, rules, effects) {
            return;
        }
        let Some(running) = self.running.as_mut() else { return };
        // What the step before led to, such as a menu, may still be on its way.
        let is_later = !running.done.is_empty();
        let (most, pause) = if is_later { (MOST_LATE, LATE_PAUSE) } else { (MOST_UNREAD, Duration::ZERO) };
        let has_time = now.saturating_sub(running.step_began) < LATE_LIMIT;
        if (is_later || !screen.is_complete) && running.unread < most && has_time {
            running.unread += 1;
            return self.find_after(pause, effects);
        }
        if screen.is_complete && self.close_without_option(&said(&step), effects) {
            return;
        }
        // What was said of the target may be the text to enter, then, and is not repeated (PRV-2).
        let lacks_value = step.action == Some(Action::SetValue) && step.value.is_none();
        if lacks_value {
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::NoValue, target: String::new() };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        let what = said(&step);
        if screen.is_complete {
            let open = GivenUp { step: Some(step), dangerous, outcome: OrderOutcome::Failed };
            self.give_up(open, screen, ExecutorPhrase::NotFound { what }, effects);
        } else {
            self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NotAllRead { what }), effects);
        }
    }
}

/// The only entry of a menu among what fits, if there is one: the step before opened the menu. Else all.
fn entries_first(options: Vec<Candidate>) -> Vec<Candidate> {
    let entries: Vec<&Candidate> = options.iter().filter(|one| one.role == Role::MenuItem).collect();
    match entries.as_slice() {
        [only] => vec![(*only).clone()],
        _ => options,
    }
}

/// What a step asks of Luna itself: a reflex command, or to read something.
fn for_luna(step: &ParsedCommand, utterance: &str) -> Option<ExecutorEffect> {
    let order = step.order.as_deref();
    match step.action {
        Some(Action::Desktop) => order.and_then(Command::of_order).map(ExecutorEffect::Reflex),
        None => order.and_then(Command::by_name).map(ExecutorEffect::Reflex).or_else(|| {
            let reading =
                Interpretation { kind: UtteranceKind::Reading, wish: step.clone(), ..Interpretation::default() };
            let utterance = utterance.to_owned();
            step.intent.map(|_| ExecutorEffect::Wish { utterance, understood: Box::new(reading) })
        }),
        Some(_) => None,
    }
}

const fn is_for_an_element(step: &ParsedCommand) -> bool {
    matches!(
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
    )
}

/// Whether nothing but its name tells which one is meant, so that a part of the screen is enough to find it.
const fn is_named_alone(step: &ParsedCommand) -> bool {
    let is_placed = step.zone.is_some() || step.relation.is_some() || step.outermost;
    pages::is_named(step) && !is_placed
}

/// Whether a key chooses nothing in a menu.
const fn moves_only(key: NamedKey) -> bool {
    use NamedKey::{Down, End, Escape, Home, Left, PageDown, PageUp, Right, Tab, Up};
    matches!(key, Escape | Tab | Home | End | PageUp | PageDown | Up | Down | Left | Right)
}

/// Whether a text is to be entered, and nothing says where.
fn is_dictation(step: &ParsedCommand) -> bool {
    let is_placed = step.target_text.is_some()
        || step.role.is_some()
        || step.ordinal.is_some()
        || step.relation.is_some()
        || step.zone.is_some();
    step.action == Some(Action::SetValue) && step.value.is_some() && !is_placed
}

/// What was said of the target.
fn said(step: &ParsedCommand) -> String {
    // A usual order is named by itself; else these tell what is done to the thing.
    let is_usual = step.action == Some(Action::Desktop);
    let (order, argument) = if is_usual { (&step.order, &step.argument) } else { (&None, &None) };
    let parts = [&step.target_text, &step.anchor, order, argument, &step.key, &step.hotkey];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}
