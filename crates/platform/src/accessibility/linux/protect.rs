//! Where protected fields are, so that nobody looks at their pixels (PIC-5, PRV-3).

use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::join;
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};

use super::bus::CallError;
use super::node::{Facts, Node};
use super::role;
use super::walk::{Budget, Visit, walk};

/// Elements that the search may ask at most.
const BUDGET: Budget = Budget { elements: 2500, until: None };
/// How long the application may search by itself.
const OWN_SEARCH: Duration = Duration::from_millis(350);
/// Fields that may be secret.
const FIELDS: [Native; 5] = [Native::PasswordText, Native::Entry, Native::Text, Native::Editbar, Native::Autocomplete];

/// Whether a field that takes text is secret by its label: asked only of fields. The text itself is not looked at.
pub(super) async fn is_secret(node: &Node) -> bool {
    let name = node.name().await.unwrap_or_default();
    if role::names_a_secret(&name) {
        return true;
    }
    name.trim().is_empty() && role::names_a_secret(&node.label().await)
}

/// The boxes of protected fields in `frame` that meet `region`.
///
/// Misses none: where the search can't be finished, it fails.
pub(super) async fn boxes(frame: &Node, region: Rect, origin: Point) -> Result<Vec<Rect>, CallError> {
    let interfaces = frame.interfaces().await?;
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
            if !walked.is_complete && own.is_none() {
                return Err(CallError::Late);
            }
            fields.extend(walked.taken);
        }
        Err(error) if own.is_none() => return Err(error),
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
            && (facts.role == Role::Protected || facts.states.is_editable() && is_secret(&node).await)
            && !boxes.contains(&facts.bbox)
        {
            boxes.push(facts.bbox);
        }
    }
    Ok(boxes)
}

/// Containers elsewhere are left out unless their children may lie outside of them.
fn visit(facts: &Facts, region: Rect, local: bool) -> Visit {
    if facts.role == Role::Protected || facts.role == Role::Edit {
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
