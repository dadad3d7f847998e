//! The positions of many elements of a window among their siblings, up to the window (PIC-6).

use std::collections::{HashMap, HashSet};

use futures_util::future::join;
use futures_util::stream::{self, StreamExt as _};

use super::cached_tree::CachedTree;
use super::children::is_countable;
use super::node::LinuxNode;

/// Depth limit of the tree.
const DEPTH: usize = 48;
/// Concurrent requests.
const CONCURRENT_PATHS: usize = 48;

/// For each of many elements, its position among its siblings and its parent; shared ancestors are queried once.
pub(super) struct AncestorPaths(HashMap<LinuxNode, (i32, Option<LinuxNode>)>);

impl AncestorPaths {
    #[expect(clippy::mutable_key_type, reason = "an element's hash is that of its name and path, which never change")]
    /// `nodes`: each with the sheet of which it is a cell, whose positions are not counted. What `tree` tells is not asked for.
    pub(super) async fn of(
        nodes: impl Iterator<Item = (&LinuxNode, Option<&LinuxNode>)>,
        frame: &LinuxNode,
        tree: Option<&CachedTree>,
    ) -> Self {
        // Parent and number of children of each element.
        let mut known: HashMap<LinuxNode, (Option<LinuxNode>, i32)> = HashMap::new();
        let mut level: Vec<LinuxNode> = Vec::new();
        let mut sheets: HashSet<LinuxNode> = HashSet::new();
        for (node, sheet) in nodes {
            match sheet {
                Some(sheet) => {
                    known.insert(node.clone(), (Some(sheet.clone()), 0));
                    if sheets.insert(sheet.clone()) {
                        level.push(sheet.clone());
                    }
                }
                None => level.push(node.clone()),
            }
        }
        for _ in 0..DEPTH {
            let requests = level.drain(..).map(|node| async move {
                if let Some(parent) = tree.and_then(|tree| tree.parent(&node))
                    && let Some(count) = tree.and_then(|tree| tree.element(&node)).and_then(|element| element.children)
                {
                    return (node, (parent, count));
                }
                let (parent, count) = join(node.parent(), node.child_count()).await;
                (node, (parent.ok().flatten(), count.unwrap_or(i32::MAX)))
            });
            let answers: Vec<_> = stream::iter(requests).buffer_unordered(CONCURRENT_PATHS).collect().await;
            for (node, answer) in answers {
                if node != *frame {
                    level.extend(answer.0.clone());
                }
                known.insert(node, answer);
            }
            let mut seen = HashSet::new();
            level.retain(|node| !known.contains_key(node) && seen.insert(node.clone()));
            if level.is_empty() {
                break;
            }
        }
        let siblings =
            |parent: &Option<LinuxNode>| parent.as_ref().and_then(|parent| known.get(parent)).map(|known| known.1);
        let counted: Vec<(LinuxNode, Option<LinuxNode>, bool)> = known
            .iter()
            .map(|(node, (parent, _))| (node.clone(), parent.clone(), siblings(parent).is_some_and(is_countable)))
            .collect();
        let requests = counted.into_iter().map(|(node, parent, is_countable)| async move {
            let told = tree.and_then(|tree| tree.element(&node)).and_then(|element| element.index);
            let index = match told {
                _ if !is_countable => -1,
                Some(index) => index,
                None => node.index().await.unwrap_or(-1),
            };
            (node, (index, parent))
        });
        Self(stream::iter(requests).buffer_unordered(CONCURRENT_PATHS).collect().await)
    }

    /// Positions among siblings, the element's own first, up to below `frame`: the same as by
    /// [`super::ancestor_path::AncestorPath`] (PIC-6).
    pub(super) fn path(&self, node: &LinuxNode, frame: &LinuxNode) -> Vec<i32> {
        let mut path = Vec::new();
        let mut current = node;
        while path.len() < DEPTH
            && current != frame
            && let Some((index, parent)) = self.0.get(current)
        {
            path.push(*index);
            let Some(parent) = parent else { break };
            current = parent;
        }
        path
    }
}
