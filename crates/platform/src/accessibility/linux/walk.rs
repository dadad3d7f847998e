//! A walk over part of a tree, level by level. It is concurrent, pruned by the caller, and limited by a budget, because
//! a walk slows the user's applications down. In a cyclic tree each element is visited once.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use luna_messages::Rect;
use tokio::time::{Instant, sleep_until};

use super::allowance;
use super::bus::CALL_DEADLINE;
use super::cached_tree::TreeSource;
use super::call_error::CallError;
use super::children::Children;
use super::displacement;
use super::node::{LinuxNode, NodeFacts};

/// Concurrent calls.
const CONCURRENT_CALLS: usize = 48;
/// Time limit of optional work.
const OPTIONAL_LIMIT: Duration = Duration::from_millis(350);

/// What to do with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// Leave out the element and its descendants.
    Skip,
    /// Take the element, and leave out its descendants.
    Take,
    /// Visit its descendants, without taking the element.
    Enter,
    /// Visit its descendants after those of all `Enter`ed elements, because nothing is expected there.
    EnterLast,
    /// Visit its descendants last of all, as far as the budget of elements allows, because they are invisible and may be
    /// any number.
    EnterUnseen,
    /// Take the element, and visit its descendants.
    TakeAndEnter,
}

/// Elements that a walk has visited.
pub(super) type VisitedNodes = HashSet<LinuxNode>;

/// The result of a walk.
pub(super) struct WalkResult {
    /// The elements that were taken.
    pub(super) taken: Vec<(LinuxNode, NodeFacts)>,
    /// Whether everything expected was visited: of the invisible elements as many as the budget of elements allows, of
    /// the others all. With a deadline of its own, a walk expects only what is `Enter`ed.
    pub(super) is_complete: bool,
}

/// The phases of a walk, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WalkPhase {
    /// Elements for which `visit` returned `Visit::Enter` or `Visit::TakeAndEnter`.
    First,
    /// Elements for which `visit` returned `Visit::EnterLast`.
    Last,
    /// Elements for which `visit` returned `Visit::EnterUnseen`.
    Unseen,
}

/// Limits of a walk.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkBudget {
    pub(super) elements: usize,
    /// When the walk ends with a partial result. With `None` the caller limits the time, and a late answer fails the
    /// walk.
    pub(super) until: Option<Instant>,
    /// Whether the invisible phase also walks the first and last children of elements with too many children.
    pub(super) unseen: bool,
}

/// An element whose children are walked next.
#[derive(Clone)]
struct EnteredElement {
    node: LinuxNode,
    facts: NodeFacts,
    /// The nearest taken ancestor.
    around: Option<Arc<NodeFacts>>,
    /// The area in which its children can be visible.
    view: Rect,
}

/// An element that was not queried yet.
struct PendingElement {
    node: LinuxNode,
    around: Option<Arc<NodeFacts>>,
    /// The box of its parent.
    parent: Rect,
    /// The sheet of which it is a cell.
    sheet: Option<Arc<LinuxNode>>,
}

/// Walks over `root` and its descendants; of an element with very many children, only over those in `view`. `visit`
/// gets an element and its nearest taken ancestor.
pub(super) async fn walk(
    root: &LinuxNode,
    view: Rect,
    budget: WalkBudget,
    visit: impl Fn(&NodeFacts, Option<&NodeFacts>) -> Visit,
) -> Result<WalkResult, CallError> {
    walk_known(root, &mut TreeSource::Single, view, budget, visit).await
}

/// As [`walk`]; what `source` tells at once is not asked of each element.
#[expect(clippy::mutable_key_type, reason = "an element's hash is that of its name and path, which never change")]
pub(super) async fn walk_known(
    root: &LinuxNode,
    source: &mut TreeSource,
    view: Rect,
    mut budget: WalkBudget,
    visit: impl Fn(&NodeFacts, Option<&NodeFacts>) -> Visit,
) -> Result<WalkResult, CallError> {
    let walks_unseen = budget.unseen;
    let mut walked = WalkResult { taken: Vec::new(), is_complete: true };
    let mut known = VisitedNodes::from([root.clone()]);
    let mut level = vec![PendingElement { node: root.clone(), around: None, parent: Rect::default(), sheet: None }];
    let (mut last, mut unseen) = (Vec::new(), Vec::new());
    let mut phase = WalkPhase::First;
    let is_limited = budget.until.is_some();
    // Whether the current work is optional: a late answer then neither fails the walk nor makes it incomplete.
    let mut is_optional = false;
    loop {
        let mut entered = Vec::new();
        if level.len() > budget.elements {
            walked.is_complete &= is_optional || phase == WalkPhase::Unseen;
            level.truncate(budget.elements);
        }
        budget.elements -= level.len();
        let count = level.len();
        source.prepare(&root.app, count).await;
        let tree = source.tree();
        let requests = level.drain(..).map(|pending| async move {
            let facts = match phase {
                WalkPhase::First | WalkPhase::Last if pending.sheet.is_some() => {
                    pending.node.cell_facts(pending.sheet.clone()).await.map(Some)
                }
                WalkPhase::First | WalkPhase::Last => pending.node.facts_by(tree).await.map(Some),
                WalkPhase::Unseen => pending.node.container_facts().await,
            };
            (facts, pending)
        });
        let answers: Vec<_> =
            stream::iter(requests).buffered(CONCURRENT_CALLS).take_until(time_is_over(budget.until)).collect().await;
        walked.is_complete &= is_optional || answers.len() == count;
        for (facts, PendingElement { mut node, around, parent, .. }) in answers {
            let mut facts = match facts {
                Ok(Some(facts)) => facts,
                // The element has no children, or disappeared meanwhile.
                Ok(None) | Err(CallError::Refused) => continue,
                // A partial result may lack a slow element, but not the root.
                Err(CallError::Late) if budget.until.is_some() && node != *root => {
                    walked.is_complete &= is_optional;
                    continue;
                }
                Err(error) => return Err(error),
            };
            displacement::correct(&mut node, &mut facts, parent);
            let enter = |node: &LinuxNode, around| {
                let view = facts.bbox.intersection(view);
                EnteredElement { node: node.clone(), facts: facts.clone(), around, view }
            };
            match visit(&facts, around.as_deref()) {
                Visit::Skip => {}
                Visit::Take => walked.taken.push((node, facts)),
                Visit::Enter => entered.push(enter(&node, around)),
                Visit::EnterLast if phase == WalkPhase::First => last.push(enter(&node, around)),
                Visit::EnterUnseen if phase != WalkPhase::Unseen => unseen.push(enter(&node, around)),
                Visit::EnterLast | Visit::EnterUnseen => entered.push(enter(&node, around)),
                Visit::TakeAndEnter => {
                    entered.push(enter(&node, Some(Arc::new(facts.clone()))));
                    walked.taken.push((node, facts));
                }
            }
        }
        while entered.is_empty() {
            if budget.elements == 0 {
                walked.is_complete &= is_optional || last.is_empty();
                return Ok(walked);
            }
            match phase {
                WalkPhase::First => {
                    (phase, entered) = (WalkPhase::Last, std::mem::take(&mut last));
                    is_optional = is_limited;
                }
                WalkPhase::Last => {
                    phase = WalkPhase::Unseen;
                    // Taken from the end: what floats above a page may be among the last of its many children.
                    unseen.sort_by_key(|one: &EnteredElement| one.facts.has_many_children());
                }
                WalkPhase::Unseen if unseen.is_empty() => return Ok(walked),
                WalkPhase::Unseen => {
                    entered = take_ends(&mut unseen);
                    continue;
                }
            }
            if is_optional {
                // Optional work must not cost the result so far.
                let ends = [Some(Instant::now() + OPTIONAL_LIMIT), budget.until, allowance::until()];
                budget.until = ends.into_iter().flatten().min();
            }
        }
        let count = entered.len();
        let limit = budget
            .until
            .map_or(CALL_DEADLINE, |until| until.saturating_duration_since(Instant::now()).max(CALL_DEADLINE));
        let most = budget.elements;
        if walks_unseen && phase != WalkPhase::Unseen {
            unseen.extend(entered.iter().filter(|one| one.facts.has_many_children()).cloned());
        }
        let requests = entered.into_iter().map(|EnteredElement { node, facts, around, view }| async move {
            if phase == WalkPhase::Unseen && facts.has_many_children() {
                return (Ok(node.end_children(&facts).await), around, facts.bbox, None);
            }
            let sheet = facts.is_sheet().then(|| Arc::new(node.clone()));
            if let Some(nodes) = tree.and_then(|tree| tree.children(&node)).filter(|_| !facts.has_many_children()) {
                let is_complete = nodes.len() <= most;
                return (Ok(Children { nodes, is_complete }), around, facts.bbox, sheet);
            }
            (node.children_in(&facts, view, most, limit).await, around, facts.bbox, sheet)
        });
        // The answers are taken one by one and not collected, because the children of a whole level may exceed the
        // remaining budget by many thousands.
        let mut answers =
            pin!(stream::iter(requests).buffered(CONCURRENT_CALLS).take_until(time_is_over(budget.until)));
        let mut answered = 0;
        while level.len() <= budget.elements
            && let Some((children, around, parent, sheet)) = answers.next().await
        {
            answered += 1;
            match children {
                Ok(children) => {
                    walked.is_complete &= is_optional || phase == WalkPhase::Unseen || children.is_complete;
                    let new = children.nodes.into_iter().filter(|child| known.insert(child.clone()));
                    let pending = |node| PendingElement { node, around: around.clone(), parent, sheet: sheet.clone() };
                    level.extend(new.map(pending));
                }
                Err(CallError::Refused) => {}
                Err(CallError::Late) if budget.until.is_some() => walked.is_complete &= is_optional,
                Err(error) => return Err(error),
            }
        }
        walked.is_complete &= is_optional || phase == WalkPhase::Unseen || answered == count;
    }
}

/// Takes some elements from the beginning and some from the end, where the tree lists elements that float above a page,
/// so that they are reached however many lie between.
fn take_ends(all: &mut Vec<EnteredElement>) -> Vec<EnteredElement> {
    let mut taken = all.split_off(all.len().saturating_sub(CONCURRENT_CALLS / 2));
    taken.extend(all.drain(..all.len().min(CONCURRENT_CALLS / 2)));
    taken
}

/// Completes at `until`, or never if `until` is `None`.
pub(super) async fn time_is_over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}
