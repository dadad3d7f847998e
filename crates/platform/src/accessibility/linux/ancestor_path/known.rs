//! A path whose elements are known: everything about them is asked for at once, instead of one ancestor after another.
//! Applications of GTK 4 take some milliseconds for each answer, and their windows are twenty levels deep.

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::Point;
use tokio::time::Instant;

use super::{AncestorScan, MAX_SCANNED, ScanCache, displacement, positions};
use crate::accessibility::linux::node::{LinuxNode, NodeFacts};
use crate::accessibility::linux::session::AccessibilitySession;

impl ScanCache {
    /// The scans of a path up to `frame`, which begins with the element itself, with their places corrected from `frame`
    /// down. What the caches of `session` need of it is put there.
    pub(in crate::accessibility::linux) async fn of_path(
        path: &[(LinuxNode, Native)],
        frame: &LinuxNode,
        session: &AccessibilitySession,
        now: Instant,
    ) -> Self {
        let displaces = |index: usize| path.get(index).is_some_and(|(_, native)| displacement::may_displace(*native));
        let facts = join_all(path.iter().enumerate().map(|(index, (node, _))| async move {
            // Of farther ancestors, only those count that tell where all in them is.
            let counts = index < MAX_SCANNED || displaces(index) || displaces(index.saturating_sub(1));
            if counts { node.facts().await.ok() } else { None }
        }));
        let nodes: Vec<LinuxNode> = path.iter().map(|(node, _)| node.clone()).collect();
        let far = async {
            let end = nodes.iter().position(|node| node == frame)?;
            let far = nodes.get(MAX_SCANNED..end).filter(|far| !far.is_empty())?;
            if session.path(&far[0], now).is_some() {
                return None;
            }
            let counts = join_all(nodes[MAX_SCANNED + 1..=end].iter().map(LinuxNode::child_count)).await;
            let siblings = counts.into_iter().map(|count| count.unwrap_or(i32::MAX));
            let far: Vec<(LinuxNode, i32)> = far.iter().cloned().zip(siblings).collect();
            let indices = positions(&far).await;
            Some((far.into_iter().next()?.0, indices))
        };
        let (facts, far) = join(facts, far).await;
        if let Some((node, indices)) = far {
            session.keep_path(node, indices, now);
        }
        Self(corrected(nodes, facts))
    }
}

/// The scans of the nearest elements of a path, where they are shown.
fn corrected(mut nodes: Vec<LinuxNode>, mut facts: Vec<Option<NodeFacts>>) -> Vec<(LinuxNode, AncestorScan)> {
    let told: Vec<_> = facts.iter().rev().map(|facts| facts.as_ref().map(|facts| (facts.native, facts.bbox))).collect();
    let shifts = displacement::down(&told).into_iter().rev();
    for ((node, facts), by) in nodes.iter_mut().zip(&mut facts).zip(shifts) {
        node.shift = Point::new(node.shift.x + by.x, node.shift.y + by.y);
        if let Some(facts) = facts.as_mut().filter(|facts| !facts.bbox.is_empty()) {
            facts.bbox = facts.bbox.translated(by.x, by.y);
        }
    }
    let scans = facts.into_iter().take(MAX_SCANNED).enumerate().filter_map(|(index, facts)| {
        let scan = AncestorScan { facts: facts?, parent: nodes.get(index + 1).cloned() };
        Some((nodes.get(index)?.clone(), scan))
    });
    scans.collect()
}
