//! The content of fields that consist of others: what is typed in or chosen of a combo box, and the parts of a date.

use atspi::Role as Native;
use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;

use super::details::Details;
use super::embedded::{CHILDREN, CONCURRENT_CALLS, EmbeddedText, PLAIN_DEPTH};
use super::node::{LinuxNode, NodeFacts};
use super::reading::{OBJECT_REPLACEMENT, PlaceInText};
use super::value;

impl EmbeddedText {
    /// What is typed in the field of a combo box. `None` if it has no field.
    pub(super) async fn typed(&self, node: &LinuxNode) -> Option<String> {
        let mut children = node.first_children(4).await.ok()?;
        children.truncate(self.grant(children.len()));
        let requests = children.into_iter().map(|child| async move { (child.facts().await, child) });
        let answers: Vec<(Result<NodeFacts, _>, LinuxNode)> =
            stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
        let is_field = |facts: &NodeFacts| facts.role.general() == Role::Edit || facts.is_field();
        let (_, field) = answers.into_iter().find(|(facts, _)| facts.as_ref().is_ok_and(is_field))?;
        Some(self.of(&field, 1, PlaceInText::Beginning).await.reading.text)
    }

    /// The value of a field for dates and times: the numbers of its parts and what separates them.
    pub(super) async fn date(&self, node: &LinuxNode) -> String {
        self.date_part(node, PLAIN_DEPTH).await.trim().to_owned()
    }

    fn date_part<'a>(&'a self, node: &'a LinuxNode, depth: usize) -> BoxFuture<'a, String> {
        async move {
            let details = node.brief_details().await;
            let mut children = node.first_children(CHILDREN).await.unwrap_or_default();
            children.truncate(if depth == 0 { 0 } else { self.grant(children.len()) });
            let own = self.date_leaf(node, &details).await;
            if children.is_empty() {
                return own;
            }
            children.retain(|child| self.is_new(child));
            let requests = children.into_iter().map(|child| async move {
                match child.native().await.unwrap_or(Native::Unknown) {
                    // Separators are pieces of the text itself.
                    Native::Static => None,
                    Native::Button | Native::PasswordText | Native::Invalid => Some(String::new()),
                    _ => Some(self.date_part(&child, depth - 1).await),
                }
            });
            let parts: Vec<Option<String>> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
            let mut parts = parts.into_iter().flatten();
            if !own.contains(OBJECT_REPLACEMENT) {
                return parts.collect::<Vec<String>>().concat();
            }
            own.chars().fold(String::new(), |mut date, c| {
                match c {
                    OBJECT_REPLACEMENT => date.push_str(&parts.next().unwrap_or_default()),
                    c => date.push(c),
                }
                date
            })
        }
        .boxed()
    }

    async fn date_leaf(&self, node: &LinuxNode, details: &Details) -> String {
        if details.interfaces.has("Text") {
            let count = node.character_count().await.unwrap_or(0).clamp(0, 100);
            let text = if count > 0 { node.text(0, count).await.unwrap_or_default() } else { String::new() };
            if !text.is_empty() {
                return text;
            }
        }
        if !details.interfaces.has("Value") {
            return String::new();
        }
        node.range_value(details).await.map(|range| value::value_text(Role::SpinButton, &range)).unwrap_or_default()
    }

    /// The selected entry of a combo box; `None` if the entries are unknown, empty if none of them is selected.
    pub(super) async fn selected(&self, node: &LinuxNode) -> Option<String> {
        let mut level = vec![node.clone()];
        for _ in 0..3 {
            let mut below = Vec::new();
            for node in &level {
                below.extend(node.first_children(CHILDREN).await.unwrap_or_default());
            }
            below.truncate(self.grant(below.len()));
            below.retain(|node| self.is_new(node));
            let requests = below.into_iter().map(|node| async move { (node.facts().await, node) });
            let answers: Vec<(Result<NodeFacts, _>, LinuxNode)> =
                stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
            let answered = answers.into_iter().filter_map(|(facts, node)| Some((facts.ok()?, node)));
            let (selected, others): (Vec<_>, Vec<_>) = answered.partition(|(facts, _)| facts.states.is_selected());
            if let Some((facts, selected)) = selected.first() {
                let is_blocked = facts.role == Role::Protected;
                return if is_blocked { Some(String::new()) } else { selected.name().await.ok() };
            }
            let containers = others.into_iter().filter(|(facts, _)| facts.role != Role::Protected);
            level = containers.map(|(_, node)| node).collect();
        }
        None
    }
}
