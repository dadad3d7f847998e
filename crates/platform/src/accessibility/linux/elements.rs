//! The visible elements of a window that have a text or can be acted on, as candidates for a command (PIC-9). Of protected
//! fields at most label, role and states are told (PIC-5).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{join, join3};
use futures_util::stream::{self, StreamExt as _};
use luna_messages::Rect;
use luna_messages::element::State;
use luna_messages::element_action::Capacity;
use luna_messages::pick::{Element, Role};
use tokio::time::Instant;

use super::super::ancestor_walk;
use super::actions::ElementOffer;
use super::cached_tree::TreeSource;
use super::call_error::CallError;
use super::display::TopLevelWindow;
use super::element::{ElementParts, build_element, build_protected, build_withheld, known_properties};
use super::field::Effort;
use super::field_look::FieldSecrecy;
use super::node::{LinuxNode, NodeFacts};
use super::paths::AncestorPaths;
use super::walk::{Visit, WalkBudget, time_is_over, walk_known};
use super::{WindowContext, allowance, focus_search, hit, is_own_frame, lines, position, protect, reading, text};

/// Concurrent requests for texts.
const CONCURRENT_TEXTS: usize = 16;

/// What the elements are listed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementPurpose {
    /// To tell them; protected fields are left out.
    Tell,
    /// To act on them; protected fields are among them, and what can be done to each is known.
    Act,
}

impl ElementPurpose {
    /// Maximum number of elements to visit, and to report.
    const fn limits(self) -> (usize, usize) {
        match self {
            Self::Tell => (1200, 500),
            Self::Act => (2400, 1000),
        }
    }

    /// Time limits of the walk and of reading the texts, both from the start of the query. Some elements are better than none: a page may have thousands.
    /// What is to be acted on is waited for longer: a busy machine needs a second for a page that else takes 0.2 s, and an order can't be carried out on half
    /// of it.
    const fn time_limits(self) -> (Duration, Duration) {
        match self {
            Self::Tell => (Duration::from_millis(400), Duration::from_millis(750)),
            Self::Act => (Duration::from_millis(1000), Duration::from_millis(1750)),
        }
    }
}

/// An element of a window, and where it is in the tree.
pub(super) struct FoundNode {
    pub(super) node: LinuxNode,
    /// Of a protected field without its text (PIC-5).
    pub(super) element: Element,
    /// What it offers; nothing if the elements are listed to be told.
    pub(super) offer: ElementOffer,
    /// Whether its content is a secret (PIC-5).
    pub(super) is_protected: bool,
    /// Whether it has the keyboard focus.
    pub(super) is_focused: bool,
    /// Positions among siblings, its own first, up to below the window's element.
    pub(super) path: Vec<i32>,
}

/// The elements of a window.
pub(super) struct FoundNodes {
    pub(super) elements: Vec<FoundNode>,
    /// Whether nothing is missing because of a limit or a late answer.
    pub(super) is_complete: bool,
    /// Whether something is missing because of a late answer.
    pub(super) is_late: bool,
    /// Boxes of the web pages that the window shows.
    pub(super) pages: Vec<Rect>,
}

/// The elements of the window `top`, whose context is `context`.
pub(super) async fn elements(context: &WindowContext, top: &TopLevelWindow) -> Result<Vec<Element>, CallError> {
    let found = found(context, top, ElementPurpose::Tell).await?;
    Ok(found.elements.into_iter().map(|found| found.element).collect())
}

/// As [`elements`], with where they are in the tree.
pub(super) async fn found(
    context: &WindowContext,
    top: &TopLevelWindow,
    purpose: ElementPurpose,
) -> Result<FoundNodes, CallError> {
    let start = Instant::now();
    let (max_visited, max_elements) = purpose.limits();
    let (walk_limit, read_limit) = purpose.time_limits();
    let late = allowance::late_calls();
    let view = top.info.bounds;
    let mut taken = if top.is_popup { hit::menu_items(&context.app, view).await? } else { Vec::new() };
    let (mut is_complete, mut is_late) = (true, false);
    let pages = Mutex::new(Vec::new());
    let mut source = TreeSource::Unasked;
    if taken.is_empty() {
        // A popup that the application's tree doesn't describe covers the window that the tree describes.
        if top.is_popup && !is_own_frame(context, view).await? {
            return Ok(FoundNodes { elements: Vec::new(), is_complete, is_late: false, pages: Vec::new() });
        }
        let budget = WalkBudget { elements: max_visited, until: Some(start + walk_limit), unseen: false };
        let local = context.app.local;
        let look = |facts: &NodeFacts, around: Option<&NodeFacts>| {
            if facts.native == Native::DocumentWeb && facts.states.is_shown(local) {
                pages.lock().unwrap_or_else(PoisonError::into_inner).push(facts.bbox.intersection(view));
            }
            visit(facts, around, view, local, purpose)
        };
        let walked = walk_known(&context.frame, &mut source, view, budget, look).await?;
        // An incomplete walk that found nothing does not mean that the window is empty.
        if walked.taken.is_empty() && !walked.is_complete {
            return Err(CallError::Late);
        }
        (taken, is_complete) = (walked.taken, walked.is_complete);
        is_late = !is_complete && start.elapsed() >= walk_limit;
    }
    if taken.len() > max_elements {
        // Commands target actionable elements more often than text.
        taken.sort_by_key(|(_, facts)| !is_actionable(facts.role));
        taken.truncate(max_elements);
        is_complete = false;
    }
    // Time may end before all are read: the cells of a sheet are many, and nothing else is left out for them.
    taken.sort_by_key(|(_, facts)| facts.sheet.is_some());
    let nodes = taken.iter().map(|(node, facts)| (node, facts.sheet.as_deref()));
    let paths = AncestorPaths::of(nodes, &context.frame, source.tree()).await;
    let (paths, count) = (&paths, taken.len());
    let elements = taken.into_iter().map(|(node, facts)| async move {
        let path = paths.path(&node, &context.frame);
        element_of(top, node, &facts, path, purpose).await
    });
    let elements: Vec<Option<FoundNode>> = stream::iter(elements)
        .buffered(CONCURRENT_TEXTS)
        .take_until(time_is_over(Some(start + read_limit)))
        .collect()
        .await;
    is_late |= elements.len() < count || allowance::late_calls() > late;
    let is_complete = is_complete && !is_late;
    let elements: Vec<FoundNode> = elements.into_iter().flatten().collect();
    let pages = pages.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(FoundNodes { elements: without_open_menus(without_doubles(elements)), is_complete, is_late, pages })
}

/// The element `node` of the window as it is now, for acting on it; `None` if it is nothing that a command can mean.
pub(super) async fn current(
    context: &WindowContext,
    top: &TopLevelWindow,
    node: LinuxNode,
) -> Result<Option<FoundNode>, CallError> {
    let (facts, paths) =
        join(node.facts(), AncestorPaths::of(std::iter::once((&node, None)), &context.frame, None)).await;
    let path = paths.path(&node, &context.frame);
    Ok(element_of(top, node, &facts?, path, ElementPurpose::Act).await)
}

/// Leaves out elements that only contain another one with the same role and text, as GTK 4's menu buttons do. Pure.
fn without_doubles(elements: Vec<FoundNode>) -> Vec<FoundNode> {
    let holds = |outer: &Element, inner: &Element| {
        outer.role.general() == inner.role.general()
            && !outer.text.is_empty()
            && outer.text == inner.text
            && outer.bbox != inner.bbox
            && outer.bbox.intersection(inner.bbox) == inner.bbox
    };
    let mut by_text: HashMap<&str, Vec<&Element>> = HashMap::new();
    for FoundNode { element, .. } in &elements {
        by_text.entry(element.text.as_str()).or_default().push(element);
    }
    let alike = |outer: &FoundNode| by_text.get(outer.element.text.as_str()).into_iter().flatten();
    let is_double = |outer: &FoundNode| alike(outer).any(|inner| holds(&outer.element, inner));
    let is_double: Vec<bool> = elements.iter().map(is_double).collect();
    elements.into_iter().zip(is_double).filter(|(_, is_double)| !is_double).map(|(element, _)| element).collect()
}

/// Leaves out menus whose entries are shown inside them, as pages have them: their text is that of all entries. Pure.
fn without_open_menus(elements: Vec<FoundNode>) -> Vec<FoundNode> {
    let is_open = |menu: &Element| {
        let holds = |entry: &Element| entry.role == Role::MenuItem && menu.bbox.contains(entry.bbox.center());
        menu.role == Role::Menu && elements.iter().any(|one| one.element.id != menu.id && holds(&one.element))
    };
    let are_open: Vec<bool> = elements.iter().map(|one| is_open(&one.element)).collect();
    elements.into_iter().zip(are_open).filter(|(_, is_open)| !is_open).map(|(element, _)| element).collect()
}

/// Whether a command can do more with an element of this role than read it.
const fn is_actionable(role: Role) -> bool {
    ancestor_walk::is_actionable(role)
}

/// Which elements are reported: those that are read as lines, and actionable elements inside a text, a list item or a
/// cell, but not the pieces that such a text consists of.
fn visit(facts: &NodeFacts, around: Option<&NodeFacts>, view: Rect, local: bool, purpose: ElementPurpose) -> Visit {
    let is_acting = purpose == ElementPurpose::Act;
    // A picture may be pressed.
    if is_acting && (facts.role == Role::Protected || facts.role == Role::Image && facts.children == 0) {
        let is_here = facts.states.is_shown(local) && !facts.bbox.intersection(view).is_empty();
        return if is_here { Visit::Take } else { Visit::Skip };
    }
    let what = lines::visit(facts, view, local);
    // A menu of a page shows its entries inside itself. A menu of a program is an entry itself, which can be selected: what belongs to it lies in a window
    // of its own or is hidden, and asking for it would cost the program hundreds of answers.
    let may_show_entries = facts.role == Role::Menu && !facts.states.is_selectable() && facts.children > 0;
    if is_acting && what == Visit::Take && may_show_entries {
        return Visit::TakeAndEnter;
    }
    let is_in_text = around.is_some_and(|around| matches!(around.role.general(), Role::Text | Role::Heading));
    if is_acting && what == Visit::Enter && is_in_text && is_inline(facts) {
        return Visit::TakeAndEnter;
    }
    if what != Visit::Take || is_actionable(facts.role) {
        return what;
    }
    // A tab is often the ancestor of its whole page; only what lies in the tab's own box is a piece of it.
    let is_part_of = |around: &NodeFacts| around.role != Role::Tab || around.bbox.contains(facts.bbox.center());
    let is_piece = matches!(facts.role.general(), Role::Text | Role::Heading) && around.is_some_and(is_part_of);
    match (is_piece, facts.native == Native::Static) {
        (true, true) => Visit::Skip,
        (true, false) => Visit::Enter,
        (false, true) => Visit::Take,
        (false, false) => Visit::TakeAndEnter,
    }
}

/// Whether it may be a part of a text that a page lets be pressed; parts without a meaning of their own are not told.
fn is_inline(facts: &NodeFacts) -> bool {
    facts.native == Native::Section && facts.role == Role::Group
}

async fn element_of(
    top: &TopLevelWindow,
    node: LinuxNode,
    facts: &NodeFacts,
    path: Vec<i32>,
    purpose: ElementPurpose,
) -> Option<FoundNode> {
    let is_acting = purpose == ElementPurpose::Act;
    if facts.role == Role::Protected {
        return if is_acting { Some(protected(top, node, facts, path).await) } else { None };
    }
    let mut details = if facts.sheet.is_some() { node.brief_details().await } else { node.details(facts).await };
    let secrecy = match facts.is_field() {
        true => protect::secrecy(&node, facts, &mut details, Effort::OneOfMany).await,
        false => FieldSecrecy::Open,
    };
    if secrecy == FieldSecrecy::Secret {
        return if is_acting { Some(protected(top, node, facts, path).await) } else { None };
    }
    // A switch of GTK 3 has no name, but a label beside it.
    let is_nameless = is_acting && is_actionable(facts.role) && details.name.trim().is_empty();
    if !facts.is_field() && (facts.role.has_content() || is_nameless) {
        details.label = details.label_of(&node, facts, None).await;
    }
    let is_inline = is_acting && is_inline(facts);
    let role = if is_inline { Role::Text } else { details.attributes.role(facts.role) };
    let offer = async {
        if is_acting {
            ElementOffer::of(&node, facts, role, &details.interfaces).await
        } else {
            ElementOffer::default()
        }
    };
    let mut properties = known_properties(facts, role, &details);
    // A field for a date has the focus in one of its parts.
    let mut is_focused = focus_search::has_focus(facts);
    if is_acting && role == Role::DateField && !is_focused {
        is_focused = focus_search::focused_below(&node).await.is_ok_and(|part| part.is_some());
    }
    if secrecy == FieldSecrecy::Unknown {
        let element = build_withheld(&top.info, (&node, facts), &details, properties, &path);
        let (element, offer) = join(element, offer).await;
        return Some(FoundNode { node, element, offer, is_protected: false, is_focused, path });
    }
    properties.position = details.attributes.position().filter(|_| position::has_position(role));
    let value = async {
        let has_range = matches!(role, Role::Slider | Role::SpinButton | Role::ProgressBar);
        if has_range { node.range_value(&details).await } else { None }
    };
    let read = text::read(&node, facts, role, &details, reading::PlaceInText::Beginning);
    let (reading, value, offer) = join3(read, value, offer).await;
    properties.value = value;
    // An option of a list is told as an entry of a menu, and whether it is chosen matters to who chooses it.
    if role == Role::MenuItem && offer.capacities().contains(Capacity::Select) {
        let is_selected = facts.states.is_selected();
        let states = properties.states.with_if(State::Selected, is_selected);
        properties.states = states.with_if(State::Unselected, !is_selected);
    }
    let reading = reading::TextAtPointer { offset: None, ..reading };
    let parts = ElementParts { role, reading, details: &details, properties, path: &path };
    let mut element = build_element(&top.info, facts, parts).await;
    if is_nameless && element.text.is_empty() && element.label.is_empty() {
        element.label = std::mem::take(&mut details.label);
    }
    // Nothing without a text and a label can be meant by a command, except the empty line of a document in which the caret is.
    let is_written_in = is_focused && offer.capacities().contains(Capacity::Insert);
    let tells_something = !element.text.is_empty() || !element.label.is_empty() || role.has_content() || is_written_in;
    let is_more = !is_inline && role.general() != Role::Image || offer.capacities().contains(Capacity::Press);
    (tells_something && is_more).then_some(FoundNode { node, element, offer, is_protected: false, is_focused, path })
}

/// A protected field: it can be focused and written, and never pressed (PIC-5).
async fn protected(top: &TopLevelWindow, node: LinuxNode, facts: &NodeFacts, path: Vec<i32>) -> FoundNode {
    let offer = async {
        let interfaces = node.interfaces().await.unwrap_or_default();
        ElementOffer::of(&node, facts, Role::Protected, &interfaces).await
    };
    let (element, offer) = join(build_protected(&top.info, (&node, facts), None, &path), offer).await;
    FoundNode { node, element, offer, is_protected: true, is_focused: facts.states.is_focused(), path }
}
