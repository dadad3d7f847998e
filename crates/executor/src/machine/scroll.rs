//! Scrolling: the wheel turns over what is to move, and a look afterwards tells whether it did (EXE-2).
//!
//! The wheel changes numbers and choices that lie under it, so it turns at a place free of them.

use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::dsl::{Action, ScrollAmount, ScrollDirection};
use luna_messages::element::Role;
use luna_messages::element_action::{ActionResult, ElementRefusal};
use luna_messages::executor::{ActedBy, OrderOutcome};
use luna_messages::understanding::ParsedCommand;
use luna_messages::{ElementId, Point, Rect, RequestId};

use super::aims::ScrollAim;
use super::running::{Phase, step_report};
use super::{ACTS, ExecutorEffect, ExecutorMachine, FINDS, ScreenCandidates, refused};
use crate::phrases::ExecutorPhrase;
use crate::plan::CannotAct;

/// What applications scroll for one notch, in pixels: 53 in Chromium, 48 to 70 in GTK and Qt.
const NOTCH: i32 = 60;
/// A few lines, and more than any page is long.
const FEW: i16 = 3;
const WHOLE: i16 = 300;
/// How long what was scrolled may take to come to rest.
const RESTS: Duration = Duration::from_millis(300);

impl ExecutorMachine {
    pub(super) fn scroll(
        &mut self,
        step: ParsedCommand,
        target: Option<&Candidate>,
        screen: &ScreenCandidates,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let area = scrolled_area(target, screen);
        let (Some(window), Some(at)) = (screen.window, quiet_point(area, &screen.candidates)) else {
            return self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NoScreen), effects);
        };
        if !self.settings.coord_fallback {
            let phrase = ExecutorPhrase::Cannot { why: CannotAct::NotOffered, target: String::new() };
            return self.finish(OrderOutcome::Failed, Some(phrase), effects);
        }
        let Some(running) = self.running.as_mut() else { return };
        let direction = step.direction.unwrap_or(ScrollDirection::Down);
        let count = match step.amount {
            Some(ScrollAmount::Small) => FEW,
            Some(ScrollAmount::End) => WHOLE,
            // A little of what was shown stays in view.
            Some(ScrollAmount::Page) | None => i16::try_from(area.height * 4 / 5 / NOTCH).unwrap_or(FEW).max(1),
        };
        let notches = if direction == ScrollDirection::Down { count } else { -count };
        let request = RequestId::next();
        effects.push(ExecutorEffect::Scroll { id: request, order: running.id, window, at, notches });
        let aim = ScrollAim { step, direction, before: places(screen), turned: false };
        running.phase = Phase::Scrolling { request, aim };
        self.start_timer(ACTS, effects);
    }

    /// The wheel was turned, or could not be.
    pub(super) fn wheel_answered(
        &mut self,
        result: Result<ActionResult, ElementRefusal>,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Scrolling { request, aim } = &mut running.phase else { return };
        if aim.turned {
            return;
        }
        let phrase = match result {
            Ok(ActionResult::Accepted | ActionResult::Unknown) => {
                aim.turned = true;
                *request = RequestId::next();
                effects.push(ExecutorEffect::AskCandidates { id: *request, after: RESTS });
                return self.start_timer(FINDS, effects);
            }
            Ok(ActionResult::NoEffect(proof)) => {
                ExecutorPhrase::Cannot { why: CannotAct::from(proof), target: String::new() }
            }
            Err(refusal) => refused(refusal),
        };
        self.finish(OrderOutcome::Failed, Some(phrase), effects);
    }

    /// The screen after the wheel was turned; `None` if it can't be read.
    pub(super) fn scrolled(
        &mut self,
        after: Option<&ScreenCandidates>,
        now: Duration,
        effects: &mut Vec<ExecutorEffect>,
    ) {
        let Some(running) = self.running.as_mut() else { return };
        let Phase::Scrolling { aim, .. } = &running.phase else { return };
        let moved = after.map(|after| places(after) != aim.before);
        let direction = aim.direction;
        let took = now.saturating_sub(running.step_began);
        let seen = moved == Some(true);
        running.done.push(step_report(&aim.step, String::new(), Some(ActedBy::Pointer), seen, took));
        match moved {
            Some(true) => self.next_step(Some(ExecutorPhrase::Scrolled { direction }), now, effects),
            // Pages tell where their parts are; a text of many lines is one part, and stays where it is.
            Some(false) if after.is_some_and(|after| after.pages.is_empty()) => {
                self.next_step(Some(ExecutorPhrase::ScrolledUnseen), now, effects);
            }
            Some(false) => self.finish(OrderOutcome::Failed, Some(ExecutorPhrase::NothingScrolled), effects),
            None => {
                let phrase = ExecutorPhrase::MayBeDone { target: String::new() };
                self.finish(OrderOutcome::Failed, Some(phrase), effects);
            }
        }
    }
}

/// Whether a step scrolls.
pub(super) fn is_scroll(step: &ParsedCommand) -> bool {
    step.action == Some(Action::Scroll)
}

fn places(screen: &ScreenCandidates) -> Vec<(ElementId, Rect)> {
    screen.candidates.iter().map(|one| (one.id.clone(), one.bbox)).collect()
}

/// What moves: what was named, else the largest page, else the window.
fn scrolled_area(target: Option<&Candidate>, screen: &ScreenCandidates) -> Rect {
    let area = |of: &Rect| i64::from(of.width) * i64::from(of.height);
    let named = target.map(|target| target.bbox);
    named.or_else(|| screen.pages.iter().copied().max_by_key(area)).unwrap_or(screen.bounds)
}

/// A point of the area outside of all numbers and choices; `None` if there is none.
fn quiet_point(area: Rect, candidates: &[Candidate]) -> Option<Point> {
    /// Points are tried at so many places in each direction.
    const PLACES: i32 = 9;
    let changes = |one: &&Candidate| matches!(one.role, Role::Slider | Role::ComboBox | Role::SpinButton | Role::Tab);
    let loud: Vec<Rect> = candidates.iter().filter(changes).map(|one| one.bbox).collect();
    let at = |x: i32, y: i32| Point {
        x: area.x + area.width * x / (PLACES + 1),
        y: area.y + area.height * y / (PLACES + 1),
    };
    let middle = (PLACES + 1) / 2;
    let mut points: Vec<(i32, Point)> = (1..=PLACES)
        .flat_map(|x| (1..=PLACES).map(move |y| ((x - middle).abs() + (y - middle).abs(), (x, y))))
        .map(|(distance, (x, y))| (distance, at(x, y)))
        .collect();
    points.sort_by_key(|(distance, _)| *distance);
    let is_quiet = |point: &Point| area.contains(*point) && !loud.iter().any(|box_of| box_of.contains(*point));
    points.into_iter().map(|(_, point)| point).find(is_quiet)
}
