//! From events to the element that has the keyboard focus now (ATT-2).
//!
//! Events alone don't tell it: background windows, hidden lists and documents send them as well, some for containers of
//! what has the focus. So an element counts only if its own state says that it has the focus, in the active window.

use std::sync::Arc;
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::focus::FocusChange;
use luna_messages::pick::{Role, WindowInfo};
use tokio::time::Instant;

use super::ancestor_path::{AncestorPath, ScanCache};
use super::call_error::CallError;
use super::events::{FocusSignal, ObjectRef};
use super::focus_memory::{EnteredWindow, FocusMemory};
use super::focus_queue::{FocusHints, object};
use super::focus_search::{active_window, focused_below, focused_child, has_active_popup, has_focus, shown_menu};
use super::node::LinuxNode;
use super::session::AccessibilitySession;
use super::{LinuxTree, WindowContext, dialog, focus_element};

/// Maximum number of ancestors to follow up to the window.
const MAX_DEPTH: usize = 60;
/// How long a path up to the window is reused for elements below it.
const PATH_TTL: Duration = Duration::from_secs(5);
/// How long a window counts as not being on the display before it is searched there again.
const HIDDEN_TTL: Duration = Duration::from_secs(2);
/// Maximum number of applications among which to look for one with an active window.
const MAX_APPLICATIONS: usize = 64;
/// Maximum number of windows whose focus is remembered.
const MAX_REMEMBERED: usize = 64;

/// The result of a query.
pub(super) enum FocusVerdict {
    /// Where the focus is now, and what to remember of it.
    Moved(Box<(FocusChange, FocusMemory)>),
    /// The focus is where it was.
    Same,
    /// No window of the application is active any longer.
    Left,
    /// Nothing that was told has the focus.
    Nothing,
    /// The application or its window is not ready to tell.
    NotYet,
    /// The connection for queries was lost.
    Unconnected,
}

/// An element that has the focus.
struct FoundElement {
    node: LinuxNode,
    /// Whether it is reported even if it was before, because its value changed.
    has_changed: bool,
}

/// A query for the focus.
pub(super) struct FocusQuery<'a> {
    tree: &'a LinuxTree,
    session: &'a Arc<AccessibilitySession>,
    memory: FocusMemory,
}

impl<'a> FocusQuery<'a> {
    pub(super) fn new(tree: &'a LinuxTree, session: &'a Arc<AccessibilitySession>, memory: FocusMemory) -> Self {
        Self { tree, session, memory }
    }

    /// Tries the events in their order; the first that tells the focus wins. `has_patience`: whether a window in which an
    /// element is about to show the focus is not told without it.
    pub(super) async fn run(mut self, hints: FocusHints, has_patience: bool) -> FocusVerdict {
        let mut verdict = FocusVerdict::Nothing;
        // Applications of which an element told the focus but does not show it.
        let mut awaited: Vec<String> = Vec::new();
        // Told windows are looked at last, because they don't tell where in them the focus is.
        let mut windows: Vec<LinuxNode> = Vec::new();
        for hint in hints.in_order() {
            let tried = match hint {
                FocusSignal::Focused(object) | FocusSignal::Descendant { descendant: object, .. } => {
                    self.focused(object, &mut windows).await
                }
                FocusSignal::Selection(object) => self.selected(object).await,
                FocusSignal::Changed(object) => {
                    let node = self.memory.element.clone().filter(|element| element.reference_to() == *object);
                    node.map(|node| Some(FoundElement { node, has_changed: true })).ok_or(CallError::Refused)
                }
                FocusSignal::Activated(object) => match self.node(object).await {
                    Ok(window) => {
                        windows.push(window);
                        continue;
                    }
                    Err(error) => Err(error),
                },
                FocusSignal::Deactivated(object) => match self.other_window(object).await {
                    Ok(Some(window)) => {
                        windows.push(window);
                        continue;
                    }
                    Ok(None) => {
                        verdict = FocusVerdict::Left;
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            match tried {
                Ok(Some(found)) => match self.report(found).await {
                    Ok(FocusVerdict::NotYet) | Err(CallError::Late) => verdict = FocusVerdict::NotYet,
                    Ok(told) => return told,
                    Err(_) => {}
                },
                Ok(None) | Err(CallError::Late) => {
                    verdict = FocusVerdict::NotYet;
                    awaited.push(object(hint).name.clone());
                }
                // The element is gone.
                Err(_) => {}
            }
        }
        for window in windows {
            let is_awaited = has_patience && awaited.contains(&window.reference_to().name);
            match self.in_window(window, is_awaited).await {
                Ok(FocusVerdict::NotYet) | Err(CallError::Late) => verdict = FocusVerdict::NotYet,
                Ok(told) => return told,
                Err(_) => {}
            }
        }
        verdict
    }

    /// Where the focus is without an event having told it: in the active window of whichever application has one.
    pub(super) async fn anywhere(mut self) -> Result<Option<FocusChange>, CallError> {
        let roots = self.session.roots().await?;
        let active = join_all(roots.iter().take(MAX_APPLICATIONS).map(active_window)).await;
        let mut result = Ok(None);
        for window in active.into_iter().flatten() {
            // The root was reached over the shared bus only.
            let window = self.node(&window.reference_to()).await?;
            match self.in_window(window, false).await {
                Ok(FocusVerdict::Moved(found)) => return Ok(Some(found.0)),
                Ok(_) => {}
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// The element that an event names.
    async fn node(&mut self, object: &ObjectRef) -> Result<LinuxNode, CallError> {
        let app = match self.memory.apps.get(&object.name) {
            Some((app, _)) => Arc::clone(app),
            None => {
                let (app, process) = self.session.open_app(&object.name).await?;
                if self.memory.apps.len() > MAX_REMEMBERED {
                    self.memory.apps.clear();
                }
                self.memory.apps.insert(object.name.clone(), (Arc::clone(&app), process));
                app
            }
        };
        LinuxNode::root(app).at((object.name.clone(), object.path.clone())).ok_or(CallError::Refused)
    }

    /// The element itself, or what has the focus within it; `None` if it has no focus now. Windows go to `windows`.
    async fn focused(
        &mut self,
        object: &ObjectRef,
        windows: &mut Vec<LinuxNode>,
    ) -> Result<Option<FoundElement>, CallError> {
        let node = self.node(object).await?;
        let facts = node.facts().await?;
        if dialog::is_window(facts.native) {
            windows.push(node);
            return Err(CallError::Refused);
        }
        if !has_focus(&facts) {
            return Ok(None);
        }
        let node = focused_child(&node, &facts).await.unwrap_or(node);
        Ok(Some(FoundElement { node, has_changed: false }))
    }

    /// What a change of a selection means for the focus.
    async fn selected(&mut self, container: &ObjectRef) -> Result<Option<FoundElement>, CallError> {
        let node = self.node(container).await?;
        let Some(child) = node.selected_child().await else { return Err(CallError::Refused) };
        let (child_facts, facts) = join(child.facts(), node.facts()).await;
        let child_facts = child_facts?;
        if !child_facts.states.is_focused()
            && let Some(element) = self.box_around(&node).await?
        {
            return Ok(Some(FoundElement { node: element, has_changed: true }));
        }
        if has_focus(&child_facts) || facts?.states.is_focused() {
            return Ok(Some(FoundElement { node: child, has_changed: false }));
        }
        Err(CallError::Refused)
    }

    /// The combo box that has the focus, if `options` are its options, which are selected while the box has the focus.
    async fn box_around(&self, options: &LinuxNode) -> Result<Option<LinuxNode>, CallError> {
        let Some(element) = &self.memory.element else { return Ok(None) };
        let mut above = options.parent().await?;
        for _ in 0..3 {
            let Some(ancestor) = above else { break };
            if ancestor == *element {
                let is_box = element.native().await? == Native::ComboBox;
                return Ok(is_box.then(|| element.clone()));
            }
            above = ancestor.parent().await?;
        }
        Ok(None)
    }

    /// The active window of the application that owns `left`.
    async fn other_window(&mut self, left: &ObjectRef) -> Result<Option<LinuxNode>, CallError> {
        Ok(active_window(&LinuxNode::root(Arc::clone(&self.node(left).await?.app))).await)
    }

    /// What has the focus in a window that told no more than itself. `is_awaited`: whether an element of it is about to show
    /// the focus, so that it is not told itself.
    async fn in_window(&mut self, window: LinuxNode, is_awaited: bool) -> Result<FocusVerdict, CallError> {
        let path = self.path_up(window.clone()).await?;
        let top = path.last().map_or_else(|| window.clone(), |(top, _)| top.clone());
        if let Some(object) = self.memory.contents.get(&top.reference_to()).cloned()
            && let Ok(node) = self.node(&object).await
            && let Ok(facts) = node.facts().await
            && has_focus(&facts)
        {
            return self.report(FoundElement { node, has_changed: false }).await;
        }
        if let Some(node) = focused_below(&window).await? {
            return self.report(FoundElement { node, has_changed: false }).await;
        }
        // Nothing in it has the focus, so that its menu or the window itself is all that can be told.
        let node = match shown_menu(&window).await {
            Some(menu) => menu,
            None if is_awaited => return Ok(FocusVerdict::NotYet),
            None => window,
        };
        self.report(FoundElement { node, has_changed: false }).await
    }

    /// The path from `node` up to its window, with `node`.
    async fn path_up(&mut self, node: LinuxNode) -> Result<Vec<(LinuxNode, Native)>, CallError> {
        let known = self.memory.path.clone().filter(|(since, _)| Instant::now() < *since + PATH_TTL);
        let mut path: Vec<(LinuxNode, Native)> = Vec::new();
        let mut current = node;
        loop {
            if let Some((_, known)) = &known
                && let Some(position) = known.iter().position(|(above, _)| *above == current)
            {
                path.extend_from_slice(&known[position..]);
                break;
            }
            let (native, parent) = join(current.native(), current.parent()).await;
            let native = native?;
            if native == Native::Application || native == Native::DesktopFrame {
                break;
            }
            path.push((current, native));
            match parent.ok().flatten() {
                Some(parent) if path.len() < MAX_DEPTH && path.iter().all(|(below, _)| *below != parent) => {
                    current = parent;
                }
                _ => break,
            }
        }
        self.memory.path = Some((Instant::now(), path.clone()));
        Ok(path)
    }

    /// Describes the element and the windows that the focus entered with it.
    async fn report(&mut self, found: FoundElement) -> Result<FocusVerdict, CallError> {
        let FoundElement { node, has_changed } = found;
        let path = self.path_up(node.clone()).await?;
        let Some((top, _)) = path.last().cloned() else { return Err(CallError::Refused) };
        let mut windows: Vec<(LinuxNode, EnteredWindow)> = Vec::new();
        let rooms = path.iter().rev().filter(|(above, native)| *above == top || dialog::is_window(*native));
        for (above, _) in rooms {
            let Some((native, title, is_active)) = dialog::identity(above).await else { continue };
            // Popups of menus are never active, and some toolkits have windows without a role.
            let must_be_active = dialog::is_window(native) && native != Native::Window;
            if *above == top && must_be_active && !is_active && !has_active_popup(&top).await {
                return Ok(FocusVerdict::NotYet);
            }
            // The root pane of LibreOffice repeats its window.
            let is_repeated = windows.last().is_some_and(|(_, outer)| outer.title == title);
            if !title.trim().is_empty() && !is_repeated {
                windows.push((above.clone(), EnteredWindow { object: above.reference_to(), native, title }));
            }
        }
        let is_known = |window: &EnteredWindow| self.memory.windows.iter().any(|known| known.is(window));
        let entered: Vec<LinuxNode> =
            windows.iter().filter(|(_, window)| !is_known(window)).map(|(node, _)| node.clone()).collect();
        if !has_changed && entered.is_empty() && self.memory.element.as_ref() == Some(&node) {
            return Ok(FocusVerdict::Same);
        }
        let context = self.context(&top).await?;
        let window = self.window(&top, &context, &windows);
        // An element that is reached through its window's element converts its coordinates as that one does.
        let through_window = |object: ObjectRef| context.frame.at((object.name, object.path));
        let inside = through_window(node.reference_to()).ok_or(CallError::Refused)?;
        let known: Vec<(LinuxNode, Native)> =
            path.iter().filter_map(|(above, native)| Some((through_window(above.reference_to())?, *native))).collect();
        let element = async {
            let (frame, now) = (&context.frame, Instant::now());
            let cache = ScanCache::of_path(&known, frame, self.session, now).await;
            let here = cache.nodes().find(|known| **known == inside).cloned().unwrap_or_else(|| inside.clone());
            let mut ancestry = AncestorPath::up(here, frame, cache).await?;
            ancestry.path = ancestry.index(frame, self.session, now).await;
            Ok::<_, CallError>(focus_element::describe(&window, &ancestry).await)
        };
        let rooms = entered.iter().filter(|room| **room != node);
        let rooms = join_all(rooms.map(|room| dialog::announced(&window, room, *room == top, &node)));
        let (element, rooms) = join(element, rooms).await;
        let mut entered: Vec<_> = rooms.into_iter().flatten().collect();
        let mut element = match element? {
            Some(element) => element,
            // A window that tells no more than itself.
            None => {
                let told = dialog::announced(&window, &inside, node == top, &inside).await;
                told.ok_or(CallError::Refused)?
            }
        };
        if self.memory.shown.is_none() {
            // Without a window on the display, as on Wayland, places are relative to nothing that is known.
            element.bbox = luna_messages::Rect::default();
            entered.iter_mut().for_each(|window| window.bbox = luna_messages::Rect::default());
        }
        Ok(self.moved(node, top, windows, element.role, FocusChange { entered, element }))
    }

    /// Remembers where the focus is.
    fn moved(
        &mut self,
        node: LinuxNode,
        top: LinuxNode,
        windows: Vec<(LinuxNode, EnteredWindow)>,
        role: Role,
        change: FocusChange,
    ) -> FocusVerdict {
        let mut memory = std::mem::take(&mut self.memory);
        // Menus come and go above what has the focus, and so do their popups without a title.
        if !matches!(role.general(), Role::MenuItem | Role::Window) {
            if memory.contents.len() > MAX_REMEMBERED {
                memory.contents.clear();
            }
            memory.contents.insert(top.reference_to(), node.reference_to());
        }
        if !windows.is_empty() {
            memory.windows = windows.into_iter().map(|(_, window)| window).collect();
        }
        memory.element = Some(node);
        FocusVerdict::Moved(Box::new((change, memory)))
    }

    /// The window's element, and what the application's coordinates are relative to. With a window on the display, the
    /// same as for a pick, so that ids are the same (PIC-6).
    async fn context(&mut self, top: &LinuxNode) -> Result<WindowContext, CallError> {
        let object = top.reference_to();
        if let Some((known, shown)) = self.memory.shown.take()
            && known == object
            // It may have been moved meanwhile.
            && let Ok(Some(shown)) = self.tree.windows.find(shown.info.handle)
            && let Some(context) = self.tree.context(self.session, &shown).await?
        {
            self.memory.shown = Some((object, shown));
            return Ok(context);
        }
        let now = Instant::now();
        let is_hidden = |(known, since): &(ObjectRef, Instant)| *known == object && now < *since + HIDDEN_TTL;
        if !self.memory.hidden.as_ref().is_some_and(is_hidden) {
            let title = top.name().await.unwrap_or_default();
            // Without a display there are no windows on it.
            for shown in self.tree.windows.active_first().unwrap_or_default() {
                if shown.is_popup {
                    continue;
                }
                let context = self.tree.context(self.session, &shown).await.ok().flatten();
                if let Some(context) = context.filter(|context| context.app.name == top.app.name)
                    && (context.frame == *top || context.frame.name().await.is_ok_and(|name| name == title))
                {
                    self.memory.shown = Some((object, shown));
                    return Ok(context);
                }
            }
            self.memory.hidden = Some((object, now));
        }
        let (session, app) = (Arc::clone(self.session), Arc::clone(&top.app));
        Ok(WindowContext { session, app, frame: top.clone() })
    }

    fn window(&self, top: &LinuxNode, context: &WindowContext, windows: &[(LinuxNode, EnteredWindow)]) -> WindowInfo {
        match &self.memory.shown {
            Some((_, shown)) => shown.info.clone(),
            None => WindowInfo {
                handle: 0,
                process: self.memory.apps.get(&context.app.name).map_or(0, |(_, process)| *process),
                title: windows
                    .first()
                    .filter(|(node, _)| node == top)
                    .map(|(_, one)| one.title.clone())
                    .unwrap_or_default(),
                bounds: luna_messages::Rect::default(),
            },
        }
    }
}
