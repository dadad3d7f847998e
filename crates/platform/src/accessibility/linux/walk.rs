//! A walk over part of a tree, level by level: concurrent, pruned by whoever asks, within a budget. Walking too eagerly makes the person's
//! applications slow.

use futures_util::stream::{self, StreamExt as _};
use luna_messages::Point;

use super::bus::CallError;
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

/// Walks over `root` and what is below it.
pub(super) async fn walk(
    root: &Node,
    origin: Point,
    budget: usize,
    visit: impl Fn(&Facts) -> Visit,
) -> Result<Walked, CallError> {
    let mut walked = Walked { taken: Vec::new(), is_complete: true };
    let mut level = vec![root.clone()];
    let mut left = budget;
    while !level.is_empty() {
        if level.len() > left {
            walked.is_complete = false;
            level.truncate(left);
        }
        left -= level.len();
        let asked = level.drain(..).map(|node| async move { (node.facts(origin).await, node) });
        let answers: Vec<_> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let mut entered = Vec::new();
        for (facts, node) in answers {
            let facts = match facts {
                Ok(facts) => facts,
                // It went away meanwhile.
                Err(CallError::Refused) => continue,
                Err(error) => return Err(error),
            };
            let what = visit(&facts);
            if matches!(what, Visit::Enter | Visit::TakeAndEnter) {
                entered.push(node.clone());
            }
            if matches!(what, Visit::Take | Visit::TakeAndEnter) {
                walked.taken.push((node, facts));
            }
        }
        let asked = entered.into_iter().map(|node| async move { node.children().await });
        let answers: Vec<_> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        for children in answers {
            match children {
                Ok(children) => level.extend(children),
                Err(CallError::Refused) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(walked)
}
