//! The visible elements of a window that have a text or can be acted on, as candidates for a command (PIC-9). Protected
//! fields are left out (PIC-5).

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::join;
use futures_util::stream::{self, StreamExt as _};
use luna_messages::Rect;
use luna_messages::pick::{Element, Role};
use tokio::time::Instant;

use super::super::ancestor_walk;
use super::call_error::CallError;
use super::children::is_countable;
use super::display::TopLevelWindow;
use super::element::{ElementParts, build_element, build_withheld, known_properties};
use super::field::Effort;
use super::field_look::FieldSecrecy;
use super::node::{LinuxNode, NodeFacts};
use super::walk::{Visit, WalkBudget, time_is_over, walk};
use super::{WindowContext, hit, is_own_frame, lines, position, protect, reading, text};

/// Maximum number of elements to visit.
const MAX_VISITED: usize = 1200;
/// Maximum number of elements to report.
const MAX_ELEMENTS: usize = 500;
/// Depth limit of the tree.
const DEPTH: usize = 48;
/// Concurrent requests for ancestor paths and for texts.
const CONCURRENT_PATHS: usize = 48;
const CONCURRENT_TEXTS: usize = 16;
/// Time limits of the walk and of reading the texts, both from the start of the query. Some elements are better than
/// none: a page may have thousands.
const WALK_LIMIT: Duration = Duration::from_millis(400);
const READ_LIMIT: Duration = Duration::from_millis(750);

/// The elements of the window `top`, whose context is `context`.
pub(super) async fn elements(context: &WindowContext, top: &TopLevelWindow) -> Result<Vec<Element>, CallError> {
    let start = Instant::now();
    let view = top.info.bounds;
    let mut taken = if top.is_popup { hit::menu_items(&context.app, view).await? } else { Vec::new() };
    if taken.is_empty() {
        // A popup that the application's tree doesn't describe covers the window that the tree describes.
        if top.is_popup && !is_own_frame(context, view).await? {
            return Ok(Vec::new());
        }
        let budget = WalkBudget { elements: MAX_VISITED, until: Some(start + WALK_LIMIT), unseen: false };
        let local = context.app.local;
        let walked = walk(&context.frame, view, budget, |facts, around| visit(facts, around, view, local)).await?;
        // An incomplete walk that found nothing does not mean that the window is empty.
        if walked.taken.is_empty() && !walked.is_complete {
            return Err(CallError::Late);
        }
        taken = walked.taken;
    }
    if taken.len() > MAX_ELEMENTS {
        // Commands target actionable elements more often than text.
        taken.sort_by_key(|(_, facts)| !is_actionable(facts.role));
        taken.truncate(MAX_ELEMENTS);
    }
    let paths = AncestorPaths::of(taken.iter().map(|(node, _)| node), &context.frame).await;
    let paths = &paths;
    let elements = taken.into_iter().map(|(node, facts)| async move {
        let path = paths.path(&node, &context.frame);
        element_of(top, &node, &facts, &path).await
    });
    let elements: Vec<Option<Element>> = stream::iter(elements)
        .buffered(CONCURRENT_TEXTS)
        .take_until(time_is_over(Some(start + READ_LIMIT)))
        .collect()
        .await;
    Ok(without_doubles(elements.into_iter().flatten().collect()))
}

/// Leaves out elements that only contain another one with the same role and text, as GTK 4's menu buttons do. Pure.
fn without_doubles(elements: Vec<Element>) -> Vec<Element> {
    let holds = |outer: &Element, inner: &Element| {
        outer.role.general() == inner.role.general()
            && !outer.text.is_empty()
            && outer.text == inner.text
            && outer.bbox != inner.bbox
            && outer.bbox.intersection(inner.bbox) == inner.bbox
    };
    let is_double: Vec<bool> = elements.iter().map(|outer| elements.iter().any(|inner| holds(outer, inner))).collect();
    elements.into_iter().zip(is_double).filter(|(_, is_double)| !is_double).map(|(element, _)| element).collect()
}

/// Whether a command can do more with an element of this role than read it.
const fn is_actionable(role: Role) -> bool {
    ancestor_walk::is_actionable(role)
}

/// Which elements are reported: those that are read as lines, and actionable elements inside a text, a list item or a
/// cell, but not the pieces that such a text consists of.
fn visit(facts: &NodeFacts, around: Option<&NodeFacts>, view: Rect, local: bool) -> Visit {
    let what = lines::visit(facts, view, local);
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

async fn element_of(top: &TopLevelWindow, node: &LinuxNode, facts: &NodeFacts, path: &[i32]) -> Option<Element> {
    let mut details = node.details(facts).await;
    let secrecy = match facts.is_field() {
        true => protect::secrecy(node, facts, &mut details, Effort::OneOfMany).await,
        false => FieldSecrecy::Open,
    };
    if secrecy == FieldSecrecy::Secret {
        return None;
    }
    if !facts.is_field() && facts.role.has_content() {
        details.label = details.label_of(node, facts, None).await;
    }
    let role = details.attributes.role(facts.role);
    let mut properties = known_properties(facts, role, &details);
    if secrecy == FieldSecrecy::Unknown {
        return Some(build_withheld(&top.info, (node, facts), &details, properties, path).await);
    }
    properties.position = details.attributes.position().filter(|_| position::has_position(role));
    let value = async {
        let has_range = matches!(role, Role::Slider | Role::SpinButton | Role::ProgressBar);
        if has_range { node.range_value(&details).await } else { None }
    };
    let (reading, value) = join(text::read(node, facts, role, &details, reading::PlaceInText::Beginning), value).await;
    properties.value = value;
    let reading = reading::TextAtPointer { offset: None, ..reading };
    let parts = ElementParts { role, reading, details: &details, properties, path };
    let element = build_element(&top.info, facts, parts).await;
    // Nothing without a text and a label can be meant by a command.
    (!element.text.is_empty() || !element.label.is_empty() || role.has_content()).then_some(element)
}

/// For each of many elements, its position among its siblings and its parent; shared ancestors are queried once.
struct AncestorPaths(HashMap<LinuxNode, (i32, Option<LinuxNode>)>);

impl AncestorPaths {
    #[expect(clippy::mutable_key_type, reason = "an element's hash is that of its name and path, which never change")]
    async fn of(nodes: impl Iterator<Item = &LinuxNode>, frame: &LinuxNode) -> Self {
        // Parent and number of children of each element.
        let mut known: HashMap<LinuxNode, (Option<LinuxNode>, i32)> = HashMap::new();
        let mut level: Vec<LinuxNode> = nodes.cloned().collect();
        for _ in 0..DEPTH {
            let requests = level.drain(..).map(|node| async move {
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
            let index = if is_countable { node.index().await.unwrap_or(-1) } else { -1 };
            (node, (index, parent))
        });
        Self(stream::iter(requests).buffer_unordered(CONCURRENT_PATHS).collect().await)
    }

    /// Positions among siblings, the element's own first, up to below `frame`: the same as by
    /// [`super::ancestor_path::AncestorPath`] (PIC-6).
    fn path(&self, node: &LinuxNode, frame: &LinuxNode) -> Vec<i32> {
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
