//! The accessibility tree of Windows by UI Automation.
//!
//! Calls of UI Automation block and reach into other programs, so they run on their own thread ([`worker`]) with a
//! deadline; a thread that is stuck in a program is abandoned and replaced. Text is requested only after the whole path
//! from the element up to its window is known to contain no protected field (PIC-5).

mod actions;
mod budget;
mod cached_properties;
mod elements;
mod focus_watch;
mod lines;
mod properties;
mod protected;
mod role;
mod rows;
mod text;
mod tree;
mod window;
mod worker;

use std::sync::Mutex;

use async_trait::async_trait;
use luna_messages::element::State;
use luna_messages::focus::FocusChange;
use luna_messages::pick::{CaptureScope, Element, Role, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, Rect};

use self::budget::Budget;
use self::properties::NodeDetails;
use self::tree::{WindowsNode, WindowsTree};
use self::worker::Workers;
use super::{Accessibility, AtPoint, FocusMove, VisibleLines, Watch, ancestor_walk, id, row_extent};
use crate::PlatformError;
use crate::win32::windows_in;

/// The accessibility tree of Windows.
#[derive(Default)]
pub struct UiAutomation {
    workers: Workers,
    /// The elements that were listed to be acted on.
    listed: Mutex<actions::ListedElements>,
}

impl UiAutomation {
    /// Connects at the first query.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Accessibility for UiAutomation {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        let Some(window) = window::at(point) else {
            return Ok(AtPoint::NoWindow);
        };
        self.workers.ask(move |tree, budget| at_point(tree, budget, window, point, region_hint)).await
    }

    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        let Some(window) = window::at(point) else {
            return Ok(AtPoint::NoWindow);
        };
        self.workers.ask(move |tree, budget| rows_at(tree, budget, window, point, extent)).await
    }

    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        Ok(window::at(point))
    }

    async fn windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        let everywhere = Rect::new(-32768, -32768, 65535, 65535);
        let active = window::active();
        let others = windows_in(everywhere).into_iter().filter_map(|shown| window::of(shown.handle));
        let others = others.filter(|one| active.as_ref().is_none_or(|active| active.handle != one.handle));
        Ok(active.iter().cloned().chain(others).filter(|one| !one.title.is_empty()).take(32).collect())
    }

    async fn window_lines(&self, window: &WindowInfo) -> Result<VisibleLines, PlatformError> {
        let window = window.clone();
        self.workers.ask(move |tree, budget| lines::of_window(tree, budget, &window)).await
    }

    async fn window_elements(&self, window: &WindowInfo) -> Result<Vec<Element>, PlatformError> {
        let window = window.clone();
        self.workers.ask(move |tree, budget| elements::of_window(tree, budget, &window)).await
    }

    async fn protected_boxes(&self, window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError> {
        let window = window.clone();
        self.workers.ask(move |tree, _| protected::boxes(tree, window.handle, region)).await
    }

    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        let shown = windows_in(region);
        let position = pointed.and_then(|pointed| shown.iter().position(|one| one.handle == pointed.handle));
        if pointed.is_some() && position.is_none() {
            return Err(PlatformError::Gone);
        }
        let mut hidden = Vec::new();
        for (index, one) in shown.iter().copied().enumerate() {
            let place = one.bounds.intersection(region);
            if scope == CaptureScope::Window && position.is_some_and(|position| index < position) {
                // This window covers the pointed window.
                hidden.push(place);
                continue;
            }
            match self.workers.ask(move |tree, _| protected::boxes(tree, one.handle, region)).await {
                Ok(boxes) => hidden.extend(boxes),
                Err(error) if Some(index) == position => return Err(error),
                Err(_) => hidden.push(place),
            }
        }
        Ok(SearchedRegion { window: pointed.cloned(), region, chosen: region, hidden, shown, covered: None })
    }

    async fn watch_focus(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        // Windows keeps UI Automation as long as it runs.
        _lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        focus_watch::start(moved)
    }

    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError> {
        self.workers.ask(|tree, _| focus_watch::focus(tree, &mut None)).await
    }

    fn block_roles(&self, roles: RoleSet) {
        role::block(roles);
    }

    async fn check(&self) -> Result<(), PlatformError> {
        self.workers.ask(|tree, _| tree.root().map(drop)).await
    }
}

/// What is at `point` of `window`.
fn at_point(
    tree: &WindowsTree,
    budget: &Budget,
    window: WindowInfo,
    point: Point,
    region_hint: Rect,
) -> Result<AtPoint, PlatformError> {
    if let Some(hit) = tree.at(point)? {
        let ancestry = tree.ancestors(hit, budget)?;
        // A field may show the typed text in elements inside it, so a protected element on the path protects everything
        // below it.
        if let Some(secret) = ancestry.iter().find(|node| node.is_protected()) {
            return Ok(AtPoint::Protected(protected_element(tree, budget, &window, secret)?));
        }
        let target = ancestor_walk::target(&ancestry.iter().map(|node| node.step(point)).collect::<Vec<_>>());
        if let Some(element) = ancestry
            .get(target..)
            .map(|ancestry| element(tree, budget, &window, ancestry, point))
            .transpose()?
            .flatten()
        {
            return Ok(AtPoint::Element(element));
        }
    }
    let protected = protected::boxes(tree, window.handle, region_hint)?;
    Ok(AtPoint::NoText { window, protected })
}

/// The table or list at `point`, or its row there.
fn rows_at(
    tree: &WindowsTree,
    budget: &Budget,
    window: WindowInfo,
    point: Point,
    extent: RowsExtent,
) -> Result<AtPoint, PlatformError> {
    let ancestry = match tree.at(point)? {
        Some(hit) => tree.ancestors(hit, budget)?,
        None => Vec::new(),
    };
    if let Some(secret) = ancestry.iter().find(|node| node.is_protected()) {
        return Ok(AtPoint::Protected(protected_element(tree, budget, &window, secret)?));
    }
    let container = ancestry.iter().find(|node| matches!(node.role.general(), Role::Table | Role::List));
    if let Some(node) = container {
        let table = rows::around(tree, budget, &ancestry);
        let container = build_element(&window, node, text::TextAtPoint::default(), properties::of(tree, node)?, &[]);
        let container = Element { rows: table.rows, has_header: table.has_header, row: table.here, ..container };
        if let Some(element) = row_extent::cut(container, extent) {
            return Ok(AtPoint::Element(element));
        }
    }
    Ok(AtPoint::NoText { window, protected: Vec::new() })
}

/// A protected field: its label and states, without its text.
fn protected_element(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
    node: &WindowsNode,
) -> Result<Element, PlatformError> {
    let path = tree.path(std::slice::from_ref(node), budget)?;
    let mut element = build_element(window, node, text::TextAtPoint::default(), properties::of(tree, node)?, &path);
    // Protected may also be what the person blocked, which reports a role of its own.
    element.properties.states = element.properties.states.with(State::Protected);
    element.properties.value = None;
    Ok(element)
}

/// The first element of `ancestry` as an element to read; `None` if there is nothing to say of it (PIC-1).
fn element(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
    ancestry: &[WindowsNode],
    point: Point,
) -> Result<Option<Element>, PlatformError> {
    let Some(node) = ancestry.first() else {
        return Ok(None);
    };
    let details = properties::of(tree, node)?;
    let Some(found) = text::at(tree, node, &details.name, point)? else {
        return Ok(None);
    };
    let path = tree.path(ancestry, budget)?;
    let mut element = build_element(window, node, found, details, &path);
    if node.role.general() == Role::Cell {
        element.properties.cell = properties::cell_place(node);
    }
    // The rows of a table or list are read only if the pointer rests on the container itself (ANN-3).
    let is_container = matches!(node.role.general(), Role::Table | Role::List);
    let table = if is_container { rows::around(tree, budget, ancestry) } else { rows::WindowsTable::default() };
    Ok(Some(Element { rows: table.rows, has_header: table.has_header, row: table.here, ..element }))
}

/// Assembles the reported element.
fn build_element(
    window: &WindowInfo,
    node: &WindowsNode,
    found: text::TextAtPoint,
    details: NodeDetails,
    path: &[i32],
) -> Element {
    let NodeDetails { name, properties } = details;
    let identity = id::IdentityInput {
        process: window.process,
        window: window.handle,
        automation_id: &node.automation_id,
        role: node.role,
        name: &name,
        path,
    };
    let id = id::element_id(identity);
    Element {
        label: if name == found.text { String::new() } else { name },
        offset: found.offset,
        automation_id: node.automation_id.clone(),
        enabled: node.enabled,
        properties,
        ..Element::new(id, node.role, found.text, node.bounds)
    }
}
