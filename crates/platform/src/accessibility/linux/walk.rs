//! A walk over part of a tree, level by level: concurrent, pruned by whoever asks, within a budget. Walking too eagerly makes the person's
//! applications slow.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use luna_messages::Point;
use tokio::time::{Instant, sleep_until};

use super::bus::{CALL, CallError};
use super::node::{Facts, Node};

/// Questions under way at a time.
const AT_ONCE: usize = 48;

/// What to do with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// Neither it nor what is below.
    Skip,
    /// It, but not what is below.
    Take,
    /// What is below.
    Enter,
    /// Both.
    TakeAndEnter,
}

/// What a walk gave.
pub(super) struct Walked {
    /// The elements that were taken.
    pub(super) taken: Vec<(Node, Facts)>,
    /// Whether everything was seen that should have been.
    pub(super) is_complete: bool,
}

/// How much a walk may ask.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Elements.
    pub(super) elements: usize,
    /// When it ends with what it has; `None`: whoever asks keeps the time.
    pub(super) until: Option<Instant>,
}

/// Walks over `root` and what is below it. `visit` is told of an element and of the nearest one around it that was taken.
pub(super) async fn walk(
    root: &Node,
    origin: Point,
    budget: Budget,
    visit: impl Fn(&Facts, Option<&Facts>) -> Visit,
) -> Result<Walked, CallError> {
    let mut walked = Walked { taken: Vec::new(), is_complete: true };
    let mut level: Vec<(Node, Option<Arc<Facts>>)> = vec![(root.clone(), None)];
    let mut left = budget.elements;
    while !level.is_empty() {
        if level.len() > left {
            walked.is_complete = false;
            level.truncate(left);
        }
        left -= level.len();
        let count = level.len();
        let asked = level.drain(..).map(|(node, around)| async move { (node.facts(origin).await, node, around) });
        let answers: Vec<_> =
            stream::iter(asked).buffered(AT_ONCE).take_until(time_is_over(budget.until)).collect().await;
        walked.is_complete &= answers.len() == count;
        let mut entered = Vec::new();
        for (facts, node, around) in answers {
            let facts = match facts {
                Ok(facts) => facts,
                // It went away meanwhile.
                Err(CallError::Refused) => continue,
                // Where some will do, what is slow is left out; but not where it is the whole application.
                Err(CallError::Late) if budget.until.is_some() && node != *root => {
                    walked.is_complete = false;
                    continue;
                }
                Err(error) => return Err(error),
            };
            match visit(&facts, around.as_deref()) {
                Visit::Skip => {}
                Visit::Take => walked.taken.push((node, facts)),
                Visit::Enter => entered.push((node, around)),
                Visit::TakeAndEnter => {
                    entered.push((node.clone(), Some(Arc::new(facts.clone()))));
                    walked.taken.push((node, facts));
                }
            }
        }
        let count = entered.len();
        let limit = budget.until.map_or(CALL, |until| until.saturating_duration_since(Instant::now()).max(CALL));
        let asked =
            entered.into_iter().map(|(node, around)| async move { (node.children_within(limit).await, around) });
        let answers: Vec<_> =
            stream::iter(asked).buffered(AT_ONCE).take_until(time_is_over(budget.until)).collect().await;
        walked.is_complete &= answers.len() == count;
        for (children, around) in answers {
            match children {
                Ok(children) => level.extend(children.into_iter().map(|child| (child, around.clone()))),
                Err(CallError::Refused) => {}
                Err(CallError::Late) if budget.until.is_some() => walked.is_complete = false,
                Err(error) => return Err(error),
            }
        }
    }
    Ok(walked)
}

/// Ends at `until`; never where there is no such time.
pub(super) async fn time_is_over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}
