//! What an application of GTK 3 tells of all its elements in one answer: with a call for each fact of each element, a window of 1,000 elements would take
//! half a second (PIC-9). The answer has no boxes, and leaves out what lists and tables make when it is asked for; these are asked for as elsewhere.
//!
//! Other toolkits are not asked: Qt 5 answers with nothing, GTK 4 with a part, and a browser would have to tell all of its pages at once, however many.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use atspi::Role as Native;
use atspi::zbus::zvariant::{ObjectPath, OwnedObjectPath};

use super::bus::BusAddress;
use super::cached_element::{CachedElement, Reference};
use super::call_error::CallError;
use super::node::{ACCESSIBLE, App, Interfaces, LinuxNode, NodeFacts, States};

/// Deadline of the one call.
const DEADLINE: Duration = Duration::from_millis(300);
/// An element as told: itself, its application, its parent, index, number of children, interfaces, name, role, description, states.
type Told = (Reference, Reference, Reference, i32, i32, Vec<String>, String, u32, String, Vec<u32>);

/// All elements that an application told in one answer.
#[derive(Debug, Default)]
pub(super) struct CachedTree {
    elements: HashMap<OwnedObjectPath, Arc<CachedElement>>,
    /// The children of each element, in no order.
    children: HashMap<OwnedObjectPath, Vec<Reference>>,
}

/// The elements that an application tells at once, asked for when many are needed.
#[derive(Default)]
pub(super) enum TreeSource {
    /// Each element is asked by itself.
    #[default]
    Single,
    /// Nothing was asked yet.
    Unasked,
    Told(CachedTree),
}

impl TreeSource {
    /// Number of elements of one level of a tree from which on all of an application are asked for at once: with 30 calls for the rest of the window, one
    /// answer about 300 closed menus would take longer.
    const MANY: usize = 64;

    /// Before a level with `count` elements of `app` is asked.
    pub(super) async fn prepare(&mut self, app: &App, count: usize) {
        if matches!(self, Self::Unasked) && count >= Self::MANY {
            *self = CachedTree::of(app).await.map_or(Self::Single, Self::Told);
        }
    }

    /// What was told, if anything was.
    pub(super) const fn tree(&self) -> Option<&CachedTree> {
        match self {
            Self::Told(tree) => Some(tree),
            Self::Single | Self::Unasked => None,
        }
    }
}

impl CachedTree {
    /// Asks an application; `None` if it tells nothing, too much, or not in time. Then its elements are asked one by one.
    async fn of(app: &App) -> Option<Self> {
        if !app.cache_size.is_small() {
            return None;
        }
        let path = ObjectPath::from_static_str_unchecked("/org/a11y/atspi/cache");
        let connection = app.direct.as_ref().unwrap_or(&app.bus);
        let target = BusAddress { connection, name: &app.name, path: &path };
        match target.call::<_, Vec<Told>>("org.a11y.atspi.Cache", "GetItems", &(), DEADLINE).await {
            Ok(told) => {
                app.cache_size.note(told.len());
                Some(Self::new(told, &app.name))
            }
            Err(CallError::Late) => {
                // A longer answer would be dropped.
                app.cache_size.note(usize::MAX);
                None
            }
            Err(CallError::Refused | CallError::Lost) => None,
        }
    }

    /// The elements of the application called `app` among those told. Pure.
    fn new(told: Vec<Told>, app: &str) -> Self {
        let mut tree = Self::default();
        for (own, _, parent, index, children, interfaces, name, role, description, states) in told {
            if own.0 != app {
                continue;
            }
            let element = CachedElement {
                native: Native::try_from(role).unwrap_or(Native::Unknown),
                states: States::from_words(&states),
                interfaces: Interfaces(interfaces),
                name,
                description,
                index: Some(index).filter(|index| *index >= 0),
                children: Some(children).filter(|children| *children >= 0),
                is_in_selection: false,
                parent: parent.clone(),
            };
            // An element of another process may have the same path.
            if parent.0 == app {
                tree.children.entry(parent.1).or_default().push(own.clone());
            }
            tree.elements.insert(own.1, Arc::new(element));
        }
        let selects = |element: &CachedElement| element.interfaces.has("Selection");
        let selecting: Vec<OwnedObjectPath> =
            tree.elements.iter().filter(|(_, element)| selects(element)).map(|(path, _)| path.clone()).collect();
        for (_, path) in selecting.iter().filter_map(|path| tree.children.get(path)).flatten() {
            if let Some(element) = tree.elements.get_mut(path).and_then(Arc::get_mut) {
                element.is_in_selection = true;
            }
        }
        tree
    }

    /// What was told of an element; `None` if nothing was.
    pub(super) fn element(&self, node: &LinuxNode) -> Option<&Arc<CachedElement>> {
        node.path_in_app().and_then(|path| self.elements.get(path))
    }

    /// The parent of an element that was told; outer `None` if it was not.
    pub(super) fn parent(&self, node: &LinuxNode) -> Option<Option<LinuxNode>> {
        self.element(node).map(|element| node.at(element.parent.clone()))
    }

    /// The children of an element in their order; `None` unless all of them were told: what is being added or removed is not there, or is nobody's child.
    pub(super) fn children(&self, node: &LinuxNode) -> Option<Vec<LinuxNode>> {
        let count = usize::try_from(self.element(node)?.children?).ok()?;
        let told = self.children.get(node.path_in_app()?).map_or(&[][..], Vec::as_slice);
        if told.len() != count {
            return None;
        }
        let place = |reference: &Reference| self.elements.get(&reference.1).and_then(|child| child.index);
        let mut placed: Vec<(i32, &Reference)> = told.iter().filter_map(|one| Some((place(one)?, one))).collect();
        placed.sort_by_key(|(index, _)| *index);
        let is_whole = placed.iter().zip(0..).all(|((index, _), expected)| *index == expected) && placed.len() == count;
        is_whole.then(|| placed.into_iter().filter_map(|(_, reference)| node.at(reference.clone())).collect())
    }
}

impl LinuxNode {
    /// The id that the application gives it; empty if there is none.
    pub(super) async fn automation_id(&self, cached: Option<&CachedElement>) -> String {
        let path = self.path_in_app().filter(|_| cached.is_some());
        if let Some(known) = path.and_then(|path| self.app.automation_ids.get(path)) {
            return known;
        }
        let told = self.property::<String>(ACCESSIBLE, "AccessibleId").await;
        let id = match told {
            Ok(id) => id,
            // An older toolkit has none.
            Err(CallError::Refused) => String::new(),
            Err(CallError::Late | CallError::Lost) => return String::new(),
        };
        if let Some(path) = path {
            self.app.automation_ids.keep(path, &id);
        }
        id
    }

    /// As [`LinuxNode::facts`], of which only the box is asked for if `tree` tells the others.
    pub(super) async fn facts_by(&self, tree: Option<&CachedTree>) -> Result<NodeFacts, CallError> {
        let Some(cached) = tree.and_then(|tree| tree.element(self)) else { return self.facts().await };
        let Some(children) = cached.children else { return self.facts().await };
        let told = self.told_extents().await;
        let facts = self.assembled(cached.native, (cached.states, told, Ok(children)))?;
        Ok(NodeFacts { cached: Some(Arc::clone(cached)), ..facts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(number: i32) -> Reference {
        (":1.5".into(), OwnedObjectPath::try_from(format!("/a/{number}")).unwrap())
    }

    /// A button, which is child `index` of `parent`.
    fn told(number: i32, parent: i32, index: i32, children: i32, interfaces: &[&str]) -> Told {
        let interfaces = interfaces.iter().map(|name| format!("org.a11y.atspi.{name}")).collect();
        let name = format!("{number} 번");
        let root = reference(0);
        (reference(number), root, reference(parent), index, children, interfaces, name, 43, String::new(), vec![0, 0])
    }

    fn element(tree: &CachedTree, number: i32) -> Option<&Arc<CachedElement>> {
        tree.elements.get(&reference(number).1)
    }

    // PIC-9
    #[test]
    fn what_an_application_tells_at_once_is_kept_by_element_pic_9() {
        let mut foreign = told(9, 1, 2, 0, &[]);
        foreign.0.0 = ":1.6".into();
        let mut plugged = told(5, 1, 2, 0, &[]);
        plugged.2.0 = ":1.6".into();
        let told = vec![
            told(3, 1, 1, 0, &["Action"]),
            told(2, 1, 0, 0, &[]),
            told(1, 0, 0, 2, &["Selection"]),
            told(4, 7, -1, -1, &[]),
            foreign,
            plugged,
        ];
        let tree = CachedTree::new(told, ":1.5");
        let button = element(&tree, 3).unwrap();
        assert_eq!((button.native, button.index, button.children), (Native::Button, Some(1), Some(0)));
        assert!(button.is_in_selection && button.is_plain() && !element(&tree, 1).unwrap().is_in_selection);
        // Without an action, nobody knows what it does; without a place or a number, it has to be asked.
        assert!(!element(&tree, 2).unwrap().is_plain());
        let odd = element(&tree, 4).unwrap();
        assert_eq!((odd.index, odd.children), (None, None));
        // What belongs to another application has other numbers, and so has what it contains.
        assert!(element(&tree, 9).is_none());
        assert_eq!(tree.children[&reference(1).1], [reference(3), reference(2)]);
        assert!(!format!("{button:?}").contains("번"), "{button:?}");
    }
}
