//! Which elements were listed, by their ids, and where they were in the tree. No text is kept. Pure.

use std::collections::{HashMap, VecDeque};

use luna_messages::ElementId;

use super::super::events::ObjectRef;

/// Number of listings that are kept: those of a window, of its menu and of a dialog.
const MAX_LISTINGS: usize = 3;
/// Maximum number of elements in all listings.
const MAX_ELEMENTS: usize = 8000;

/// Where an element was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct KnownElement {
    /// Handle of its window.
    pub(super) window: u64,
    pub(super) object: ObjectRef,
    /// Positions among siblings, its own first, up to below the window's element.
    pub(super) path: Vec<i32>,
    /// Whether what it contains must not be known (PIC-5).
    pub(super) is_secret: bool,
}

/// The newest listings, the newest first.
#[derive(Debug, Default)]
pub(in super::super) struct KnownElements(VecDeque<(u64, HashMap<ElementId, KnownElement>)>);

impl KnownElements {
    /// Keeps the listing of a window in place of an older one of the same window.
    pub(super) fn keep(&mut self, window: u64, elements: HashMap<ElementId, KnownElement>) {
        self.0.retain(|(other, _)| *other != window);
        self.0.push_front((window, elements));
        self.0.truncate(MAX_LISTINGS);
        while self.0.len() > 1 && self.0.iter().map(|(_, elements)| elements.len()).sum::<usize>() > MAX_ELEMENTS {
            self.0.pop_back();
        }
    }

    /// Adds an element to the listing of its window, if there is one.
    pub(super) fn remember(&mut self, id: ElementId, element: KnownElement) {
        if let Some((_, elements)) = self.0.iter_mut().find(|(window, _)| *window == element.window) {
            elements.insert(id, element);
        }
    }

    /// Where the element was.
    pub(super) fn find(&self, id: &ElementId) -> Option<KnownElement> {
        self.0.iter().find_map(|(_, elements)| elements.get(id)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use atspi::zbus::zvariant::ObjectPath;

    use super::*;

    fn listing(window: u64, count: usize) -> HashMap<ElementId, KnownElement> {
        let known = |index: usize| KnownElement {
            window,
            object: ObjectRef { name: ":1.7".into(), path: ObjectPath::from_static_str_unchecked("/a").into() },
            path: vec![i32::try_from(index).unwrap_or(0)],
            is_secret: false,
        };
        (0..count).map(|index| (ElementId(format!("{window}-{index}")), known(index))).collect()
    }

    // PIC-6, KER-11
    #[test]
    fn only_the_newest_listings_are_kept_pic_6_ker_11() {
        let id = |text: &str| ElementId(text.to_owned());
        let mut known = KnownElements::default();
        for window in 1..=4 {
            known.keep(window, listing(window, 2));
        }
        assert_eq!(known.find(&id("1-0")), None);
        assert_eq!(known.find(&id("2-1")).map(|one| (one.window, one.path)), Some((2, vec![1])));
        // A new listing of a window takes the place of its old one.
        known.keep(2, listing(2, 1));
        assert_eq!((known.find(&id("2-1")), known.find(&id("2-0")).is_some()), (None, true));
        assert!(known.find(&id("3-0")).is_some() && known.find(&id("4-0")).is_some());
        known.keep(5, listing(5, MAX_ELEMENTS));
        assert!(
            known.find(&id("5-7")).is_some() && known.find(&id("2-0")).is_none() && known.find(&id("4-0")).is_none()
        );
    }
}
