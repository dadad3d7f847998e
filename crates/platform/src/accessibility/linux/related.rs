//! What other elements say of an element, such as the message of an invalid field.

use atspi::RelationType;
use futures_util::future::join_all;

use super::details::{Details, MAX_RELATED};
use super::embedded::EmbeddedText;
use super::node::LinuxNode;

/// The texts of the elements in this relation to `node`.
pub(super) async fn text(node: &LinuxNode, details: &Details, kind: RelationType) -> String {
    let targets = details.relations.of(node, kind);
    let texts = join_all(targets.iter().filter(|target| *target != node).take(MAX_RELATED).map(text_of)).await;
    texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name of an element, else its text. Nothing of a protected element but its name.
async fn text_of(node: &LinuxNode) -> String {
    let name = node.readable_name().await;
    if name.trim().is_empty() { EmbeddedText::whole(node).await } else { name }
}
