//! Follows the keyboard focus by the events of UI Automation (ATT-2).
//!
//! The events come on threads of UI Automation, which must not query. So an event only wakes the watch's own thread,
//! which asks where the focus is now: of a burst, the newest place is reported once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::focus::FocusChange;
use luna_messages::pick::{Element, Role, WindowInfo};
use tokio::time::Instant;
use uiautomation::events::{CustomFocusChangedEventHandlerFn, UIFocusChangedEventHandler};
use uiautomation::types::{ControlType, TreeScope, UIProperty};
use uiautomation::variants::Variant;

use super::budget::Budget;
use super::text::TextAtPoint;
use super::tree::{WindowsNode, WindowsTree, found, from_uia};
use super::{FocusMove, Watch, build_element, element, properties, window};
use crate::PlatformError;
use crate::win32::no_thread;

/// How long to wait for more events after one.
const SETTLE: Duration = Duration::from_millis(4);
/// Maximum number of texts in the message of a dialog.
const MAX_TEXTS: usize = 6;
/// The class of the dialogs of Windows itself.
const DIALOG_CLASS: &str = "#32770";

/// Starts the thread.
///
/// # Errors
/// [`PlatformError::Unavailable`] if UI Automation can't be reached or no thread can be started,
/// [`PlatformError::NoAnswer`] if it does not report the focus.
pub(super) fn start(moved: Box<dyn Fn(FocusMove) + Send>) -> Result<Watch, PlatformError> {
    // One waiting event stands for any number.
    let (wake, events) = sync_channel(1);
    let (ready, begun) = sync_channel(1);
    let stopped = Arc::new(AtomicBool::new(false));
    let (told, is_stopped) = (wake.clone(), Arc::clone(&stopped));
    std::thread::Builder::new()
        .name("luna-focus".into())
        .spawn(move || follow(&ready, told, &events, &is_stopped, &*moved))
        .map_err(|error| no_thread("follow the keyboard focus", &error))?;
    begun.recv().unwrap_or(Err(PlatformError::NoAnswer))?;
    Ok(Watch::new(move || {
        stopped.store(true, Ordering::Release);
        // A full channel wakes the thread as well.
        let _ = wake.try_send(());
    }))
}

fn follow(
    ready: &SyncSender<Result<(), PlatformError>>,
    told: SyncSender<()>,
    events: &Receiver<()>,
    stopped: &AtomicBool,
    moved: &(dyn Fn(FocusMove) + Send),
) {
    let registered = WindowsTree::connect().and_then(|tree| {
        let handle: Box<CustomFocusChangedEventHandlerFn> = Box::new(move |_| {
            let _ = told.try_send(());
            Ok(())
        });
        let handler = UIFocusChangedEventHandler::from(handle);
        tree.automation.add_focus_changed_event_handler(None, &handler).map_err(|error| from_uia(&error))?;
        Ok((tree, handler))
    });
    let (tree, handler) = match registered {
        Ok(registered) => registered,
        Err(error) => {
            let _ = ready.send(Err(error));
            return;
        }
    };
    let _ = ready.send(Ok(()));
    let mut inside = None;
    while events.recv().is_ok() && !stopped.load(Ordering::Acquire) {
        let (id, event_at) = (RequestId::next(), Instant::now());
        std::thread::sleep(SETTLE);
        while events.try_recv().is_ok() {}
        match focus(&tree, &mut inside) {
            Ok(Some(change)) if !stopped.load(Ordering::Acquire) => moved(FocusMove { id, change, event_at }),
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "The element with the keyboard focus can't be read."),
        }
    }
    let _ = tree.automation.remove_focus_changed_event_handler(&handler);
}

/// Where the focus is now. `inside`: handle and title of the window that it was in.
pub(super) fn focus(
    tree: &WindowsTree,
    inside: &mut Option<(u64, String)>,
) -> Result<Option<FocusChange>, PlatformError> {
    let Some(focused) = found(tree.automation.get_focused_element_build_cache(tree.facts()))? else { return Ok(None) };
    let Some(window) = window::active() else { return Ok(None) };
    let budget = Budget::new();
    let ancestry = tree.ancestors(WindowsNode::new(focused)?, &budget)?;
    let Some(node) = ancestry.first() else { return Ok(None) };
    let secret = ancestry.iter().position(WindowsNode::is_protected);
    let element = match secret {
        Some(position) => bare(tree, &budget, &window, ancestry.get(position..).unwrap_or_default())?,
        // The element is read as a whole: no pointer is on a part of it.
        None => match element(tree, &budget, &window, &ancestry, node.bounds.center())? {
            Some(found) => Some(Element { offset: None, ..found }),
            None => bare(tree, &budget, &window, &ancestry)?,
        },
    };
    let Some(element) = element else { return Ok(None) };
    let here = (window.handle, window.title.clone());
    let is_new = inside.as_ref().is_none_or(|known| *known != here);
    let room = ancestry.last().filter(|last| is_new && last.control == ControlType::Window);
    let entered = room.map(|room| announced(tree, &window, room)).transpose()?;
    *inside = Some(here);
    Ok(Some(FocusChange { entered: entered.into_iter().collect(), element }))
}

/// An element without a text to read: what it is, and its name unless it is protected.
fn bare(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
    ancestry: &[WindowsNode],
) -> Result<Option<Element>, PlatformError> {
    let Some(node) = ancestry.first() else { return Ok(None) };
    let details = properties::of(tree, node)?;
    let text = if node.role.has_content() || node.is_protected() { String::new() } else { details.name.clone() };
    let path = tree.path(ancestry, budget)?;
    Ok(Some(build_element(window, node, TextAtPoint { text, offset: None }, details, &path)))
}

/// The window that the focus entered: its title is its label; the message of a dialog is its text.
fn announced(tree: &WindowsTree, window: &WindowInfo, room: &WindowsNode) -> Result<Element, PlatformError> {
    let title = room.name()?;
    let is_dialog = room.element.get_classname().is_ok_and(|class| class == DIALOG_CLASS)
        || room
            .element
            .get_property_value(UIProperty::IsDialog)
            .is_ok_and(|is| TryInto::<bool>::try_into(is).unwrap_or(false));
    let text = if is_dialog { message(tree, room, &title).unwrap_or_default() } else { String::new() };
    let details = properties::of(tree, room)?;
    let built = build_element(window, room, TextAtPoint { text, offset: None }, details, &[]);
    Ok(Element { role: if is_dialog { Role::Dialog } else { Role::Window }, label: title, ..built })
}

/// The texts that lie directly in a dialog.
fn message(tree: &WindowsTree, dialog: &WindowsNode, title: &str) -> Result<String, PlatformError> {
    let texts = || {
        let is_text = Variant::from(ControlType::Text as i32);
        let condition = tree.automation.create_property_condition(UIProperty::ControlType, is_text, None)?;
        dialog.element.find_all_build_cache(TreeScope::Children, &condition, tree.facts())
    };
    let mut spoken: Vec<String> = Vec::new();
    for text in texts().map_err(|error| from_uia(&error))?.into_iter().take(MAX_TEXTS) {
        let text = WindowsNode::new(text)?.name()?.trim().to_owned();
        if !text.is_empty() && text != title && !spoken.contains(&text) {
            spoken.push(text);
        }
    }
    Ok(spoken.join(" "))
}
