//! The label of a field that nothing names: toolkits without relations, such as GTK 3's dialogs, only put it beside the
//! field.

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::Rect;
use luna_messages::pick::Role;

use super::super::ancestor_walk::is_actionable;
use super::ancestor_path::Ancestor;
use super::node::{LinuxNode, NodeFacts};
use super::role;

/// Maximum number of siblings to examine.
const MAX_SIBLINGS: usize = 40;
/// Maximum distance, in pixels, of a label to the left of its field, and of one above it.
const REACH: (i32, i32) = (240, 16);

/// The name of the label to the left of the field, or of the one directly above it; empty if there is none. `known`: the
/// field's parent, if it is known.
pub(super) async fn label_beside(node: &LinuxNode, facts: &NodeFacts, known: Option<&Ancestor>) -> String {
    let (parent, siblings) = match known {
        Some(Ancestor { node, facts }) => (node.clone(), node.first_of(facts.children, MAX_SIBLINGS).await),
        None => {
            let Ok(Some(parent)) = node.parent().await else { return String::new() };
            let siblings = parent.first_children(MAX_SIBLINGS).await;
            (parent, siblings)
        }
    };
    let Ok(siblings) = siblings else { return String::new() };
    let natives = join_all(siblings.iter().map(LinuxNode::native)).await;
    let is_only_field = natives.iter().zip(&siblings).all(|(native, sibling)| {
        sibling == node
            || native.is_ok_and(|native| !takes_text(native) && !is_actionable(role::luna_role(native, false)))
    });
    // Only of labels is it worth asking where they are.
    let labels = siblings.iter().zip(&natives).filter(|(sibling, native)| {
        let is_label = matches!(native, Ok(Native::Label | Native::Static)) && *sibling != node;
        is_label && native.is_ok_and(|native| node.app.guard.role(role::luna_role(native, false)) != Role::Protected)
    });
    let places = join_all(labels.map(|(label, _)| async move {
        let (place, states) = join(label.extents(), label.states()).await;
        let is_shown = states.is_ok_and(|states| states.is_shown(label.app.local));
        Some((place.ok()?, label)).filter(|_| is_shown)
    }));
    let (own, places) = join(node.extents(), places).await;
    let own = own.unwrap_or(facts.bbox);
    let labels: Vec<(Rect, &LinuxNode)> = places.into_iter().flatten().collect();
    match nearest(own, labels.iter().map(|(place, _)| *place)) {
        Some(index) => labels[index].1.name().await.unwrap_or_default(),
        // What has a field as its only part is named for it: the box around an entry with a list.
        None if is_only_field => {
            let native = match known {
                Some(known) => Ok(known.facts.native),
                None => parent.native().await,
            };
            if native.is_ok_and(is_wrapper) { parent.readable_name().await } else { String::new() }
        }
        None => String::new(),
    }
}

/// Whether an element with this role may be a field, whatever it is in.
const fn takes_text(native: Native) -> bool {
    matches!(native, Native::Text | Native::Entry | Native::PasswordText)
}

const fn is_wrapper(native: Native) -> bool {
    matches!(native, Native::ComboBox | Native::Filler | Native::Panel)
}

/// Which of the labels belongs to the field: the nearest to its left in the same row, else the nearest above. Pure.
fn nearest(field: Rect, labels: impl Iterator<Item = Rect>) -> Option<usize> {
    let places = labels.enumerate().filter(|(_, label)| !label.is_empty());
    let distances = places.filter_map(|(index, label)| {
        let in_row = label.center().y >= field.y && label.center().y < field.bottom();
        let (left, up) = (field.x - label.right(), field.y - label.bottom());
        let is_over = label.x < field.right() && field.x < label.right();
        if in_row && (-8..=REACH.0).contains(&left) {
            Some((0, left, index))
        } else if is_over && (0..=REACH.1).contains(&up) {
            Some((1, up, index))
        } else {
            None
        }
    });
    distances.min().map(|(_, _, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-2
    #[test]
    fn the_label_of_a_field_is_left_of_it_or_above_ann_2() {
        let field = Rect::new(100, 50, 200, 30);
        let check = |labels: &[[i32; 4]]| nearest(field, labels.iter().map(|label| Rect::from(*label)));
        assert_eq!(check(&[[10, 10, 60, 20], [10, 55, 60, 20], [10, 95, 60, 20]]), Some(1));
        assert_eq!(check(&[[110, 25, 60, 20], [10, 95, 60, 20]]), Some(0));
        assert_eq!(check(&[[10, 55, 20, 20], [50, 55, 45, 20]]), Some(1));
        // To the right, below and far above stand the labels of others.
        assert_eq!(check(&[[310, 55, 60, 20], [110, 90, 60, 20], [110, 0, 60, 20], [0, 0, 0, 0]]), None);
    }
}
