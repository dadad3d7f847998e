//! What is at a point of a window: an element, a protected field, or nothing that the tree can tell.

use futures_util::future::join;
use luna_messages::pick::{Role, WindowInfo};
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, Rect};
use tokio::time::Instant;

use super::super::{AtPoint, masked, row_extent};
use super::ancestor_path::{AncestorPath, ScanCache};
use super::call_error::CallError;
use super::display::TopLevelWindow;
use super::field::Effort;
use super::field_look::FieldSecrecy;
use super::reading::PlaceInText;
use super::{LinuxTree, WindowContext, element, hit, is_own_frame, pages, protect};

impl LinuxTree {
    /// What is at `point` of the window `top`; `context` is `None` if the window is not on the bus.
    pub(super) async fn pick(
        context: Option<WindowContext>,
        top: &TopLevelWindow,
        point: Point,
        region: Rect,
    ) -> Result<AtPoint, CallError> {
        let window = top.info.clone();
        // The window is not on the bus, so nothing is known about it, not even whether it has protected fields.
        let Some(context) = context else {
            return Ok(AtPoint::NoText { window, protected: Vec::new() });
        };
        let mut ancestry = match Self::ancestry(&context, top, point).await? {
            Some(ancestry) => ancestry,
            None => {
                let protected = protect::boxes(&context.frame, region).await?;
                return Ok(AtPoint::NoText { window, protected });
            }
        };
        let now = Instant::now();
        if let Some(protected) = ancestry.protected() {
            ancestry.path = ancestry.index(&context.frame, &context.session, now).await;
            return protected_at(&window, &ancestry, protected).await;
        }
        let mut target = ancestry.target(point);
        if target == 0 {
            target = element::sentence_host(&ancestry).await;
        }
        let Some(ancestor) = ancestry.ancestors.get(target) else {
            return Err(CallError::Refused);
        };
        let path = ancestry.index(&context.frame, &context.session, now);
        let (path, mut details) = join(path, ancestor.node.details(&ancestor.facts)).await;
        let mut secrecy = FieldSecrecy::Open;
        if ancestor.facts.is_field() {
            let is_nameless = details.name.trim().is_empty();
            if is_nameless {
                details.name = ancestry.name_around(target).await;
            }
            let effort = Effort::Attended(ancestry.ancestors.get(target + 1..).unwrap_or_default());
            secrecy = protect::secrecy(&ancestor.node, &ancestor.facts, &mut details, effort).await;
            // The keyboard focus does not know this name, and the field has one id for both (PIC-6).
            if is_nameless && !details.name.is_empty() {
                details.label = std::mem::take(&mut details.name);
            }
        }
        ancestry.path = path;
        match secrecy {
            FieldSecrecy::Open => {}
            FieldSecrecy::Unknown => {
                let withheld = element::withheld(&window, &ancestry, target, &details).await;
                return withheld.map(AtPoint::Element).ok_or(CallError::Refused);
            }
            FieldSecrecy::Secret => return protected_at(&window, &ancestry, target).await,
        }
        if let Some(element) = element::at(&window, &ancestry, target, &mut details, PlaceInText::Pointer(point)).await
        {
            // Some toolkits return mask characters instead of the typed text; reading them aloud is useless.
            let is_masked = element.role == Role::Edit && masked::hides(&element.text, 0);
            return Ok(if is_masked {
                protected_at(&window, &ancestry, target).await?
            } else {
                AtPoint::Element(element)
            });
        }
        let protected = protect::boxes(&context.frame, region).await?;
        Ok(AtPoint::NoText { window, protected })
    }

    /// The table or list at `point`, or its row there.
    pub(super) async fn rows(
        context: Option<WindowContext>,
        top: &TopLevelWindow,
        point: Point,
        extent: RowsExtent,
    ) -> Result<AtPoint, CallError> {
        let window = top.info.clone();
        let nothing = AtPoint::NoText { window: window.clone(), protected: Vec::new() };
        let Some(context) = context else { return Ok(nothing) };
        let Some(mut ancestry) = Self::ancestry(&context, top, point).await? else { return Ok(nothing) };
        ancestry.path = ancestry.index(&context.frame, &context.session, Instant::now()).await;
        if let Some(protected) = ancestry.protected() {
            return protected_at(&window, &ancestry, protected).await;
        }
        let container = element::container(&window, &ancestry).await;
        Ok(container.and_then(|container| row_extent::cut(container, extent)).map_or(nothing, AtPoint::Element))
    }

    /// The path from the element under `point` up to its window, without positions; `None` if the application's tree
    /// doesn't describe what is there.
    pub(super) async fn ancestry(
        context: &WindowContext,
        top: &TopLevelWindow,
        point: Point,
    ) -> Result<Option<AncestorPath>, CallError> {
        let window = &top.info;
        let mut scan_cache = ScanCache::default();
        let in_menu = if top.is_popup { hit::in_menu(&context.app, window.bounds, point).await? } else { None };
        let is_in_menu = in_menu.is_some();
        let hit = match in_menu {
            Some(item) => item,
            None => hit::hit(&context.frame, point, &mut scan_cache).await?,
        };
        let hit = pages::corrected(hit, point, &mut scan_cache).await;
        let frame = &context.frame;
        let ancestry = AncestorPath::up(hit, frame, scan_cache).await?;
        // A popup may cover the window that the application's tree describes, or be described as a part of it.
        let is_described = !top.is_popup
            || is_in_menu
            || ancestry.has_part_at(window.bounds)
            || is_own_frame(context, window.bounds).await?;
        Ok(is_described.then_some(ancestry))
    }
}

/// The protected field at `target` of the path.
async fn protected_at(window: &WindowInfo, ancestry: &AncestorPath, target: usize) -> Result<AtPoint, CallError> {
    element::protected(window, ancestry, target).await.map(AtPoint::Protected).ok_or(CallError::Refused)
}
