//! The path from an element up to its window.

mod known;

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use super::super::ancestor_walk::{self, AncestorStep};
use super::call_error::CallError;
use super::children::is_countable;
use super::node::{LinuxNode, NodeFacts};
use super::session::AccessibilitySession;
use super::{displacement, role};

/// Maximum number of elements, starting with the hit, whose facts are fetched.
const MAX_SCANNED: usize = 8;
/// Maximum number of further ancestors to follow for the index path (PIC-6).
const MAX_DEPTH: usize = 40;

/// An element of the path.
pub(super) struct Ancestor {
    pub(super) node: LinuxNode,
    pub(super) facts: NodeFacts,
}

/// What the path needs to know about an element.
pub(super) struct AncestorScan {
    facts: NodeFacts,
    parent: Option<LinuxNode>,
}

impl AncestorScan {
    pub(super) async fn of(node: &LinuxNode) -> Result<Self, CallError> {
        let (facts, parent) = join(node.facts(), node.parent()).await;
        Ok(Self { facts: facts?, parent: parent.ok().flatten() })
    }

    /// What is needed of the window's own element, at which a path ends.
    pub(super) async fn of_window(node: &LinuxNode) -> Result<Self, CallError> {
        Ok(Self { facts: node.facts().await?, parent: None })
    }
}

/// Scans made while descending to the hit, reused while following its ancestors.
#[derive(Default)]
pub(super) struct ScanCache(Vec<(LinuxNode, AncestorScan)>);

impl ScanCache {
    /// Scans an element concurrently with `other`, and caches the result.
    pub(super) async fn scan_during<T>(&mut self, node: &LinuxNode, other: impl Future<Output = T>) -> T {
        let (other, scan) = join(other, AncestorScan::of(node)).await;
        if let Ok(scan) = scan {
            self.put_scan(node.clone(), scan);
        }
        other
    }

    /// Caches the scan of an element, which is the last one now.
    pub(super) fn put_scan(&mut self, node: LinuxNode, scan: AncestorScan) {
        self.0.push((node, scan));
    }

    /// Corrects the element that was scanned last, whose container has the box `around`. Returns whether it was off.
    pub(super) fn correct_last(&mut self, node: &mut LinuxNode, around: Rect) -> bool {
        let Some((known, scan)) = self.0.last_mut().filter(|(known, _)| known == node) else { return false };
        let is_off = displacement::correct(node, &mut scan.facts, around);
        known.shift = node.shift;
        is_off
    }

    /// The elements that were scanned.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &LinuxNode> {
        self.0.iter().map(|(node, _)| node)
    }

    /// Caches facts that are better than those that the application tells.
    pub(super) fn put(&mut self, node: LinuxNode, facts: NodeFacts, parent: LinuxNode) {
        self.0.retain(|(known, _)| *known != node);
        self.0.push((node, AncestorScan { facts, parent: Some(parent) }));
    }

    /// The facts of an element, if they are cached.
    pub(super) fn facts(&self, node: &LinuxNode) -> Option<NodeFacts> {
        self.0.iter().find(|(known, _)| known == node).map(|(_, scan)| scan.facts.clone())
    }

    /// What was scanned and not taken, in the order of the scans.
    fn rest(self) -> Vec<Ancestor> {
        self.0.into_iter().map(|(node, AncestorScan { facts, .. })| Ancestor { node, facts }).collect()
    }

    fn take(&mut self, node: &LinuxNode) -> Option<AncestorScan> {
        let position = self.0.iter().position(|(known, _)| known == node)?;
        Some(self.0.remove(position).1)
    }
}

/// The path from an element up to its window.
pub(super) struct AncestorPath {
    /// The element and its nearest ancestors, starting with the element.
    pub(super) ancestors: Vec<Ancestor>,
    /// Positions among siblings, the element's first, up to below the window's own element, so that other windows of
    /// the application that come and go change no ids (PIC-6). Empty before [`AncestorPath::index`].
    pub(super) path: Vec<i32>,
    /// What the hit test passed on the way down that the parents leave out, the outermost first.
    pub(super) passed: Vec<Ancestor>,
    /// What the positions are asked of.
    unindexed: Unindexed,
}

/// A path whose positions are not known yet.
struct Unindexed {
    /// Elements below the window's, each with its number of siblings.
    below: Vec<(LinuxNode, i32)>,
    /// The first element beyond them, unless it is the window's.
    beyond: Option<LinuxNode>,
}

impl AncestorPath {
    /// Follows the parents of `hit` up to `frame`, without positions.
    pub(super) async fn up(hit: LinuxNode, frame: &LinuxNode, mut scan_cache: ScanCache) -> Result<Self, CallError> {
        let mut ancestors: Vec<Ancestor> = Vec::with_capacity(MAX_SCANNED);
        // Elements below `frame`, each with its number of siblings.
        let mut below: Vec<(LinuxNode, i32)> = Vec::with_capacity(MAX_SCANNED);
        let mut current = hit;
        let mut is_end = false;
        while ancestors.len() < MAX_SCANNED && !is_end {
            let is_frame = current == *frame;
            let AncestorScan { facts, parent } = match scan_cache.take(&current) {
                Some(known) => known,
                None if is_frame => AncestorScan::of_window(&current).await?,
                None => AncestorScan::of(&current).await?,
            };
            if let Some((_, siblings)) = below.last_mut() {
                *siblings = facts.children;
            }
            // Beyond a window or a web page only the index path matters.
            is_end = is_top(&facts) || facts.native == Native::DocumentWeb;
            if !is_frame {
                below.push((current.clone(), i32::MAX));
            }
            ancestors.push(Ancestor { node: current.clone(), facts });
            match parent.filter(|_| !is_frame) {
                Some(parent) => current = parent,
                None => {
                    let unindexed = Unindexed { below, beyond: None };
                    return Ok(Self { ancestors, path: Vec::new(), passed: scan_cache.rest(), unindexed });
                }
            }
        }
        if let Some((_, siblings)) = below.last_mut() {
            *siblings = current.child_count().await.unwrap_or(i32::MAX);
        }
        let beyond = Some(current).filter(|current| current != frame);
        let (passed, unindexed) = (scan_cache.rest(), Unindexed { below, beyond });
        Ok(Self { ancestors, path: Vec::new(), passed, unindexed })
    }

    /// The positions of its elements, for [`AncestorPath::path`]. Other questions can be asked at the same time.
    pub(super) async fn index(&self, frame: &LinuxNode, session: &AccessibilitySession, now: Instant) -> Vec<i32> {
        let Unindexed { below, beyond } = &self.unindexed;
        let near = positions(below);
        let Some(beyond) = beyond else { return near.await };
        let (mut path, far) = match session.path(beyond, now) {
            Some(far) => (near.await, far),
            None => {
                let (near, far) = join(near, indices(beyond.clone(), frame)).await;
                session.keep_path(beyond.clone(), far.clone(), now);
                (near, far)
            }
        };
        path.extend(far);
        path
    }

    /// The index of the protected field that the element is or lies in (PIC-5).
    pub(super) fn protected(&self) -> Option<usize> {
        self.ancestors.iter().position(|ancestor| ancestor.facts.role == Role::Protected)
    }

    /// Whether the element is, or lies in, a part of the window that fills `place`, such as an open panel.
    pub(super) fn has_part_at(&self, place: Rect) -> bool {
        /// Maximum distance, in pixels, of the edges: a panel has a shadow and a margin.
        const MARGIN: u32 = 40;
        self.ancestors.iter().filter(|ancestor| !is_top(&ancestor.facts)).any(|ancestor| {
            let bbox = ancestor.facts.bbox;
            let edges =
                [(bbox.x, place.x), (bbox.y, place.y), (bbox.right(), place.right()), (bbox.bottom(), place.bottom())];
            !bbox.is_empty() && edges.into_iter().all(|(one, other)| one.abs_diff(other) <= MARGIN)
        })
    }

    /// The index of the ancestor that the user means when pointing at `point`.
    pub(super) fn target(&self, point: Point) -> usize {
        let natives: Vec<Native> = self.ancestors.iter().map(|ancestor| ancestor.facts.native).collect();
        let steps: Vec<AncestorStep> = self
            .ancestors
            .iter()
            .enumerate()
            .map(|(index, ancestor)| AncestorStep {
                role: ancestor.facts.role,
                boundary: role::is_boundary(ancestor.facts.native),
                block: role::is_block(ancestor.facts.native) || is_label_of_field(&natives[index..]),
                contains_point: ancestor.facts.bbox.contains(point),
            })
            .collect();
        ancestor_walk::target(&steps)
    }
}

/// Whether the first of these elements, from inside out, is the label of a field in a paragraph of a page: the field
/// beside it is no part of its sentence. In GTK, any text is a label, but in no paragraph.
fn is_label_of_field(natives: &[Native]) -> bool {
    matches!(natives, [Native::Label, around, ..] if role::is_block(*around))
}

/// The elements' positions among their siblings, whose number each element is paired with. -1 if there are too many
/// siblings to count, or if the application does not report the position.
pub(super) async fn positions(elements: &[(LinuxNode, i32)]) -> Vec<i32> {
    join_all(elements.iter().map(|(node, siblings)| async move {
        if is_countable(*siblings) { node.index().await.unwrap_or(-1) } else { -1 }
    }))
    .await
}

/// Positions among siblings of an element and all its ancestors, below `frame`.
async fn indices(from: LinuxNode, frame: &LinuxNode) -> Vec<i32> {
    let mut above: Vec<(LinuxNode, i32)> = Vec::new();
    let mut current = from;
    while above.len() < MAX_DEPTH && current != *frame {
        let parent = current.parent().await.ok().flatten();
        let siblings = match &parent {
            Some(parent) => parent.child_count().await.unwrap_or(i32::MAX),
            None => i32::MAX,
        };
        above.push((current, siblings));
        let Some(parent) = parent else { break };
        current = parent;
    }
    positions(&above).await
}

fn is_top(facts: &NodeFacts) -> bool {
    facts.role.general() == Role::Window && !role::overflows(facts.native)
}
