//! Where protected fields are, so that nobody looks at their pixels (PIC-5, PRV-3).

use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{join, join3};
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};

use super::super::secret_words::names_a_secret;
use super::bus::CallError;
use super::node::{Facts, Interfaces, Node};
use super::role;
use super::walk::{Budget, Visit, walk};

/// Elements that the search may ask at most.
const BUDGET: Budget = Budget { elements: 2500, until: None };
/// How long the application may search by itself.
const OWN_SEARCH: Duration = Duration::from_millis(350);
/// Fields that may be secret.
const FIELDS: [Native; 5] = [Native::PasswordText, Native::Entry, Native::Text, Native::Editbar, Native::Autocomplete];

/// Whether a field that takes text is secret, by what names it and by what it shows. What was typed is not asked for.
pub(super) async fn is_secret(node: &Node) -> bool {
    let (name, label, placeholder) = join3(node.name(), node.label(), node.placeholder()).await;
    let name = name.unwrap_or_default();
    if [&name, &label, &placeholder].into_iter().any(|text| names_a_secret(text)) {
        return true;
    }
    if name.trim().is_empty() && label.trim().is_empty() {
        let (description, before) = join(node.description(), node.label_before()).await;
        if names_a_secret(&description) || names_a_secret(&before) {
            return true;
        }
    }
    node.is_hidden().await
}

/// Whether nothing of an element may be asked for that becomes part of another's text. Where its role can't be had, nothing is known
/// to be harmless.
pub(super) async fn forbids(node: &Node, interfaces: &Interfaces) -> bool {
    let Ok(native) = node.native().await else { return true };
    let takes_text = interfaces.has("EditableText");
    node.app.guard.role(role::meaning(native, takes_text)) == Role::Protected || takes_text && is_secret(node).await
}

/// The boxes of protected fields in `frame` that meet `region`.
///
/// Misses none: where the search can't be finished, it fails.
pub(super) async fn boxes(frame: &Node, region: Rect, origin: Point) -> Result<Vec<Rect>, CallError> {
    if region.is_empty() {
        return Ok(Vec::new());
    }
    let interfaces = frame.interfaces().await?;
    // The application's own search knows fields, not what the person blocked beside them.
    let needs_all = !frame.app.guard.blocked().is_empty();
    let (own, walked) = join(
        async {
            // The application can search its tree by itself, wherever the boxes of containers lie.
            if interfaces.has("Collection") {
                frame.matches(&FIELDS, OWN_SEARCH).await
            } else {
                Err(CallError::Refused)
            }
        },
        // But not what other processes put into its window; and not every toolkit can.
        walk(frame, origin, BUDGET, |facts, _| visit(facts, region, frame.app.local)),
    )
    .await;
    let own = match own {
        Ok(found) => Some(found),
        Err(CallError::Refused | CallError::Late) => None,
        Err(CallError::Lost) => return Err(CallError::Lost),
    };
    let mut fields = Vec::new();
    match walked {
        Ok(walked) => {
            if !walked.is_complete && (own.is_none() || needs_all) {
                return Err(CallError::Late);
            }
            fields.extend(walked.taken);
        }
        Err(error) if own.is_none() || needs_all => return Err(error),
        Err(_) => {}
    }
    let others = own.unwrap_or_default().into_iter().filter(|node| !fields.iter().any(|(known, _)| known == node));
    let asked = others.map(|node| async move { (node.facts(origin).await, node) });
    let answers: Vec<_> = stream::iter(asked).buffer_unordered(32).collect().await;
    for (facts, node) in answers {
        match facts {
            Ok(facts) => fields.push((node, facts)),
            Err(CallError::Refused) => {}
            Err(error) => return Err(error),
        }
    }
    let mut boxes = Vec::new();
    for (node, facts) in fields {
        let meets = facts.states.is_shown(frame.app.local) && !facts.bbox.intersection(region).is_empty();
        if meets
            && (facts.role == Role::Protected || facts.is_field() && is_secret(&node).await)
            && !boxes.contains(&facts.bbox)
        {
            boxes.push(facts.bbox);
        }
    }
    Ok(boxes)
}

/// Containers elsewhere are left out unless their children may lie outside of them.
fn visit(facts: &Facts, region: Rect, local: bool) -> Visit {
    if facts.role == Role::Protected || facts.role == Role::Edit || facts.is_field() {
        return Visit::Take;
    }
    let is_leaf = matches!(
        facts.native,
        Native::Label | Native::Static | Native::Image | Native::Icon | Native::Slider | Native::Separator
    );
    let is_elsewhere =
        !facts.bbox.is_empty() && facts.bbox.intersection(region).is_empty() && !role::overflows(facts.native);
    // The window itself is entered whatever it says about itself.
    if is_leaf || (!facts.states.is_shown(local) || is_elsewhere) && facts.role != Role::Window {
        Visit::Skip
    } else {
        Visit::Enter
    }
}
