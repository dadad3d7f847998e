//! The way from an element up to its window.

use atspi::Role as Native;
use futures_util::future::{join, join3};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use super::super::climb::{self, Step};
use super::bus::CallError;
use super::node::{Facts, Node};
use super::role;
use super::session::Session;

/// Ancestors that are looked at closely.
const CLOSE: usize = 8;
/// Ancestors that are followed for the index path (PIC-6).
const FAR: usize = 40;

/// An element of the way.
pub(super) struct Rung {
    /// The element.
    pub(super) node: Node,
    /// What it is.
    pub(super) facts: Facts,
}

/// An element with all that the way needs to know of it.
struct Survey {
    facts: Facts,
    index: i32,
    parent: Option<Node>,
}

impl Survey {
    async fn of(node: &Node, origin: Point) -> Result<Self, CallError> {
        let (facts, index, parent) = join3(node.facts(origin), node.index(), node.parent()).await;
        Ok(Self { facts: facts?, index: index.unwrap_or(-1), parent: parent.ok().flatten() })
    }
}

/// What was learnt of elements on the way down, so that it needn't be asked on the way up.
#[derive(Default)]
pub(super) struct Seen(Vec<(Node, Survey)>);

impl Seen {
    /// Asks about an element while something else is asked as well, and keeps the answer.
    pub(super) async fn during<T>(&mut self, node: &Node, origin: Point, other: impl Future<Output = T>) -> T {
        let (other, survey) = join(other, Survey::of(node, origin)).await;
        if let Ok(survey) = survey {
            self.0.push((node.clone(), survey));
        }
        other
    }

    /// What an element is, where it is known.
    pub(super) fn facts(&self, node: &Node) -> Option<Facts> {
        self.0.iter().find(|(known, _)| known == node).map(|(_, survey)| survey.facts.clone())
    }

    async fn take(&mut self, node: &Node, origin: Point) -> Result<Survey, CallError> {
        match self.0.iter().position(|(known, _)| known == node) {
            Some(position) => Ok(self.0.swap_remove(position).1),
            None => Survey::of(node, origin).await,
        }
    }
}

/// The way up.
pub(super) struct Way {
    /// The element and its nearest ancestors, the element first.
    pub(super) rungs: Vec<Rung>,
    /// Positions among siblings, the element's first, up to below the window's own element: other windows of the application that
    /// come and go change no ids (PIC-6).
    pub(super) path: Vec<i32>,
}

impl Way {
    /// Follows the parents of `hit` up to `frame`.
    pub(super) async fn up(
        hit: Node,
        frame: &Node,
        origin: Point,
        mut seen: Seen,
        session: &Session,
        now: Instant,
    ) -> Result<Self, CallError> {
        let mut way = Self { rungs: Vec::with_capacity(CLOSE), path: Vec::new() };
        let mut current = hit;
        while way.rungs.len() < CLOSE {
            let Survey { facts, index, parent } = seen.take(&current, origin).await?;
            let is_frame = current == *frame;
            if !is_frame {
                way.path.push(index);
            }
            // Around a window and around a page there is nothing of interest beyond the path.
            let is_end = is_top(&facts) || facts.native == Native::DocumentWeb;
            way.rungs.push(Rung { node: current, facts });
            let Some(parent) = parent.filter(|_| !is_frame) else { return Ok(way) };
            current = parent;
            if is_end {
                break;
            }
        }
        if current == *frame {
            return Ok(way);
        }
        let far = match session.path(&current, now) {
            Some(path) => path,
            None => {
                let path = indices(current.clone(), frame).await;
                session.keep_path(current, path.clone(), now);
                path
            }
        };
        way.path.extend(far);
        Ok(way)
    }

    /// The box of the protected field that the element is or lies in (PIC-5).
    pub(super) fn protected(&self) -> Option<Rect> {
        let protected = self.rungs.iter().find(|rung| rung.facts.role == Role::Protected)?;
        Some(protected.facts.bbox)
    }

    /// The rung that a person means who points at `point`.
    pub(super) fn target(&self, point: Point) -> usize {
        let steps: Vec<Step> = self
            .rungs
            .iter()
            .map(|rung| Step {
                role: rung.facts.role,
                boundary: role::is_boundary(rung.facts.native),
                block: role::is_block(rung.facts.native),
                holds_point: rung.facts.bbox.contains(point),
            })
            .collect();
        climb::target(&steps)
    }
}

/// Positions among siblings of an element and all above it, below `frame`.
async fn indices(from: Node, frame: &Node) -> Vec<i32> {
    let mut path = Vec::new();
    let mut current = from;
    while path.len() < FAR && current != *frame {
        let (index, parent) = join(current.index(), current.parent()).await;
        path.push(index.unwrap_or(-1));
        match parent {
            Ok(Some(parent)) => current = parent,
            _ => break,
        }
    }
    path
}

fn is_top(facts: &Facts) -> bool {
    facts.role == Role::Window && !role::overflows(facts.native)
}
