//! Where protected fields are, so that their pixels are never used (PIC-5, PRV-3).

use futures_util::future::join;
use luna_messages::Rect;
use luna_messages::pick::Role;

use super::super::secret_words::names_a_secret;
use super::allowance;
use super::call_error::CallError;
use super::details::Details;
use super::field::Effort;
use super::field_look::FieldSecrecy;
use super::node::{LinuxNode, NodeFacts};
use super::role;
use super::walk::{Visit, WalkBudget, walk};

/// Maximum number of elements that the search may query.
const BUDGET: WalkBudget = WalkBudget { elements: 2500, until: None, unseen: true };

/// Whether the content of a text field must not be read, judged by its names and by what it shows. Its content is not
/// requested.
pub(super) async fn is_secret(node: &LinuxNode, facts: &NodeFacts) -> bool {
    secrecy(node, facts, &mut node.details(facts).await, Effort::OneOfMany).await != FieldSecrecy::Open
}

/// What of a text field, whose details are known, may be read. Adds its label to them.
pub(super) async fn secrecy(
    node: &LinuxNode,
    facts: &NodeFacts,
    details: &mut Details,
    effort: Effort<'_>,
) -> FieldSecrecy {
    let (label, by_look) = join(details.label_of(node, facts, effort.parent()), node.secrecy(facts, effort)).await;
    details.label = label;
    let names = [&details.name, &details.label, details.attributes.placeholder()];
    let is_nameless = details.name.trim().is_empty() && details.label.is_empty();
    let is_named_so = names.into_iter().any(names_a_secret) || is_nameless && names_a_secret(&details.description);
    if is_named_so { FieldSecrecy::Secret } else { by_look }
}

/// Whether a picture may show what a text field contains although that is secret. What nobody sees is in no picture.
async fn is_secret_in_pictures(node: &LinuxNode, facts: &NodeFacts) -> bool {
    secrecy(node, facts, &mut node.details(facts).await, Effort::OneOfMany).await == FieldSecrecy::Secret
}

/// The boxes of protected fields in `frame` that intersect `region`.
///
/// Fails if the visible part of the window can't be searched completely. Invisible elements may reach into the region
/// as well, such as a bar that stays in place while its part of the page is scrolled away; their number is unlimited,
/// so as many are searched as the budget of elements allows, the first and the last ones first. Fails also if the search
/// of these is cut short: an answer that is late could have told of a field.
pub(super) async fn boxes(frame: &LinuxNode, region: Rect) -> Result<Vec<Rect>, CallError> {
    if region.is_empty() {
        return Ok(Vec::new());
    }
    let late = allowance::late_calls();
    let walked = walk(frame, region, BUDGET, |facts, _| visit(facts, region, frame.app.local)).await?;
    if !walked.is_complete {
        return Err(CallError::Late);
    }
    let mut boxes = Vec::new();
    for (node, facts) in walked.taken {
        let meets = facts.states.is_shown(frame.app.local) && !facts.bbox.intersection(region).is_empty();
        if meets
            && (facts.role == Role::Protected || facts.is_field() && is_secret_in_pictures(&node, &facts).await)
            && !boxes.contains(&facts.bbox)
        {
            boxes.push(facts.bbox);
        }
    }
    if allowance::late_calls() == late { Ok(boxes) } else { Err(CallError::Late) }
}

/// Containers outside of `region` come last, because in a web page any child may lie outside of its container;
/// containers that are known to overflow do not. Letting the application search its own tree is no alternative: it
/// would also visit everything invisible.
fn visit(facts: &NodeFacts, region: Rect, local: bool) -> Visit {
    if facts.role == Role::Protected || facts.role.general() == Role::Edit || facts.is_field() {
        return Visit::Take;
    }
    // The entries of a closed menu have no place on the screen.
    let may_reach_here = role::overflows(facts.native) && facts.role.general() != Role::MenuItem;
    let is_elsewhere = !facts.bbox.is_empty() && facts.bbox.intersection(region).is_empty() && !may_reach_here;
    // The window itself is entered whatever state it reports.
    if role::is_leaf(facts.native) {
        Visit::Skip
    } else if !facts.states.is_shown(local) && facts.role.general() != Role::Window {
        // An element without a place on the screen has no visible children either.
        if facts.bbox.is_empty() { Visit::Skip } else { Visit::EnterUnseen }
    } else if is_elsewhere && facts.role.general() != Role::Window {
        Visit::EnterLast
    } else {
        Visit::Enter
    }
}
