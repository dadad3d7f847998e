//! The position of an element among what belongs together with it, such as the items of its list (ANN-1).

use atspi::{RelationType, Role as Native};
use futures_util::future::join_all;
use luna_messages::element::Position;
use luna_messages::pick::Role;

use super::ancestor_path::Ancestor;
use super::details::Details;
use super::node::LinuxNode;

/// Maximum number of siblings, or members of a group, whose roles or places are requested.
const MAX_SIBLINGS: usize = 40;

/// The position of `node`. `index`: its place among its siblings; `parent`: the element that they are the children of.
pub(super) async fn position(
    node: &LinuxNode,
    role: Role,
    details: &Details,
    index: i32,
    parent: Option<&Ancestor>,
) -> Option<Position> {
    if !has_position(role) {
        return None;
    }
    if let Some(told) = details.attributes.position() {
        return Some(told);
    }
    let parent = parent?;
    match role {
        Role::RadioButton => in_group(node, details).await,
        Role::ListItem if parent.facts.role.general() == Role::List => among_all(index, parent.facts.children),
        Role::MenuItem | Role::Menu | Role::Tab => among_alike(role, index, parent).await,
        _ => None,
    }
}

/// Whether elements of this role belong to a list, menu, level of a tree, bar of tabs or group.
pub(super) const fn has_position(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::TreeItem | Role::MenuItem | Role::Menu | Role::Tab | Role::RadioButton)
}

fn among_all(index: i32, count: i32) -> Option<Position> {
    let (index, of) = (u32::try_from(index).ok()?.checked_add(1)?, u32::try_from(count).ok()?);
    (index <= of).then_some(Position { index, of })
}

/// The position among siblings of the same general role: menus have separators, bars of tabs have buttons.
async fn among_alike(role: Role, index: i32, parent: &Ancestor) -> Option<Position> {
    let count = usize::try_from(parent.facts.children).ok().filter(|&count| count <= MAX_SIBLINGS)?;
    let siblings = parent.node.first_of(parent.facts.children, count).await.ok()?;
    let index = usize::try_from(index).ok().filter(|&index| index < siblings.len())?;
    let natives = join_all(siblings.iter().map(LinuxNode::native)).await;
    let is_alike = |native: &Result<Native, _>| {
        native.as_ref().is_ok_and(|&native| super::role::luna_role(native, false).general() == role.general())
    };
    let before = natives[..index].iter().filter(|native| is_alike(native)).count();
    let of = natives.iter().filter(|native| is_alike(native)).count();
    among_all(i32::try_from(before).ok()?, i32::try_from(of).ok()?)
}

/// The position among the radio buttons of a group, in reading order: toolkits list the group's members in any order.
async fn in_group(node: &LinuxNode, details: &Details) -> Option<Position> {
    let members = details.relations.of(node, RelationType::MemberOf);
    if members.len() < 2 || members.len() > MAX_SIBLINGS || !members.contains(node) {
        return None;
    }
    let places = join_all(members.iter().map(|member| member.extents())).await;
    let mut placed: Vec<(i32, i32, &LinuxNode)> = Vec::with_capacity(members.len());
    for (place, member) in places.into_iter().zip(&members) {
        let place = place.ok()?;
        placed.push((place.y, place.x, member));
    }
    placed.sort_by_key(|&(y, x, _)| (y, x));
    let index = placed.iter().position(|(_, _, member)| *member == node)?;
    among_all(i32::try_from(index).ok()?, i32::try_from(placed.len()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-1
    #[test]
    fn positions_are_counted_from_one_ann_1() {
        assert_eq!(among_all(2, 8), Some(Position { index: 3, of: 8 }));
        for (index, count) in [(-1, 8), (8, 8), (0, 0), (i32::MAX, i32::MAX)] {
            let position = among_all(index, count);
            assert!(position.is_none_or(|position| position.index <= position.of), "{index} {count}");
        }
        assert_eq!(among_all(-1, 8), None);
        assert_eq!(among_all(8, 8), None);
    }
}
