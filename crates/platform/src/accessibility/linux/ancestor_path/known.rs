//! A path whose elements are known: everything about them is asked for at once, instead of one ancestor after another.
//! Applications of GTK 4 take some milliseconds for each answer, and their windows are twenty levels deep.

use futures_util::future::{join, join_all};
use tokio::time::Instant;

use super::{AncestorScan, MAX_SCANNED, ScanCache, positions};
use crate::accessibility::linux::node::LinuxNode;
use crate::accessibility::linux::session::AccessibilitySession;

impl ScanCache {
    /// The scans of a path up to `frame`, which begins with the element itself. What the caches of `session` need of it is
    /// put there.
    pub(in crate::accessibility::linux) async fn of_path(
        path: &[LinuxNode],
        frame: &LinuxNode,
        session: &AccessibilitySession,
        now: Instant,
    ) -> Self {
        let scanned = path.iter().take(MAX_SCANNED);
        let scans = join_all(scanned.enumerate().map(|(index, node)| async move {
            let facts = node.facts().await.ok()?;
            Some((node.clone(), AncestorScan { facts, parent: path.get(index + 1).cloned() }))
        }));
        let far = async {
            let end = path.iter().position(|node| node == frame)?;
            let far = path.get(MAX_SCANNED..end).filter(|far| !far.is_empty())?;
            if session.path(&far[0], now).is_some() {
                return None;
            }
            let counts = join_all(path[MAX_SCANNED + 1..=end].iter().map(LinuxNode::child_count)).await;
            let siblings = counts.into_iter().map(|count| count.unwrap_or(i32::MAX));
            let far: Vec<(LinuxNode, i32)> = far.iter().cloned().zip(siblings).collect();
            let indices = positions(&far).await;
            Some((far.into_iter().next()?.0, indices))
        };
        let (scans, far) = join(scans, far).await;
        if let Some((node, indices)) = far {
            session.keep_path(node, indices, now);
        }
        Self(scans.into_iter().flatten().collect())
    }
}
