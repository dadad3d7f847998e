//! Where an element can be clicked, by the hit test of its application (EXE-1).

use luna_messages::ElementId;
use luna_messages::element_action::ElementRefusal;
use luna_messages::input::{ClickPoint, NoClickPoint};

use super::super::call_error::CallError;
use super::super::node::LinuxNode;
use super::super::{LinuxTree, WindowContext, is_tree_window};
use super::refusal;

/// Limit of the ancestors of an element; only a broken tree has more.
const MAX_DEPTH: usize = 64;

/// What the application tells of what lies at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HitAnswer {
    /// The element or a part of it.
    Element,
    /// Only what the element lies in, or nothing: it can't tell.
    Around,
    Other,
}

impl LinuxTree {
    /// As [`crate::accessibility::actions::ElementActions::click_point`].
    pub(super) async fn click_point(&self, id: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        let found = self.find(id).await?;
        let window = self.listed().find(id).ok_or(ElementRefusal::Gone)?.window;
        if is_tree_window(window) {
            // Where it is on the desktop, nobody tells.
            return Err(ElementRefusal::Unavailable.into());
        }
        let top = self.windows.find(window).map_err(refusal)?.ok_or(ElementRefusal::Gone)?;
        let bounds = top.info.bounds;
        let visible = found.element.bbox.intersection(bounds);
        if visible.is_empty() {
            return Err(NoClickPoint::OutOfView);
        }
        let point = visible.center();
        let (top_window, node) = (&top, &found.node);
        let ask = |context: WindowContext| async move {
            let Some(ancestry) = Self::ancestry(&context, top_window, point).await? else {
                return Ok(HitAnswer::Around);
            };
            if ancestry.ancestors.iter().any(|ancestor| ancestor.node == *node) {
                return Ok(HitAnswer::Element);
            }
            let Some(hit) = ancestry.ancestors.first() else { return Ok(HitAnswer::Around) };
            is_within(node, &hit.node).await
        };
        let answer = self.ask(&top, |context| async {
            match context {
                Some(context) => ask(context).await,
                None => Ok(HitAnswer::Around),
            }
        });
        match answer.await.map_err(refusal)? {
            HitAnswer::Other => Err(NoClickPoint::Covered),
            answer => Ok(ClickPoint { point, window, bounds, is_confirmed: answer == HitAnswer::Element }),
        }
    }
}

/// Whether what was hit is what the element lies in.
async fn is_within(node: &LinuxNode, hit: &LinuxNode) -> Result<HitAnswer, CallError> {
    let mut inner = node.clone();
    for _ in 0..MAX_DEPTH {
        match inner.parent().await {
            Ok(Some(parent)) if parent == *hit => return Ok(HitAnswer::Around),
            Ok(Some(parent)) => inner = parent,
            Ok(None) | Err(CallError::Refused) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(HitAnswer::Other)
}
