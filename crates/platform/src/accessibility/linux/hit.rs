//! From a window's element down to the element under a point.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{BoxFuture, FutureExt as _, join};
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use super::ancestor_path::{AncestorScan, ScanCache};
use super::call_error::CallError;
use super::displacement;
use super::node::{App, LinuxNode, NodeFacts};
use super::role;
use super::walk::{Visit, VisitedNodes, WalkBudget, walk};

/// Maximum number of elements that Luna's own search may query.
const BUDGET: usize = 1500;
/// Concurrent calls: enough to keep the connection busy, few enough not to monopolise the application.
const CONCURRENT_CALLS: usize = 32;
/// Maximum number of children to examine of one element.
const CHILDREN: usize = 400;
/// Depth limit of the tree.
const DEPTH: usize = 40;
/// How far, in pixels, the entries of a menu may be told above or below it.
const MENU_REACH: i32 = 40;
/// Time limit of the search for menu entries.
const MENU_TIME_LIMIT: Duration = Duration::from_millis(350);

/// The deepest element under `point` in `frame`.
pub(super) async fn hit(frame: &LinuxNode, point: Point, scan_cache: &mut ScanCache) -> Result<LinuxNode, CallError> {
    let mut current = frame.clone();
    if !frame.app.local {
        current = descend(frame, point, scan_cache).await?;
    }
    let facts = match scan_cache.facts(&current) {
        Some(facts) => facts,
        None => current.facts().await?,
    };
    // A popover may be a menu: its entries are looked for although a menu is no container otherwise.
    if !is_container(facts.role) && current != *frame {
        return Ok(current);
    }
    // The toolkit's hit test stopped at a container: some toolkits overlook children outside of their parent's box.
    let known = Mutex::new(scan_cache.nodes().chain([&current]).cloned().collect::<VisitedNodes>());
    let search = Search { point, left: AtomicUsize::new(BUDGET), known };
    let found = search.below(&current, (facts.children, facts.bbox), 0).await?;
    if found.as_ref().is_some_and(|found| found.is_end) || current == *frame {
        return Ok(found.map_or(current, |found| found.node));
    }
    // Or it entered the wrong one of several children: Chromium's window buttons lie over the pane of the page.
    let around = scan_cache.facts(frame).map_or((0, Rect::default()), |facts| (facts.children, facts.bbox));
    match search.below(frame, around, 0).await? {
        Some(beside) if beside.is_end => Ok(beside.node),
        _ => Ok(found.map_or(current, |found| found.node)),
    }
}

/// The toolkit's own hit test. As few windows have parts that are told elsewhere than they are, all its levels are asked
/// for in a row, and from the first such part on again with corrected points.
async fn descend(frame: &LinuxNode, point: Point, scan_cache: &mut ScanCache) -> Result<LinuxNode, CallError> {
    if frame.app.is_displaced.load(Ordering::Relaxed) {
        return descend_corrected(frame.clone(), Rect::default(), point, scan_cache).await;
    }
    let levels = levels_at(frame.clone(), frame, point, 0).await?;
    let (mut around, mut deepest) = (Rect::default(), frame.clone());
    for (mut node, scan) in levels {
        let Some(scan) = scan else {
            (around, deepest) = (Rect::default(), node);
            continue;
        };
        scan_cache.put_scan(node.clone(), scan);
        if scan_cache.correct_last(&mut node, around) {
            frame.app.is_displaced.store(true, Ordering::Relaxed);
            return descend_corrected(node, around, point, scan_cache).await;
        }
        around = scan_cache.facts(&node).map(|facts| facts.bbox).unwrap_or_default();
        deepest = node;
    }
    Ok(deepest)
}

/// An element that the hit test of its parent told, and what the path needs to know about it, if it answers.
type HitLevel = (LinuxNode, Option<AncestorScan>);

/// What the hit tests of `current` and of all that they tell lead to, deepest last. The next level is asked for before
/// the answers about this one, which the path needs later, have come.
fn levels_at<'a>(
    current: LinuxNode,
    frame: &'a LinuxNode,
    point: Point,
    depth: usize,
) -> BoxFuture<'a, Result<Vec<HitLevel>, CallError>> {
    async move {
        let deeper = async {
            match current.at_point(point).await {
                Ok(Some(next)) if next != current && next != *frame && depth + 1 < DEPTH => {
                    levels_at(next, frame, point, depth + 1).await
                }
                Ok(_) | Err(CallError::Refused) => Ok(Vec::new()),
                Err(CallError::Late) if depth > 0 => Ok(Vec::new()),
                Err(error) => Err(error),
            }
        };
        let scan = async {
            if depth == 0 { AncestorScan::of_window(&current).await } else { AncestorScan::of(&current).await }
        };
        let (deeper, scan) = join(deeper, scan).await;
        let mut levels = deeper?;
        levels.insert(0, (current, scan.ok()));
        Ok(levels)
    }
    .boxed()
}

/// The toolkit's own hit test, level by level from `current`, in an element with the box `around`.
async fn descend_corrected(
    mut current: LinuxNode,
    mut around: Rect,
    point: Point,
    scan_cache: &mut ScanCache,
) -> Result<LinuxNode, CallError> {
    let start = current.clone();
    for depth in 0..DEPTH {
        // The ancestor path needs the facts of each element; fetching them concurrently with the hit test costs no
        // time.
        let mut next = scan_cache.scan_during(&current, current.at_point(point)).await;
        if scan_cache.correct_last(&mut current, around) {
            next = current.at_point(point).await;
        }
        around = scan_cache.facts(&current).map(|facts| facts.bbox).unwrap_or_default();
        match next {
            Ok(Some(next)) if next != current && next != start => current = next,
            Ok(_) | Err(CallError::Refused) => break,
            Err(CallError::Late) if depth > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(current)
}

/// The menu entry of the application under `point`, wherever the menus are in the tree: an open menu is a separate
/// window on the screen, but not in the tree.
pub(super) async fn in_menu(app: &Arc<App>, popup: Rect, point: Point) -> Result<Option<LinuxNode>, CallError> {
    let here = menu_items(app, popup).await?.into_iter().filter(|(_, facts)| facts.bbox.contains(point));
    let area = |facts: &NodeFacts| i64::from(facts.bbox.width) * i64::from(facts.bbox.height);
    Ok(here.min_by_key(|(_, facts)| area(facts)).map(|(item, _)| item))
}

/// The menu entries of the application that lie in `popup`.
pub(super) async fn menu_items(app: &Arc<App>, popup: Rect) -> Result<Vec<(LinuxNode, NodeFacts)>, CallError> {
    // With GTK 4, the popup is the window to search.
    if app.local {
        return Ok(Vec::new());
    }
    let until = Instant::now() + MENU_TIME_LIMIT;
    let root = LinuxNode::root(Arc::clone(app));
    let budget = WalkBudget { elements: BUDGET, until: Some(until), unseen: false };
    let near = Rect::new(popup.x, popup.y - MENU_REACH, popup.width, popup.height + 2 * MENU_REACH);
    let mut walked = walk(&root, popup, budget, |facts, _| menu_visit(facts, near)).await?;
    walked.taken.retain(|(_, facts)| is_item(facts.native));
    let boxes: Vec<Rect> = walked.taken.iter().map(|(_, facts)| facts.bbox).collect();
    let by = displacement::of_menu(popup, &boxes);
    for (node, facts) in &mut walked.taken {
        node.shift = Point::new(node.shift.x, node.shift.y + by);
        facts.bbox = facts.bbox.translated(0, by);
    }
    walked.taken.retain(|(_, facts)| is_entry_of(facts.bbox, popup));
    Ok(walked.taken)
}

/// Whether an entry with this box belongs to the menu in `popup`. Qt tells entries of closed menus near the corner of the
/// screen, where a tool tip may be open. Pure.
fn is_entry_of(entry: Rect, popup: Rect) -> bool {
    popup.contains(entry.center()) && 10 * entry.intersection(popup).width >= 9 * entry.width
}

/// Enters menus and containers without a specific role first, wherever they are in the tree, and other containers last.
fn menu_visit(facts: &NodeFacts, popup: Rect) -> Visit {
    // The "showing" state doesn't matter, because a window is open at the place of these entries.
    let is_here = is_item(facts.native) && !facts.bbox.is_empty() && popup.contains(facts.bbox.center());
    let is_menu = matches!(
        facts.native,
        Native::Application | Native::MenuBar | Native::Menu | Native::PopupMenu | Native::ComboBox | Native::Window
    );
    match (is_here, facts.role.general()) {
        (true, _) => Visit::TakeAndEnter,
        _ if is_menu => Visit::Enter,
        // With Qt, the entry of a menu bar contains its menu.
        (_, Role::MenuItem) if facts.children > 0 && facts.states.is_shown(false) => Visit::Enter,
        (_, Role::Window | Role::Group | Role::Other) => Visit::Enter,
        (_, role) if is_container(role) => Visit::EnterLast,
        _ => Visit::Skip,
    }
}

const fn is_item(native: Native) -> bool {
    matches!(
        native,
        Native::MenuItem
            | Native::CheckMenuItem
            | Native::RadioMenuItem
            | Native::TearoffMenuItem
            | Native::Menu
            | Native::ListItem
    )
}

const fn is_container(role: Role) -> bool {
    matches!(role.general(), Role::Group | Role::Other | Role::Window | Role::Document | Role::Table | Role::List)
}

struct HitElement {
    node: LinuxNode,
    /// Whether it ends the search: its text can be read, or it is a field.
    is_end: bool,
}

struct Search {
    point: Point,
    left: AtomicUsize,
    /// Visited elements, so that a cyclic tree is followed once.
    known: Mutex<VisitedNodes>,
}

impl Search {
    fn below<'a>(
        &'a self,
        node: &'a LinuxNode,
        (count, place): (i32, Rect),
        depth: usize,
    ) -> BoxFuture<'a, Result<Option<HitElement>, CallError>> {
        async move {
            if depth >= DEPTH {
                return Ok(None);
            }
            let children = match node.children_under(count, self.point, CHILDREN).await {
                Ok(children) => children,
                Err(CallError::Refused) => return Ok(None),
                Err(error) => return Err(error),
            };
            let children: Vec<LinuxNode> = {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                children.into_iter().filter(|child| known.insert(child.clone())).collect()
            };
            if self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(children.len()))
                .is_err()
            {
                // What is known so far is better than no answer.
                return Ok(None);
            }
            let requests = children.into_iter().map(|child| async move { (child.facts().await, child) });
            let answers: Vec<(Result<NodeFacts, CallError>, LinuxNode)> =
                stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
            let mut here = Vec::new();
            let mut around = Vec::new();
            for (facts, mut child) in answers {
                let mut facts = match facts {
                    Ok(facts) => facts,
                    Err(CallError::Refused) => continue,
                    Err(error) => return Err(error),
                };
                displacement::correct(&mut child, &mut facts, place);
                if !facts.states.is_shown(child.app.local) {
                    continue;
                }
                if facts.bbox.contains(self.point) {
                    here.push((facts, child));
                } else if facts.bbox.is_empty() || role::overflows(facts.native) {
                    around.push((facts, child));
                }
            }
            // The element that was drawn last lies on top.
            let mut best = None;
            for (facts, child) in here.into_iter().rev() {
                if matches!(facts.role.general(), Role::Protected | Role::Edit) {
                    return Ok(Some(HitElement { node: child, is_end: true }));
                }
                match self.below(&child, (facts.children, facts.bbox), depth + 1).await? {
                    Some(found) if found.is_end => return Ok(Some(found)),
                    _ => {}
                }
                // A document is the background of what lies in it.
                let is_end = facts.role.is_readable() && facts.role.general() != Role::Document;
                let found = HitElement { node: child, is_end };
                if found.is_end {
                    return Ok(Some(found));
                }
                best.get_or_insert(found);
            }
            for (facts, child) in around.into_iter().rev() {
                if let Some(found) =
                    self.below(&child, (facts.children, facts.bbox), depth + 1).await?.filter(|found| found.is_end)
                {
                    return Ok(Some(found));
                }
            }
            Ok(best)
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1
    #[test]
    fn entries_lie_within_their_menu_pic_1() {
        let popup = Rect::new(66, 80, 340, 400);
        assert!(is_entry_of(Rect::new(66, 103, 340, 23), popup) && is_entry_of(Rect::new(60, 468, 350, 23), popup));
        // Below the menu, and an entry of a closed menu under a tool tip.
        assert!(!is_entry_of(Rect::new(66, 480, 340, 23), popup));
        assert!(!is_entry_of(Rect::new(0, 142, 325, 23), Rect::new(90, 140, 150, 30)));
    }
}
