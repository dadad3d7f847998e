//! Which element of a window has the keyboard focus, by the states of the elements.

use std::sync::Arc;
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::pick::Role;
use tokio::time::Instant;

use super::call_error::CallError;
use super::dialog;
use super::node::{LinuxNode, NodeFacts, States};
use super::walk::{Visit, WalkBudget, walk};

/// Limits of the search for the focus in a window that became active without saying where the focus is.
const MAX_SEARCHED: usize = 400;
const SEARCH_LIMIT: Duration = Duration::from_millis(150);
/// Maximum number of levels between a window and the menu that fills it, and of elements to examine on each.
const MAX_MENU_DEPTH: usize = 6;
const MAX_MENU_SIBLINGS: usize = 8;
/// Maximum number of windows of an application among which to look for the active one.
const MAX_WINDOWS: usize = 32;

impl LinuxNode {
    /// The position of the caret in the text, in characters. Never requested from a protected element.
    pub(super) async fn caret(&self) -> Option<usize> {
        let offset: i32 = self.property("org.a11y.atspi.Text", "CaretOffset").await.ok()?;
        usize::try_from(offset).ok()
    }

    /// The first selected child.
    pub(super) async fn selected_child(&self) -> Option<Self> {
        self.reference("org.a11y.atspi.Selection", "GetSelectedChild", &(0_i32,)).await.ok().flatten()
    }
}

/// The active window of an application.
pub(super) async fn active_window(root: &LinuxNode) -> Option<LinuxNode> {
    let windows = root.first_children(MAX_WINDOWS).await.ok()?;
    let states = join_all(windows.iter().map(LinuxNode::states)).await;
    let active = windows.into_iter().zip(states).find(|(_, states)| states.is_ok_and(|states| states.is_active()));
    active.map(|(window, _)| window)
}

/// Whether a popup of the application that owns `window` is its active window: the list of a combo box of GTK 3 is an
/// active window of its own, while what is in it belongs to the window of the box.
pub(super) async fn has_active_popup(window: &LinuxNode) -> bool {
    let root = LinuxNode::root(Arc::clone(&window.app));
    match active_window(&root).await {
        Some(active) => active.native().await == Ok(Native::Window),
        None => false,
    }
}

/// The selected child of a container, if it has the focus, or if the container is a row of tabs, which shows its focus at
/// the selected one.
pub(super) async fn focused_child(container: &LinuxNode, facts: &NodeFacts) -> Option<LinuxNode> {
    let is_row_of_tabs = facts.native == Native::PageTabList;
    if !is_row_of_tabs && !facts.states.manages_descendants() {
        return None;
    }
    let child = container.selected_child().await?;
    let facts = child.facts().await.ok()?;
    (is_row_of_tabs || has_focus(&facts)).then_some(child)
}

/// The menu that a window without a title shows. Browsers open menus as such windows, in which nothing has the focus yet.
pub(super) async fn shown_menu(window: &LinuxNode) -> Option<LinuxNode> {
    if !window.name().await.ok()?.trim().is_empty() {
        return None;
    }
    let mut current = window.clone();
    for _ in 0..MAX_MENU_DEPTH {
        let children = current.first_children(MAX_MENU_SIBLINGS).await.ok()?;
        let answers = join_all(children.iter().map(|child| join(child.native(), child.states()))).await;
        let is_shown = |states: Result<States, CallError>| states.is_ok_and(|states| states.is_shown(window.app.local));
        let mut shown = children.into_iter().zip(answers).filter(|(_, (_, states))| is_shown(*states));
        let (Some((only, (native, _))), None) = (shown.next(), shown.next()) else { return None };
        if matches!(native.ok()?, Native::Menu | Native::PopupMenu) {
            return Some(only);
        }
        current = only;
    }
    None
}

/// Whether the element has the keyboard focus. Entries of menus of GTK 3 and LibreOffice are selected instead.
pub(super) fn has_focus(facts: &NodeFacts) -> bool {
    facts.states.is_focused() || facts.role.general() == Role::MenuItem && facts.states.is_selected()
}

/// The innermost element below `window` that has the focus.
pub(super) async fn focused_below(window: &LinuxNode) -> Result<Option<LinuxNode>, CallError> {
    let until = Some(Instant::now() + SEARCH_LIMIT);
    let budget = WalkBudget { elements: MAX_SEARCHED, until, unseen: false };
    let facts = window.facts().await?;
    let local = window.app.local;
    let visit = |facts: &NodeFacts, _: Option<&NodeFacts>| {
        let is_window = dialog::is_window(facts.native);
        let is_bar = matches!(facts.native, Native::MenuBar | Native::ToolBar | Native::StatusBar | Native::ScrollBar);
        if facts.states.is_focused() && !is_window {
            Visit::TakeAndEnter
        } else if !facts.states.is_shown(local) && !is_window {
            Visit::Skip
        } else if is_bar {
            Visit::EnterLast
        } else {
            Visit::Enter
        }
    };
    let walked = walk(window, facts.bbox, budget, visit).await?;
    // The panel inside a text field of Qt has the focus together with the field.
    let is_content = |(_, facts): &&(LinuxNode, NodeFacts)| !matches!(facts.role.general(), Role::Group | Role::Other);
    let found = walked.taken.iter().rev().find(is_content).or(walked.taken.last());
    let Some((node, facts)) = found else { return Ok(None) };
    Ok(Some(focused_child(node, facts).await.unwrap_or_else(|| node.clone())))
}
