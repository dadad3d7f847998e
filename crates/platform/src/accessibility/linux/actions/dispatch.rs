//! The one call that does something to an element (EXE-7). It is never repeated: what was not answered may have been done.

use std::time::Duration;

use atspi::zbus::names::BusName;
use atspi::zbus::zvariant::{DynamicType, Value};
use atspi::zbus::{self, Connection, Message};
use luna_messages::element_action::{ActionResult, ElementAction, NoEffectProof};
use serde::Serialize;
use tokio::time::timeout;

use super::super::bus::CALL_DEADLINE;
use super::super::elements::FoundNode;
use super::super::node::LinuxNode;
use super::super::socket;
use super::means::ActionMeans;
use super::offer::ACTION;
use crate::accessibility::actions::ActBarrier;

/// How long an application may take to answer. Qt answers only after what the action leads to, such as a dialog, has ended.
const ACT_LIMIT: Duration = Duration::from_millis(800);
const VALUE: &str = "org.a11y.atspi.Value";

const NOT_OFFERED: ActionResult = ActionResult::NoEffect(NoEffectProof::NotOffered);
const NOT_DELIVERED: ActionResult = ActionResult::NoEffect(NoEffectProof::NotDelivered);

/// Does this to an element that was found, unless the barrier is raised.
pub(super) async fn perform(found: &FoundNode, action: &ElementAction, barrier: &ActBarrier) -> ActionResult {
    let Some(means) = found.offer.means(action.capacity()) else { return NOT_OFFERED };
    let node = &found.node;
    match (means, action) {
        (ActionMeans::Action(index), _) => once(node, ACTION, "DoAction", &(index,), barrier).await,
        (ActionMeans::Value, ElementAction::SetNumber(number)) if is_possible(found, *number) => {
            let body = (VALUE, "CurrentValue", Value::F64(*number));
            once(node, "org.freedesktop.DBus.Properties", "Set", &body, barrier).await
        }
        (ActionMeans::EditableText, ElementAction::SetText(text)) => {
            once(node, "org.a11y.atspi.EditableText", "SetTextContents", &(text.0.as_str(),), barrier).await
        }
        (ActionMeans::Selection, _) => {
            let (Ok(Some(around)), Ok(index)) = (node.parent().await, node.index().await) else {
                return NOT_DELIVERED;
            };
            once(&around, "org.a11y.atspi.Selection", "SelectChild", &(index,), barrier).await
        }
        (ActionMeans::Focus, _) => once(node, "org.a11y.atspi.Component", "GrabFocus", &(), barrier).await,
        (ActionMeans::Value | ActionMeans::EditableText, _) => NOT_OFFERED,
    }
}

/// Whether a number lies within the limits of the element: some toolkits take the nearest one instead.
fn is_possible(found: &FoundNode, number: f64) -> bool {
    let limits = found.element.properties.value.as_ref().filter(|value| value.max > value.min);
    number.is_finite() && limits.is_none_or(|limits| (limits.min..=limits.max).contains(&number))
}

/// Calls once, unless the barrier is raised.
async fn once<B>(node: &LinuxNode, interface: &str, method: &str, body: &B, barrier: &ActBarrier) -> ActionResult
where
    B: Serialize + DynamicType + Sync,
{
    let target = node.target_on_bus();
    let Ok(name) = BusName::try_from(target.name) else { return NOT_DELIVERED };
    let own = own_connection(node).await;
    let connection = own.as_ref().unwrap_or(target.connection);
    let call = connection.call_method(Some(name), target.path, Some(interface), method, body);
    // Nothing comes between this and the call: the future above has done nothing yet.
    if barrier.is_raised() {
        return NOT_DELIVERED;
    }
    let result = judge(timeout(ACT_LIMIT, call).await.ok());
    tracing::debug!(method, ?result, "An application was asked to act.");
    result
}

/// A connection for this call alone; `None` if the application takes calls over the bus only. While GTK 3 runs what a
/// press leads to, such as a modal dialog, it reads nothing more from the connection that the call came over: neither the
/// dialog nor anything else of the application could be read over it.
async fn own_connection(node: &LinuxNode) -> Option<Connection> {
    socket::connect(node.own_address()?, true, CALL_DEADLINE).await.ok()
}

/// What the answer tells; `None` if there was none in time.
fn judge(answer: Option<zbus::Result<Message>>) -> ActionResult {
    match answer {
        // What answers without a word has done it.
        Some(Ok(answer)) => match answer.body().deserialize::<bool>() {
            Ok(false) => ActionResult::NoEffect(NoEffectProof::Declined),
            Ok(true) | Err(_) => ActionResult::Accepted,
        },
        Some(Err(zbus::Error::MethodError(name, ..))) => refused(name.as_str()),
        Some(Err(_)) | None => ActionResult::Unknown,
    }
}

/// What an error that was answered proves. Only those that come before the element is asked prove anything. Pure.
fn refused(name: &str) -> ActionResult {
    match name.strip_prefix("org.freedesktop.DBus.Error.") {
        Some("UnknownMethod" | "UnknownInterface" | "UnknownProperty" | "PropertyReadOnly" | "NotSupported") => {
            NOT_OFFERED
        }
        Some("UnknownObject" | "ServiceUnknown" | "NameHasNoOwner") => NOT_DELIVERED,
        _ => ActionResult::Unknown,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn answer(body: &(impl Serialize + DynamicType)) -> Option<zbus::Result<Message>> {
        let call = Message::method_call("/a", "DoAction").unwrap().build(&()).unwrap();
        Some(Ok(Message::method_return(&call.header()).unwrap().build(body).unwrap()))
    }

    // EXE-7
    #[test]
    fn only_an_answer_proves_that_nothing_happened_exe_7() {
        let declined = ActionResult::NoEffect(NoEffectProof::Declined);
        assert_eq!(judge(answer(&true)), ActionResult::Accepted);
        assert_eq!(judge(answer(&false)), declined);
        assert_eq!(judge(answer(&())), ActionResult::Accepted);
        assert_eq!(judge(None), ActionResult::Unknown);
        let lost = zbus::Error::from(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
        assert_eq!(judge(Some(Err(lost))), ActionResult::Unknown);
        for (name, expect) in [
            ("UnknownMethod", NOT_OFFERED),
            ("NotSupported", NOT_OFFERED),
            ("UnknownObject", NOT_DELIVERED),
            ("ServiceUnknown", NOT_DELIVERED),
            // The application may have ended because of the action.
            ("NoReply", ActionResult::Unknown),
            ("Disconnected", ActionResult::Unknown),
            ("Failed", ActionResult::Unknown),
        ] {
            assert_eq!(refused(&format!("org.freedesktop.DBus.Error.{name}")), expect, "{name}");
        }
        assert_eq!(refused("com.example.UnknownMethod"), ActionResult::Unknown);
    }
}
