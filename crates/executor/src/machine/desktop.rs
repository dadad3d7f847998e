//! Steps that ask something of the desktop itself (DSL-6).

use std::time::Duration;

use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::desktop_order::{DesktopAnswer, DesktopOrder, TopWindow, WindowArrangement};
use luna_messages::dsl::Action;
use luna_messages::element::Role;
use luna_messages::executor::OrderOutcome;
use luna_messages::understanding::ParsedCommand;
use luna_messages::{ElementId, Rect, RequestId};

use super::aims::{DesktopAim, KeyAim};
use super::running::{Phase, step_report};
use super::{ExecutorEffect, ExecutorMachine, ScreenCandidates};
use crate::desktop_orders::DesktopWish;
use crate::phrases::{DesktopPhrase, ExecutorPhrase};
use crate::rules::CommandRules;
use crate::target::{candidate_name, spoken_name};

/// Longest time until the desktop answered.
const ANSWERS: Duration = Duration::from_secs(3);

/// The same for a program, whose window may take some seconds.
const OPENS: Duration = Duration::from_secs(12);

impl ExecutorMachine {
    pub(super) fn ask_desktop(
        &mut self,
        step: ParsedCommand,
        wish: DesktopWish,
        screen: &ScreenCandidates,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let focused = screen.candidates.iter().find(|one| Some(&one.id) == screen.focused.as_ref());
        // A long text is what the element holds, and no name.
        let focused = focused.map(|one| candidate_name(one, "")).filter(|name| spoken_name(name) == *name);
        let focused = focused.map(str::to_owned).unwrap_or_default();
        let order = wish.first();
        self.send_to_desktop(DesktopAim { step, wish, focused, keys: None, arranged: None }, order, effects);
    }

    /// Has the window closed that the keys would go to. Not every window manager takes the keys for it.
    pub(super) fn close_window(&mut self, keys: KeyAim, effects: &mut Vec<ExecutorEffect>) {
        let wish = DesktopWish::Arrange(WindowArrangement::Close, None);
        let (step, order) = (keys.step.clone(), wish.first());
        let aim = DesktopAim { step, wish, focused: String::new(), keys: Some(keys), arranged: None };
        self.send_to_desktop(aim, order, effects);
    }

    fn send_to_desktop(&mut self, aim: DesktopAim, order: DesktopOrder, effects: &mut Vec<ExecutorEffect>) {
        self.reversible.clear();
        let Some(running) = self.running.as_mut() else { return };
        let request = RequestId::next();
        let limit = if matches!(order, DesktopOrder::Open { .. }) { OPENS } else { ANSWERS };
        effects.push(ExecutorEffect::Desktop { id: request, order: running.id, what: order });
        running.phase = Phase::Desktop { request, aim };
        self.start_timer(limit, effects);
    }

    /// `answer`: `None` if the desktop can't be asked.
    pub(super) fn desktop_answered(
        &mut self,
        id: RequestId,
        answer: Option<DesktopAnswer>,
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(Phase::Desktop { request, aim }) = self.running.as_ref().map(|running| &running.phase) else { return };
        if *request != id {
            return;
        }
        let aim = aim.clone();
        match answer {
            None => match aim.keys {
                // Nothing was asked of a window yet.
                Some(keys) if aim.arranged.is_none() => self.aim_keys(keys, false, effects),
                _ => self.desktop_failed(DesktopPhrase::Unavailable, effects),
            },
            Some(DesktopAnswer::Windows(windows)) => self.with_windows(aim, &windows, now, rules, effects),
            Some(DesktopAnswer::Arranged { seen }) => {
                let Some((window, how)) = aim.arranged.clone() else { return };
                let phrase = DesktopPhrase::Arranged { window: window.clone(), how };
                if seen {
                    self.desktop_done(&aim, window, phrase, now, effects);
                } else if how == WindowArrangement::Close {
                    self.desktop_failed(DesktopPhrase::StillOpen { window }, effects);
                } else {
                    let phrase = ExecutorPhrase::NothingChanged { target: window };
                    self.finish(OrderOutcome::Failed, Some(phrase), effects);
                }
            }
            Some(DesktopAnswer::Opened { name, seen }) => self.program_opened(&aim, name, seen, now, effects),
            Some(DesktopAnswer::Programs(names)) => {
                let said = if let DesktopWish::Open(name) = &aim.wish { name.clone() } else { String::new() };
                self.desktop_failed(DesktopPhrase::NotOneProgram { said, names }, effects);
            }
            Some(DesktopAnswer::Time(time)) => {
                self.desktop_done(&aim, String::new(), DesktopPhrase::Time(time), now, effects);
            }
            Some(DesktopAnswer::Battery(battery)) => {
                self.desktop_done(&aim, String::new(), DesktopPhrase::Battery(battery), now, effects);
            }
            Some(DesktopAnswer::Volume(volume)) => {
                self.desktop_done(&aim, String::new(), DesktopPhrase::Volume(volume), now, effects);
            }
        }
    }

    fn program_opened(
        &mut self,
        aim: &DesktopAim,
        name: String,
        seen: bool,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let took = now.saturating_sub(running.step_began);
        running.done.push(step_report(&aim.step, name.clone(), None, seen, took));
        self.next_step(Some(ExecutorPhrase::Desktop(DesktopPhrase::Opened { name, seen })), now, effects);
    }

    fn with_windows(
        &mut self,
        aim: DesktopAim,
        windows: &[TopWindow],
        now: Duration,
        rules: &dyn CommandRules,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let active = windows.iter().find(|window| window.is_active);
        if let Some(keys) = &aim.keys {
            let Some(window) = windows.iter().find(|window| window.handle == keys.window) else {
                return self.aim_keys(keys.clone(), false, effects);
            };
            let arranged = Some((window_name(window).to_owned(), WindowArrangement::Close));
            let order = DesktopOrder::Arrange { window: window.handle, how: WindowArrangement::Close };
            return self.send_to_desktop(DesktopAim { arranged, ..aim }, order, effects);
        }
        let (window, how) = match &aim.wish {
            DesktopWish::Order(_) | DesktopWish::Open(_) => return,
            DesktopWish::WhereAmI => {
                let title = active.map(|window| window_name(window).to_owned()).unwrap_or_default();
                let phrase = DesktopPhrase::WhereAmI { window: title.clone(), focused: aim.focused.clone() };
                return self.desktop_done(&aim, title, phrase, now, effects);
            }
            DesktopWish::SwitchTo(name) => (named(name, windows, rules), WindowArrangement::Activate),
            DesktopWish::Arrange(how, Some(name)) => (named(name, windows, rules), *how),
            DesktopWish::Arrange(how, None) => (active, *how),
        };
        let Some(window) = window else {
            let said = match &aim.wish {
                DesktopWish::SwitchTo(name) | DesktopWish::Arrange(_, Some(name)) => name.clone(),
                DesktopWish::Order(_)
                | DesktopWish::Open(_)
                | DesktopWish::WhereAmI
                | DesktopWish::Arrange(_, None) => String::new(),
            };
            return self.desktop_failed(DesktopPhrase::NoWindow { said }, effects);
        };
        let arranged = Some((window_name(window).to_owned(), how));
        let order = DesktopOrder::Arrange { window: window.handle, how };
        self.send_to_desktop(DesktopAim { arranged, ..aim }, order, effects);
    }

    fn desktop_done(
        &mut self,
        aim: &DesktopAim,
        target: String,
        phrase: DesktopPhrase,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let took = now.saturating_sub(running.step_began);
        running.done.push(step_report(&aim.step, target, None, true, took));
        self.next_step(Some(ExecutorPhrase::Desktop(phrase)), now, effects);
    }

    fn desktop_failed(&mut self, phrase: DesktopPhrase, effects: &mut Vec<ExecutorEffect>) {
        self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::Desktop(phrase)), effects);
    }
}

/// What a window is called: its title, or its program if it has none.
fn window_name(window: &TopWindow) -> &str {
    if window.title.is_empty() { &window.application } else { &window.title }
}

/// The window that a name means; a last syllable that may be a particle need not belong to it: "긴 글로".
fn named<'a>(name: &str, windows: &'a [TopWindow], rules: &dyn CommandRules) -> Option<&'a TopWindow> {
    let bare = || name.strip_suffix("으로").or_else(|| name.strip_suffix('로'));
    exactly_named(name, windows, rules).or_else(|| exactly_named(bare()?, windows, rules))
}

/// The window that a name means, by its program or its title; of several the one that was used last, unless it is the active one.
fn exactly_named<'a>(name: &str, windows: &'a [TopWindow], rules: &dyn CommandRules) -> Option<&'a TopWindow> {
    let step =
        ParsedCommand { action: Some(Action::Invoke), target_text: Some(name.to_owned()), ..ParsedCommand::default() };
    let found = |text: fn(&TopWindow) -> &str| {
        let candidates: Vec<Candidate> = windows.iter().map(|window| candidate(window, text(window))).collect();
        let matched = rules.resolve(&step, &candidates);
        let ids: Vec<String> = matched.target.into_iter().chain(matched.several).collect();
        let mut fitting: Vec<&TopWindow> =
            windows.iter().filter(|window| ids.contains(&window.handle.to_string())).collect();
        fitting.sort_by_key(|window| window.is_active);
        fitting.first().copied()
    };
    found(|window| &window.application)
        .or_else(|| found(|window| program_in_title(&window.title)))
        .or_else(|| found(|window| &window.title))
}

/// Programs write their name behind what they show: "Inbox - Mozilla Firefox".
fn program_in_title(title: &str) -> &str {
    const SEPARATORS: [&str; 3] = [" - ", " — ", " – "];
    let ends = SEPARATORS.iter().filter_map(|separator| title.rfind(separator).map(|at| at + separator.len()));
    ends.max().and_then(|end| title.get(end..)).unwrap_or(title)
}

fn candidate(window: &TopWindow, text: &str) -> Candidate {
    Candidate {
        id: ElementId(window.handle.to_string()),
        role: Role::Window,
        text: text.to_owned(),
        bbox: Rect::default(),
        automation_id: String::new(),
        enabled: true,
        near: Vec::new(),
        zone: Zone::Center,
        details: CandidateDetails::default(),
    }
}
